"""The functions that scripts call, and the names of those that a server answers for itself."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.script.frames import Frame
from app.drivers.sqlserver.lab.script.tokens import NOT_KNOWN
from app.drivers.sqlserver.lab.script.values import Value, converted, printed

_MARK_CLOSE: Final = "]"
_LAST_CHARACTER: Final = 0xFFFF
TOLD: Final = frozenset({"@@VERSION", "@@SERVERNAME", "@@SPID", "@@TRANCOUNT", "SUSER_SNAME", "DB_NAME", "DB_ID"})
_Function = Callable[[Frame, Sequence[Value]], Value]


def _server_property(frame: Frame, given: Sequence[Value]) -> Value:
    return frame.around.told(f"SERVERPROPERTY {printed(given[0]).upper()}")


def _quote_name(_frame: Frame, given: Sequence[Value]) -> Value:
    name = printed(given[0])
    return f"[{name.replace(_MARK_CLOSE, _MARK_CLOSE * 2)}]"


def _object_id(frame: Frame, given: Sequence[Value]) -> Value:
    database, _dots, name = printed(given[0]).rpartition("..")
    if database.casefold() != "tempdb":
        raise SqlError(NOT_KNOWN, f"The lab tells the ids of temporary tables only, not of '{given[0]}'.", "42000")
    return None if frame.around.own_table(name) is None else 1


def _absolute(_frame: Frame, given: Sequence[Value]) -> Value:
    number = converted(given[0], "float" if isinstance(given[0], float) else "bigint")
    return abs(number) if isinstance(number, int | float) else None


def _character(_frame: Frame, given: Sequence[Value]) -> Value:
    code = converted(given[0], "int")
    return chr(code) if isinstance(code, int) and 0 <= code <= _LAST_CHARACTER else None


def _replaced(_frame: Frame, given: Sequence[Value]) -> Value:
    return None if None in given else printed(given[0]).replace(printed(given[1]), printed(given[2]))


FUNCTIONS: Final[Mapping[tuple[str, int | None], _Function]] = {
    ("ABS", 1): _absolute,
    ("CONCAT", None): lambda _frame, given: "".join(map(printed, given)),
    ("ERROR_MESSAGE", 0): lambda frame, _given: None if frame.caught is None else frame.caught.text,
    ("ERROR_NUMBER", 0): lambda frame, _given: None if frame.caught is None else frame.caught.number,
    ("ISNULL", 2): lambda _frame, given: given[1] if given[0] is None else given[0],
    ("IS_SRVROLEMEMBER", 1): lambda frame, given: frame.around.told(f"IS_SRVROLEMEMBER {printed(given[0]).upper()}"),
    ("NCHAR", 1): _character,
    ("OBJECT_ID", 1): _object_id,
    ("QUOTENAME", 1): _quote_name,
    ("REPLACE", 3): _replaced,
    ("SCHEMA_ID", 1): lambda _frame, given: 1 if printed(given[0]).casefold() == "dbo" else None,
    ("SERVERPROPERTY", 1): _server_property,
}
