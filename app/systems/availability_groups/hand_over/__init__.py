"""Availability groups in reports and scripts: the SystemParts port."""

from typing import Final

from app.domain.server_versions import SERVER_VERSION
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _
from app.reporting.system_parts import ConditionWords, SystemParts
from app.systems.availability_groups.hand_over.change_effort import change_effort_of
from app.systems.availability_groups.hand_over.environment import group_blocks
from app.systems.availability_groups.hand_over.scripts import GroupScripts
from app.systems.availability_groups.hand_over.shapes import shape_of
from app.systems.availability_groups.system import SYSTEM


class GroupParts(SystemParts):
    """Commit modes and seeding in a hand-over; all comparisons are named before a run, so no winner is picked."""

    system = SYSTEM
    conditions = (
        ConditionWords(
            SOURCE,
            _("work: {value}"),
            short="{value}",
            values={WorkSource.OWN_TRAFFIC.value: _("the client's own load")},
        ),
        ConditionWords("inserts", _("{value} inserts"), one=_("1 insert")),
        ConditionWords("rows_per_insert", _("{value} rows per insert"), one=_("1 row per insert")),
        ConditionWords(SERVER_VERSION, _("SQL Server {value}"), short=_("SQL Server {value}")),
        ConditionWords("database_mb", _("{value} MB database"), short=_("{value} MB database")),
        ConditionWords("link_mbps", _("{value} Mbps between the replicas")),
    )
    writer = GroupScripts()

    change_effort = staticmethod(change_effort_of)
    shape = staticmethod(shape_of)
    found_blocks = staticmethod(group_blocks)


HAND_OVER: Final = GroupParts()
