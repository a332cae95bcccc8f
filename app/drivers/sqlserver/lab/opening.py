"""Opening the simulated servers of a system on SQL Server, as a scenario file describes them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from app.domain.ports import StatementSink
from app.domain.system import SystemLab
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.lab.faults import listed_faults
from app.drivers.sqlserver.lab.servers import open_simulated
from app.lab.faults import Fault
from app.lab.scenario_file import Section, check_content, read_content, shipped_path

ScenarioT = TypeVar("ScenarioT", bound=Section)


class SqlServerLab(SystemLab, Generic[ScenarioT]):
    """The lab of a system on SQL Server; what it does not say has a default.

    Attributes:
        system_id: the system it simulates.
        scenario: what a scenario file of its kind holds, besides faults.
        servers: makes the simulated servers of a scenario, seed, noise and faults.
        database: the one that is meant where a server has several of a kind.
        own_faults: which kinds there are besides those of every server.
    """

    system_id: str
    scenario: type[ScenarioT]
    servers: Callable[[ScenarioT, int, bool | None, Sequence[Fault]], Any]
    database: str = ""
    own_faults: frozenset[str] = frozenset()
    takes_unnamed = False

    def open(
        self,
        scenario: Path | None,
        seed: int,
        on_statement: StatementSink,
        noise: bool | None = None,
        faults: Sequence[Fault] = (),
    ) -> SqlServerConnection:
        """Build a lab in this process, everything running; raises BadInput as `build`."""
        named = scenario if self.takes_unnamed else self._path(scenario)
        lab = self.build(scenario, seed, noise, faults)
        return open_simulated(lab, on_statement, named, self.system_id, self.database)

    def build(self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Fault] = ()) -> Any:
        """Build the lab a scenario file describes; raises BadInput where it cannot be used."""
        constants, listed = self.load(self._path(scenario))
        return self.servers(constants, seed, noise, (*listed, *faults))

    def load(self, path: Path) -> tuple[ScenarioT, tuple[Fault, ...]]:
        """Read a scenario with the faults it may list as `[[faults]]` (statement, call, kind).

        Raises:
            BadInput: the scenario or a fault cannot be used; the sentence names file and key.
        """
        content = read_content(path)
        listed = listed_faults(path, content, self.own_faults)
        constants = {key: value for key, value in content.items() if key != "faults"}
        return check_content(constants, path, self.scenario), listed

    def _path(self, scenario: Path | None) -> Path:
        return shipped_path(self.default_scenario, self.kind) if scenario is None else scenario
