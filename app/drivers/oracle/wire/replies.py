"""Messages of the server: description of a query, rows, values of OUT binds, status, errors."""

from collections.abc import Iterable, Sequence
from typing import Final

from app.drivers.oracle.catalogue import Column, OracleType
from app.drivers.oracle.wire.fields import counted, counted_twice, number
from app.drivers.oracle.wire.texts import Bound
from app.drivers.oracle.wire.values import WIRE_TYPES, encoded
from app.foundation.rows import Cell

AL32UTF8: Final = 873
NO_MORE_ROWS: Final = 1403
_OPEN_TRANSACTION: Final = 0x02
_LONGEST_TEXT_BYTES: Final = 4000
_SIZES: Final = {OracleType.INTEGER: 22, OracleType.NUMBER: 22, OracleType.DATE: 7}
_WHOLE: Final = bytes((38, 0))  # precision and scale
_ANY_SCALE: Final = bytes((0, 0x81))
_IN: Final = 32
_OUT: Final = 16
_ROW: Final = b"\x07"


def status(*, is_open: bool) -> bytes:
    """Return the end of a call that has no rows: whether a transaction is open."""
    return b"\x09" + number(_OPEN_TRANSACTION if is_open else 0) + b"\0"


def ended(
    *, code: int = 0, text: str = "", cursor: int = 0, rows: int = 0, position: int = 0, is_open: bool = False
) -> bytes:
    """Return the end of an execute or a fetch, or an error.

    Args:
        code: of the error, 0 for none, 1403 for the end of a query. position: in the text of the statement, from 0.
        rows: how many so far.
    """
    told = (
        b"\x04",
        number(_OPEN_TRANSACTION if is_open else 0),
        *(number(0), number(rows), number(min(code, 0xFFFF)), number(0), number(0), number(cursor), number(position)),
        bytes(6),  # five single bytes and the flags
        *(number(0), number(0), b"\0", number(0), number(0)),  # a row's id
        *(number(0), bytes(2), number(0), number(0), number(0)),  # the host's error
        *(number(0), number(0), number(0)),  # errors of single rows
        number(code),
        number(rows),
        counted(f"{text}\n".encode()) if code else b"",
    )
    return b"".join(told)


def described(columns: Sequence[Column]) -> bytes:
    """Return the description of a query's columns."""
    told = b"".join(_column(position, column) for position, column in enumerate(columns, 1))
    return b"\x10\x01\x78" + number(0) + number(len(columns)) + b"\x01" + told + bytes(6)


def _column(position: int, column: Column) -> bytes:
    is_text = column.oracle_type is OracleType.VARCHAR2
    scale = _WHOLE if column.oracle_type is OracleType.INTEGER else _ANY_SCALE
    size = _SIZES.get(column.oracle_type, _LONGEST_TEXT_BYTES)
    return b"".join(
        (
            bytes((WIRE_TYPES[column.oracle_type], 0)),
            scale if WIRE_TYPES[column.oracle_type] == WIRE_TYPES[OracleType.NUMBER] else bytes(2),
            *(number(size), number(0), number(0), number(0), number(0)),
            number(AL32UTF8 if is_text else 0),
            bytes((int(is_text),)),
            number(size if is_text else 0),
            bytes((int(column.nullable), 0)),
            counted_twice(column.name.upper().encode()),
            bytes(2),  # no schema, no type name
            number(position),
            number(0),
        )
    )


def row_header() -> bytes:
    """Return the header ahead of the rows of each reply."""
    return b"\x06" + bytes(7)


def row(values: Iterable[Cell]) -> bytes:
    """Return one row of a query."""
    return _ROW + b"".join(counted(encoded(value)) for value in values)


def directions(places: Sequence[Bound]) -> bytes:
    """Return which binds take and which give a value."""
    counts = number(len(places) % 256) + number(len(places) // 256)
    return b"\x0b\0" + counts + bytes(4) + bytes(_IN * place.is_in + _OUT * place.is_out for place in places)


def given(values: Iterable[Cell]) -> bytes:
    """Return the values of OUT binds."""
    return _ROW + b"".join(counted(encoded(value)) + number(0) for value in values)
