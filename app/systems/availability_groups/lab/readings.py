"""A client's readings of the simulated availability groups at any moment; frozen, units in the names.

Times `…_s` are seconds of the virtual clock. KB are 1024 bytes as in the server's views, MB are 10⁶ bytes.
Counters are totals since the lab was built, so that rates come from two readings.
"""

from dataclasses import dataclass

from app.systems.availability_groups.lab.words import (
    AvailabilityMode,
    FailoverMode,
    Failure,
    LoadStatus,
    LogReuseWait,
    OperationKind,
    OperationStatus,
    ReplicaRole,
    SeedingMode,
    SynchronizationState,
)
from app.systems.availability_groups.readings import ReplicaReading as ReplicaView

__all__ = [
    "AvailabilityMode",
    "BackupOptions",
    "DatabaseReading",
    "DatabaseReplicaReading",
    "DiskReading",
    "FailoverMode",
    "Failure",
    "GroupReading",
    "LoadReading",
    "LoadStatus",
    "LogReuseWait",
    "OperationKind",
    "OperationReading",
    "OperationStatus",
    "ReplicaReading",
    "ReplicaRole",
    "ReplicaView",
    "SeedingMode",
    "ServerReading",
    "SynchronizationState",
    "WaitReading",
]


@dataclass(frozen=True)
class DiskReading:
    """One disk of a server; byte counters are totals."""

    name: str
    size_mb: float
    free_mb: float
    bytes_read: float
    bytes_written: float


@dataclass(frozen=True)
class WaitReading:
    """One wait type of a server (sys.dm_os_wait_stats): completed waits only."""

    wait_type: str
    waiting_tasks: int
    wait_time_ms: float


@dataclass(frozen=True)
class ServerReading:
    """One server now.

    Attributes:
        cpu_busy_core_s: processor seconds used since the lab was built, over all of its processors.
        cpu_share: share of all processors in use now, 0–1.
        network_bytes_sent: payload over the line to other servers, all purposes.
    """

    name: str
    is_up: bool
    product_version: str
    edition: str
    cpus: int
    memory_mb: float
    trace_flags: tuple[int, ...]
    cpu_busy_core_s: float
    cpu_share: float
    network_bytes_sent: float
    disks: tuple[DiskReading, ...]
    waits: tuple[WaitReading, ...]


@dataclass(frozen=True)
class ReplicaReading:
    """One replica of a group.

    Attributes:
        is_commit_synchronous: commits wait for it once it is synchronized (it and the primary are synchronous).
        may_create_any_database: GRANT CREATE ANY DATABASE was given to the group there.
    """

    group: str
    server: str
    role: ReplicaRole
    availability_mode: AvailabilityMode
    failover_mode: FailoverMode
    seeding_mode: SeedingMode
    is_connected: bool
    is_commit_synchronous: bool
    may_create_any_database: bool
    session_timeout_s: float


@dataclass(frozen=True)
class GroupReading:
    """One availability group; `primary` is "" while a role change is under way or its server is down."""

    name: str
    primary: str
    databases: tuple[str, ...]
    replicas: tuple[ReplicaReading, ...]
    required_synchronized_secondaries_to_commit: int


@dataclass(frozen=True)
class DatabaseReading:
    """One database at the server that holds it for writing, with its counters there.

    Attributes:
        server: its primary replica, or the only server of a standalone one; "" while a role change is under way.
        group: "" for a standalone one.
        backup_taken: a full backup of it exists, which joining a group asks for.
        log_end_bytes: log written since the lab was built: a position, comparable with those of the secondaries.
        log_bytes_flushed, log_flushes: "Log Bytes Flushed/sec", "Log Flushes/sec".
        write_transactions: commits.
        transaction_delay_ms, mirrored_write_transactions: total commit delay, and the commits that waited for it.
        last_commit_s: None before the first.
    """

    name: str
    server: str
    group: str
    recovery_model: str
    data_mb: float
    compressible_share: float
    log_size_mb: float
    log_used_mb: float
    log_reuse_wait: LogReuseWait
    backup_taken: bool
    log_end_bytes: float
    log_bytes_flushed: float
    log_flushes: int
    write_transactions: int
    transaction_delay_ms: float
    mirrored_write_transactions: int
    last_commit_s: float | None

    @property
    def log_used_share(self) -> float:
        """Used share of the log file, 0–1."""
        return self.log_used_mb / self.log_size_mb


@dataclass(frozen=True)
class DatabaseReplicaReading:
    """One database at one secondary replica.

    Attributes:
        view: what the primary's view shows of it, rates now or when last busy; its queues are log not yet sent, and
            hardened but not yet redone.
        is_joined: it belongs to the group there; else only states are given and the numbers are 0.
        is_failover_ready: the secondary holds every commit the client was told of.
        hardened_bytes: a position, as `DatabaseReading.log_end_bytes`.
        last_commit_s: commit time at the primary of the newest transaction redone here.
        bytes_sent_to_replica: log sent, before compression; bytes_sent_to_transport: as it went over the line.
        log_bytes_compressed: log that went through compression, before it.
        flow_control_s, flow_controls: time the send window was full, and messages that waited for it.
        redo_workers: 1 is serial redo.
    """

    group: str
    database: str
    server: str
    synchronization_state: SynchronizationState
    view: ReplicaView
    is_joined: bool = False
    is_suspended: bool = False
    is_failover_ready: bool = False
    is_compressing: bool = False
    hardened_bytes: float = 0.0
    last_commit_s: float | None = None
    bytes_sent_to_replica: float = 0.0
    bytes_sent_to_transport: float = 0.0
    log_bytes_compressed: float = 0.0
    log_bytes_redone: float = 0.0
    flow_control_s: float = 0.0
    flow_controls: int = 0
    redo_workers: int = 0


@dataclass(frozen=True)
class LoadReading:
    """One insert loop.

    Attributes:
        statements: to do, None for an endless one; done: committed so far.
        elapsed_s: from its start to its end, or to now.
        sync_commit_wait_s: waited for secondaries so far.
    """

    load_id: int
    database: str
    status: LoadStatus
    failure: Failure
    statements: int | None
    done: int
    start_s: float
    end_s: float | None
    elapsed_s: float
    sync_commit_wait_s: float


@dataclass(frozen=True)
class BackupOptions:
    """Options of BACKUP and RESTORE; 0 leaves BUFFERCOUNT and MAXTRANSFERSIZE to the server.

    Attributes:
        disk: name of the disk of the primary that takes the backup; the secondary reads it over the network.
        algorithm: with its level, "default" for MS_XPRESS.
    """

    disk: str = ""
    stripes: int = 1
    buffer_count: int = 0
    max_transfer_kb: int = 0
    compression: bool = True
    algorithm: str = "default"
    checksum: bool = True
    copy_only: bool = True


@dataclass(frozen=True)
class OperationReading:
    """One backup, restore, join or seeding, running or past.

    Attributes:
        source, target: servers; equal for a backup.
        database_mb: what has to be moved.
        moved_mb: of it, so far; read_mb, sent_mb, written_mb: from disk, over the line, to disk.
        rate_mb_per_s: now, 0 when it has ended.
        estimated_end_s: at the present rate, None where it has ended or stands.
        disk_wait_s, network_wait_s: time the pipeline waited for either.
        is_compressed: what really happens, whatever is_compression_enabled shows.
        attempts: of a seeding.
    """

    operation_id: int
    kind: OperationKind
    database: str
    group: str
    source: str
    target: str
    status: OperationStatus
    failure: Failure
    start_s: float
    end_s: float | None
    database_mb: float
    moved_mb: float
    read_mb: float
    sent_mb: float
    written_mb: float
    rate_mb_per_s: float
    estimated_end_s: float | None
    disk_wait_s: float
    network_wait_s: float
    is_compressed: bool
    options: BackupOptions
    attempts: int

    @property
    def moved_share(self) -> float:
        """Share done, 0–1."""
        return 1.0 if self.database_mb == 0.0 else self.moved_mb / self.database_mb
