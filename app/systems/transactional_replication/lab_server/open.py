"""Opening a lab of replication agents in this process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.lab.faults import Fault
from app.drivers.sqlserver.lab.servers import open_simulated
from app.foundation.rows import Cell
from app.lab.scenario_file import shipped_path
from app.systems.transactional_replication.lab.agent import SIMULATED
from app.systems.transactional_replication.lab_server.scenario import load_site
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.lab_server.site import DISTRIBUTION_DB
from app.systems.transactional_replication.subjects import SYSTEM_ID


class ReplicationLabOpener:
    """The servers of transactional replication, simulated."""

    kind = "replication"
    default_scenario = "lan"
    takes_unnamed = True
    simulated: Mapping[str, frozenset[str]] = SIMULATED
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {"distribution_databases": ()}

    def open(
        self,
        scenario: Path | None,
        seed: int,
        on_statement: StatementSink,
        noise: bool | None = None,
        faults: Sequence[Fault] = (),
    ) -> SqlServerConnection:
        """Build a lab in this process, all agents running; raises BadInput as `build`."""
        lab = self.build(scenario, seed, noise, faults)
        return open_simulated(lab, on_statement, scenario, SYSTEM_ID, DISTRIBUTION_DB)

    def build(
        self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> LabSqlServer:
        """Build the lab a scenario file describes; raises BadInput where it cannot be used."""
        path = shipped_path(self.default_scenario, self.kind) if scenario is None else scenario
        constants, listed = load_site(path)
        return LabSqlServer(constants, seed, noise, (*listed, *faults))


LAB: Final = ReplicationLabOpener()
