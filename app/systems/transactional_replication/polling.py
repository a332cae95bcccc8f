"""Polling of a Distributor: its agents, and now and then the backlog of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import TargetError
from app.domain.target import Target
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.stored_backlog import MOST_COUNTED, StoredBacklog, backlog_counted
from app.systems.transactional_replication.topology import Topology

# Counting seeks through a backlog, so it is done seldom, and a large one more seldom still.
_COUNT_EVERY_S: Final = 60.0
_COUNT_LARGE_EVERY_S: Final = 600.0
_COUNTED_A_MINUTE: Final = 1_000_000


@dataclass(frozen=True)
class ReplicationNow:
    """One reading.

    Attributes:
        waiting: stored for each Distribution Agent, by its id; one whose number is not known is left out.
        counted_s_ago: how old `waiting` is.
    """

    sample: ReplicationSample
    waiting: Mapping[int, StoredBacklog] = field(default_factory=dict)
    counted_s_ago: float = 0.0

    @property
    def next_count_s(self) -> float:
        """How old a count becomes: a minute for each million commands counted, within bounds."""
        millions = sum(one.commands for one in self.waiting.values()) / _COUNTED_A_MINUTE
        return min(_COUNT_EVERY_S * max(1.0, millions), _COUNT_LARGE_EVERY_S)


def read_now(target: Target, topology: Topology, earlier: ReplicationNow | None) -> ReplicationNow:
    """Read all agents, one round trip per server; backlogs are counted once a minute, large ones more seldom.

    Raises:
        TargetError: the Distributor cannot be read.
    """
    agents = agent_ports(target).agents
    sample = agents.sample()
    if earlier is not None:
        age_s = earlier.counted_s_ago + (sample.at - earlier.sample.at).total_seconds()
        if age_s < earlier.next_count_s:
            return ReplicationNow(sample, earlier.waiting, age_s)
    waiting: dict[int, StoredBacklog] = {}
    for agent in topology.examined():
        if agent.kind is not AgentKind.DISTRIBUTION:
            continue
        try:
            count = agents.read_backlog(agent, MOST_COUNTED)
        except TargetError:
            break  # this login may not count, or it is too slow here: not for the others either
        if count is not None:
            waiting[agent.agent_id] = backlog_counted(count)
    return ReplicationNow(sample, waiting)
