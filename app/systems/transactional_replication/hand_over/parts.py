"""What reports and scripts say of replication: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Environment, SessionRecord
from app.reporting.document.wording import Vocabulary
from app.reporting.render.blocks import Block
from app.reporting.system_parts import COMMON_FILES, ConditionWords, ScriptFiles, TellsChanges
from app.systems.transactional_replication.hand_over.changes import agent_kind, agent_values
from app.systems.transactional_replication.hand_over.environment import parameter_blocks, topology_blocks
from app.systems.transactional_replication.hand_over.words import (
    CONDITIONS,
    ORDER_OF_TRIALS,
)
from app.systems.transactional_replication.site import kept_replication


class ReplicationParts:
    """Log Reader Agents and Distribution Agents in a hand-over."""

    conditions: tuple[ConditionWords, ...] = CONDITIONS
    order_of_trials: str = ORDER_OF_TRIALS
    files: ScriptFiles = COMMON_FILES

    def environment_blocks(self, environment: Environment) -> list[Block]:
        """Return servers, agents and publications."""
        read = kept_replication(environment)
        return [] if read is None else topology_blocks(read.topology)

    def shared_blocks(self, environments: Sequence[Environment]) -> list[Block]:
        """Return the parameters in effect, once for all agents that share them."""
        return parameter_blocks(environments)

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values in effect at the agents a finding is about."""
        return agent_values(finding, session)

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about a parameter of an agent."""
        return agent_kind(finding) is not None

    def core(self, finding: Finding, session: SessionRecord) -> tuple[str, str]:
        """Return what assigns a profile with the value, or edits the job step, and what takes that back."""
        from app.reporting.scripts import core_statements  # which asks this package for what it changes

        return core_statements(finding, session, Vocabulary(()))

    def script(
        self, _findings: Sequence[Finding], _session: SessionRecord, _tells: TellsChanges, *, is_rollback: bool
    ) -> str:
        """Return nothing: its batches stand in the files of every hand-over."""
        del is_rollback
        return ""


HAND_OVER: Final = ReplicationParts()
