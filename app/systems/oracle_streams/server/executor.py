"""How a declared change is made on Oracle: at which end its statements run, and how they become PL/SQL scripts."""

from collections.abc import Callable

from app.domain.declared_change import EXPECTED, Call, Run, ValueKept
from app.domain.errors import Gone, TargetError
from app.drivers.oracle.errors import KEPT
from app.drivers.oracle.scripts import Where, block_script
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row
from app.foundation.texts import _


def _unknown(end: End) -> Where:
    raise RuntimeError(f"no script can be written for the {end}: changes are planned by the port of a pipeline")


class OracleExecutor:
    """Sends calls through named statements, each at one end of a pipeline."""

    def __init__(self, session: Session, clock: Clock, where: Callable[[End], Where] = _unknown) -> None:
        """Prepare the executor.

        Args:
            where: tells where scripts of an end are run; needed for planning only.
        """
        self.clock = clock
        self._session = session
        self._where = where

    def begin(self, *, is_apply: bool) -> Run[End]:  # the same for undoing: an end does not move
        """Return a callable that runs a change's statements.

        It raises ValueKept, and Gone where what a call is about is gone.
        """
        return self._run

    def script(self, title: str, call: Call[End], *, is_undo: bool) -> str:
        """Return a call as a block that acts at its own database only."""
        where, guard = self._where(call.at), call.guard if is_undo else ""
        # A size is read in whole granules, a value in the server's own words: the guard compares, and knows of both.
        values = {**call.values, EXPECTED: None} if EXPECTED in call.values else call.values
        return block_script(title, where, call.statement, values, guard=guard)

    def where(self, end: End) -> Where:
        """Return where scripts of an end are run."""
        return self._where(end)

    def _run(self, call: Call[End]) -> tuple[Row, ...]:
        try:
            rows = self._session.run(call.statement, call.at, **call.values)
        except TargetError as error:
            if call.compares and f"ORA-{KEPT}" in error.server_error:
                raise ValueKept(call.statement) from error
            raise
        if call.about and not rows:
            raise Gone(
                _("{database} has no {what} any more; read the pipeline again").format(
                    database=self._session.server_of(call.at), what=call.about
                )
            )
        return rows
