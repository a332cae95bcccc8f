"""The lab's servers with availability groups: answers exactly their statements, checked as a server checks them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer
from app.drivers.sqlserver.lab.faults import Fault, FaultKind, FaultPlan, RequestHeld, error_of
from app.drivers.sqlserver.lab.logins import MONITOR, Asks, Doorkeeper, Held, LabLogin
from app.drivers.sqlserver.lab.mark_answers import MARK_STATEMENTS
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.own_cost import CONNECTION_STATEMENTS
from app.drivers.sqlserver.lab.servers import check_parameters, check_release
from app.drivers.sqlserver.lab.time_answers import TimeAnswers
from app.drivers.sqlserver.late_changes import AWAIT
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.lab.held_requests import HeldRequests
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab_server.actions import GroupActionAnswers
from app.systems.availability_groups.lab_server.copying import GroupJobAnswers, GroupMembershipAnswers
from app.systems.availability_groups.lab_server.discovery import GroupDiscoveryAnswers
from app.systems.availability_groups.lab_server.faults import DATABASE_REMOVED, REPLICA_DOWN
from app.systems.availability_groups.lab_server.sampling import GroupSamplingAnswers
from app.systems.availability_groups.lab_server.seeding import GroupSeedingAnswers
from app.systems.availability_groups.lab_server.state import GroupState
from app.systems.availability_groups.places import STATEMENT_PLACES

_ROLES = STATEMENT_PLACES | {ANY_SERVER}
_EVERYWHERE = frozenset({"server_addresses"})
_NEARLY_FULL_MB = 500.0

_NO_GROUP: Final = "Cannot alter the availability group, because it does not exist or you do not have permission."
# Sources: the "Permissions" section of each page below MicrosoftDocs/sql-docs:docs/relational-databases/ and t-sql/.
_ASKS: Final = (
    (r"SELECT on sys\.availability_\w+", Asks(("VIEW ANY DEFINITION",), "", is_hidden=True)),
    (r"ALTER \w+ GROUP \w+", Asks(("ALTER ANY AVAILABILITY GROUP",), "", 15151, text=_NO_GROUP)),
)


class LabGroupServer:
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
        self._faults = FaultPlan(faults)
        self.held = HeldRequests(self.now_s, SqlError)
        self._statements = catalogue()
        self.doors = Doorkeeper(_ASKS)
        self.other_work = OtherWork(
            lambda: self.state.lab.now_s, lambda _server: self.state.lab.databases()[0].name, self._busy_spans
        )
        self.doors.logins[MONITOR] = _monitor(server.name for server in scenario.servers)
        self._answers: dict[str, Answer] = {
            **GroupDiscoveryAnswers(self.state).answers(),
            **GroupSamplingAnswers(self.state, self.other_work).answers(),
            **GroupActionAnswers(self.state).answers(),
            **GroupMembershipAnswers(self.state).answers(),
            **GroupJobAnswers(self.state).answers(),
            **GroupSeedingAnswers(self.state).answers(),
            **TimeAnswers(self.state).answers(),
            **MARK_STATEMENTS,
            **CONNECTION_STATEMENTS,
            AWAIT: self._await_changes,
            **self.other_work.answers(),
            **self.doors.answers("server_rights", "history_rights"),
        }

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        return frozenset(self._answers)

    def product_version(self, server: str) -> str:
        """Return the product version of a server."""
        return self.state.lab.server(server).product_version

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement of the catalogue and return its rows in the order of its declared columns.

        Raises:
            SqlError: it is not in the catalogue, its parameters or its place do not fit, or a fault is due.
        """
        statement = self._statements.get(name)
        if statement is None:
            raise SqlError(2812, f"Could not find statement '{name}' in the catalogue.", "42000")
        check_parameters(statement, parameters)
        self._check_place(statement, place)
        self.held.catch_up()
        fault = self._faults.due(name)
        problem = None if fault is None else self._meet(fault, place, partial(self._answers[name], place, parameters))
        if problem is not None and fault != FaultKind.LOST_AFTER:
            raise problem
        rows = tuple(self._answers[name](place, parameters))
        if problem is not None:
            raise problem
        return rows

    def _meet(self, fault: str, place: Place, carry_out: Callable[[], object]) -> SqlError | None:
        """Let a fault happen; return the error for the client, None where there is none."""
        if fault == FaultKind.LOG_BACKUP:
            self.other_work.begin(place.server)
        elif fault == FaultKind.OTHER_PROGRAMS:
            self.other_work.begin_programs(place.server)
        else:
            self._prepare(fault, place)
        problem = error_of(fault)
        if problem is not None and fault == FaultKind.EXECUTED_LATE:
            return RequestHeld(self.held.hold(place.server, carry_out), problem)
        return problem

    def _busy_spans(self, server: str, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return when the home server of an uneven site is busy: a log is backed up there then."""
        return self.state.lab.busy_spans(from_s, until_s) if server == self.own_server else []

    def _await_changes(self, place: Place, values: Mapping[str, Value]) -> list[tuple[Cell, ...]]:
        wait_s = float(values["wait_ms"]) / 1000.0
        self.state.advance(min(self.held.due_in_s(place.server), wait_s))
        self.held.catch_up()
        return [(int(not self.held.count(place.server)),)]

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        return self.state.lab.now_s

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

    def _check_place(self, statement: Statement, place: Place) -> None:
        server = self.state.site.server(place.server)
        if server is None or not (reading := self.state.lab.server(place.server)).is_up:
            raise SqlError(53, f"The server '{place.server}' was not found or was not accessible.", "08001")
        role = server.database_role(place.database)
        if role is None:
            raise SqlError(911, f"Database '{place.database}' does not exist.", "42000")
        is_there = statement.runs_at in _ROLES or statement.name in _EVERYWHERE
        if not is_there or role != statement.database or statement.name not in self._answers:
            raise SqlError(208, f"Invalid object name in '{statement.name}' at {place.server}.", "42S02")
        check_release(statement, reading.product_version)


def _monitor(servers: Iterable[str]) -> LabLogin:
    """Return a login that may see the state and every definition of servers, and nothing else."""
    rights = ("VIEW SERVER STATE", "VIEW ANY DEFINITION")
    return LabLogin(MONITOR, {Held(server, "", right) for server in servers for right in rights})
