"""The lab's instances with Change Data Capture: answer exactly its statements, from `lab`."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import ANY_SERVER, COMMON_DATABASES, Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, meets, row_of
from app.drivers.sqlserver.lab.counters import finds_counters
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.logins import MONITOR, Asks, Doorkeeper, Held, LabLogin
from app.drivers.sqlserver.lab.opening import SqlServerLab
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.lab.tables import LookUp, LookUps
from app.drivers.sqlserver.lab.time_answers import local_text, moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.lab.clock import EventQueue
from app.lab.faults import Fault
from app.systems.change_data_capture.changes import value_text
from app.systems.change_data_capture.lab import TICK_S, Capture, CaptureScenario, JobValues, Scan
from app.systems.change_data_capture.subjects import CAPTURE, CAPTURED, PARAMETERS, SYSTEM_ID

CAPTURE_ERROR: Final = "capture_error"
JOB_STOPPED_BY_OTHERS: Final = "capture_job_stopped_by_others"
OWN_FAULTS: Final = frozenset({CAPTURE_ERROR, JOB_STOPPED_BY_OTHERS})
PRIMARY, REPLICA = "CDC1", "CDC2"
_CPUS: Final = 8
_FREE_BYTES: Final = 200_000_000_000
_NEARLY_FULL_BYTES: Final = 300_000_000
_FAILED, _STOPPED = 0, 3
_STATE: Final = Asks(("VIEW DATABASE STATE", "VIEW SERVER STATE", "db_owner"))
# Sources: the "Permissions" sections of sys-sp-cdc-change-job, sys-sp-cdc-scan and change-data-capture-sys-dm-cdc-….
_ASKS: Final = (
    (r"EXECUTE on sys\.sp_cdc_\w+", Asks(("db_owner",), None, 229)),
    (r"EXECUTE on sys\.sp_(?:add|drop)extendedproperty", Asks(("db_owner",), None, 15247)),
    (r"SELECT on sys\.extended_properties", Asks(("db_owner",), is_hidden=True)),
    (r"SELECT on sys\.dm_cdc_\w+", _STATE),
    (r"SELECT on sys\.availability_\w+", Asks(("VIEW ANY DEFINITION",), "", is_hidden=True)),
)


@dataclass
class LabJob:
    """The job in one server's msdb: its row of cdc_jobs, and how its last run ended."""

    values: JobValues
    job_id: str
    started_s: float = 0.0
    ended: int | None = None

    @property
    def text(self) -> str:
        """The four values as `set_capture_job` compares them."""
        found = (self.values.maxtrans, self.values.maxscans, self.values.continuous, self.values.pollinginterval)
        return "" if None in found else value_text([int(value) for value in found if value is not None])


class CaptureState:
    """The servers, and the time that passes in them."""

    def __init__(self, scenario: CaptureScenario, seed: int, noise: bool | None) -> None:
        self.scenario = scenario
        self.capture = Capture(scenario, seed, noise is not False)
        self.primary, self.started_s, self.free_bytes, self.asked = PRIMARY, 0.0, _FREE_BYTES, 0
        self.addresses: dict[str, str] = {}
        self.marks: set[str] = set()
        names = (PRIMARY, *([REPLICA] if self.has_replica else []))
        common = tuple((name, name) for name in sorted(COMMON_DATABASES))
        self.servers = tuple(
            LabServer(name, ANY_SERVER, _CPUS, (*common, (scenario.database, CAPTURED))) for name in names
        )
        self.jobs: dict[str, LabJob] = {}
        if not scenario.is_published:
            self.jobs[PRIMARY] = LabJob(scenario.job, _id(PRIMARY))
            if scenario.replica is not None:
                self.jobs[REPLICA] = LabJob(scenario.replica, _id(REPLICA))
            if not scenario.job.stands:
                self.start(0.0)

    @property
    def has_replica(self) -> bool:
        """Whether the database is in a group of two."""
        return self.scenario.replica is not None or self.scenario.replica_lacks_job

    @property
    def lab(self) -> EventQueue:
        """The clock."""
        return self.capture.clock

    @property
    def site(self) -> "CaptureState":
        """The state itself: it has the servers."""
        return self

    @property
    def job(self) -> LabJob | None:
        """The job that scans: that of the primary."""
        return self.jobs.get(self.primary)

    def start(self, after_s: float = 0.4) -> None:
        """Start the job of the primary with the values of its row."""
        job = self.job
        if job is None or job.values.continuous is None:
            return
        job.started_s = self.capture.clock.now_s
        values = job.values
        self.capture.is_continuous = values.continuous == 1
        self.capture.start(values.maxtrans or 500, values.maxscans or 10, values.pollinginterval or 0, after_s)

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.capture.clock.run_until(self.capture.clock.now_s + seconds)

    def instance_of(self, server: str) -> str:
        """Return the instance at a server's address: always the same."""
        return server

    def closed(self, server: str, database: str) -> SqlError | None:
        """Return why a database lets nobody in: at a secondary that is not readable."""
        if database == self.scenario.database and server != self.primary:
            return SqlError(976, f"The target database, '{database}', is participating in an availability group.")
        return None


def _id(server: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"replitune/lab/capture/{server}")).upper()


def _datetime(time_s: float) -> datetime:
    return moment_utc(round(time_s / TICK_S) * TICK_S)


def _lsn(number: int) -> str:
    """Return a log sequence number as the view writes it: with a NUL at its end."""
    return f"{number >> 16:08x}:{number & 0xFFFF:08x}:0001\0"


class CaptureAnswers(Answers):
    """The answers to the statements of this system."""

    def __init__(self, state: CaptureState, other_work: OtherWork) -> None:
        self._state, self._other_work = state, other_work

    @property
    def _capture(self) -> Capture:
        return self._state.capture

    def _server_info(self, place: Place, _values: Parameters) -> Result:
        return [(place.server, self._state.scenario.version, "Enterprise Edition (64-bit)", _CPUS)]

    def _server_addresses(self, place: Place, _values: Parameters) -> Result:
        names = [server.name for server in self._state.servers]
        return [(name, self._state.addresses.get(name, name), int(name == place.server)) for name in names]

    def _captured_databases(self, place: Place, _values: Parameters) -> Result:
        scenario, is_new = self._state.scenario, not self._state.scenario.has_nulls
        in_group = self._state.has_replica
        return [
            row_of(
                "captured_databases",
                database_name=scenario.database,
                state="ONLINE",
                is_captured=1,
                is_published=int(scenario.is_published),
                is_change_feed=int(scenario.is_change_feed) if is_new else None,
                is_event_stream=0 if is_new else None,
                has_adr=int(scenario.has_adr) if is_new else None,
                log_reuse_wait=self._log_wait() if is_new else None,
                is_primary=int(place.server == self._state.primary) if in_group else None,
                primary_server=self._state.primary if in_group else None,
            )
        ]

    def _log_wait(self) -> str:
        return "REPLICATION" if self._capture.waiting > 0 else "LOG_BACKUP"

    def _capture_replicas(self, _place: Place, _values: Parameters) -> Result:
        database = self._state.scenario.database
        return [(database, server.name) for server in self._state.servers] if self._state.has_replica else []

    def _capture_jobs(self, place: Place, _values: Parameters) -> Result:
        job = self._state.jobs.get(place.server)
        if job is None:
            return []
        database, values = self._state.scenario.database, job.values
        return [
            row_of(
                "capture_jobs",
                database_name=database,
                job_id=job.job_id,
                job_name=None if self._state.scenario.has_nulls else f"cdc.{database}_capture",
                is_enabled=None if self._state.scenario.has_nulls else int(values.is_enabled),
                maxtrans=values.maxtrans,
                maxscans=values.maxscans,
                is_continuous=values.continuous,
                pollinginterval_s=values.pollinginterval,
                is_running=int(self._started(place.server) is not None),
            )
        ]

    def _started(self, server: str) -> str | None:
        job = self._state.jobs.get(server)
        if job is None or server != self._state.primary or not self._capture.is_running:
            return None
        return local_text(job.started_s)

    def _capture_job_step(self, place: Place, values: Parameters) -> Result:
        job = self._job_with(place, values)
        return [(None, 0)] if job is None else [(None if job.values.is_own_step else 2, 1)]

    def look_ups(self) -> LookUps:
        """Return the tables of msdb that scripts for a DBA look into: the capture job, and its activity."""
        return {
            "msdb.dbo.cdc_jobs": LookUp(("database_id", "job_type", "job_id"), self._cdc_jobs),
            "msdb.dbo.sysjobactivity": LookUp(
                ("job_id", "session_id", "start_execution_date", "stop_execution_date"), self._activity
            ),
        }

    def _cdc_jobs(self, place: Place) -> Result:
        job = self._state.jobs.get(place.server)
        database_id = 1 + len(COMMON_DATABASES)  # the captured one stands behind the common ones
        return [] if job is None else [(database_id, "capture", job.job_id)]

    def _activity(self, place: Place) -> Result:
        job, started = self._state.jobs.get(place.server), self._started(place.server)
        return [] if job is None or started is None else [(job.job_id, 1, started, None)]

    def _job_with(self, place: Place, values: Parameters) -> LabJob | None:
        job = self._state.jobs.get(place.server)
        return job if job is not None and job.job_id == str(values["job_id"]).upper() else None

    def _capture_job_activity(self, place: Place, values: Parameters) -> Result:
        job = self._job_with(place, values)
        return [] if job is None else [(self._started(place.server), job.ended)]

    def _capture_sample(self, place: Place, _values: Parameters) -> Result:
        state, capture = self._state, self._capture
        state.asked += 1
        if state.scenario.unanswered and state.asked % state.scenario.unanswered == 0:
            raise SqlError(-2, "Query timeout expired.", "HYT00")
        is_told = finds_counters("capture_sample", state.scenario.counters) and not state.scenario.has_nulls
        return [
            row_of(
                "capture_sample",
                now_utc=_datetime(capture.clock.now_s),
                own_server=place.server,
                server_started_ms=round(1_000_000 + state.started_s * 1000),
                cpu_ms=round(capture.busy_s * 1000 + capture.clock.now_s * _CPUS * 100),
                cpu_count=_CPUS,
                **self._totals(),
                **self._newest(),
                log_used_percent=round(capture.log_share * 100) if is_told else None,
                log_reuse_wait=None if state.scenario.has_nulls else self._log_wait(),
                free_disk_bytes=None if state.scenario.has_nulls else state.free_bytes,
                **self._other_work.counted(place.server),
            )
        ]

    def _totals(self) -> dict[str, Cell]:
        """Return what all scans did together, nulls before the first one."""
        totals = self._capture.totals
        told: dict[str, Cell] = {
            "transactions": totals.transactions,
            "commands": totals.commands,
            "log_records": totals.records,
            "scan_s": totals.whole_s,
            "empty_scans": totals.empty,
            "failed_scans": totals.failed,
        }
        return told if totals.has_scanned else dict.fromkeys(told)

    def _newest(self) -> dict[str, Cell]:
        """Return what the newest row tells, nulls where there is none."""
        newest = self._capture.rows[-1] if self._capture.rows else None
        return {
            "newest_session": None if newest is None else newest.number,
            "newest_latency_s": None if newest is None else newest.latency_s,
            "last_commit_utc": None if newest is None else _datetime(newest.last_commit_s),
        }

    def _capture_sessions(self, _place: Place, values: Parameters) -> Result:
        after = int(values["after_session"])
        newest = [row for row in reversed(self._capture.rows) if row.number > after][:500]
        return [self._session(row) for row in newest]

    def _session(self, row: Scan) -> tuple[Cell, ...]:
        is_told = not self._state.scenario.has_nulls
        return row_of(
            "capture_sessions",
            session_number=row.number,
            begun_utc=_datetime(row.begun_s),
            ended_utc=_datetime(row.ended_s),
            transactions=row.transactions,
            commands=row.commands,
            log_records=row.records,
            latency_s=row.latency_s if is_told else None,
            empty_scans=row.empty if is_told else None,
            last_commit_utc=_datetime(row.last_commit_s),
            last_commit_lsn=_lsn(row.number * 40) if is_told else None,
        )

    def _capture_errors(self, _place: Place, _values: Parameters) -> Result:
        return [(_datetime(at_s), number, text) for at_s, number, text in self._capture.errors[-1:]]

    def _capture_marks(self, _place: Place, _values: Parameters) -> Result:
        return [(mark,) for mark in sorted(self._state.marks)]

    def _set_capture_mark(self, _place: Place, values: Parameters) -> Result:
        marks = self._state.marks
        (marks.add if int(values["is_wanted"]) else marks.discard)(str(values["mark"]))
        return []

    def _capture_programs(self, _place: Place, _values: Parameters) -> Result:
        seen = _datetime(self._capture.clock.now_s - 2.0)
        return [("Microsoft JDBC Driver for SQL Server", 3, seen), (None, 1, None)]

    def _scan_log_once(self, _place: Place, values: Parameters) -> Result:
        if self._state.scenario.is_published or self._capture.is_running:
            raise SqlError(
                22903, "Another connection is already running 'sp_replcmds' for Change Data Capture.", "42000"
            )
        found, begun_s = min(int(values["maxtrans"]), self._capture.waiting), self._capture.clock.now_s
        before = (self._capture.totals.commands, self._capture.totals.records)
        took_s = self._capture.scan_time_s(found)
        self._state.advance(took_s)
        self._capture.note(begun_s, found)
        commands, records = self._capture.totals.commands - before[0], self._capture.totals.records - before[1]
        return [(round(took_s * 1000), found, commands, records)]

    def _set_capture_job(self, place: Place, values: Parameters) -> Result:
        job = self._state.jobs.get(place.server)
        if job is None or not meets(values, job.text):
            return [(0,)]
        names = {"maxtrans": "maxtrans", "maxscans": "maxscans", "continuous": "is_continuous"}
        given = {name: int(values[key]) for name, key in {**names, "pollinginterval": "pollinginterval_s"}.items()}
        job.values = job.values.model_copy(update=given)
        return [(1,)]

    def _stop_capture_job(self, _place: Place, _values: Parameters) -> Result:
        if self._capture.is_running and (job := self._state.job) is not None:
            self._capture.stop()
            job.ended = _STOPPED
            for _waited in range(120):
                if not self._capture.is_running:
                    break
                self._state.advance(1.0)
        return []

    def _start_capture_job(self, _place: Place, _values: Parameters) -> Result:
        if not self._capture.is_running:
            self._state.start()
        return []


class LabCaptureServer(SimulatedSqlServers):
    """All servers of one lab, one client at a time."""

    def __init__(
        self, scenario: CaptureScenario, seed: int = 1, noise: bool | None = None, faults: Sequence[Fault] = ()
    ) -> None:
        self.own_server, self.title = PRIMARY, scenario.title
        self.state = CaptureState(scenario, seed, noise)
        rights = ("server_rights", "history_rights", "capture_rights", "capture_job_rights")
        super().__init__(self.state, Doorkeeper(_ASKS), faults, *rights)
        self.other_work = OtherWork(self.now_s, lambda _server: scenario.database)
        self.doors.logins[MONITOR] = _monitor(self.state)
        own = CaptureAnswers(self.state, self.other_work)
        self.answers |= {**own.answers(), **self.other_work.answers()}
        self.look_ups |= own.look_ups()

    def product_version(self, server: str) -> str:
        """Return the product version of a server: all have the scenario's."""
        return self.state.scenario.version

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server of a place, None where there is none."""
        return next((server for server in self.state.servers if server.name == place.server), None)

    def check_database(self, statement: Statement, place: Place, role: str) -> None:
        """Raise SqlError where a database lets nobody in."""
        if (closed := self.state.closed(place.server, place.database)) is not None:
            raise closed

    def meet(self, fault: str, place: Place, parameters: Mapping[str, Value]) -> None:
        """Let a fault happen that shows in another way than by an error."""
        state, capture = self.state, self.state.capture
        if fault == FaultKind.LOG_BACKUP:
            self.other_work.begin(place.server)
        elif fault == FaultKind.OTHER_PROGRAMS:
            self.other_work.begin_programs(place.server)
        elif fault == FaultKind.DISK_NEARLY_FULL:
            state.free_bytes = _NEARLY_FULL_BYTES
        elif fault == FaultKind.SERVER_RESTARTED:
            capture.reset()
            state.started_s = capture.clock.now_s + 1.0
            state.start(1.0)  # its schedule is the start of SQL Server Agent
        elif fault == FaultKind.FAILOVER and state.has_replica:
            self._fail_over()
        elif fault == CAPTURE_ERROR:
            self._fail_scan()
        elif fault == JOB_STOPPED_BY_OTHERS and state.job is not None:
            capture.stop()
            state.job.ended = _STOPPED

    def _fail_over(self) -> None:
        self.state.capture.reset()
        self.state.primary = REPLICA if self.state.primary == PRIMARY else PRIMARY

    def _fail_scan(self) -> None:
        self.state.capture.fail(2628, "String or binary data would be truncated in a change table.")
        if self.state.job is not None:
            self.state.job.ended = _FAILED


def _monitor(state: CaptureState) -> LabLogin:
    """Return a login that may read the log scan and the jobs, and nothing else."""
    tables = ("cdc_jobs", "sysjobs", "sysjobactivity", "sysjobhistory", "sysjobsteps")
    held = {Held(server.name, "", "VIEW SERVER STATE") for server in state.servers}
    held |= {Held(server.name, "", "VIEW ANY DEFINITION") for server in state.servers}
    held |= {Held(server.name, "msdb", f"SELECT on dbo.{table}") for server in state.servers for table in tables}
    held |= {Held(PRIMARY, state.scenario.database, "VIEW DATABASE STATE")}
    return LabLogin(MONITOR, held, {(PRIMARY, state.scenario.database)})


class CaptureLab(SqlServerLab[CaptureScenario]):
    """The instances with Change Data Capture, simulated."""

    system_id = SYSTEM_ID
    kind = default_scenario = "capture"
    scenario = CaptureScenario
    servers = LabCaptureServer
    own_faults = OWN_FAULTS
    simulated: Mapping[str, frozenset[str]] = {CAPTURE: frozenset(parameter.name for parameter in PARAMETERS)}
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]] = {"captured_databases": ()}


LAB: Final = CaptureLab()
