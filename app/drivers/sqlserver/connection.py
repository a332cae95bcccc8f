"""An open way to SQL Servers, as the rest of the program sees it: the Connection port."""

from collections.abc import Callable
from typing import Final

from app.domain.ports import StatementSink
from app.domain.statement import CataloguedStatement
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.session import RecordingSession, Session, Transport
from app.foundation.clock import Clock

ENGINE_ID: Final = "sqlserver"


class SqlServerConnection:
    """Named statements over any transport: the lab in this process, or a driver.

    Attributes:
        facts: what a report says of the connection, name and value: driver, sign-in, encryption; empty for a lab in
            this process.
        is_lab: the servers are simulated, in this process or another one.
        simulates: id of the system a lab in this process simulates, "" for servers of their own.
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
    ) -> None:
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.facts: tuple[tuple[str, str], ...] = facts
        self.simulates: str = simulates
        self.is_lab: bool = is_lab or bool(simulates)
        self.clock: Clock = clock
        self.session: Session = RecordingSession(transport, clock, sink)
        self._cancel = cancel

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement that may ever be sent there, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def cancel(self) -> None:
        """Cancel the statements that run now, from another thread; those sent later run, such as a restore's."""
        self._cancel()

    def close(self) -> None:
        """Close every connection."""
        self.session.close()
