"""The lab's servers with availability groups: answers exactly their statements, checked as a server checks them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.logins import MONITOR, Asks, Doorkeeper, Held, LabLogin
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.session import Place
from app.lab.faults import Fault
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab_server.actions import GroupActionAnswers
from app.systems.availability_groups.lab_server.copying import GroupJobAnswers, GroupMembershipAnswers
from app.systems.availability_groups.lab_server.discovery import GroupDiscoveryAnswers
from app.systems.availability_groups.lab_server.sampling import GroupSamplingAnswers
from app.systems.availability_groups.lab_server.seeding import GroupSeedingAnswers
from app.systems.availability_groups.lab_server.state import GroupState
from app.systems.availability_groups.places import STATEMENT_PLACES

REPLICA_DOWN: Final = "replica_down"
DATABASE_REMOVED: Final = "database_removed"
OWN_FAULTS: Final = frozenset({REPLICA_DOWN, DATABASE_REMOVED})
"""Faults besides those of every server."""

_ROLES = STATEMENT_PLACES | {ANY_SERVER}
_EVERYWHERE = frozenset({"server_addresses"})
_NEARLY_FULL_MB = 500.0

_NO_GROUP: Final = "Cannot alter the availability group, because it does not exist or you do not have permission."
# Sources: the "Permissions" section of each page below MicrosoftDocs/sql-docs:docs/relational-databases/ and t-sql/.
_ASKS: Final = (
    (r"SELECT on sys\.availability_\w+", Asks(("VIEW ANY DEFINITION",), "", is_hidden=True)),
    (r"ALTER \w+ GROUP \w+", Asks(("ALTER ANY AVAILABILITY GROUP",), "", 15151, text=_NO_GROUP)),
)


class LabGroupServer(SimulatedSqlServers):
    """All servers of one availability lab, one client at a time.

    Attributes:
        own_server: name of the server a target is opened with.
        title: the scenario's, one sentence for a person.
        doors: who may do what there. other_work: what the servers do besides.
    """

    def __init__(
        self,
        scenario: AvailabilityScenario,
        seed: int = 1,
        noise: bool | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        self.title = scenario.title
        self.state = GroupState(scenario, seed, noise)
        self.own_server = self.state.site.home
        super().__init__(self.state, Doorkeeper(_ASKS), faults, "server_rights", "history_rights")
        self.other_work = OtherWork(
            lambda: self.state.lab.now_s, lambda _server: self.state.lab.databases()[0].name, self._busy_spans
        )
        self.doors.logins[MONITOR] = _monitor(server.name for server in scenario.servers)
        self.answers |= {
            **GroupDiscoveryAnswers(self.state).answers(),
            **GroupSamplingAnswers(self.state, self.other_work).answers(),
            **GroupActionAnswers(self.state).answers(),
            **GroupMembershipAnswers(self.state).answers(),
            **GroupJobAnswers(self.state).answers(),
            **GroupSeedingAnswers(self.state).answers(),
            **self.other_work.answers(),
        }
        self.look_ups |= GroupDiscoveryAnswers(self.state).look_ups()

    def meet(self, fault: str, place: Place, parameters: Mapping[str, Value]) -> None:
        """Let a fault happen that shows in another way than by an error."""
        if fault == FaultKind.LOG_BACKUP:
            self.other_work.begin(place.server)
        elif fault == FaultKind.OTHER_PROGRAMS:
            self.other_work.begin_programs(place.server)
        else:
            self._prepare(fault, place)

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server of a place, None where there is none or it is down."""
        server = self.state.site.server(place.server)
        return server if server is not None and self.state.lab.server(place.server).is_up else None

    def is_there(self, statement: Statement, server: LabServer) -> bool:
        """Tell whether a statement is for any server, or for a role that one of a group may have."""
        return statement.runs_at in _ROLES or statement.name in _EVERYWHERE

    def product_version(self, server: str) -> str:
        """Return the product version of a server."""
        return self.state.lab.server(server).product_version

    def _busy_spans(self, server: str, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return when the home server of an uneven site is busy: a log is backed up there then."""
        return self.state.lab.busy_spans(from_s, until_s) if server == self.own_server else []

    def _prepare(self, fault: str, place: Place) -> None:
        lab = self.state.lab
        if fault == FaultKind.DISK_NEARLY_FULL:
            lab.fill_disk(place.server, free_mb=_NEARLY_FULL_MB)
        if fault == FaultKind.SERVER_RESTARTED:
            self.state.restart(place.server)
        for group in lab.groups():
            others = [replica.server for replica in group.replicas if replica.server != group.primary]
            if fault == FaultKind.FAILOVER and others and group.primary:
                lab.fail_over(group.name, others[0], force=True)
            if fault == REPLICA_DOWN:
                for server in others:
                    lab.replica_down(server)
            if fault == DATABASE_REMOVED:
                for database in lab.databases():
                    if database.group == group.name:
                        lab.remove_database(group.name, database.name)


def _monitor(servers: Iterable[str]) -> LabLogin:
    """Return a login that may see the state and every definition of servers, and nothing else."""
    rights = ("VIEW SERVER STATE", "VIEW ANY DEFINITION")
    return LabLogin(MONITOR, {Held(server, "", right) for server in servers for right in rights})
