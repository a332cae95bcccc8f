"""Replication in reports and scripts: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import ChangeEffort
from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.reporting.blocks import Block
from app.reporting.system_parts import ConditionWords
from app.systems.transactional_replication.hand_over.change_effort import change_effort_of
from app.systems.transactional_replication.hand_over.environment import parameter_blocks, topology_blocks
from app.systems.transactional_replication.hand_over.scripts import AgentScripts
from app.systems.transactional_replication.hand_over.words import (
    CONDITIONS,
    ORDER_OF_TRIALS,
)
from app.systems.transactional_replication.site import kept_replication


class ReplicationParts:
    """Log Reader Agents and Distribution Agents in a hand-over."""

    conditions: tuple[ConditionWords, ...] = CONDITIONS
    order_of_trials: str = ORDER_OF_TRIALS
    writer: ScriptWriter = AgentScripts()

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return the effort of changing an agent's parameter: a profile or a job step, and a restart."""
        return change_effort_of(finding, session)

    def environment_blocks(self, environment: Environment, _varied: frozenset[str]) -> list[Block]:
        """Return servers, agents and publications."""
        read = kept_replication(environment)
        return [] if read is None else topology_blocks(read.topology)

    def shared_blocks(self, environments: Sequence[Environment], varied: frozenset[str]) -> list[Block]:
        """Return the parameters varied or not at their defaults, once for all agents that share them."""
        return parameter_blocks(environments, varied)


HAND_OVER: Final = ReplicationParts()
