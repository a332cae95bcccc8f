"""An open way to SQL Servers, as the rest of the program sees it: the Connection port."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from app.domain.errors import ChangedByOthers
from app.domain.ports import StatementSink
from app.domain.statement import CataloguedStatement, ReadingCost
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.first_contact import Describe, Met, Recorder, Remembering
from app.drivers.sqlserver.late_changes import ServerWaits
from app.drivers.sqlserver.reading_cost import read_costs
from app.drivers.sqlserver.run_mark import RunMarks
from app.drivers.sqlserver.session import RecordingSession, Session, Transport
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.late_requests import LateRequests

ENGINE_ID: Final = "sqlserver"


class SqlServerConnection:
    """Named statements over any transport: the lab in this process, or a driver.

    Attributes:
        facts: what a report says of the connection, name and value: driver, sign-in, encryption; empty for a lab in
            this process.
        is_lab: the servers are simulated, in this process or another one.
        simulates: id of the system a lab in this process simulates, "" for servers of their own.
        recorder: records what its servers answer; None for a lab in this process, which answers what it says itself.
        identity: tells its own server from others, whatever address it was reached by; "" for a lab's.
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
        cancel: Callable[[], None] = lambda: None,
        facts: tuple[tuple[str, str], ...] = (),
        simulates: str = "",
        is_lab: bool = False,
        asked: Asked | None = None,
        losses: Callable[[], int] = lambda: 0,
        end_changing: Callable[[str], None] = lambda _server: None,
        describe: Describe | None = None,
        database: str = "",
    ) -> None:
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.facts: tuple[tuple[str, str], ...] = facts
        self.simulates: str = simulates
        self.is_lab: bool = is_lab or bool(simulates)
        self.clock: Clock = clock
        self.asked: Asked = Asked() if asked is None else asked
        asking = RecordingSession(transport, clock, sink, asked=self.asked)
        self._marks = RunMarks(asking, losses)
        self._late = LateRequests(ServerWaits(asking, end_changing), ChangedByOthers)
        met = Met()
        self.recorder = None if describe is None else Recorder(met, transport.own_server, describe, facts)
        remembering = transport if describe is None else Remembering(transport, met)
        self._recording = RecordingSession(remembering, clock, sink, self._marks.need, database, self._late, self.asked)
        self.session: Session = self._recording
        self.identity: str = "" if self.is_lab else f"{ENGINE_ID} {transport.own_server}".lower()
        self._cancel = cancel

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement that may ever be sent there, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Mark each server that is changed as long as the context lasts; nobody else sees a lab of this process."""
        return nullcontext() if self.simulates else self._marks.held(owner)

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do something, and once more where a server first had to end connections that were given up."""
        self._late.after_late_requests(action, of_earlier=of_earlier)

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return the cost of reading at each server that reports it."""
        return read_costs(self.session, tuple(self._recording.reading_places))

    def cancel(self) -> None:
        """Cancel the statements that run now, from another thread; those sent later run, such as a restore's."""
        self._cancel()

    def close(self) -> None:
        """Close every connection."""
        self.session.close()
