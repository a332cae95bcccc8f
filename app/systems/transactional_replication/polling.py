"""Polling of a Distributor: its agents, and once a minute the backlog of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import TargetError
from app.domain.target import Target
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.topology import Topology

# Counting a backlog seeks through it, so it is done seldom, and ends where the number tells no more.
_COUNT_EVERY_S: Final = 60.0
_MOST_COUNTED: Final = 1_000_000


@dataclass(frozen=True)
class ReplicationNow:
    """One reading.

    Attributes:
        waiting: commands stored for each Distribution Agent, by its id; one whose number is not known is left out, one
            with `most_counted` has at least as many.
        counted_s_ago: how old `waiting` is.
    """

    sample: ReplicationSample
    waiting: Mapping[int, int] = field(default_factory=dict)
    counted_s_ago: float = 0.0
    most_counted: int = _MOST_COUNTED


def read_now(target: Target, topology: Topology, earlier: ReplicationNow | None) -> ReplicationNow:
    """Read all agents, one round trip per server; the backlog of each is counted at most once a minute.

    Raises:
        TargetError: the Distributor cannot be read.
    """
    agents = agent_ports(target).agents
    sample = agents.sample()
    if earlier is not None:
        age_s = earlier.counted_s_ago + (sample.at - earlier.sample.at).total_seconds()
        if age_s < _COUNT_EVERY_S:
            return ReplicationNow(sample, earlier.waiting, age_s)
    waiting: dict[int, int] = {}
    for agent in topology.examined():
        if agent.kind is not AgentKind.DISTRIBUTION:
            continue
        try:
            count = agents.read_backlog(agent, _MOST_COUNTED)
        except TargetError:
            break  # this login may not count, or it is too slow here: not for the others either
        if count is not None:
            waiting[agent.agent_id] = count
    return ReplicationNow(sample, waiting)
