"""The lab's effects and answers for statements on seeding, test databases and membership included."""

from app.domain.units import convert
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, meets
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.lab.readings import (
    BackupOptions,
    OperationKind,
    OperationStatus,
    ReplicaReading,
    SeedingMode,
)
from app.systems.availability_groups.lab_server.jobs import LabStep
from app.systems.availability_groups.lab_server.state import GroupState, LabTestDatabase

_FILL_MB_PER_S = 200.0
_PAGE_MB = convert(8192, "bytes", "MB")
_LOG_SHARE = 0.05
_SMALLEST_LOG_MB = 100.0


class GroupMembershipAnswers(Answers):
    """Test databases, membership, seeding mode, grant, event session."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def _create_test_database(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        if name.startswith("Replitune") and not self._is_at(name, place.server):
            if self._state.database_of(name) is not None:
                raise SqlError(1801, f"Database '{name}' already exists.", "42000")
            self._state.test_databases.setdefault(name, LabTestDatabase(place.server))
        return []

    def _is_at(self, name: str, server: str) -> bool:
        database = self._state.database_of(name)
        return database is not None and (database.server == server or name in self._lab.copies_at(server))

    def _fill_test_database(self, place: Place, values: Parameters) -> Result:
        name, wanted = str(values["database_name"]), int(values["wanted_pages"])
        made = self._state.test_databases.get(name)
        if made is None or made.server != place.server:
            raise SqlError(911, f"Database '{name}' does not exist.", "42000")
        if self._state.database_of(name) is None:
            size_mb = wanted * _PAGE_MB
            log_mb = max(_SMALLEST_LOG_MB, size_mb * _LOG_SHARE)
            try:
                share = int(values["compressible_percent"]) / 100.0
                self._lab.create_database(name, place.server, size_mb, share, log_mb)
            except ValueError as error:
                raise SqlError(1105, f"Could not allocate space in database '{name}': {error}", "42000") from error
        added = max(0, min(int(values["most_pages"]), wanted - made.pages))
        self._state.advance(added * _PAGE_MB / _FILL_MB_PER_S)
        made.pages += added
        return [(made.pages,)]

    def _back_up_test_database(self, _place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        if name.startswith("Replitune") and self._state.database_of(name) is not None:
            backup = self._lab.run_operation(self._lab.start_backup(name, BackupOptions(copy_only=False)))
            if backup.status is not OperationStatus.COMPLETED:
                raise SqlError(3013, "BACKUP DATABASE is terminating abnormally.", "42000")
            self._lab.delete_backup(backup.operation_id)
        return []

    def _drop_test_database(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        if not name.startswith("Replitune"):
            return []
        database = self._state.database_of(name)
        made = self._state.test_databases.get(name)
        if database is None:
            if made is not None and made.server == place.server:
                del self._state.test_databases[name]
            return []
        if database.group and database.server == place.server:
            return []
        if self._is_at(name, place.server) and not self._state.is_joined(name, place.server):
            self._drop(name, place.server)
            if self._state.database_of(name) is None:
                self._state.test_databases.pop(name, None)
        return []

    def _drop(self, name: str, server: str) -> None:
        try:
            self._lab.drop_database(name, server)
        except ValueError as error:
            raise SqlError(3702, f"Cannot drop database '{name}' because it is currently in use.", "42000") from error

    def _add_group_database(self, place: Place, values: Parameters) -> Result:
        group, name = str(values["group_name"]), str(values["database_name"])
        database, is_primary = self._state.database_of(name), self._state.is_primary(group, place.server)
        is_expected = not is_primary or (database is not None and not database.group)
        if is_primary and is_expected:
            try:
                self._lab.add_database(group, name)
            except ValueError as error:
                raise SqlError(1475, str(error), "42000") from error
        return [(int(is_primary), int(is_expected))]

    def _remove_group_database(self, place: Place, values: Parameters) -> Result:
        group, name = str(values["group_name"]), str(values["database_name"])
        database, is_primary = self._state.database_of(name), self._state.is_primary(group, place.server)
        if is_primary and database is not None and database.group == group:
            self._lab.remove_database(group, name)
        return [(int(is_primary),)]

    def _drop_secondary_copy(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        database = self._state.database_of(name)
        if database is None or database.server == place.server:
            return []
        if self._state.is_joined(name, place.server):
            self._lab.remove_secondary(name, place.server)
        if name in self._lab.copies_at(place.server):
            self._drop(name, place.server)
        return []

    def _replica(self, group: str, server: str) -> ReplicaReading | None:
        reading = self._state.group_of(group)
        replicas = () if reading is None else reading.replicas
        return next((replica for replica in replicas if replica.server == server), None)

    def _set_seeding_mode(self, place: Place, values: Parameters) -> Result:
        group, server, mode = str(values["group_name"]), str(values["replica_server"]), str(values["mode"])
        is_primary, replica = self._state.is_primary(group, place.server), self._replica(group, server)
        is_other = replica is not None and (replica.seeding_mode != mode or int(values["again"]) == 1)
        is_expected = not is_primary or (replica is not None and meets(values, replica.seeding_mode))
        if is_primary and is_other and is_expected and mode in set(SeedingMode):
            self._lab.set_seeding_mode(group, server, SeedingMode(mode))
        return [(int(is_primary), int(is_expected))]

    def _grant_create_any_database(self, place: Place, values: Parameters) -> Result:
        group = str(values["group_name"])
        if self._state.group_of(group) is not None:
            self._lab.grant_create_any_database(group, place.server, int(values["granted"]) == 1)
        return []

    def _event_session(self, place: Place, values: Parameters) -> Result:
        return [(1,)] if (place.server, str(values["session_name"])) in self._state.event_sessions else []

    def _left_event_sessions(self, place: Place, _values: Parameters) -> Result:
        return [(name,) for server, name in sorted(self._state.event_sessions) if server == place.server]

    def _start_event_session(self, place: Place, values: Parameters) -> Result:
        self._state.event_sessions.setdefault((place.server, str(values["session_name"])), self._lab.now_s)
        return []

    def _drop_event_session(self, place: Place, values: Parameters) -> Result:
        self._state.event_sessions.pop((place.server, str(values["session_name"])), None)
        return []


class GroupJobAnswers(Answers):
    """The jobs that back up, restore and join, and the history they leave."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def _refuse_second(self, server: str, name: str) -> None:
        if self._state.jobs.find(server, name) is not None:
            raise SqlError(14261, f"The specified @name ('{name}') already exists.", "42000")

    def _start_backup_job(self, place: Place, values: Parameters) -> Result:
        database, options = str(values["database_name"]), _options(values)
        self._refuse_second(place.server, str(values["job_name"]))
        key = (database, str(values["backup_name"]))

        def begin(is_log: bool) -> int:
            started = self._lab.start_log_backup if is_log else self._lab.start_backup
            self._state.writable(database, place.server)
            operation_id = started(database, options)
            self._state.backups.setdefault(key, []).append(operation_id)
            return operation_id

        steps = (LabStep("backup", lambda: begin(False)), LabStep("log backup", lambda: begin(True)))
        self._state.jobs.start(place.server, str(values["job_name"]), steps)
        return []

    def _start_restore_job(self, place: Place, values: Parameters) -> Result:
        database, options = str(values["database_name"]), _options(values)
        self._refuse_second(place.server, str(values["job_name"]))
        if database in self._lab.copies_at(place.server):
            return []

        moves, folder = str(values["moves"]), self._state.folder_of(place.server)

        def restore(kind: OperationKind) -> int:
            lost = [path for path in self._state.files_of(database) if not path.startswith(f"{folder}\\")]
            if kind is OperationKind.BACKUP and len(moves.splitlines()) < 2 * len(lost):
                raise LookupError(
                    f'Directory lookup for the file "{lost[0]}" failed with the operating system error 3.'
                )
            return self._lab.start_restore(self._newest(database, kind), place.server, options)

        steps = (
            LabStep("restore", lambda: restore(OperationKind.BACKUP)),
            LabStep("log restore", lambda: restore(OperationKind.LOG_BACKUP)),
            LabStep("join", lambda: self._lab.start_join(database, place.server)),
        )
        self._state.jobs.start(place.server, str(values["job_name"]), steps)
        return []

    def _newest(self, database: str, kind: OperationKind) -> int:
        """Return the newest backup of a database whose files are there; raises LookupError where there is none."""
        taken = [taken for (name, _backup), ids in self._state.backups.items() if name == database for taken in ids]
        operations = [taken for taken in sorted(taken) if self._lab.operation(taken).kind is kind]
        if not operations:
            raise LookupError("Cannot open backup device. Operating system error 2 (file not found).")
        return operations[-1]

    def _remove_seeding_job(self, place: Place, values: Parameters) -> Result:
        self._state.jobs.remove(place.server, str(values["job_name"]))
        return []

    def _seeding_job(self, place: Place, values: Parameters) -> Result:
        job = self._state.jobs.find(place.server, str(values["job_name"]))
        if job is None:
            return []
        rows: Result = []
        for step in job.steps:
            reading = self._state.jobs.reading(step)
            if step.problem:
                rows.append((0, step.name, moment_utc(float(int(self._lab.now_s))), 0, 0, step.problem))
            elif reading is not None and reading.end_s is not None:
                is_done = reading.status is OperationStatus.COMPLETED
                start_s = float(int(reading.start_s))
                duration_s = round(reading.end_s - reading.start_s)
                message = "The step succeeded." if is_done else f"The step failed: {reading.failure.value}."
                rows.append((int(job.is_running), step.name, moment_utc(start_s), duration_s, int(is_done), message))
        return rows or [(int(job.is_running), None, None, None, None, None)]

    def _backup_history(self, _place: Place, values: Parameters) -> Result:
        database = str(values["database_name"])
        taken = self._state.backup_log.get((database, str(values["backup_name"])), [])
        taken = [*taken, *self._state.backups.get((database, str(values["backup_name"])), [])]
        readings = [self._lab.operation(operation_id) for operation_id in sorted(taken)]
        newest = {r.kind: r for r in readings if r.status is OperationStatus.COMPLETED}
        return [
            (
                "D" if reading.kind is OperationKind.BACKUP else "L",
                moment_utc(float(int(reading.start_s))),
                moment_utc(float(int(reading.end_s or 0.0))),
                round(convert(reading.database_mb, "MB", "bytes")),
                round(convert(reading.written_mb, "MB", "bytes")),
            )
            for reading in sorted(newest.values(), key=lambda reading: reading.start_s)
        ]

    def _newest_backup(self, _place: Place, _values: Parameters) -> Result:
        kept = [*self._state.backups.values(), *self._state.backup_log.values()]
        return [(max((taken for ids in kept for taken in ids), default=0),)]

    def _delete_backup_files(self, _place: Place, values: Parameters) -> Result:
        key = (str(values["database_name"]), str(values["backup_name"]))
        # a file that is gone is an error of sp_dropdevice, as one that resists is
        left = sum(operation_id > int(values["after_backup"]) for operation_id in self._state.backup_log.get(key, []))
        for operation_id in self._state.backups.pop(key, []):
            if self._lab.operation(operation_id).status is OperationStatus.COMPLETED:
                self._lab.delete_backup(operation_id)
            self._state.backup_log.setdefault(key, []).append(operation_id)
        return [(left,)]


def _options(values: Parameters) -> BackupOptions:
    return BackupOptions(
        stripes=int(values["stripes"]),
        buffer_count=int(values["buffer_count"]),
        max_transfer_kb=int(convert(int(values["transfer_bytes"]), "bytes", "KiB")),
        algorithm=str(values.get("compression", "")),
    )
