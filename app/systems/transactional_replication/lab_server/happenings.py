"""Others' actions on the lab's servers while an experiment runs: a DBA's hand, a crash, a restart."""

from collections.abc import Callable, Mapping
from typing import Final

from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.other_work import BACKUP_S, PROGRAMS_S
from app.systems.transactional_replication.lab_server.site import DISTRIBUTOR, PRIMARY, LabAgent
from app.systems.transactional_replication.lab_server.state import LabState

AGENT_WILL_NOT_STOP: Final = "agent_will_not_stop"
STREAM_FALLBACK: Final = "stream_fallback"
AGENT_STOPPED: Final = "agent_stopped"
AGENT_CRASHED: Final = "agent_crashed"
AGENT_RENAMED: Final = "agent_renamed"
JOB_OWNER_GONE: Final = "job_owner_gone"
AGENT_RESTARTED: Final = "agent_restarted"
PUBLICATION_DROPPED: Final = "publication_dropped"
OWN_FAULTS: Final = frozenset(
    {
        AGENT_WILL_NOT_STOP,
        STREAM_FALLBACK,
        AGENT_STOPPED,
        AGENT_CRASHED,
        AGENT_RENAMED,
        AGENT_RESTARTED,
        JOB_OWNER_GONE,
        PUBLICATION_DROPPED,
    }
)
"""Faults of the lab's servers of replication, besides those of every server."""

# A DBA who restarts an agent waits for its end in such steps.
_WAIT_S: Final = 0.5
# How long a listener answers nobody: some seconds of a planned failover, up to half a minute of an automatic one.
_ROLE_CHANGE_S: Final = 10.0
_RENAMED: Final = " (renamed)"
_SUMMER_MIN: Final = 60
# What a log backup costs everything else.
_BACKUP_SHARE: Final = 0.5
# And what other programs cost it.
_PROGRAMS_SHARE: Final = 0.2


class Happenings:
    """Lets things happen to agents, publications and servers, none of them through a statement of this program."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._by_kind: Mapping[str, Callable[[str], None]] = {
            AGENT_STOPPED: lambda _server: self._each(self.stop),
            AGENT_CRASHED: lambda _server: self._each(self.crash),
            AGENT_RESTARTED: lambda _server: self._each(self.restart_agent),
            JOB_OWNER_GONE: lambda _server: self.lose_job_owners(),
            AGENT_RENAMED: lambda _server: self._each(self.rename),
            PUBLICATION_DROPPED: lambda _server: self.drop_publication(0),
            FaultKind.LOG_BACKUP: self.back_up_log,
            FaultKind.OTHER_PROGRAMS: self.run_other_programs,
            FaultKind.SERVER_RESTARTED: self.restart_server,
            FaultKind.FAILOVER: self.fail_over,
            FaultKind.SUMMER_TIME: lambda _server: self.put_clock_forward(),
        }

    def happen(self, kind: str, server: str) -> None:
        """Let a fault happen that is no answer to a statement, to every agent that runs; others do nothing here."""
        if kind in self._by_kind:
            self._by_kind[kind](server)

    def stop(self, agent: LabAgent) -> None:
        """A DBA stops an agent's job; it ends with the batch in hand."""
        self._state.stop(agent)
        self._state.note_outcome(agent, was_stopped=True)

    def crash(self, agent: LabAgent) -> None:
        """An agent's process ends and writes no last row."""
        self._state.history[agent.job_id].has_crashed = True
        self._state.stop(agent)
        self._state.note_outcome(agent, was_stopped=False)

    def restart_agent(self, agent: LabAgent) -> None:
        """A DBA stops an agent and starts it again as soon as it has ended."""
        self.stop(agent)
        self._await_end(agent)
        self._state.start(agent)

    def rename(self, agent: LabAgent) -> None:
        """A DBA gives an agent's job another name."""
        self._state.site.renamed[agent.job_id] = agent.name + _RENAMED

    def lose_job_owners(self) -> None:
        """A DBA drops the login that owns the agents' jobs: they run on, and cannot be started again."""
        self._state.ownerless.update(agent.job_id for agent in self._state.site.live_agents)

    def drop_publication(self, pair: int) -> None:
        """A DBA drops a publication, its subscription and with them both agents of a publication database."""
        dropped = self._state.site.pairs[pair]
        for agent in (dropped.log_reader, dropped.distribution):
            self._state.stop(agent)
            self._await_end(agent)
            self._state.forget_profile(agent)
        self._state.site.dropped.add(pair)

    def back_up_log(self, server: str) -> None:
        """A job of the server's own backs up a log, which everything else there waits for."""
        self._state.other_work.begin(server)
        self._state.lab.slow_down(BACKUP_S, _BACKUP_SHARE)

    def run_other_programs(self, server: str) -> None:
        """Something that is not SQL Server needs processors, and everything else there gets fewer."""
        self._state.other_work.begin_programs(server)
        self._state.lab.slow_down(PROGRAMS_S, _PROGRAMS_SHARE)

    def restart_server(self, server: str) -> None:
        """A server restarts; connections come back by themselves, and a Distributor's agents start again."""
        self._state.server_starts[server] = self._state.server_starts.get(server, 0) + 1
        if server == DISTRIBUTOR:
            for agent in self._running():
                self.crash(agent)
                self._await_end(agent)
                self._state.start(agent)

    def fail_over(self, server: str) -> None:
        """The availability group behind an address fails over; each time the address leads to the other replica.

        The listener answers nobody until the new primary replica does, and every connection is broken. Readers of a
        publication database lose theirs and begin anew. A distribution database's agents are jobs of each replica, of
        which those at the primary one run: at the first replica they end, and start when the group fails back.
        """
        state = self._state
        state.failovers[server] = state.failovers.get(server, 0) + 1
        state.opens_at_s[server] = state.lab.now_s + _ROLE_CHANGE_S
        if server == DISTRIBUTOR:
            self._move_agents(is_back=not state.is_elsewhere(server))
            return
        for pair in state.site.live_pairs:
            if state.site.is_redirected(pair) and state.agent_state(pair.log_reader).running:
                self.crash(pair.log_reader)
                self._await_end(pair.log_reader)
                state.start(pair.log_reader)

    def lose_distribution(self, role: str) -> None:
        """The distribution database's group fails over, and its Distributor goes on by its own name.

        Args:
            role: of the database at the Distributor from now on.
        """
        is_back = role == PRIMARY
        if is_back:
            self._state.distribution_role = role
        self._move_agents(is_back=is_back)
        self._state.distribution_role = role

    def _move_agents(self, *, is_back: bool) -> None:
        for agent in self._state.site.live_agents:
            if is_back and not self._state.agent_state(agent).running:
                self._state.start(agent)
            elif not is_back and self._state.agent_state(agent).running:
                self.crash(agent)
                self._await_end(agent)

    def put_clock_forward(self) -> None:
        """Summer time begins: the servers' time of day goes forward by an hour, their UTC does not."""
        self._state.utc_offset_min += _SUMMER_MIN

    def _each(self, action: Callable[[LabAgent], None]) -> None:
        for agent in self._running():
            action(agent)

    def _running(self) -> list[LabAgent]:
        return [agent for agent in self._state.site.live_agents if self._state.agent_state(agent).running]

    def _await_end(self, agent: LabAgent) -> None:
        while self._state.agent_state(agent).running:
            self._state.advance(_WAIT_S)
