"""How far a seeding is: samples from both servers, and the backup method's next job when one has ended."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from app.domain.units import convert
from app.drivers.sqlserver.past_work import MAINTENANCE, running_work
from app.drivers.sqlserver.session import Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod, SeedingStep
from app.systems.availability_groups.enumerations import BACKUP_TYPE
from app.systems.availability_groups.readings import (
    SeedingDestination,
    SeedingSample,
    SeedingServerReading,
    SeedingSource,
)
from app.systems.availability_groups.seeding_server.file_places import moves_text, read_moved_files
from app.systems.availability_groups.seeding_server.naming import BACKUP_NAME, file_stem, job_name
from app.systems.availability_groups.server.replicas import failed_over, master

NOT_STARTED: Final = "not started"
RUNNING: Final = "running"
FAILED: Final = "failed"
COMPLETE: Final = "complete"


@dataclass(frozen=True)
class SeedingRun:
    """One seeding that was started.

    Attributes:
        old_operation: id of the newest direct seeding before it, "" for none.
        read_bytes, sent_bytes: totals when it was started.
        is_restoring: the backup method has started its second job.
    """

    method: SeedingMethod
    group: str
    database: str
    secondary: str
    options: BackupOptions
    old_operation: str
    read_bytes: float
    sent_bytes: float
    is_restoring: bool = False


@dataclass(frozen=True)
class _State:
    name: str
    failure: str = ""


class SeedingProgress:
    """Reads both servers."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def primary_row(self, group: str, database: str, secondary: str) -> Row:
        """Read the primary."""
        return self._session.run(
            "seeding_sample_primary",
            master(self._session.own_server),
            group_name=group,
            database_name=database,
            replica_server=secondary,
        )[0]

    def begin(
        self, method: SeedingMethod, group: str, database: str, secondary: str, options: BackupOptions
    ) -> SeedingRun:
        """Return a run with the present totals; a direct seeding in flight belongs to it.

        Raises:
            FailedOver: another server is primary now.
        """
        source = read_as(SeedingSource, self.primary_row(group, database, secondary))
        if source.primary != self._session.own_server:
            raise failed_over(group, self._session.own_server, source.primary)
        is_in_flight = bool(source.operation_id) and source.ended is None
        return SeedingRun(
            method=method,
            group=group,
            database=database,
            secondary=secondary,
            options=options,
            old_operation="" if is_in_flight else source.operation_id,
            read_bytes=source.read_bytes or 0.0,
            sent_bytes=source.sent_bytes or 0.0,
        )

    def has_begun(self, run: SeedingRun) -> bool:
        """Tell whether a direct seeding other than the one before it is there."""
        return _is_new(run, read_as(SeedingSource, self.primary_row(run.group, run.database, run.secondary)))

    def sample(self, run: SeedingRun) -> tuple[SeedingSample, SeedingRun]:
        """Return a sample, and the run as it goes on."""
        row = self.primary_row(run.group, run.database, run.secondary)
        there = self._session.run(
            "seeding_sample_secondary", master(run.secondary), group_name=run.group, database_name=run.database
        )[0]
        source, copy = read_as(SeedingSource, row), read_as(SeedingDestination, there)
        if run.method is SeedingMethod.BACKUP_RESTORE:
            state, run = self._backup_state(run, copy)
        else:
            state = _direct_state(run, source, copy)
        written_mb = _grown_mb(copy.written_bytes, 0.0)
        own = self._session.own_server
        sample = read_as(
            SeedingSample,
            row,
            there,
            state=state.name,
            failure=state.failure,
            read_mb=_grown_mb(source.read_bytes, run.read_bytes),
            sent_mb=self._sent_mb(run, source, written_mb),
            written_mb=written_mb,
            free_disk_gb=min((gb for gb in (source.free_disk_gb, copy.free_disk_gb) if gb is not None), default=None),
            servers=tuple(
                read_as(SeedingServerReading, part, server=server)
                for server, part in ((own, row), (run.secondary, there))
            ),
            work=running_work([(own, row)], MAINTENANCE),
        )
        return sample, run

    def steps(self, run: SeedingRun) -> tuple[SeedingStep, ...]:
        """Return the steps, oldest first."""
        if run.method is not SeedingMethod.BACKUP_RESTORE:
            return self._direct_steps(run)
        steps = [read_as(SeedingStep, row) for row in self._backups(run)]
        moved = {step.name: step.moved_mb for step in steps}
        for row in self._job(run, run.secondary) if run.is_restoring else ():
            if row.is_null("step_name") or row.whole_or("succeeded", 0) != 1:
                continue
            name, started = row.text("step_name"), row.moment_utc("started_utc")
            ended = started + timedelta(seconds=row.whole_or("duration_s", 0))
            steps.append(SeedingStep(name, started, ended, moved.get(_RESTORED.get(name, ""), 0.0)))
        return tuple(steps)

    def _direct_steps(self, run: SeedingRun) -> tuple[SeedingStep, ...]:
        source = read_as(SeedingSource, self.primary_row(run.group, run.database, run.secondary))
        if not _is_new(run, source) or source.started is None:
            return ()
        return (SeedingStep("seeding", source.started, source.ended, _grown_mb(source.read_bytes, run.read_bytes)),)

    def _backup_state(self, run: SeedingRun, copy: SeedingDestination) -> tuple[_State, SeedingRun]:
        """Return the state, and start restoring once the backups are there."""
        server = run.secondary if run.is_restoring else self._session.own_server
        rows = self._job(run, server)
        failed = next((row for row in rows if row.whole_or("succeeded", 1) == 0), None)
        if failed is not None:
            return _State(FAILED, failed.text("message")), run
        if rows and rows[0].whole("is_running") == 1:
            return _State(RUNNING), run
        last = "join" if run.is_restoring else "log backup"
        if all(row.text("step_name") != last for row in rows):
            return _State(FAILED, _gone(server)), run
        if run.is_restoring:
            return _State(COMPLETE if copy.is_joined else RUNNING), run
        self._start_restore(run)
        return _State(RUNNING), replace(run, is_restoring=True)

    def _start_restore(self, run: SeedingRun) -> None:
        options = run.options
        self._session.run(
            "start_restore_job",
            master(run.secondary),
            job_name=job_name(run.database),
            group_name=run.group,
            database_name=run.database,
            file_stem=file_stem(options.folder, run.database),
            stripes=options.stripes,
            buffer_count=options.buffer_count,
            transfer_bytes=int(convert(options.max_transfer_kb, "KiB", "bytes")),
            moves=moves_text(read_moved_files(self._session, run.database, run.secondary)),
        )

    def _job(self, run: SeedingRun, server: str) -> Rows:
        return self._session.run("seeding_job", master(server), job_name=job_name(run.database))

    def _backups(self, run: SeedingRun) -> Rows:
        return self._session.run(
            "backup_history",
            master(self._session.own_server),
            database_name=run.database,
            backup_name=BACKUP_NAME,
        )

    def _sent_mb(self, run: SeedingRun, source: SeedingSource, written_mb: float) -> float:
        """Return the volume sent over the network: by the endpoints, or of the backup files as they were read."""
        if run.method is not SeedingMethod.BACKUP_RESTORE:
            return _grown_mb(source.sent_bytes, run.sent_bytes)
        if not run.is_restoring:
            return 0.0
        backups = self._backups(run)
        backed_up_mb = convert(sum(backup.whole("backup_bytes") for backup in backups), "bytes", "MB")
        compressed_mb = convert(sum(backup.whole("compressed_bytes") for backup in backups), "bytes", "MB")
        return compressed_mb * min(1.0, written_mb / backed_up_mb) if backed_up_mb > 0.0 else 0.0


_RESTORED: Final = {"restore": BACKUP_TYPE.word("D"), "log restore": BACKUP_TYPE.word("L")}


def _is_new(run: SeedingRun, source: SeedingSource) -> bool:
    return source.operation_id not in ("", run.old_operation)


def _direct_state(run: SeedingRun, source: SeedingSource, copy: SeedingDestination) -> _State:
    if not _is_new(run, source):
        return _State(NOT_STARTED)
    state = source.state.upper()
    if state == "FAILED":
        return _State(FAILED, source.failure)
    if state == "COMPLETED" and copy.is_joined:
        return _State(COMPLETE)
    return _State(RUNNING)


def _grown_mb(now_bytes: float | None, before_bytes: float) -> float:
    """Return by how much a count of bytes has grown; 0 where it is not known."""
    return convert(max(0.0, (now_bytes or 0.0) - before_bytes), "bytes", "MB")


def _gone(server: str) -> str:
    return _("the job at {server} ended before its last step; read SQL Server Agent's log there").format(server=server)
