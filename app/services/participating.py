"""Which servers a plan touches."""

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.topology import ServerInfo
from app.runner.rigs import rig_kind


def servers_of(plan: Plan, family: ExperimentFamily, site: Site) -> tuple[ServerInfo, ...]:
    """Return the servers a run of this plan touches, each to be consented to."""
    return rig_kind(family.subject).servers(plan, site)
