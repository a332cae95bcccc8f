"""The backlog in front of the agents under test, reading by reading, while windows eat on in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.topology import Agent

BACKLOG_COUNTED: Final = 1_000_000
"""The backlog of one agent is counted up to here beyond what an experiment or a limit needs."""


@dataclass
class _Total:
    """The commands an agent has passed on since it was first looked at, whatever sessions it had.

    Attributes:
        session: the newest known of its session. since: the newest total since its subscription was created, or of its
            session.
    """

    session: object
    since: int
    grown: int = 0

    def look(self, reading: AgentReading) -> int:
        told = reading.total_delivered_commands
        newest = reading.delivered_commands if told is None else told
        is_other = told is None and reading.session_start != self.session
        self.grown += max(0, newest if is_other else newest - self.since)
        self.session, self.since = reading.session_start, newest
        return self.grown


class WorkLeft:
    """What waits for the agents under test, kept from one window to the next.

    A log that waits is told with each reading. Commands that wait in the distribution database are counted up to a
    bound now and then; beyond it they are reckoned: what waited at first, and what their Log Reader Agents brought
    since then, less what was delivered.
    """

    def __init__(self) -> None:
        self._totals: dict[tuple[AgentKind, int], _Total] = {}
        self._waited: int | None = None
        self._passed = 0
        self._has_asked = False

    def forget(self) -> None:
        """A restore between two windows changes no backlog."""

    def look(
        self, now: ReplicationSample, tested: Sequence[Agent], readers: Sequence[Agent], ask: Callable[[], int | None]
    ) -> int | None:
        """Return the commands that wait at a reading, None where that is not known.

        Args:
            readers: the Log Reader Agents that feed them; they themselves where these are tested.
            ask: counts what waits beyond the bound; costly, so it is done once in a run.
        """
        if tested and tested[0].kind is AgentKind.LOG_READER:
            return _in_the_log(now, tested)
        arrived = sum(self._grown(now, reader) for reader in readers)
        passed = arrived - sum(self._grown(now, agent) for agent in tested)
        counted = now.distribution_pending_commands
        if counted is not None and counted < BACKLOG_COUNTED:
            self._waited, self._passed = counted, passed
        elif self._waited is None and not self._has_asked:
            self._has_asked = True
            self._waited, self._passed = ask(), passed
        return None if self._waited is None else max(0, self._waited + passed - self._passed)

    def _grown(self, now: ReplicationSample, agent: Agent) -> int:
        reading, key = now.of(agent), (agent.kind, agent.agent_id)
        if reading is None:
            return self._totals[key].grown if key in self._totals else 0
        if key not in self._totals:
            told = reading.total_delivered_commands
            self._totals[key] = _Total(reading.session_start, reading.delivered_commands if told is None else told)
        return self._totals[key].look(reading)


def _in_the_log(now: ReplicationSample, readers: Sequence[Agent]) -> int | None:
    """Return the commands in front of Log Reader Agents, whose transactions are as large as those of their sessions."""
    waiting = 0.0
    for reader in readers:
        reading = now.of(reader)
        if reading is None or reading.delivered_transactions <= 0:
            return None
        waiting += now.log_pending_of(reader) * reading.delivered_commands / reading.delivered_transactions
    return round(waiting)
