"""The lab's servers with replication agents."""

from collections.abc import Mapping
from typing import Final

from app.drivers.sqlserver.lab.opening import SqlServerLab
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.agent import SIMULATED
from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab_server.happenings import OWN_FAULTS
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
    own_faults = OWN_FAULTS
    database = DISTRIBUTION_DB
    simulated = SIMULATED
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {"distribution_databases": ()}


LAB: Final = ReplicationLab()
