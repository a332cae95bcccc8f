"""The subjects of experiments on transactional replication, and the capabilities a target must offer for each."""

from typing import Final

from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind

SYSTEM_ID: Final = "transactional_replication"

LOG_READER: Final = AgentKind.LOG_READER.value
DISTRIBUTION: Final = AgentKind.DISTRIBUTION.value
SUBJECTS: Final = (LOG_READER, DISTRIBUTION)

REPLICATION_AGENTS: Final = "ReplicationAgents"
WORKLOAD: Final = "Workload"
NETWORK_PROBE: Final = "NetworkProbe"

CAPABILITIES: Final = {
    REPLICATION_AGENTS: _("replication agents that may be stopped and started"),
    WORKLOAD: _("a test workload written at the Publisher"),
    NETWORK_PROBE: _("a measurement of the link from Distributor to Subscriber"),
}
"""What it may offer on a target, by id, as a person says it."""
