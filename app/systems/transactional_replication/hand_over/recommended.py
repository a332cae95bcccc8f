"""Which agents a recommendation is for, and by which means its value reaches them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.change import JournalEntry
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.server import EffectiveParameter
from app.domain.session import Environment, RunRecord, SessionRecord
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.naming import AgentName
from app.systems.transactional_replication.server.agent_changes import AGENT_STARTED, AGENT_STOPPED
from app.systems.transactional_replication.server.documented import documented, goes_by_step
from app.systems.transactional_replication.site import kept_replication
from app.systems.transactional_replication.topology import Agent, Topology


class Means(StrEnum):
    """By which means a value reaches an agent."""

    PROFILE = "profile"
    JOB_STEP = "job step"


# Two or more streams need VIEW SERVER STATE at the Subscriber:
# https://learn.microsoft.com/en-us/sql/relational-databases/replication/agents/replication-distribution-agent


@dataclass(frozen=True)
class ValueChange:
    """One parameter to be changed.

    Attributes:
        old, new: values as text; `old` is what the job step named before, or None where it did not name it.
        current: the value in effect when the session began, wherever it came from; "" where it is not known.
    """

    recommendation: Recommendation
    parameter: str
    means: Means
    old: str | None
    new: str
    current: str = ""


@dataclass(frozen=True)
class AgentChange:
    """All that is to be changed for one agent; `agent` and `environment` are None where they are unknown.

    Attributes:
        place: what the findings were measured under, such as "512 kbps, 300 ms round trip", of an unknown agent.
        others: what other recommendations change of it, which is left as it is found.
    """

    kind: AgentKind
    agent: Agent | None
    environment: Environment | None
    values: tuple[ValueChange, ...]
    place: str = ""
    others: tuple[ValueChange, ...] = ()

    @property
    def target(self) -> str:
        """Return the target the agent is on, "" where it is unknown."""
        return self.environment.target if self.environment else ""

    def by(self, means: Means) -> tuple[ValueChange, ...]:
        """Return the values that reach the agent by one means."""
        return tuple(value for value in self.values if value.means is means)


def agent_kind(finding: Finding) -> AgentKind | None:
    """Return the agent whose parameter a finding is about, None where it is no agent's parameter."""
    kinds = [kind for kind in AgentKind if finding.parameter in {p.name for p in documented(kind).values()}]
    if len(kinds) == len(AgentKind):
        return AgentKind.LOG_READER if finding.family == AgentKind.LOG_READER.value else AgentKind.DISTRIBUTION
    return kinds[0] if kinds else None


def plan_agent_changes(recommendations: Sequence[Recommendation], session: SessionRecord) -> tuple[AgentChange, ...]:
    """Return the changes, agent by agent; the first finding on a parameter wins (smallest priority).

    Findings on an unknown agent that were measured under other conditions are taken to be about another agent.
    """
    plans: dict[tuple[str, AgentKind, int, str], AgentChange] = {}
    for recommendation in sorted(recommendations, key=lambda one: one.finding.priority):
        finding, kind = recommendation.finding, agent_kind(recommendation.finding)
        if kind is None:
            continue
        for environment, agent in agents_under_test(finding, kind, session):
            place = "" if agent else recommendation.conditions
            key = (environment.target if environment else "", kind, agent.agent_id if agent else 0, place)
            plan = plans.get(key) or AgentChange(kind, agent, environment, (), place)
            if finding.parameter not in {value.parameter for value in plan.values}:
                value = _value_change(recommendation, kind, environment, agent)
                plans[key] = replace(plan, values=(*plan.values, value))
    return tuple(plans.values())


def agent_values(finding: Finding, session: SessionRecord) -> tuple[str, ...]:
    """Return the values of a finding's parameter in effect at the agents it is about, each once; () where unknown."""
    kind = agent_kind(finding)
    agents = agents_under_test(finding, kind, session) if kind else []
    effective_values = (_effective(finding.parameter, environment, agent) for environment, agent in agents)
    return tuple(
        dict.fromkeys(effective.value for effective in effective_values if effective is not None and effective.value)
    )


def agents_under_test(
    finding: Finding, kind: AgentKind, session: SessionRecord
) -> list[tuple[Environment | None, Agent | None]]:
    """Return the agents the finding's trials measured; one unknown agent where none is known."""
    tested: dict[tuple[str, AgentName], tuple[Environment, Agent]] = {}
    for environment in session.environments:
        read = kept_replication(environment)
        if read is None:
            continue
        for run in (run for run in session.runs_behind(finding) if run.target == environment.target):
            for agent in _measured(run, kind, read.topology, session.changes):
                tested[environment.target, agent.name] = environment, agent
    return list(tested.values()) or [(None, None)]


def _measured(
    run: RunRecord, kind: AgentKind, topology: Topology, changes: Sequence[JournalEntry]
) -> tuple[Agent, ...]:
    """Return the agents of a kind that a run stopped and started, or the plan's subject where no change is kept.

    The first stop or start of each agent that takes part is an entry of the undo journal.
    """
    own = [entry.change for entry in changes if run.made(entry)]
    switched = {
        change.detail("agent_id")
        for change in own
        if change.kind in (AGENT_STOPPED, AGENT_STARTED) and change.detail("agent_kind") == kind.value
    }
    if switched:
        return tuple(agent for agent in topology.agents_of(kind) if agent.agent_id in switched)
    work = workload_of(run.plan.load)
    pairs = topology.pairs(work.named)[: work.agent_pairs]
    return tuple(agent for pair in pairs for agent in pair if agent is not None and agent.kind is kind)


def _value_change(
    recommendation: Recommendation, kind: AgentKind, environment: Environment | None, agent: Agent | None
) -> ValueChange:
    finding = recommendation.finding
    effective = _effective(finding.parameter, environment, agent)
    is_in_step = effective is not None and effective.origin == "job step"
    by_step = goes_by_step(kind, finding.parameter, "" if effective is None else effective.origin)
    means = Means.JOB_STEP if by_step else Means.PROFILE
    old = effective.value if effective is not None and is_in_step else None
    current = effective.value if effective is not None else ""
    return ValueChange(recommendation, finding.parameter, means, old, str(finding.to_value), current)


def _effective(parameter: str, environment: Environment | None, agent: Agent | None) -> EffectiveParameter | None:
    read = None if environment is None else kept_replication(environment)
    if read is None or agent is None:
        return None
    for entry in read.agents:
        if entry.agent == agent.name:
            for effective in entry.parameters:
                if effective.name == parameter:
                    return effective
    return None
