"""How a declared change is made on SQL Server: where its statements run, and how they become T-SQL scripts.

A batch that sets a value compares `@expected` itself and answers `is_expected`; a script that makes a change leaves the
comparison out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.declared_change import IS_EXPECTED, Call, Run, ValueKept
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row


@dataclass(frozen=True)
class At:
    """Where a statement runs; `server` is "" for the server the target was opened with."""

    server: str = ""
    database: str = "master"


class SqlServerExecutor:
    """Sends calls through named statements."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self.clock = clock
        self._session = session

    def begin(self, *, is_apply: bool) -> Run[At]:  # the same for undoing: a server does not move
        """Return a callable that runs a change's statements."""
        return self.send

    def send(self, call: Call[At], server: str = "") -> Sequence[Row]:
        """Send a call, at another server than its own where one is named; raises ValueKept."""
        place = self.place(server or call.at.server or self._session.own_server, call.at.database)
        rows = self._session.run(call.statement, place, **given(call))
        if call.compares and is_kept(call.statement, rows):
            raise ValueKept(call.statement)
        return rows

    def place(self, server: str, database: str) -> Place:
        """Return where statements for a server's database are sent."""
        return Place(server, database)

    def script(self, title: str, call: Call[At], *, is_undo: bool) -> str:  # a batch undoes as it does
        """Return a call as a batch that acts at its server only."""
        return self.batch(title, call, call.at.server or self._session.own_server)

    def batch(self, title: str, call: Call[At], server: str, guard: str = "") -> str:
        """Return a call as a batch, once for each portion; see `statement_script`."""
        text = statement_script(title, server, call.at.database, call.statement, given(call), guard=guard)
        return f"{text.removesuffix('GO' + chr(10))}GO {call.portions}\n" if call.portions else text


def is_kept(statement: str, rows: Sequence[Row]) -> bool:
    """Tell whether a statement that compares met another value than the expected one, and left it."""
    return IS_EXPECTED in catalogue()[statement].column_names and bool(rows) and rows[0].whole(IS_EXPECTED) == 0


def given(call: Call[At]) -> dict[str, Value]:
    """Return the parameters a call names, without those it leaves out."""
    return {name: value for name, value in call.values.items() if value is not None}
