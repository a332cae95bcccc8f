"""The ports of Change Data Capture on a target: discovery, readings, scans, and the job that is stopped and started."""

import re
from dataclasses import replace
from typing import Final

from app.domain.errors import Gone, ProcessDidNotRespond, TargetError
from app.domain.happening import PastReadings
from app.domain.server import ServerInfo
from app.domain.system import Unread
from app.drivers.sqlserver.past_work import past_readings, running_work
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.ids import SESSION_ID
from app.foundation.polling import polls
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.change_data_capture.changes import CaptureChanges, JobPlace, mark_of
from app.systems.change_data_capture.readings import (
    CapturedDatabase,
    CaptureJob,
    CaptureSample,
    CaptureTopology,
    OneScan,
    Program,
    ScanSession,
)

# A stop waits for the scan in hand, which may read a transaction of millions of rows.
STOP_LIMIT_S: Final = 1_800.0
START_LIMIT_S: Final = 120.0
# run_status of msdb.dbo.sysjobhistory: dbo-sysjobhistory-transact-sql.md
_FAILED: Final = 0
# Only a mark that ends with the id of a session is one's.
_OF_A_SESSION: Final = re.compile(re.escape(mark_of("")) + SESSION_ID)


class CaptureServer:
    """Reads captured databases and their jobs, and scans; every call raises TargetError."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self.changes = CaptureChanges(session, clock, self)

    @property
    def own_server(self) -> str:
        """The server the target was opened with."""
        return self._session.own_server

    def discover(self, unread: Unread) -> CaptureTopology | None:
        """Read databases and jobs, None where nothing is captured or streamed.

        Args:
            unread: is told why where the jobs here could not be read.
        """
        own = self.own_server
        rows = self._session.run("captured_databases", self._at("master"))
        databases = tuple(read_as(CapturedDatabase, row) for row in rows)
        if not databases:
            return None
        jobs: list[CaptureJob] = []
        unreachable: list[tuple[str, str]] = []
        names = {one.name for one in databases}
        for server in (own, *self._replicas(databases, unread)):
            try:
                jobs += [job for job in self._jobs(server) if job.database in names]
            except TargetError as error:
                if server == own:
                    unread(error)
                else:
                    unreachable.append((server, str(error)))
        return CaptureTopology(own, (self._info(),), databases, tuple(jobs), tuple(unreachable))

    def _replicas(self, databases: tuple[CapturedDatabase, ...], unread: Unread) -> tuple[str, ...]:
        """Return the other servers that hold a copy of one of the databases."""
        if all(one.is_primary is None for one in databases):
            return ()
        try:
            rows = self._session.run("capture_replicas", self._at("master"))
        except TargetError as error:
            unread(error)
            return ()
        servers = dict.fromkeys(row.text("replica_server") for row in rows)
        return tuple(server for server in servers if server != self.own_server)

    def _info(self) -> ServerInfo:
        [info] = self._session.run("server_info", self._at("master"))
        return ServerInfo(
            self.own_server, "Instance", info.text("version"), info.text("edition"), info.whole("cpu_count")
        )

    def _jobs(self, server: str) -> list[CaptureJob]:
        rows = self._session.run("capture_jobs", self._at("msdb", server))
        jobs = [read_as(CaptureJob, row, server=server) for row in rows]
        return [replace(job, is_standard=self._is_standard(job)) for job in jobs]

    def _is_standard(self, job: CaptureJob) -> bool | None:
        """Tell whether a job runs the vendor's step alone, None where this login may not read steps."""
        try:
            [row] = self._session.run("capture_job_step", self._at("msdb", job.server), job_id=job.job_id)
        except TargetError:
            return None
        return not row.is_null("step_id") and row.whole("occurrences") == 1

    def sample(self, database: str) -> CaptureSample:
        """Read a database now."""
        [row] = self._session.run("capture_sample", self._at(database), database_name=database)
        return read_as(CaptureSample, row, work=running_work([(self.own_server, row)]))

    def sessions(self, database: str, after: int) -> tuple[ScanSession, ...]:
        """Read the sessions behind a number that found something and have ended, oldest first."""
        rows = self._session.run("capture_sessions", self._at(database), after_session=after)
        read = (read_as(ScanSession, row) for row in reversed(rows))
        # The view ends its log sequence numbers with a NUL: debezium SqlServerConnection.java compares with one.
        return tuple(replace(one, last_commit_lsn=one.last_commit_lsn.rstrip("\0")) for one in read)

    def newest_error(self, database: str) -> str:
        """Return the newest error of the log scan as a person reads it, "" for none."""
        for row in self._session.run("capture_errors", self._at(database)):
            return _("error {number}: {text}").format(number=row.whole("error_number"), text=row.text("message"))
        return ""

    def programs(self, database: str) -> tuple[Program, ...]:
        """Read the programs that are connected to a database."""
        rows = self._session.run("capture_programs", self._at("master"), database_name=database)
        return tuple(read_as(Program, row) for row in rows)

    def marks(self, database: str) -> tuple[str, ...]:
        """Read the marks that runs of this program set in a database."""
        names = (row.text("mark") for row in self._session.run("capture_marks", self._at(database)))
        return tuple(name for name in names if _OF_A_SESSION.fullmatch(name))

    def past_readings(self, job_id: str, elapsed_s: float) -> PastReadings:
        """Return the readings of the server's history, but for the capture job itself."""
        return past_readings(self._session, self.own_server, elapsed_s, own_jobs={job_id.upper()})

    def scan_once(self, database: str, maxtrans: int) -> OneScan:
        """Have the next transactions captured in one scan, while the job stands."""
        [row] = self._session.run("scan_log_once", self._at(database), maxtrans=maxtrans)
        return read_as(OneScan, row)

    def run_of(self, job: JobPlace) -> str:
        """Return when the run of a job began that goes on now, "" while it stands; raises Gone."""
        return self._activity(job)[0]

    def has_failed(self, job: JobPlace) -> bool:
        """Tell whether the last run of a job failed, which nobody decided; one that was stopped did not."""
        return self._activity(job)[1] == _FAILED

    def _activity(self, job: JobPlace) -> tuple[str, int | None]:
        rows = self._session.run("capture_job_activity", self._at("msdb"), job_id=job.job_id)
        if not rows:
            raise Gone(
                _("{server} has no capture job for {database} any more").format(
                    server=self.own_server, database=job.database
                )
            )
        ending = None if rows[0].is_null("last_ending") else rows[0].whole("last_ending")
        return rows[0].text("started_local"), ending

    def stop(self, job: JobPlace) -> bool:
        """Stop a job and wait until it stands; tell whether it ran. Raises ProcessDidNotRespond."""
        if not (run := self.run_of(job)):
            return False
        self._session.run("stop_capture_job", self._at(job.database))
        for _waited_s in polls(self._clock, STOP_LIMIT_S):
            if not (now := self.run_of(job)):
                return True
            if now != run:
                raise ProcessDidNotRespond(
                    _("the capture job of {database} was started again by somebody while it was being stopped").format(
                        database=job.database
                    )
                )
        raise ProcessDidNotRespond(
            _("the capture job of {database} still runs {limit:.0f} s after it was asked to stop").format(
                database=job.database, limit=STOP_LIMIT_S
            )
        )

    def start(self, job: JobPlace) -> None:
        """Start a job and wait until it runs; one that runs is left alone. Raises ProcessDidNotRespond."""
        if self.run_of(job):
            return
        self._session.run("start_capture_job", self._at(job.database))
        for _waited_s in polls(self._clock, START_LIMIT_S):
            if self.run_of(job):
                return
        raise ProcessDidNotRespond(
            _("the capture job of {database} does not run {limit:.0f} s after it was started; read its history").format(
                database=job.database, limit=START_LIMIT_S
            )
        )

    def _at(self, database: str, server: str = "") -> Place:
        """Return a place at one instance: behind a listener the same name leads to another msdb after a failover."""
        return Place(server or self.own_server, database, is_instance=True)
