"""mssql-python: Microsoft's driver inside its wheel, for computers where none can be registered."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import mssql_python
from mssql_python import ddbc_bindings
from mssql_python import exceptions as driver_errors

from app.drivers.sqlserver.errors import SqlError, telling
from app.drivers.sqlserver.odbc.library import RawConnection
from app.drivers.sqlserver.odbc.results import Cursor

_DBMS_VERSION: Final = 18  # SQL_DBMS_VER of ODBC's SQLGetInfo
# A diagnostic record as the library gives it: "[42000] (229)" and the text with its tags.
_RECORD: Final = re.compile(r"\[(?P<state>\w{5})\] \((?P<number>-?\d+)\)")
_TAGS: Final = re.compile(r"(?:\[[^\]]*\])+")
# States this program tells apart; the library's exceptions carry only its phrase for each.
_STATES: Final = (
    "01000", "08001", "08003", "08004", "08007", "08S01", "23000", "28000", "40001", "42000", "42S02",
    "HY000", "HY008", "HYT00", "HYT01", "IM002", "IM003", "IM004",
)  # fmt: skip


class _DiagnosedCursor(mssql_python.Cursor):
    """Keeps the diagnostic records of a failed statement: the library drops them, and the server's number with them."""

    records: tuple[tuple[str, str], ...] = ()

    def _reset_cursor(self) -> None:
        if self.hstmt:
            self.records = _records_of(self.hstmt)
        super()._reset_cursor()


class MssqlPythonLibrary:
    """Connections without a driver manager; importing this module loads the library."""

    errors: tuple[type[BaseException], ...] = (
        driver_errors.Exception,
        driver_errors.ConnectionStringParseError,
        RuntimeError,  # its native part
    )

    def __init__(self) -> None:
        # Before the first connection: a pooled one would outlive its close(), and carry another's settings.
        mssql_python.pooling(enabled=False)

    def connect(self, connection_string: str, login_limit_s: int, statement_limit_s: int) -> RawConnection:
        """Connect, each statement committed by itself."""
        connection = mssql_python.connect(connection_string, autocommit=True, timeout=login_limit_s, native_uuid=False)
        connection.timeout = statement_limit_s
        return connection

    def server_version(self, connection: RawConnection) -> str:
        """Return the version the server told at login."""
        return str(connection.getinfo(_DBMS_VERSION))

    def open_cursor(self, connection: RawConnection, limit_s: int) -> Cursor:
        """Return a cursor for one statement."""
        cursor: Any = _DiagnosedCursor(connection, timeout=max(limit_s, connection.timeout))
        return cursor  # type: ignore[no-any-return]  # its nextset and execute differ from PEP 249 only in names

    def cancel(self, cursor: Cursor) -> None:
        """Cancel a cursor's running call, from another thread."""
        handle = getattr(cursor, "hstmt", None)
        if handle is not None:
            handle._cancel()

    def to_sql_error(self, error: BaseException, cursor: Cursor | None) -> SqlError:
        """Return number, text and state; the number is 0 while connecting, where the library tells none."""
        records = getattr(cursor, "records", ()) or _records_of(getattr(cursor, "hstmt", None))
        told = [
            _sql_error(int(record["number"]), record["state"], message)
            for heading, message in records
            if (record := _RECORD.match(heading)) is not None
        ]
        if told:
            return telling(told)
        phrase = str(getattr(error, "driver_error", ""))
        message = str(getattr(error, "ddbc_error", "")) or phrase or str(error)
        return SqlError(0, _TAGS.sub("", message, count=1).strip(), _states_by_phrase().get(phrase, "HY000"))


def _records_of(handle: Any) -> tuple[tuple[str, str], ...]:
    """Return the diagnostic records that stand at a statement until its next use."""
    if not handle:
        return ()
    native: Any = ddbc_bindings  # the library's own native part, which declares only some of its functions
    return tuple(native.DDBCSQLGetAllDiagRecords(handle))


def _sql_error(number: int, state: str, message: str) -> SqlError:
    tags = _TAGS.match(message)
    text = message[tags.end() :] if tags else message
    is_server = tags is not None and "[SQL Server]" in tags[0]
    return SqlError(number, text.strip(), state) if is_server else SqlError(0, text.strip(), state, native=number)


@cache
def _states_by_phrase() -> Mapping[str, str]:
    state_by_phrase = {}
    for state in _STATES:
        error = driver_errors.sqlstate_to_exception(state, "")
        if error is not None:
            state_by_phrase[error.driver_error] = state
    return state_by_phrase
