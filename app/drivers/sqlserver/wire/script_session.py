"""A client's session as a script sees it: its server, database, temporary tables, and the lab behind them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import COMMON_DATABASES, Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import Rows
from app.drivers.sqlserver.lab.script.frames import Table
from app.drivers.sqlserver.lab.script.statements import TRACE_STATUS
from app.drivers.sqlserver.lab.script.tokens import NOT_KNOWN, ScriptError
from app.drivers.sqlserver.lab.tables import OwnTable
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.foundation.rows import Cell
from app.lab.turns import Watch

_FLAG_COLUMNS: Final = ("TraceFlag", "Status", "Global", "Session")
_NO_OBJECT: Final = 208
_SYSTEM: Final = "sys"
_SPID: Final = 51  # the first one that SQL Server gives a client
_OF_OWN_DATABASE: Final = re.compile(r"(?<![\w.\]])dbo\.")


class ScriptSession:
    """The connection of `run_batch`, on one client's session; raises what its watch raises."""

    def __init__(self, session: ClientSession, watch: Watch) -> None:
        self._session, self._watch = session, watch
        self.collation = session.server.collation

    @property
    def own_tables(self) -> dict[str, OwnTable]:
        """The client's temporary tables."""
        return self._session.own_tables

    @property
    def is_off(self) -> bool:
        """Whether no batch is executed."""
        return self._session.is_off

    @is_off.setter
    def is_off(self, is_off: bool) -> None:
        self._session.is_off = is_off

    @property
    def database(self) -> str:
        """The client's database."""
        return self._session.database

    @database.setter
    def database(self, database: str) -> None:
        self._session.database = database

    def has(self, database: str) -> bool:
        """Tell whether the server has a database."""
        return self._session.server.database_called(database) is not None

    def use(self, database: str) -> None:
        """Enter a database."""
        self._session.use(database)

    def wait(self, seconds: float) -> None:
        """Let time pass, and look whether the client still waits."""
        self._watch(0.0)
        self._session.shared.let_pass(seconds, self._watch)

    def own_table(self, name: str) -> OwnTable | None:
        """Return a temporary table."""
        return self.own_tables.get(name.upper())

    def run(self, statement: Statement, values: Mapping[str, Value | None]) -> Rows:
        """Run a statement of the catalogue, where it stands in a batch: one that names its database itself, there."""
        session = self._session
        before = session.database
        if statement.database in COMMON_DATABASES and not _OF_OWN_DATABASE.search(statement.body):
            session.database = statement.database
        try:
            return session.rows_of(statement, values, self._watch)
        finally:
            session.database = before

    def look_up(self, name: Sequence[str], line: int) -> Table:
        """Return the rows of a view or table, where this login may see them."""
        session = self._session
        database = name[0] if len(name) > 2 else session.database
        schema = name[-2] if len(name) > 1 else "dbo"
        own = session.server.database_called(database)
        place = Place(session.server.name, own or database)
        key = f"{schema}.{name[-1]}".lower()
        if schema.lower() not in (_SYSTEM, "dbcc"):
            key = f"{session.server.database_role(place.database) or ''}.{key}"
        found = session.shared.rows_of(key, place, self._watch)
        if found is None and tuple(name) == TRACE_STATUS:
            return _FLAG_COLUMNS, ()  # any server tells flags, and of this lab none is set
        if found is None:
            raise ScriptError(_NO_OBJECT, f"Invalid object name '{'.'.join(name)}'.", line)
        if schema.lower() == "dbo":
            session.shared.lab.doors.check_object(session.login, f"SELECT on {place.database}.dbo.{name[-1]}", place)
        return found

    def told(self, what: str) -> Cell:
        """Return the answer of a function or global variable."""
        session, server = self._session, self._session.server.name
        match what:
            case "@@VERSION":
                return f"Microsoft SQL Server - {session.shared.lab.product_version(server)} (simulated)"
            case "SERVERPROPERTY PRODUCTVERSION":
                return session.shared.lab.product_version(server)
            case "@@SERVERNAME" | "SERVERPROPERTY SERVERNAME":
                return server
            case "@@SPID":
                return _SPID
            case "@@TRANCOUNT":
                return int(bool(session.transaction))
            case "DB_NAME":
                return session.database
            case "DB_ID":
                return self._database_id
            case "SUSER_SNAME":
                return session.user
            case "IS_SRVROLEMEMBER SYSADMIN":
                return int(session.login.is_member(server))
        raise SqlError(NOT_KNOWN, f"The lab does not tell {what}.", "42000")

    @property
    def _database_id(self) -> int:
        names = [own for own, _role in self._session.server.databases]
        return names.index(self._session.database) + 1
