"""How a simulated server answers one statement."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from app.domain.declared_change import EXPECTED
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.model.reading import plan_of, written_to

Parameters = Mapping[str, Value]

Result = list[tuple[Cell, ...]]

Answer = Callable[[Place, Parameters], Result]


def meets(values: Parameters, value_now: Value) -> bool:
    """Tell whether the present value is the one a comparing statement expects; without an expected one any is."""
    expected = values.get(EXPECTED)
    return expected is None or expected == value_now


def row_of(statement: str, *records: Any, **columns: Cell) -> tuple[Cell, ...]:
    """Return one row of an answer: the values read into these records, and other columns by name; the rest is NULL."""
    return _row(statement, {**written_to(catalogue()[statement].positions, *records), **columns})


def rows_of(statement: str, records: Iterable[Any], *shared: Any, **columns: Cell) -> Result:
    """Return a row for each record, with what they share: records and columns as of `row_of`; one row where none is."""
    head = row_of(statement, *shared, **columns)
    rows = []
    for record in records:
        row, kind = list(head), record.__class__
        for place, name, write, is_whole, is_nullable in _places(statement, kind):
            value = getattr(record, name)
            value = value if write is None else write(value)
            if is_whole and isinstance(value, float | bool):
                value = round(value)
            row[place] = None if is_nullable and value == "" else value
        rows.append(tuple(row))
    return rows or [head]


@cache
def _places(statement: str, record: Any) -> tuple[tuple[int, str, Any, bool, bool], ...]:
    """Return place, field, writer and kind of each column that is read into a record."""
    positions, (_names, whole, nullable) = catalogue()[statement].positions, _kinds(statement)
    places = ((positions[column], name, write) for name, column, _read, write in plan_of(record, positions))
    return tuple((place, name, write, place in whole, place in nullable) for place, name, write in places)


def _row(statement: str, values: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return values as their columns hold them: whole, and NULL where a text that may be is empty."""
    names, whole, nullable = _kinds(statement)
    row = [values.get(name) for name in names]
    for place in whole:
        if isinstance(value := row[place], float | bool):
            row[place] = round(value)
    for place in nullable:
        if row[place] == "":
            row[place] = None
    return tuple(row)


@cache
def _kinds(statement: str) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the columns of a statement, and the places of whole ones and of those that take NULL."""
    columns = catalogue()[statement].columns
    whole = (place for place, column in enumerate(columns) if column.sql_type in ("int", "bigint", "bit"))
    nullable = (place for place, column in enumerate(columns) if column.nullable)
    return tuple(column.name for column in columns), tuple(whole), tuple(nullable)


class Answers:
    """Part of a simulated server: a method named as a statement, behind an underscore, answers that statement."""

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        named = ((name, getattr(self, f"_{name}", None)) for name in catalogue())
        return {name: answer for name, answer in named if answer is not None}
