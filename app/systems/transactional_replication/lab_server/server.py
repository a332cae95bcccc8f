"""The lab's SQL Server: answers exactly the statements of the catalogue, checked as a server would check them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import Fault, FaultKind, FaultPlan, RequestHeld, error_of
from app.drivers.sqlserver.lab.logins import MONITOR, Doorkeeper
from app.drivers.sqlserver.lab.mark_answers import MARK_STATEMENTS
from app.drivers.sqlserver.lab.named_objects import named_objects
from app.drivers.sqlserver.lab.own_cost import CONNECTION_STATEMENTS
from app.drivers.sqlserver.lab.servers import check_parameters, check_release
from app.drivers.sqlserver.lab.time_answers import TimeAnswers
from app.drivers.sqlserver.late_changes import AWAIT
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.session_settings import LOCK_LIMIT_OVER, LOCK_LIMIT_S
from app.foundation.rows import Cell
from app.lab.held_requests import HeldRequests
from app.systems.transactional_replication import places
from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab_server.actions import ChangeActions
from app.systems.transactional_replication.lab_server.answers import DiscoveryAnswers, MonitoringAnswers
from app.systems.transactional_replication.lab_server.faults import AGENT_WILL_NOT_STOP, STREAM_FALLBACK
from app.systems.transactional_replication.lab_server.happenings import Happenings
from app.systems.transactional_replication.lab_server.past_answers import PastAnswers
from app.systems.transactional_replication.lab_server.rights import ASKS, RIGHTS_STATEMENTS, monitor
from app.systems.transactional_replication.lab_server.site import DISTRIBUTOR, OTHER_REPLICA, PRIMARY
from app.systems.transactional_replication.lab_server.state import lived_state

_NEARLY_FULL_GB: Final = 0.5
_CLEANED: Final = frozenset(
    f"SELECT on dbo.{table}"
    for table in ("MSdistribution_history", "MSlogreader_history", "MSrepl_commands", "MSrepl_transactions")
)
"""What the distribution clean-up deletes from."""
_OF_MSDB: Final = frozenset(
    {"agent_profile", "profile_by_name", "own_profiles", "profile_parameters"}
    | {"job_activity", "job_failure", "job_outcome", "job_starts", "job_step_token", "job_step_tokens"}
)
"""What is found by ids or names of one replica's msdb."""
_COUNTING: Final = frozenset({"EXECUTE on dbo.sp_replmonitorsubscriptionpendingcmds"})
"""Microsoft's own procedure, which reads those with shared locks."""


class LabSqlServer:
    """All servers of one lab, one client at a time.

    Attributes:
        own_server: name of the Distributor.
        happenings: lets others do something to the servers.
        doors: who may do what there.
        title: the scenario's, one sentence for a person.
    """

    def __init__(
        self, scenario: Scenario, seed: int = 1, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> None:
        self.own_server = DISTRIBUTOR
        self.title = scenario.title
        self.state = lived_state(scenario, seed, noise)
        self.happenings = Happenings(self.state)
        self._faults = FaultPlan(faults)
        self.held = HeldRequests(self.now_s, SqlError)
        self._statements = catalogue()
        self.doors = Doorkeeper(ASKS, self.state.site.numbers.has_table)
        self.doors.logins[MONITOR] = monitor(tuple(server.name for server in self.state.site.servers))
        self._answers = {
            **DiscoveryAnswers(self.state).answers(),
            **MonitoringAnswers(self.state).answers(),
            **ChangeActions(self.state).answers(),
            **TimeAnswers(self.state).answers(),
            **MARK_STATEMENTS,
            **CONNECTION_STATEMENTS,
            AWAIT: self._await_changes,
            **self.doors.answers(*RIGHTS_STATEMENTS),
            **self.state.other_work.answers(),
            "agent_hours": PastAnswers(self.state).agent_hours,
        }

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        return frozenset(self._answers)

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
        if place.server == DISTRIBUTOR and self.state.is_elsewhere(DISTRIBUTOR):
            return self._at_other_replica(statement, place, parameters)
        self.held.catch_up()
        fault = self._faults.due(name)
        problem = None if fault is None else self._prepare(fault, place, parameters)
        if problem is not None and fault == FaultKind.EXECUTED_LATE:
            carry_out = partial(self._carry_out, statement, place, parameters)
            raise RequestHeld(self.held.hold(place.server, carry_out), problem)
        if problem is not None and fault != FaultKind.LOST_AFTER:
            raise problem
        self._wait_for_clean_up(statement)
        self.state.look(again=fault is not None)
        rows = self._carry_out(statement, place, parameters)
        if problem is not None:
            raise problem
        return rows

    def _carry_out(
        self, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[Cell, ...], ...]:
        rows = tuple(self._answers[statement.name](place, parameters))
        if statement.access is Access.CHANGE:
            self.state.look(again=True)
        return rows

    def _at_other_replica(
        self, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[Cell, ...], ...]:
        """Answer as the other replica of the distribution database: it has jobs and profiles of its own in its msdb."""
        if statement.access is Access.CHANGE:
            self.state.set_elsewhere.append(statement.name)
            return ()
        if statement.name in _OF_MSDB:
            return ()
        rows = tuple(self._answers[statement.name](place, parameters))
        return tuple(tuple(OTHER_REPLICA if cell == DISTRIBUTOR else cell for cell in row) for row in rows)

    def _await_changes(self, place: Place, values: Mapping[str, Value]) -> list[tuple[Cell, ...]]:
        wait_s = float(values["wait_ms"]) / 1000.0
        self.state.advance(min(self.held.due_in_s(place.server), wait_s))
        self.held.catch_up()
        return [(int(not self.held.count(place.server)),)]

    def now_s(self) -> float:
        """Return the virtual clock's time."""
        return self.state.lab.now_s

    def product_version(self, _server: str) -> str:
        """Return the product version of a server: all have the scenario's."""
        return self.state.site.scenario.topology.product_version

    def _wait_for_clean_up(self, statement: Statement) -> None:
        """Let a reading that takes shared locks wait for the clean-up job, which does not let go in time."""
        constants = self.state.site.scenario.site
        if constants is None or not constants.is_cleaned_up or statement.access is Access.CHANGE:
            return
        named = named_objects().get(statement.name, ())
        if (statement.takes_shared_locks and not _CLEANED.isdisjoint(named)) or not _COUNTING.isdisjoint(named):
            self.state.advance(LOCK_LIMIT_S)
            raise SqlError(LOCK_LIMIT_OVER, "Lock request time out period exceeded.", "42000")

    def _prepare(self, fault: str, place: Place, parameters: Mapping[str, Value]) -> SqlError | None:
        state = self.state
        self.happenings.happen(fault, place.server)
        if fault == AGENT_WILL_NOT_STOP:
            state.will_not_stop.add(str(parameters.get("job_id", "")).upper())
        if fault == STREAM_FALLBACK:
            for pair in range(len(state.site.pairs)):
                state.lab.fail_stream(pair)
        if fault == FaultKind.DISK_NEARLY_FULL:
            state.lab.set_free_disk_gb(_NEARLY_FULL_GB)
        return error_of(fault)

    def _check_place(self, statement: Statement, place: Place) -> None:
        server = self.state.site.server(place.server)
        if server is None:
            raise SqlError(53, f"The server '{place.server}' was not found or was not accessible.", "08001")
        if self.now_s() < self.state.opens_at_s.get(place.server, 0.0):
            raise SqlError(53, f"The server '{place.server}' was not found or was not accessible.", "08001")
        refusal = self.state.site.refusal(place.server)
        if refusal is not None:
            constants = self.state.site.scenario.site
            if constants is not None and refusal.state == "08001":
                self.state.advance(constants.unreached_after_s)
            raise refusal
        role = server.database_role(place.database)
        if role is None:
            raise SqlError(911, f"Database '{place.database}' does not exist.", "42000")
        if (closed := self.state.closed(place.server, place.database)) is not None:
            raise closed
        if (
            self.state.distribution_role != PRIMARY
            and role == places.DISTRIBUTION_DATABASE
            and statement.access is Access.CHANGE
        ):
            raise SqlError(3906, f'Failed to update database "{place.database}" because the database is read-only.')
        is_anywhere = statement.runs_at == ANY_SERVER and statement.name in self._answers
        is_there = is_anywhere or statement.runs_at == server.role
        if not is_there or role != statement.database:
            raise SqlError(208, f"Invalid object name in '{statement.name}' at {place.server}.", "42S02")
        check_release(statement, self.product_version(place.server))
