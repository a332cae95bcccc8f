"""Availability groups in reports and scripts: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import ChangeEffort
from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.server_versions import SERVER_VERSION
from app.domain.session import Environment, SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block
from app.reporting.system_parts import ConditionWords
from app.systems.availability_groups.hand_over.change_effort import change_effort_of
from app.systems.availability_groups.hand_over.environment import group_blocks
from app.systems.availability_groups.hand_over.scripts import GroupScripts
from app.systems.availability_groups.site import kept_groups


class GroupParts:
    """Commit modes and seeding in a hand-over; all comparisons are named before a run, so no winner is picked."""

    conditions: tuple[ConditionWords, ...] = (
        ConditionWords("inserts", _("{value} inserts"), one=_("1 insert")),
        ConditionWords("rows_per_insert", _("{value} rows per insert"), one=_("1 row per insert")),
        ConditionWords(SERVER_VERSION, _("SQL Server {value}"), short=_("SQL Server {value}")),
        ConditionWords("database_mb", _("{value} MB database"), short=_("{value} MB database")),
        ConditionWords("link_mbps", _("{value} Mbps between the replicas")),
    )
    order_of_trials: str = ""
    writer: ScriptWriter = GroupScripts()

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return the effort of a trace flag at every replica; a method of seeding is chosen when a replica is added."""
        return change_effort_of(finding, session)

    def environment_blocks(self, environment: Environment, _varied: frozenset[str]) -> list[Block]:
        """Return servers, groups, databases and trace flags."""
        topology = kept_groups(environment)
        return [] if topology is None else group_blocks(topology)

    def shared_blocks(self, _environments: Sequence[Environment], _varied: frozenset[str]) -> list[Block]:
        """Return nothing: readings stand with each target."""
        return []


HAND_OVER: Final = GroupParts()
