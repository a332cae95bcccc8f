"""Observe mode: everything a Distributor's own history tells, with nothing changed and no load written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.advice import evaluate
from app.domain.comparison import Forecast
from app.domain.errors import BadInput, TargetError
from app.domain.facts import FactValue
from app.domain.finding import Finding, NotEvaluated
from app.domain.server import EffectiveParameter
from app.domain.target import Target
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.look.experiment_costs import experiment_costs
from app.services.look.looking import Looking
from app.services.look.parts import Parts
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import (
    HOUR_S,
    catch_up_of,
    commands_per_transaction,
    covered_s,
    slow_side_of,
    throughput_of,
    wait_shares_of,
)
from app.systems.transactional_replication.observed import AgentHour, ObservedAgent, ReplicationObservation
from app.systems.transactional_replication.of_many import rest_of, worst_first
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.server.documented import FACTS_IN_EFFECT
from app.systems.transactional_replication.stored_backlog import (
    MOST_COUNTED,
    StoredBacklog,
    backlog_counted,
    backlog_text,
    waits_text,
)
from app.systems.transactional_replication.subjects import SYSTEM_ID
from app.systems.transactional_replication.topology import Agent, SubscriberObjects, Topology

_FAMILY_OF = {AgentKind.LOG_READER: "log_reader", AgentKind.DISTRIBUTION: "distribution_agent"}


def observe_agents(target: Target, looking: Looking) -> ReplicationObservation:
    """Look at a Distributor; only statements marked as reading are sent.

    A Distributor keeps 48 hours of history unless somebody changed it.

    Raises:
        BadInput: the target has no replication agents.
        TargetError: it cannot be read.
    """
    advisor, cost, window_h = looking.advisor, looking.cost, looking.window_h
    topology = agent_ports(target).agents.discover()
    if not topology.agents:
        raise BadInput(_("{target} has no replication agents to observe").format(target=target.key))
    once = agent_ports(target).agents.reading_once()
    parts = Parts([f"{server.role} {server.name}: {server.reason}" for server in topology.unreached])
    hours = agent_ports(target).agents.read_hours(window_h)
    sample = parts.read(agent_ports(target).agents.sample, None)
    examined = topology.examined(worst_first(topology, hours))
    rest = rest_of(topology, examined, hours, sample)
    counted = {a.agent_id: _counted(target, a, parts) for a in examined if a.kind is AgentKind.DISTRIBUTION}
    if sample is not None and not rest:
        sample = replace(sample, distribution_pending_commands=_exact_sum(counted.values()))
    if sample is not None:
        parts.unread.extend(_log_unknown(*end) for end in sorted(sample.log_use_unknown))
    agents = with_backlogs([_agent(once, agent, hours, parts) for agent in examined], sample, counted)
    taken = target.clock.now_utc() if sample is None else sample.at
    looked_at_s = covered_s(hours, window_h, taken)
    running = {agent: _is_running(target, topology, agent, sample, parts) for agent in examined}
    agents = tuple(replace(observed, is_running=running[observed.agent]) for observed in agents)
    seen = _Seen(counted, running, {server.name for server in topology.unreached}, looked_at_s, sample)
    by_badness = sorted(agents, key=lambda observed: seen.badness(observed.agent), reverse=True)
    findings, unknown = _judge_all(target, once, advisor, by_badness, seen)
    none: tuple[tuple[str, float], ...] = ()
    offsets = parts.read(agent_ports(target).agents.read_clock_offsets, none)
    return ReplicationObservation(
        target=target.key,
        taken=taken,
        window_h=window_h,
        covered_h=looked_at_s / HOUR_S,
        topology=topology,
        sample=sample,
        agents=tuple(by_badness),
        catch_up=catch_ups(agents, looked_at_s),
        findings=tuple(sorted(findings, key=lambda finding: finding.priority)),
        not_evaluated=tuple(dict.fromkeys(unknown)),
        costs=experiment_costs(advisor.families, target, SYSTEM_ID),
        clock_offsets=offsets,
        statements=cost.statements,
        statement_ms=cost.statement_ms,
        unread=tuple(dict.fromkeys(parts.unread)),
        rest=rest,
    )


def _counted(target: Target, agent: Agent, parts: Parts) -> StoredBacklog | None:
    """Count the backlog of one Distribution Agent, None where that is not known."""
    commands = parts.read(lambda: agent_ports(target).agents.read_backlog(agent, MOST_COUNTED), None)
    if commands is None:
        return None
    found = backlog_counted(commands)
    if found.is_at_least:
        words = _("{agent}: {waits}; they are counted no further")
        parts.unread.append(words.format(agent=agent.name, waits=waits_text(found)))
    return found


def _exact_sum(backlogs: Iterable[StoredBacklog | None]) -> int | None:
    """Return the commands of all backlogs, None where one of them is not known to the last command."""
    exact = [None if backlog is None else backlog.exact for backlog in backlogs]
    known = [count for count in exact if count is not None]
    return sum(known) if len(known) == len(exact) else None


def _is_running(
    target: Target, topology: Topology, agent: Agent, sample: ReplicationSample | None, parts: Parts
) -> bool | None:
    """Tell whether an agent runs now, None where it is not known.

    A sample holds the agents that have a history. One that has stood for longer than history is kept has none left, so
    its job is asked. One that was started by something else runs, whatever its job does.
    """
    if topology.elsewhere_of(agent) is not None:
        return True
    reading = None if sample is None else sample.of(agent)
    if reading is not None:
        return reading.is_running
    return parts.read(lambda: agent_ports(target).agents.is_running(agent), None)


def _log_unknown(publisher: str, database: str) -> str:
    return _("{publisher}: no counter tells how full the log of {database} is").format(
        publisher=publisher, database=database
    )


def _agent(once: SqlServerAgents, agent: Agent, hours: Sequence[AgentHour], parts: Parts) -> ObservedAgent:
    statistics = parts.read(lambda: once.read_statistics(agent), None)
    return ObservedAgent(
        agent=agent,
        hours=tuple(hour for hour in hours if (hour.kind, hour.agent_id) == (agent.kind, agent.agent_id)),
        statistics=statistics,
        slow_side=slow_side_of(statistics),
        parameters=parts.read(lambda: once.read_parameters(agent), ()),
    )


def with_backlogs(
    agents: Sequence[ObservedAgent], sample: ReplicationSample | None, stored: Mapping[int, StoredBacklog | None]
) -> tuple[ObservedAgent, ...]:
    """Return agents with the backlog in front of each Distribution Agent that was counted (`stored`, by agent id).

    The backlog in the log of its publication database is for each of them: Subscribers of one publication all get it.
    """
    found: list[ObservedAgent] = []
    for observed in agents:
        backlog = stored.get(observed.agent.agent_id) if observed.agent.kind is AgentKind.DISTRIBUTION else None
        in_front = None
        if backlog is not None and sample is not None:
            size = commands_per_transaction([hour for reader in _readers(observed, agents) for hour in reader.hours])
            in_front = backlog.plus(round(sample.log_pending_of(observed.agent) * (size or 0.0)))
        found.append(replace(observed, stored=backlog, in_front=in_front))
    return tuple(found)


def catch_ups(agents: Sequence[ObservedAgent], looked_at_s: float) -> tuple[tuple[str, Forecast], ...]:
    """Return a forecast for each Distribution Agent of whose backlog the exact number is known."""
    made: list[tuple[str, Forecast]] = []
    for observed in agents:
        waiting = None if observed.in_front is None else observed.in_front.exact
        if waiting is None:
            continue
        inflow_per_s = sum(throughput_of(r.hours, looked_at_s).mean for r in _readers(observed, agents))
        forecast = catch_up_of("distribution_agent", observed.hours, waiting, inflow_per_s)
        if forecast is not None:
            made.append((observed.agent.name, forecast))
    return tuple(made)


def _readers(observed: ObservedAgent, agents: Sequence[ObservedAgent]) -> list[ObservedAgent]:
    """Return the Log Reader Agents of an agent's publication database."""
    end = (observed.agent.publisher, observed.agent.publisher_db)
    readers = (one for one in agents if one.agent.kind is AgentKind.LOG_READER)
    return [reader for reader in readers if (reader.agent.publisher, reader.agent.publisher_db) == end]


def _judge_all(
    target: Target,
    once: SqlServerAgents,
    advisor: Advisor,
    agents: Sequence[ObservedAgent],
    seen: "_Seen",
) -> tuple[list[Finding], list[NotEvaluated]]:
    """Return the rules' findings on all agents."""
    findings: list[Finding] = []
    unknown: list[NotEvaluated] = []
    for observed in agents:
        judged, missing = _judge(target, once, advisor, observed, seen)
        findings += judged
        unknown += missing
    return findings, unknown


def _judge(
    target: Target, once: SqlServerAgents, advisor: Advisor, observed: ObservedAgent, seen: "_Seen"
) -> tuple[tuple[Finding, ...], tuple[NotEvaluated, ...]]:
    """Evaluate the rules that speak about observations."""
    facts = _facts(once, observed, seen)
    packs = [pack for pack in advisor.packs if any("observed_agent" in rule.needs for rule in pack.rules)]
    evidence = (_("history of {agent}").format(agent=observed.agent.name),)
    findings, missing = evaluate(packs, target.engine, _FAMILY_OF[observed.agent.kind], facts, evidence)
    spoken = {rule.rule_id for pack in packs for rule in pack.rules if "observed_agent" in rule.needs}
    return findings, tuple(unknown for unknown in missing if unknown.rule in spoken)


@dataclass(frozen=True)
class _Seen:
    """The observations beside the agents' own history.

    Attributes:
        backlogs: of Distribution Agents, by id; only what one has still to deliver is its backlog.
        running: whether each agent runs now, None where it is not known.
        unreached: names of the servers that were not reached.
        sample: the newest row of each agent's history, None where it could not be read.
    """

    backlogs: Mapping[int, StoredBacklog | None]
    running: Mapping[Agent, bool | None]
    unreached: set[str]
    looked_at_s: float
    sample: ReplicationSample | None

    def retries(self, agent: Agent) -> bool:
        """Tell whether an agent failed and is started again and again."""
        reading = None if self.sample is None else self.sample.of(agent)
        return reading is not None and reading.tries_again

    def badness(self, agent: Agent) -> tuple[bool, bool, int]:
        """Return the order of the worst: standing still, then failing again and again, then most commands waiting."""
        waits = self.backlogs.get(agent.agent_id) if agent.kind is AgentKind.DISTRIBUTION else None
        return self.running.get(agent) is False, self.retries(agent), 0 if waits is None else waits.commands

    def of_now(self, agent: Agent) -> dict[str, FactValue]:
        """Return the facts of an agent as it is now."""
        facts: dict[str, FactValue] = {}
        is_running = self.running.get(agent)
        if is_running is not None:
            facts["observed_state"] = "stopped" if not is_running else "retrying" if self.retries(agent) else "running"
        if agent.kind is AgentKind.DISTRIBUTION:
            backlog = self.backlogs.get(agent.agent_id)
            if backlog is not None:
                facts["pending_at_least"] = backlog.commands
                facts["pending_now"] = backlog_text(backlog)
            facts["unreached_subscriber"] = agent.subscriber if agent.subscriber in self.unreached else ""
        return facts


def _facts(once: SqlServerAgents, observed: ObservedAgent, seen: _Seen) -> Mapping[str, FactValue]:
    hours = round(seen.looked_at_s / HOUR_S, 1)
    facts: dict[str, FactValue] = {"observed_agent": observed.agent.name, "observed_h": hours}
    facts.update(seen.of_now(observed.agent))
    flow = throughput_of(observed.hours, seen.looked_at_s)
    facts["observed_mean_per_s"], facts["observed_busiest_per_s"] = flow.mean, flow.busiest
    facts["observed_problems"] = sum(hour.problems for hour in observed.hours)
    size = commands_per_transaction(observed.hours)
    if size is not None:
        facts["commands_per_transaction"] = size
    worst = [hour.worst_latency_ms for hour in observed.hours if hour.worst_latency_ms is not None]
    if worst:
        facts["observed_worst_latency_s"] = max(worst) / 1000.0
    shares = wait_shares_of(observed.statistics)
    if shares is not None:
        facts["reader_wait_share"], facts["writer_wait_share"] = shares
    facts.update(_parameter_facts(observed.parameters))
    if observed.agent.kind is AgentKind.DISTRIBUTION:
        facts.update(_blocker_facts(once, observed.agent))
    return facts


def _parameter_facts(parameters: Sequence[EffectiveParameter]) -> dict[str, FactValue]:
    facts: dict[str, FactValue] = {}
    for parameter in parameters:
        name = FACTS_IN_EFFECT.get(parameter.name)
        if name is not None and parameter.value.isdigit():
            facts[name] = int(parameter.value)
        if parameter.name == "SkipErrors" and parameter.value:
            facts["skipped_errors"] = parameter.value
    return facts


def _blocker_facts(once: SqlServerAgents, agent: Agent) -> dict[str, FactValue]:
    try:
        objects: SubscriberObjects = once.read_subscriber_objects(agent)
    except TargetError:
        return {}  # this login may not look into the Subscriber; the rule says that it was not evaluated
    return {"stream_blockers": objects.total}
