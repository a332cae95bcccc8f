"""Watching agents while they are measured: samples, abort rules, and the work of each agent in the end.

A trial waits for its own last write by its position in the log (`Written`), never for an empty queue: on a site others
always write. Their writes are counted apart and noted beside the trial.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Protocol

from app.domain.measurement import BACKLOG, Sample
from app.domain.target import Target
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.model.reading import curves, fields_of, grown_by, limit_readings
from app.runner.bench.watch import SHORTEST_TICK_S, Watch
from app.runner.control import let_pass
from app.systems.transactional_replication.agent_language import fell_back
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import (
    AGENT_LATENCY,
    DELIVERED,
    DISTRIBUTOR_DISK,
    PENDING_COMMANDS,
    SUBSCRIBER_AGE,
    AgentReading,
    ReplicationSample,
)
from app.systems.transactional_replication.rig.pending import Backlogs
from app.systems.transactional_replication.topology import Agent, Written
from app.systems.transactional_replication.trial_seen import AgentObservation

RUNSTATUS_IDLE = 4
RUNSTATUS_RETRY = 5
RUNSTATUS_FAIL = 6


class SlowReading(Protocol):
    """Something read more rarely than once a tick."""

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Read the values due at this moment of the trial, seconds from its beginning, and return them."""
        ...


@dataclass
class AgentWatch(Watch[ReplicationSample]):
    """Reads all agents during a trial, counts their backlogs, and keeps the curves of those that run.

    Attributes:
        backlogs: counts those of the Distribution Agents.
        measured: agents under test.
        planned_backlog: commands the experiment put in front of them, all pairs together.
        others: agents that run meanwhile; what they deliver is kept as well.
        slow: what is read at a gentle pace meanwhile.
    """

    backlogs: Backlogs
    measured: tuple[Agent, ...]
    planned_backlog: int
    others: tuple[Agent, ...] = ()
    slow: tuple[SlowReading, ...] = ()
    _pause_s: float = field(default=0.0, init=False)
    _tested: ReplicationSample = field(init=False)

    @property
    def offset_s(self) -> float:
        """When the newest reading was taken, seconds since the first one."""
        return self._read_s

    def read_after(self, seconds: float, progress: Callable[[ReplicationSample], float]) -> ReplicationSample:
        """Let `seconds` pass, then read; raises as `read` does."""
        self._pause_s = seconds
        let_pass(seconds, self.parts.target.clock, self.parts.control)
        return self.read(progress)

    def wait(self) -> None:
        """Let some time pass after a reading that was not answered."""
        let_pass(max(SHORTEST_TICK_S, self._pause_s), self.parts.target.clock, self.parts.control)

    def take(self) -> ReplicationSample:
        """Read once, and count where that is due; raises TargetError."""
        now = super().take()
        if (pending := self.backlogs.read()) is not None:
            now = self.readings[-1] = replace(now, distribution_pending_commands=pending)
        self._read_s = self.elapsed_s
        return now

    def held(self, before: ReplicationSample, now: ReplicationSample) -> dict[str, float | None]:
        """Return the figures of the agents under test, by limit; a backlog put there on purpose is none of them."""
        self._tested = _only(now, self.measured)
        held = limit_readings(before, self._tested)
        if self.planned_backlog:  # which is old by design; its age says nothing about production
            held[AGENT_LATENCY.name] = 0.0
        if now.free_disk_gb is None:  # rather no trial than a full disk
            held[DISTRIBUTOR_DISK.name] = 0.0
        held[PENDING_COMMANDS.name] = (now.distribution_pending_commands or 0) - self.planned_backlog
        return held

    def show(self, before: ReplicationSample, now: ReplicationSample, progress: float) -> None:
        """Hand the curves of the agents on, with the readings that are taken more rarely."""
        shown = curves(before, self._tested, self._read_s)
        taken = tuple(sorted(shown, key=lambda sample: sample.stream not in _titles()))
        if self.others:
            beside = curves(before, _only(now, self.others), self._read_s)
            taken += tuple(sample for sample in beside if sample.stream.endswith(DELIVERED))
        for reading in self.slow:
            taken += reading.tick(self._read_s)
        self.hand_on(taken, progress)

    def lock_wait_s(self, since: ReplicationSample | None = None) -> float:
        """Return the growth of lock waits on the Distributor so far, from the first reading or a later one on."""
        return grown_by(since or self.readings[0], self.readings[-1], "lock_wait_s") or 0.0


class DataAge:
    """How old the data at the Subscribers of some agents is, reading by reading; kept from one trial to the next.

    An agent that stands, or has not delivered anything since its start, leaves data that ages by the second; one that
    delivers says how old its batch is; one that waits for work has delivered everything.

    Attributes:
        newest_s: the age at the newest reading.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, datetime]] = {}
        self.newest_s = 0.0

    def forget(self) -> None:
        """Start afresh after a restore: agents were started meanwhile."""
        self._known.clear()

    def look(self, now: ReplicationSample, agents: Sequence[Agent]) -> float:
        """Return the age at a reading, that of the oldest, seconds."""
        ages = [self._age_s(now, agent, reading) for agent in agents if (reading := now.of(agent)) is not None]
        self.newest_s = max(ages, default=0.0)
        return self.newest_s

    def _age_s(self, now: ReplicationSample, agent: Agent, reading: AgentReading) -> float:
        since_s = max(0.0, (now.at - reading.last_time).total_seconds())
        known = self._known.get(agent.agent_id)
        if reading.runstatus == RUNSTATUS_IDLE:
            age_s = 0.0
        elif known is not None and (reading.is_running is False or not reading.delivered_commands):
            age_s = known[0] + max(0.0, (now.at - known[1]).total_seconds())
        else:
            age_s = reading.latency_ms / 1_000 + since_s
        self._known[agent.agent_id] = age_s, now.at
        return age_s


def _not_known(_now: ReplicationSample) -> None:
    """Nobody counts."""


@dataclass
class OwnWorkWatch(AgentWatch):
    """The watch of a window on the client's own work: the backlog of the agent under test is no disturbance.

    Attributes:
        source: of a backlog that waited, which is old already, age is no limit; of one that gathers it is.
        age: how old the data at their Subscribers is.
        left: returns the commands that wait for them at a reading, None where that is not known.
    """

    source: WorkSource = WorkSource.OWN_BACKLOG
    age: DataAge = field(default_factory=lambda: DataAge())
    left: Callable[[ReplicationSample], int | None] = _not_known

    def hand_on(self, taken: tuple[Sample, ...], progress: float) -> None:
        """Hand curves on, with the backlog that is left."""
        waiting = self.left(self.readings[-1]) if self.source.shows_capacity else None
        backlog = () if waiting is None else (Sample(BACKLOG, self._read_s, waiting, "commands"),)
        super().hand_on((*taken, *backlog), progress)

    def held(self, before: ReplicationSample, now: ReplicationSample) -> dict[str, float | None]:
        """Return what the agents under test are judged by: neither their backlog nor, of one that waits, its age."""
        held = super().held(before, now)
        held[PENDING_COMMANDS.name] = 0.0
        if self.source.shows_capacity:
            held[AGENT_LATENCY.name] = 0.0
        if self.source is WorkSource.HELD:
            held[SUBSCRIBER_AGE.name] = self.age.look(now, self.measured)
        return held


@cache
def _titles() -> frozenset[str]:
    """Return the curves of all agents together, which come first."""
    return frozenset(curve.title for field in fields_of(ReplicationSample) for curve in field.curves)


def _only(sample: ReplicationSample, agents: tuple[Agent, ...]) -> ReplicationSample:
    """Return a sample with the readings of these agents, in their order."""
    return replace(sample, agents=tuple(one for agent in agents if (one := sample.of(agent)) is not None))


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
        fell_back=fell_back(rows),
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
        fell_back=fell_back(rows),
        failed=_failure(rows),
        watched_s=(ended - began).total_seconds(),
    )


def observe_rows(target: Target, agent: Agent, rows: Sequence[AgentReading]) -> AgentObservation:
    """Return an agent's work between the first and the last of some rows of one session, by their own times.

    A batch that was not committed is in no row, so that what is delivered counts and not what is read.
    """
    written = agent_ports(target).agents.read_history(agent)
    failed = _failure(written)
    if len(rows) < 2:
        return AgentObservation(agent, 0, 0, 0.0, (), (), None, fell_back=fell_back(written), failed=failed)
    since, until = rows[0], rows[-1]
    return AgentObservation(
        agent=agent,
        delivered_commands=until.delivered_commands - since.delivered_commands,
        delivered_transactions=until.delivered_transactions - since.delivered_transactions,
        elapsed_s=(until.last_time - since.last_time).total_seconds(),
        latencies_ms=tuple(row.latency_ms for row in rows[1:]),
        delivered_at=_delivered_at(rows, since.last_time),
        statistics=None,  # of the whole session, which is not what was measured
        fell_back=fell_back(written),
        failed=failed,
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


def _failure(rows: Sequence[AgentReading]) -> str:
    return next((row.comment for row in rows if row.runstatus in (RUNSTATUS_RETRY, RUNSTATUS_FAIL)), "")
