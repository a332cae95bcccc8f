"""The lab's servers with availability groups."""

from typing import Final

from app.drivers.sqlserver.lab.opening import SqlServerLab
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab.simulated import SIMULATED
from app.systems.availability_groups.lab_server.server import OWN_FAULTS, LabGroupServer
from app.systems.availability_groups.subjects import SYSTEM_ID


class GroupLab(SqlServerLab[AvailabilityScenario]):
    """The servers of availability groups, simulated."""

    system_id = SYSTEM_ID
    kind = "availability"
    default_scenario = "ag-2014"
    scenario = AvailabilityScenario
    servers = LabGroupServer
    simulated = SIMULATED
    own_faults = OWN_FAULTS
    where_absent = dict.fromkeys(
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


LAB: Final = GroupLab()
