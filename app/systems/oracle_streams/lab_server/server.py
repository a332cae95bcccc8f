"""The lab's two databases: they answer exactly the statements of the catalogue, checked as a server checks them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from app.drivers.oracle.catalogue import OracleType, RunsAt, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_faults import FaultKind, RequestHeld, error_of
from app.drivers.oracle.lab_marks import MARK_STATEMENTS
from app.drivers.oracle.lab_others import LabOthers
from app.drivers.oracle.late_changes import CHANGING
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.lab.faults import Fault, FaultPlan
from app.lab.held_requests import HeldRequests
from app.systems.oracle_streams.lab.scenario import StreamsScenario
from app.systems.oracle_streams.lab_server.actions import ChangeActions
from app.systems.oracle_streams.lab_server.answers import ReadingAnswers
from app.systems.oracle_streams.lab_server.dictionary import missing_in
from app.systems.oracle_streams.lab_server.flow_answers import FlowAnswers
from app.systems.oracle_streams.lab_server.state import EPOCH, SIDES, make_state

# Others' actions on the processes, besides the faults of every database.
APPLY_STOPPED: Final = "apply_stopped"
APPLY_STARTED: Final = "apply_started"
CAPTURE_STOPPED: Final = "capture_stopped"
PROPAGATION_STOPPED: Final = "propagation_stopped"

_FITTING: Final[Mapping[OracleType, tuple[type, ...]]] = {
    OracleType.INTEGER: (int,),
    OracleType.NUMBER: (int, float),
    OracleType.VARCHAR2: (str,),
    OracleType.DATE: (datetime,),
}
# By then every process of a lab is past its start.
_STARTED_S: Final = 60.0
_SECONDS_PER_HOUR: Final = 3600.0
_NO_TABLE: Final = "ORA-00942: table or view does not exist"


class LabOracle:
    """Both databases of one lab, one client at a time.

    Attributes:
        title: the scenario's, one sentence for a person.
        state: what they hold. others: what others do there.
    """

    def __init__(
        self, scenario: StreamsScenario, seed: int = 1, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> None:
        self.title = scenario.title
        self.state = make_state(scenario, seed, noise)
        self._statements = catalogue()
        self._faults = FaultPlan(faults)
        self.held = HeldRequests(self.now_s, OracleError)
        self.others = LabOthers(self.now_s, lambda end: f"lab-{end.value}", self.state.lab.busy_spans)
        self.answers = {
            **ReadingAnswers(self.state).answers(),
            **FlowAnswers(self.state).answers(),
            **ChangeActions(self.state).answers(),
            **self.others.answers(),
            **MARK_STATEMENTS,
            CHANGING: self._changing_sessions,
        }

    def live_through_past(self) -> None:
        """Let every process start, and the past of the scenario go by: the apply process stood, and is started."""
        lab, past = self.state.lab, self.state.scenario.past
        lab.advance(_STARTED_S)
        if past is not None:
            lab.stop_apply()
            lab.advance(past.outage_hours * _SECONDS_PER_HOUR)
            lab.start_apply()
            lab.advance(_STARTED_S)

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers; the variants for other products are none of them."""
        return frozenset(self.answers)

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement of the catalogue and return its rows in the order of its declared columns.

        Raises:
            OracleError: it is not in the catalogue, its binds or its end do not fit, its database is down, or a fault
                is due.
        """
        self._check(statement, end, binds)
        self.held.catch_up()
        fault = self._faults.due(statement.name)
        problem = None if fault is None else self._meet(fault, end)
        if problem is not None and fault == FaultKind.EXECUTED_LATE:
            carry_out = partial(self.answers[statement.name], end, dict(binds))
            raise RequestHeld(self.held.hold(end.value, carry_out), problem)
        if problem is not None and fault != FaultKind.LOST_AFTER:
            raise problem
        rows = tuple(self.answers[statement.name](end, binds))
        if problem is not None:
            raise problem
        return rows

    def _changing_sessions(self, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Return its only client's session, and those of requests that client gave up."""
        own = MARK_STATEMENTS[CHANGING](end, binds)
        return (*own, *((1, 100 + one, 1, "20260105080000", 0) for one in range(self.held.count(end.value))))

    def _check(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> None:
        documented = self._statements.get(statement.name)
        if documented is None or documented.text != statement.text or statement.name not in self.answers:
            raise OracleError.of_text(_NO_TABLE)
        check_binds(statement, binds)
        if statement.runs_at not in (RunsAt.BOTH, RunsAt(end.value)):
            raise OracleError.of_text(_NO_TABLE)
        if not self.state.lab.is_up(SIDES[end]):
            raise OracleError.of_text("ORA-03113: end-of-file on communication channel")
        missing = self.missing_for(statement, end)
        if missing:
            raise OracleError.of_text(_NO_TABLE if "$" in missing else f'ORA-00904: "{missing}": invalid identifier')

    def missing_for(self, statement: Statement, end: End) -> str:
        """Return a view or column a statement names that the release of a database does not have; "" for none."""
        return missing_in(self.state.release(end), statement.body)

    def database_name(self, end: End) -> str:
        """Return the global name of a database."""
        return self.state.database(end).database_name

    def version(self, end: End) -> str:
        """Return the release of a database."""
        return self.state.database(end).version

    def has_open_transaction(self) -> bool:
        """Tell whether the load has updated rows that are not committed."""
        return bool(self.state.open_updates)

    def roll_back(self) -> None:
        """Roll back the load's uncommitted rows."""
        self.state.open_updates = 0

    def now_s(self) -> float:
        """Return seconds of virtual time."""
        return self.state.lab.now_s

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.state.lab.advance(seconds)

    def _meet(self, fault: str, end: End) -> OracleError | None:
        self.happen(fault, end)
        if fault == FaultKind.APPLY_WILL_NOT_STOP:
            self.state.lab.hang_on_stop("apply")
        return error_of(fault)

    def happen(self, fault: str, end: End) -> None:
        """Let others do something to the processes, or restart the instance of one end in a moment."""
        lab = self.state.lab
        self.others.happen(fault, end)
        if fault == FaultKind.APPLY_ABORTS:
            lab.abort_apply(26714, "ORA-26714: User error encountered while applying")
        if fault == APPLY_STOPPED:
            lab.stop_apply()
        if fault == APPLY_STARTED and not lab.apply().is_running:
            lab.start_apply()
        if fault == CAPTURE_STOPPED:
            lab.stop_capture()
        if fault == PROPAGATION_STOPPED:
            lab.stop_propagation()
        if fault == FaultKind.SERVER_RESTARTED:
            lab.take_down(SIDES[end])
            lab.bring_up(SIDES[end])


def check_binds(statement: Statement, binds: Mapping[str, BindValue]) -> None:
    """Raise OracleError for a bind that is missing, unknown or of another type."""
    if set(binds) != set(statement.bind_names):
        raise OracleError.of_text("ORA-01008: not all variables bound")
    for bind in statement.binds:
        value = binds[bind.name]
        fits = bind.nullable if value is None else isinstance(value, _FITTING[bind.oracle_type])
        if not fits or isinstance(value, bool):
            raise OracleError.of_text(f"ORA-01722: invalid number ({bind.name})")


class LabTransport:
    """Reaches both databases without a network."""

    def __init__(self, server: LabOracle) -> None:
        self._server = server

    def server_of(self, end: End) -> str:
        """Return the database's global name."""
        return self._server.database_name(end)

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement."""
        return self._server.run(statement, end, binds)

    def cancel(self) -> None:
        """Nothing ever runs while something else can ask."""

    def close(self) -> None:
        """Nothing is open; an open update is rolled back."""
        self._server.roll_back()


class LabClock:
    """The lab's virtual time."""

    def __init__(self, server: LabOracle) -> None:
        self._lab = server.state.lab

    def now_utc(self) -> datetime:
        """Return the time of day in the lab."""
        return EPOCH + timedelta(seconds=self._lab.now_s)

    def monotonic_s(self) -> float:
        """Return seconds since the lab was built."""
        return self._lab.now_s

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let virtual time pass."""
        self._lab.advance(seconds)
