"""What a form takes from the target: names to suggest, and those to begin with where there are several."""

from dataclasses import replace

from app.domain.family import ExperimentFamily, Site
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Subject
from app.foundation.texts import _
from app.services.plan.plan_outlook import commands_delivered_in
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology
from app.systems.availability_groups.site import GroupSite
from app.systems.oracle_streams.site import StreamsSite
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import AgentSite


def suggestions(site: Site | None, subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return names found at the target by the name of the field they fit."""
    if isinstance(site, StreamsSite):
        return {"path": tuple(path.name for path in site.topology.paths)}
    if not isinstance(site, GroupSite):
        return {}
    groups = site.topology.groups
    grouped = tuple(dict.fromkeys(name for group in groups for name in group.database_names()))
    loose = tuple(d.name for d in site.topology.databases if not d.group)
    return {
        "group": tuple(group.name for group in groups),
        "secondary": tuple(dict.fromkeys(r.server for group in groups for r in group.secondaries())),
        "sync_database": grouped,
        "standalone_database": loose,
        "database": loose if subject is Subject.SEEDING else grouped,
    }


def most_of(site: Site | None) -> dict[str, tuple[int, str]]:
    """Return the most a target has of what a field counts, and the words for that, by the field's name."""
    if not isinstance(site, AgentSite):
        return {}
    pairs = len(site.topology.agents_of(AgentKind.LOG_READER))
    return {"agent_pairs": (max(1, pairs), _("the publication databases of this Distributor"))}


def reachable(load: Load, site: Site | None, delivery_s: float) -> Load:
    """Return a load whose backlog one stream delivers over the link of the target in about that time."""
    if not isinstance(site, AgentSite):
        return load
    commands = min(workload_of(load).commands, commands_delivered_in(delivery_s, site))
    return load.but(commands=max(1_000, int(commands)))


def fitted(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return the plan with the names it leaves open, where the target has several to choose from.

    Of several groups an asynchronous and a synchronous one stand side by side, so that no mode has to be switched.
    """
    if not isinstance(site, GroupSite) or len(site.topology.groups) < 2 or plan.load.get("group"):
        return plan
    usable = _usable(site.topology)
    if not usable:
        return plan
    names: dict[str, PlanValue] = {"group": usable[0].name}
    if family.subject is Subject.COMMIT:
        names = _side_by_side(usable)
    return replace(plan, load=Load.from_mapping({**plan.load, **names}))


def _usable(topology: GroupTopology) -> list[AvailabilityGroup]:
    """Return the groups this server is primary of that are none of the special kinds."""
    return [
        group
        for group in topology.groups
        if group.primary == topology.connected_to
        and not (group.is_basic or group.is_contained or group.is_distributed)
        and group.secondaries()
    ]


def _side_by_side(usable: list[AvailabilityGroup]) -> dict[str, PlanValue]:
    with_data = [group for group in usable if group.databases] or usable
    free = [group for group in with_data if _mode(group) is CommitMode.ASYNCHRONOUS] or with_data
    names: dict[str, PlanValue] = {"group": free[0].name}
    if len(free[0].database_names()) > 1:
        names["database"] = free[0].database_names()[0]
    waiting = [group for group in with_data if group is not free[0] and _mode(group) is CommitMode.SYNCHRONOUS]
    if waiting and waiting[0].databases:
        names["sync_database"] = waiting[0].database_names()[0]
    return names


def _mode(group: AvailabilityGroup) -> CommitMode:
    return group.secondaries()[0].mode
