"""The lab's answers to the readings of a seeding."""

from collections.abc import Iterator

from app.domain.units import convert
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, row_of
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.availability_groups.lab.readings import (
    DatabaseReading,
    OperationKind,
    OperationReading,
    OperationStatus,
)
from app.systems.availability_groups.lab_server.site import id_of
from app.systems.availability_groups.lab_server.state import GroupState
from app.systems.availability_groups.readings import SeedingServerReading

_STATES = {
    OperationStatus.RUNNING: "SEEDING",
    OperationStatus.COMPLETED: "COMPLETED",
    OperationStatus.FAILED: "FAILED",
    OperationStatus.CANCELLED: "FAILED",
}
_READING = (OperationKind.BACKUP, OperationKind.LOG_BACKUP, OperationKind.SEEDING)


class GroupSeedingAnswers(Answers):
    """Requirements, samples and events."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def _seeding_requirements(self, place: Place, values: Parameters) -> Result:
        database = self._state.database_of(str(values["database_name"]))
        if database is None or database.server != place.server:
            return [(None, None, None, None, 0)]
        others = [
            operation
            for operation in self._lab.operations()
            if operation.kind is OperationKind.SEEDING
            and operation.group == values["group_name"]
            and operation.status is OperationStatus.RUNNING
        ]
        return [
            (
                round(convert(database.data_mb, "MB", "KiB")),
                database.recovery_model,
                moment_utc(0.0) if database.backup_taken else None,
                _bytes_of(self._lab.server(place.server).disks[0].free_mb),
                len(others),
            )
        ]

    def _seeding_requirements_secondary(self, place: Place, values: Parameters) -> Result:
        group, name = self._state.group_of(str(values["group_name"])), str(values["database_name"])
        database = self._state.database_of(name)
        is_there = name in self._lab.copies_at(place.server) or (
            database is not None and database.server == place.server
        )
        replica = next((r for r in group.replicas if r.server == place.server), None) if group is not None else None
        return [
            (
                _bytes_of(self._lab.server(place.server).disks[0].free_mb),
                int(is_there),
                int(replica is not None and replica.may_create_any_database),
            )
        ]

    def _database_files(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        database = self._state.database_of(name)
        if database is None or database.server != place.server:
            return []
        data, log = self._state.files_of(name)
        return [(name, data, 0), (f"{name}_log", log, 1)]

    def _known_folders(self, place: Place, _values: Parameters) -> Result:
        folder = self._state.folder_of(place.server)
        return [(f"{folder}\\", f"{folder}\\", f"{folder}\\master.mdf")]

    def _operations(self, database: str) -> Iterator[OperationReading]:
        return (operation for operation in self._lab.operations() if operation.database == database)

    def _log_used_percent(self, database: DatabaseReading) -> int | None:
        """Return the counter of a database's log, None where none is found."""
        is_told = self._state.shows_counters("seeding_sample_primary")
        return round(database.log_used_share * 100.0) if is_told else None

    def _seeding_sample_primary(self, place: Place, values: Parameters) -> Result:
        server, name = self._lab.server(place.server), str(values["database_name"])
        group = self._state.group_of(str(values["group_name"]))
        database = self._state.database_of(name)
        is_here = database is not None and database.server == place.server
        used_percent = self._log_used_percent(database) if database is not None and is_here else None
        operations = tuple(self._operations(name))
        read_mb = sum(
            operation.read_mb
            for operation in operations
            if operation.kind in _READING and operation.source == place.server
        )
        newest = next(
            (
                operation
                for operation in reversed(operations)
                if operation.kind is OperationKind.SEEDING and operation.target == values["replica_server"]
            ),
            None,
        )
        return [
            row_of(
                "seeding_sample_primary",
                self._server(place.server),
                now_utc=moment_utc(self._lab.now_s),
                primary_replica="" if group is None else group.primary,
                database_read_bytes=_bytes_of(read_mb),
                transport_sent_bytes=server.network_bytes_sent,
                log_used_percent=used_percent,
                free_disk_bytes=_bytes_of(server.disks[0].free_mb),
                is_in_group=database is not None and database.group == values["group_name"],
                # neither indexes nor consistency checks run in the lab
                index_builds=0,
                consistency_checks=0,
                **_seeding_columns(newest),
            )
        ]

    def _seeding_sample_secondary(self, place: Place, values: Parameters) -> Result:
        server, name = self._lab.server(place.server), str(values["database_name"])
        is_joined = self._state.is_joined(name, place.server)
        joined = [self._lab.database_replica(name, place.server)] if is_joined else []
        return [
            row_of(
                "seeding_sample_secondary",
                self._server(place.server),
                *(replica.view for replica in joined),
                database_written_bytes=self._written_bytes(name, place.server),
                free_disk_bytes=_bytes_of(server.disks[0].free_mb),
                parallel_redo_threads=sum(replica.redo_workers for replica in joined if replica.redo_workers > 1),
                is_joined=is_joined,
            )
        ]

    def _server(self, name: str) -> SeedingServerReading:
        server = self._lab.server(name)
        read, written = (sum(getattr(disk, what) for disk in server.disks) for what in ("bytes_read", "bytes_written"))
        return SeedingServerReading(
            name,
            server.cpu_busy_core_s * 1e3,
            server.cpus,
            self._state.started_ms(name),
            convert(read, "bytes", "MB"),
            convert(written, "bytes", "MB"),
        )

    def _written_bytes(self, name: str, server: str) -> int | None:
        """Return the bytes written to the files of the present copy: a server forgets those of a dropped one."""
        written_mb: float | None = None
        for operation in self._operations(name):
            if operation.target != server or operation.source == server:
                continue
            if operation.kind in (OperationKind.RESTORE, OperationKind.SEEDING):
                is_there = operation.status is OperationStatus.RUNNING or name in self._lab.copies_at(server)
                written_mb = operation.written_mb if is_there else None
            elif operation.kind is OperationKind.LOG_RESTORE and written_mb is not None:
                written_mb += operation.written_mb
        return None if written_mb is None else _bytes_of(written_mb)

    def _seeding_events(self, place: Place, values: Parameters) -> Result:
        since_s = self._state.event_sessions.get((place.server, str(values["session_name"])))
        if since_s is None:
            return []
        rows: Result = []
        for operation in self._lab.operations():
            if operation.kind is not OperationKind.SEEDING or operation.source != place.server:
                continue
            if operation.start_s >= since_s:
                rows.append((moment_utc(operation.start_s), "hadr_automatic_seeding_start", None))
            if operation.end_s is not None and operation.end_s >= since_s:
                is_done = operation.status is OperationStatus.COMPLETED
                event = "hadr_automatic_seeding_success" if is_done else "hadr_automatic_seeding_failure"
                rows.append((moment_utc(operation.end_s), event, operation.failure.value or None))
        return sorted(rows, key=lambda row: str(row[0]))


def _seeding_columns(operation: OperationReading | None) -> dict[str, Cell]:
    if operation is None:
        return {}
    return {
        "operation_id": id_of("seeding", str(operation.operation_id)),
        "seeding_start_utc": moment_utc(operation.start_s),
        "seeding_end_utc": None if operation.end_s is None else moment_utc(operation.end_s),
        "seeding_state": _STATES[operation.status],
        "seeding_failure": operation.failure.value,
    }


def _bytes_of(size_mb: float) -> int:
    return round(convert(size_mb, "MB", "bytes"))
