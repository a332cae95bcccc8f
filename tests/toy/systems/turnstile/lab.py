"""A turnstile, simulated: a scenario file, one server, and answers to exactly its statements."""

import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import ANY_SERVER, COMMON_DATABASES, catalogue
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.lab.faults import Fault, FaultPlan, error_of
from app.drivers.sqlserver.lab.logins import Doorkeeper
from app.drivers.sqlserver.lab.mark_answers import MARK_STATEMENTS
from app.drivers.sqlserver.lab.own_cost import CONNECTION_STATEMENTS
from app.drivers.sqlserver.lab.servers import LabServer, check_parameters, open_simulated
from app.drivers.sqlserver.lab.time_answers import TimeAnswers
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.lab.scenario_file import Section, check_content, read_content, shipped_path
from pydantic import Field

from .site import PARAMETERS, SUBJECT, SYSTEM_ID

HOME: Final = "TURN1"
VERSION: Final = "16.0.1000.6"
RESTART_S: Final = 5.0

Positive = Annotated[float, Field(gt=0.0)]


class TurnstileScenario(Section):
    """The constants of one turnstile.

    Attributes:
        walk_ms: one person takes through the only open gate.
        guard_ms: one person costs for every open gate, so that too many gates are slow again.
        stall: how much longer it takes with room for one in the queue, as a share.
        noise: standard deviation of the logarithm of a time.
    """

    kind: Literal["turnstile"]
    name: str
    title: str
    walk_ms: Positive
    guard_ms: Positive
    stall: Positive
    noise: Annotated[float, Field(ge=0.0)]


class TurnstileState:
    """What the server holds, and the time that passes in it."""

    def __init__(self, scenario: TurnstileScenario, seed: int, noise: bool | None) -> None:
        self.scenario = scenario
        self.addresses: dict[str, str] = {}
        self.servers = (LabServer(HOME, ANY_SERVER, 4, tuple((name, name) for name in sorted(COMMON_DATABASES))),)
        self.values = {parameter.name: str(parameter.default) for parameter in PARAMETERS}
        self.in_effect = dict(self.values)
        self.now_s = 0.0
        self._random = random.Random(seed)
        self._noise = 0.0 if noise is False else scenario.noise

    @property
    def lab(self) -> "TurnstileState":
        """What has the clock."""
        return self

    @property
    def site(self) -> "TurnstileState":
        """What has the servers."""
        return self

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.now_s += seconds

    def instance_of(self, server: str) -> str:
        """Return what stands at a server's address: it is never restarted here."""
        return server

    def closed(self, _server: str, _database: str) -> None:
        """Return nothing: every database lets everybody in."""

    def let_pass(self, people: int) -> float:
        """Let people through; return how long it took, seconds."""
        gates, queue = int(self.in_effect["Gates"]), int(self.in_effect["QueueLength"])
        each_ms = self.scenario.walk_ms / gates + self.scenario.guard_ms * gates
        chance = math.exp(self._random.gauss(0.0, self._noise))
        took_s = people * each_ms / 1000 * (1 + self.scenario.stall / queue) * chance
        self.advance(took_s)
        return took_s


class LabTurnstile:
    """The server, one client at a time."""

    def __init__(self, scenario: TurnstileScenario, seed: int, noise: bool | None, faults: Sequence[Fault]) -> None:
        self.own_server = HOME
        self.title = scenario.title
        self.state = TurnstileState(scenario, seed, noise)
        self._faults = FaultPlan(faults)
        self.doors = Doorkeeper()
        self._answers: dict[str, Answer] = {
            **TimeAnswers(self.state).answers(),
            **MARK_STATEMENTS,
            **CONNECTION_STATEMENTS,
            "server_info": lambda _place, _values: [(HOME, VERSION, "Developer Edition (64-bit)", 4)],
            "server_addresses": lambda _place, _values: [(HOME, self.state.addresses.get(HOME), 1)],
            **self.doors.answers("server_rights"),
            "turnstile_settings": self._settings,
            "set_turnstile": self._set,
            "restart_turnstile": self._restart,
            "pass_turnstile": lambda _place, values: [(self.state.let_pass(int(values["people"])) * 1000,)],
        }

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        return frozenset(self._answers)

    def product_version(self, _server: str) -> str:
        """Return the product version of the server."""
        return VERSION

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        return self.state.now_s

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement and return its rows; raises SqlError."""
        if name not in self._answers or place != Place(HOME, "master"):
            raise SqlError(208, f"Invalid object name in '{name}' at {place.server}.", "42S02")
        check_parameters(catalogue()[name], parameters)
        fault = self._faults.due(name)
        if fault is not None and (problem := error_of(fault)) is not None:
            raise problem
        return tuple(self._answers[name](place, parameters))

    def _settings(self, _place: Place, _values: Parameters) -> Result:
        return [(name, value, self.state.in_effect[name]) for name, value in self.state.values.items()]

    def _set(self, _place: Place, values: Parameters) -> Result:
        name, value = str(values["setting"]), str(values["value"])
        self.state.values[name] = value
        if name == "Gates":
            self.state.in_effect[name] = value
        return []

    def _restart(self, _place: Place, _values: Parameters) -> Result:
        self.state.advance(RESTART_S)
        self.state.in_effect = dict(self.state.values)
        return []


class TurnstileLab:
    """The server, simulated: the SystemLab port."""

    kind = "turnstile"
    default_scenario = "door"
    takes_unnamed = False
    simulated: Mapping[str, frozenset[str]] = {SUBJECT: frozenset(parameter.name for parameter in PARAMETERS)}
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {"turnstile_settings": ()}

    def open(
        self,
        scenario: Path | None,
        seed: int,
        on_statement: StatementSink,
        noise: bool | None = None,
        faults: Sequence[Fault] = (),
    ) -> SqlServerConnection:
        """Build a lab in this process; raises BadInput as `build`."""
        path = self._path(scenario)
        return open_simulated(self.build(path, seed, noise, faults), on_statement, path, SYSTEM_ID)

    def build(
        self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> LabTurnstile:
        """Build the lab a scenario file describes; raises BadInput where it cannot be used."""
        path = self._path(scenario)
        return LabTurnstile(check_content(read_content(path), path, TurnstileScenario), seed, noise, faults)

    def _path(self, scenario: Path | None) -> Path:
        return shipped_path(self.default_scenario, self.kind) if scenario is None else scenario


LAB: Final = TurnstileLab()
