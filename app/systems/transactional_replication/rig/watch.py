"""Watching agents while they are measured: samples, abort rules, and the work of each agent in the end.

A trial waits for its own last write by its position in the log (`Written`), never for an empty queue: on a site others
always write. Their writes are counted apart and noted beside the trial.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Protocol

from app.domain.happening import Happening
from app.domain.limits import Limits
from app.domain.measurement import Sample
from app.domain.rig import Control, LimitExceeded
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.control import let_pass
from app.runner.limits import exceeded_limit
from app.runner.skipped import SkippedReadings
from app.systems.transactional_replication.limits import AGENT_LIMITS
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.pending import Backlogs
from app.systems.transactional_replication.topology import Agent, AgentReading, ReplicationSample, Written
from app.systems.transactional_replication.trial_seen import AgentObservation

# The agent's own words when it gives up its streams (Microsoft KB953199: "reset to single connection mode").
FALLBACK_TEXT = "single connection mode"
_SHORTEST_PAUSE_S: Final = 1.0
RUNSTATUS_IDLE = 4
RUNSTATUS_RETRY = 5
RUNSTATUS_FAIL = 6

# How the series of the performance counter is named: the agent's name, then this.
COUNTER: Final = ": latency by its counter"

Emit = Callable[[tuple[Sample, ...], float], None]


class SlowReading(Protocol):
    """Something read more rarely than once a tick."""

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Read the values due at this moment of the trial, seconds from its beginning, and return them."""
        ...


@dataclass
class Watch:
    """Samples one trial at a fixed interval and keeps its samples; used by one thread.

    Attributes:
        measured: agents under test.
        concerned: agents whose queues are watched: all that take part.
        backlogs: counts what waits for those that deliver.
        others: agents that run meanwhile; what they deliver is kept as well.
        planned_backlog: commands the experiment put in front of them, all pairs together.
        expected_s: rough duration, for the progress shown.
        on_happening: told what else runs, at each reading anew.
        skipped: those of the trial.
        slow: what is read at a gentle pace meanwhile.
    """

    target: Target
    control: Control
    limits: Limits
    measured: tuple[Agent, ...]
    concerned: tuple[Agent, ...]
    backlogs: Backlogs
    planned_backlog: int
    expected_s: float
    on_samples: Emit
    on_server_time: Callable[[datetime, float], None]
    on_happening: Callable[[Happening], None]
    skipped: SkippedReadings
    others: tuple[Agent, ...] = ()
    slow: tuple[SlowReading, ...] = ()
    samples: list[Sample] = field(default_factory=list)
    first: ReplicationSample | None = None
    last: ReplicationSample | None = None
    began_s: float = 0.0
    last_offset_s: float = 0.0

    def begin(self) -> ReplicationSample:
        """Take the first reading and return it; offsets count from here."""
        self.first = self.last = self.skipped.read(self._read_first, lambda: self._wait(0.0))
        return self.first

    def _read_first(self) -> ReplicationSample:
        self.began_s = self.target.clock.monotonic_s()
        return self._read()

    def _wait(self, seconds: float) -> None:
        let_pass(max(_SHORTEST_PAUSE_S, seconds), self.target.clock, self.control)

    def _read(self) -> ReplicationSample:
        asked_s = self.target.clock.monotonic_s()
        now = agent_ports(self.target).agents.sample(self.concerned)
        self.on_server_time(now.at, self.target.clock.monotonic_s() - asked_s)
        for happening in now.work:
            self.on_happening(happening)
        return now

    def tick(self, seconds: float, progress: Callable[[ReplicationSample], float]) -> ReplicationSample:
        """Let `seconds` pass, read once, count where that is due, check cancel and limits, hand it on.

        Raises:
            RunCancelled: a cancel was asked for.
            LimitExceeded: an abort rule struck.
        """
        let_pass(seconds, self.target.clock, self.control)
        sampled = self.skipped.read(self._read, lambda: self._wait(seconds))
        now = replace(sampled, distribution_pending_commands=self.backlogs.read())
        offset_s = self.target.clock.monotonic_s() - self.began_s
        taken = self._samples_of(now, offset_s)
        for reading in self.slow:
            taken += reading.tick(offset_s)
        self.samples.extend(taken)
        self.on_samples(taken, min(1.0, progress(now)))
        self._check_limits(now, offset_s)
        self.last, self.last_offset_s = now, offset_s
        return now

    def lock_wait_s(self, since: ReplicationSample | None = None) -> float:
        """Return the growth of lock waits on the Distributor so far, from the first reading or a later one on."""
        since = since or self.first
        if since is None or self.last is None:
            return 0.0
        return max(0.0, self.last.lock_wait_s - since.lock_wait_s)

    def _samples_of(self, now: ReplicationSample, offset_s: float) -> tuple[Sample, ...]:
        taken = [
            Sample(_("pending in the log"), offset_s, now.log_pending_transactions, "transactions"),
            Sample(_("lock waits on the Distributor"), offset_s, now.lock_wait_s, "s"),
        ]
        stored = now.distribution_pending_commands
        if stored is not None:
            taken.insert(1, Sample(_("pending in the distribution database"), offset_s, stored, "commands"))
        for agent in self.measured:
            reading = now.of(agent)
            if reading is not None:
                taken.append(Sample(f"{agent.name}: delivered", offset_s, reading.delivered_commands, "commands"))
                taken.append(Sample(f"{agent.name}: latency", offset_s, reading.latency_ms, "ms"))
                if reading.counter_latency_ms is not None:
                    taken.append(Sample(f"{agent.name}{COUNTER}", offset_s, reading.counter_latency_ms, "ms"))
        for agent in self.others:
            reading = now.of(agent)
            if reading is not None:
                taken.append(Sample(f"{agent.name}: delivered", offset_s, reading.delivered_commands, "commands"))
        return tuple(taken)

    def _check_limits(self, now: ReplicationSample, offset_s: float) -> None:
        readings = [reading for agent in self.measured if (reading := now.of(agent)) is not None]
        interval_s = offset_s - self.last_offset_s
        grown_s = now.lock_wait_s - (self.last.lock_wait_s if self.last else now.lock_wait_s)
        sentence = exceeded_limit(
            AGENT_LIMITS,
            self.limits,
            {
                # a backlog put there on purpose is old by design; its age says nothing about production
                "latency_s": 0.0 if self.planned_backlog else max((r.latency_ms for r in readings), default=0.0) / 1000,
                "pending_commands": (now.distribution_pending_commands or 0) - self.planned_backlog,
                "log_used_share": now.log_used_share,
                "lock_wait_share": grown_s / interval_s if interval_s > 0 else 0.0,
                "free_disk_gb": now.free_disk_gb,
                "trial_duration_s": offset_s,
            },
        )
        if sentence:
            raise LimitExceeded(sentence)


def delivered_all(now: ReplicationSample, agents: tuple[Agent, ...], wanted: Mapping[int, Written]) -> bool:
    """Tell whether each agent's session has delivered its wanted commands (by agent id), the last of them, too.

    Where an agent does not say which transaction was its last, as many commands must do.
    """
    return delivered_count(now, agents, {agent_id: done.commands for agent_id, done in wanted.items()}) and not any(
        is_ahead(now.of(agent), wanted[agent.agent_id].position) for agent in agents
    )


def delivered_count(now: ReplicationSample, agents: tuple[Agent, ...], commands: Mapping[int, int]) -> bool:
    """Tell whether each agent's session has delivered as many commands as were written for it, whoever wrote them."""
    readings = [(now.of(agent), commands[agent.agent_id]) for agent in agents]
    return all(reading is not None and reading.delivered_commands >= wanted for reading, wanted in readings)


def has_passed(reading: AgentReading | None, position: str) -> bool:
    """Tell whether an agent has processed the log up to a position; where either is unknown, it has not."""
    return reading is not None and "" < position <= reading.position


def is_ahead(reading: AgentReading | None, position: str) -> bool:
    """Tell whether a position of the log is still ahead of an agent; where either is unknown, it is not."""
    return reading is not None and "" < reading.position < position


def failed_text(now: ReplicationSample, agents: tuple[Agent, ...]) -> str:
    """Return the message of an agent that failed, or ""."""
    for agent in agents:
        reading = now.of(agent)
        if reading is not None and reading.runstatus == RUNSTATUS_FAIL:
            return f"{agent.name}: {reading.comment}"
    return ""


def observe_session(target: Target, agent: Agent, wanted: Written | None) -> AgentObservation:
    """Return an agent's work in its newest session, from its own history rows.

    Args:
        wanted: the backlog; elapsed time ends with the row that completes it. None takes the newest row.
    """
    rows = agent_ports(target).agents.read_history(agent)
    is_ordered = wanted is not None and any(has_passed(row, wanted.position) for row in rows)
    end = next((row for row in rows if wanted is not None and _completes(row, wanted, is_ordered=is_ordered)), None)
    end = end or (rows[-1] if rows else None)
    if end is None:
        return AgentObservation(agent, 0, 0, 0.0, (), (), None, fell_back=False, failed=_("wrote no history"))
    delivering = _delivering(rows, 0)
    return AgentObservation(
        agent=agent,
        delivered_commands=end.delivered_commands,
        delivered_transactions=end.delivered_transactions,
        elapsed_s=(end.last_time - end.session_start).total_seconds(),
        latencies_ms=tuple(row.latency_ms for row in delivering),
        delivered_at=_delivered_at(delivering, rows[0].last_time),
        statistics=agent_ports(target).agents.read_statistics(agent),
        fell_back=_fell_back(rows),
        failed=_failure(rows),
    )


def _completes(row: AgentReading, wanted: Written, *, is_ordered: bool) -> bool:
    """Tell whether a backlog is delivered by a row: as many commands, and the last of them where rows tell that."""
    return row.delivered_commands >= wanted.commands and (not is_ordered or has_passed(row, wanted.position))


def observe_window(
    target: Target, agent: Agent, trial_began: datetime, steady: Sequence[ReplicationSample]
) -> AgentObservation:
    """Return an agent's work in the steady part of a continuous trial.

    Commands are the growth of the total since the subscription was created, which an agent that restarts meanwhile does
    not begin anew; a Log Reader Agent has totals of its session only, which are never summed.

    Errors and fall-backs count from the beginning of the trial on: they outlast the warm-up.

    Args:
        trial_began: Distributor's time of day.
        steady: the readings of the steady part, oldest first; at least two tell of this agent.
    """
    readings = [reading for sample in steady if (reading := sample.of(agent)) is not None]
    since, until = readings[0], readings[-1]
    began, ended = steady[0].at, steady[-1].at
    if since.session_start != until.session_start:
        since = replace(since, delivered_commands=0, delivered_transactions=0)
    before = since.delivered_commands
    grown = _grown(since.total_delivered_commands, until.total_delivered_commands)
    rows = tuple(
        r for r in agent_ports(target).agents.read_history(agent) if trial_began < r.last_time <= until.last_time
    )
    delivering = _delivering([row for row in rows if row.last_time > since.last_time], before)
    return AgentObservation(
        agent=agent,
        delivered_commands=until.delivered_commands - before if grown is None else grown,
        delivered_transactions=until.delivered_transactions - since.delivered_transactions,
        elapsed_s=(until.last_time - since.last_time).total_seconds(),
        latencies_ms=tuple(row.latency_ms for row in delivering),
        delivered_at=(*(((0.0, before),) if before else ()), *_delivered_at(delivering, began)),
        statistics=agent_ports(target).agents.read_statistics(agent),
        fell_back=_fell_back(rows),
        failed=_failure(rows),
        watched_s=(ended - began).total_seconds(),
    )


def _grown(since: int | None, until: int | None) -> int | None:
    """Return the growth of a total, None where there is none or where it began anew with another subscription."""
    return None if since is None or until is None or until < since else until - since


def _delivering(rows: Sequence[AgentReading], delivered_before: int) -> tuple[AgentReading, ...]:
    """Return the rows that delivered something since the row before."""
    totals = [delivered_before, *(row.delivered_commands for row in rows)]
    return tuple(row for row, before in zip(rows, totals, strict=False) if row.delivered_commands > before)


def _delivered_at(rows: Sequence[AgentReading], began: datetime) -> tuple[tuple[float, int], ...]:
    return tuple(((row.last_time - began).total_seconds(), row.delivered_commands) for row in rows)


def _fell_back(rows: Sequence[AgentReading]) -> bool:
    return any(FALLBACK_TEXT in row.comment for row in rows)


def _failure(rows: Sequence[AgentReading]) -> str:
    return next((row.comment for row in rows if row.runstatus in (RUNSTATUS_RETRY, RUNSTATUS_FAIL)), "")
