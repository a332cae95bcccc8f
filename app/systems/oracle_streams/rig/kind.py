"""A Streams pipeline as a kind of rig: its path, and how its trials are done."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain.errors import BadInput, Disturbed
from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.server import ServerInfo
from app.domain.target import Target
from app.runner.bench.rig import StepRig, Workbench
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.own_work import own_load, read_waiting, source_at
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.rig.path import choose_path, complete_names, site_of_path, streams_site


def measured(plan: Plan, site: Site) -> tuple[str, ...]:
    """Return the path from capture to apply."""
    return (choose_path(plan, streams_site(site).topology).name,)


def servers_touched(_plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return both databases of the pipeline, one where they are the same."""
    databases = {database.name: database for database in reversed(streams_site(site).topology.databases)}
    return tuple(
        ServerInfo(d.name, d.role, d.version, d.edition, d.cpu_count) for d in reversed(tuple(databases.values()))
    )


def complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site with the parameters of the plan's path, once this release can be given every value.

    Raises:
        BadInput: there is no such path, or a value is outside the gates of this release, or could not be put back.
    """
    streams = streams_site(site)
    path = choose_path(plan, streams.topology)
    for factor in plan.factors:
        for level in factor.levels:
            streams_port(target).plan_parameter(path, factor.name, level)
    return replace(site_of_path(streams, path), waiting=read_waiting(target, path))


def complete_plan(plan: Plan, site: Site) -> Plan:
    """Return the plan with the name of its path, and where its work comes from."""
    named = complete_names(plan, site)
    source = source_at(plan.load, plan.limits, streams_site(site).waiting)
    return replace(named, load=own_load(named.load, source))


def suggestions(site: Site) -> Mapping[str, tuple[str, ...]]:
    """Return the paths found at the target."""
    return {"path": tuple(path.name for path in streams_site(site).topology.paths)}


def site_of_plan(plan: Plan, site: Site) -> Site:
    """Return the site with the values in effect of the plan's path; as it is while the plan names none of several."""
    streams = streams_site(site)
    try:
        return site_of_path(streams, choose_path(plan, streams.topology))
    except BadInput:
        return site


def stay_in_place(rig: StepRig[StreamsPath]) -> None:
    """Raise Disturbed where an end is no longer the database it was when the run began."""
    if why := streams_port(rig.at.target).why_moved():
        raise Disturbed(why)


_BENCH: Final = Workbench(lambda plan, site: choose_path(plan, streams_site(site).topology), stay_in_place)

STREAMS_RIG: Final = RigKind(
    _BENCH.make,
    _BENCH.planned_changes,
    servers_touched,
    complete_site,
    complete_plan,
    site_of_plan,
    suggestions,
    measured=measured,
)
