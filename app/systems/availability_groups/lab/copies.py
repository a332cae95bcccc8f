"""Starting backups, restores, joins and seedings, and the consequences of their completion."""

from dataclasses import replace

from app.systems.availability_groups.lab.compression import can_seed, compresses_seeding
from app.systems.availability_groups.lab.copying import CopyOperation, Step, StepKind
from app.systems.availability_groups.lab.readings import (
    BackupOptions,
    Failure,
    OperationKind,
    OperationStatus,
    SeedingMode,
)
from app.systems.availability_groups.lab.servers import Disk, Server
from app.systems.availability_groups.lab.shipping import LogStream
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.state import Copy, Database, Replica

# A log backup of an idle database still writes headers.
_SMALLEST_LOG_MB = 0.1


class Copies:
    """Operations that bring a database to another server."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._constants = site.scenario.copying

    def backup(self, database: Database, options: BackupOptions, kind: OperationKind, now_s: float) -> CopyOperation:
        """Start a full or log backup; raises ValueError where there is no full one for the log one to follow."""
        server, log = database.server, database.log
        disk = _disk(server, options.disk)
        size_mb = database.data_mb
        if kind is OperationKind.LOG_BACKUP:
            if not database.backup_taken or database.recovery_model == "SIMPLE":
                raise ValueError(f"the log of {database.name} cannot be backed up: no full backup, or simple recovery")
            size_mb = max(_SMALLEST_LOG_MB, (log.end_bytes - log.backed_up_bytes) / 1e6)
        steps = (Step(StepKind.WAIT, self._constants.statement_s), Step(StepKind.MOVE, size_mb))
        disks = (server.data_disk, disk)
        operation = self._start(kind, database, (server, server), disks, steps, options, now_s)
        operation.is_compressed = options.compression
        operation.from_bytes = log.backed_up_bytes if kind is OperationKind.LOG_BACKUP else log.end_bytes
        database.holds[operation.operation_id] = operation.from_bytes
        return operation

    def restore(self, backup: CopyOperation, server: Server, options: BackupOptions, now_s: float) -> CopyOperation:
        """Start restoring a completed backup WITH NORECOVERY at another server.

        Raises:
            ValueError: the backup is not complete, or the copy there does not fit it.
        """
        database = backup.database
        if backup.status is not OperationStatus.COMPLETED or backup.kind not in _RESTORED_BY:
            raise ValueError(f"operation {backup.operation_id} is no completed backup")
        copy = database.copies.get(server.name)
        kind = _RESTORED_BY[backup.kind]
        steps = [Step(StepKind.WAIT, self._constants.statement_s)]
        if kind is OperationKind.RESTORE:
            if copy is not None or server is database.server:
                raise ValueError(f"{database.name} exists at {server.name}; drop it first")
            steps += self._zeroing(database)
        elif copy is None or copy.stream is not None or copy.restored_bytes < backup.from_bytes:
            raise ValueError(f"{database.name} at {server.name} cannot take this log backup")
        steps.append(Step(StepKind.MOVE, backup.database_mb))
        disks = (backup.write_disk, server.data_disk)
        options = replace(options, algorithm=backup.options.algorithm)
        operation = self._start(kind, database, (backup.source, server), disks, steps, options, now_s)
        operation.to_bytes = backup.to_bytes
        operation.is_compressed = backup.options.compression
        return operation

    def join(self, database: Database, server: Server, now_s: float) -> CopyOperation:
        """Start joining a restored copy to the group; raises ValueError where there is none to join."""
        copy = database.copies.get(server.name)
        if database.group is None or copy is None or copy.stream is not None:
            raise ValueError(f"{database.name} at {server.name} cannot be joined")
        steps = (Step(StepKind.WAIT, self._constants.join_s),)
        return self._start(
            OperationKind.JOIN, database, (database.server, server), (None, None), steps, BackupOptions(), now_s
        )

    def seed_where_due(self, now_s: float, retry: bool = False) -> None:
        """Start every seeding that the groups ask for and that does not run yet; failed ones only to `retry`."""
        for database in self._site.databases.values():
            if database.group is None or not database.is_available:
                continue
            for replica in database.group.replicas.values():
                if self._is_due(database, replica, retry):
                    self._seed(database, replica.server, now_s)

    def cancel_seedings(self, group: str, server: Server, now_s: float, only: Database | None = None) -> None:
        """Cancel the seedings of a group to one server (SEEDING_MODE = MANUAL), or that of one database."""
        for operation in self._site.running_operations():
            database = operation.database
            in_group = database.group is not None and database.group.name == group and only in (None, database)
            if operation.kind is OperationKind.SEEDING and in_group and operation.target is server:
                operation.end(OperationStatus.CANCELLED, Failure.CANCELLED, now_s)

    def complete(self, operation: CopyOperation, now_s: float) -> None:
        """End an operation that has done all its steps, and make its result."""
        database, server = operation.database, operation.target
        hold = database.holds.get(operation.operation_id, operation.to_bytes)
        operation.end(OperationStatus.COMPLETED, Failure.NONE, now_s)
        if operation.kind is OperationKind.BACKUP:
            database.backup_taken = True
            operation.to_bytes = operation.from_bytes
        elif operation.kind is OperationKind.LOG_BACKUP:
            if not operation.options.copy_only:
                database.log.backed_up_bytes = max(database.log.backed_up_bytes, operation.to_bytes)
        elif operation.kind is OperationKind.RESTORE:
            database.copies[server.name] = Copy(server, operation.to_bytes, operation.taken_mb, awaits_join=True)
        elif operation.kind is OperationKind.LOG_RESTORE:
            copy = database.copies[server.name]
            copy.restored_bytes = max(copy.restored_bytes, operation.to_bytes)
            copy.taken_mb += operation.taken_mb
        else:
            if operation.kind is OperationKind.SEEDING:
                database.copies[server.name] = Copy(server, hold, operation.taken_mb)
            copy = database.copies[server.name]
            copy.awaits_join = False
            copy.stream = LogStream(database.log, database.server, server, copy.restored_bytes)

    def is_preparing(self, database: Database) -> bool:
        """Tell whether a secondary copy is being made from backups, between the full backup and the join."""
        running = [o for o in self._site.running_operations() if o.database is database]
        return any(o.kind in (OperationKind.BACKUP, *_RESTORED_BY.values()) for o in running) or any(
            copy.awaits_join for copy in database.copies.values()
        )

    def _is_due(self, database: Database, replica: Replica, retry: bool) -> bool:
        server = replica.server
        if server is database.server or server.name in database.copies or not server.is_up:
            return False
        if not (replica.seeding_mode is SeedingMode.AUTOMATIC and replica.may_create_any_database):
            return False
        versions = (database.server.constants.product_version, server.constants.product_version)
        here = [o for o in self._site.operations.values() if o.database is database and o.target is server]
        newest = next((o for o in reversed(here) if o.kind is OperationKind.SEEDING), None)
        is_tried = newest is not None and newest.status is OperationStatus.FAILED and not retry
        is_tried |= newest is not None and newest.is_running
        return all(can_seed(version) for version in versions) and not is_tried

    def _seed(self, database: Database, server: Server, now_s: float) -> None:
        steps = (
            Step(StepKind.WAIT, self._constants.statement_s),
            *self._zeroing(database),
            Step(StepKind.MOVE, database.data_mb),
        )
        source = database.server
        disks = (source.data_disk, server.data_disk)
        operation = self._start(OperationKind.SEEDING, database, (source, server), disks, steps, BackupOptions(), now_s)
        operation.is_compressed = compresses_seeding(source.flags_felt(now_s))
        database.holds[operation.operation_id] = database.log.end_bytes
        if operation.is_running and server.data_disk.free_mb < database.data_mb + database.log.size_mb:
            operation.end(OperationStatus.FAILED, Failure.DISK_TOO_SMALL, now_s)

    def _zeroing(self, database: Database) -> tuple[Step, ...]:
        """Return the zeroing of new files: always the log's, the data files' without instant file initialization."""
        data_mb = 0.0 if self._constants.instant_file_initialization else database.data_mb
        return (Step(StepKind.ZERO, data_mb), Step(StepKind.ZERO, database.log.size_mb))

    def _start(
        self,
        kind: OperationKind,
        database: Database,
        servers: tuple[Server, Server],
        disks: tuple[Disk | None, Disk | None],
        steps: tuple[Step, ...] | list[Step],
        options: BackupOptions,
        now_s: float,
    ) -> CopyOperation:
        number = len(self._site.operations) + 1
        operation = CopyOperation(number, kind, database, servers, disks, steps, options, now_s)
        operation.factor = self._site.noise.copy_factor(number, kind.value, now_s)
        same = [o for o in self._site.operations.values() if o.kind is kind and o.database is database]
        operation.attempts = 1 + sum(o.target is operation.target and o.status is OperationStatus.FAILED for o in same)
        self._site.add_operation(operation)
        if kind is OperationKind.RESTORE and servers[1].data_disk.free_mb < database.data_mb + database.log.size_mb:
            operation.end(OperationStatus.FAILED, Failure.DISK_TOO_SMALL, now_s)
        return operation


_RESTORED_BY = {
    OperationKind.BACKUP: OperationKind.RESTORE,
    OperationKind.LOG_BACKUP: OperationKind.LOG_RESTORE,
}


def _disk(server: Server, name: str) -> Disk:
    if not name:
        return server.backup_disk
    if name not in server.disks:
        raise LookupError(f"{server.name} has no disk {name!r}; it has {', '.join(server.disks)}")
    return server.disks[name]
