"""Steps of a trial as data: a family decides them, the runner does them, a dry run prints them."""

from dataclasses import dataclass

from app.domain.setting import Setting
from app.domain.step import Step
from app.foundation.texts import _, local_number
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, WorkloadSpec


def agents_named(kind: AgentKind) -> str:
    """Return the name of a kind of agents."""
    return {AgentKind.LOG_READER: _("Log Reader Agents"), AgentKind.DISTRIBUTION: _("Distribution Agents")}[kind]


@dataclass(frozen=True)
class StopAgents:
    """Stop every agent of a kind that takes part, and wait until it has stopped."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Stop the {agents} and wait until they have stopped").format(agents=agents_named(self.kind))


@dataclass(frozen=True)
class StartAgents:
    """Start every agent of a kind that takes part, and wait for its new session."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the {agents} and wait for their new sessions").format(agents=agents_named(self.kind))


@dataclass(frozen=True)
class Configure:
    """Give every agent of a kind a setting; it counts from the agent's next start."""

    kind: AgentKind
    setting: Setting

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Set {setting} for the {agents}").format(agents=agents_named(self.kind), setting=self.setting.text())


@dataclass(frozen=True)
class WriteBacklog:
    """Write transactions at the Publisher, `commands` in all for each agent pair."""

    commands: int
    commands_per_transaction: tuple[float, float]

    def describe(self) -> str:
        """Describe the step for a person."""
        low, high = self.commands_per_transaction
        size = local_number(f"{low:g}") if low == high else _("{low:g} to {high:g}").format(low=low, high=high)
        return _("Write {commands:,} commands at the Publisher, {size} commands per transaction").format(
            commands=self.commands, size=size
        )


@dataclass(frozen=True)
class WaitUntilDelivered:
    """Wait until agents of a kind have nothing left to deliver; not measured."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until the {agents} have delivered everything").format(agents=agents_named(self.kind))


@dataclass(frozen=True)
class MeasureBacklog:
    """Start the agents of a kind and measure until they have delivered the backlog of `commands` each."""

    kind: AgentKind
    commands: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the {agents} and measure until {commands:,} commands are delivered").format(
            agents=agents_named(self.kind), commands=self.commands
        )


@dataclass(frozen=True)
class MeasureStream:
    """Run both agents and a steady workload for `duration_s`, measuring the agents of a kind.

    Attributes:
        rate_per_s: offered commands/s for each agent pair; None keeps a backlog in front of the agent.
        ahead_commands: size of that backlog for each agent pair: more than the largest batch, or no batch is full.
    """

    kind: AgentKind
    duration_s: float
    rate_per_s: float | None
    commands_per_transaction: tuple[float, float]
    ahead_commands: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Measure the {agents} for {minutes:g} minutes under a steady workload").format(
            agents=agents_named(self.kind), minutes=round(self.duration_s / 60, 1)
        )


AgentStep = StopAgents | StartAgents | Configure | WriteBacklog | WaitUntilDelivered | MeasureBacklog | MeasureStream


# A Distribution Agent commits at most CommitBatchThreshold commands at once, 10,000 by its documented limit.
DELIVERY_AHEAD_COMMANDS = 100_000


def delivery_steps(work: WorkloadSpec, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of a trial of Distribution Agents.

    Drained: the Log Reader Agent fills the distribution database first, so that only the delivery is measured.
    Continuous: both agents run together under a steady workload.
    """
    reader, deliverer = AgentKind.LOG_READER, AgentKind.DISTRIBUTION
    if work.scenario is Scenario.DRAINED:
        return (
            StopAgents(deliverer),
            WriteBacklog(work.commands, work.commands_per_transaction),
            StartAgents(reader),
            WaitUntilDelivered(reader),
            Configure(deliverer, setting),
            MeasureBacklog(deliverer, work.commands),
        )
    return (
        StopAgents(deliverer),
        Configure(deliverer, setting),
        StartAgents(reader),
        StartAgents(deliverer),
        MeasureStream(
            deliverer, work.duration_s, work.rate_per_s, work.commands_per_transaction, DELIVERY_AHEAD_COMMANDS
        ),
        WaitUntilDelivered(deliverer),
    )
