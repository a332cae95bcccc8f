"""The transport's interface to a driver library; pyodbc and mssql-python are behind it."""

from typing import Any, Protocol

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.odbc.results import Cursor

# A driver's own connection object, which only its library looks into.
RawConnection = Any


class DriverLibrary(Protocol):
    """One Python library that speaks to servers.

    Attributes:
        errors: what its calls raise; anything else is a fault of the program.
    """

    errors: tuple[type[BaseException], ...]

    def connect(self, connection_string: str, login_limit_s: int, statement_limit_s: int) -> RawConnection:
        """Connect, each statement committed by itself."""
        ...

    def server_version(self, connection: RawConnection) -> str:
        """Return the version the server told at login, such as "16.00.4135", "" where it told none."""
        ...

    def open_cursor(self, connection: RawConnection, limit_s: int) -> Cursor:
        """Return a cursor for one statement, limited to the longer of the connection's limit and `limit_s`."""
        ...

    def cancel(self, cursor: Cursor) -> None:
        """Cancel a cursor's running call, from another thread."""
        ...

    def to_sql_error(self, error: BaseException, cursor: Cursor | None) -> SqlError:
        """Return the server's number, text and state from a call's exception."""
        ...
