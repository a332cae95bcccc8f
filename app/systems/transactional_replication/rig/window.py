"""Windows on one backlog: an agent is started with a setting, settles, and is measured by its own rows or counter.

On the client's own work nothing is written. What others write meanwhile neither ends nor spoils a window: it is
measured and told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from app.analysis.window_length import PARTS
from app.domain.change import Change
from app.domain.limits import HELD_SHARE
from app.domain.measurement import Sample
from app.domain.metrics import THROUGHPUT
from app.domain.rig import WorkDone
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.watch import SHORTEST_TICK_S
from app.runner.bench.windows import Course, Windows, rate_samples, rates_in_parts, settled_from, windows_of
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import SUBSCRIBER_AGE, AgentReading, ReplicationSample
from app.systems.transactional_replication.rig.counted import Counted, CountersMet
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.pending import COUNT_EVERY_S
from app.systems.transactional_replication.rig.switching import agents_named, changes_of_switch
from app.systems.transactional_replication.rig.trial import WAIT_LIMIT_S, AgentTrial
from app.systems.transactional_replication.rig.watch import RUNSTATUS_IDLE, observe_rows
from app.systems.transactional_replication.topology import Agent
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation, WindowSeen

# A rate by fewer rows, or fewer batches, depends on where they happen to fall.
LEAST_ROWS, LEAST_BATCHES = 5, 20
# Readings of a window: a row that is written over is lost between two of them.
_READINGS: Final = 60
SHORTEST_HELD_S: Final = 10.0
"""A window that ends because nothing is left counts from this length on."""
# Documented default of CommitBatchSize, where neither setting nor server tells it.
_USUAL_BATCH: Final = 100


@dataclass(frozen=True)
class GatherWork(BenchStep[Participants]):
    """Hold the agents of a kind until enough waits for a window, or the data is as old as it may become.

    What is left from before counts: an agent that still has enough in front of it is only stopped.
    """

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Stop the {agents} and let work gather, within the allowed age of the data").format(
            agents=agents_named(self.kind)
        )

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of those that run."""
        return changes_of_switch(at, self.kind, running=False)

    def do(self, rig: StepRig[Participants]) -> None:
        """Stop them and wait; raises LimitExceeded where the data became older than is allowed."""
        trial, windows = rig.of_trial(AgentTrial), windows_of(rig)
        watch = trial.watch_own_work(self.kind, WorkSource.HELD)
        watch.backlogs.every_s = COUNT_EVERY_S
        first = watch.begin()
        disturbances = trial.disturbances(first)
        age_s = watch.age.look(first, watch.measured)
        trial.switch.stop(self.kind)
        held_s = rig.at.plan.limits[SUBSCRIBER_AGE.name] * HELD_SHARE - rig.at.target.asking.usual_wait_s
        tick_s = max(SHORTEST_TICK_S, held_s / _READINGS)
        feeders = trial.switch.of(AgentKind.LOG_READER)  # nothing gathers where they stand
        counted = 0
        while age_s < held_s and counted < windows.enough:
            now = watch.read_after(
                min(tick_s, max(SHORTEST_TICK_S, held_s - age_s)), lambda _now: watch.age.newest_s / held_s
            )
            disturbances.check(now, feeders, in_one_session=False)
            if rig.call.is_spoiled():
                break  # a client's agent does not stand for that
            age_s = watch.age.look(now, watch.measured)
            counted = now.distribution_pending_commands or counted
        windows.ended_s = rig.at.target.clock.monotonic_s()  # holding is no part of a switch


@dataclass(frozen=True)
class MeasureWindow(BenchStep[Participants]):
    """Start the agents of a kind and measure them for a while on the work that is there.

    Attributes:
        is_baseline: the setting is that of the baseline, whose first windows tell the length of all.
        batch: transactions of a commit batch, or of a read batch, of the setting.
    """

    kind: AgentKind
    source: WorkSource
    is_baseline: bool
    batch: int
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the {agents} and measure them on the work that waits, by their own history").format(
            agents=agents_named(self.kind)
        )

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of those that stand."""
        return changes_of_switch(at, self.kind, running=True)

    def do(self, rig: StepRig[Participants]) -> AgentTrialObservation:
        """Start them, and return the observation; raises WorkDone where nothing waits any more."""
        trial, windows = rig.of_trial(AgentTrial), windows_of(rig)
        agents, clock = trial.switch.of(self.kind), rig.at.target.clock
        watch = trial.watch_own_work(self.kind, self.source)
        watch.others = tuple(chain.from_iterable(trial.switch.of(kind) for kind in AgentKind if kind is not self.kind))
        first = watch.begin()
        disturbances = trial.disturbances(first)
        size = trial.command_bytes(self.kind)
        trial.switch.start(self.kind)
        seen = _Rows(agents, first, self.batch)
        if self.kind is AgentKind.LOG_READER:
            met = rig.kept(CountersMet)
            seen.counted = {a.agent_id: Counted(a, first.of(a), met, rig.call.on_note) for a in agents}
        seen.is_traffic = not self.source.shows_capacity
        tick_s, length_s, moved_s = max(SHORTEST_TICK_S, windows.seconds / _READINGS), windows.seconds, watch.elapsed_s
        has_run_out = False
        while not seen.last_for(length_s):
            now = watch.read_after(tick_s, lambda _now: seen.share_of(length_s))
            trial.raise_if_failed(now, self.kind)
            disturbances.check(now, agents, in_one_session=True)
            if self.source is WorkSource.OWN_TRAFFIC:
                disturbances.check(now, watch.others, in_one_session=False)
            if seen.take(now):
                moved_s = watch.offset_s
            if seen.has_run_out(now):
                if self.source is WorkSource.OWN_BACKLOG:
                    raise WorkDone(_nothing_left(agents, seen.span_s))
                if self.source in (WorkSource.HELD, WorkSource.TEST_TABLE):
                    has_run_out = not seen.last_for(SHORTEST_HELD_S)
                    break
                seen.begin_anew()
            if watch.offset_s - moved_s > WAIT_LIMIT_S:
                break  # it says itself, by having delivered nothing or too little
        ended_s = clock.monotonic_s()
        trial.tell_past_work(watch)
        measured = tuple(seen.observe(rig, agent) for agent in agents)
        observation = trial.observation(watch, measured, (), planned=0, offered=0, warm_up_s=seen.settled_s)
        self._learn(rig, windows, seen, measured, ended_s)
        window = WindowSeen(
            length_s=seen.span_s,
            arrivals_per_s=_arrivals_per_s(trial.switch.of(AgentKind.LOG_READER), watch.readings),
            commands_per_transaction=seen.commands_per_transaction,
            has_run_out=has_run_out,
        )
        samples = (*observation.samples, *seen.rate_samples(watch.offset_s))
        return replace(observation, command_bytes=size, window=window, samples=samples)

    def _learn(
        self,
        rig: StepRig[Participants],
        windows: Windows,
        seen: "_Rows",
        measured: Sequence[AgentObservation],
        ended_s: float,
    ) -> None:
        if windows.ended_s is not None:
            windows.switches_s.append(max(0.0, ended_s - seen.span_s - windows.ended_s))
        windows.ended_s = ended_s
        rates = [one.delivered_commands / one.elapsed_s for one in measured if one.elapsed_s > 0]
        windows.most_rate_per_s = max(windows.most_rate_per_s, sum(rates))
        parts = seen.fifths()
        if self.is_baseline and parts:
            length = windows.learn(parts, seen.span_s / PARTS)
            if length is not None:
                rig.call.on_note(length.reason)


class _Rows:
    """The rows that agents write in the session they were started for, as they are read tick by tick.

    Attributes:
        agents: under test. batch: transactions of one batch.
        is_traffic: nothing waits; what counts begins once they have caught up.
        counted: the counters of agents whose history has few rows; where they hold, their readings count as rows do.
    """

    def __init__(self, agents: tuple[Agent, ...], before: ReplicationSample, batch: int) -> None:
        self.agents = agents
        self._batch = max(1, batch)
        self._before = {a.agent_id: r.session_start for a in agents if (r := before.of(a)) is not None}
        self._rows: dict[int, list[AgentReading]] = {a.agent_id: [] for a in agents}
        self._start: dict[int, int] = {}
        self._has_caught_up = False
        self._share = 0.0
        self.is_traffic = False
        self.counted: dict[int, Counted] = {}

    def begin_anew(self) -> None:
        """Leave out the rows so far, once: an agent that was stopped has caught up only now."""
        if not self._has_caught_up:
            self._has_caught_up = True
            self._rows = {agent_id: rows[-1:] for agent_id, rows in self._rows.items()}

    def take(self, now: ReplicationSample) -> bool:
        """Keep the rows of a reading; tell whether anything was delivered since the one before."""
        has_moved = False
        for agent in self.agents:
            reading = now.of(agent)
            if reading is None or reading.session_start == self._before.get(agent.agent_id):
                continue  # the session it was started for has not told anything yet
            if (counted := self.counted.get(agent.agent_id)) is not None:
                has_moved |= counted.take(now.at, reading)
            rows = self._rows[agent.agent_id]
            if rows and reading.delivered_commands <= rows[-1].delivered_commands:
                continue
            if reading.delivered_commands > 0:
                rows.append(reading)
                has_moved = True
        return has_moved

    def has_run_out(self, now: ReplicationSample) -> bool:
        """Tell whether an agent says in its new session that nothing waits for it."""
        readings = [(self._before.get(agent.agent_id), now.of(agent)) for agent in self.agents]
        return any(r is not None and r.session_start != b and r.runstatus == RUNSTATUS_IDLE for b, r in readings)

    def last_for(self, length_s: float) -> bool:
        """Tell whether the rows behind the settling are enough for a rate of so long a window."""
        return all(self._is_enough(agent.agent_id, length_s) for agent in self.agents)

    def _of(self, agent_id: int) -> list[AgentReading]:
        """Return the rows an agent's work is measured by, or the readings of its counter."""
        return self.counted[agent_id].rows if self._is_counted else self._rows[agent_id]

    @property
    def _is_counted(self) -> bool:
        return bool(self.counted) and all(each.is_used for each in self.counted.values())

    def _is_enough(self, agent_id: int, length_s: float) -> bool:
        rows = self._of(agent_id)
        self._start[agent_id] = 0
        if self.is_traffic:  # a batch is as large as what has arrived, and the first one was read before
            return self._has_caught_up and len(rows) > LEAST_ROWS and _seconds(rows[0], rows[-1]) >= length_s
        if len(rows) <= LEAST_ROWS or _seconds(rows[0], rows[-1]) < length_s:
            return False
        self._start[agent_id] = start = settled_from(_course(rows))
        first, last = rows[start], rows[-1]
        batches = (last.delivered_transactions - first.delivered_transactions) / self._batch
        is_long = _seconds(first, last) >= length_s or _seconds(rows[0], last) >= 2 * length_s
        is_told = batches >= LEAST_BATCHES or self._is_counted  # which rises with each batch
        return is_long and len(rows) - 1 - start >= LEAST_ROWS and is_told

    def _steady(self, agent: Agent) -> list[AgentReading]:
        """Return an agent's rows behind its settling."""
        return self._of(agent.agent_id)[self._start.get(agent.agent_id, 0) :]

    @property
    def span_s(self) -> float:
        """How long the measured part is so far, the shortest of the agents', by their rows' times."""
        spans = [_seconds(rows[0], rows[-1]) if len(rows := self._steady(a)) > 1 else 0.0 for a in self.agents]
        return min(spans, default=0.0)

    def share_of(self, length_s: float) -> float:
        """Return how much of a window is over, which cutting its warm-up off does not take back."""
        self._share = max(self._share, self.span_s / length_s)
        return self._share

    @property
    def settled_s(self) -> float:
        """How long settling took, from the start of the session to the first row that counts."""
        firsts = [rows[0] for agent in self.agents if (rows := self._steady(agent))]
        return max(((row.last_time - row.session_start).total_seconds() for row in firsts), default=0.0)

    @property
    def commands_per_transaction(self) -> float | None:
        """Mean size of the transactions delivered, None where none was."""
        grown = [(rows[0], rows[-1]) for agent in self.agents if len(rows := self._steady(agent)) > 1]
        transactions = sum(last.delivered_transactions - first.delivered_transactions for first, last in grown)
        commands = sum(last.delivered_commands - first.delivered_commands for first, last in grown)
        return commands / transactions if transactions else None

    def observe(self, rig: StepRig[Participants], agent: Agent) -> AgentObservation:
        """Return the work of an agent behind its settling."""
        return observe_rows(rig.at.target, agent, self._steady(agent))

    def fifths(self) -> tuple[float, ...]:
        """Return the rate in each fifth of the window, all agents together; () where rows are too few."""
        each = [rates_in_parts(_course(self._steady(agent))) for agent in self.agents]
        return tuple(map(sum, zip(*each, strict=True))) if all(each) else ()

    def rate_samples(self, ended_s: float) -> tuple[Sample, ...]:
        """Return the rates of the fifths as a series; `ended_s` is the end of the window since measuring began."""
        return rate_samples(self.fifths(), self.span_s, ended_s, THROUGHPUT.unit)


def _course(rows: Sequence[AgentReading]) -> Course:
    """Return the commands delivered by each row."""
    return [(_seconds(rows[0], row), float(row.delivered_commands)) for row in rows]


def _seconds(since: AgentReading, until: AgentReading) -> float:
    return (until.last_time - since.last_time).total_seconds()


def _arrivals_per_s(readers: Sequence[Agent], readings: Sequence[ReplicationSample]) -> float | None:
    """Return the commands that came into the distribution database each second; None where no row tells it."""
    total = 0.0
    for reader in readers:
        rows = [row for sample in readings if (row := sample.of(reader)) is not None]
        rows = [row for row in rows if row.session_start == rows[-1].session_start]
        if len(rows) < 2 or _seconds(rows[0], rows[-1]) <= 0:
            return None
        total += (rows[-1].delivered_commands - rows[0].delivered_commands) / _seconds(rows[0], rows[-1])
    return total


def _nothing_left(agents: tuple[Agent, ...], span_s: float) -> str:
    return _(
        "the backlog was delivered, and what was measured stands: nothing waits for {agent} any more after "
        "{seconds:,.0f} s of this window"
    ).format(agent=", ".join(agent.name for agent in agents), seconds=span_s)
