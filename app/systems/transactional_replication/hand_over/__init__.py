"""Replication in reports and scripts: the SystemParts port."""

from typing import Final

from app.reporting.system_parts import SystemParts
from app.systems.transactional_replication.hand_over.change_effort import change_effort_of
from app.systems.transactional_replication.hand_over.environment import parameter_blocks, topology_blocks
from app.systems.transactional_replication.hand_over.own_load import own_load_of
from app.systems.transactional_replication.hand_over.scripts import AgentScripts
from app.systems.transactional_replication.hand_over.words import (
    CONDITIONS,
    ORDER_OF_TRIALS,
)
from app.systems.transactional_replication.system import SYSTEM


class ReplicationParts(SystemParts):
    """Log Reader Agents and Distribution Agents in a hand-over."""

    system = SYSTEM
    conditions = CONDITIONS
    order_of_trials = ORDER_OF_TRIALS
    writer = AgentScripts()

    change_effort = staticmethod(change_effort_of)
    own_load = staticmethod(own_load_of)
    shared_blocks = staticmethod(parameter_blocks)
    found_blocks = staticmethod(topology_blocks)


HAND_OVER: Final = ReplicationParts()
