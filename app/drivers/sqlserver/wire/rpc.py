"""Remote procedure calls as drivers make them for statements with parameters (MS-TDS 2.2.6.6)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.drivers.sqlserver.wire.reading import FieldReader, Malformed
from app.drivers.sqlserver.wire.values import Decoded, read_typed_value

_BY_NUMBER: Final = 0xFFFF
_SEPARATORS: Final = (0xFF, 0xFE)
_MOST_CALLS: Final = 10_000


class Procedure(StrEnum):
    """Procedures drivers call by themselves."""

    EXECUTE_SQL = "sp_executesql"
    PREPARE = "sp_prepare"
    EXECUTE = "sp_execute"
    PREPARE_EXECUTE = "sp_prepexec"
    UNPREPARE = "sp_unprepare"
    DESCRIBE_PARAMETERS = "sp_describe_undeclared_parameters"
    TYPE_INFO = "sp_datatype_info"
    TYPE_INFO_100 = "sp_datatype_info_100"
    RESET = "sp_reset_connection"


_NUMBERED: Final = {
    1: "sp_cursor",
    2: "sp_cursoropen",
    3: "sp_cursorprepare",
    4: "sp_cursorexecute",
    5: "sp_cursorprepexec",
    6: "sp_cursorunprepare",
    7: "sp_cursorfetch",
    8: "sp_cursoroption",
    9: "sp_cursorclose",
    10: Procedure.EXECUTE_SQL,
    11: Procedure.PREPARE,
    12: Procedure.EXECUTE,
    13: Procedure.PREPARE_EXECUTE,
    14: "sp_prepexecrpc",
    15: Procedure.UNPREPARE,
}


@dataclass(frozen=True)
class Parameter:
    """A value of a call; its name is empty where it goes by its position."""

    name: str
    value: Decoded


@dataclass(frozen=True)
class Call:
    """One call: the procedure without schema and brackets, in lower case."""

    procedure: str
    parameters: tuple[Parameter, ...]

    def value(self, position: int) -> Decoded:
        """Return a value by its position, None where the call has not so many."""
        return self.parameters[position].value if position < len(self.parameters) else None

    def text(self, position: int) -> str:
        """Return a text by its position, empty where it is NULL, no text, or missing."""
        value = self.value(position)
        return value if isinstance(value, str) else ""


def parse_calls(payload: bytes) -> tuple[Call, ...]:
    """Take a request apart: one call, or several that a driver sends together.

    Raises:
        Malformed: it is cut short.
        UnsupportedType: a parameter has a type no statement takes.
    """
    reader = FieldReader(payload)
    reader.skip_headers()
    calls = []
    while not reader.at_end:
        calls.append(_read_call(reader))
        if len(calls) > _MOST_CALLS:
            raise Malformed("too many calls in one request")
    if not calls:
        raise Malformed("a request without a call")
    return tuple(calls)


def _read_call(reader: FieldReader) -> Call:
    length = reader.u16()
    if length == _BY_NUMBER:
        number = reader.u16()
        name = _NUMBERED.get(number, f"procedure number {number}")
    else:
        name = plain_name(reader.text(length))
    reader.u16()  # options: recompile, no metadata; results are described each time
    parameters = []
    while not reader.at_end:
        name_length = reader.u8()
        if name_length in _SEPARATORS:
            break
        parameter_name = reader.text(name_length)
        reader.u8()  # by reference or default
        parameters.append(Parameter(parameter_name, read_typed_value(reader)))
    return Call(name, tuple(parameters))


def plain_name(name: str) -> str:
    """Return a procedure's name without database, schema and brackets, in lower case."""
    return name.rpartition(".")[2].strip("[] ").lower()
