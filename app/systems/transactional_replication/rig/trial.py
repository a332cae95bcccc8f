"""Doing the steps of one trial of replication agents."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.analysis.steady import truncate_warm_up
from app.domain.change import Change
from app.domain.errors import ChangedByOthers, TargetError
from app.domain.happening import Happening, Work
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.rig import Changer, Control, LimitExceeded
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.limits import tell_log_unwatched
from app.runner.optional import read_optional, tell_past_work
from app.runner.skipped import SkippedReadings
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.disturbances import Disturbances
from app.systems.transactional_replication.rig.participants import AgentSwitch
from app.systems.transactional_replication.rig.pending import COUNT_EVERY_S, Backlogs, PendingReadings
from app.systems.transactional_replication.rig.tracer_tokens import TracerTokens
from app.systems.transactional_replication.rig.watch import (
    RUNSTATUS_IDLE,
    Watch,
    delivered_all,
    delivered_count,
    failed_text,
    has_passed,
    observe_session,
    observe_window,
)
from app.systems.transactional_replication.server.profile_plans import DEDICATED_PROFILE
from app.systems.transactional_replication.steps import (
    AgentStep,
    Configure,
    MeasureBacklog,
    MeasureStream,
    StartAgents,
    StopAgents,
    WaitUntilDelivered,
    WriteBacklog,
    agents_named,
)
from app.systems.transactional_replication.topology import Agent, ReplicationSample, TokenClocks, Written
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation

# One workload statement writes at most this many commands, so that cancel is never far away.
WRITE_CHUNK_COMMANDS = 50_000
# What waits for one agent is counted up to here beyond what an experiment or a limit needs.
BACKLOG_COUNTED = 1_000_000
# Readings in a row in which agents say that nothing waits, where that is all there is to tell it; and after which
# nothing else is waited for where this run's own last write has arrived: what came right behind it has, too, by then.
_IDLE_TICKS = 3
# Waiting for this run's own last write ends with the run after so long: a published study's slowest agents delivered
# some hundred commands/s, and what takes longer than this keeps an agent of production standing.
WAIT_LIMIT_S, _SLOWEST_COMMANDS_PER_S = 900.0, 200.0
# Others' work below this share of what passes an agent is not worth telling: tracer tokens, heartbeats. Our choice.
FOREIGN_NOTED_SHARE = 0.01
# Samples of one trial: enough for a plot, few enough for an hour-long trial at ≤ 1 Hz.
SAMPLES_PER_TRIAL = 300
SHORTEST_TICK_S = 1.0
# While what was prepared is delivered, which nobody measures: a twentieth of the time so far may be lost at its end.
_SHORTEST_WAITING_TICK_S, _LONGEST_WAITING_TICK_S = 5.0, 30.0
_WAITING_TICK_SHARE = 0.05


def _ignore(*_told: object) -> None:
    """Nobody listens."""


@dataclass
class TrialHands:
    """What a trial needs to act; lives as long as its run.

    Attributes:
        owner: names the dedicated agent profiles.
        on_step: told what is done next, for a person.
        on_samples: told the readings of each tick, with the trial's progress.
        configured: what the run has set so far, the newest change of each subject; shared by its trials.
        refused: slow readings this run may not do; shared by its trials.
        behind: as of `Disturbances`.
        clocks: of the servers tracer tokens pass, by Distribution Agent; shared by its trials.
        written: the backlog of this trial, by number of the pair. offered: its steady workload so far.
        on_server_time: told the Distributor's time of day at each tick. on_mark: told why the trial cannot be used.
        on_note: told what the run goes on without. on_happening: told what else ran while it was measured.
    """

    target: Target
    changer: Changer
    switch: AgentSwitch
    control: Control
    plan: Plan
    owner: str
    expected_s: float
    seed: int
    on_step: Callable[[str], None]
    on_samples: Callable[[tuple[Sample, ...], float], None]
    configured: dict[tuple[str, str], Change] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    behind: dict[str, int] = field(default_factory=dict)
    clocks: dict[int, TokenClocks] = field(default_factory=dict)
    written: dict[int, Written] = field(default_factory=dict)
    offered: dict[int, Written] = field(default_factory=dict)
    on_server_time: Callable[[datetime, float], None] = _ignore
    on_mark: Callable[[str], None] = _ignore
    on_note: Callable[[str], None] = _ignore
    skipped: SkippedReadings = field(default_factory=SkippedReadings)
    on_happening: Callable[[Happening], None] = _ignore
    _noticed: Disturbances | None = None

    def tick_s(self, elapsed_s: float) -> float:
        """Return the sampling interval after so much of a backlog's trial, seconds.

        The estimate is a rough one: a trial that takes far longer is read ever more rarely, so that it costs the
        servers and the session's file about as many readings as one that was estimated well.
        """
        return max(SHORTEST_TICK_S, self.expected_s / SAMPLES_PER_TRIAL, _share_s(2 / SAMPLES_PER_TRIAL, elapsed_s))

    def run(self, steps: tuple[AgentStep, ...]) -> AgentTrialObservation:
        """Do the steps in order and return what the measuring one showed.

        Raises:
            RunCancelled, LimitExceeded, TargetError: the trial ended early; the caller restores.
        """
        observation: AgentTrialObservation | None = None
        tokens = TracerTokens(
            self.target, self.changer, self.switch.of(AgentKind.DISTRIBUTION), self.refused, self.clocks
        )
        for step in steps:
            self.control.check()
            self.on_step(step.describe())
            match step:
                case StopAgents():
                    self.switch.stop(step.kind)
                case StartAgents():
                    self.switch.start(step.kind)
                case Configure():
                    self._configure(step)
                case WriteBacklog():
                    self._write_backlog(step)
                case WaitUntilDelivered():
                    self._wait_until_delivered(step.kind)
                case MeasureBacklog():
                    observation = self._measure_backlog(step)
                case MeasureStream():
                    observation = self._measure_stream(step, tokens)
        self._check_configured()
        if observation is None:
            raise ValueError("a trial needs exactly one measuring step")
        return self._with_tokens(observation, tokens)

    def _configure(self, step: Configure) -> None:
        self._check_configured()
        for agent in self.switch.of(step.kind):
            for change in agent_ports(self.target).agent_changes.plan_setting(agent, step.setting, self.owner):
                self.changer.apply(change)
                self.configured[change.kind, change.subject] = change

    def _check_configured(self) -> None:
        """Refuse to go on where somebody else changed what was set: what is measured then, nobody knows."""
        for change in self.configured.values():
            if not self.target.changes.is_applied(change):
                raise ChangedByOthers(
                    _(
                        "{subject} is no longer {wanted}, as this run had set it: somebody else changed it meanwhile, "
                        "so the run ends here"
                    ).format(subject=change.subject, wanted=change.new)
                )

    def _write_backlog(self, step: WriteBacklog) -> None:
        mean = sum(step.commands_per_transaction) / 2
        for position, reader in enumerate(self.switch.of(AgentKind.LOG_READER)):
            transactions = max(1, round(step.commands / mean))
            chunk = max(1, round(WRITE_CHUNK_COMMANDS / mean))
            written, newest, number = 0, "", 0
            while transactions > 0:
                self.control.check()
                count = min(chunk, transactions)
                seed = self.seed * 1_000_003 + position * 1_009 + number
                done = agent_ports(self.target).workload.write(reader, count, step.commands_per_transaction, seed)
                written, newest = written + done.commands, done.position
                transactions -= count
                number += 1
            self.written[position] = Written(written, newest)

    def _wait_until_delivered(self, kind: AgentKind) -> None:
        """Wait until this run's own last write has passed the agents of a kind, or until nothing is left at all.

        Where others write, something is always left.

        Raises:
            LimitExceeded: it takes too long.
        """
        planned = sum(done.commands for done in self.written.values())
        watch = self._watch(kind, planned=planned, limited=False)
        disturbances = self._disturbances(watch.begin())
        idle_ticks = own_ticks = 0
        while True:
            tick_s = max(_SHORTEST_WAITING_TICK_S, _share_s(_WAITING_TICK_SHARE, watch.last_offset_s))
            now = watch.tick(min(tick_s, _LONGEST_WAITING_TICK_S), lambda _sample: 0.0)
            self._raise_if_failed(now, kind)
            idle_ticks = idle_ticks + 1 if self._is_idle(now, kind) else 0
            left = now.log_pending_transactions
            if kind is AgentKind.DISTRIBUTION:
                # without a count, the agents' own word: more than once, as it may be older than what came last
                waiting = now.distribution_pending_commands
                left += int(idle_ticks < _IDLE_TICKS) if waiting is None else waiting
            own_ticks = own_ticks + 1 if self._has_passed(now, kind) else 0
            if left == 0 or own_ticks == _IDLE_TICKS:
                return
            disturbances.check(now, self.switch.of(kind), in_one_session=False)
            self._limit_waiting(kind, watch.last_offset_s)

    def _has_passed(self, now: ReplicationSample, kind: AgentKind) -> bool:
        """Tell whether this run's own last write to each database has passed its agent of a kind."""
        written = self.offered or self.written
        newest = [written.get(number) for number, _agent in enumerate(self.switch.of(kind))]
        return all(
            done is not None and has_passed(now.of(agent), done.position)
            for done, agent in zip(newest, self.switch.of(kind), strict=True)
        )

    def _limit_waiting(self, kind: AgentKind, waited_s: float) -> None:
        most = max((done.commands for done in (self.offered or self.written).values()), default=0)
        limit_s = WAIT_LIMIT_S + most / _SLOWEST_COMMANDS_PER_S
        if waited_s > limit_s:
            raise LimitExceeded(
                _(
                    "the {agents} had not processed this run's own last write after {limit:,.0f} s, and agents of "
                    "production must not stand for longer; the run ends"
                ).format(agents=agents_named(kind), limit=limit_s)
            )

    def _is_idle(self, now: ReplicationSample, kind: AgentKind) -> bool:
        """Tell whether the log is read and all agents of a kind say that nothing waits for them."""
        readings = [now.of(agent) for agent in self.switch.of(kind)]
        return now.log_pending_transactions == 0 and all(
            r is not None and r.runstatus == RUNSTATUS_IDLE for r in readings
        )

    def _measure_backlog(self, step: MeasureBacklog) -> AgentTrialObservation:
        agents = self.switch.of(step.kind)
        wanted = {agent.agent_id: self.written[position] for position, agent in enumerate(agents)}
        commands = {agent_id: done.commands for agent_id, done in wanted.items()}
        watch = self._watch(step.kind, planned=sum(commands.values()), limited=True)
        watch.slow = (self._pending_readings(),)
        disturbances = self._disturbances(watch.begin())
        size = self._command_bytes(step.kind)
        self.switch.start(step.kind)
        idle_ticks, counted_s = 0, 0.0
        while True:
            now = watch.tick(
                self.tick_s(watch.last_offset_s), lambda sample: _share_delivered(sample, agents, commands)
            )
            self._raise_if_failed(now, step.kind)
            if delivered_all(now, agents, wanted):
                break
            if not delivered_count(now, agents, commands):
                counted_s = watch.last_offset_s
            self._limit_waiting(step.kind, watch.last_offset_s - counted_s)
            disturbances.check(now, agents, in_one_session=True)
            # as many as were written may have been delivered and this run's own last one not: others write as well
            is_over = self._is_idle(now, step.kind) or self._has_passed(now, step.kind)
            idle_ticks = idle_ticks + 1 if is_over and disturbances.have_begun(agents) else 0
            if idle_ticks == _IDLE_TICKS:
                if delivered_count(now, agents, commands):
                    break
                disturbances.raise_short(now, commands, agents)
        self._tell_past_work(watch)
        measured = tuple(observe_session(self.target, agent, wanted[agent.agent_id]) for agent in agents)
        self._tell_foreign([(one.agent, one.delivered_commands, commands[one.agent.agent_id]) for one in measured])
        observation = self._observation(watch, measured, (), planned=min(commands.values()), offered=0, warm_up_s=0.0)
        return replace(observation, command_bytes=size)

    def _tell_foreign(self, counts: Sequence[tuple[Agent, int, int]]) -> None:
        """Tell which share of what passed was not written by this run.

        Args:
            counts: agent, commands it counted, commands this run wrote for it.
        """
        for agent, counted, written in counts:
            share = 1 - written / counted if counted > 0 else 0.0
            if share >= FOREIGN_NOTED_SHARE:
                self.on_happening(Happening(Work.OTHER_COMMANDS, agent.publisher_at, agent.publisher_db, share))

    def _tell_past_work(self, watch: Watch) -> None:
        """Tell what the servers' history says of the time that was measured; asked once, at its end."""
        agents = agent_ports(self.target).agents
        elapsed_s = self.target.clock.monotonic_s() - watch.began_s
        for server in agents.servers_of(watch.concerned):
            readings = agents.past_readings(server, elapsed_s, watch.concerned)
            tell_past_work(readings, self.refused, self.on_happening)

    def _command_bytes(self, kind: AgentKind) -> float | None:
        """Read the mean size of the commands waiting for delivery; it tells the use of a link and may be missing."""
        if kind is not AgentKind.DISTRIBUTION:
            return None
        agent, ports = self.switch.of(kind)[0], agent_ports(self.target)
        return read_optional("command_bytes", self.refused, lambda: ports.agents.read_command_bytes(agent))

    def _measure_stream(self, step: MeasureStream, tokens: TracerTokens) -> AgentTrialObservation:
        agents = self.switch.of(step.kind)
        # behind a backlog that is kept up on purpose a token would tell the age of the backlog
        slow = (self._pending_readings(), *((tokens,) if step.rate_per_s is not None else ()))
        others = tuple(a for kind in AgentKind if kind is not step.kind for a in self.switch.of(kind))
        watch = replace(self._watch(step.kind, planned=0, limited=True), others=others, slow=slow)
        first = watch.begin()
        disturbances = self._disturbances(first)
        # the load comes in one portion per tick: the shorter they are, the steadier it is
        tick_s = max(SHORTEST_TICK_S, step.duration_s / SAMPLES_PER_TRIAL)
        offered = [0]
        readings: list[ReplicationSample] = []
        while watch.last_offset_s < step.duration_s:
            before_s = self.target.clock.monotonic_s()
            offered.append(offered[-1] + self._feed(step, tick_s, (first, *readings), offered))
            rest_s = max(0.0, tick_s - (self.target.clock.monotonic_s() - before_s))
            now = watch.tick(rest_s, lambda _sample: watch.last_offset_s / step.duration_s)
            self._raise_if_failed(now, step.kind)
            disturbances.check(now, (*agents, *others), in_one_session=False)
            readings.append(now)
        self._tell_past_work(watch)
        self._tell_foreign_of_stream(first, readings[-1])
        start = _first_steady(readings, agents)
        windows = [self._window(agent, readings[0].at, readings[start:]) for agent in (*agents, *others)]
        warm_up_s = (readings[start].at - readings[0].at).total_seconds()
        measured, rest = tuple(windows[: len(agents)]), tuple(windows[len(agents) :])
        made = self._observation(watch, measured, rest, planned=0, offered=offered[-1], warm_up_s=warm_up_s)
        size = self._command_bytes(step.kind)
        return replace(made, lock_wait_s=watch.lock_wait_s(readings[start]), command_bytes=size)

    def _tell_foreign_of_stream(self, first: ReplicationSample, last: ReplicationSample) -> None:
        """Tell what the Log Reader Agents found in the logs beyond what this run wrote: at least so much."""
        readers = self.switch.of(AgentKind.LOG_READER)
        counted = [_delivered_between(first, last, (reader,)) for reader in readers]
        written = [self.offered[number].commands if number in self.offered else 0 for number in range(len(readers))]
        self._tell_foreign(list(zip(readers, counted, written, strict=True)))

    def _with_tokens(self, observation: AgentTrialObservation, tokens: TracerTokens) -> AgentTrialObservation:
        """Take the tokens back and add what they told; the last ones may have arrived after the measuring step."""
        late = tokens.finish()
        if late:
            self.on_samples(late, 1.0)
        return replace(observation, samples=(*observation.samples, *late), tokens=tokens.arrived(observation.warm_up_s))

    def _pending_readings(self) -> PendingReadings:
        return PendingReadings(agent_ports(self.target).agents, self.switch.of(AgentKind.DISTRIBUTION), self.refused)

    def _window(self, agent: Agent, trial_began: datetime, steady: list[ReplicationSample]) -> AgentObservation:
        if sum(sample.of(agent) is not None for sample in steady) < 2:
            return observe_session(self.target, agent, None)
        return observe_window(self.target, agent, trial_began, steady)

    def _feed(
        self, step: MeasureStream, tick_s: float, readings: Sequence[ReplicationSample], offered: Sequence[int]
    ) -> int:
        """Write this tick's share of the steady workload and return the commands written, all pairs.

        Args:
            readings: so far, the one before anything was written first.
            offered: commands written in all when each of them was taken.
        """
        mean = sum(step.commands_per_transaction) / 2
        rate_per_s = step.rate_per_s
        if rate_per_s is None:
            rate_per_s = self._missing_commands(step, readings, offered) / tick_s
        transactions = round(rate_per_s * tick_s / mean)
        if transactions <= 0:
            return 0
        fed = 0
        for position, reader in enumerate(self.switch.of(AgentKind.LOG_READER)):
            done = agent_ports(self.target).workload.write(
                reader,
                transactions,
                step.commands_per_transaction,
                self.seed * 1_000_003 + position * 1_009 + len(readings) - 1,
            )
            before = self.offered.get(position, Written(0, ""))
            self.offered[position] = Written(before.commands + done.commands, done.position)
            fed += done.commands
        return fed

    def _missing_commands(
        self, step: MeasureStream, readings: Sequence[ReplicationSample], offered: Sequence[int]
    ) -> float:
        """Return what fills the backlog in front of each agent under test up to `ahead_commands` again."""
        agents, per_transaction = self.switch.of(step.kind), sum(step.commands_per_transaction) / 2
        if step.kind is AgentKind.DISTRIBUTION:
            waiting = _waiting_commands(readings, offered, agents, per_transaction)
        else:
            waiting = readings[-1].log_pending_transactions * per_transaction
        return max(0.0, step.ahead_commands - waiting / max(1, len(agents)))

    def _watch(self, kind: AgentKind, planned: int, *, limited: bool) -> Watch:
        return Watch(
            target=self.target,
            control=self.control,
            limits=self.plan.limits,
            measured=self.switch.of(kind),
            concerned=tuple(agent for each in AgentKind for agent in self.switch.of(each)),
            backlogs=Backlogs(
                agent_ports(self.target).agents,
                self.target.clock,
                self.switch.of(AgentKind.DISTRIBUTION),
                planned + max(BACKLOG_COUNTED, math.ceil(self.plan.limits.get("pending_commands") or 0)) + 1,
                COUNT_EVERY_S if limited else 0.0,
                self.refused,
                self._tell_unwatched,
            ),
            planned_backlog=planned,
            expected_s=self.expected_s,
            on_samples=self.on_samples if limited else _ignore_samples,
            on_server_time=self.on_server_time,
            on_happening=self.on_happening if limited else _ignore,
            skipped=self.skipped,
        )

    def _tell_unwatched(self) -> None:
        limit = self.plan.limits.get("pending_commands")
        if limit is not None:
            self.on_note(
                _(
                    "the limit of {limit:,.0f} pending commands is not watched for the rest of this run: pending "
                    "commands are no longer counted, because the server refused it or it took too long"
                ).format(limit=limit)
            )

    def _disturbances(self, first: ReplicationSample) -> Disturbances:
        """Return what holds a watch against the first reading of the whole trial: it may have begun too late itself."""
        if self._noticed is None:
            unknown = [f"{database} ({server})" for server, database in first.log_use_unknown]
            tell_log_unwatched(self.plan.limits, unknown, self.refused, self.on_note)
            agents = agent_ports(self.target).agents
            listeners = frozenset(agent.redirected for agent in self.switch.participants)
            self._noticed = Disturbances(agents, self.switch, self._leave, self.on_mark, first, listeners, self.behind)
        self._noticed.begin(first)
        return self._noticed

    def _leave(self, agent: Agent) -> None:
        """Have nothing put back of an agent that is gone; the profile made for it is dropped all the same."""
        self.switch.leave(agent)
        own = [change for change in self.configured.values() if change.detail_or("job_id", "") == agent.job_id]
        self.changer.leave([change for change in own if change.kind != DEDICATED_PROFILE])

    def _raise_if_failed(self, now: ReplicationSample, kind: AgentKind) -> None:
        problem = failed_text(now, self.switch.of(kind))
        if problem:
            raise TargetError(_("a replication agent failed during the trial: {problem}").format(problem=problem))

    def _observation(
        self,
        watch: Watch,
        measured: tuple[AgentObservation, ...],
        others: tuple[AgentObservation, ...],
        *,
        planned: int,
        offered: int,
        warm_up_s: float,
    ) -> AgentTrialObservation:
        return AgentTrialObservation(
            measured=measured,
            others=others,
            samples=tuple(watch.samples),
            planned_commands=planned,
            offered_commands=offered,
            lock_wait_s=watch.lock_wait_s(),
            warm_up_s=warm_up_s,
        )


def _share_s(share: float, elapsed_s: float) -> float:
    """Return a share of the time so far in tenths of a second: the same by every clock of whole milliseconds."""
    return round(share * round(elapsed_s, 1), 1)


def _ignore_samples(_samples: tuple[Sample, ...], _progress: float) -> None:
    """Preparation is sampled for the abort rules only."""


def _waiting_commands(
    readings: Sequence[ReplicationSample],
    offered: Sequence[int],
    agents: tuple[Agent, ...],
    commands_per_transaction: float,
) -> float:
    """Return what waits for agents by now: what was counted last, and what was written and delivered since then."""
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


def _share_delivered(sample: ReplicationSample, agents: tuple[Agent, ...], wanted: dict[int, int]) -> float:
    done = sum(reading.delivered_commands for agent in agents if (reading := sample.of(agent)) is not None)
    return done / max(1, sum(wanted.values()))


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
