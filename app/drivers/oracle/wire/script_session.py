"""A client's session as a script sees it."""

from collections.abc import Callable, Mapping

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_script.scope import Output
from app.drivers.oracle.session import End
from app.drivers.oracle.url import LAB_USER
from app.drivers.oracle.wire.shared_lab import Rows, SharedLab
from app.lab.turns import Watch


class ScriptSession:
    """The connection that scripts run through.

    Args:
        run: runs a statement of the catalogue for this client.
    """

    def __init__(
        self, shared: SharedLab, end: End, run: Callable[[Statement, Mapping[str, BindValue]], Rows], watch: Watch
    ) -> None:
        self.user = LAB_USER.upper()
        self.database = shared.lab.database_name(end)
        self.output = Output()
        self.run = run
        self._shared, self._watch = shared, watch

    def wait(self, seconds: float) -> None:
        """Let time pass, and look whether the client still waits; raises what its watch raises."""
        if seconds:
            self._shared.let_pass(seconds, self._watch)
        else:
            self._watch(0.0)
