"""The repeated readings of a group, during a trial or a look: each is declared here."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from app.domain.happening import Happening
from app.domain.limits import FREE_DISK, NO_LIMIT, RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION, LimitField
from app.domain.limits import LOG_USED as USUAL_LOG_USED
from app.domain.measurement import Better, Metric
from app.domain.naming import Sentence, ServerName, Word
from app.domain.plan_field import ValueKind
from app.foundation.texts import _
from app.model.reading import Column, Counter, Gauge, Limited, Mean, Measured, elapsed_s, limits_of


def _most(name: str, unit: str, title: str, help: str, reading: str, stated: str) -> LimitField:
    """Return a limit that no plan has by itself."""
    field = LimitField(name, ValueKind.NUMBER, title, unit, None, help, above=0, when_empty=NO_LIMIT)
    return replace(field, reading=reading, reading_unit=unit, stated=stated)


COMMIT_DELAY: Final = _most(
    "commit_delay_ms",
    "ms",
    _("Mean commit delay above"),
    _("How long a commit waits for the secondary, on average since the last reading."),
    _("mean commit delay"),
    _("mean commit delay over {value}"),
)
SEND_QUEUE: Final = _most(
    "send_queue_mb",
    "MB",
    _("Log send queue above"),
    _("Log not yet sent to the secondary; it is lost with the primary."),
    _("log not yet sent to the secondary"),
    _("log send queue over {value}"),
)
REDO_QUEUE: Final = _most(
    "redo_queue_mb",
    "MB",
    _("Redo queue above"),
    _("Log not yet redone at the secondary; a failover has to wait for it."),
    _("log not yet redone at the secondary"),
    _("redo queue over {value}"),
)
LOG_USED: Final = replace(
    USUAL_LOG_USED, help=_("Used share of its log; it cannot be truncated before the secondary has it.")
)

REDO_BUILT_UP: Final = Metric("redo_queue", "MB", Better.LOWER, _("Redo queue built up"))
"""Only what came on top: a shape that writes little inherits what the one before left."""
REDO_AFTER_JOINING: Final = Metric("redo_queue", "MB", Better.LOWER, _("Longest redo queue after joining"))
REDO_RATE: Final = Metric("redo_rate", "MB/s", Better.HIGHER, _("Redo at the secondary"))
LONGEST_UNSENT: Final = Metric("send_queue", "MB", Better.LOWER, _("Longest log send queue"))

REDONE_KB: Final = 1_024.0
"""Less than this to be redone is what a server at work always has."""

_PROCESSORS: Final = Counter(_("{server}: processors"), "share", among="cpu_count")


@dataclass(frozen=True)
class ServerReading:
    """One server of a group at one moment.

    Attributes:
        server_started_ms: tells one start of SQL Server from another.
    """

    server: ServerName
    cpu_ms: Annotated[float | None, _PROCESSORS]
    cpu_count: int
    server_started_ms: int


@dataclass(frozen=True)
class SeedingServerReading(ServerReading):
    """The same during a seeding, with its disks' reads and writes for all databases."""

    disk_read_mb: Annotated[float | None, Column("disk_read_bytes"), Counter(_("{server}: disk read"), "MB/s")]
    disk_written_mb: Annotated[float | None, Column("disk_written_bytes"), Counter(_("{server}: disk written"), "MB/s")]


@dataclass(frozen=True)
class ReplicaReading:
    """One secondary database at one moment, as sys.dm_hadr_database_replica_states shows it.

    A figure that the view leaves NULL, as of a secondary that is not connected or does not synchronize, is None.
    """

    server: Annotated[ServerName, Column("replica_server")]
    synchronization_state: Word
    send_queue_kb: Annotated[
        float | None, Gauge(_("log send queue"), "MB"), Limited(SEND_QUEUE), Measured(LONGEST_UNSENT)
    ]
    send_rate_kb_per_s: float | None
    redo_queue_kb: Annotated[
        float | None, Gauge(_("redo queue"), "MB"), Limited(REDO_QUEUE), Measured(REDO_BUILT_UP, is_rise=True)
    ]
    redo_rate_kb_per_s: float | None

    @property
    def recovery_s(self) -> float | None:
        """Return how long redo would take for the queue, None where that or its rate is not known.

        Source: MicrosoftDocs monitor-performance-for-always-on-availability-groups.md: redo time is the redo queue over
        the redo rate; the time to recover is that, the time until the failure is detected, and the change of roles.
        """
        return time_s(self.redo_queue_kb, self.redo_rate_kb_per_s)


def time_s(queue_kb: float | None, rate_kb_per_s: float | None) -> float | None:
    """Return how long a queue lasts; 0 where nothing waits, None where that or the rate is not known."""
    if queue_kb is None or queue_kb <= 0:
        return queue_kb and 0.0
    return queue_kb / rate_kb_per_s if rate_kb_per_s else None


@dataclass(frozen=True)
class GroupSample:
    """One database of a group at one moment: one round trip at the primary, one at each secondary.

    What performance counters tell is None where they tell nothing.

    Attributes:
        at: the primary's time of day.
        primary: who is primary now; another than before means a failover.
        commit_delay_ms, mirrored_transactions: totals of "Transaction Delay" and "Mirrored Write Transactions/sec"; the
            mean commit delay is the quotient of their growth (MicrosoftDocs sql-server-database-replica).
        log_flushed_bytes, sent_bytes: at the primary; flow_control_ms: of the replicas' flow control.
        sync_commit_wait_ms, writelog_wait_ms: sys.dm_os_wait_stats, of all databases of the server; sync_commit_waits,
            writelog_waits: tasks that waited so. write_transactions: "Write Transactions/sec", of this database.
        log_used_share: 0–1.
        servers: those that could be asked. work: what else runs at the primary now.
    """

    at: Annotated[datetime, Column("now_utc")]
    primary: Annotated[ServerName, Column("primary_replica")]
    commit_delay_ms: Annotated[
        float | None, Mean(_("commit delay"), "ms", per="mirrored_transactions"), Limited(COMMIT_DELAY)
    ]
    mirrored_transactions: Annotated[float | None, Counter()]
    readings: tuple[ReplicaReading, ...]
    sync_commit_wait_ms: Annotated[float | None, Counter(_("HADR_SYNC_COMMIT waits"), "share")]
    writelog_wait_ms: Annotated[float | None, Counter(_("WRITELOG waits"), "share")]
    flow_control_ms: Annotated[float | None, Counter(_("flow control"), "share")]
    log_flushed_bytes: Annotated[float | None, Counter(_("log written"), "MB/s")]
    sent_bytes: Annotated[float | None, Counter()]
    log_used_share: Annotated[float | None, Column("log_used_percent"), Limited(LOG_USED)]
    free_disk_gb: Annotated[float | None, Column("free_disk_bytes"), Limited(FREE_DISK)]
    servers: tuple[ServerReading, ...]
    work: tuple[Happening, ...] = ()
    sync_commit_waits: Annotated[float | None, Counter()] = None
    writelog_waits: Annotated[float | None, Counter()] = None
    write_transactions: Annotated[float | None, Counter()] = None


@dataclass(frozen=True)
class SeedingSource:
    """What the primary knows of the seeding of a database to one secondary.

    Attributes:
        primary: who is primary now.
        operation_id: of the newest direct seeding, "" for none; state, failure, started, ended: of it.
        read_bytes: from the database's files; sent_bytes: by the endpoints, over the network. Totals, None where no
            counter tells.
    """

    primary: Annotated[ServerName, Column("primary_replica")]
    operation_id: Word
    state: Annotated[Word, Column("seeding_state")]
    failure: Annotated[Sentence, Column("seeding_failure")]
    started: Annotated[datetime | None, Column("seeding_start_utc")]
    ended: Annotated[datetime | None, Column("seeding_end_utc")]
    read_bytes: Annotated[float | None, Column("database_read_bytes")]
    sent_bytes: Annotated[float | None, Column("transport_sent_bytes")]
    free_disk_gb: Annotated[float | None, Column("free_disk_bytes")]


@dataclass(frozen=True)
class SeedingDestination:
    """What the secondary knows of a database that is seeded to it.

    Attributes:
        written_bytes: to the database's files, a total; None where it is not there.
    """

    is_joined: bool
    written_bytes: Annotated[float | None, Column("database_written_bytes")]
    free_disk_gb: Annotated[float | None, Column("free_disk_bytes")]


@dataclass(frozen=True)
class SeedingSample:
    """One moment of a seeding: one round trip per server.

    Attributes:
        at: the primary's time of day. primary: who is primary now.
        state: "not started", "running", "failed" or "complete"; failure: the server's own words.
        read_mb, sent_mb, written_mb: so far; sent_mb is what went over the wire, so that compression shows as
            sent < read (`is_compression_enabled` stays 0 whatever is true).
        redo_queue_kb, redo_rate_kb_per_s, parallel_redo_threads: at the secondary, after joining; None where the view
            leaves them NULL, as before it.
        log_used_share: of the primary's database: it cannot be truncated meanwhile; None where no counter tells.
        free_disk_gb: of the fuller server.
        is_in_group: the database still belongs to it. work: what else runs at the primary now.
    """

    at: Annotated[datetime, Column("now_utc")]
    primary: Annotated[ServerName, Column("primary_replica")]
    state: Word
    failure: Sentence
    read_mb: Annotated[float, Gauge(_("read at the primary"), "MB")]
    sent_mb: Annotated[float, Gauge(_("sent"), "MB"), Counter(_("network"), "Mbps")]
    written_mb: Annotated[float, Gauge(_("written at the secondary"), "MB")]
    free_disk_gb: Annotated[float | None, Gauge(_("free disk"), "GB"), Limited(FREE_DISK)]
    parallel_redo_threads: Annotated[int, Gauge(_("parallel redo threads"), "count")]
    redo_queue_kb: Annotated[
        float | None, Gauge(_("redo queue"), "MB"), Limited(REDO_QUEUE), Measured(REDO_AFTER_JOINING)
    ]
    redo_rate_kb_per_s: Annotated[float | None, Gauge(_("redo"), "MB/s"), Measured(REDO_RATE)]
    log_used_share: Annotated[
        float | None, Column("log_used_percent"), Gauge(_("log used"), "share"), Limited(LOG_USED)
    ]
    servers: tuple[SeedingServerReading, ...]
    is_in_group: bool = True
    work: tuple[Happening, ...] = ()

    @property
    def is_redone(self) -> bool:
        """Tell whether the secondary has redone the log written meanwhile, but for the part that always waits."""
        return self.redo_queue_kb is not None and self.redo_queue_kb < REDONE_KB


def cpu_share(before: GroupSample | SeedingSample, after: GroupSample | SeedingSample, server: str) -> float | None:
    """Return the share of a server's processors that SQL Server used between two readings, 0–1."""
    was, now = (next((one for one in sample.servers if one.server == server), None) for sample in (before, after))
    return None if now is None else _PROCESSORS.level(was, now, "cpu_ms", elapsed_s(before, after))


COMMIT_LIMITS: Final = (*limits_of(GroupSample), TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION)
"""The abort limits of trials of the commit mode."""

_OF_COMMITS_ALONE: Final = frozenset(limits_of(GroupSample)) - frozenset(limits_of(SeedingSample))
SEEDING_LIMITS: Final = tuple(limit for limit in COMMIT_LIMITS if limit not in _OF_COMMITS_ALONE)
"""The abort limits of trials of seeding."""
