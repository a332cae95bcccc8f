"""The capture job as a kind of rig: who takes part, and how its trials are done."""

from dataclasses import replace
from typing import Final

from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.server import ServerInfo
from app.domain.target import Target
from app.runner.bench.rig import Workbench
from app.systems.change_data_capture.members import capture_port, choose
from app.systems.change_data_capture.site import site_for, topology_of
from app.systems.change_data_capture.subjects import DATABASE


def _servers(plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    choose(plan, site)
    return topology_of(site).servers


def _complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site with the log and the newest error of the database a plan is about."""
    member, topology, port = choose(plan, site), topology_of(site), capture_port(target)
    return site_for(
        topology,
        member.job,
        simulated=site.simulated,
        log_used_share=port.sample(member.database).log_used_share,
        newest_error=port.newest_error(member.database),
    )


def _complete_plan(plan: Plan, site: Site) -> Plan:
    return _named(plan, choose(plan, site).database)


def _named(plan: Plan, database: str) -> Plan:
    return replace(plan, load=plan.load.but(**{DATABASE.name: database}))


def _fitted(plan: Plan, site: Site) -> Plan:
    """Return the plan with the first database that can be used, where it names none."""
    usable = [one.name for one in topology_of(site).scanned_here() if not one.is_published]
    return _named(plan, usable[0]) if usable and not plan.load.text(DATABASE.name) else plan


_BENCH: Final = Workbench(choose)
RIG: Final = RigKind(
    _BENCH.make,
    _BENCH.planned_changes,
    _servers,
    _complete_site,
    _complete_plan,
    site_of_plan=lambda plan, site: site_for(topology_of(site), choose(plan, site).job, simulated=site.simulated),
    suggestions=lambda site: {DATABASE.name: tuple(one.name for one in topology_of(site).scanned_here())},
    fitted=_fitted,
    measured=lambda plan, site: (choose(plan, site).database,),
)
