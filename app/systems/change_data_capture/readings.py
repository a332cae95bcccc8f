"""The readings of Change Data Capture: databases, jobs, and the log scan at one moment; each is declared here."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from app.domain.happening import Happening
from app.domain.limits import DATA_AGE, FREE_DISK, RESTORED_BY, RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION
from app.domain.limits import LOG_USED as USUAL_LOG_USED
from app.domain.measurement import Better, Metric
from app.domain.naming import DatabaseName, Sentence, ServerName, Word
from app.domain.server import EffectiveParameter, ServerInfo
from app.foundation.texts import _
from app.model.reading import Column, Counter, Gauge, Limited, Measured
from app.model.shown import Shown
from app.systems.change_data_capture.subjects import PARAMETERS

LOG_USED: Final = replace(
    USUAL_LOG_USED,
    default=0.7,
    help=_("Used share of its log: it holds what is not captured yet, and capturing itself writes log."),
)
"""Capturing cannot go on where the log is full, as it writes log: repltalk.com/2010/07/19."""

LOG_STREAM: Final = _("log used")
LOG_HELD: Final = Metric("log_held", "share", Better.LOWER, _("Log filled up meanwhile"))


@dataclass(frozen=True)
class CapturedDatabase:
    """One database whose changes are captured or streamed.

    Attributes:
        is_change_feed: Synapse Link or Fabric mirroring; is_event_stream: change event streaming; has_adr: accelerated
            database recovery. Each is None where the release has no such thing.
        log_reuse_wait: "" where it is not told.
        is_primary: None in no group; primary_server: "" where it is not known.
    """

    name: Annotated[DatabaseName, Column("database_name"), Shown(_("Database"), width=1.4)]
    state: Annotated[Word, Shown(_("State"))]
    is_captured: Annotated[bool, Shown(_("Captured"))]
    is_published: Annotated[bool, Shown(_("Published"))]
    is_change_feed: bool | None
    is_event_stream: bool | None
    has_adr: bool | None
    log_reuse_wait: Annotated[Word, Shown(_("Log waits for"), width=1.2)]
    is_primary: bool | None
    primary_server: ServerName

    @property
    def is_here(self) -> bool:
        """Whether its log is scanned at this server: it is in no group, or its primary copy is here."""
        return self.is_captured and self.is_primary is not False

    @property
    def streams(self) -> tuple[str, ...]:
        """Return its other readers of the log, in words."""
        told = (
            (self.is_change_feed, _("Fabric mirroring or Synapse Link")),
            (self.is_event_stream, _("event streaming")),
        )
        return tuple(words for is_so, words in told if is_so)


@dataclass(frozen=True)
class CaptureJob:
    """The capture job of a database in one server's msdb; a value is None where its row holds none.

    Attributes:
        is_standard: its step is the vendor's own and the only one; None where that could not be read.
    """

    server: Annotated[ServerName, Shown(_("Server"), width=1.2)]
    database: Annotated[DatabaseName, Column("database_name"), Shown(_("Database"), width=1.4)]
    job_id: Word
    job_name: str
    is_enabled: bool | None
    maxtrans: Annotated[int | None, Shown("maxtrans")]
    maxscans: Annotated[int | None, Shown("maxscans")]
    is_continuous: Annotated[bool | None, Shown(_("Continuous"), text=lambda value: _yes_no(value))]
    pollinginterval_s: Annotated[int | None, Shown("pollinginterval", unit="s")]
    is_running: Annotated[bool, Shown(_("Running"))]
    is_standard: bool | None = None

    @property
    def values(self) -> tuple[int, int, int, int] | None:
        """Return its four values as the vendor's procedure takes them, None where one is not known."""
        found = (self.maxtrans, self.maxscans, self.is_continuous, self.pollinginterval_s)
        known = [int(value) for value in found if value is not None]
        return (known[0], known[1], known[2], known[3]) if len(known) == len(found) else None

    @property
    def parameters(self) -> tuple[EffectiveParameter, ...]:
        """Return the parameters an experiment may vary, as they are in effect; "" where a value is not known."""
        found = (self.maxtrans, self.maxscans, self.pollinginterval_s)
        return tuple(
            EffectiveParameter(
                parameter.name,
                "" if value is None else str(value),
                "default" if value == parameter.default else "msdb.dbo.cdc_jobs",
                str(parameter.default),
                parameter.low,
                parameter.high,
                parameter.unit,
            )
            for parameter, value in zip(PARAMETERS, found, strict=True)
        )

    @property
    def bound_per_s(self) -> float | None:
        """Return the most transactions a second that its values let through, None where nothing bounds it.

        Source: administer-and-monitor-change-data-capture: maxtrans × maxscans in each polling interval.
        """
        if not (self.maxtrans and self.maxscans and self.pollinginterval_s):
            return None
        return self.maxtrans * self.maxscans / self.pollinginterval_s


def _yes_no(value: bool | None) -> str:
    return "?" if value is None else _("yes") if value else _("no")


@dataclass(frozen=True)
class CaptureTopology:
    """The captured databases of an instance, and their jobs at every replica.

    Attributes:
        unreachable: servers of replicas that could not be asked, each with why.
    """

    connected_to: ServerName
    servers: tuple[ServerInfo, ...]
    databases: tuple[CapturedDatabase, ...]
    jobs: tuple[CaptureJob, ...]
    unreachable: tuple[tuple[ServerName, Sentence], ...] = ()

    def database(self, name: str) -> CapturedDatabase | None:
        """Return a database by name."""
        return next((one for one in self.databases if one.name == name), None)

    def job_of(self, database: str) -> CaptureJob | None:
        """Return the job of a database at the server that was connected to."""
        here = (one for one in self.jobs if (one.server, one.database) == (self.connected_to, database))
        return next(here, None)

    def is_secondary(self, job: CaptureJob) -> bool:
        """Tell whether the copy of a job's database at its server was a secondary one when this was read."""
        database = self.database(job.database)
        if database is None or database.is_primary is None:
            return False
        return job.server != self.connected_to if database.is_primary else job.server != database.primary_server

    def scanned_here(self) -> tuple[CapturedDatabase, ...]:
        """Return the captured databases whose log is scanned at this server."""
        return tuple(one for one in self.databases if one.is_here)

    def differing(self, database: str) -> tuple[CaptureJob, ...]:
        """Return the jobs of a database at other replicas with other values than here."""
        own = self.job_of(database)
        others = (one for one in self.jobs if one.database == database and one.server != self.connected_to)
        return () if own is None else tuple(one for one in others if one.values != own.values)


@dataclass(frozen=True)
class CaptureSample:
    """A captured database at one moment. Totals are those of session 0, None where no scan was since the start.

    Attributes:
        newest_latency_s: of the newest session, in whole seconds.
        work: what else runs at the server now.
    """

    at: Annotated[datetime, Column("now_utc")]
    own_server: ServerName
    server_started_ms: int
    cpu_ms: Annotated[float | None, Counter(_("processors"), "share", among="cpu_count")]
    cpu_count: int
    transactions: Annotated[float | None, Counter(since="server_started_ms")]
    commands: Annotated[float | None, Counter(since="server_started_ms")]
    log_records: Annotated[float | None, Counter(since="server_started_ms")]
    scan_s: Annotated[float | None, Counter(_("scanning"), "share", since="server_started_ms")]
    empty_scans: Annotated[float | None, Counter(since="server_started_ms")]
    failed_scans: Annotated[float | None, Counter(since="server_started_ms")]
    newest_session: int | None
    newest_latency_s: Annotated[float | None, Gauge(_("latency of the newest scan"), "s")]
    last_commit_utc: datetime | None
    log_used_share: Annotated[
        float | None,
        Column("log_used_percent"),
        Gauge(LOG_STREAM, "share"),
        Limited(LOG_USED),
        Measured(LOG_HELD, is_rise=True),
    ]
    log_reuse_wait: Word
    free_disk_gb: Annotated[float | None, Column("free_disk_bytes"), Gauge(_("free disk"), "GB"), Limited(FREE_DISK)]
    work: tuple[Happening, ...] = ()


@dataclass(frozen=True)
class ScanSession:
    """One session of the log scan that found something: one scan, as far as its row tells."""

    number: Annotated[int, Column("session_number")]
    begun_utc: datetime
    ended_utc: datetime
    transactions: int
    commands: int
    log_records: int
    latency_s: int | None
    empty_scans: int | None
    last_commit_utc: datetime | None
    last_commit_lsn: Word

    @property
    def seconds(self) -> float:
        """Return how long it took."""
        return max(0.0, (self.ended_utc - self.begun_utc).total_seconds())


@dataclass(frozen=True)
class OneScan:
    """One scan that this program had the server make."""

    elapsed_ms: float
    transactions: int | None
    commands: int | None
    log_records: int | None


@dataclass(frozen=True)
class Program:
    """A program connected to a captured database."""

    program: str
    connections: int
    last_request_utc: datetime | None


LIMITS: Final = (LOG_USED, FREE_DISK, DATA_AGE, TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION, RESTORED_BY)
