"""The commands Replication Monitor counts as pending, read at a gentle pace while agents run."""

import logging
from dataclasses import dataclass
from typing import Final

from app.domain.errors import ConnectionLost, StatementCancelled, TargetError
from app.domain.measurement import Sample
from app.systems.transactional_replication.ports import ReplicationAgents
from app.systems.transactional_replication.topology import Agent

# Replication Monitor's count reads the commands one by one; Microsoft calls it costly on a long queue.
PENDING_EVERY_S: Final = 120.0
# How the series is named: the agent's name, then this.
PENDING: Final = ": pending commands"
_READING: Final = "pending_commands"

_log = logging.getLogger(__name__)


@dataclass
class PendingReadings:
    """Counts of pending commands in one trial; used by one thread.

    They explain what was measured and are not needed for it: where the login may not read them, the server does not
    have them, or counting takes too long, the rest of the run goes without.

    Attributes:
        deliverers: Distribution Agents; they take turns.
        refused: names of readings that were refused; shared by the trials of a run.
    """

    agents: ReplicationAgents
    deliverers: tuple[Agent, ...]
    refused: set[str]
    _next_s: float = PENDING_EVERY_S
    _turn: int = 0

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Read what is due and return it.

        Raises:
            ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
        """
        if offset_s < self._next_s or not self.deliverers or _READING in self.refused:
            return ()
        self._next_s = offset_s + PENDING_EVERY_S
        agent = self.deliverers[self._turn % len(self.deliverers)]
        self._turn += 1
        try:
            pending = self.agents.read_pending(agent)
        except (ConnectionLost, StatementCancelled):
            raise
        except TargetError as error:
            _log.info("pending commands are not read in this run: %s", error)
            self.refused.add(_READING)
            return ()
        return (Sample(f"{agent.name}{PENDING}", offset_s, pending.commands, "commands"),)
