"""A connection's questions about itself: its session, and the cost of reading over it, which each counts for itself."""

from collections.abc import Mapping
from typing import Final

from app.drivers.sqlserver.lab.answer import Answer
from app.drivers.sqlserver.late_changes import AWAIT, TAKE_MARK
from app.drivers.sqlserver.reading_cost import OWN_COST
from app.foundation.rows import Cell

SERVER_NAME: Final = "server_name"
CONNECTION_STATEMENTS: Final[Mapping[str, Answer]] = {
    OWN_COST: lambda _p, _v: [(0, 0)],
    SERVER_NAME: lambda place, _v: [(place.server, place.server)],
    TAKE_MARK: lambda _p, _v: [(1,)],
    AWAIT: lambda _p, _v: [(1,)],
}
"""What a lab answers before anything was asked of it, in whatever database."""

# Nobody measured these; a lab's report shows where a server's own numbers stand.
_CPU_US: Final = 400
_PAGES: Final = 60


class OwnCost:
    """The counters of one connection."""

    def __init__(self) -> None:
        self._statements = 0

    def count(self) -> None:
        """Count one statement."""
        self._statements += 1

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the counters as `own_cost` does."""
        return ((self._statements * _CPU_US // 1_000, self._statements * _PAGES),)
