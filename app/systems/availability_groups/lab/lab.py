"""The simulated availability groups as an answering server sees them: readings, actions, and faults.

Owner of the physics; knows nothing of SQL, views or counters' names. Names that do not exist raise LookupError, actions
that the present state does not allow raise ValueError with a sentence; both are for the caller to turn into errors of
the server.
"""

from typing import Final

from app.systems.availability_groups.lab.copying import CopyOperation
from app.systems.availability_groups.lab.engine import Engine
from app.systems.availability_groups.lab.groups import GroupActions
from app.systems.availability_groups.lab.noise import Noise
from app.systems.availability_groups.lab.readings import (
    BackupOptions,
    DatabaseReading,
    DatabaseReplicaReading,
    Failure,
    GroupReading,
    LoadReading,
    LoadStatus,
    OperationKind,
    OperationReading,
    OperationStatus,
    ServerReading,
)
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.views import (
    database_reading,
    database_replica_reading,
    group_reading,
    replica_databases,
)

# Longest wait for something that may never happen, such as a commit that too few secondaries could acknowledge.
_LONGEST_WAIT_S: Final = 10 * 86_400.0


class AvailabilityLab(GroupActions):
    """Servers with availability groups on a virtual clock; the same scenario and seed give the same runs.

    Everything happens in `advance` (and in the calls that wait: `run_inserts`, `run_operation`); the sizes of its steps
    change nothing but rounding.

    Attributes:
        scenario: the constants in use.
    """

    def __init__(self, scenario: AvailabilityScenario, seed: int = 1, noise: bool | None = None) -> None:
        is_noisy = scenario.noise.enabled if noise is None else noise
        site = Site(scenario, Noise(scenario.noise, seed, is_noisy))
        super().__init__(Engine(site, is_noisy))
        self.scenario = scenario

    # Time

    @property
    def now_s(self) -> float:
        """Virtual time in seconds since the lab was built."""
        return self._engine.now_s

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        return self._site.noise.busy_spans(from_s, until_s)

    def advance(self, seconds: float) -> None:
        """Let `seconds` (≥ 0) of virtual time pass."""
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds:g} s")
        self._engine.events.run_until(self.now_s + seconds)
        self._engine.settle()

    # Readings

    @property
    def rtt_ms(self) -> float:
        """Round-trip time between any two servers."""
        return self.scenario.line.rtt_ms

    @property
    def bandwidth_mbps(self) -> float:
        """Bandwidth between any two servers, 10⁶ bits per second."""
        return self.scenario.line.bandwidth_mbps

    def servers(self) -> tuple[ServerReading, ...]:
        """Return every server as it is now."""
        return tuple(server.reading() for server in self._site.servers.values())

    def server(self, name: str) -> ServerReading:
        """Return one server as it is now."""
        return self._site.server(name).reading()

    def groups(self) -> tuple[GroupReading, ...]:
        """Return every availability group as it is now."""
        return tuple(group_reading(self._site, group) for group in self._site.groups.values())

    def group(self, name: str) -> GroupReading:
        """Return one availability group as it is now."""
        return group_reading(self._site, self._site.group(name))

    def databases(self) -> tuple[DatabaseReading, ...]:
        """Return every database as it is now."""
        return tuple(database_reading(database) for database in self._site.databases.values())

    def database(self, name: str) -> DatabaseReading:
        """Return one database as it is now."""
        return database_reading(self._site.database(name))

    def copies_at(self, server: str) -> tuple[str, ...]:
        """Return the databases that exist at a server as a secondary's or a restoring copy."""
        self._site.server(server)
        return tuple(name for name, database in self._site.databases.items() if server in database.copies)

    def database_replicas(self, group: str) -> tuple[DatabaseReplicaReading, ...]:
        """Return every database of a group at every secondary."""
        return tuple(replica_databases(self._site, self._site.group(group)))

    def database_replica(self, database: str, server: str) -> DatabaseReplicaReading:
        """Return one database at one secondary."""
        return database_replica_reading(self._site, self._site.database(database), server)

    def loads(self) -> tuple[LoadReading, ...]:
        """Return every insert loop, ended ones and standing loads included, in order of their start."""
        return tuple(load.reading(self.now_s) for load in self._site.loads.values())

    def load(self, load_id: int) -> LoadReading:
        """Return one insert loop as it is now."""
        return self._site.load(load_id).reading(self.now_s)

    def operations(self) -> tuple[OperationReading, ...]:
        """Return every backup, restore, join and seeding, ended ones included, in order of their start."""
        return tuple(operation.reading(self.now_s) for operation in self._site.operations.values())

    def operation(self, operation_id: int) -> OperationReading:
        """Return one operation as it is now."""
        return self._site.operation(operation_id).reading(self.now_s)

    # Insert loops

    def start_inserts(self, database: str, statements: int, rows_per_statement: int) -> int:
        """Start a loop of single-transaction inserts at the primary and return its id; time does not pass here.

        Raises:
            ValueError: the database cannot be written now, or a number is below 1.
        """
        if statements < 1 or rows_per_statement < 1:
            raise ValueError("an insert loop has at least one statement of at least one row")
        written = self._site.database(database)
        if not written.is_available:
            raise ValueError(f"{database} cannot be written now: its primary is down or moving")
        self._engine.settle()
        load = self._engine.start_load(written, statements, rows_per_statement)
        self._engine.changed()
        return load.load_id

    def run_inserts(
        self, database: str, statements: int, rows_per_statement: int, limit_s: float = _LONGEST_WAIT_S
    ) -> LoadReading:
        """Run a loop to its end, or until `limit_s` has passed, and return it; time passes meanwhile."""
        load_id = self.start_inserts(database, statements, rows_per_statement)
        load = self._site.load(load_id)
        end_s = self.now_s + limit_s
        while load.is_running and self._engine.advance_to_next(end_s):
            pass
        return self.load(load_id)

    def cancel_load(self, load_id: int) -> None:
        """Cancel an insert loop; its unfinished statement is rolled back."""
        load = self._site.load(load_id)
        self._engine.settle()
        load.stop(LoadStatus.CANCELLED, Failure.CANCELLED, self.now_s)
        self._engine.changed()

    # Backups, restores, joins; seedings start by themselves

    def start_backup(self, database: str, options: BackupOptions = BackupOptions()) -> int:  # noqa: B008  # frozen, so one for all calls
        """Start a full backup at the primary and return its id."""
        return self._start_backup(database, options, OperationKind.BACKUP)

    def start_log_backup(self, database: str, options: BackupOptions = BackupOptions()) -> int:  # noqa: B008  # frozen, so one for all calls
        """Start a log backup at the primary and return its id; truncates the log unless it is COPY_ONLY."""
        return self._start_backup(database, options, OperationKind.LOG_BACKUP)

    def start_restore(self, backup_id: int, server: str, options: BackupOptions = BackupOptions()) -> int:  # noqa: B008  # frozen, so one for all calls
        """Start restoring a completed full or log backup WITH NORECOVERY at a server and return the restore's id."""
        self._engine.settle()
        backup = self._site.operation(backup_id)
        operation = self._engine.copies.restore(backup, self._site.server(server), options, self.now_s)
        return self._followed(operation)

    def start_join(self, database: str, server: str) -> int:
        """Start joining a restored copy to the group of its database (SET HADR AVAILABILITY GROUP), return the id."""
        self._engine.settle()
        operation = self._engine.copies.join(self._site.database(database), self._site.server(server), self.now_s)
        return self._followed(operation)

    def run_operation(self, operation_id: int, limit_s: float = _LONGEST_WAIT_S) -> OperationReading:
        """Let time pass until an operation has ended, or `limit_s` has passed, and return it."""
        operation = self._site.operation(operation_id)
        end_s = self.now_s + limit_s
        while operation.is_running and self._engine.advance_to_next(end_s):
            pass
        return self.operation(operation_id)

    def cancel_operation(self, operation_id: int) -> None:
        """Cancel a running operation (KILL); its written files are deleted."""
        operation = self._site.operation(operation_id)
        self._engine.settle()
        if operation.is_running:
            operation.end(OperationStatus.CANCELLED, Failure.CANCELLED, self.now_s)
        self._engine.changed()

    def delete_backup(self, backup_id: int) -> None:
        """Delete the files of a backup."""
        operation = self._site.operation(backup_id)
        if operation.is_running or operation.kind not in (OperationKind.BACKUP, OperationKind.LOG_BACKUP):
            raise ValueError(f"operation {backup_id} is no backup whose files could be deleted")
        self._engine.settle()
        operation.give_back()
        self._engine.changed()

    def _start_backup(self, database: str, options: BackupOptions, kind: OperationKind) -> int:
        backed_up = self._site.database(database)
        if not backed_up.is_available:
            raise ValueError(f"{database} cannot be backed up now: its primary is down or moving")
        self._engine.settle()
        return self._followed(self._engine.copies.backup(backed_up, options, kind, self.now_s))

    def _followed(self, operation: CopyOperation) -> int:
        self._engine.changed()
        return operation.operation_id
