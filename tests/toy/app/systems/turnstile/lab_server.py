"""A turnstile, simulated: a scenario file, one server, and answers to exactly its statements."""

import math
import random
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import Field, PositiveFloat

from app.drivers.sqlserver.lab.answer import Parameters, Result
from app.drivers.sqlserver.lab.one_server import TunedServerLab
from app.drivers.sqlserver.lab.opening import SqlServerLab
from app.drivers.sqlserver.session import Place
from app.lab.faults import Fault
from app.lab.scenario_file import TitledScenario
from app.systems.turnstile.settings import GATES, QUEUE, TURNSTILE
from app.systems.turnstile.system import SYSTEM


class TurnstileScenario(TitledScenario):
    """The constants of one turnstile.

    Attributes:
        walk_ms: one person takes through the only open gate.
        guard_ms: one person costs for every open gate, so that too many gates are slow again.
        stall: how much longer it takes with room for one in the queue, as a share.
        noise: standard deviation of the logarithm of a time.
    """

    kind: Literal["turnstile"]
    walk_ms: PositiveFloat
    guard_ms: PositiveFloat
    stall: PositiveFloat
    noise: Annotated[float, Field(ge=0.0)]


class LabTurnstile(TunedServerLab):
    """The server with its turnstile."""

    def __init__(self, scenario: TurnstileScenario, seed: int, noise: bool | None, faults: Sequence[Fault]) -> None:
        super().__init__("TURN1", scenario.title, faults, TURNSTILE)
        self._scenario, self._random = scenario, random.Random(seed)
        self._noise = 0.0 if noise is False else scenario.noise
        self.answers["pass_turnstile"] = self._let_pass

    def _let_pass(self, _place: Place, values: Parameters) -> Result:
        gates, queue = int(self.in_effect[GATES.name]), int(self.in_effect[QUEUE.name])
        each_ms = self._scenario.walk_ms / gates + self._scenario.guard_ms * gates
        chance = math.exp(self._random.gauss(0.0, self._noise))
        took_ms = int(values["people"]) * each_ms * (1 + self._scenario.stall / queue) * chance
        self.state.advance(took_ms / 1000)
        return [(took_ms,)]


class TurnstileLab(SqlServerLab[TurnstileScenario]):
    """The turnstile, simulated."""

    system_id = kind = "turnstile"
    default_scenario = "door"
    scenario = TurnstileScenario
    servers = LabTurnstile
    simulated = TURNSTILE.simulated(SYSTEM.subject)
    where_absent = TURNSTILE.where_absent


LAB: Final = TurnstileLab()
