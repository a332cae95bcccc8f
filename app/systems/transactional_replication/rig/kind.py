"""What a run knows of replication agents: who takes part, what would be changed, and the rig that does the trials."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from app.analysis.plan_settings import plan_settings
from app.domain.change import Change
from app.domain.errors import BadInput, Disturbed, Unsupported
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.rig import PREVIEW_OWNER, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.delivery_response import with_site_frozen
from app.systems.transactional_replication.form_names import caution, most_of, names_of, reachable, suggestions
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.participants import AgentSwitch, choose_participants, place_of
from app.systems.transactional_replication.rig.trial import TrialHands
from app.systems.transactional_replication.site import AgentSite, agent_site_for, complete_agent_site
from app.systems.transactional_replication.steps import (
    AgentStep,
    Configure,
    MeasureBacklog,
    MeasureStream,
    StartAgents,
    StopAgents,
)
from app.systems.transactional_replication.topology import Agent, TokenClocks
from app.systems.transactional_replication.trial_seen import AgentTrialObservation
from app.systems.transactional_replication.trial_time import agent_trial_time


class AgentRig:
    """Does trials of replication agents."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        participants = choose_participants(_agents(parts.site).topology, parts.plan.load)
        self._switch = AgentSwitch(parts.target, parts.changer, participants, parts.owner)
        self._configured: dict[tuple[str, str], Change] = {}
        self._refused: set[str] = set()
        self._behind: dict[str, int] = {}
        self._clocks: dict[int, TokenClocks] = {}

    def run_trial(self, call: TrialCall) -> AgentTrialObservation:
        """Do the steps in order and return what the measuring one showed."""
        parts = self._parts
        if why := agent_ports(parts.target).agents.why_secondary():
            raise Disturbed(why)
        hands = TrialHands(
            target=parts.target,
            changer=parts.changer,
            switch=self._switch,
            control=parts.control,
            plan=parts.plan,
            owner=parts.owner,
            expected_s=call.expected_s,
            seed=call.seed,
            on_step=call.on_step,
            on_samples=call.on_samples,
            configured=self._configured,
            refused=self._refused,
            behind=self._behind,
            clocks=self._clocks,
            on_server_time=call.on_server_time,
            on_mark=call.on_mark,
            on_note=call.on_note,
            on_happening=call.on_happening,
        )
        try:
            return hands.run(_agent_steps(call.steps))
        finally:
            hands.skipped.tell(call.on_note)

    def settle(self) -> None:
        """Wait for nothing: commands under way are delivered with the values put back, too."""

    def forget(self) -> None:
        """Start afresh after a restore."""
        self._switch.forget()
        self._configured.clear()


def planned_changes(plan: Plan, family: ExperimentFamily, site: Site, target: Target) -> tuple[Change, ...]:
    """Return what is started or stopped first, and the changes of every setting, each once.

    A value in effect that other settings change in between is set, too, and so stands in the list.
    """
    participants = choose_participants(_agents(site).topology, plan.load)
    settings = plan_settings(plan, family.parameters)
    steps = family.trial_steps(plan, settings[0])
    changes = [change for step in steps for change in _switches(step, participants, target)]
    changes += [token for step in steps for token in _tokens(step, participants, target)]
    values = {name: {dict(setting.items()).get(name) for setting in settings} for name, _value in settings[0].items()}
    varied = {name for name, values_of_parameter in values.items() if len(values_of_parameter) > 1}
    for setting in settings:
        configures = any(isinstance(step, Configure) for step in family.trial_steps(plan, setting))
        for agent in participants:
            if agent.kind is AgentKind(family.subject) and configures:
                changes += agent_ports(target).agent_changes.plan_setting(
                    agent, setting, PREVIEW_OWNER, restated=varied
                )
    # what a value in effect is set over is that of another trial
    changes = [replace(c, original=_("another trial's value")) if c.original == c.new else c for c in changes]
    unique = {(change.kind, change.subject, change.new): change for change in changes}
    return tuple(unique.values())


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


def _switches(step: Step, participants: Sequence[Agent], target: Target) -> list[Change]:
    """Return what a step changes about agents that are found running, or found standing."""
    match step:
        case StopAgents(kind):
            plan, found_running = agent_ports(target).agent_changes.plan_stop, True
        case StartAgents(kind) | MeasureBacklog(kind):
            plan, found_running = agent_ports(target).agent_changes.plan_start, False
        case _:
            return []
    trace = agent_ports(target).agent_changes.plan_trace
    chosen = [agent for agent in participants if agent.kind is kind]
    switched = [agent for agent in chosen if agent_ports(target).agents.is_running(agent) is found_running]
    return [change for agent in switched for change in (*trace(agent, PREVIEW_OWNER), plan(agent))]


def _tokens(step: Step, participants: Sequence[Agent], target: Target) -> list[Change]:
    """Return the tracer tokens of a steady load, one for each agent that can have them."""
    if not isinstance(step, MeasureStream) or step.rate_per_s is None:
        return []
    planned: list[Change] = []
    for agent in participants:
        if agent.kind is AgentKind.DISTRIBUTION:
            with suppress(Unsupported):
                planned.append(agent_ports(target).agent_changes.plan_tracer_token(agent))
    return planned


def _agents(site: Site) -> AgentSite:
    if not isinstance(site, AgentSite):
        raise ValueError(f"replication agents need an AgentSite, not {type(site).__name__}")
    return site


def _agent_steps(steps: Sequence[Step]) -> tuple[AgentStep, ...]:
    agent_steps = tuple(step for step in steps if isinstance(step, AgentStep))
    if len(agent_steps) != len(steps):
        raise ValueError("a step that is not one of replication agents")
    return agent_steps


def complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site of the agents the plan is for, once it has as many as the plan needs.

    Raises:
        BadInput: it has too few.
    """
    choose_participants(_agents(site).topology, plan.load)
    return complete_agent_site(plan.load, _agents(site), target)


def complete_plan(plan: Plan, site: Site) -> Plan:
    """Return the plan with the names of the only pair it measures, and with what a model of the delivery counts with.

    Raises:
        BadInput: there is no such pair.
    """
    agents, work = _agents(site), workload_of(plan.load)
    participants = choose_participants(agents.topology, plan.load)
    if work.agent_pairs == 1:
        plan = replace(plan, load=plan.load.but(**names_of(agents.topology, participants[-1])))
    return with_site_frozen(plan, agents)


def site_of_plan(plan: Plan, site: Site) -> Site:
    """Return the site of the agents the plan is for, asking no server."""
    return agent_site_for(plan.load, _agents(site))


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


AGENTS: Final = RigKind(
    AgentRig,
    planned_changes,
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
)
