"""Sessions run named statements; their transport (a driver, a process around one, the lab) is behind one Protocol."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

from app.domain.errors import MOST_TRIES, PAUSE_S, TargetError, tries_of
from app.domain.ports import StatementSink
from app.domain.statement import Access, StatementRecord
from app.drivers.oracle.catalogue import ConnectionUse, RunsAt, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError, is_unknown, to_target_error
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.late_requests import LateRequests
from app.foundation.rows import Cell, Row

Rows = tuple[Row, ...]


class End(StrEnum):
    """One of the two databases of a pipeline; both may be the same one."""

    SOURCE = "source"
    DESTINATION = "destination"

    @property
    def other(self) -> "End":
        """The opposite end."""
        return End.DESTINATION if self is End.SOURCE else End.SOURCE


class Transport(Protocol):
    """Sends one catalogued statement and returns its rows as tuples in the order of its declared columns.

    Keeps one connection for each end and use (control, load), and a time limit on connecting and on each statement.
    Nothing is left open on the control connections; on the load ones a transaction may stay open between statements.
    Safe to call from several threads; each connection runs one statement at a time.
    """

    def server_of(self, end: End) -> str:
        """Return how a person writes a database, such as "host:1521/SALES"; never a password."""
        ...

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run the statement; raises OracleError with the driver's or the server's code and text."""
        ...

    def cancel(self) -> None:
        """Cancel whatever statements run now, from another thread; they end with ORA-01013."""
        ...

    def close(self) -> None:
        """Close every connection; open transactions are rolled back."""
        ...


class Session(Protocol):
    """The adapter's access to a server: statements by name."""

    def server_of(self, end: End) -> str:
        """Return how a person writes a database."""
        ...

    def run(self, name: str, end: End, **binds: BindValue) -> Rows:
        """Run a statement of the catalogue; raises TargetError subclasses."""
        ...

    def cancel(self) -> None:
        """Cancel whatever statements run now."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class RecordingSession:
    """Checks each call against the catalogue, sends it, and hands a record of it to the sink, also when it failed.

    Args:
        before_change: called with the end before a changing statement of the control connection; may raise TargetError.
        late: told each end that is asked, and where nobody knows whether a change was carried out.
        asked: told whose answer is awaited.
    """

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        sink: StatementSink,
        before_change: Callable[[End], None] = lambda _end: None,
        late: LateRequests[End] | None = None,
        asked: Asked | None = None,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._sink = sink
        self._before_change = before_change
        self._late = LateRequests[End](lambda _place: None, TargetError) if late is None else late
        self._asked = Asked() if asked is None else asked
        self._statements = catalogue()

    def server_of(self, end: End) -> str:
        """Return how a person writes a database."""
        return self._transport.server_of(end)

    def run(self, name: str, end: End, **binds: BindValue) -> Rows:
        """Run a statement of the catalogue.

        Raises:
            TargetError: what the server reported, as a sentence; the record holds the same sentence.
            ValueError: no such statement, not exactly its binds, or not for this end; a fault of the program.
        """
        statement = self._checked(name, end, binds)
        if _changes(statement):
            self._before_change(end)
        for number in range(1, MOST_TRIES + 1):
            rows, problem = self._send(statement, end, binds)
            if problem is None:
                return tuple(Row(statement.positions, values) for values in rows)
            if statement.access is not Access.READ or number >= tries_of(problem):
                raise problem
            self._clock.sleep(PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _send(
        self, statement: Statement, end: End, binds: Mapping[str, BindValue]
    ) -> tuple[tuple[tuple[Cell, ...], ...], TargetError | None]:
        """Send a statement once and hand a record of it on; return its rows, or the problem."""
        self._late.ask(end)
        sent_utc, started_s = self._clock.now_utc(), self._clock.monotonic_s()
        rows: tuple[tuple[Cell, ...], ...] = ()
        problem: TargetError | None = None
        try:
            with self._asked.asking(self.server_of(end)):
                rows = self._transport.send(statement, end, binds)
        except OracleError as error:
            problem = to_target_error(error, statement.name, statement.permission, self.server_of(end))
            if _changes(statement) and is_unknown(error):
                self._late.note_unknown(end)
        self._sink(
            StatementRecord(
                name=statement.name,
                access=statement.access,
                server=self.server_of(end),
                text=statement.text,
                parameters=json.dumps(binds, ensure_ascii=False),
                sent_utc=sent_utc,
                duration_ms=(self._clock.monotonic_s() - started_s) * 1000.0,
                rows=len(rows),
                error="" if problem is None else str(problem),
            )
        )
        return rows, problem

    def _checked(self, name: str, end: End, binds: Mapping[str, BindValue]) -> Statement:
        statement = self._statements.get(name)
        if statement is None:
            raise ValueError(f"no statement {name} in the catalogue")
        if sorted(binds) != sorted(statement.bind_names):
            raise ValueError(f"statement {name} takes {statement.bind_names}, not {tuple(binds)}")
        if statement.runs_at not in (RunsAt.BOTH, RunsAt(end.value)):
            raise ValueError(f"statement {name} is for the {statement.runs_at}, not for the {end}")
        for bind in statement.binds:
            if binds[bind.name] is None and not bind.nullable:
                raise ValueError(f"statement {name}: {bind.name} may not be NULL")
        return statement

    def cancel(self) -> None:
        """Cancel whatever statements run now."""
        self._transport.cancel()

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()


def _changes(statement: Statement) -> bool:
    """Tell whether a statement makes a change that a run undoes; the load has a connection of its own."""
    return statement.access is Access.CHANGE and statement.connection is ConnectionUse.CONTROL
