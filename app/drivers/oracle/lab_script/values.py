"""Values as Oracle converts, joins and compares them: an empty text is NULL, and what NULL is compared with unknown."""

import operator
from datetime import datetime
from typing import Any, Final

from app.drivers.oracle.errors import OracleError
from app.foundation.rows import Cell

Value = Cell | bool

_COMPARED: Final[dict[str, Any]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
COMPARISONS: Final = frozenset(_COMPARED)


def text_of(value: Value) -> str | None:
    """Return a value as text, None for NULL."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        raise OracleError.of_text("PLS-00382: expression is of wrong type")
    if isinstance(value, datetime):
        return value.strftime("%d-%b-%y").upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value).replace("0.", ".", value < 1)
    return str(value)


def number_of(value: Value) -> int | float | None:
    """Return a value as a number, None for NULL; raises OracleError where it is none."""
    if value is None or isinstance(value, int | float):
        return value
    try:
        number = float(str(value))
    except ValueError as error:
        raise OracleError.of_text("ORA-01722: invalid number") from error
    return int(number) if number.is_integer() else number


def joined(first: Value, second: Value) -> Value:
    """Return two texts as one."""
    return (text_of(first) or "") + (text_of(second) or "") or None


def compared(sign: str, first: Value, second: Value) -> bool | None:
    """Return the outcome of a comparison, None where one of both is NULL; a text beside a number is read as one."""
    if first is None or second is None or "" in (first, second):
        return None
    if isinstance(first, int | float) or isinstance(second, int | float):
        return bool(_COMPARED[sign](number_of(first), number_of(second)))
    if type(first) is not type(second):
        raise OracleError.of_text("ORA-00932: inconsistent datatypes")
    return bool(_COMPARED[sign](first, second))
