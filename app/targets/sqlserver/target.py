"""A Distributor with what belongs to it, as the rest of the program sees it: the Target port."""

from typing import Final

from app.domain.ports import (
    Capability,
    NetworkProbe,
    ReplicationAgents,
    ServerChanges,
    StatementSink,
    Workload,
)
from app.domain.statement import CataloguedStatement
from app.foundation.clock import Clock
from app.targets.sqlserver.agents import SqlServerAgents
from app.targets.sqlserver.catalogue import catalogue
from app.targets.sqlserver.changes import SqlServerChanges
from app.targets.sqlserver.network import SqlServerNetwork
from app.targets.sqlserver.session import RecordingSession, Transport
from app.targets.sqlserver.workload import SqlServerWorkload

ENGINE_ID: Final = "sqlserver"

_CAPABILITIES: Final = frozenset({Capability.REPLICATION_AGENTS, Capability.WORKLOAD, Capability.NETWORK_PROBE})


class SqlServerTarget:
    """The adapter over any transport: the lab in this process, a lab behind a socket, or a driver."""

    def __init__(self, transport: Transport, clock: Clock, sink: StatementSink, key: str, label: str) -> None:
        session = RecordingSession(transport, clock, sink)
        agents = SqlServerAgents(session, clock)
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.capabilities: frozenset[Capability] = _CAPABILITIES
        self.clock: Clock = clock
        self.agents: ReplicationAgents = agents
        self.changes: ServerChanges = SqlServerChanges(session, clock, agents)
        self.workload: Workload = SqlServerWorkload(session)
        self.network: NetworkProbe = SqlServerNetwork(session, clock)
        self._session = session

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement this target may ever send, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def close(self) -> None:
        """Close every connection."""
        self._session.close()
