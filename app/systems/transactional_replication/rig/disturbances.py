"""Disturbances of replication by others during a trial, seen in the readings of each tick."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NoReturn

from app.domain.errors import Disturbed
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.rig.participants import AgentSwitch
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.topology import Agent

# runstatus of a session that failed, MSdistribution_history: it has its own sentence.
_FAIL: Final = 6
# Time zones differ by quarters of an hour; a minute may be two calls of a clock around a full minute.
_SMALLEST_ZONE_STEP_MIN: Final = 15


@dataclass
class Disturbances:
    """Holds the readings of one trial against its first one; asks the server only where something happened.

    Attributes:
        on_gone: told an agent that is no longer there, before the trial ends.
        on_mark: told why a trial that goes on cannot be used.
        listeners: servers that are listeners of availability groups.
        behind: which start of a server the run began with behind each of them, shared by its trials.
        before: the first reading of the watch, taken before agents whose session must not begin anew were started.
        sessions: when the session of each of them began, by kind and id.
    """

    agents: SqlServerAgents
    switch: AgentSwitch
    on_gone: Callable[[Agent], None]
    on_mark: Callable[[str], None]
    first: ReplicationSample
    listeners: frozenset[str]
    behind: dict[str, int]
    before: ReplicationSample = field(init=False)
    sessions: dict[tuple[AgentKind, int], datetime] = field(default_factory=dict)
    utc_offset_min: int = field(init=False)

    def __post_init__(self) -> None:
        self.utc_offset_min = self.first.utc_offset_min
        self.begin(self.first)
        self._check_behind()

    def begin(self, before: ReplicationSample) -> None:
        """Begin another watch of the trial, with its first reading."""
        self.before = before
        self.sessions.clear()

    def _check_behind(self) -> None:
        """Raise Disturbed where a listener leads to another server than in an earlier trial of the run."""
        for server, started_ms in self.first.started_ms:
            if server in self.listeners and self.behind.setdefault(server, started_ms) != started_ms:
                raise Disturbed(
                    _(
                        "the availability group behind {server} failed over since the previous trial, or its server "
                        "was restarted; the run ends, and what it changed is undone"
                    ).format(server=server)
                )

    def check(self, now: ReplicationSample, running: Iterable[Agent], *, in_one_session: bool) -> None:
        """Look at one reading.

        Args:
            running: the agents that must run now.
            in_one_session: what they deliver is counted by their session, which must not begin anew.

        Raises:
            Disturbed: a server restarted, a publication or an agent is gone, or an agent stands or began anew.
        """
        self._check_servers(now)
        for agent in running:
            self._check_agent(now, agent)
            if in_one_session:
                self._check_session(now, agent)

    def _check_servers(self, now: ReplicationSample) -> None:
        before = dict(self.first.started_ms)
        for server, started_ms in now.started_ms:
            if before.get(server, started_ms) != started_ms:
                words = (
                    _(
                        "the availability group behind {server} failed over during the trial, or its server was "
                        "restarted; the run ends, and what it changed is undone"
                    )
                    if server in self.listeners
                    else _("{server} was restarted during the trial; the run ends, and what it changed is undone")
                )
                raise Disturbed(words.format(server=server))
        put_min = now.utc_offset_min - self.utc_offset_min
        if abs(put_min) >= _SMALLEST_ZONE_STEP_MIN:
            self.utc_offset_min = now.utc_offset_min
            self.on_mark(
                _("the Distributor's time of day was set {minutes:+d} min, and its history is stamped by it").format(
                    minutes=put_min
                )
            )

    def _check_agent(self, now: ReplicationSample, agent: Agent) -> None:
        reading, end = now.of(agent), (agent.publisher_at, agent.publisher_db)
        has_gone = reading is None and self.first.of(agent) is not None
        if has_gone or (end in self.first.published and end not in now.published):
            self.on_gone(agent)
            raise Disturbed(
                _("the publication or subscription of {agent} was dropped during the trial; the run ends").format(
                    agent=agent.name
                )
            )
        if reading is not None and reading.is_running is False and reading.runstatus != _FAIL:
            raise self.switch.ended(agent, self.agents.read_ending(agent))

    def _check_session(self, now: ReplicationSample, agent: Agent) -> None:
        reading, before = now.of(agent), self.before.of(agent)
        if reading is None or (before is not None and reading.session_start == before.session_start):
            return  # the session it was started for has not told anything yet
        began = self.sessions.setdefault((agent.kind, agent.agent_id), reading.session_start)
        if reading.session_start != began:
            raise Disturbed(
                _("{agent} began a new session during the trial, which counts from zero; the run ends").format(
                    agent=agent.name
                )
            )

    def have_begun(self, agents: Iterable[Agent]) -> bool:
        """Tell whether all these agents have told of the session they were started for."""
        return all((agent.kind, agent.agent_id) in self.sessions for agent in agents)

    def raise_short(self, now: ReplicationSample, wanted: Mapping[int, int], agents: Iterable[Agent]) -> NoReturn:
        """End the trial: all agents say that nothing waits, and one has counted fewer commands than were written.

        Args:
            wanted: commands written for each agent, by its id.

        Raises:
            Disturbed: always.
        """
        counts = {agent: reading.delivered_commands for agent in agents if (reading := now.of(agent)) is not None}
        agent = min(counts, key=lambda one: counts[one] - wanted[one.agent_id])
        raise Disturbed(
            _(
                "nothing waits for {agent} any more, but its session counts {delivered:,} of {wanted:,} commands: it "
                "was restarted during the trial, or left some out; the run ends"
            ).format(agent=agent.name, delivered=counts[agent], wanted=wanted[agent.agent_id])
        )
