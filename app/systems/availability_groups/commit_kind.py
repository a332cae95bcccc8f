"""The commit mode as a kind of rig: who takes part, and how its trials are done."""

from dataclasses import replace
from typing import Final

from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.server import ServerInfo
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.runner.bench.rig import Workbench
from app.systems.availability_groups.commit_members import choose_members, complete_names, group_site
from app.systems.availability_groups.commit_traffic import own_load
from app.systems.availability_groups.form_names import commit_names, fitted_commit
from app.systems.availability_groups.group_checks import place_text


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


def complete_plan(plan: Plan, site: Site) -> Plan:
    """Return the plan with the names it left open; on the client's own load nothing in it tells of a test table."""
    named = complete_names(plan, site)
    return replace(named, load=own_load(named.load)) if work_source_of(plan.load).is_own_work else named


_BENCH: Final = Workbench(lambda plan, site: choose_members(plan, group_site(site).topology))

COMMIT_RIG: Final = RigKind(
    _BENCH.make,
    _BENCH.planned_changes,
    servers_touched,
    _BENCH.complete_site,
    complete_plan,
    suggestions=commit_names,
    fitted=fitted_commit,
    measured=measured,
)
