"""Logins of a lab with exactly the rights a script gives them, over a transport of this process."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import Doorkeeper, Held, LabLogin
from app.drivers.sqlserver.lab.servers import LabTransport, SimulatedServers
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

_LINES: Final[tuple[tuple[str, str], ...]] = (
    (r"USE \[(?P<db>.+?)\]; CREATE USER \[(?P<who>.+)\] FOR LOGIN \[(?P=who)\];", "create"),
    (r"USE \[(?P<db>.+?)\]; DROP USER \[(?P<who>.+)\];", "drop"),
    (r"ALTER SERVER ROLE (?P<right>\w+) ADD MEMBER \[(?P<who>.+)\];", "grant"),
    (r"ALTER SERVER ROLE (?P<right>\w+) DROP MEMBER \[(?P<who>.+)\];", "revoke"),
    (r"USE \[(?P<db>.+?)\]; ALTER ROLE (?P<right>\w+) ADD MEMBER \[(?P<who>.+)\];", "grant"),
    (r"USE \[(?P<db>.+?)\]; ALTER ROLE (?P<right>\w+) DROP MEMBER \[(?P<who>.+)\];", "revoke"),
    (r"USE \[(?P<db>.+?)\]; IF OBJECT_ID\(N'(?P<table>[\w.]+)'\) IS NULL GRANT VIEW DEFINITION TO \[(?P<who>.+?)\] "
     r"ELSE GRANT (?P<right>SELECT ON (?P=table)) TO \[(?P=who)\];", "grant"),
    (r"USE \[(?P<db>.+?)\]; IF OBJECT_ID\(N'(?P<table>[\w.]+)'\) IS NULL REVOKE VIEW DEFINITION FROM \[(?P<who>.+?)\] "
     r"ELSE REVOKE (?P<right>SELECT ON (?P=table)) FROM \[(?P=who)\];", "revoke"),
    (r"USE \[(?P<db>.+?)\]; GRANT (?P<right>[A-Z ]+(?: ON [\w.]+)?) TO \[(?P<who>.+)\];", "grant"),
    (r"USE \[(?P<db>.+?)\]; REVOKE (?P<right>[A-Z ]+(?: ON [\w.]+)?) FROM \[(?P<who>.+)\];", "revoke"),
)  # fmt: skip
_SERVER: Final = re.compile(r"-- At (?P<server>.+):")


class LoginTransport(LabTransport):
    """Sends statements as one login of a lab."""

    def __init__(self, server: SimulatedServers, doors: Doorkeeper, name: str) -> None:
        super().__init__(server)
        self._doors = doors
        self._name = name

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement where the login may."""
        login = self._doors.logins[self._name]
        self._doors.check(login, statement, place)
        rows = super().send(statement, place, parameters)
        held = self._doors.rights(login, statement, place)
        if held is not None:
            return held
        return () if self._doors.sees_nothing(login, statement, place) else rows


def run_script(doors: Doorkeeper, script: str, has_table: Callable[[str], bool] = lambda _table: True) -> None:
    """Do what a DBA does who runs a script of grants line by line at the servers it names; fails on any other line."""
    server = ""
    for line in script.splitlines():
        if heading := _SERVER.fullmatch(line):
            server = heading["server"]
        elif line and not line.startswith("--"):
            assert server, f"nobody knows where to run {line}"
            _run_line(doors, server, line, has_table)


def _run_line(doors: Doorkeeper, server: str, line: str, has_table: Callable[[str], bool]) -> None:
    verb, match = next((verb, match) for pattern, verb in _LINES if (match := re.fullmatch(pattern, line)))
    groups = match.groupdict()
    login, database = doors.logins[match["who"].replace("]]", "]")], groups.get("db") or ""
    if verb == "create":
        assert (server, database) not in login.users, f"Msg 15023: {login.name} exists already in {database}"
        login.users.add((server, database))
        return
    if verb == "drop":
        login.users.remove((server, database))
        login.held = {one for one in login.held if (one.server, one.database) != (server, database)}
        return
    right = _right(groups, has_table)
    if (verb, right) == ("revoke", "CONNECT"):
        login.users.remove((server, database))
        return
    of_server = database in ("", "master")
    if not of_server and (server, database) not in login.users:
        raise SqlError(15151, f"Cannot find the user '{login.name}' in {database}.")
    held = Held(server, "" if of_server else database, right)
    assert (held in login.held) == (verb == "revoke"), f"{verb} {right} in {database} at {server} does nothing"
    login.held ^= {held}


def _right(groups: Mapping[str, str], has_table: Callable[[str], bool]) -> str:
    table = groups.get("table")
    if table and not has_table(table):
        return "VIEW DEFINITION"
    return groups["right"].replace(" ON ", " on ")


def may_nothing(doors: Doorkeeper, name: str) -> LabLogin:
    """Return a new login of a lab that may sign in, and do nothing else."""
    doors.logins[name] = LabLogin(name)
    return doors.logins[name]
