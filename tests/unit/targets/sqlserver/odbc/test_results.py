"""Rows as the statements' headers declare them, out of whatever a driver returns."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from app.drivers.sqlserver.catalogue import Column, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.odbc.results import read_result
from app.foundation.rows import Cell
from tests.unit.targets.sqlserver.odbc.fakes import FakeCursor, ResultSets


def statement_of(*columns: tuple[str, str]) -> Statement:
    """Return a statement with these columns."""
    declared = tuple(Column(name, sql_type, True, "", "a value") for name, sql_type in columns)
    return replace(catalogue()["round_trip"], columns=declared)


def read(statement: Statement, sets: ResultSets) -> tuple[tuple[Cell, ...], ...]:
    """Return what is read from result sets."""
    cursor = FakeCursor(lambda _text, _values: sets)
    cursor.execute("", ())
    return read_result(cursor, statement)


def test_the_set_with_the_declared_columns_is_taken() -> None:
    """Counts of rows and other sets around it are passed over; column names are compared without case."""
    sets: ResultSets = [None, (["note"], [["hello"]]), (["ID", "Name"], [[1, "a"], [2, "b"]]), None]
    assert read(statement_of(("id", "int"), ("name", "sysname")), sets) == ((1, "a"), (2, "b"))


def test_columns_come_in_declared_order() -> None:
    """A procedure of another version may return more columns in another order."""
    sets: ResultSets = [(["extra", "name", "id"], [["x", "a", 1]])]
    assert read(statement_of(("id", "int"), ("name", "sysname")), sets) == ((1, "a"),)


def test_a_statement_without_columns_returns_no_rows() -> None:
    """What a changing statement returns besides is read to its end and dropped."""
    assert read(statement_of(), [None, (["id"], [[1]])]) == ()


def test_missing_columns_are_an_error_that_names_them() -> None:
    """A result nobody declared is not guessed at."""
    with pytest.raises(SqlError, match="columns id were expected, and these came: other"):
        read(statement_of(("id", "int")), [(["other"], [[1]])])
    with pytest.raises(SqlError, match="these came: none"):
        read(statement_of(("id", "int")), [None])


def test_an_empty_set_with_the_columns_is_no_error() -> None:
    """No rows is an answer."""
    assert read(statement_of(("id", "int")), [(["id"], [])]) == ()


# as drivers return it: without a zone
MOMENT = datetime(2026, 1, 5, 8, 0, 0, 123000, tzinfo=UTC).replace(tzinfo=None)
GUID = "921B1BE1-72BB-59AE-8D96-C12DA98BAB26"


@pytest.mark.parametrize(
    ("sql_type", "value", "cell"),
    [
        ("int", True, 1),
        ("int", Decimal(7), 7),
        ("bigint", 2**40, 2**40),
        ("bit", False, 0),
        ("float", Decimal("1.5"), 1.5),
        ("float", 2, 2.0),
        ("nvarchar", "ü😀", "ü😀"),
        ("uniqueidentifier", GUID.lower(), GUID),
        ("uniqueidentifier", uuid.UUID(GUID), GUID),
        ("datetime", MOMENT, MOMENT.replace(tzinfo=UTC)),
        ("datetime", MOMENT.replace(tzinfo=timezone(timedelta(hours=2))), MOMENT.replace(hour=6, tzinfo=UTC)),
        ("decimal", Decimal("1.25"), 1.25),
        ("decimal", Decimal("3"), 3),
        ("nvarchar", None, None),
        ("int", None, None),
        ("datetime", None, None),
    ],
)
def test_values_have_the_types_of_their_headers(sql_type: str, value: Any, cell: Cell) -> None:
    """Every driver's own types become the same plain ones, times of day in UTC, GUIDs in upper case."""
    rows: Sequence[Sequence[Any]] = [[value]]
    (read_cell,) = read(statement_of(("v", sql_type)), [(["v"], rows)])[0]
    assert read_cell == cell
    assert type(read_cell) is type(cell)


def test_a_time_of_day_that_is_none_is_an_error() -> None:
    """A text where a time of day was declared is not taken for one."""
    with pytest.raises(SqlError, match="a time of day was expected"):
        read(statement_of(("v", "datetime")), [(["v"], [["yesterday"]])])
