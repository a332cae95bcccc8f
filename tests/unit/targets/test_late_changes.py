"""What a server has not ended in time is named so that a DBA who may can end it, and nobody else's session is."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.domain.errors import MayStillArrive
from app.drivers.oracle.catalogue import catalogue as oracle_catalogue
from app.drivers.oracle.late_changes import CHANGING, DatabaseWaits
from app.drivers.oracle.session import End
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.late_changes import AWAIT, TAKE_MARK, ServerWaits
from app.drivers.sqlserver.session import Place
from app.foundation.late_requests import LIMIT_S
from app.foundation.rows import Cell, Columns, Row
from tests.unit.runner.memory import MemoryClock


class Answering:
    """A session that answers one statement the same each time."""

    own_server = "DIST1"

    def __init__(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        self.asked = 0
        self._name = name
        self._rows = tuple(Row(Columns(columns), row) for row in rows)

    def run(self, name: str, _place: object, **_values: object) -> tuple[Row, ...]:
        """Answer."""
        assert name == self._name
        self.asked += 1
        return self._rows

    def server_of(self, _end: End) -> str:
        """Return the database's name."""
        return "SRC"

    def cancel(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing is open."""


def test_the_sessions_of_a_database_are_named_as_they_are_killed() -> None:
    """By number, serial number and instance: an ended session's number may be another's by then, the three never."""
    columns = ("instance_number", "session_number", "serial_number", "logon_text", "is_own")
    assert columns == oracle_catalogue()[CHANGING].column_names
    rows = [(1, 41, 7, "20260304093000", 0), (1, 12, 3, "20260304090000", 1), (2, 9, 555, "20260304093001", 0)]
    clock = MemoryClock()
    session: Any = Answering(CHANGING, columns, rows)
    waits = DatabaseWaits(session, clock)
    with pytest.raises(MayStillArrive, match=r"kill its session '41,7,@1', '9,555,@2' there"):
        waits(End.SOURCE)
    assert clock.monotonic_s() >= LIMIT_S - 2


def test_the_lock_is_named_that_the_session_of_a_server_holds() -> None:
    """It is the one that the connection's mark takes, at the beginning of its name as `sys.dm_tran_locks` shows it."""
    session: Any = Answering(AWAIT, ("is_over",), [(0,)])
    with pytest.raises(MayStillArrive, match=r'sys\.dm_tran_locks .* application lock "Replitune changes"'):
        ServerWaits(session, lambda _server: None)(Place("DIST1", "master"))
    assert session.asked > 1
    assert "@Resource = N''Replitune changes''" in catalogue()[TAKE_MARK].body
