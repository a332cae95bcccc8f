"""An availability scenario: servers, groups, databases and every physical constant, from a TOML file."""

from typing import Annotated, Final, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from app.lab.client_rate import ClientRateConstants
from app.lab.moving import MovingConstants
from app.lab.scenario_file import Probability, ScenarioKind, Section, TitledScenario
from app.lab.uneven import UnevenConstants

AtLeastOne = Annotated[float, Field(ge=1.0)]


class DiskConstants(Section):
    """One disk of a server."""

    name: str
    size_mb: PositiveFloat
    free_mb: NonNegativeFloat
    read_mb_per_s: PositiveFloat
    write_mb_per_s: PositiveFloat


class ServerConstants(Section):
    """One server; databases live on its first disk, backups on its last one unless they name another.

    Attributes:
        is_up: it runs at the start.
        data_folder: where it puts new files.
    """

    name: str
    product_version: str
    edition: str
    cpus: PositiveInt
    memory_mb: PositiveFloat
    disks: tuple[DiskConstants, ...] = Field(min_length=1, strict=False)
    is_up: bool = True
    data_folder: str = "D:\\Data"


class ReplicaConstants(Section):
    """One replica of a group as it is at the start."""

    server: str
    availability_mode: Literal["ASYNCHRONOUS_COMMIT", "SYNCHRONOUS_COMMIT"]
    failover_mode: Literal["AUTOMATIC", "MANUAL"] = "MANUAL"
    seeding_mode: Literal["AUTOMATIC", "MANUAL"] = "MANUAL"
    may_create_any_database: bool = False
    session_timeout_s: PositiveFloat = 10.0
    secondary_connections: Literal["NO", "READ_ONLY", "ALL"] = "NO"
    read_only_routing_url: str = ""
    read_write_routing_url: str = ""


class GroupConstants(Section):
    """One availability group; its first replica is primary at the start.

    Attributes:
        sort: what its servers say of it; the simulation treats all alike.
        listener: DNS name, "" for none.
        cluster: what it says its cluster is.
        member_groups: of a distributed group, the names of the groups that stand where others have servers.
        listener_has_own_address: its listener's address is that of the primary itself, so that any connection came
            to it.
        configuration_only: servers of replicas that hold no database and have a voice in the cluster only.
    """

    name: str
    sort: Literal["ordinary", "basic", "contained", "distributed"] = "ordinary"
    cluster: Literal["WSFC", "EXTERNAL", "NONE"] = "WSFC"
    member_groups: Annotated[tuple[str, ...], Field(strict=False)] = ()
    listener: str = ""
    listener_has_own_address: bool = False
    required_synchronized_secondaries_to_commit: NonNegativeInt = 0
    configuration_only: Annotated[tuple[str, ...], Field(strict=False)] = ()
    replicas: tuple[ReplicaConstants, ...] = Field(min_length=1, strict=False)


class DatabaseConstants(Section):
    """One user database at the start; `group` is "" and `server` named for a standalone one.

    Attributes:
        folder: of its files, "" for where its server puts new ones.
        suspended_at: secondaries where somebody suspended its data movement.
        client: what the client's own applications write on one connection, each transaction of
            `background_rows_per_statement`; None for the same all the time, `background_statements_per_s`.
    """

    name: str
    group: str = ""
    server: str = ""
    folder: str = ""
    suspended_at: Annotated[tuple[str, ...], Field(strict=False)] = ()
    recovery_model: Literal["FULL", "BULK_LOGGED", "SIMPLE"] = "FULL"
    data_mb: PositiveFloat
    compressible_share: Probability
    log_size_mb: PositiveFloat
    log_backup_every_s: NonNegativeFloat = 0.0
    background_statements_per_s: NonNegativeFloat = 0.0
    background_rows_per_statement: PositiveInt = 1
    client: ClientRateConstants | None = None


class InsertConstants(Section):
    """The cost of an insert at the primary, and the log it writes."""

    row_us: PositiveFloat
    statement_ms: NonNegativeFloat
    cpu_share: Probability
    log_bytes_per_row: PositiveFloat
    log_bytes_per_commit: NonNegativeFloat
    log_block_kb: PositiveFloat


class FlushConstants(Section):
    """Hardening log at either side."""

    latency_ms: NonNegativeFloat


class TransportConstants(Section):
    """From the log of the primary to the acknowledgement of a secondary.

    Attributes:
        group_commit_ms: how long commits of several connections are collected before they are sent, by the server's own
            choice; 0 for not at all.
    """

    group_commit_ms: NonNegativeFloat = 0.0
    hand_over_kb: PositiveFloat
    compress_ms_per_mb: NonNegativeFloat
    decompress_ms_per_mb: NonNegativeFloat
    compressed_share: Annotated[float, Field(gt=0.0, le=1.0)]
    window_messages: PositiveInt
    first_burst_kb: PositiveFloat
    trace_flag_delay_s: NonNegativeFloat
    resynchronize_s: NonNegativeFloat
    role_change_s: NonNegativeFloat


class LineConstants(Section):
    """The line between any two servers."""

    rtt_ms: NonNegativeFloat
    bandwidth_mbps: PositiveFloat


class RedoConstants(Section):
    """Redoing hardened log at a secondary."""

    serial_mb_per_s: PositiveFloat
    parallel_mb_per_s: PositiveFloat
    parallel_workers: PositiveInt
    core_ms_per_mb: NonNegativeFloat


class AlgorithmConstants(Section):
    """An algorithm and level of backup compression, as a share of what MS_XPRESS takes and leaves.

    Attributes:
        name: algorithm and level, as a setting names them; "" for the default.
    """

    name: str = ""
    time_share: PositiveFloat
    size_share: PositiveFloat


class CopyConstants(Section):
    """Backup, restore, join and direct seeding.

    Attributes:
        algorithms: those the servers know besides MS_XPRESS.
    """

    algorithms: Annotated[tuple[AlgorithmConstants, ...], Field(strict=False)] = ()
    compress_ms_per_mb: PositiveFloat
    backup_core_ms_per_mb: NonNegativeFloat
    checksum_core_ms_per_mb: NonNegativeFloat
    backup_compression_ratio: AtLeastOne
    restore_ms_per_mb: PositiveFloat
    restore_core_ms_per_mb: NonNegativeFloat
    seeding_ms_per_mb: PositiveFloat
    seeding_core_ms_per_mb: NonNegativeFloat
    seeding_compression_ratio: AtLeastOne
    seeding_buffers: PositiveInt
    seeding_buffer_kb: PositiveFloat
    transfer_kb: PositiveFloat
    buffers_per_device: PositiveInt
    disk_latency_ms: NonNegativeFloat
    statement_s: NonNegativeFloat
    join_s: NonNegativeFloat
    instant_file_initialization: bool


class NoiseConstants(Section):
    """Why two equal measurements differ: session, slow drift, each loop, each copy.

    At an uneven site a loop is all that is written one after the other with one setting.
    """

    enabled: bool
    session_factor: PositiveFloat
    session_cv: NonNegativeFloat
    drift_cv: NonNegativeFloat
    drift_over_s: PositiveFloat
    loop_cv: NonNegativeFloat
    copy_cv: NonNegativeFloat
    uneven: UnevenConstants | None = None
    moving: MovingConstants | None = None


class AvailabilityScenario(TitledScenario):
    """One simulated site.

    Attributes:
        opened_at: server or listener a client connects to, "" for the primary of the first group.
        counters: what the objects of performance counters begin with, MSSQL$NAME at named instances.
    """

    kind: Literal["availability"]
    opened_at: str = ""
    counters: str = "SQLServer"
    servers: tuple[ServerConstants, ...] = Field(min_length=1, strict=False)
    groups: tuple[GroupConstants, ...] = Field(default=(), strict=False)
    databases: tuple[DatabaseConstants, ...] = Field(min_length=1, strict=False)
    insert: InsertConstants
    flush: FlushConstants
    transport: TransportConstants
    line: LineConstants
    redo: RedoConstants
    copying: CopyConstants
    noise: NoiseConstants

    @model_validator(mode="after")
    def _names_exist(self) -> "AvailabilityScenario":
        """Refuse a replica or database that names a server or group the file does not have."""
        servers = {server.name for server in self.servers}
        groups = {group.name for group in self.groups}
        for group in self.groups:
            for replica in group.replicas:
                if replica.server not in servers:
                    raise ValueError(f"group {group.name} names the server {replica.server!r}, which is not listed")
        for database in self.databases:
            if database.group and database.group not in groups:
                raise ValueError(f"database {database.name} names the group {database.group!r}, which is not listed")
            if not database.group and database.server not in servers:
                raise ValueError(f"database {database.name} names neither a listed group nor a listed server")
        if self.opened_at not in {"", *servers, *(group.listener for group in self.groups)}:
            raise ValueError(f"opened_at names {self.opened_at!r}, which is neither a listed server nor a listener")
        return self


_KIND: Final = ScenarioKind("availability", AvailabilityScenario)
availability_scenario_names = _KIND.names
availability_scenario_path = _KIND.path
load_availability_scenario = _KIND.load
