"""Reading a Distributor with its replication agents before anything is changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Final, TypeVar

from app.domain.errors import BadInput, ReplituneError, TargetError
from app.domain.family import Site, SiteOf, site_as
from app.domain.kept import Kept
from app.domain.load import Load
from app.domain.naming import Sentence
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Environment
from app.domain.system import Unread
from app.domain.target import Target
from app.foundation.codec import dump_json, load_json
from app.foundation.texts import _, local_number
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.agent_language import speaks_english
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.naming import AgentName
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.own_work import (
    Waiting,
    deliverers_here,
    is_own_work,
    needs_no_table,
    read_log_waiting,
    read_waiting,
    worst_named,
)
from app.systems.transactional_replication.readings import AgentReading
from app.systems.transactional_replication.round_trip import RoundTrip
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.server.job_steps import JobStep
from app.systems.transactional_replication.subjects import NETWORK_PROBE
from app.systems.transactional_replication.topology import (
    MOST_EXAMINED,
    Agent,
    JobStart,
    Nature,
    SubscriberObjects,
    Topology,
)

HISTORY_H: Final = 48
"""Hours of history a Distributor keeps unless somebody changed it (sp_adddistributiondb, history_retention)."""

# A form knows what is in effect at so many agents a plan may name; of others it is read when the plan is checked.
_MOST_READ: Final = 8


@dataclass(frozen=True, kw_only=True)
class AgentSite(SiteOf[Topology]):
    """A Distributor with its replication agents; `parameters` are those of the first agent under test.

    Attributes:
        agents: those an experiment would measure first.
        subscriber_objects: None where there is no Subscriber to look at.
        rtt_ms, network_kbps: of the link to the Subscriber, None where unknown.
        round_trip: what `rtt_ms` is taken from, None where it was not measured, or by a version that did not keep it.
        looked_at: the Distribution Agent whose Subscriber and link these are, "" where that was not kept.
        in_effect: the parameters in effect of agents that were read, by name.
        job_starts: what is known of starting the agents' jobs, None where this login may not read it.
        natures: the kind of topology of the Distribution Agents a plan is for, by name.
        of_other_language: the Distribution Agents a plan is for whose messages are not in English.
        failing: the Distribution Agents a plan is for that fail and are started again and again, with their message.
        steps: what the job steps of the agents a plan is for say, by name; one that could not be read is missing.
        waiting: what waits for Distribution Agents, by name, where own work was asked about or is all there is.
        commands_per_transaction: of the agent looked at, by its Log Reader Agent's session; None where not asked.
        hours: the kept history of all agents before the run, None where it was not read.
    """

    agents: tuple[Agent, ...]
    subscriber_objects: SubscriberObjects | None
    rtt_ms: float | None
    network_kbps: float | None
    round_trip: RoundTrip | None = None
    looked_at: AgentName = ""
    in_effect: Mapping[AgentName, Mapping[str, EffectiveParameter]] = field(default_factory=dict, compare=False)
    job_starts: tuple[JobStart, ...] | None = field(default=(), compare=False)
    natures: Mapping[AgentName, Nature] = field(default_factory=dict, compare=False)
    of_other_language: tuple[AgentName, ...] = field(default=(), compare=False)
    failing: Mapping[AgentName, Sentence] = field(default_factory=dict, compare=False)
    steps: Mapping[AgentName, JobStep | None] = field(default_factory=dict, compare=False)
    waiting: Mapping[AgentName, Waiting] = field(default_factory=dict, compare=False)
    commands_per_transaction: float | None = field(default=None, compare=False)
    hours: tuple[AgentHour, ...] | None = field(default=None, compare=False)


T = TypeVar("T")


@dataclass(frozen=True)
class AgentParameters:
    """The parameters in effect for one agent when it was read."""

    agent: AgentName
    parameters: tuple[EffectiveParameter, ...]


@dataclass(frozen=True)
class Replication:
    """The topology of transactional replication, as discovered or as kept with a session.

    Attributes:
        agents: the parameters in effect of each.
        subscriber_objects, rtt_ms, network_kbps, round_trip: as in `AgentSite`, None where they were not read.
        looked_at, hours: as in `AgentSite`.
    """

    topology: Topology
    agents: tuple[AgentParameters, ...]
    subscriber_objects: SubscriberObjects | None = None
    rtt_ms: float | None = None
    network_kbps: float | None = None
    round_trip: RoundTrip | None = None
    looked_at: AgentName | None = None
    hours: tuple[AgentHour, ...] | None = None

    @property
    def servers(self) -> tuple[ServerInfo, ...]:
        """Publishers, Distributor and Subscribers."""
        return self.topology.servers


def read_agent_site(target: Target, kind: AgentKind) -> AgentSite:
    """Read topology, parameters in effect, Subscriber objects and link of a target.

    Raises:
        BadInput: there is no agent of this kind.
        TargetError: topology or parameters cannot be read; what only explains (link, objects) may be missing.
    """
    ports = agent_ports(target)
    topology = ports.agents.discover()
    agents = topology.under_test(kind)
    deliverers = topology.under_test(AgentKind.DISTRIBUTION)
    if not agents or not deliverers:
        raise BadInput(
            _("{target} has no replication agents this experiment could measure; choose another target").format(
                target=target.key
            )
        )
    in_effect = {
        agent.name: {p.name: p for p in ports.agents.read_parameters(agent)}
        for agent in (agents[0], *topology.measurable(kind)[:_MOST_READ])
    }
    site = AgentSite(
        topology=topology,
        agents=agents,
        parameters=in_effect[agents[0].name],
        subscriber_objects=None,
        rtt_ms=None,
        network_kbps=None,
        in_effect=in_effect,
        job_starts=_optional(ports.agents.read_job_starts),
    )
    if kind is AgentKind.DISTRIBUTION and needs_no_table(topology):
        site = replace(site, waiting=read_waiting(target, deliverers_here(topology)))
    return _looked_at(site, deliverers[0], target)


def _backlogs(target: Target, topology: Topology, kind: AgentKind) -> Mapping[AgentName, Waiting]:
    """Read the backlogs of the agents of a kind: in the log, or in the distribution database."""
    if kind is AgentKind.DISTRIBUTION:
        return read_waiting(target, deliverers_here(topology))
    return read_log_waiting(target, tuple(reader for reader, _deliverer in topology.pairs()))


def with_waiting(load: Load, site: AgentSite, target: Target) -> AgentSite:
    """Return the site with the backlog of a plan's agent, where the plan is about own work."""
    if not site.agents:
        return site
    if not site.waiting and is_own_work(load, site.topology):
        site = replace(site, waiting=_backlogs(target, site.topology, site.agents[0].kind))
    if not site.waiting:
        return site
    pairs = site.topology.pairs(workload_of(worst_named(load, site.topology, site.waiting)).named)
    rows = _optional(lambda: agent_ports(target).agents.read_history(pairs[0][0])) if pairs else None
    newest = rows[-1] if rows else None
    if newest is None or newest.delivered_transactions <= 0:
        return site
    return replace(site, commands_per_transaction=newest.delivered_commands / newest.delivered_transactions)


def complete_agent_site(load: Load, site: AgentSite, target: Target) -> AgentSite:
    """Return the site of a plan's subject, with the parts not read before; raises TargetError."""
    of_plan = agent_site_for(load, site)
    for agent in _measured(load, site.topology):
        topology = agent_ports(target).agents.with_subscriber(of_plan.topology, agent.subscriber)
        of_plan = replace(of_plan, topology=topology)
    first = of_plan.agents[0]
    if first.name not in of_plan.in_effect:
        own = {p.name: p for p in agent_ports(target).agents.read_parameters(first)}
        of_plan = replace(of_plan, parameters=own, in_effect={**of_plan.in_effect, first.name: own})
    rows = _histories(load, of_plan.topology, target)
    of_plan = replace(
        of_plan,
        steps=_steps(load, of_plan.topology, target),
        natures=_natures(load, of_plan.topology, target) if first.kind is AgentKind.DISTRIBUTION else {},
        of_other_language=tuple(name for name, own in rows.items() if speaks_english(own) is False),
        failing={name: own[-1].comment for name, own in rows.items() if own and own[-1].tries_again},
    )
    deliverer = _first_deliverer(load, of_plan.topology)
    if deliverer is None or deliverer.name == site.looked_at:
        return of_plan
    return _looked_at(of_plan, deliverer, target)


def _steps(load: Load, topology: Topology, target: Target) -> Mapping[AgentName, JobStep | None]:
    """Read the job steps of the agents a plan is for, None of those that have none or show none."""
    read = agent_ports(target).agents.read_job_step
    return {agent.name: read(agent) for agent in _measured(load, topology)}


def _natures(load: Load, topology: Topology, target: Target) -> Mapping[AgentName, Nature]:
    """Read the kind of topology of the Distribution Agents a plan is for."""
    return {agent.name: agent_ports(target).agents.read_nature(agent) for agent in _deliverers(load, topology)}


def _histories(load: Load, topology: Topology, target: Target) -> Mapping[AgentName, Sequence[AgentReading]]:
    """Read the newest sessions of the Distribution Agents a plan is for, oldest row first."""
    read = agent_ports(target).agents.read_history
    return {agent.name: read(agent) for agent in _deliverers(load, topology)}


def _deliverers(load: Load, topology: Topology) -> list[Agent]:
    return [agent for agent in _measured(load, topology) if agent.kind is AgentKind.DISTRIBUTION]


def _measured(load: Load, topology: Topology) -> list[Agent]:
    work = workload_of(load)
    return [agent for pair in topology.pairs(work.named)[: work.agent_pairs] for agent in pair if agent is not None]


def agent_site_for(load: Load, site: AgentSite) -> AgentSite:
    """Return the site as a plan's subject sees it, asking no server; parts not read are unknown.

    Attributes of the site that were read of another agent, Subscriber or link are left out.
    """
    named = workload_of(load).named
    agents = site.topology.under_test(site.agents[0].kind, named) if site.agents else ()
    if agents and agents[0] != site.agents[0]:
        site = replace(site, parameters=site.in_effect.get(agents[0].name, {}))
    site = replace(site, agents=agents)
    deliverer = _first_deliverer(load, site.topology)
    if deliverer is None or site.looked_at in ("", deliverer.name):
        return site
    return replace(
        site, subscriber_objects=None, rtt_ms=None, network_kbps=None, round_trip=None, looked_at=deliverer.name
    )


def _first_deliverer(load: Load, topology: Topology) -> Agent | None:
    deliverers = (deliverer for _reader, deliverer in topology.pairs(workload_of(load).named))
    return next((deliverer for deliverer in deliverers if deliverer is not None), None)


def _looked_at(site: AgentSite, deliverer: Agent, target: Target) -> AgentSite:
    """Return the site with readings of the Subscriber and the link of a Distribution Agent."""
    ports, probes = agent_ports(target), NETWORK_PROBE in target.capabilities
    round_trip = _optional(lambda: ports.network.read_round_trip(deliverer)) if probes else None
    return replace(
        site,
        topology=ports.agents.with_subscriber(site.topology, deliverer.subscriber),
        subscriber_objects=_optional(lambda: ports.agents.read_subscriber_objects(deliverer)),
        rtt_ms=None if round_trip is None else round_trip.rtt_ms,
        network_kbps=_optional(lambda: ports.network.read_bandwidth_kbps(deliverer)) if probes else None,
        round_trip=round_trip,
        looked_at=deliverer.name,
    )


def _optional(read: Callable[[], T]) -> T | None:
    """Return an explaining reading that is not needed, None where this login may not read it."""
    try:
        return read()
    except TargetError:
        return None


def discover_replication(target: Target, unread: Unread) -> Replication | None:
    """Read a Distributor as it is, None where it has no agents and no servers.

    A login may be allowed to see the topology and not the parameters; then the topology is what is found.

    Args:
        unread: is told why the parameters could not be read.

    Raises:
        TargetError: the topology cannot be read.
    """
    agents = agent_ports(target).agents
    topology = agents.discover()
    agent_parameters: tuple[AgentParameters, ...] = ()
    try:
        agent_parameters = _parameters_of(agents, topology.examined())
    except ReplituneError as error:
        unread(error)
    return Replication(topology, agent_parameters) if topology.servers else None


def _parameters_of(agents: SqlServerAgents, read: Sequence[Agent]) -> tuple[AgentParameters, ...]:
    once = agents.reading_once()
    return tuple(AgentParameters(agent.name, once.read_parameters(agent)) for agent in read)


def replication_environment(target: Target, site: Site) -> Environment:
    """Read the parameters in effect of every agent and its kept history, for the report."""
    site = site_as(AgentSite, site)
    agents = agent_ports(target).agents
    agent_parameters = _parameters_of(agents, site.topology.examined(site.agents[:MOST_EXAMINED]))
    facts: list[tuple[str, str, str]] = []
    facts.extend(
        (_("Waiting for {agent}").format(agent=found.agent), f"{found.commands:,}", _("commands"))
        for found in site.waiting.values()
        if found.commands
    )
    facts.extend(round_trip_facts(site))
    if site.network_kbps is not None:
        facts.append((_("Bandwidth Distributor to Subscriber"), f"{site.network_kbps:,.0f}", "kbps"))
    if site.subscriber_objects is not None:
        facts.append((_("Subscriber objects that may block streams"), str(site.subscriber_objects.total), _("objects")))
    read = Replication(
        site.topology,
        agent_parameters,
        site.subscriber_objects,
        site.rtt_ms,
        site.network_kbps,
        site.round_trip,
        site.looked_at or None,
        _optional(lambda: agents.read_hours(HISTORY_H)),
    )
    return Environment(target.key, tuple(facts), kept_texts(read))


def round_trip_facts(site: AgentSite) -> tuple[tuple[str, str, str], ...]:
    """Return the round-trip time with its spread, or its upper bound where the clock cannot tell it."""
    title, probes = _("Round-trip time Distributor to Subscriber"), site.round_trip
    if site.rtt_ms is None:
        if probes is None:
            return ()
        below = _("below {most}, the clock has steps of {step}").format(
            most=local_number(f"{probes.most_ms:.1f}"), step=local_number(f"{probes.resolution_ms:.1f}")
        )
        return ((title, below, "ms"),)
    facts = [(title, f"{site.rtt_ms:.1f}", "ms")]
    if probes is not None and f"{probes.shortest_ms:.1f}" != f"{probes.longest_ms:.1f}":
        spread = _("{shortest} to {longest}").format(
            shortest=local_number(f"{probes.shortest_ms:.1f}"), longest=local_number(f"{probes.longest_ms:.1f}")
        )
        facts.append((_("Spread of the round-trip time"), spread, "ms"))
    return tuple(facts)


def kept_texts(read: Replication) -> tuple[tuple[str, str], ...]:
    """Return a Distributor's readings as they are kept with a session."""
    values = ((field.name, getattr(read, field.name)) for field in fields(Replication))
    return tuple((name, dump_json(value)) for name, value in values if value is not None)


class _KeptByField(Kept[Replication]):
    """Each field is kept under its own name."""

    def of(self, environment: Environment) -> Replication | None:
        """Return the kept topology of a Distributor, None where there is none; raises CodecError."""
        return _replication(environment.kept)


REPLICATION: Final = _KeptByField("topology", Replication)
kept_replication = REPLICATION.of


@lru_cache(maxsize=8)
def _replication(kept: tuple[tuple[str, str], ...]) -> Replication | None:
    texts = dict(kept)
    if "topology" not in texts:
        return None
    return Replication(
        topology=load_json(Topology, texts["topology"]),
        agents=load_json(tuple[AgentParameters, ...], texts.get("agents", "[]")),
        subscriber_objects=load_json(SubscriberObjects, texts["subscriber_objects"])
        if "subscriber_objects" in texts
        else None,
        rtt_ms=load_json(float, texts["rtt_ms"]) if "rtt_ms" in texts else None,
        network_kbps=load_json(float, texts["network_kbps"]) if "network_kbps" in texts else None,
        round_trip=load_json(RoundTrip, texts["round_trip"]) if "round_trip" in texts else None,
        looked_at=load_json(str, texts["looked_at"]) if "looked_at" in texts else None,
        hours=load_json(tuple[AgentHour, ...], texts["hours"]) if "hours" in texts else None,
    )


def agent_site_of(environment: Environment, kind: AgentKind) -> AgentSite | None:
    """Return the site an environment was read from, None where it holds no replication agents."""
    read = kept_replication(environment)
    if read is None:
        return None
    agents = read.topology.under_test(kind)
    in_effect = {entry.agent: {parameter.name: parameter for parameter in entry.parameters} for entry in read.agents}
    return AgentSite(
        topology=read.topology,
        agents=agents,
        parameters=in_effect.get(agents[0].name, {}) if agents else {},
        subscriber_objects=read.subscriber_objects,
        rtt_ms=read.rtt_ms,
        network_kbps=read.network_kbps,
        round_trip=read.round_trip,
        looked_at=read.looked_at or "",
        in_effect=in_effect,
        hours=read.hours,
    )
