"""What a run knows of seeding: what takes part, what would be changed, and the rig that does the trials."""

import math
from dataclasses import replace
from typing import Final

from app.domain.change import Change
from app.domain.cost import TrialTime
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.rig import PREVIEW_OWNER, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.runner.bench.steps import changes_of_steps, do_steps
from app.systems.availability_groups.commit_rig.members import group_site
from app.systems.availability_groups.copies import SeedingRequirements
from app.systems.availability_groups.disturbances import RunStarts
from app.systems.availability_groups.form_names import fitted_seeding, seeding_names
from app.systems.availability_groups.group_checks import place_text
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_rig.changes import RunChanges
from app.systems.availability_groups.seeding_rig.members import (
    SeedingMembers,
    check_requirements,
    choose_members,
    complete_names,
)
from app.systems.availability_groups.seeding_rig.trial import TrialHands
from app.systems.availability_groups.seeding_steps import (
    COMPRESS_SEEDING,
    AllowSeeding,
    CompressSeeding,
    HoldSeeding,
    JoinAtPrimary,
    MakeTestDatabase,
    RecordSeedingEvents,
    SeedingObservation,
)
from app.systems.availability_groups.site import GroupSite


class SeedingRig:
    """Does trials of seeding."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        self._members = choose_members(parts.plan, group_site(parts.site).topology)
        self._changes = RunChanges(parts, self._members)
        self._refused: set[str] = set()
        self._starts = RunStarts()

    def run_trial(self, call: TrialCall) -> SeedingObservation:
        """Do the steps in order and return what the measuring one showed."""
        hands = TrialHands(self._parts, self._members, self._changes, call, self._refused, self._starts)
        try:
            return do_steps(call, self._parts.control, hands.do)
        finally:
            hands.skipped.tell(call.on_note)

    def settle(self) -> None:
        """Wait for nothing: what a copy under way needs is put back with it."""

    def forget(self) -> None:
        """Start afresh after a restore."""
        self._changes.forget()
        self._starts = RunStarts()


def planned_changes(plan: Plan, family: ExperimentFamily, site: Site, target: Target) -> tuple[Change, ...]:
    """Return the changes of every setting, each once, as seen from the present state."""
    members = choose_members(plan, group_site(site).topology)
    return changes_of_steps(plan, family, lambda step: _changes_of(step, members, target))


def _changes_of(step: Step, members: SeedingMembers, target: Target) -> tuple[Change, ...]:
    group, secondary, seeding = members.group, members.secondary.server, group_ports(target).seeding
    match step:
        case MakeTestDatabase():
            return seeding.plan_test_database(group.name, step.database, step.size_mb, step.compressible_share)
        case RecordSeedingEvents():
            return seeding.plan_event_session(PREVIEW_OWNER)
        case HoldSeeding():
            return seeding.plan_seeding_mode(group.name, secondary, "manual")
        case CompressSeeding():
            return group_ports(target).groups.plan_trace_flag(group.primary, COMPRESS_SEEDING, on=step.wanted)
        case JoinAtPrimary():
            return _membership(step.database, members, target)
        case AllowSeeding():
            return seeding.plan_seeding_mode(group.name, secondary, "automatic")
    return ()


def _membership(database: str, members: SeedingMembers, target: Target) -> tuple[Change, ...]:
    """Return the change that takes the database into the group; none where the target wants to see it first."""
    try:
        return group_ports(target).seeding.plan_membership(members.group.name, database, members.secondary.server)
    except BadInput:
        if members.is_test:  # it is made by the run itself, and told as a step
            return ()
        raise


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
    """Read what must hold; of a database that is still to be made, its planned size and state are taken."""
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


SEEDING_RIG: Final = RigKind(
    SeedingRig,
    planned_changes,
    servers_touched,
    complete_site,
    complete_names,
    suggestions=seeding_names,
    fitted=fitted_seeding,
    trial_time=seeding_trial_time,
    measured=measured,
)
