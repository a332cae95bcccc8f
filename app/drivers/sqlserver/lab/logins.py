"""Rights at the lab's servers: each object in a statement's body requires the right the vendor documents.

Headers, of which the grants are made, are held to that: no right more and none less. Microsoft's own parser writes the
objects of each body to `named_objects.json`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from app.drivers.sqlserver.catalogue import Form, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.lab.named_objects import named_objects
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

ADMIN: Final = "replitune"
"""The lab's login that is a member of sysadmin everywhere."""

MONITOR: Final = "monitor"
"""The lab's login that may read what a system says, and nothing else."""

_SYSADMIN: Final = "sysadmin"
# Databases that have a user guest which may connect: msdb and master of every server.
_OPEN: Final = frozenset({"master", "msdb"})
_ASKED: Final = re.compile(r"\(N'(?P<right>[^']+)',")
_SELECT: Final = "SELECT on "


@dataclass(frozen=True)
class Asks:
    """The rights a server requires before a login may use an object.

    Attributes:
        rights: any of them will do; none where everybody may.
        database: "" for rights of the server, None for the database the statement runs in, or another's name.
        number: of the error it is refused with.
        is_hidden: whether it refuses nobody, and shows nothing to a login without them: catalogue views do so.
        text: of the error, "" for the usual one of its number.
    """

    rights: tuple[str, ...] = ()
    database: str | None = None
    number: int = 229
    is_hidden: bool = False
    text: str = ""


_EVERYBODY: Final = Asks()

# By pattern of what a body names; the first that fits counts. Sources: the "Permissions" section of each object's
# page below MicrosoftDocs/sql-docs:docs/relational-databases/, and for tables of msdb, which have no page, of GRANT.
_COMMON: Final[tuple[tuple[str, Asks], ...]] = (
    (r"EXECUTE on (?:master\.)?sys\.sp_(?:executesql|getapplock|releaseapplock)", _EVERYBODY),
    (r"EXECUTE on msdb\.dbo\.\w+", Asks((_SYSADMIN,), "")),
    (r"SELECT on sys\.dm_db_\w+", Asks(("VIEW DATABASE STATE", "db_owner"))),
    (r"SELECT on sys\.dm_exec_sessions", _EVERYBODY),  # shows a login without rights its own sessions
    (r"SELECT on sys\.dm_\w+", Asks(("VIEW SERVER STATE",), "", 300)),
    (r"SELECT on sys\.sql_expression_dependencies", Asks(("SELECT on sys.sql_expression_dependencies", "db_owner"))),
    (r"SELECT on sys\.(?:tables|views|indexes|triggers|foreign_keys)",
     Asks(("VIEW DEFINITION", "db_owner"), is_hidden=True)),
    (r"SELECT on sys\.master_files", Asks(("VIEW ANY DEFINITION",), "", is_hidden=True)),
    (r"SELECT on sys\.(?!dm_)\w+", _EVERYBODY),
    (r"DBCC TRACESTATUS", _EVERYBODY),
    (r"DBCC TRACEO(?:N|FF)", Asks((_SYSADMIN,), "", 2571)),
)  # fmt: skip


@dataclass(frozen=True)
class Held:
    """One right a login has; `database` is "" for one of the server."""

    server: str
    database: str
    right: str


@dataclass
class LabLogin:
    """A login, the same at every server.

    Attributes:
        users: server and database of each it has a user in.
        is_sysadmin: everywhere.
    """

    name: str
    held: set[Held] = field(default_factory=set)
    users: set[tuple[str, str]] = field(default_factory=set)
    is_sysadmin: bool = False

    def is_member(self, server: str) -> bool:
        """Tell whether it is a member of sysadmin at a server."""
        return self.is_sysadmin or Held(server, "", _SYSADMIN) in self.held

    def has(self, server: str, database: str, right: str) -> bool:
        """Tell whether it has a right there; whoever enters a database may connect to it."""
        if self.is_member(server) or (right == "CONNECT" and self.enters(server, database)):
            return True
        return Held(server, database, right) in self.held

    def enters(self, server: str, database: str) -> bool:
        """Tell whether it may enter a database."""
        return self.is_member(server) or database in _OPEN or (server, database) in self.users

    def user_in(self, server: str, database: str) -> str:
        """Return as whom a database knows it."""
        if self.is_member(server):
            return "dbo"
        return self.name if (server, database) in self.users else "guest"


class Doorkeeper:
    """Lets logins in and statements through as the servers of one lab would.

    Attributes:
        logins: by name, small; the administrator's is there from the beginning.
    """

    def __init__(
        self,
        asks: Iterable[tuple[str, Asks]] = (),
        is_there: Callable[[str], bool] = lambda _object: True,
    ) -> None:
        """Prepare the servers.

        Args:
            asks: what objects of a system ask for, by pattern of what a body names.
            is_there: whether a table is there, by its name with schema; not every release has each.
        """
        self._asks = tuple((re.compile(pattern), needed) for pattern, needed in (*asks, *_COMMON))
        self._is_there = is_there
        self.logins = {ADMIN: LabLogin(ADMIN, is_sysadmin=True)}

    def asked_for(self, named: str) -> Asks | None:
        """Return the rights an object of a body requires, None where none is on record."""
        if (table := self._table(named)) is not None:
            others = "db_datareader" if named.startswith(_SELECT) else "db_datawriter"
            return Asks((f"{named.partition(' on ')[0]} on {table[1]}", others, "db_owner"), table[0])
        return next((asks for pattern, asks in self._asks if pattern.fullmatch(named)), None)

    @staticmethod
    def _table(named: str) -> tuple[str | None, str] | None:
        """Return database and name of a table of a database, None for anything else."""
        match = re.fullmatch(r"(?:SELECT|INSERT|UPDATE|DELETE) on (?:(\w+)\.)?(dbo\.\w+)", named)
        return None if match is None else (match[1], match[2])

    def enter(self, login: LabLogin, server: str, database: str) -> None:
        """Let a login into a database; raises SqlError (916) where it has no user there."""
        if not login.enters(server, database):
            raise SqlError(
                916,
                f'The server principal "{login.name}" is not able to access the database "{database}" under the '
                "current security context.",
                "42000",
            )

    def check(self, login: LabLogin, statement: Statement, place: Place) -> None:
        """Let a statement through; raises SqlError as the server would for the first object it may not use."""
        if login.is_member(place.server):
            return
        self.enter(login, place.server, place.database)
        for named in named_objects().get(statement.name, ()):
            self.check_object(login, named, place)

    def check_object(self, login: LabLogin, named: str, place: Place) -> None:
        """Let a login use an object, such as "SELECT on dbo.orders"; raises SqlError where it may not."""
        if login.is_member(place.server):
            return
        table = self._table(named)
        if table is not None and not self._is_there(table[1]):
            # Whoever sees every definition is told that it is not there; the statement asks that before it names it.
            if login.has(place.server, place.database, "VIEW DEFINITION"):
                return
            raise SqlError(208, f"Invalid object name '{table[1]}'.", "42S02")
        asks = self.asked_for(named)
        if asks is None:
            raise SqlError(208, f"Invalid object name '{named}'.", "42S02")
        if not asks.is_hidden and not self._has_any(login, asks, place):
            raise _refusal(asks, named, place.database if asks.database is None else asks.database)

    @staticmethod
    def _has_any(login: LabLogin, asks: Asks, place: Place) -> bool:
        database = place.database if asks.database is None else asks.database
        return not asks.rights or any(login.has(place.server, database, right) for right in asks.rights)

    def sees_nothing(self, login: LabLogin, statement: Statement, place: Place) -> bool:
        """Tell whether catalogue views a statement reads show nothing to a login."""
        if statement.form is not Form.SELECT:
            return False  # those name their database themselves
        asked = (self.asked_for(named) for named in named_objects().get(statement.name, ()))
        return any(asks.is_hidden and not self._has_any(login, asks, place) for asks in asked if asks is not None)

    def answers(self, *names: str) -> dict[str, Answer]:
        """Return the administrator's answers to the statements that ask for rights."""
        return {name: partial(self._answer, catalogue()[name]) for name in names}

    def _answer(self, statement: Statement, place: Place, _values: Parameters) -> Result:
        return list(self.rights(self.logins[ADMIN], statement, place) or ())

    def rights(self, login: LabLogin, statement: Statement, place: Place) -> Rows | None:
        """Return the answer to a statement that asks for rights, None for any other statement."""
        names = statement.column_names
        if "right_name" not in names:
            return None
        of_server = "login_name" in names
        who = login.name if of_server else login.user_in(place.server, place.database)
        database = "" if of_server else place.database
        return tuple(
            (who, right, int(self._holds(login, place.server, database, right)))
            for right in _ASKED.findall(statement.body)
        )

    def _holds(self, login: LabLogin, server: str, database: str, right: str) -> bool:
        table = self._table(right)
        if table is not None and not self._is_there(table[1]):
            right = "VIEW DEFINITION"
        if right.startswith(_SELECT):
            own = any(login.has(server, database, role) for role in ("db_owner", "db_datareader"))
            return own or login.has(server, database, right)
        return login.has(server, database, right) or (database != "" and login.has(server, database, "db_owner"))


def _refusal(asks: Asks, named: str, database: str) -> SqlError:
    texts: Mapping[int, str] = {
        300: f"{asks.rights[0]} permission was denied on object 'server', database 'master'.",
        2571: f"User does not have permission to run {named}.",
        21050: "Only members of the sysadmin fixed server role or db_owner fixed database role can perform this "
        "operation. Contact an administrator with sufficient permissions to perform this operation.",
        21089: "Only members of the sysadmin fixed server role can perform this operation.",
    }
    permission, _on, name = named.partition(" on ")
    schema, _dot, table = name.rpartition(".")
    denied = (
        f"The {permission} permission was denied on the object '{table}', database '{database}', "
        f"schema '{schema.rpartition('.')[2]}'."
    )
    return SqlError(asks.number, asks.text or texts.get(asks.number, denied), "42000")
