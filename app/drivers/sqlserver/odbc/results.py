"""Reading a driver's results: the result set a statement declares, as the values its header declares."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, Protocol
from uuid import UUID

from app.domain.first_contact import ColumnShape
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.foundation.rows import Cell

# The class of states that are about data: the connection is as it was.
_NOT_THESE: Final = "22000"


class Cursor(Protocol):
    """The parts of a driver's cursor that this program uses (PEP 249)."""

    # Any: a driver's own row and type objects, which no two drivers share
    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        """Name and type of each column of the present set, None where it has none."""
        ...

    def execute(self, text: str, values: tuple[object, ...], /) -> object:
        """Send a batch."""
        ...

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return all rows of the present set."""
        ...

    def nextset(self) -> bool | None:
        """Go to the next set."""
        ...

    def close(self) -> None:
        """Give the cursor up."""
        ...


def read_result(cursor: Cursor, statement: Statement) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows of the set with the declared columns, in their declared order; read every set to the end.

    A server reports an error behind a finished set, and counts of rows come as sets of their own.

    Raises:
        SqlError: no set has these columns, as with a server that has another version of a procedure.
    """
    wanted = [name.casefold() for name in statement.column_names]
    cells: tuple[tuple[Cell, ...], ...] | None = None if wanted else ()
    others: list[str] = []
    while True:
        if cursor.description:
            names = [str(column[0]).casefold() for column in cursor.description]
            rows = cursor.fetchall()
            if cells is None and set(wanted) <= set(names):
                cells = _rows(statement, [names.index(name) for name in wanted], rows)
            elif cells is None:
                others.append(", ".join(names))
        if not cursor.nextset():
            break
    if cells is None:
        came = "; ".join(others) or "none"
        raise SqlError(0, f"columns {', '.join(wanted)} were expected, and these came: {came}", _NOT_THESE)
    return cells


def read_shape(cursor: Cursor, statement: Statement) -> tuple[tuple[ColumnShape, ...], int]:
    """Return the columns and the number of rows of the set most like a statement's declaration; no value.

    A set with columns the statement does not declare is told as it is, which `read_result` refuses.
    """
    wanted = {name.casefold() for name in statement.column_names}
    nearest: tuple[int, tuple[ColumnShape, ...], int] = (-1, (), 0)
    while True:
        if cursor.description:
            columns = tuple(_shape(column) for column in cursor.description)
            common = len(wanted & {column.name.casefold() for column in columns})
            rows = len(cursor.fetchall())
            if common > nearest[0]:
                nearest = (common, columns, rows)
        if not cursor.nextset():
            return nearest[1:]


def _shape(column: Sequence[Any]) -> ColumnShape:
    """Return a column as PEP 249 describes it; both drivers name the Python type of its values."""
    kind = next((kind for types, kind in _KINDS if column[1] in types), str(getattr(column[1], "__name__", column[1])))
    digits = column[4] if len(column) > 4 and isinstance(column[4], int) else 0
    return ColumnShape(str(column[0]), kind, digits)


_KINDS: Final = (
    ((int, bool), "whole"),
    ((float, Decimal), "number"),
    ((str, UUID), "text"),
    ((datetime,), "time"),
    ((bytes, bytearray), "binary"),
)


def _rows(statement: Statement, places: Sequence[int], rows: Sequence[Sequence[Any]]) -> tuple[tuple[Cell, ...], ...]:
    readers = [_READERS.get(column.sql_type, _as_it_is) for column in statement.columns]
    return tuple(
        tuple(read(row[place]) if row[place] is not None else None for place, read in zip(places, readers, strict=True))
        for row in rows
    )


def _whole(value: Any) -> Cell:
    return int(value)


def _number(value: Any) -> Cell:
    return float(value)


def _text(value: Any) -> Cell:
    return value if isinstance(value, str) else str(value)


def _guid(value: Any) -> Cell:
    return str(value).upper()


def _moment(value: Any) -> Cell:
    """Times of day come without a zone; every statement gives them in UTC."""
    if not isinstance(value, datetime):
        raise SqlError(0, f"a time of day was expected, and {type(value).__name__} came", _NOT_THESE)
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _as_it_is(value: Any) -> Cell:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, int | float | str):
        return value
    return _moment(value) if isinstance(value, datetime) else str(value)


_READERS: Final[Mapping[str, Callable[[Any], Cell]]] = {
    **dict.fromkeys(("bigint", "int", "smallint", "tinyint", "bit"), _whole),
    **dict.fromkeys(("float", "real"), _number),
    **dict.fromkeys(("nvarchar", "sysname", "varchar", "nchar", "char", "xml"), _text),
    **dict.fromkeys(("datetime", "smalldatetime"), _moment),
    "uniqueidentifier": _guid,
}
