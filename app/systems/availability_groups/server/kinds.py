"""The kinds of change on availability groups, for the dispatcher."""

from typing import Final, Protocol

from app.domain.change import Change
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.systems.availability_groups.server.mode_changes import (
    AVAILABILITY_MODE,
    FAILOVER_MODE,
    AvailabilityMode,
    FailoverMode,
)
from app.systems.availability_groups.server.own_tables import TEST_TABLES, TestTables
from app.systems.availability_groups.server.spelling import OwnSpelling
from app.systems.availability_groups.server.trace_flags import TRACE_FLAG, TraceFlag


class Kind(Protocol):
    """One kind of change: made, undone, and told by reading."""

    def apply(self, change: Change) -> None:
        """Send it and read it back."""
        ...

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; nothing where it is there."""
        ...

    def is_applied(self, change: Change) -> bool:
        """Tell by reading whether it is in effect."""
        ...

    def is_undone(self, change: Change) -> bool:
        """Tell by reading whether the original is in effect."""
        ...


GROUP_CHANGE_KINDS: Final = (FAILOVER_MODE, AVAILABILITY_MODE, TRACE_FLAG, TEST_TABLES)


def group_kinds(session: Session, clock: Clock) -> dict[str, Kind]:
    """Return what makes and undoes each kind."""
    spelled = OwnSpelling(session)
    return {
        FAILOVER_MODE: FailoverMode(spelled, clock),
        AVAILABILITY_MODE: AvailabilityMode(spelled, clock),
        TRACE_FLAG: TraceFlag(spelled),
        TEST_TABLES: TestTables(spelled, clock),
    }
