"""Telling which statement of the catalogue a text is; every other text is refused."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.bound_text import PLACEHOLDER, bound_text
from app.drivers.sqlserver.catalogue import TOOL, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.wire.rpc import Parameter
from app.drivers.sqlserver.wire.values import Decoded
from app.foundation.rows import Cell

NOT_OURS: Final = 50_000

_COMMENT: Final = re.compile(rf"/\* {TOOL} (\w+) \*/\n")
_MARKER: Final = r"(\?|@\w+)"
_TEXT_TYPES: Final = frozenset({"nvarchar", "sysname", "varchar"})
_WHOLE_LIMITS: Final = {"int": 31, "bigint": 63, "smallint": 15, "tinyint": 8}
_GUID: Final = re.compile(r"\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?")


@dataclass(frozen=True)
class Batch:
    """A statement of the catalogue as it was sent.

    Attributes:
        markers: for each parameter in order what stands in its place: ? or the name a driver gave it.
    """

    statement: Statement
    markers: tuple[str, ...]

    def values(self, given: tuple[Parameter, ...]) -> Mapping[str, Value | None]:
        """Return the values by the statement's own names, converted to the declared types as the server would.

        Raises:
            SqlError: a value is missing, or cannot be converted.
        """
        by_name = {parameter.name.lower(): parameter.value for parameter in given if parameter.name}
        converted: dict[str, Value | None] = {}
        for position, (marker, declared) in enumerate(zip(self.markers, self.statement.parameters, strict=True)):
            if marker.lower() in by_name:
                value = by_name[marker.lower()]
            elif position < len(given) and not given[position].name:
                value = given[position].value
            else:
                raise SqlError(
                    8178, f"The parameterized query expects the parameter '{marker}', which was not supplied."
                )
            converted[declared.name.removeprefix("@")] = convert(value, declared.sql_type)
        return converted


@dataclass(frozen=True)
class OtherText:
    """A text that is no statement of the catalogue, with the types of its parameters by name."""

    text: str
    types: Mapping[str, str]

    def values(self, given: Sequence[Parameter]) -> Mapping[str, tuple[str, Cell]]:
        """Return type and value of each parameter by name, given by name or in order.

        Raises:
            SqlError: a value is missing.
        """
        by_name = {parameter.name.upper(): _cell(parameter.value) for parameter in given if parameter.name}
        in_order = [_cell(parameter.value) for parameter in given if not parameter.name]
        found: dict[str, tuple[str, Cell]] = {}
        for position, (name, sql_type) in enumerate(self.types.items()):
            if name not in by_name and position >= len(in_order):
                raise SqlError(8178, f"The parameterized query expects the parameter '{name}', which was not supplied.")
            found[name] = (sql_type, by_name[name] if name in by_name else in_order[position])
        return found


def _cell(value: Decoded) -> Cell:
    return value.hex() if isinstance(value, bytes) else value


def is_ours(text: str) -> bool:
    """Tell whether a text carries the comment that this program's statements carry."""
    return _COMMENT.search(text) is not None


def recognise(text: str) -> Batch:
    """Return the statement a text is.

    Raises:
        SqlError: it is none, or differs from it by as much as a character; number 50000.
    """
    match = _COMMENT.search(text)
    statement = None if match is None else catalogue().get(match[1])
    if match is None or statement is None:
        raise SqlError(NOT_OURS, "This is not one of this program's statements; the lab runs no other.", "42000")
    front, body = text[: match.start()], text[match.start() :]
    markers = _declaring(bound_text(statement).removesuffix(statement.text)).fullmatch(front)
    if body != statement.text or markers is None:
        raise SqlError(NOT_OURS, f"This is not this program's statement '{statement.name}'.", "42000")
    return Batch(statement, markers.groups())


@cache
def _declaring(declarations: str) -> re.Pattern[str]:
    return re.compile(_MARKER.join(re.escape(part) for part in declarations.split(PLACEHOLDER)))


def convert(value: Decoded, sql_type: str) -> Value | None:
    """Return a value as a variable of a type holds it; NULL stays NULL.

    Raises:
        SqlError: it cannot be converted, with SQL Server's number for it.
    """
    if value is None:
        return None
    if sql_type in _TEXT_TYPES:
        return str(value)
    if sql_type == "uniqueidentifier":
        if isinstance(value, str) and _GUID.fullmatch(value.strip()):
            return value.strip().strip("{}").upper()
        raise SqlError(8169, "Conversion failed when converting from a character string to uniqueidentifier.", "42000")
    try:
        return _number(value, sql_type)
    except (TypeError, ValueError, OverflowError) as error:
        raise SqlError(8114, f"Error converting data type to {sql_type}.", "42000") from error


def _number(value: Decoded, sql_type: str) -> int | float:
    if isinstance(value, bytes) or value is None or not isinstance(value, int | float | str):
        raise TypeError(sql_type)
    if sql_type == "float":
        return float(value)
    whole = int(value)
    if sql_type == "bit":
        return int(whole != 0)
    if abs(whole) >= 1 << _WHOLE_LIMITS[sql_type]:
        raise SqlError(8115, f"Arithmetic overflow error converting expression to data type {sql_type}.", "22003")
    return whole
