"""The common state of the steps of one replication-agent trial."""

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial

from app.domain.errors import TargetError
from app.domain.happening import Happening, Work
from app.domain.rig import LimitExceeded
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import StepRig
from app.runner.limits import tell_log_unwatched
from app.runner.optional import read_optional
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import AGENT_LIMITS, PENDING_COMMANDS, ReplicationSample
from app.systems.transactional_replication.rig.disturbances import Disturbances
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.pending import COUNT_EVERY_S, Backlogs, PendingReadings
from app.systems.transactional_replication.rig.switching import Configured, agents_named, leave, switch_of
from app.systems.transactional_replication.rig.tracer_tokens import TracerTokens
from app.systems.transactional_replication.rig.watch import (
    RUNSTATUS_IDLE,
    AgentWatch,
    DataAge,
    OwnWorkWatch,
    failed_text,
    has_passed,
)
from app.systems.transactional_replication.rig.work_left import BACKLOG_COUNTED, WorkLeft
from app.systems.transactional_replication.topology import Agent, TokenClocks, Written
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation

# In windows on own work, whose settings do not depend on it: often enough for a curve of the backlog.
_COUNT_WINDOW_S = 60.0
# Readings in a row in which agents say that nothing waits, where that is all there is to tell it; and after which
# nothing else is waited for where this run's own last write has arrived: what came right behind it has, too, by then.
IDLE_TICKS = 3
# Waiting for this run's own last write ends with the run after so long: a published study's slowest agents delivered
# some hundred commands/s, and what takes longer than this keeps an agent of production standing.
WAIT_LIMIT_S, _SLOWEST_COMMANDS_PER_S = 900.0, 200.0
# Others' work below this share of what passes an agent is not worth telling: tracer tokens, heartbeats. Our choice.
FOREIGN_NOTED_SHARE = 0.01


class ServersMet:
    """A run's knowledge of servers, which no restore changes.

    Attributes:
        started_ms: which start of a server the run began with behind each listener.
        clocks: of the servers tracer tokens pass, by Distribution Agent.
    """

    def __init__(self) -> None:
        self.started_ms: dict[str, int] = {}
        self.clocks: dict[int, TokenClocks] = {}

    def forget(self) -> None:
        """Keep it: servers are the same after a restore."""


class AgentTrial:
    """The writes of one trial, and its watches.

    Attributes:
        written: the backlog of this trial, by number of the pair. offered: its steady workload so far.
    """

    def __init__(self, rig: StepRig[Participants]) -> None:
        self.rig = rig
        self.switch = switch_of(rig)
        self.written: dict[int, Written] = {}
        self.offered: dict[int, Written] = {}
        self.tokens = TracerTokens(
            rig.at.target,
            rig.parts.changer,
            self.switch.of(AgentKind.DISTRIBUTION),
            rig.refused,
            rig.kept(ServersMet).clocks,
        )
        self._noticed: Disturbances | None = None

    def has_passed(self, now: ReplicationSample, kind: AgentKind) -> bool:
        """Tell whether this run's own last write to each database has passed its agent of a kind."""
        written = self.offered or self.written
        newest = [written.get(number) for number, _agent in enumerate(self.switch.of(kind))]
        return all(
            done is not None and has_passed(now.of(agent), done.position)
            for done, agent in zip(newest, self.switch.of(kind), strict=True)
        )

    def limit_waiting(self, kind: AgentKind, waited_s: float) -> None:
        """Raise LimitExceeded where this run's own last write has been waited for too long."""
        most = max((done.commands for done in (self.offered or self.written).values()), default=0)
        limit_s = WAIT_LIMIT_S + most / _SLOWEST_COMMANDS_PER_S
        if waited_s > limit_s:
            raise LimitExceeded(
                _(
                    "the {agents} had not processed this run's own last write after {limit:,.0f} s, and agents of "
                    "production must not stand for longer; the run ends"
                ).format(agents=agents_named(kind), limit=limit_s)
            )

    def is_idle(self, now: ReplicationSample, kind: AgentKind) -> bool:
        """Tell whether the log is read and all agents of a kind say that nothing waits for them."""
        readings = [now.of(agent) for agent in self.switch.of(kind)]
        return now.log_pending_transactions == 0 and all(
            r is not None and r.runstatus == RUNSTATUS_IDLE for r in readings
        )

    def tell_foreign(self, counts: Sequence[tuple[Agent, int, int]]) -> None:
        """Report the share of commands that this run did not write.

        Args:
            counts: agent, commands it counted, commands this run wrote for it.
        """
        for agent, counted, written in counts:
            share = 1 - written / counted if counted > 0 else 0.0
            if share >= FOREIGN_NOTED_SHARE:
                self.rig.call.on_happening(
                    Happening(Work.OTHER_COMMANDS, agent.publisher_at, agent.publisher_db, share)
                )

    def tell_past_work(self, watch: AgentWatch) -> None:
        """Report the work that the servers' history shows for the measured time; asked once, at its end."""
        agents = agent_ports(self.rig.at.target).agents
        elapsed_s = watch.elapsed_s
        for server in agents.servers_of(self._concerned):
            watch.tell_past_work(agents.past_readings(server, elapsed_s, self._concerned))

    @property
    def _concerned(self) -> tuple[Agent, ...]:
        """The agents whose queues are watched: all that take part."""
        return tuple(agent for kind in AgentKind for agent in self.switch.of(kind))

    def command_bytes(self, kind: AgentKind) -> float | None:
        """Read the mean size of the commands waiting for delivery; it tells the use of a link and may be missing."""
        if kind is not AgentKind.DISTRIBUTION:
            return None
        agent, ports = self.switch.of(kind)[0], agent_ports(self.rig.at.target)
        return read_optional("command_bytes", self.rig.refused, lambda: ports.agents.read_command_bytes(agent))

    def pending_readings(self) -> PendingReadings:
        """Return the counter of pending commands, at a gentle pace."""
        return PendingReadings(
            agent_ports(self.rig.at.target).agents, self.switch.of(AgentKind.DISTRIBUTION), self.rig.refused
        )

    def watch(self, kind: AgentKind, planned: int, *, limited: bool) -> AgentWatch:
        """Return the watch of a kind's agents; unlimited, a preparation is sampled for the abort rules only."""
        rig, agents = self.rig, agent_ports(self.rig.at.target).agents
        backlogs = Backlogs(
            agents,
            rig.at.target.clock,
            self.switch.of(AgentKind.DISTRIBUTION),
            planned + max(BACKLOG_COUNTED, math.ceil(rig.at.plan.limits.get(PENDING_COMMANDS.name) or 0)) + 1,
            COUNT_EVERY_S if limited else 0.0,
            rig.refused,
            self._tell_unwatched,
        )
        return AgentWatch(
            rig.parts,
            rig.call if limited else replace(rig.call, on_samples=_ignore, on_happening=_ignore),
            AGENT_LIMITS,
            lambda: agents.sample(self._concerned),
            _ignore,
            {},
            rig.refused,
            rig.skipped,
            backlogs,
            self.switch.of(kind),
            planned,
        )

    def watch_own_work(self, kind: AgentKind, source: WorkSource) -> OwnWorkWatch:
        """Return the watch of a window: the backlog is counted rarely, up to a bound, and is no reason to end."""
        watch = self.watch(kind, planned=0, limited=True)
        kept = {each.name: getattr(watch, each.name) for each in fields(AgentWatch) if each.init}
        watch.backlogs.every_s = _COUNT_WINDOW_S
        left, readers = self.rig.kept(WorkLeft), self.switch.of(AgentKind.LOG_READER)
        return OwnWorkWatch(
            **kept,
            source=source,
            age=self.rig.kept(DataAge),
            left=lambda now: left.look(now, watch.measured, readers, self._ask_pending),
        )

    def _ask_pending(self) -> int | None:
        """Return Replication Monitor's count for the agents under test."""
        agents, refused = agent_ports(self.rig.at.target).agents, self.rig.refused
        counts = [
            read_optional("pending_commands", refused, partial(agents.read_pending, agent))
            for agent in self.switch.of(AgentKind.DISTRIBUTION)
        ]
        known = [count.commands for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def _tell_unwatched(self) -> None:
        limit = self.rig.at.plan.limits.get(PENDING_COMMANDS.name)
        if limit is not None:
            self.rig.call.on_note(
                _(
                    "the limit of {limit:,.0f} pending commands is not watched for the rest of this run: pending "
                    "commands are no longer counted, because the server refused it or it took too long"
                ).format(limit=limit)
            )

    def disturbances(self, first: ReplicationSample) -> Disturbances:
        """Return the check of a watch against the first reading of the whole trial: it may have begun too late
        itself."""
        if self._noticed is None:
            unknown = [f"{database} ({server})" for server, database in first.log_use_unknown]
            tell_log_unwatched(self.rig.at.plan.limits, unknown, self.rig.refused, self.rig.call.on_note)
            agents = agent_ports(self.rig.at.target).agents
            listeners = frozenset(agent.redirected for agent in self.switch.participants)
            self._noticed = Disturbances(
                agents,
                self.switch,
                lambda agent: leave(self.rig, agent),
                self.rig.call.on_mark,
                first,
                listeners,
                self.rig.kept(ServersMet).started_ms,
            )
        self._noticed.begin(first)
        return self._noticed

    def raise_if_failed(self, now: ReplicationSample, kind: AgentKind) -> None:
        """Raise TargetError where an agent of a kind failed."""
        problem = failed_text(now, self.switch.of(kind))
        if problem:
            raise TargetError(_("a replication agent failed during the trial: {problem}").format(problem=problem))

    def observation(
        self,
        watch: AgentWatch,
        measured: tuple[AgentObservation, ...],
        others: tuple[AgentObservation, ...],
        *,
        planned: int,
        offered: int,
        warm_up_s: float,
    ) -> AgentTrialObservation:
        """Return the trial's observation, without its tokens."""
        return AgentTrialObservation(
            measured=measured,
            others=others,
            samples=tuple(watch.samples),
            planned_commands=planned,
            offered_commands=offered,
            lock_wait_s=watch.lock_wait_s(),
            warm_up_s=warm_up_s,
        )


def finish(rig: StepRig[Participants], seen: AgentTrialObservation) -> AgentTrialObservation:
    """Remove the tokens and add their readings; the last ones may have arrived after the measuring step."""
    rig.kept(Configured).check(rig)
    tokens = rig.of_trial(AgentTrial).tokens
    late = tokens.finish()
    if late:
        rig.call.on_samples(late, 1.0)
    return replace(seen, samples=(*seen.samples, *late), tokens=tokens.arrived(seen.warm_up_s))


def _ignore(*_told: object) -> None:
    """Nobody listens."""
