"""The two databases of a Streams pipeline, as the rest of the program sees them: the Target port."""

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
from app.targets.oracle.catalogue import catalogue
from app.targets.oracle.changes import OracleChanges
from app.targets.oracle.process_control import ApplyControl
from app.targets.oracle.rights import read_rights
from app.targets.oracle.session import RecordingSession, Transport
from app.targets.oracle.streams import OracleStreamsPort
from app.targets.oracle.url import ENGINE_ID

_CAPABILITIES: Final = frozenset({Capability.ORACLE_STREAMS})


class OracleTarget:
    """The adapter over any transport: drivers, or the lab in this process.

    Attributes:
        connection: what a report says of the connections, name and value; empty for a lab in this process.

    Args:
        load_schema: schema of the test table, "" for the one the connection works in.
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
        connection: tuple[tuple[str, str], ...] = (),
    ) -> None:
        session = RecordingSession(transport, clock, sink)
        control = ApplyControl(session, clock)
        self.key: str = key
        self.label: str = label
        self.engine: str = ENGINE_ID
        self.capabilities: frozenset[Capability] = _CAPABILITIES
        self.clock: Clock = clock
        self.agents: ReplicationAgents = not_offered(Capability.REPLICATION_AGENTS)
        self.agent_changes: AgentChanges = not_offered(Capability.REPLICATION_AGENTS)
        self.workload: Workload = not_offered(Capability.WORKLOAD)
        self.network: NetworkProbe = not_offered(Capability.NETWORK_PROBE)
        self.groups: AvailabilityGroups = not_offered(Capability.AVAILABILITY_GROUPS)
        self.seeding: DatabaseSeeding = not_offered(Capability.DATABASE_SEEDING)
        self.changes: ServerChanges = OracleChanges(session, clock, control)
        self.streams: OracleStreams = OracleStreamsPort(session, clock, control, load_schema)
        self.connection = connection
        self._session = session

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement this target may ever send, by name."""
        return tuple(
            CataloguedStatement(entry.name, entry.access, entry.purpose, entry.permission, entry.text)
            for entry in catalogue().values()
        )

    def read_rights(self, topology: Topology | None, groups: GroupTopology | None) -> LoginRights:
        """Read what this login may do at both databases."""
        return read_rights(self._session)

    def cancel(self) -> None:
        """End the statements that run now, from any thread; they raise StatementCancelled. Later ones run."""
        self._session.cancel()

    def close(self) -> None:
        """Close every connection."""
        self._session.close()
