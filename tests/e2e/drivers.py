"""Real drivers on the lab's TDS ports, behind one face: pyodbc with two ODBC drivers, and mssql-python."""

import importlib
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.setting import Value
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from tests.forked import start_python

SERVE = """
import sys
from pathlib import Path
from app.drivers.sqlserver import serve_lab
from tests.labs import build_lab
scenario = Path(sys.argv[1]) if sys.argv[1] else None
serve_lab(build_lab(scenario, noise=False), 0, lambda line: print(line, flush=True))
"""


@dataclass(frozen=True)
class ServedLab:
    """A lab in a process of its own.

    Attributes:
        lines: what it announced.
        ports: of each server, by name.
    """

    lines: tuple[str, ...]
    ports: Mapping[str, int]


@contextmanager
def served_lab(scenario: Path | None = None) -> Iterator[ServedLab]:
    """Serve a lab without noise until the block ends."""
    with start_python("-c", SERVE, "" if scenario is None else str(scenario)) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while not lines or not lines[-1].startswith("sqlserver://"):
                lines.append(process.stdout.readline().strip())
                assert lines[-1], f"the lab did not start: {lines}"
            told = [line.split() for line in lines[1:-1]]
            yield ServedLab(tuple(lines), {words[0]: int(words[-1].rpartition(",")[2]) for words in told})
        finally:
            process.kill()


@dataclass(frozen=True)
class Driver:
    """One driver with one choice of encryption.

    Attributes:
        module: of the Python library.
        options: of the connection string, besides address, login and database.
        has_port: the address is SERVER and PORT, not SERVER with a comma.
    """

    name: str
    module: str
    options: str
    has_port: bool = False

    @property
    def library(self) -> Any:
        """The Python library, imported when it is needed."""
        library: Any = importlib.import_module(self.module)
        if self.module == "pyodbc":
            library.pooling = False
        return library

    def connect(self, port: int, database: str, *, user: str = "replitune", password: str = "lab", **more: Any) -> Any:
        """Connect, each statement committed by itself unless told otherwise; raises the library's Error."""
        address = f"SERVER=127.0.0.1;PORT={port}" if self.has_port else f"SERVER=127.0.0.1,{port}"
        text = f"{address};UID={user};PWD={password};DATABASE={database};{self.options}"
        return self.library.connect(text, **{"autocommit": True, "timeout": 10, **more})


def odbc_18() -> str:
    """Return Microsoft's ODBC driver: by its path in the wheel it comes in, on Windows by the name it is known by."""
    if sys.platform == "win32":
        return "{ODBC Driver 18 for SQL Server}"
    root = Path(str(importlib.import_module("mssql_python_odbc").__file__)).parent
    (path,) = (root / "libs" / "linux" / "debian_ubuntu" / platform.machine() / "lib").glob("libmsodbcsql-18*.so*")
    return str(path)


_TRUST = "Encrypt=yes;TrustServerCertificate=yes"
_FREETDS = "DRIVER={FreeTDS};TDS_Version=7.4;ClientCharset=UTF-8"

ODBC = Driver("odbc18-tls", "pyodbc", f"DRIVER={odbc_18()};{_TRUST}")
FREETDS = Driver("freetds-tls", "pyodbc", f"{_FREETDS};Encryption=require", has_port=True)
MSSQL_PYTHON = Driver("mssql-python-tls", "mssql_python", _TRUST)
DRIVERS = (
    ODBC,
    Driver("odbc18-clear", "pyodbc", f"DRIVER={odbc_18()};Encrypt=no"),
    FREETDS,
    Driver("freetds-login", "pyodbc", f"{_FREETDS};Encryption=request", has_port=True),
    Driver("freetds-clear", "pyodbc", f"{_FREETDS};Encryption=off", has_port=True),
    MSSQL_PYTHON,
    Driver("mssql-python-clear", "mssql_python", "Encrypt=no"),
)


class DriverTransport:
    """Sends statements through a driver: a connection for each server and database."""

    def __init__(self, driver: Driver, lab: ServedLab) -> None:
        self.own_server = "DIST1"
        self._driver = driver
        self._lab = lab
        self._connections: dict[Place, Any] = {}

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement."""
        if place not in self._connections:
            port = self._lab.ports[place.server]
            self._connections[place] = self._driver.connect(port, place.database)
        values = [parameters[name] for name in statement.parameter_names]
        return run(self._connections[place], statement, values)

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.close()


def run(connection: Any, statement: Statement, values: Sequence[Value] = ()) -> tuple[tuple[Cell, ...], ...]:
    """Run a statement on a connection and return its rows."""
    cursor = connection.cursor()
    try:
        cursor.execute(bound_text(statement), *([list(values)] if values else []))
        return tuple(tuple(row) for row in cursor.fetchall()) if cursor.description else ()
    finally:
        cursor.close()
