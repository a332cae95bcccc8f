"""State of the lab's servers besides the simulation: test tables, jobs, event sessions, and how a client came."""

from dataclasses import dataclass, field
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.counters import finds_counters
from app.drivers.sqlserver.lab.servers import CountingState
from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import DatabaseReading, Failure, GroupReading, LoadReading, LoadStatus
from app.systems.availability_groups.lab.scenario import AvailabilityScenario, GroupConstants
from app.systems.availability_groups.lab_server.jobs import LabJobs
from app.systems.availability_groups.lab_server.site import GroupSite

# A loop that stands still, as when too few secondaries are synchronized to commit, ends as a client's limit would.
_LOOP_LIMIT_S: Final = 7_200.0
_MOMENT_S: Final = 1e-6
# A server's count of milliseconds when SQL Server started; each restart has another.
_STARTED_MS: Final = 90_000
_BETWEEN_STARTS_MS: Final = 86_400_000


@dataclass
class LabTables:
    """The test tables of one owner in one database."""

    source_rows: int = 0


@dataclass
class LabTestDatabase:
    """A test database that was created; the simulation has it once its size is known."""

    server: str
    pages: int = 0


@dataclass
class LabGroupKind:
    """A group's kind as its servers tell it; nothing in the simulation depends on it."""

    is_basic: bool = False
    is_contained: bool = False
    is_distributed: bool = False
    listener: str = ""
    is_opened_by_listener: bool = False
    cluster: str = "wsfc"
    member_groups: tuple[str, ...] = ()
    configuration_only: tuple[str, ...] = ()


def _kind_of(group: GroupConstants, opened_at: str) -> LabGroupKind:
    return LabGroupKind(
        is_basic=group.sort == "basic",
        is_contained=group.sort == "contained",
        is_distributed=group.sort == "distributed",
        listener=group.listener,
        is_opened_by_listener=bool(group.listener) and (group.listener == opened_at or group.listener_has_own_address),
        cluster=group.cluster.lower(),
        member_groups=group.member_groups,
        configuration_only=group.configuration_only,
    )


@dataclass
class GroupState(CountingState):
    """The servers' state.

    Attributes:
        addresses: where each server is reached, by name; its name alone where it has no address.
        tables: by database and owner. event_sessions: when each was started, by server and name. kinds: by group.
        backups: ids of those whose files are there, by database and name; backup_log: of those deleted, which the
            history keeps.
        server_starts: how often each server was restarted.
    """

    scenario: AvailabilityScenario
    seed: int
    noise: bool | None
    lab: AvailabilityLab = field(init=False)
    site: GroupSite = field(init=False)
    jobs: LabJobs = field(init=False)
    addresses: dict[str, str] = field(default_factory=dict)
    tables: dict[tuple[str, str], LabTables] = field(default_factory=dict)
    event_sessions: dict[tuple[str, str], float] = field(default_factory=dict)
    test_databases: dict[str, LabTestDatabase] = field(default_factory=dict)
    backups: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    backup_log: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    kinds: dict[str, LabGroupKind] = field(default_factory=dict)
    server_starts: dict[str, int] = field(default_factory=dict)
    has_counters: bool = True

    def __post_init__(self) -> None:
        self.lab = AvailabilityLab(self.scenario, self.seed, self.noise)
        self.site = GroupSite(self.lab, self.scenario.opened_at)
        self.jobs = LabJobs(self.lab)
        self.addresses = {server.name: server.name for server in self.lab.servers()}
        self.kinds = {group.name: _kind_of(group, self.scenario.opened_at) for group in self.scenario.groups}
        for server in self.scenario.servers:
            if not server.is_up:
                self.lab.replica_down(server.name)

    def constants_of(self, group: str) -> GroupConstants:
        """Return a group of the scenario."""
        return next(one for one in self.scenario.groups if one.name == group)

    def folder_of(self, server: str) -> str:
        """Return where a server puts new files."""
        return next(one.data_folder for one in self.scenario.servers if one.name == server)

    def files_of(self, database: str) -> tuple[str, str]:
        """Return the paths of a database's data file and log at its primary."""
        found = self.database_of(database)
        given = next((one.folder for one in self.scenario.databases if one.name == database), "")
        folder = given or ("" if found is None or not found.server else self.folder_of(found.server))
        return f"{folder}\\{database}.mdf", f"{folder}\\{database}_log.ldf"

    def advance(self, seconds: float) -> None:
        """Let virtual time pass; a job goes to its next step the moment one ends."""
        end_s = self.lab.now_s + seconds
        while end_s - self.lab.now_s > _MOMENT_S:
            self.jobs.advance(end_s)

    def restart(self, server: str) -> None:
        """Restart a server in a moment: connections come back by themselves, trace flags do not."""
        self.server_starts[server] = self.server_starts.get(server, 0) + 1
        for flag in self.lab.server(server).trace_flags:
            self.lab.set_trace_flag(server, flag, on=False)

    def started_ms(self, server: str) -> int:
        """Return the server's count of milliseconds when SQL Server started."""
        return _STARTED_MS + _BETWEEN_STARTS_MS * self.server_starts.get(server, 0)

    def instance_of(self, server: str) -> str:
        """Return the instance at a server's address: another one after each restart."""
        return f"{server} {self.server_starts.get(server, 0)}"

    def shows_counters(self, statement: str) -> bool:
        """Tell whether there are counters, and a statement finds those it asks for."""
        return self.has_counters and finds_counters(statement, self.scenario.counters)

    def closed(self, _server: str, _database: str) -> SqlError | None:
        """Return nothing: nobody enters a database of a group here."""
        return None

    def group_of(self, name: str) -> GroupReading | None:
        """Return a group by name."""
        return next((group for group in self.lab.groups() if group.name == name), None)

    def database_of(self, name: str) -> DatabaseReading | None:
        """Return a database by name."""
        return next((database for database in self.lab.databases() if database.name == name), None)

    def is_primary(self, group: str, server: str) -> bool:
        """Tell whether a server holds the primary replica of a group now."""
        group_state = self.group_of(group)
        return group_state is not None and group_state.primary == server

    def writable(self, database: str, server: str) -> DatabaseReading:
        """Return a database that can be written at a server.

        Raises:
            SqlError: as a server says it of a missing database, a secondary, or one that changes its role.
        """
        database_state = self.database_of(database)
        if database_state is None or (database_state.server != server and not self._has_copy(database, server)):
            raise SqlError(911, f"Database '{database}' does not exist.", "42000")
        if database_state.server == server:
            return database_state
        if not database_state.server:
            raise SqlError(983, f"Unable to access availability database '{database}' because its role changes.")
        raise SqlError(3906, f'Failed to update database "{database}" because the database is read-only.', "42000")

    def insert(self, database: str, statements: int, rows: int) -> LoadReading:
        """Run inserts to their end.

        Raises:
            SqlError: what ended them before.
        """
        try:
            load = self.lab.run_inserts(database, statements, rows, _LOOP_LIMIT_S)
        except ValueError as error:
            raise SqlError(983, str(error), "42000") from error
        if load.status is LoadStatus.RUNNING:
            self.lab.cancel_load(load.load_id)
            raise SqlError(-2, "Query timeout expired.", "HYT00")
        if load.status is LoadStatus.FAILED:
            raise _ENDED.get(load.failure, _ENDED[Failure.SERVER_DOWN])(database)
        return load

    def is_held(self, database: DatabaseReading, server: str) -> bool:
        """Tell whether a database is at a server for writing, or was until its role change began."""
        group = self.group_of(database.group)
        if database.server or group is None:
            return database.server == server
        is_member = any(replica.server == server for replica in group.replicas)
        return is_member and database.name not in self.lab.copies_at(server)

    def is_joined(self, database: str, server: str) -> bool:
        """Tell whether a database has joined its group at a secondary."""
        try:
            return self.lab.database_replica(database, server).is_joined
        except LookupError:
            return False

    def _has_copy(self, database: str, server: str) -> bool:
        group = self.group_of(self.lab.database(database).group)
        is_member = group is not None and any(replica.server == server for replica in group.replicas)
        return is_member or database in self.lab.copies_at(server)


def _failed_over(database: str) -> SqlError:
    return SqlError(3906, f'Failed to update database "{database}" because the database is read-only.', "42000")


def _server_down(_database: str) -> SqlError:
    return SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01")


def _log_full(database: str) -> SqlError:
    return SqlError(9002, f"The transaction log for database '{database}' is full.", "42000")


_ENDED: Final = {
    Failure.FAILED_OVER: _failed_over,
    Failure.SERVER_DOWN: _server_down,
    Failure.LOG_FULL: _log_full,
    Failure.DISK_FULL: _log_full,
}
