"""Seeding as a kind of rig: its members, and how its trials are done."""

import math
from dataclasses import replace
from typing import Final

from app.domain.cost import TrialTime
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.server import ServerInfo
from app.domain.target import Target
from app.runner.bench.rig import Workbench
from app.systems.availability_groups.commit_members import group_site
from app.systems.availability_groups.copies import SeedingRequirements
from app.systems.availability_groups.form_names import fitted_seeding, seeding_names
from app.systems.availability_groups.group_checks import place_text
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_members import (
    SeedingMembers,
    check_requirements,
    choose_members,
    complete_names,
)
from app.systems.availability_groups.site import GroupSite


def measured(plan: Plan, site: Site) -> tuple[str, ...]:
    """Return the database that is seeded, its group, and the secondary it is seeded to."""
    members = choose_members(plan, group_site(site).topology)
    return (place_text(members.database, members.group, members.secondary),)


def servers_touched(plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return the primary and every replica of the group, in topology order."""
    topology = group_site(site).topology
    members = choose_members(plan, topology)
    names = members.group.under_test() | {topology.connected_to}
    return tuple(server for server in topology.servers if server.name in names)


def complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site with the requirements of this seeding.

    Raises:
        BadInput: the plan does not fit, the database cannot be seeded, or a seeding is under way.
    """
    groups = group_site(site)
    members = choose_members(plan, groups.topology)
    requirements = _requirements(plan, members, target)
    check_requirements(plan, members, requirements)
    return replace(groups, requirements=requirements)


def _requirements(plan: Plan, members: SeedingMembers, target: Target) -> SeedingRequirements:
    """Read the requirements; of a database that is still to be made, its planned size and state are taken."""
    group, secondary, folder = members.group.name, members.secondary.server, plan.load.text("backup_folder")
    if not members.is_test:
        group_ports(target).seeding.check(group, members.database, secondary, folder)
        return group_ports(target).seeding.requirements(group, members.database, secondary, folder)
    requirements = group_ports(target).seeding.requirements(group, members.database, secondary, folder)
    return replace(requirements, database_mb=float(plan.load.whole("database_mb")), recovery_model="FULL")


def seeding_trial_time(plan: Plan, family: ExperimentFamily, site: Site) -> TrialTime:
    """Return how long a trial takes, as its family estimates it for the size a named database has here."""
    size_mb = _database_mb(plan, group_site(site))
    sized = plan if size_mb is None else replace(plan, load=plan.load.but(database_mb=math.ceil(size_mb)))
    return TrialTime(family.estimate_trial_s(sized))


def _database_mb(plan: Plan, site: GroupSite) -> float | None:
    """Return the size of a named database: the data in use, or that of its files; None where it is not known."""
    name = plan.load.text("database")
    if not name:
        return None
    if site.requirements is not None:
        return site.requirements.database_mb
    return next((database.size_mb for database in site.topology.databases if database.name == name), None)


_BENCH: Final = Workbench(lambda plan, site: choose_members(plan, group_site(site).topology))

SEEDING_RIG: Final = RigKind(
    _BENCH.make,
    _BENCH.planned_changes,
    servers_touched,
    complete_site,
    complete_names,
    suggestions=seeding_names,
    fitted=fitted_seeding,
    trial_time=seeding_trial_time,
    measured=measured,
)
