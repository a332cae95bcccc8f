"""Clients of SQL Server that are not this program's, each in a process of its own or through unixODBC."""

import base64
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pyodbc  # type: ignore[import-not-found]  # its stub is not marked as one
import pytest

from tests.contract.sqlcmd import BatchError, Options, run
from tests.unit.targets.sqlserver.odbc.real_drivers import has_driver

HERE: Final = Path(__file__).parent / "clients"
_DRIVERS_OWN: Final = re.compile(r"^(?:\[[^\]]*\])+")
_OF_SCRIPTS: Final = 50_000
_ENDING: Final = 127  # the state that every error of a script has; JDBC and tedious do not tell it


class FreeTds:
    """FreeTDS, called through unixODBC."""

    def __init__(self, port: int) -> None:
        self._connection = pyodbc.connect(
            f"DRIVER={{FreeTDS}};SERVER=127.0.0.1;PORT={port};UID=replitune;PWD=lab;TDS_Version=7.4", autocommit=True
        )

    def send(self, text: str) -> None:
        """Send a batch and fetch all it shows."""
        cursor = self._connection.cursor()
        try:
            cursor.execute(text)
            while cursor.nextset():
                pass
        except pyodbc.Error as error:
            raise BatchError(str(error.args[-1]), _ENDING) from error

    def messages(self, text: str) -> list[str]:
        """Send a batch and return the lines it prints."""
        cursor = self._connection.cursor().execute(text)
        said: list[str] = []
        while True:
            said += [_DRIVERS_OWN.sub("", message) for _state, message in cursor.messages or ()]
            if not cursor.nextset():
                return said

    def close(self) -> None:
        """Leave."""
        self._connection.close()


class Piped:
    """A client in a process of its own, which is handed a batch a line."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )

    def send(self, text: str) -> None:
        """Send a batch and wait for what came of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(base64.b64encode(text.encode()).decode() + "\n")
        self._process.stdin.flush()
        number, _blank, said = self._process.stdout.readline().partition(" ")
        if int(number):
            raise BatchError(base64.b64decode(said).decode(), _ENDING if int(number) == _OF_SCRIPTS else 1, int(number))

    def close(self) -> None:
        """Leave."""
        self._process.kill()
        self._process.communicate()


@cache
def jdbc_jar() -> Path | None:
    """Return Microsoft's JDBC driver in the local Maven repository, None where there is none."""
    found = sorted(Path.home().glob(".m2/repository/com/microsoft/sqlserver/mssql-jdbc/*/mssql-jdbc-*.jar"))
    return found[-1] if found and shutil.which("java") else None


@cache
def node_modules() -> Path | None:
    """Return the folder of Node's global modules with tedious in it, None where there is none."""
    if not shutil.which("npm"):
        return None
    told = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False)
    folder = Path(told.stdout.strip())
    return folder if (folder / "tedious").is_dir() else None


def _by_jdbc(port: int) -> Piped:
    return Piped(["java", "-cp", str(jdbc_jar()), str(HERE / "Batches.java"), str(port)], {})


def _by_tedious(port: int) -> Piped:
    modules = {"NODE_PATH": str(node_modules()), "NODE_NO_WARNINGS": "1"}
    return Piped(["node", str(HERE / "batches.js"), str(port)], modules)


CLIENTS: Final[Mapping[str, tuple[Callable[[int], FreeTds | Piped], Callable[[], bool], str]]] = {
    "freetds": (FreeTds, lambda: has_driver("freetds"), "the ODBC driver of FreeTDS is not installed"),
    "mssql-jdbc": (
        _by_jdbc,
        lambda: jdbc_jar() is not None,
        "no mssql-jdbc in the local Maven repository: mvn dependency:get -Dartifact=com.microsoft.sqlserver:mssql-jdbc",
    ),
    "tedious": (_by_tedious, lambda: node_modules() is not None, "no tedious among Node's modules: npm install -g"),
}


class Tool:
    """A DBA's tool on one of those clients, connected to each server once: sqlcmd's part is `tests.contract.sqlcmd`.

    Attributes:
        errors: of the last script.
    """

    def __init__(self, client: str, ports: Mapping[str, int]) -> None:
        connect, is_there, why = CLIENTS[client]
        if not is_there():
            pytest.skip(why)
        self.errors: list[str] = []
        self._connect, self._ports = connect, ports
        self._connections: dict[str, FreeTds | Piped] = {}

    def run(self, script: str, server: str, *edits: tuple[str, str]) -> int:
        """Run a script at a server, its lines edited first, and return the exit code."""
        if server not in self._connections:
            self._connections[server] = self._connect(self._ports[server])
        for line, edited in edits:
            assert line in script
            script = script.replace(line, edited)
        code, self.errors = run(script.removeprefix("\ufeff"), self._connections[server].send, Options())
        return code

    def __enter__(self) -> "Tool":
        """Be used until the block ends."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave every server."""
        for connection in self._connections.values():
            connection.close()
