"""Writing a backlog at the Publisher, waiting for it, and measuring its delivery."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.domain.change import Change
from app.foundation.texts import _, local_number
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.watch import SAMPLES_PER_TRIAL, SHORTEST_TICK_S
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.switching import agents_named, changes_of_switch
from app.systems.transactional_replication.rig.trial import IDLE_TICKS, AgentTrial
from app.systems.transactional_replication.rig.watch import delivered_all, delivered_count, observe_session
from app.systems.transactional_replication.topology import Agent, Written
from app.systems.transactional_replication.trial_seen import AgentTrialObservation

COMMANDS, TRANSACTIONS = "commands", "transactions"
# One workload statement writes at most this many commands, so that cancel is never far away.
WRITE_CHUNK_COMMANDS = 50_000
# While what was prepared is delivered, which nobody measures: a twentieth of the time so far may be lost at its end.
_SHORTEST_WAITING_TICK_S, _LONGEST_WAITING_TICK_S = 5.0, 30.0
_WAITING_TICK_SHARE = 0.05


@dataclass(frozen=True)
class WriteBacklog(BenchStep[Participants]):
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

    def do(self, rig: StepRig[Participants]) -> None:
        """Write it, in statements short enough to be cancelled."""
        write_commands(rig, self.commands, self.commands_per_transaction)


def write_commands(
    rig: StepRig[Participants],
    commands: int,
    commands_per_transaction: tuple[float, float],
    between: Callable[[], None] = lambda: None,
) -> None:
    """Write transactions at each Publisher, so many commands in all, in statements short enough to be cancelled.

    Args:
        between: is called after each of them.
    """
    trial = rig.of_trial(AgentTrial)
    mean = sum(commands_per_transaction) / 2
    for position, reader in enumerate(trial.switch.of(AgentKind.LOG_READER)):
        transactions = max(1, round(commands / mean))
        chunk = max(1, round(WRITE_CHUNK_COMMANDS / mean))
        written, newest, number = 0, "", 0
        while transactions > 0:
            rig.parts.control.check()
            count = min(chunk, transactions)
            seed = rig.call.seed * 1_000_003 + position * 1_009 + number
            done = agent_ports(rig.at.target).workload.write(reader, count, commands_per_transaction, seed)
            written, newest = written + done.commands, done.position
            transactions -= count
            number += 1
            rig.call.on_left(round(transactions * mean), COMMANDS)
            between()
        trial.written[position] = Written(written, newest)


@dataclass(frozen=True)
class WaitUntilDelivered(BenchStep[Participants]):
    """Wait until agents of a kind have nothing left to deliver; not measured."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until the {agents} have delivered everything").format(agents=agents_named(self.kind))

    def do(self, rig: StepRig[Participants]) -> None:
        """Wait until this run's own last write has passed them, or until nothing is left; raises LimitExceeded.

        Where others write, something is always left.
        """
        trial = rig.of_trial(AgentTrial)
        planned = sum(done.commands for done in trial.written.values())
        watch = trial.watch(self.kind, planned=planned, limited=False)
        disturbances = trial.disturbances(watch.begin())
        idle_ticks = own_ticks = 0
        while True:
            tick_s = max(_SHORTEST_WAITING_TICK_S, _share_s(_WAITING_TICK_SHARE, watch.offset_s))
            now = watch.read_after(min(tick_s, _LONGEST_WAITING_TICK_S), lambda _sample: 0.0)
            trial.raise_if_failed(now, self.kind)
            idle_ticks = idle_ticks + 1 if trial.is_idle(now, self.kind) else 0
            left = now.log_pending_transactions
            if self.kind is AgentKind.DISTRIBUTION:
                # without a count, the agents' own word: more than once, as it may be older than what came last
                waiting = now.distribution_pending_commands
                left += int(idle_ticks < IDLE_TICKS) if waiting is None else waiting
            _tell_left(rig, now, self.kind)
            own_ticks = own_ticks + 1 if trial.has_passed(now, self.kind) else 0
            if left == 0 or own_ticks == IDLE_TICKS:
                return
            disturbances.check(now, trial.switch.of(self.kind), in_one_session=False)
            trial.limit_waiting(self.kind, watch.offset_s)


@dataclass(frozen=True)
class MeasureBacklog(BenchStep[Participants]):
    """Start the agents of a kind and measure until they have delivered the backlog of `commands` each."""

    kind: AgentKind
    commands: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the {agents} and measure until {commands:,} commands are delivered").format(
            agents=agents_named(self.kind), commands=self.commands
        )

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of those that stand."""
        return changes_of_switch(at, self.kind, running=True)

    def do(self, rig: StepRig[Participants]) -> AgentTrialObservation:
        """Start them, and return the observation."""
        trial = rig.of_trial(AgentTrial)
        agents = trial.switch.of(self.kind)
        wanted = {agent.agent_id: trial.written[position] for position, agent in enumerate(agents)}
        commands = {agent_id: done.commands for agent_id, done in wanted.items()}
        watch = trial.watch(self.kind, planned=sum(commands.values()), limited=True)
        watch.slow = (trial.pending_readings(),)
        disturbances = trial.disturbances(watch.begin())
        size = trial.command_bytes(self.kind)
        trial.switch.start(self.kind)
        idle_ticks, counted_s = 0, 0.0
        while True:
            now = watch.read_after(
                _tick_s(rig, watch.offset_s), lambda sample: _share_delivered(sample, agents, commands)
            )
            trial.raise_if_failed(now, self.kind)
            if delivered_all(now, agents, wanted):
                break
            if not delivered_count(now, agents, commands):
                counted_s = watch.offset_s
            trial.limit_waiting(self.kind, watch.offset_s - counted_s)
            disturbances.check(now, agents, in_one_session=True)
            # as many as were written may have been delivered and this run's own last one not: others write as well
            is_over = trial.is_idle(now, self.kind) or trial.has_passed(now, self.kind)
            idle_ticks = idle_ticks + 1 if is_over and disturbances.have_begun(agents) else 0
            if idle_ticks == IDLE_TICKS:
                if delivered_count(now, agents, commands):
                    break
                disturbances.raise_short(now, commands, agents)
        trial.tell_past_work(watch)
        measured = tuple(observe_session(rig.at.target, agent, wanted[agent.agent_id]) for agent in agents)
        trial.tell_foreign([(one.agent, one.delivered_commands, commands[one.agent.agent_id]) for one in measured])
        observation = trial.observation(watch, measured, (), planned=min(commands.values()), offered=0, warm_up_s=0.0)
        return replace(observation, command_bytes=size)


def _tell_left(rig: StepRig[Participants], now: ReplicationSample, kind: AgentKind) -> None:
    """Tell the backlog of agents of a kind, where it is known."""
    if kind is AgentKind.LOG_READER:
        rig.call.on_left(now.log_pending_transactions, TRANSACTIONS)
    elif now.distribution_pending_commands is not None:
        rig.call.on_left(now.distribution_pending_commands, COMMANDS)


def _tick_s(rig: StepRig[Participants], elapsed_s: float) -> float:
    """Return the sampling interval after so much of a backlog's trial, seconds.

    The estimate is a rough one: a trial that takes far longer is read ever more rarely, so that it costs the servers
    and the session's file about as many readings as one that was estimated well.
    """
    expected_s = rig.call.expected_s
    return max(SHORTEST_TICK_S, expected_s / SAMPLES_PER_TRIAL, _share_s(2 / SAMPLES_PER_TRIAL, elapsed_s))


def _share_s(share: float, elapsed_s: float) -> float:
    """Return a share of the time so far in tenths of a second: the same by every clock of whole milliseconds."""
    return round(share * round(elapsed_s, 1), 1)


def _share_delivered(sample: ReplicationSample, agents: tuple[Agent, ...], wanted: dict[int, int]) -> float:
    done = sum(reading.delivered_commands for agent in agents if (reading := sample.of(agent)) is not None)
    return done / max(1, sum(wanted.values()))
