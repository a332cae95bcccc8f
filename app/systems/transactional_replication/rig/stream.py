"""Measuring agents under a steady workload."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from app.analysis.steady import truncate_warm_up
from app.domain.change import Change
from app.domain.errors import Unsupported
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.watch import SAMPLES_PER_TRIAL, SHORTEST_TICK_S
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.rig.participants import Participants, of_kind
from app.systems.transactional_replication.rig.switching import agents_named
from app.systems.transactional_replication.rig.trial import AgentTrial
from app.systems.transactional_replication.rig.watch import observe_session, observe_window
from app.systems.transactional_replication.topology import Agent, Written
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation


@dataclass(frozen=True)
class MeasureStream(BenchStep[Participants]):
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

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Yield the tracer tokens of a steady load, one for each agent that can have them."""
        for agent in of_kind(at.members, AgentKind.DISTRIBUTION) if self.rate_per_s is not None else ():
            with suppress(Unsupported):
                yield agent_ports(at.target).agent_changes.plan_tracer_token(agent)

    def do(self, rig: StepRig[Participants]) -> AgentTrialObservation:
        """Write in portions, tick by tick, and return the observation."""
        trial = rig.of_trial(AgentTrial)
        agents = trial.switch.of(self.kind)
        # behind a backlog that is kept up on purpose a token would tell the age of the backlog
        slow = (trial.pending_readings(), *((trial.tokens,) if self.rate_per_s is not None else ()))
        others = tuple(a for kind in AgentKind if kind is not self.kind for a in trial.switch.of(kind))
        watch = trial.watch(self.kind, planned=0, limited=True)
        watch.others, watch.slow = others, slow
        first = watch.begin()
        disturbances = trial.disturbances(first)
        # the load comes in one portion per tick: the shorter they are, the steadier it is
        tick_s = max(SHORTEST_TICK_S, self.duration_s / SAMPLES_PER_TRIAL)
        offered = [0]
        readings: list[ReplicationSample] = []
        while watch.offset_s < self.duration_s:
            before_s = rig.at.target.clock.monotonic_s()
            offered.append(offered[-1] + self._feed(trial, tick_s, (first, *readings), offered))
            rest_s = max(0.0, tick_s - (rig.at.target.clock.monotonic_s() - before_s))
            now = watch.read_after(rest_s, lambda _sample: watch.offset_s / self.duration_s)
            trial.raise_if_failed(now, self.kind)
            disturbances.check(now, (*agents, *others), in_one_session=False)
            readings.append(now)
        trial.tell_past_work(watch)
        _tell_foreign_of_stream(trial, first, readings[-1])
        start = _first_steady(readings, agents)
        windows = [_window(rig.at.target, agent, readings[0].at, readings[start:]) for agent in (*agents, *others)]
        warm_up_s = (readings[start].at - readings[0].at).total_seconds()
        measured, rest = tuple(windows[: len(agents)]), tuple(windows[len(agents) :])
        made = trial.observation(watch, measured, rest, planned=0, offered=offered[-1], warm_up_s=warm_up_s)
        size = trial.command_bytes(self.kind)
        return replace(made, lock_wait_s=watch.lock_wait_s(readings[start]), command_bytes=size)

    def _feed(
        self, trial: AgentTrial, tick_s: float, readings: Sequence[ReplicationSample], offered: Sequence[int]
    ) -> int:
        """Write this tick's share of the steady workload and return the commands written, all pairs.

        Args:
            readings: so far, the one before anything was written first.
            offered: commands written in all when each of them was taken.
        """
        mean = sum(self.commands_per_transaction) / 2
        rate_per_s = self.rate_per_s
        if rate_per_s is None:
            rate_per_s = self._missing_commands(trial, readings, offered) / tick_s
        transactions = round(rate_per_s * tick_s / mean)
        if transactions <= 0:
            return 0
        fed = 0
        for position, reader in enumerate(trial.switch.of(AgentKind.LOG_READER)):
            done = agent_ports(trial.rig.at.target).workload.write(
                reader,
                transactions,
                self.commands_per_transaction,
                trial.rig.call.seed * 1_000_003 + position * 1_009 + len(readings) - 1,
            )
            before = trial.offered.get(position, Written(0, ""))
            trial.offered[position] = Written(before.commands + done.commands, done.position)
            fed += done.commands
        return fed

    def _missing_commands(
        self, trial: AgentTrial, readings: Sequence[ReplicationSample], offered: Sequence[int]
    ) -> float:
        """Return the commands that fill the backlog in front of each agent under test up to `ahead_commands` again."""
        agents, per_transaction = trial.switch.of(self.kind), sum(self.commands_per_transaction) / 2
        if self.kind is AgentKind.DISTRIBUTION:
            waiting = _waiting_commands(readings, offered, agents, per_transaction)
        else:
            waiting = readings[-1].log_pending_transactions * per_transaction
        return max(0.0, self.ahead_commands - waiting / max(1, len(agents)))


def _tell_foreign_of_stream(trial: AgentTrial, first: ReplicationSample, last: ReplicationSample) -> None:
    """Report the Log Reader Agents' commands beyond this run's writes: at least so many."""
    readers = trial.switch.of(AgentKind.LOG_READER)
    counted = [_delivered_between(first, last, (reader,)) for reader in readers]
    written = [trial.offered[number].commands if number in trial.offered else 0 for number in range(len(readers))]
    trial.tell_foreign(list(zip(readers, counted, written, strict=True)))


def _window(target: Target, agent: Agent, trial_began: datetime, steady: list[ReplicationSample]) -> AgentObservation:
    if sum(sample.of(agent) is not None for sample in steady) < 2:
        return observe_session(target, agent, None)
    return observe_window(target, agent, trial_began, steady)


def _waiting_commands(
    readings: Sequence[ReplicationSample],
    offered: Sequence[int],
    agents: tuple[Agent, ...],
    commands_per_transaction: float,
) -> float:
    """Return the agents' present backlogs: the last count, and the commands written and delivered since."""
    counts = [reading.distribution_pending_commands for reading in readings]
    last = max((number for number, count in enumerate(counts) if count is not None), default=0)
    waiting = (counts[last] or 0) + readings[last].log_pending_transactions * commands_per_transaction
    return waiting + offered[-1] - offered[last] - _delivered_between(readings[last], readings[-1], agents)


def _delivered_between(since: ReplicationSample, until: ReplicationSample, agents: tuple[Agent, ...]) -> int:
    """Return the commands that agents delivered between two readings, in the sessions of the later one."""
    delivered = 0
    for agent in agents:
        before, now = since.of(agent), until.of(agent)
        if now is None:
            continue
        delivered += now.delivered_commands
        if before is not None and before.session_start == now.session_start:
            delivered -= before.delivered_commands
    return delivered


def _first_steady(readings: list[ReplicationSample], agents: tuple[Agent, ...]) -> int:
    """Return the index of the first reading after the warm-up, by MSER-5 on the delivery rate of all agents.

    Where batches are so long that an agent delivers fewer than twice in the rest, nothing is cut: a rate needs both.
    """
    totals = [
        sum(r.delivered_commands for agent in agents if (r := sample.of(agent)) is not None) for sample in readings
    ]
    rates = [max(0.0, float(after - before)) for before, after in itertools.pairwise(totals)]
    start = min(truncate_warm_up(rates), max(0, len(readings) - 2))
    steps = [
        len({r.delivered_commands for s in readings[start:] if (r := s.of(agent)) is not None}) for agent in agents
    ]
    return start if min(steps, default=0) > 2 else 0
