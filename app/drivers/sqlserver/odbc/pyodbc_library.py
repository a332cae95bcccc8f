"""pyodbc: any ODBC driver that is registered on this computer, or named by its library's path."""

import re
from collections.abc import Mapping
from typing import Any, Final

import pyodbc  # type: ignore[import-not-found]  # its stub is not marked as one

from app.drivers.sqlserver.errors import SqlError, telling
from app.drivers.sqlserver.odbc.library import RawConnection
from app.drivers.sqlserver.odbc.results import Cursor

# A diagnostic record: "[42000] [Microsoft][ODBC Driver 18 for SQL Server][SQL Server]text (229) (SQLExecDirectW)".
_RECORD: Final = re.compile(
    r"(?:^|; )(?:\[(?P<state>[0-9A-Z]{5})\] )?(?P<tags>(?:\[[^\]]*\])*)(?P<text>.*?) \((?P<number>-?\d+)\)"
    r"(?: \(SQL\w+\))?(?=; \[[0-9A-Z]{5}\] |$)",
    re.DOTALL,
)

# What FreeTDS itself reports, with the tag and state of a server's error: number → part of its text, ODBC state.
# Source: include/freetds/sybdb.h and src/odbc/error.c of FreeTDS.
_FREETDS: Final[Mapping[int, tuple[str, str]]] = {
    20002: ("connection failed", "08001"),
    20003: ("timed out", "HYT00"),
    20004: ("Read from the server failed", "08S01"),
    20006: ("Write to the server failed", "08S01"),
    20009: ("Unable to connect", "08001"),
    20012: ("not found", "08001"),
    20013: ("Unknown host", "08001"),
    20017: ("Unexpected EOF", "08S01"),
    20047: ("dead or not enabled", "08S01"),
}


class PyodbcLibrary:
    """Connections through the driver manager; importing this module loads it."""

    errors: tuple[type[BaseException], ...] = (pyodbc.Error,)

    def __init__(self) -> None:
        self._limit_s = 0
        # Before the first connection: a pooled one would outlive its close(), and carry another's settings.
        pyodbc.pooling = False

    def connect(self, connection_string: str, login_limit_s: int, statement_limit_s: int) -> RawConnection:
        """Connect, each statement committed by itself."""
        connection = pyodbc.connect(connection_string, autocommit=True, timeout=login_limit_s)
        connection.timeout = self._limit_s = statement_limit_s
        return connection

    def server_version(self, connection: RawConnection) -> str:
        """Return the version the server told at login."""
        return str(connection.getinfo(pyodbc.SQL_DBMS_VER))

    def open_cursor(self, connection: RawConnection, limit_s: int) -> Cursor:
        """Return a cursor for one statement; it takes the limit its connection has when it is made."""
        longer_s = max(limit_s, self._limit_s)
        if connection.timeout != longer_s:
            connection.timeout = longer_s
        cursor: Cursor = connection.cursor()
        return cursor

    def cancel(self, cursor: Cursor) -> None:
        """Cancel a cursor's running call, from another thread."""
        running: Any = cursor  # PEP 249 has no cancel
        running.cancel()

    def to_sql_error(self, error: BaseException, cursor: Cursor | None) -> SqlError:
        """Return the diagnostic record that counts from a call's exception."""
        del cursor
        state = str(error.args[0]) if len(error.args) > 1 else ""
        message = str(error.args[-1]) if error.args else type(error).__name__
        records = [_from_record(record, state) for record in _RECORD.finditer(message)]
        return telling(records) if records else SqlError(0, message, state or "HY000")


def _from_record(record: re.Match[str], first_state: str) -> SqlError:
    """Return one record; the exception names the state of the first."""
    state = (first_state if record.start() == 0 else "") or record["state"] or "HY000"
    number, text, tags = int(record["number"]), record["text"].strip(), record["tags"]
    if "[FreeTDS]" in tags:
        number, state = _of_freetds(number, text, state)
    elif "[SQL Server]" not in tags:
        # the driver's own or the system's number, which may be one of the server's with another meaning
        return SqlError(0, text, state, native=number)
    return SqlError(number, text, state)


def _of_freetds(number: int, text: str, state: str) -> tuple[int, str]:
    """FreeTDS says neither by tag nor by state whether the server reports something or the connection is gone."""
    part, own_state = _FREETDS.get(number, ("\0", ""))
    if part in text:
        return 0, own_state
    if number == 0 and state in ("HY000", "01000"):
        return 0, "08S01"
    return number, state
