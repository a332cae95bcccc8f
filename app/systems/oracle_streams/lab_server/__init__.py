"""Opening a lab of two databases in this process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.drivers.oracle.connection import OracleConnection
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.lab.scenario_file import short_name
from app.systems.oracle_streams.lab.parameter_values import SIMULATED
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle, LabTransport
from app.systems.oracle_streams.subjects import SYSTEM_ID


class StreamsLab:
    """The two databases of a pipeline, simulated."""

    kind = "streams"
    default_scenario = "streams-2009"
    takes_unnamed = False
    simulated: Mapping[str, frozenset[str]] = SIMULATED
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {}  # it is not served

    def open(
        self,
        scenario: Path | None,
        seed: int,
        on_statement: StatementSink,
        noise: bool | None = None,
        faults: Sequence[Fault] = (),
    ) -> OracleConnection:
        """Build a lab in this process, all processes running; raises BadInput as `build`."""
        path = self._path(scenario)
        lab = self.build(path, seed, noise, faults)
        key = f"lab:{short_name(path)}"
        return OracleConnection(LabTransport(lab), LabClock(lab), on_statement, key, lab.title, simulates=SYSTEM_ID)

    def build(
        self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> LabOracle:
        """Build the lab a scenario file describes; raises BadInput where it cannot be used."""
        lab = LabOracle(load_scenario(self._path(scenario)), seed, noise, faults)
        lab.live_through_past()
        return lab

    def _path(self, scenario: Path | None) -> Path:
        return scenario_path(self.default_scenario) if scenario is None else scenario


LAB: Final = StreamsLab()
