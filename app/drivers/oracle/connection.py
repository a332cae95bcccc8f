"""An open way to two Oracle databases, as the rest of the program sees it: the Connection port."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from app.domain.errors import ChangedByOthers
from app.domain.ports import StatementSink
from app.domain.statement import CataloguedStatement, ReadingCost
from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.late_changes import DatabaseWaits
from app.drivers.oracle.run_mark import RunMarks
from app.drivers.oracle.session import RecordingSession, Session, Transport
from app.drivers.oracle.url import ENGINE_ID
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.late_requests import LateRequests


class OracleConnection:
    """Named statements over any transport: drivers, or the lab in this process.

    Attributes:
        facts: what a report says of the connections, name and value; empty for a lab in this process.
        is_lab: the servers are simulated, in this process or another one.
        simulates: id of the system a lab in this process simulates, "" for databases of their own.
        load_schema: schema of a test table, "" for the one the connection works in.
        asked: whose answer is awaited now.
    """

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        sink: StatementSink,
        key: str,
        label: str,
        *,
        load_schema: str = "",
        facts: tuple[tuple[str, str], ...] = (),
        simulates: str = "",
        is_lab: bool = False,
        asked: Asked | None = None,
    ) -> None:
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.facts: tuple[tuple[str, str], ...] = facts
        self.simulates: str = simulates
        self.is_lab: bool = is_lab or bool(simulates)
        self.load_schema: str = load_schema
        self.clock: Clock = clock
        self.asked: Asked = Asked() if asked is None else asked
        asking = RecordingSession(transport, clock, sink, asked=self.asked)
        self._marks = RunMarks(asking, clock)
        self._late = LateRequests(DatabaseWaits(asking, clock), ChangedByOthers)
        self.session: Session = RecordingSession(transport, clock, sink, self._marks.need, self._late, self.asked)
        self.identity: str = ""

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement that may ever be sent there, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Mark both databases as long as the context lasts; nobody else sees a lab of this process."""
        return nullcontext() if self.simulates else self._marks.held(owner)

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do something, and once more where a database first had to end connections that were given up."""
        self._late.after_late_requests(action, of_earlier=of_earlier)

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return nothing: a session's own counters need a right of their own there."""
        return ()

    def cancel(self) -> None:
        """End the statements that run now, from any thread; they raise StatementCancelled. Later ones run."""
        self.session.cancel()

    def close(self) -> None:
        """Close every connection."""
        self.session.close()
