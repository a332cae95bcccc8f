"""Rows read by name and type."""

from datetime import UTC, datetime

import pytest

from app.foundation.rows import Columns, Row

ROW = Row(Columns(("id", "name", "at", "nothing")), (7, "x", datetime(2026, 1, 5, 8, 0), None))  # noqa: DTZ001  # as a driver returns it, without a zone


def test_cells_are_read_by_type() -> None:
    """Each accessor returns its type; NULL is an empty text or the default; times of day are UTC."""
    assert (ROW.whole("id"), ROW.text("name"), ROW.text("nothing")) == (7, "x", "")
    assert ROW.whole_or("nothing", 3) == 3
    assert ROW.moment_utc("at") == datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
    assert ROW.is_null("nothing")


@pytest.mark.parametrize(("read", "column"), [("whole", "name"), ("text", "id"), ("moment_utc", "id")])
def test_wrong_type_is_a_fault_of_the_program(read: str, column: str) -> None:
    """A cell of another type is not converted silently."""
    with pytest.raises(TypeError, match=column):
        getattr(ROW, read)(column)
