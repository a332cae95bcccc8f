"""The kinds of change on availability groups, for the dispatcher."""

from typing import Any, Final

from app.domain.change_kinds import ChangeKind
from app.domain.declared_change import Declaration, Declared, Scope
from app.drivers.sqlserver.executor import At
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.systems.availability_groups.server.executor import GroupExecutor
from app.systems.availability_groups.server.mode_changes import FAILOVER_DECLARED, MODE_DECLARED
from app.systems.availability_groups.server.options import DECLARED as OPTION_DECLARED
from app.systems.availability_groups.server.own_tables import DECLARED as TABLES_DECLARED
from app.systems.availability_groups.server.trace_flags import DECLARED as FLAG_DECLARED

_DECLARED: Final[tuple[Declaration[At, Any], ...]] = (
    FAILOVER_DECLARED,
    MODE_DECLARED,
    FLAG_DECLARED,
    OPTION_DECLARED,
    TABLES_DECLARED,
)
GROUP_CHANGE_KINDS: Final = tuple(declared.kind for declared in _DECLARED)
_OF_THE_SITE: Final = frozenset(declared.kind for declared in _DECLARED if declared.scope is not Scope.OBJECT)
GROUP_MARKS: Final = {TABLES_DECLARED.kind: _OF_THE_SITE}
"""A mode carries no mark of whoever set it: that a session left one shows by its test tables."""


def group_kinds(session: Session, clock: Clock) -> dict[str, ChangeKind]:
    """Return the maker of each kind."""
    executor = GroupExecutor(session, clock)
    return {declared.kind: Declared(declared, executor) for declared in _DECLARED}
