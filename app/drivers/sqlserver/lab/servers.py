"""Simulated servers: where they stand, their clock, and the transport to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.collation import DEFAULT, compared
from app.drivers.sqlserver.lab.own_cost import OwnCost
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.reading_cost import OWN_COST
from app.drivers.sqlserver.releases import release_needed
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.lab.scenario_file import short_name

_TEXT_TYPES: Final = frozenset({"nvarchar", "sysname", "uniqueidentifier", "varchar"})


def check_parameters(statement: Statement, parameters: Mapping[str, Value]) -> None:
    """Raise SqlError for a parameter that is missing though it may not be NULL, unknown or of another type."""
    declared = statement.parameters_by_name
    for name, parameter in declared.items():
        if not parameter.nullable and name not in parameters:
            raise SqlError(201, f"Statement '{statement.name}' expects parameter '{parameter.name}'.", "42000")
    for name, value in parameters.items():
        if name not in declared:
            raise SqlError(8144, f"Statement '{statement.name}' has no parameter '@{name}'.", "42000")
        if not _fits(declared[name].sql_type, value):
            raise SqlError(8114, f"Error converting parameter '@{name}' to {declared[name].sql_type}.", "42000")


def check_release(statement: Statement, server_version: str) -> None:
    """Raise SqlError where a server is older than an object of a statement, whose header gives the first version."""
    needed = release_needed(statement.versions, server_version)
    if needed:
        number = 208 if statement.access is Access.READ else 102  # no such object, or no such syntax
        raise SqlError(number, f"'{statement.name}' needs SQL Server {needed}.", "42S02")


def _fits(sql_type: str, value: Value) -> bool:
    if sql_type in _TEXT_TYPES:
        return isinstance(value, str)
    if sql_type == "float":
        return isinstance(value, int | float)
    return isinstance(value, int)


class AdvancingState(Protocol):
    """The state of simulated servers, in which time passes."""

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        ...


class CountingState(AdvancingState, Protocol):
    """The state of simulated servers whose performance counters are read.

    Attributes:
        has_counters: whether they are there; a site may have them disabled (setup error 3409).
    """

    has_counters: bool


class SimulatedServers(Protocol):
    """All servers of one lab, whatever it simulates.

    Attributes:
        own_server: name of the server a target is opened with.
    """

    own_server: str

    @property
    def state(self) -> AdvancingState:
        """Return the state of the servers."""
        ...

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement of the catalogue; raises SqlError."""
        ...

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        ...


class LabClock:
    """The virtual clock of a lab in this process: sleeping lets the simulation run."""

    def __init__(self, server: SimulatedServers) -> None:
        self._server = server

    def now_utc(self) -> datetime:
        """Return the lab's time of day."""
        return moment_utc(self._server.now_s())

    def monotonic_s(self) -> float:
        """Return seconds since the lab was built."""
        return self._server.now_s()

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of virtual time pass."""
        self._server.state.advance(seconds)


class LabTransport:
    """Sends statements to a lab in this process."""

    def __init__(self, server: SimulatedServers) -> None:
        self.own_server = server.own_server
        self._server = server
        self._costs: dict[Place, OwnCost] = {}

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement by name; whoever asks may do everything."""
        if statement.name == OWN_COST and place in self._costs:
            return self._costs[place].rows()
        rows = self._server.run(statement.name, place, parameters)
        if statement.access is Access.READ:  # a server that was not reached counts nothing
            self._costs.setdefault(place, OwnCost()).count()
        return rows

    def close(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True)
class LabServer:
    """One server: its role, processors and databases by the role a statement asks for.

    Attributes:
        collation: by which it compares names.
    """

    name: str
    role: str
    cpu_count: int
    databases: tuple[tuple[str, str], ...]
    collation: str = DEFAULT

    def database_called(self, name: str) -> str | None:
        """Return a database's own spelling, None where there is none of that name by the server's collation."""
        wanted = compared(name, self.collation)
        return next((own for own, _role in self.databases if compared(own, self.collation) == wanted), None)

    def database_role(self, database: str) -> str | None:
        """Return a database's role here, None where there is none of that name by the server's collation."""
        return self._roles.get(database) or self._roles.get(self.database_called(database) or "")

    @cached_property
    def _roles(self) -> dict[str, str]:
        return dict(reversed(self.databases))


class TitledServers(SimulatedServers, Protocol):
    """Simulated servers with a name for a person.

    Attributes:
        title: the scenario's, one sentence.
    """

    title: str


def open_simulated(
    lab: TitledServers, on_statement: StatementSink, scenario: Path | None, simulates: str, database: str = ""
) -> SqlServerConnection:
    """Return an open connection to simulated servers in this process; their clock is virtual.

    Args:
        database: the one that is meant where a server has several of a kind.
    """
    key = "lab" if scenario is None else f"lab:{short_name(scenario)}"
    transport, clock = LabTransport(lab), LabClock(lab)
    return SqlServerConnection(transport, clock, on_statement, key, lab.title, simulates=simulates, database=database)
