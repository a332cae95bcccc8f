"""The lab's servers with replication agents."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from app.drivers.sqlserver.lab.faults import Fault
from app.drivers.sqlserver.lab.opening import SqlServerLab
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.agent import SIMULATED
from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab_server.scenario import load_site
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.lab_server.site import DISTRIBUTION_DB
from app.systems.transactional_replication.subjects import SYSTEM_ID


class ReplicationLab(SqlServerLab[Scenario]):
    """The servers of transactional replication, simulated."""

    system_id = SYSTEM_ID
    kind = "replication"
    default_scenario = "lan"
    takes_unnamed = True
    scenario = Scenario
    servers = LabSqlServer
    database = DISTRIBUTION_DB
    simulated = SIMULATED
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {"distribution_databases": ()}

    def load(self, path: Path) -> tuple[Scenario, tuple[Fault, ...]]:
        """Read a scenario with the faults it may list; raises BadInput."""
        return load_site(path)


LAB: Final = ReplicationLab()
