"""A Distributor with what belongs to it, as the rest of the program sees it: the Target port."""

from collections.abc import Callable
from typing import Final

from app.domain.availability import AvailabilityGroups, GroupTopology
from app.domain.ports import (
    AgentChanges,
    Capability,
    NetworkProbe,
    ReplicationAgents,
    ServerChanges,
    StatementSink,
    Workload,
    not_offered,
)
from app.domain.rights import LoginRights
from app.domain.seeding import DatabaseSeeding
from app.domain.statement import CataloguedStatement
from app.domain.streams import OracleStreams
from app.domain.topology import Topology
from app.foundation.clock import Clock
from app.targets.sqlserver.agents import SqlServerAgents
from app.targets.sqlserver.catalogue import catalogue
from app.targets.sqlserver.changes import SqlServerChanges
from app.targets.sqlserver.groups import SqlServerGroups
from app.targets.sqlserver.network import SqlServerNetwork
from app.targets.sqlserver.rights import read_rights
from app.targets.sqlserver.seeding import SqlServerSeeding
from app.targets.sqlserver.session import RecordingSession, Transport
from app.targets.sqlserver.workload import SqlServerWorkload

ENGINE_ID: Final = "sqlserver"

REPLICATION: Final = frozenset({Capability.REPLICATION_AGENTS, Capability.WORKLOAD, Capability.NETWORK_PROBE})
AVAILABILITY: Final = frozenset({Capability.AVAILABILITY_GROUPS, Capability.DATABASE_SEEDING})


class SqlServerTarget:
    """The adapter over any transport: the lab in this process, or a driver.

    Attributes:
        connection: what a report says of the connection, name and value: driver, sign-in, encryption; empty for a
            lab in this process.
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
        connection: tuple[tuple[str, str], ...] = (),
        capabilities: frozenset[Capability] = REPLICATION | AVAILABILITY,
    ) -> None:
        session = RecordingSession(transport, clock, sink)
        agents = SqlServerAgents(session, clock)
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.capabilities: frozenset[Capability] = capabilities
        self.clock: Clock = clock
        self.agents: ReplicationAgents = agents
        changes = SqlServerChanges(session, clock, agents)
        self.agent_changes: AgentChanges = changes
        self.changes: ServerChanges = changes
        self.groups: AvailabilityGroups = not_offered(Capability.AVAILABILITY_GROUPS)
        if Capability.AVAILABILITY_GROUPS in capabilities:
            self.groups = SqlServerGroups(session, clock)
        self.seeding: DatabaseSeeding = not_offered(Capability.DATABASE_SEEDING)
        if Capability.DATABASE_SEEDING in capabilities:
            self.seeding = SqlServerSeeding(session, clock)
        self.streams: OracleStreams = not_offered(Capability.ORACLE_STREAMS)
        self.workload: Workload = SqlServerWorkload(session)
        self.network: NetworkProbe = SqlServerNetwork(session, clock)
        self.connection = connection
        self._session = session
        self._cancel = cancel
        self._leave_out(capabilities)

    def _leave_out(self, capabilities: frozenset[Capability]) -> None:
        """Let the ports of replication agents say so where there are none, as in a lab of availability groups."""
        if Capability.REPLICATION_AGENTS not in capabilities:
            self.agents = self.agent_changes = not_offered(Capability.REPLICATION_AGENTS)
        if Capability.WORKLOAD not in capabilities:
            self.workload = not_offered(Capability.WORKLOAD)
        if Capability.NETWORK_PROBE not in capabilities:
            self.network = not_offered(Capability.NETWORK_PROBE)

    def cancel(self) -> None:
        """Cancel the statements that run now, from another thread; those sent later run, such as a restore's."""
        self._cancel()

    def read_rights(self, topology: Topology | None, groups: GroupTopology | None) -> LoginRights:
        """Read what this login may do at the servers of what was discovered."""
        return read_rights(self._session, topology, groups)

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement this target may ever send, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def close(self) -> None:
        """Close every connection."""
        self._session.close()
