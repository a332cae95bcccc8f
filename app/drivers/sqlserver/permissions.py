"""Rights as headers of statements write them: those a statement needs, and how each is granted and revoked.

A header lists what is needed, separated by "; ", each with what would do instead behind " or ":
"SELECT on dbo.orders, msdb.dbo.sysjobs; VIEW SERVER STATE", "db_owner in the database or sysadmin", "public".
Texts in brackets are for a person.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.drivers.sqlserver.scripts import identifier

NOTHING: Final = "public"
HERE: Final = "the database"
"""The database a statement runs in."""

SYSADMIN: Final = "sysadmin"
CONNECT: Final = "CONNECT"

_SERVER_ROLES: Final = frozenset({SYSADMIN, "diskadmin"})
_BRACKETS: Final = re.compile(r" \([^)]*\)")
_ON_OBJECT: Final = re.compile(r"(?P<permission>[A-Z ]+) on (?P<objects>\S.*)")
_IN_DATABASE: Final = re.compile(r"(?P<name>.+) in (?P<database>the database|\w+)")


@dataclass(frozen=True)
class Need:
    """One right.

    Attributes:
        database: "" for one of the server, `HERE` for the database the statement runs in, or another's name.
        right: as the database or the server knows it, such as "SELECT on dbo.orders" or "VIEW SERVER STATE".
        instead: those that would do as well.
    """

    database: str
    right: str
    instead: tuple["Need", ...] = ()


def needs_of(permission: str) -> tuple[Need, ...]:
    """Return the rights a header requires, none where anybody may."""
    text = _BRACKETS.sub("", permission)
    if text == NOTHING:
        return ()
    needs: list[Need] = []
    for part in text.split("; "):
        first, *instead = (_alternative(one) for one in part.split(" or "))
        others = tuple(need for needed in instead for need in needed)
        needs += [Need(need.database, need.right, others) for need in first]
    return tuple(needs)


def _alternative(text: str) -> tuple[Need, ...]:
    if on_object := _ON_OBJECT.fullmatch(text):
        permission = on_object["permission"]
        return tuple(_on(permission, name) for name in on_object["objects"].split(", "))
    if in_database := _IN_DATABASE.fullmatch(text):
        return (Need(in_database["database"], in_database["name"]),)
    return (Need("", text),)


def _on(permission: str, name: str) -> Need:
    *database, schema, table = name.split(".")
    return Need(database[0] if database else HERE, f"{permission} on {schema}.{table}")


Script = Callable[[str, str, str, str], str]
"""Makes a script of a verb, its preposition, the database ("" for the server) and the login or its user there."""


def switch_of(right: str) -> Script:
    """Return the statement that gives a right with GRANT and TO, and takes it back with REVOKE and FROM.

    Args:
        right: as `Need.right`.
    """
    return partial(_switched, right)


def _switched(right: str, verb: str, to: str, database: str, member: str) -> str:
    name, role_verb = identifier(member), "ADD" if verb == "GRANT" else "DROP"
    if not database and right in _SERVER_ROLES:
        return f"ALTER SERVER ROLE {right} {role_verb} MEMBER {name};"
    use = f"USE {identifier(database or 'master')};"
    on_object = _ON_OBJECT.fullmatch(right)
    if on_object is None and database and not right.isupper():
        return f"{use} ALTER ROLE {right} {role_verb} MEMBER {name};"
    permission = right if on_object is None else f"{on_object['permission']} ON {on_object['objects']}"
    return f"{use} {verb} {permission} {to} {name};"


def create_user(database: str, login: str) -> str:
    """Return the statement that lets a login into a database."""
    return f"USE {identifier(database)}; CREATE USER {identifier(login)} FOR LOGIN {identifier(login)};"


def drop_user(database: str, login: str) -> str:
    """Return the statement that takes a login out of a database again, with all its rights there."""
    return f"USE {identifier(database)}; DROP USER {identifier(login)};"
