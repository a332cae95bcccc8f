"""Names for a form from a site with groups: suggestions, and first values where there are several."""

from collections.abc import Mapping
from dataclasses import replace

from app.domain.family import Site
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.plan_field import PlanValue
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology
from app.systems.availability_groups.site import GroupSite


def commit_names(site: Site) -> Mapping[str, tuple[str, ...]]:
    """Return names found at the target by the name of the field they fit; the database under test is one in a group."""
    names = _names(site)
    return {**names, "database": names["sync_database"]} if names else names


def seeding_names(site: Site) -> Mapping[str, tuple[str, ...]]:
    """Return names found at the target by the name of the field they fit; a database to be seeded is in no group
    yet."""
    names = _names(site)
    return {**names, "database": names["standalone_database"]} if names else names


def _names(site: Site) -> dict[str, tuple[str, ...]]:
    if not isinstance(site, GroupSite):
        return {}
    groups = site.topology.groups
    return {
        "group": tuple(group.name for group in groups),
        "secondary": tuple(dict.fromkeys(r.server for group in groups for r in group.secondaries())),
        "sync_database": tuple(dict.fromkeys(name for group in groups for name in group.database_names())),
        "standalone_database": tuple(d.name for d in site.topology.databases if not d.group),
    }


def fitted_commit(plan: Plan, site: Site) -> Plan:
    """Return the plan with an asynchronous and a synchronous group side by side, so that no mode has to be switched."""
    usable = _open_groups(plan, site)
    return _with_names(plan, _side_by_side(usable)) if usable else plan


def fitted_seeding(plan: Plan, site: Site) -> Plan:
    """Return the plan with the first group that can be used, where the target has several to choose from."""
    usable = _open_groups(plan, site)
    return _with_names(plan, {"group": usable[0].name}) if usable else plan


def _with_names(plan: Plan, names: Mapping[str, PlanValue]) -> Plan:
    return replace(plan, load=Load.from_mapping({**plan.load, **names}))


def _open_groups(plan: Plan, site: Site) -> list[AvailabilityGroup]:
    """Return the groups to choose from where there are several and the plan names none."""
    if not isinstance(site, GroupSite) or len(site.topology.groups) < 2 or plan.load.get("group"):
        return []
    return _usable(site.topology)


def _usable(topology: GroupTopology) -> list[AvailabilityGroup]:
    """Return the groups this server is primary of that are none of the special kinds."""
    return [
        group
        for group in topology.led_here()
        if not (group.is_basic or group.is_contained or group.is_distributed) and group.secondaries()
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
