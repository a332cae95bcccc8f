"""Values as T-SQL compares, converts and prints them, as far as scripts do."""

import re
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.collation import compared
from app.foundation.rows import Cell

Value = Cell | bool
"""What an expression gives: a cell, or whether a condition holds; None is NULL and "unknown"."""

_LENGTH: Final = re.compile(r"(?P<name>\w+)(?:\((?P<length>\d+|max)\))?")
_WHOLE: Final = {"bigint": 63, "bit": 63, "int": 31, "smallint": 15, "tinyint": 8}  # with the bits of their largest
_TEXTS: Final = frozenset({"char", "nchar", "nvarchar", "sysname", "varchar"})
_GUID: Final = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}")
_DOES_NOT_FIT: Final = 8114
_OVERFLOW: Final = 8115
_NO_NUMBER: Final = 245
_NO_GUID: Final = 8169


def is_type(sql_type: str) -> bool:
    """Tell whether the lab's scripts know a type."""
    match = _LENGTH.fullmatch(sql_type)
    return match is not None and match["name"] in (*_WHOLE, *_TEXTS, "float", "uniqueidentifier")


def converted(value: Value, sql_type: str) -> Cell:
    """Return a value as a type holds it; raises SqlError where it cannot."""
    match = _LENGTH.fullmatch(sql_type)
    assert match is not None
    if value is None:
        return None
    name = match["name"]
    try:
        if name in _WHOLE:
            return _whole(int(value), name)  # type: ignore[arg-type]  # or it is told
        if name == "float":
            return float(value)  # type: ignore[arg-type]  # or it is told
    except (TypeError, ValueError, OverflowError) as error:
        raise SqlError(_DOES_NOT_FIT, f"Error converting data type to {name}.", "42000") from error
    text = str(value)
    if name == "uniqueidentifier":
        if not _GUID.fullmatch(text.upper()):
            raise SqlError(
                _NO_GUID, "Conversion failed when converting from a character string to uniqueidentifier.", "42000"
            )
        return text.upper()
    return text[: int(match["length"])] if match["length"] not in (None, "max") else text


def _whole(value: int, name: str) -> int:
    if abs(value) >= 1 << _WHOLE[name]:
        raise SqlError(_OVERFLOW, f"Arithmetic overflow error converting expression to data type {name}.", "22003")
    return int(value != 0) if name == "bit" else value


def order(one: Value, other: Value, collation: str) -> int | None:
    """Return below 0, 0 or above 0 as one is less than, equal to or more than the other; None where one is NULL."""
    if one is None or other is None:
        return None
    if isinstance(one, str) and isinstance(other, str):
        left, right = compared(one, collation), compared(other, collation)
        return (left > right) - (left < right)
    first, second = _number(one), _number(other)
    return (first > second) - (first < second)


def _number(value: Value) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # or it is told
    except (TypeError, ValueError, OverflowError) as error:
        raise SqlError(
            _NO_NUMBER, f"Conversion failed when converting the value '{value}' to data type int.", "22018"
        ) from error


def is_like(value: Value, pattern: Value, collation: str) -> bool | None:
    """Tell whether a text is like a pattern of %, _ and [ranges]; None where one is NULL."""
    if value is None or pattern is None:
        return None
    parts = re.findall(r"\[[^\]]*\]|.", compared(str(pattern), collation), re.DOTALL)
    try:
        regex = re.compile("".join(map(_as_regex, parts)), re.DOTALL)
    except re.error:
        return False  # a range from a later to an earlier character holds none
    return regex.fullmatch(compared(str(value), collation)) is not None


def _as_regex(part: str) -> str:
    """Return a part of a pattern of LIKE as a regular expression."""
    if len(part) == 1:
        return {"%": ".*", "_": "."}.get(part, re.escape(part))
    listed, sign = part[1:-1].removeprefix("^"), "^" if part[1:2] == "^" else ""
    escaped = "".join(one if one == "-" else re.escape(one) for one in listed)
    return f"[{sign}{escaped}]" if listed else "(?!)"


def printed(value: Value) -> str:
    """Return a value as text; NULL is empty."""
    return "" if value is None else str(value)
