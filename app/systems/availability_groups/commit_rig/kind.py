"""What a run knows of the commit mode: who takes part, what would be changed, and the rig that does the trials."""

from typing import Final

from app.domain.change import Change
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.rig import PREVIEW_OWNER, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.bench.steps import changes_of_steps, do_steps
from app.systems.availability_groups.commit_rig.members import (
    Members,
    choose_members,
    complete_names,
    group_site,
    major_version,
)
from app.systems.availability_groups.commit_rig.trial import Switches, TrialHands
from app.systems.availability_groups.commit_steps import (
    CommitObservation,
    MakeTestTables,
    SetCommitMode,
    SetLogCompression,
    compression_flags,
)
from app.systems.availability_groups.disturbances import RunStarts
from app.systems.availability_groups.form_names import commit_names, fitted_commit
from app.systems.availability_groups.group_checks import place_text
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.offer import group_ports


class CommitRig:
    """Does trials of the commit mode."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        self._members = choose_members(parts.plan, group_site(parts.site).topology)
        self._switches = Switches(parts)
        self._refused: set[str] = set()
        self._starts = RunStarts()

    def run_trial(self, call: TrialCall) -> CommitObservation:
        """Do the steps in order and return what the measuring one showed."""
        hands = TrialHands(self._parts, self._members, self._switches, call, self._refused, self._starts)
        try:
            return do_steps(call, self._parts.control, hands.do)
        finally:
            hands.skipped.tell(call.on_note)

    def settle(self) -> None:
        """Wait for nothing: what is written reaches every replica, whatever is put back."""

    def forget(self) -> None:
        """Start afresh after a restore."""
        self._switches.forget()
        self._starts = RunStarts()


def planned_changes(plan: Plan, family: ExperimentFamily, site: Site, target: Target) -> tuple[Change, ...]:
    """Return the changes of every setting, each once, as seen from the present state."""
    members = choose_members(plan, group_site(site).topology)
    return changes_of_steps(plan, family, lambda step: _changes_of(step, members, site, target))


def _changes_of(step: Step, members: Members, site: Site, target: Target) -> list[Change]:
    topology, groups = group_site(site).topology, group_ports(target).groups
    match step:
        case MakeTestTables():
            return list(groups.plan_test_tables(step.database, step.source_rows, PREVIEW_OWNER))
        case SetCommitMode():
            return _mode_changes(step, members, target)
        case SetLogCompression():
            flags = compression_flags(major_version(topology), step.mode, step.wanted)
            return [c for flag, on in flags.items() for c in groups.plan_trace_flag(topology.connected_to, flag, on=on)]
    return []


def _mode_changes(step: SetCommitMode, members: Members, target: Target) -> list[Change]:
    member = members.of(step.database)
    if member is None:
        return []
    wanted = {r.server: CommitMode.ASYNCHRONOUS for r in member.group.secondaries()}
    wanted[member.secondary.server] = step.mode
    if step.mode is CommitMode.SYNCHRONOUS:
        wanted[member.group.primary] = CommitMode.SYNCHRONOUS
    return [
        c for server, mode in wanted.items() for c in group_ports(target).groups.plan_mode(member.group, server, mode)
    ]


def measured(plan: Plan, site: Site) -> tuple[str, ...]:
    """Return each database that is committed in, with its group and the secondary whose mode is varied."""
    members = choose_members(plan, group_site(site).topology)
    grouped = [place_text(member.database, member.group, member.secondary) for member in members.grouped]
    alone = [_("{database} in no group").format(database=members.standalone)] if members.standalone else []
    return (*grouped, *alone)


def servers_touched(plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return the primary and every replica of the groups that take part and hold data, in topology order."""
    topology = group_site(site).topology
    members = choose_members(plan, topology)
    names = {server for member in members.grouped for server in member.group.under_test()}
    names.add(topology.connected_to)
    return tuple(server for server in topology.servers if server.name in names)


def complete_site(plan: Plan, site: Site, _target: Target) -> Site:
    """Return the site as it is, once it has what the plan needs.

    Raises:
        BadInput: it has not.
    """
    choose_members(plan, group_site(site).topology)
    return site


COMMIT_RIG: Final = RigKind(
    CommitRig,
    planned_changes,
    servers_touched,
    complete_site,
    complete_names,
    suggestions=commit_names,
    fitted=fitted_commit,
    measured=measured,
)
