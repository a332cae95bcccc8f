"""Values of a driver, brought to the types the statement's header declares."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from app.drivers.oracle.catalogue import Column, OracleType
from app.foundation.rows import Cell

BindValue = int | float | str | None


def rows_of(columns: Sequence[Column], values_by_row: Sequence[Sequence[object]]) -> tuple[tuple[Cell, ...], ...]:
    """Return a driver's rows as the types their columns declare; raises TypeError as `cell_of`."""
    texts = [column.oracle_type is OracleType.VARCHAR2 for column in columns]
    return tuple(
        tuple(
            [
                value if is_text and type(value) is str else cell_of(column, value)  # most cells are texts
                for is_text, column, value in zip(texts, columns, values, strict=True)
            ]
        )
        for values in values_by_row
    )


def cell_of(column: Column, value: object) -> Cell:
    """Return a driver's value as the type its column declares; drivers differ in how they return NUMBER.

    Raises:
        TypeError: the value does not fit, or is NULL where the header allows none; a fault of the program.
    """
    if value is None:
        if not column.nullable:
            raise TypeError(f"column {column.name} is NULL")
        return None
    if column.oracle_type is OracleType.VARCHAR2 and isinstance(value, str):
        return value
    if column.oracle_type is OracleType.DATE and isinstance(value, datetime):
        return value.replace(tzinfo=UTC, microsecond=0)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        if column.oracle_type is OracleType.NUMBER:
            return float(value)
        if column.oracle_type is OracleType.INTEGER and value == int(value):
            return int(value)
    raise TypeError(f"column {column.name} holds {value!r}, not {column.oracle_type}")
