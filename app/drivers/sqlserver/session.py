"""Sessions run named statements; their transport (the lab, a socket to it, a driver) is behind one Protocol."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from app.domain.errors import MOST_TRIES, PAUSE_S, Blocked, TargetError, tries_of
from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.statement import Access, StatementRecord
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError, is_unknown, to_target_error
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.late_requests import LateRequests
from app.foundation.rows import Cell, Row

Rows = tuple[Row, ...]

_PARAMETERS: Final = json.JSONEncoder(ensure_ascii=False)


@dataclass(frozen=True)
class Place:
    """A server and a database on it.

    Attributes:
        is_instance: the name is that of one instance, and what is meant for it goes to no other that answers at its
            address; else it may be that of a listener, which stands for several.
    """

    server: str
    database: str
    is_instance: bool = False


class Transport(Protocol):
    """Sends one catalogued statement and returns its rows as tuples in the order of its declared columns.

    An ODBC transport declares the parameters in front of the text (`DECLARE @job_id uniqueidentifier = ?;`), keeps one
    connection for each server and thread, and sets a time limit on connect and on each statement.

    Attributes:
        own_server: name of the server this target was opened with.
    """

    own_server: str

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run the statement; raises SqlError with the server's number and text."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class Session(Protocol):
    """The adapter's access to servers: statements by name.

    Attributes:
        own_server: name of the server this target was opened with.
        database: the one the target names, where a server has several of a kind; "" where it names none.
    """

    own_server: str
    database: str

    def run(self, name: str, place: Place, **parameters: Value) -> Rows:
        """Run a statement of the catalogue; raises TargetError subclasses."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class AskingOnce:
    """A session for one look, in which some statements are sent once: later their first rows are returned.

    Attributes:
        own_server, database: as of the session it asks.
    """

    def __init__(self, session: Session, names: Collection[str]) -> None:
        """Ask a session.

        Args:
            names: of the statements whose rows stay the same for the time of a look.
        """
        self.own_server, self.database = session.own_server, session.database
        self._session = session
        self._names = frozenset(names)
        self._known: dict[tuple[str, Place, tuple[tuple[str, Value], ...]], Rows] = {}

    def run(self, name: str, place: Place, **parameters: Value) -> Rows:
        """Run a statement of the catalogue, or return its rows of before; raises TargetError."""
        key = (name, place, tuple(sorted(parameters.items())))
        if key in self._known:
            return self._known[key]
        rows = self._session.run(name, place, **parameters)
        if name in self._names:
            self._known[key] = rows
        return rows

    def close(self) -> None:
        """Close every connection."""
        self._session.close()


class RecordingSession:
    """Checks each call against the catalogue, sends it, and hands a record of it to the sink, also when it failed.

    Attributes:
        reading_places: where statements were sent that read, in the order of the first ones.
    """

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        sink: StatementSink,
        before_change: Callable[[str], None] = lambda _server: None,
        database: str = "",
        late: LateRequests[Place] | None = None,
        asked: Asked | None = None,
    ) -> None:
        """Prepare the session.

        Args:
            before_change: told the server a changing statement is for, before it is sent; what it raises prevents that.
            database: the one the target names, "" for none.
            late: told each server that is asked, and where nobody knows whether a change was carried out.
            asked: told whose answer is awaited.
        """
        self.own_server = transport.own_server
        self.database = database
        self._transport = transport
        self._clock = clock
        self._sink = sink
        self._before_change = before_change
        self._late = LateRequests[Place](lambda _place: None, TargetError) if late is None else late
        self._asked = Asked() if asked is None else asked
        self._statements = catalogue()
        self.reading_places: dict[Place, None] = {}

    def run(self, name: str, place: Place, **parameters: Value) -> Rows:
        """Run a statement of the catalogue.

        Raises:
            TargetError: what the server reported, as a sentence; the record holds the same sentence.
            ValueError: no such statement, or not exactly its parameters; a fault of the program.
        """
        statement = self._statements.get(name)
        if statement is None:
            raise ValueError(f"no statement {name} in the catalogue")
        if parameters.keys() != statement.parameters_by_name.keys():
            raise ValueError(f"statement {name} takes {statement.parameter_names}, not {tuple(parameters)}")
        if statement.access is Access.CHANGE:
            self._before_change(place.server)
        else:
            self.reading_places[place] = None
        for number in range(1, MOST_TRIES + 1):
            rows, problem = self._send(statement, place, parameters)
            if problem is None:
                return tuple(Row(statement.positions, values) for values in rows)
            if statement.access is not Access.READ or number >= tries_of(problem):
                raise problem
            if statement.takes_time and isinstance(problem, Blocked):
                raise problem  # what only explains and is long anyway has waited enough
            self._clock.sleep(PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _send(
        self, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[tuple[Cell, ...], ...], TargetError | None]:
        """Send a statement once and hand a record of it on; return its rows, or the problem."""
        server = Place(place.server, "master", place.is_instance)
        self._late.ask(server)
        sent_utc, started_s = self._clock.now_utc(), self._clock.monotonic_s()
        rows: tuple[tuple[Cell, ...], ...] = ()
        problem: TargetError | None = None
        try:
            with self._asked.asking(place.server):
                rows = self._transport.send(statement, place, parameters)
        except SqlError as error:
            problem = to_target_error(error, statement.name, statement.permission, place.server)
            if statement.access is Access.CHANGE and is_unknown(error):
                self._late.note_unknown(server)
        self._sink(
            StatementRecord(
                name=statement.name,
                access=statement.access,
                server=place.server,
                text=statement.text,
                parameters=_PARAMETERS.encode(parameters) if parameters else "{}",
                sent_utc=sent_utc,
                duration_ms=(self._clock.monotonic_s() - started_s) * 1000.0,
                rows=len(rows),
                error="" if problem is None else str(problem),
            )
        )
        return rows, problem

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()
