"""How a simulated server answers one statement."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from app.domain.declared_change import EXPECTED
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell, Columns
from app.model.reading import plan_of

Parameters = Mapping[str, Value]

Result = list[tuple[Cell, ...]]

Answer = Callable[[Place, Parameters], Result]

_Held = Callable[[Any], Cell]


def meets(values: Parameters, value_now: Value) -> bool:
    """Tell whether the present value is the one a comparing statement expects; without an expected one any is."""
    expected = values.get(EXPECTED)
    return expected is None or expected == value_now


def row_of(statement: str, *records: Any, **columns: Cell) -> tuple[Cell, ...]:
    """Return one row of an answer: the values read into these records, and other columns by name; the rest is NULL."""
    return tuple(_row(statement, records, columns))


def rows_of(statement: str, records: Iterable[Any], *shared: Any, **columns: Cell) -> Result:
    """Return a row for each record, with what they share: records and columns as of `row_of`; one row where none is."""
    head = _row(statement, shared, columns)
    rows = [tuple(_put(head.copy(), statement, record)) for record in records]
    return rows or [tuple(head)]


def _row(statement: str, records: Iterable[Any], columns: Mapping[str, Cell]) -> list[Cell]:
    positions, kinds = _columns(statement)
    row: list[Cell] = [None] * len(kinds)
    for record in records:
        _put(row, statement, record)
    for name, value in columns.items():
        if (place := positions.get(name)) is not None:
            held = kinds[place]
            row[place] = value if held is None else held(value)
    return row


def _put(row: list[Cell], statement: str, record: Any) -> list[Cell]:
    """Write the values read into a record to their places in a row, and return it."""
    for place, name, write, held in _places(statement, record.__class__):
        value = getattr(record, name)
        if write is not None:
            value = write(value)
        row[place] = value if held is None or value.__class__ is int else held(value)
    return row


@cache
def _places(statement: str, record: Any) -> tuple[tuple[int, str, Any, _Held | None], ...]:
    """Return place, field, writer and kind of each column that is read into a record."""
    positions, kinds = _columns(statement)
    places = ((positions[column], name, write) for name, column, _read, write in plan_of(record, positions))
    return tuple((place, name, write, kinds[place]) for place, name, write in places)


@cache
def _columns(statement: str) -> tuple[Columns, tuple[_Held | None, ...]]:
    """Return the columns of a statement, and what makes a value as each holds it; None for one that holds any."""
    asked = catalogue()[statement]
    return asked.positions, tuple(
        _HELD[column.sql_type in ("int", "bigint", "bit"), column.nullable] for column in asked.columns
    )


def _whole(value: Any) -> Cell:
    return round(value) if isinstance(value, _ROUNDED) else value


def _or_null(value: Any) -> Cell:
    """Return NULL for a text that is empty."""
    return None if value == "" else value


_ROUNDED: Final = (float, bool)
_HELD: Final[Mapping[tuple[bool, bool], _Held | None]] = {
    (False, False): None,
    (False, True): _or_null,
    (True, False): _whole,
    (True, True): lambda value: _or_null(_whole(value)),
}


class Answers:
    """Part of a simulated server: a method named as a statement, behind an underscore, answers that statement."""

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        named = ((name, getattr(self, f"_{name}", None)) for name in catalogue())
        return {name: answer for name, answer in named if answer is not None}
