"""What a family needs of a target, as a person says it."""

from app.domain.ports import Capability
from app.foundation.texts import _


def capability_words(capability: Capability) -> str:
    """Return what a family needs, as a person says it."""
    return {
        Capability.REPLICATION_AGENTS: _("replication agents that may be stopped and started"),
        Capability.WORKLOAD: _("a test workload written at the Publisher"),
        Capability.NETWORK_PROBE: _("a measurement of the link from Distributor to Subscriber"),
        Capability.AVAILABILITY_GROUPS: _("an availability group whose modes may be changed"),
        Capability.DATABASE_SEEDING: _("a replica that a database may be seeded to"),
        Capability.ORACLE_STREAMS: _("an Oracle Streams pipeline whose apply may be stopped and started"),
    }[capability]
