"""How a declared change of a group is made: through its primary replica, wherever that is by then."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.declared_change import Call, Run
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row
from app.systems.availability_groups.server.guards import only_at_primary, title_at_primary
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, failed_over
from app.systems.availability_groups.server.spelling import OwnSpelling

# What a statement for the primary replica says where another server has that role by then.
_IS_PRIMARY: Final = "is_primary"


@dataclass(frozen=True)
class AtPrimary(At):
    """At the primary replica of a group; its scripts follow a failover."""

    place: GroupPlace = field(kw_only=True)


class GroupExecutor(SqlServerExecutor):
    """Sends calls through named statements, those of a group at its primary replica."""

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(OwnSpelling(session), clock)
        self._primaries = Primaries(self._session, clock)

    def begin(self, *, is_apply: bool) -> Run[At]:
        """Return a callable that runs a change's statements; it looks for the primary replica once.

        Args:
            is_apply: only where the group has not failed over since the change was planned; else FailedOver is raised.
        """
        home_by_group: dict[str, str] = {}

        def run(call: Call[At]) -> Sequence[Row]:
            if not isinstance(call.at, AtPrimary):
                return self.send(call)
            place = call.at.place
            if place.group not in home_by_group:
                home_by_group[place.group] = (self._primaries.find_home if is_apply else self._primaries.find)(place)
            server = home_by_group[place.group]
            rows = self.send(call, server)
            if _IS_PRIMARY in catalogue()[call.statement].column_names and rows[0].whole(_IS_PRIMARY) == 0:
                raise failed_over(place.group, server, "")
            return rows

        return run

    def place(self, server: str, database: str) -> Place:
        """Return where statements for a replica are sent: to no other one, wherever its address leads by then."""
        return Place(server, database, is_instance=True)

    def script(self, title: str, call: Call[At], *, is_undo: bool) -> str:
        """Return a call as a batch: at its server, or wherever the primary replica is by then."""
        if not isinstance(call.at, AtPrimary):
            return super().script(title, call, is_undo=is_undo)
        place = call.at.place
        return self.batch(title_at_primary(title, place.group), call, place.home, guard=only_at_primary(place.group))
