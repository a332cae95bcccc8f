"""Which agents a recommendation is for, and by which means its value reaches them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from app.domain.finding import Finding
from app.domain.server import EffectiveParameter
from app.domain.session import Environment, SessionRecord
from app.reporting.document.place import Places
from app.reporting.document.wording import Vocabulary, is_change
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import kept_replication
from app.systems.transactional_replication.topology import Agent, Topology

# Numeric parameters of each agent (Microsoft: Replication Log Reader Agent, Replication Distribution Agent).
_COMMON: Final = frozenset(
    {"PollingInterval", "PacketSize", "HistoryVerboseLevel", "QueryTimeOut", "LoginTimeOut", "MessageInterval"}
    | {"KeepAliveMessageInterval", "OutputVerboseLevel"}
)
_PARAMETERS: Final = {
    AgentKind.LOG_READER: _COMMON | {"ReadBatchSize", "ReadBatchThreshold", "MaxCmdsInTran", "LogScanThreshold"},
    AgentKind.DISTRIBUTION: _COMMON
    | {"CommitBatchSize", "CommitBatchThreshold", "SubscriptionStreams", "MaxBcpThreads", "BcpBatchSize"}
    | {"MaxDeliveredTransactions", "TransactionsPerHistory"},
}
# Not accepted in a profile, or not shown there (Microsoft: sp_change_agent_parameter; KB953199).
_JOB_STEP_ONLY: Final = frozenset(
    {"SubscriptionStreams", "MaxCmdsInTran", "LogScanThreshold", "KeepAliveMessageInterval"}
)


class Means(StrEnum):
    """By which means a value reaches an agent."""

    PROFILE = "profile"
    JOB_STEP = "job step"


@dataclass(frozen=True)
class ValueChange:
    """One parameter to be changed.

    Attributes:
        old, new: values as text; `old` is what the job step named before, or None where it did not name it.
        found: the value in effect when the session began, wherever it came from; "" where it is not known.
    """

    finding: Finding
    parameter: str
    means: Means
    old: str | None
    new: str
    found: str = ""


@dataclass(frozen=True)
class AgentChange:
    """All that is to be changed for one agent; `agent` and `environment` are None where they are unknown.

    Attributes:
        place: what the findings were measured under, such as "512 kbps, 300 ms round trip", of an unknown agent.
    """

    kind: AgentKind
    agent: Agent | None
    environment: Environment | None
    values: tuple[ValueChange, ...]
    place: str = ""

    @property
    def target(self) -> str:
        """Return the target the agent is on, "" where it is unknown."""
        return self.environment.target if self.environment else ""

    def by(self, means: Means) -> tuple[ValueChange, ...]:
        """Return the values that reach the agent by one means."""
        return tuple(value for value in self.values if value.means is means)


def agent_kind(finding: Finding) -> AgentKind | None:
    """Return the agent whose parameter a finding is about, None where it is no agent's parameter."""
    kinds = [kind for kind, names in _PARAMETERS.items() if finding.parameter in names]
    if len(kinds) == len(_PARAMETERS):
        return AgentKind.LOG_READER if finding.family == AgentKind.LOG_READER.value else AgentKind.DISTRIBUTION
    return kinds[0] if kinds else None


def plan_agent_changes(
    findings: Sequence[Finding], session: SessionRecord, words: Vocabulary
) -> tuple[AgentChange, ...]:
    """Return what is to be changed, agent by agent; the first finding on a parameter wins (smallest priority).

    Findings on an unknown agent that were measured under other conditions are taken to be about another agent.
    """
    plans: dict[tuple[str, AgentKind, int, str], AgentChange] = {}
    places = Places(session, words)
    for finding in sorted(findings, key=lambda f: f.priority):
        kind = agent_kind(finding)
        if kind is None or not is_change(finding):
            continue
        for environment, agent in _agents_under_test(finding, kind, session):
            place = "" if agent else words.link(places.conditions(finding))
            key = (environment.target if environment else "", kind, agent.agent_id if agent else 0, place)
            plan = plans.get(key) or AgentChange(kind, agent, environment, (), place)
            if finding.parameter not in {value.parameter for value in plan.values}:
                value = _value_change(finding, environment, agent)
                plans[key] = replace(plan, values=(*plan.values, value))
    return tuple(plans.values())


def contradicted(findings: Sequence[Finding], changes: Sequence[AgentChange]) -> tuple[Finding, ...]:
    """Return the recommended values left out because another finding on the same agent names another value."""
    wanted = {(value.parameter, value.new) for change in changes for value in change.values}
    used = {id(value.finding) for change in changes for value in change.values}
    return tuple(
        f
        for f in findings
        if is_change(f) and agent_kind(f) and id(f) not in used and (f.parameter, str(f.to_value)) not in wanted
    )


def agent_values(finding: Finding, session: SessionRecord) -> tuple[str, ...]:
    """Return the values of a finding's parameter in effect at the agents it is about, each once; () where unknown."""
    kind = agent_kind(finding)
    agents = _agents_under_test(finding, kind, session) if kind else []
    found = (_effective(finding.parameter, environment, agent) for environment, agent in agents)
    return tuple(dict.fromkeys(effective.value for effective in found if effective is not None and effective.value))


def _agents_under_test(
    finding: Finding, kind: AgentKind, session: SessionRecord
) -> list[tuple[Environment | None, Agent | None]]:
    """Return the agents the finding's trials measured; one unknown agent where none is known."""
    found: list[tuple[Environment | None, Agent | None]] = []
    pairs = _agent_pairs(finding, session)
    for environment in session.environments:
        read = kept_replication(environment)
        if environment.target not in pairs or read is None:
            continue
        agents = _participants(read.topology, kind, pairs[environment.target])
        found += [(environment, agent) for agent in agents]
    return found or [(None, None)]


def _participants(topology: Topology, kind: AgentKind, pairs: int) -> list[Agent]:
    """Return the agents a run of so many pairs measured.

    That is the Log Reader Agents of the first publication databases and the first Distribution Agent of each.
    """
    readers = topology.agents_of(AgentKind.LOG_READER)[:pairs]
    if kind is AgentKind.LOG_READER:
        return list(readers)
    chosen: dict[tuple[str, str], Agent] = {}
    for agent in topology.agents_of(kind):
        chosen.setdefault((agent.publisher, agent.publisher_db), agent)
    return [chosen[key] for reader in readers if (key := (reader.publisher, reader.publisher_db)) in chosen]


def _agent_pairs(finding: Finding, session: SessionRecord) -> dict[str, int]:
    """Return how many agent pairs the runs behind a finding measured, by target."""
    runs = [run for run in session.runs if run.plan.family == finding.family]
    evidence = set(finding.evidence)
    behind = [run for run in runs if evidence & {trial.trial_id for trial in run.trials}] or runs
    pairs: dict[str, int] = {}
    for run in behind:
        pairs[run.target] = max(pairs.get(run.target, 0), workload_of(run.plan.load).agent_pairs)
    return pairs


def _value_change(finding: Finding, environment: Environment | None, agent: Agent | None) -> ValueChange:
    effective = _effective(finding.parameter, environment, agent)
    is_in_step = effective is not None and effective.origin == "job step"
    # A value in the job step beats the profile, so it must be changed where it stands.
    means = Means.JOB_STEP if is_in_step or finding.parameter in _JOB_STEP_ONLY else Means.PROFILE
    old = effective.value if effective is not None and is_in_step else None
    found = effective.value if effective is not None else ""
    return ValueChange(finding, finding.parameter, means, old, str(finding.to_value), found)


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
