"""Replication agents as a kind of rig: who takes part, the planned changes, and how its trials are done."""

from dataclasses import replace
from functools import partial
from typing import Final

from app.domain.cost import InTrials
from app.domain.errors import BadInput, Disturbed
from app.domain.family import Site, site_as
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.server import ServerInfo
from app.domain.target import Target
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.runner.bench.rig import StepRig, Workbench
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.delivery_response import with_site_frozen
from app.systems.transactional_replication.form_names import caution, most_of, reachable, suggestions
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.own_work import log_source_at, names_of, own_load, source_at, worst_named
from app.systems.transactional_replication.rig.filled import window_commands
from app.systems.transactional_replication.rig.participants import Participants, choose_participants, place_of
from app.systems.transactional_replication.rig.trial import finish
from app.systems.transactional_replication.site import (
    AgentSite,
    agent_site_for,
    complete_agent_site,
    with_waiting,
)
from app.systems.transactional_replication.trial_time import agent_trial_time


def servers_touched(plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return the servers of the agents that take part, the Distributor always among them, in topology order.

    Where an agent names a server the topology does not list, or there are too few agents, every server is returned:
    rather one too many is agreed to than one too few.
    """
    topology = _agents(site).topology
    try:
        participants = choose_participants(topology, plan.load)
    except BadInput:
        return topology.servers
    publishers = {agent.publisher_at for agent in participants}
    subscribers = {agent.subscriber for agent in participants if agent.subscriber}
    listed = {(server.role, server.name) for server in topology.servers}
    wanted = {("Publisher", name) for name in publishers} | {("Subscriber", name) for name in subscribers}
    if not wanted <= listed:
        return topology.servers
    return tuple(
        server for server in topology.servers if server.role == "Distributor" or (server.role, server.name) in wanted
    )


def _agents(site: Site) -> AgentSite:
    return site_as(AgentSite, site)


def complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site of the agents the plan is for, once it has as many as the plan needs.

    Raises:
        BadInput: it has too few.
    """
    agents = with_waiting(plan.load, _agents(site), target)
    load = worst_named(plan.load, agents.topology, agents.waiting)
    choose_participants(agents.topology, load)
    return complete_agent_site(load, agents, target)


def complete_plan(plan: Plan, site: Site) -> Plan:
    """Return the plan with the names of the only pair it measures, where its work comes from, and the site's properties
    for a model of the delivery.

    Raises:
        BadInput: there is no such pair.
    """
    agents, work = _agents(site), workload_of(plan.load)
    load = worst_named(plan.load, agents.topology, agents.waiting)
    participants = choose_participants(agents.topology, load)
    if work.agent_pairs == 1:
        load = load.but(**names_of(agents.topology, participants[-1]))
    if agents.agents:
        deliverer = participants[-1]
        source = (
            source_at(load, plan.limits, deliverer, agents.topology, agents.waiting.get(deliverer.name))
            if agents.agents[0].kind is AgentKind.DISTRIBUTION
            else log_source_at(load, deliverer, agents.topology)
        )
        load = own_load(load, source, agents.commands_per_transaction)
    return with_site_frozen(replace(plan, load=load), agents)


def site_of_plan(plan: Plan, site: Site) -> Site:
    """Return the site of the agents the plan is for, asking no server."""
    agents = _agents(site)
    return agent_site_for(worst_named(plan.load, agents.topology, agents.waiting), agents)


def measured(plan: Plan, site: Site) -> tuple[str, ...]:
    """Return the pairs of agents the plan is for, each by its names."""
    participants = choose_participants(_agents(site).topology, plan.load)
    pairs = zip(participants[::2], participants[1::2], strict=True)
    return tuple(
        _("{place} (Log Reader Agent {reader}, Distribution Agent {deliverer})").format(
            place=place_of(reader, deliverer), reader=reader.name, deliverer=deliverer.name
        )
        for reader, deliverer in pairs
    )


_WRITING: Final = frozenset({"write_load", "load_table", "post_tracer_token", "delete_tracer_token"})


def never_sent(plan: Plan) -> frozenset[str]:
    """Return the statements that write at the Publisher, where a plan measures the client's own work."""
    return _WRITING if work_source_of(plan.load).is_own_work else frozenset()


def _in_trials(kind: AgentKind, plan: Plan) -> InTrials | None:
    """Return the plan with a backlog for each trial, where one of the test table serves all windows."""
    work = workload_of(plan.load)
    if work.scenario is not Scenario.WINDOWS or work_source_of(plan.load).is_own_work:
        return None
    trials = replace(plan, load=plan.load.but(scenario=str(Scenario.DRAINED)))
    return InTrials(trials, work.commands * work.agent_pairs, window_commands(kind) * work.agent_pairs)


def stay_primary(rig: StepRig[Participants]) -> None:
    """Raise Disturbed where the Distributor is a secondary replica by now."""
    if why := agent_ports(rig.at.target).agents.why_secondary():
        raise Disturbed(why)


_BENCH: Final = Workbench(
    lambda plan, site: choose_participants(_agents(site).topology, plan.load), begin=stay_primary, end=finish
)

AGENTS: Final = RigKind(
    _BENCH.make,
    _BENCH.planned_changes,
    servers_touched,
    complete_site,
    complete_plan,
    site_of_plan,
    suggestions=suggestions,
    most_of=most_of,
    reachable=reachable,
    trial_time=agent_trial_time,
    caution=caution,
    measured=measured,
    never_sent=never_sent,
    in_trials=partial(_in_trials, AgentKind.DISTRIBUTION),
)
"""Where Distribution Agents are under test."""

LOG_READERS: Final = replace(AGENTS, in_trials=partial(_in_trials, AgentKind.LOG_READER))
"""Where Log Reader Agents are."""
