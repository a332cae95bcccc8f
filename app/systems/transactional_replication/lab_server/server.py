"""The lab's SQL Server: answers exactly the statements of the catalogue, checked as a server would check them."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.logins import MONITOR, Doorkeeper, Rows
from app.drivers.sqlserver.lab.named_objects import named_objects
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.session_settings import LOCK_LIMIT_OVER, LOCK_LIMIT_S
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.systems.transactional_replication import places
from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab_server.actions import ChangeActions
from app.systems.transactional_replication.lab_server.answers import DiscoveryAnswers, MonitoringAnswers
from app.systems.transactional_replication.lab_server.happenings import AGENT_WILL_NOT_STOP, STREAM_FALLBACK, Happenings
from app.systems.transactional_replication.lab_server.look_ups import look_ups_of
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
    | {
        "agents_elsewhere",
        "job_activity",
        "job_failure",
        "job_outcome",
        "job_starts",
        "job_step_token",
        "job_step_tokens",
    }
)
"""What is found by ids or names of one replica's msdb."""
_COUNTING: Final = frozenset({"EXECUTE on dbo.sp_replmonitorsubscriptionpendingcmds"})
"""Microsoft's own procedure, which reads those with shared locks."""


class LabSqlServer(SimulatedSqlServers):
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
        doors = Doorkeeper(ASKS, self.state.site.numbers.has_table)
        super().__init__(self.state, doors, faults, *RIGHTS_STATEMENTS)
        self.doors.logins[MONITOR] = monitor(tuple(server.name for server in self.state.site.servers))
        self.answers |= {
            **DiscoveryAnswers(self.state).answers(),
            **MonitoringAnswers(self.state).answers(),
            **ChangeActions(self.state).answers(),
            **self.state.other_work.answers(),
            "agent_hours": PastAnswers(self.state).agent_hours,
        }
        self.look_ups |= look_ups_of(self.state)

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> Rows:
        """Run a statement, at the other replica where that has taken over; raises SqlError."""
        if place.server == DISTRIBUTOR and self.state.is_elsewhere(DISTRIBUTOR):
            return self._at_other_replica(self.checked(name, place, parameters), place, parameters)
        return super().run(name, place, parameters)

    def prepare(self, statement: Statement, *, is_faulty: bool) -> None:
        """Wait for the clean-up job, and record the events since."""
        self._wait_for_clean_up(statement)
        self.state.look(again=is_faulty)

    def carry_out(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> Rows:
        """Answer a statement, and record the consequences of a change at once."""
        rows = super().carry_out(statement, place, parameters)
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
        rows = tuple(self.answers[statement.name](place, parameters))
        return tuple(tuple(OTHER_REPLICA if cell == DISTRIBUTOR else cell for cell in row) for row in rows)

    def product_version(self, _server: str) -> str:
        """Return the product version of a server: all have the scenario's."""
        return self.state.site.scenario.topology.product_version

    def _wait_for_clean_up(self, statement: Statement) -> None:
        """Let a reading that takes shared locks wait for the clean-up job, which does not let go in time."""
        if not self.state.site.found.is_cleaned_up or statement.access is Access.CHANGE:
            return
        named = named_objects().get(statement.name, ())
        if (statement.takes_shared_locks and not _CLEANED.isdisjoint(named)) or not _COUNTING.isdisjoint(named):
            self.state.advance(LOCK_LIMIT_S)
            raise SqlError(LOCK_LIMIT_OVER, "Lock request time out period exceeded.", "42000")

    def meet(self, fault: str, place: Place, parameters: Mapping[str, Value]) -> None:
        """Let a fault happen that shows in another way than by an error."""
        state = self.state
        self.happenings.happen(fault, place.server)
        if fault == AGENT_WILL_NOT_STOP:
            state.will_not_stop.add(str(parameters.get("job_id", "")).upper())
        if fault == STREAM_FALLBACK:
            for pair in range(len(state.site.pairs)):
                state.lab.fail_stream(pair)
        if fault == FaultKind.DISK_NEARLY_FULL:
            state.lab.set_free_disk_gb(_NEARLY_FULL_GB)

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server of a place, None where there is none or it starts; raises SqlError where it refuses."""
        server = self.state.site.server(place.server)
        if server is None or self.now_s() < self.state.opens_at_s.get(place.server, 0.0):
            return None
        refusal = self.state.site.refusal(place.server)
        if refusal is not None:
            if refusal.state == "08001":
                self.state.advance(self.state.site.found.unreached_after_s)
            raise refusal
        return server

    def check_database(self, statement: Statement, place: Place, role: str) -> None:
        """Raise SqlError where a database lets nobody in, or is the distribution database of a secondary replica."""
        if (closed := self.state.closed(place.server, place.database)) is not None:
            raise closed
        if (
            self.state.distribution_role != PRIMARY
            and role == places.DISTRIBUTION_DATABASE
            and statement.access is Access.CHANGE
        ):
            raise SqlError(3906, f'Failed to update database "{place.database}" because the database is read-only.')

    def is_there(self, statement: Statement, server: LabServer) -> bool:
        """Tell whether a statement is for any server, or for one of this role."""
        return statement.runs_at in (ANY_SERVER, server.role)
