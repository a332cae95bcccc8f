"""Opening a lab of two databases as a target in this process."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.foundation.paths import resource_path
from app.lab.streams.scenario import load_scenario, scenario_path
from app.targets.oracle.fake.faults import Fault
from app.targets.oracle.fake.server import LabClock, LabOracle, LabTransport
from app.targets.oracle.target import OracleTarget

DEFAULT_SCENARIO: Final = "streams-2009"
# By then every process of a lab is past its start.
_STARTED_S: Final = 60.0


def open_lab(
    scenario: Path | None,
    seed: int,
    on_statement: StatementSink,
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
) -> OracleTarget:
    """Build a lab in this process, all processes running; its clock is virtual.

    Args:
        scenario: scenario file of kind "streams", None for the default one.
        seed: of the lab's noise: the same seed and statements give the same readings.
        on_statement: receives a record of every statement.
        noise: switches the scenario's noise on or off; None leaves it as the scenario says.
        faults: what goes wrong.

    Raises:
        BadInput: the scenario cannot be used.
    """
    path = scenario_path(DEFAULT_SCENARIO) if scenario is None else scenario
    lab = LabOracle(load_scenario(path), seed, noise, faults)
    lab.state.lab.advance(_STARTED_S)
    return OracleTarget(LabTransport(lab), LabClock(lab), on_statement, f"lab:{_short_name(path)}", lab.title)


def _short_name(path: Path) -> str:
    return path.stem if path.resolve().parent == resource_path("lab").resolve() else str(path)
