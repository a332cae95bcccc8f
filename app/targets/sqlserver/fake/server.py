"""The lab's SQL Server: answers exactly the statements of the catalogue, checked as a server would check them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from app.domain.setting import Value
from app.domain.statement import Access
from app.foundation.rows import Cell
from app.lab.scenario import Scenario
from app.targets.sqlserver.catalogue import DatabaseRole, ServerRole, Statement, catalogue
from app.targets.sqlserver.errors import SqlError
from app.targets.sqlserver.fake.actions import ChangeActions
from app.targets.sqlserver.fake.answers import DiscoveryAnswers, MonitoringAnswers
from app.targets.sqlserver.fake.faults import Fault, FaultKind, FaultPlan, error_of
from app.targets.sqlserver.fake.no_groups import NoGroupAnswers
from app.targets.sqlserver.fake.past_answers import PastAnswers
from app.targets.sqlserver.fake.rights_answers import RIGHTS_STATEMENTS, rights_of
from app.targets.sqlserver.fake.site import DISTRIBUTOR
from app.targets.sqlserver.fake.state import LabState, moment_utc
from app.targets.sqlserver.fake.time_answers import TimeAnswers
from app.targets.sqlserver.session import Place

_TEXT_TYPES: Final = frozenset({"nvarchar", "sysname", "uniqueidentifier", "varchar"})
_NEARLY_FULL_GB: Final = 0.5


class LabSqlServer:
    """All servers of one lab, one client at a time.

    Attributes:
        distributor: name of the Distributor.
        title: the scenario's, one sentence for a person.
    """

    def __init__(
        self, scenario: Scenario, seed: int = 1, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> None:
        self.distributor = DISTRIBUTOR
        self.title = scenario.title
        self.state = LabState(scenario, seed, noise)
        self._faults = FaultPlan(faults)
        self._statements = catalogue()
        self._answers = {
            **DiscoveryAnswers(self.state).answers(),
            **MonitoringAnswers(self.state).answers(),
            **ChangeActions(self.state).answers(),
            **TimeAnswers(self.state).answers(),
            **{name: _rights(name) for name in RIGHTS_STATEMENTS},
            "agent_hours": PastAnswers(self.state).agent_hours,
            **NoGroupAnswers(self.state).answers(),
        }

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        return frozenset(self._answers)

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement of the catalogue and return its rows in the order of its declared columns.

        Raises:
            SqlError: it is not in the catalogue, its parameters or its place do not fit, or a fault is due.
        """
        statement = self._statements.get(name)
        if statement is None:
            raise SqlError(2812, f"Could not find statement '{name}' in the catalogue.", "42000")
        check_parameters(statement, parameters)
        self._check_place(statement, place)
        fault = self._faults.due(name)
        problem = None if fault is None else self._prepare(fault, parameters)
        if problem is not None and fault is not FaultKind.LOST_AFTER:
            raise problem
        self.state.look(again=fault is not None)
        rows = tuple(self._answers[name](place, parameters))
        if statement.access is Access.CHANGE:
            self.state.look(again=True)
        if problem is not None:
            raise problem
        return rows

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        return self.state.lab.now_s

    def product_version(self, _server: str) -> str:
        """Return the product version of a server: all have the scenario's."""
        return self.state.site.scenario.topology.product_version

    def _prepare(self, fault: FaultKind, parameters: Mapping[str, Value]) -> SqlError | None:
        state = self.state
        if fault is FaultKind.AGENT_WILL_NOT_STOP:
            state.will_not_stop.add(str(parameters.get("job_id", "")).upper())
        if fault is FaultKind.STREAM_FALLBACK:
            for pair in range(len(state.site.pairs)):
                state.lab.fail_stream(pair)
        if fault is FaultKind.DISK_NEARLY_FULL:
            state.lab.set_free_disk_gb(_NEARLY_FULL_GB)
        return error_of(fault)

    def _check_place(self, statement: Statement, place: Place) -> None:
        server = self.state.site.server(place.server)
        if server is None:
            raise SqlError(53, f"The server '{place.server}' was not found or was not accessible.", "08001")
        role = server.database_role(place.database)
        if role is None:
            raise SqlError(911, f"Database '{place.database}' does not exist.", "42000")
        is_anywhere = statement.runs_at in (ServerRole.ANY, ServerRole.REPLICA) and statement.name in self._answers
        is_there = is_anywhere or statement.runs_at is server.role
        if not is_there or role is not DatabaseRole(statement.database):
            raise SqlError(208, f"Invalid object name in '{statement.name}' at {place.server}.", "42S02")


def _rights(name: str) -> Callable[[Place, Mapping[str, Value]], list[tuple[Cell, ...]]]:
    return lambda _place, _values: list(rights_of(name))


def check_parameters(statement: Statement, parameters: Mapping[str, Value]) -> None:
    """Raise SqlError for a parameter that is missing, unknown or of another type."""
    declared = {parameter.name.removeprefix("@"): parameter.sql_type for parameter in statement.parameters}
    for name in declared:
        if name not in parameters:
            raise SqlError(201, f"Statement '{statement.name}' expects parameter '@{name}'.", "42000")
    for name, value in parameters.items():
        if name not in declared:
            raise SqlError(8144, f"Statement '{statement.name}' has no parameter '@{name}'.", "42000")
        if not _fits(declared[name], value):
            raise SqlError(8114, f"Error converting parameter '@{name}' to {declared[name]}.", "42000")


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


class SimulatedServers(Protocol):
    """All servers of one lab, whatever it simulates.

    Attributes:
        distributor: name of the server a target is opened with.
    """

    distributor: str

    @property
    def state(self) -> AdvancingState:
        """What the servers hold."""
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

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of virtual time pass."""
        self._server.state.advance(seconds)


class LabTransport:
    """Sends statements to a lab in this process."""

    def __init__(self, server: SimulatedServers) -> None:
        self.distributor = server.distributor
        self._server = server

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement by name."""
        return self._server.run(statement.name, place, parameters)

    def close(self) -> None:
        """Nothing to close."""
