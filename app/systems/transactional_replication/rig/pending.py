"""Backlogs of Distribution Agents, counted at a gentle pace while agents run, and left out where they may not be."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.domain.measurement import Sample
from app.foundation.clock import Clock
from app.runner.optional import read_optional
from app.systems.transactional_replication.readings import PENDING
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.topology import Agent

# Replication Monitor's count reads the commands one by one; Microsoft calls it costly on a long queue.
PENDING_EVERY_S: Final = 120.0
_READING: Final = "pending_commands"
_BACKLOG: Final = "agent_backlog"
# Counting backlogs may take this share of the time at most.
_COUNT_SHARE: Final = 0.05
# While agents are measured, backlogs are counted this often: a second statement with every tick would be too many.
COUNT_EVERY_S: Final = 10.0


@dataclass
class PendingReadings:
    """Counts of pending commands in one trial; used by one thread.

    They explain what was measured and are not needed for it: where the login may not read them, the server does not
    have them, or counting takes too long, the rest of the run goes without.

    Attributes:
        deliverers: Distribution Agents; they take turns.
        refused: names of readings that were refused; shared by the trials of a run.
    """

    agents: SqlServerAgents
    deliverers: tuple[Agent, ...]
    refused: set[str]
    _next_s: float = PENDING_EVERY_S
    _turn: int = 0

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Read the counts that are due and return them.

        Raises:
            ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
        """
        if offset_s < self._next_s or not self.deliverers or _READING in self.refused:
            return ()
        self._next_s = offset_s + PENDING_EVERY_S
        agent = self.deliverers[self._turn % len(self.deliverers)]
        self._turn += 1
        pending = read_optional(_READING, self.refused, lambda: self.agents.read_pending(agent))
        if pending is None:
            return ()
        return (Sample(f"{agent.name}{PENDING}", offset_s, pending.commands, "commands"),)


@dataclass
class Backlogs:
    """The backlogs of one watch's Distribution Agents, each counted by itself; used by one thread.

    Counting takes at most a twentieth of the time, and is left out for the rest of a run where it is refused or takes
    too long.

    Attributes:
        deliverers: Distribution Agents under test.
        at_most: commands, where counting one agent's ends.
        every_s: between two counts, at least.
        refused: names of readings that were refused; shared by the trials of a run.
        on_dropped: told once in a run that nothing is counted from now on.
    """

    agents: SqlServerAgents
    clock: Clock
    deliverers: tuple[Agent, ...]
    at_most: int
    every_s: float
    refused: set[str]
    on_dropped: Callable[[], None]
    _next_s: float = -math.inf

    def read(self) -> int | None:
        """Return the commands that wait for all of them together, None where that was not counted at this moment.

        Raises:
            ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
        """
        started_s = self.clock.monotonic_s()
        if started_s < self._next_s:
            return None
        commands = self._count()
        finished_s = self.clock.monotonic_s()
        self._next_s = max(started_s + self.every_s, finished_s + (finished_s - started_s) / _COUNT_SHARE)
        return commands

    def _count(self) -> int | None:
        was_dropped = _BACKLOG in self.refused
        counts = [
            read_optional(_BACKLOG, self.refused, partial(self.agents.read_backlog, agent, self.at_most))
            for agent in self.deliverers
        ]
        if _BACKLOG in self.refused and not was_dropped:
            self.on_dropped()
        counted = [count for count in counts if count is not None]
        return sum(counted) if len(counted) == len(counts) else None
