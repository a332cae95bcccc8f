"""How a simulated server answers one statement."""

from collections.abc import Callable, Mapping
from typing import Any

from app.domain.declared_change import EXPECTED
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Column, catalogue
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.model.reading import written_to

Parameters = Mapping[str, Value]

Result = list[tuple[Cell, ...]]

Answer = Callable[[Place, Parameters], Result]


def meets(values: Parameters, value_now: Value) -> bool:
    """Tell whether the present value is the one a comparing statement expects; without an expected one any is."""
    expected = values.get(EXPECTED)
    return expected is None or expected == value_now


def row_of(statement: str, *records: Any, **columns: Cell) -> tuple[Cell, ...]:
    """Return one row of an answer: the values read into these records, and other columns by name; the rest is NULL."""
    declared = catalogue()[statement]
    values = {**written_to(declared.positions, *records), **columns}
    return tuple(_as_declared(values.get(column.name), column) for column in declared.columns)


def _as_declared(value: Cell, column: Column) -> Cell:
    """Return a value as its column holds it: whole, and NULL where a text that may be is empty."""
    if isinstance(value, int | float) and column.sql_type in ("int", "bigint", "bit"):
        return round(value)
    return None if value == "" and column.nullable else value


class Answers:
    """Part of a simulated server: a method named as a statement, behind an underscore, answers that statement."""

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        named = ((name, getattr(self, f"_{name}", None)) for name in catalogue())
        return {name: answer for name, answer in named if answer is not None}
