"""Reading an availability scenario with the faults it may list."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.lab.faults import Fault, listed_faults
from app.drivers.sqlserver.lab.servers import open_simulated
from app.foundation.rows import Cell
from app.lab.scenario_file import check_content, read_content, shipped_path
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab.simulated import SIMULATED
from app.systems.availability_groups.lab_server.faults import OWN_FAULTS
from app.systems.availability_groups.lab_server.server import LabGroupServer
from app.systems.availability_groups.subjects import SYSTEM_ID


def load_group_site(path: Path) -> tuple[AvailabilityScenario, tuple[Fault, ...]]:
    """Read a scenario of kind "availability" with the faults it may list as `[[faults]]` (statement, call, kind).

    Raises:
        BadInput: the scenario or a fault cannot be used; the sentence names file and key.
    """
    content = read_content(path)
    faults = listed_faults(path, content, OWN_FAULTS)
    constants = {key: value for key, value in content.items() if key != "faults"}
    return check_content(constants, path, AvailabilityScenario), faults


class GroupLab:
    """The servers of availability groups, simulated."""

    kind = "availability"
    default_scenario = "ag-2014"
    takes_unnamed = False
    simulated: Mapping[str, frozenset[str]] = SIMULATED
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = dict.fromkeys(
        (
            "group_databases",
            "group_listeners",
            "group_replicas",
            "groups_enabled",
            "server_databases",
            "server_volumes",
            "trace_flags",
        ),
        (),
    )

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
        lab = self.build(path, seed, noise, faults)
        return open_simulated(lab, on_statement, path, SYSTEM_ID)

    def build(
        self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> LabGroupServer:
        """Build the lab a scenario file describes; raises BadInput where it cannot be used."""
        constants, listed = load_group_site(self._path(scenario))
        return LabGroupServer(constants, seed, noise, (*listed, *faults))

    def _path(self, scenario: Path | None) -> Path:
        return shipped_path(self.default_scenario, self.kind) if scenario is None else scenario


LAB: Final = GroupLab()
