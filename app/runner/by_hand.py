"""Guided mode: what would be changed is asked of the client's DBA as a script, and read back until the server shows it.

Reading stays with the program; not one changing statement of an agent or a parameter is sent by it.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.change import Change, StillRunning
from app.domain.errors import TargetError, Unsupported
from app.domain.ports import AgentChanges, ReplicationAgents, ServerChanges, Target
from app.domain.streams import OracleStreams, StreamsPath
from app.domain.topology import Agent
from app.foundation.texts import _
from app.runner.control import RunControl

# Often enough that nobody waits for the program, rarely enough to be no load.
LOOK_AGAIN_S = 2.0


@dataclass(frozen=True)
class HandRequest:
    """One script somebody is asked to run.

    Attributes:
        number: counts the requests of a run, from 1.
        is_undo: it puts something back.
    """

    number: int
    title: str
    server: str
    script: str
    is_undo: bool


class HandDesk:
    """Where requests lie until the server shows them done; safe to use from any thread."""

    def __init__(self, look_again_s: float = LOOK_AGAIN_S) -> None:
        """Prepare the desk.

        Args:
            look_again_s: real seconds between two looks at the server.
        """
        self._on_request: Callable[[HandRequest], None] = _ignore
        self._on_done: Callable[[HandRequest], None] = _ignore
        self._look_again_s = look_again_s
        self._look_now = threading.Event()
        self._given_up = threading.Event()
        self._count = 0

    def attach(self, on_request: Callable[[HandRequest], None], on_done: Callable[[HandRequest], None]) -> None:
        """Name who is told of requests, in the run's own thread."""
        self._on_request, self._on_done = on_request, on_done

    def say_done(self) -> None:
        """Look at the server now: somebody says the script was run."""
        self._look_now.set()

    def give_up(self) -> None:
        """Wait no longer for anything: what is not put back stays in the journal and in rollback.sql."""
        self._given_up.set()
        self._look_now.set()

    def obtain(self, asked: HandRequest, is_there: Callable[[], bool], check: Callable[[], None]) -> None:
        """Ask for a script to be run, unless what it does is there already, and wait until the server shows it.

        Args:
            asked: without its number.
            is_there: reads the server.
            check: raises where the wait must end for another reason.

        Raises:
            TargetError: nobody is going to run it.
        """
        if is_there():
            return
        self._count += 1
        request = replace(asked, number=self._count)
        self._look_now.clear()
        self._on_request(request)
        while not is_there():
            check()
            if self._given_up.is_set():
                raise TargetError(_("nobody ran the script: {title}").format(title=asked.title))
            self._look_now.wait(self._look_again_s)
            self._look_now.clear()
        self._on_done(request)


class ChangesByHand:
    """Changes that somebody else makes: the ServerChanges port over another one that only reads."""

    def __init__(self, changes: ServerChanges, desk: HandDesk, control: RunControl, server: str) -> None:
        self._changes = changes
        self._desk = desk
        self._control = control
        self._server = server

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Have the agents concerned stopped, so that the originals count from their next start.

        Raises:
            TargetError: nobody is going to run the script.
        """
        for change in self._changes.plan_quiesce(changes):
            self._obtain(change.subject, change.apply_sql, change, self._changes.is_applied, undo=True)
        return ()

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return what `quiesce` asks for."""
        return self._changes.plan_quiesce(changes)

    def apply(self, change: Change) -> None:
        """Have the change made, and read it back; raises RunCancelled where a cancel came first."""
        title = _("{subject}: {before} → {now}").format(
            subject=change.subject, before=change.original or "–", now=change.new or "–"
        )
        self._obtain(title, change.apply_sql, change, self._changes.is_applied, undo=False)

    def undo(self, change: Change) -> None:
        """Have the original put back, and read it back; raises TargetError where nobody will."""
        title = _("Put back {subject}: {before} → {now}").format(
            subject=change.subject, before=change.new or "–", now=change.original or "–"
        )
        self._obtain(title, change.undo_sql, change, self._changes.is_undone, undo=True)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the change is in effect."""
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original is in effect."""
        return self._changes.is_undone(change)

    def _obtain(
        self, title: str, script: str, change: Change, is_there: Callable[[Change], bool], *, undo: bool
    ) -> None:
        asked = HandRequest(0, title, self._server, script, undo)
        # putting back goes on after a cancel
        self._desk.obtain(asked, lambda: is_there(change), _nothing if undo else self._control.check)


class AgentsByHand:
    """Replication agents that somebody else starts and stops; everything read is read as ever."""

    def __init__(
        self, agents: ReplicationAgents, plans: AgentChanges, desk: HandDesk, control: RunControl, server: str
    ) -> None:
        self._agents = agents
        self._plans = plans
        self._desk = desk
        self._control = control
        self._server = server

    def start(self, agent: Agent) -> None:
        """Have the agent started and wait until it runs."""
        change = self._plans.plan_start(agent)
        self._switch(_("Start {agent}"), change, lambda: self._agents.is_running(agent))

    def stop(self, agent: Agent) -> None:
        """Have the agent stopped and wait until it stands."""
        change = self._plans.plan_stop(agent)
        self._switch(_("Stop {agent}"), change, lambda: not self._agents.is_running(agent))

    def _switch(self, text: str, change: Change, is_there: Callable[[], bool]) -> None:
        asked = HandRequest(0, text.format(agent=change.subject), self._server, change.apply_sql, is_undo=False)
        self._desk.obtain(asked, is_there, self._control.check)

    def __getattr__(self, name: str) -> Any:
        """Everything else is reading."""
        return getattr(self._agents, name)


class PlansByHand:
    """Plans of what somebody else is asked to change; nobody is asked every half minute."""

    def __init__(self, plans: AgentChanges) -> None:
        self._plans = plans

    def plan_tracer_token(self, _agent: Agent) -> Change:
        """Refuse: a token is posted, and deleted again, while a trial is measured."""
        raise Unsupported(_("no tracer tokens are posted where somebody else makes every change"))

    def __getattr__(self, name: str) -> Any:
        """Everything else is planned as ever."""
        return getattr(self._plans, name)


class StreamsByHand:
    """A Streams pipeline whose apply process somebody else stops and starts; everything read is read as ever."""

    def __init__(
        self, streams: OracleStreams, changes: ServerChanges, desk: HandDesk, control: RunControl, server: str
    ) -> None:
        self._streams = streams
        self._changes = changes
        self._desk = desk
        self._control = control
        self._server = server

    def stop_apply(self, path: StreamsPath) -> None:
        """Have the apply process stopped and wait until it stands."""
        for change in self._streams.plan_restart(path):
            self._switch(_("Stop {apply}"), change, change.apply_sql, self._changes.is_applied)

    def start_apply(self, path: StreamsPath) -> None:
        """Have the apply process started and wait until it runs."""
        for change in self._streams.plan_restart(path):
            self._switch(_("Start {apply}"), change, change.undo_sql, self._changes.is_undone)

    def _switch(self, text: str, change: Change, script: str, is_there: Callable[[Change], bool]) -> None:
        asked = HandRequest(0, text.format(apply=change.subject), self._server, script, is_undo=False)
        self._desk.obtain(asked, lambda: is_there(change), self._control.check)

    def __getattr__(self, name: str) -> Any:
        """Everything else is reading, planning, or the load."""
        return getattr(self._streams, name)


class TargetByHand:
    """A target whose changes somebody else makes; reading, and the workload, are its own."""

    def __init__(self, target: Target, desk: HandDesk, control: RunControl, server: str) -> None:
        self._target = target
        self.changes: ServerChanges = ChangesByHand(target.changes, desk, control, server)
        self.agent_changes: AgentChanges = _plans_by_hand(target)
        self.agents: ReplicationAgents = _agents_by_hand(target, desk, control, server)
        self.streams: OracleStreams = _streams_by_hand(target, desk, control, server)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the target's own."""
        return getattr(self._target, name)


def by_hand(target: Target, desk: HandDesk, control: RunControl, server: str) -> Target:
    """Return a target whose changes are asked of the client's DBA.

    Args:
        server: where scripts are to be run, for a person.
    """
    wrapped: Any = TargetByHand(target, desk, control, server)
    made: Target = wrapped
    return made


def _plans_by_hand(target: Target) -> AgentChanges:
    wrapped: Any = PlansByHand(target.agent_changes)
    made: AgentChanges = wrapped
    return made


def _agents_by_hand(target: Target, desk: HandDesk, control: RunControl, server: str) -> ReplicationAgents:
    wrapped: Any = AgentsByHand(target.agents, target.agent_changes, desk, control, server)
    made: ReplicationAgents = wrapped
    return made


def _streams_by_hand(target: Target, desk: HandDesk, control: RunControl, server: str) -> OracleStreams:
    wrapped: Any = StreamsByHand(target.streams, target.changes, desk, control, server)
    made: OracleStreams = wrapped
    return made


def _ignore(_request: HandRequest) -> None:
    """Until someone is attached."""


def _nothing() -> None:
    """A restore waits for nothing else."""
