"""Rows of a result, read by column name and type, whichever database gave them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

Cell = int | float | str | datetime | None


class Columns(dict[str, int]):
    """The position of each column of a result by its name; shared by all rows of it.

    Attributes:
        units: of each column that has one, as its statement's header declares it.
        plans: how records are read from its rows, by their type, each worked out once.
    """

    def __init__(self, names: Sequence[str], units: Sequence[str] = ()) -> None:
        super().__init__({name: position for position, name in enumerate(names)})
        self.units = {name: unit for name, unit in zip(names, units, strict=bool(units)) if unit}
        self.plans: dict[object, tuple[Any, ...]] = {}


class Row:
    """One row; reading a column as the wrong type is a fault of the program and raises TypeError."""

    __slots__ = ("_index", "_values")

    def __init__(self, columns: Columns, values: Sequence[Cell]) -> None:
        self._index = columns
        self._values = values

    @property
    def columns(self) -> Columns:
        """The columns of the result it is a row of."""
        return self._index

    def cell(self, column: str) -> Cell:
        """Return a value of any type."""
        return self._values[self._index[column]]

    def whole(self, column: str) -> int:
        """Return a whole number."""
        value = self._values[self._index[column]]
        if type(value) is not int:
            raise TypeError(f"column {column} holds {type(value).__name__}, not a whole number")
        return value

    def whole_or(self, column: str, default: int) -> int:
        """Return a whole number, or `default` where the column is NULL."""
        return default if self._values[self._index[column]] is None else self.whole(column)

    def number(self, column: str) -> float:
        """Return a number."""
        value = self._values[self._index[column]]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"column {column} holds {type(value).__name__}, not a number")
        return float(value)

    def number_or(self, column: str, default: float) -> float:
        """Return a number, or `default` where the column is NULL."""
        return default if self._values[self._index[column]] is None else self.number(column)

    def number_or_none(self, column: str) -> float | None:
        """Return a number, None where the column is NULL."""
        return None if self._values[self._index[column]] is None else self.number(column)

    def text(self, column: str) -> str:
        """Return a text; NULL is an empty one."""
        value = self._values[self._index[column]]
        if value is None:
            return ""
        if type(value) is not str:
            raise TypeError(f"column {column} holds {type(value).__name__}, not text")
        return value

    def is_null(self, column: str) -> bool:
        """Tell whether the column is NULL."""
        return self._values[self._index[column]] is None

    def moment_utc(self, column: str) -> datetime:
        """Return a time of day in UTC; the statements convert the server's local times."""
        value = self._values[self._index[column]]
        if type(value) is not datetime:
            raise TypeError(f"column {column} holds {type(value).__name__}, not a time of day")
        return value if value.tzinfo is UTC else value.replace(tzinfo=UTC)

    def moment_or_none(self, column: str) -> datetime | None:
        """Return a time of day in UTC, None where the column is NULL."""
        return None if self._values[self._index[column]] is None else self.moment_utc(column)
