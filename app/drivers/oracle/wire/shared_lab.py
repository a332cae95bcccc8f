"""One lab for several connections: one statement at a time, and time that runs by itself."""

from collections.abc import Mapping
from typing import Protocol

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_clock import WAIT_STATEMENT
from app.drivers.oracle.lab_marks import SessionMarks
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.lab.turns import Turns, Watch

Rows = tuple[tuple[Cell, ...], ...]


class ServedLab(Protocol):
    """Two simulated databases that can stand on a port."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
        """Run a statement of the catalogue; raises OracleError."""
        ...

    def database_name(self, end: End) -> str:
        """Return the global name of a database, which is its service, too."""
        ...

    def version(self, end: End) -> str:
        """Return the release of a database, such as 12.1.0.2.0."""
        ...

    def has_open_transaction(self) -> bool:
        """Tell whether the load has written rows that are neither committed nor rolled back."""
        ...

    def roll_back(self) -> None:
        """Roll back the load's uncommitted rows."""
        ...

    def now_s(self) -> float:
        """Return seconds of virtual time."""
        ...

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        ...


class SharedLab:
    """The lab and its clock.

    Args:
        speed: virtual seconds that pass in a real one; None lets time pass by what moves the lab itself alone.
        leaps: what a client lets pass with `lab_wait` passes at once, else in its time.
    """

    def __init__(self, lab: ServedLab, speed: float | None, *, leaps: bool = False) -> None:
        self.lab = lab
        self.turns = Turns(lab.now_s, lab.advance, speed)
        self._leaps = leaps
        self.marks = SessionMarks()

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement in its turn and return its rows.

        Raises:
            OracleError: what the lab reports.
            Exception: what `watch` raises; the statement has run then, or it has not.
        """
        with self.turns.taken(watch):
            self.turns.catch_up()
            rows = self.lab.run(statement, end, binds)
            ahead_s = self.turns.ahead_s()
            if self._leaps and statement.name == WAIT_STATEMENT:
                self.turns.leap(ahead_s)
                ahead_s = 0.0
        self.turns.wait_ahead(ahead_s, watch)
        return rows

    def let_pass(self, seconds: float, watch: Watch) -> None:
        """Let time pass for a client that waits; raises what `watch` raises."""
        if self.turns.speed is not None:
            watch(seconds / self.turns.speed)
            return
        with self.turns.taken(watch):
            self.lab.advance(seconds)
        watch(0.0)

    def login_problem(self, end: End) -> tuple[int, str] | None:
        """Return code and text of the reason to refuse the right password at a database, None for none."""
        del end
        return None

    def has_open_transaction(self) -> bool:
        """Tell whether the load has written rows that are neither committed nor rolled back."""
        with self.turns.taken(_patient):
            return self.lab.has_open_transaction()

    def roll_back(self) -> None:
        """Roll back the load's uncommitted rows."""
        with self.turns.taken(_patient):
            self.lab.roll_back()


def _patient(wait_s: float) -> None:
    """Wait for one's turn, however long that takes."""
    del wait_s
