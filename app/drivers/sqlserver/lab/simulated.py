"""Simulated SQL Servers: they check a call as a server checks it, let faults happen, and answer."""

from collections.abc import Mapping, Sequence
from functools import partial

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.lab.faults import FaultKind, RequestHeld, error_of
from app.drivers.sqlserver.lab.logins import Doorkeeper, Rows
from app.drivers.sqlserver.lab.mark_answers import MARK_STATEMENTS
from app.drivers.sqlserver.lab.own_cost import CONNECTION_STATEMENTS
from app.drivers.sqlserver.lab.servers import LabServer, check_parameters, check_release
from app.drivers.sqlserver.lab.tables import LookUp
from app.drivers.sqlserver.lab.time_answers import TimeAnswers, TimedState
from app.drivers.sqlserver.late_changes import AWAIT
from app.drivers.sqlserver.session import Place
from app.lab.faults import Fault, FaultPlan
from app.lab.held_requests import HeldRequests


class SimulatedSqlServers:
    """All servers of one lab, one client at a time; a system adds its site and the answers to its statements.

    Attributes:
        own_server: name of the server a target is opened with.
        title: the scenario's, one sentence for a person.
        doors: who may do what there.
        answers: how each statement is answered, by name.
        look_ups: what scripts look into beside those statements.
    """

    own_server: str
    title: str

    def __init__(self, state: TimedState, doors: Doorkeeper, faults: Sequence[Fault], *rights: str) -> None:
        """Prepare the parts every server has.

        Args:
            rights: names of the statements that ask for a login's rights.
        """
        self.doors = doors
        self.held = HeldRequests(self.now_s, SqlError)
        self._timed = state
        self.look_ups: dict[str, LookUp] = {
            "sys.servers": LookUp(("server_id", "name"), lambda place: [(0, place.server)])
        }
        self._faults = FaultPlan(faults)
        self._statements = catalogue()
        self.answers: dict[str, Answer] = {
            **TimeAnswers(state).answers(),
            **MARK_STATEMENTS,
            **CONNECTION_STATEMENTS,
            AWAIT: self._await_changes,
            **doors.answers(*rights),
        }

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        return frozenset(self.answers)

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        return self._timed.lab.now_s

    def product_version(self, server: str) -> str:
        """Return the product version of a server, four numbers."""
        raise NotImplementedError  # a scenario's own; any default would pass for a real version

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server of a place, None where there is none or it does not answer; raises SqlError."""
        raise NotImplementedError  # only a scenario knows its servers

    def is_there(self, statement: Statement, server: LabServer) -> bool:
        """Tell whether a server is one that a statement is for."""
        return True

    def meet(self, fault: str, place: Place, parameters: Mapping[str, Value]) -> None:
        """Let a fault happen that shows in another way than by an error."""

    def prepare(self, statement: Statement, *, is_faulty: bool) -> None:
        """Let the events happen that a statement waits for before it is carried out; raises SqlError."""

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> Rows:
        """Run a statement of the catalogue and return its rows in the order of its declared columns.

        Raises:
            SqlError: it is not in the catalogue, its parameters or its place do not fit, or a fault is due.
        """
        statement = self.checked(name, place, parameters)
        self.held.catch_up()
        fault = self._faults.due(name)
        if fault is not None:
            self.meet(fault, place, parameters)
        problem = None if fault is None else error_of(fault)
        carry_out = partial(self.carry_out, statement, place, parameters)
        if problem is not None and fault == FaultKind.EXECUTED_LATE:
            raise RequestHeld(self.held.hold(place.server, carry_out), problem)
        if problem is not None and fault != FaultKind.LOST_AFTER:
            raise problem
        self.prepare(statement, is_faulty=fault is not None)
        rows = carry_out()
        if problem is not None:
            raise problem
        return rows

    def carry_out(self, statement: Statement, place: Place, parameters: Parameters) -> Rows:
        """Answer a statement."""
        return tuple(self.answers[statement.name](place, parameters))

    def checked(self, name: str, place: Place, parameters: Mapping[str, Value]) -> Statement:
        """Return a statement of the catalogue that may be run at a place with these parameters; raises SqlError."""
        statement = self._statements.get(name)
        if statement is None:
            raise SqlError(2812, f"Could not find statement '{name}' in the catalogue.", "42000")
        check_parameters(statement, parameters)
        server = self.server_there(place)
        if server is None:
            raise SqlError(53, f"The server '{place.server}' was not found or was not accessible.", "08001")
        role = server.database_role(place.database)
        if role is None:
            raise SqlError(911, f"Database '{place.database}' does not exist.", "42000")
        self.check_database(statement, place, role)
        if role != statement.database or name not in self.answers or not self.is_there(statement, server):
            raise SqlError(208, f"Invalid object name in '{name}' at {place.server}.", "42S02")
        check_release(statement, self.product_version(place.server))
        return statement

    def check_database(self, statement: Statement, place: Place, role: str) -> None:
        """Raise SqlError where a database lets nobody in, or takes no change."""

    def _await_changes(self, place: Place, values: Parameters) -> Result:
        wait_s = float(values["wait_ms"]) / 1000.0
        self._timed.advance(min(self.held.due_in_s(place.server), wait_s))
        self.held.catch_up()
        return [(int(not self.held.count(place.server)),)]
