"""The state of the servers: databases, their copies, groups and replicas."""

from dataclasses import dataclass, field

from app.lab.client_rate import ClientRate
from app.systems.availability_groups.lab.log import TransactionLog
from app.systems.availability_groups.lab.readings import AvailabilityMode, FailoverMode, SeedingMode
from app.systems.availability_groups.lab.servers import Server
from app.systems.availability_groups.lab.shipping import LogStream


@dataclass
class Replica:
    """One replica of a group."""

    server: Server
    availability_mode: AvailabilityMode
    failover_mode: FailoverMode
    seeding_mode: SeedingMode
    may_create_any_database: bool
    session_timeout_s: float


@dataclass
class Group:
    """One availability group.

    Attributes:
        primary: None while a role change is under way.
        opens_at_s: when that ends; next_primary: who is primary then; is_forced: commits may be lost.
    """

    name: str
    replicas: dict[str, Replica]
    primary: Server | None
    required_synchronized_secondaries: int = 0
    next_primary: Server | None = None
    opens_at_s: float | None = None
    is_forced: bool = False

    def is_commit_synchronous(self, server: str) -> bool:
        """Tell whether commits wait for this secondary: only where it and the primary are both synchronous."""
        leader = self.primary or self.next_primary
        if leader is None or leader.name == server:
            return False
        synchronous = AvailabilityMode.SYNCHRONOUS_COMMIT
        modes = {self.replicas[leader.name].availability_mode, self.replicas[server].availability_mode}
        return modes == {synchronous}


@dataclass
class Copy:
    """A database at a server that does not hold it for writing.

    Attributes:
        restored_bytes: log position it was restored to. stream: None until it is joined to the group.
        taken_mb: space its files use. awaits_join: it was restored to be joined, so the log chain must not be broken.
    """

    server: Server
    restored_bytes: float
    taken_mb: float
    stream: LogStream | None = None
    awaits_join: bool = False


@dataclass
class Database:
    """One database.

    Attributes:
        server: where it is written; group: None for a standalone one.
        holds: log positions that backups and seedings under way still need, by operation.
        client: how much the client's own applications write, None where that does not change.
        background_every_s: its standing load, one statement of `background_rows` rows each; 0 for none.
        held_until_s: commits cannot return before, because a secondary that has just become synchronous catches up.
        log_backup_every_s: interval of the site's own log backups, 0 for none; next_log_backup_s: the next one.
    """

    name: str
    server: Server
    group: Group | None
    data_mb: float
    compressible_share: float
    recovery_model: str
    log: TransactionLog
    log_backup_every_s: float
    next_log_backup_s: float
    copies: dict[str, Copy] = field(default_factory=dict)
    holds: dict[int, float] = field(default_factory=dict)
    backup_taken: bool = True
    write_transactions: int = 0
    log_flushes: int = 0
    transaction_delay_s: float = 0.0
    mirrored_write_transactions: int = 0
    last_commit_s: float | None = None
    message_mb: float = 0.06
    client: ClientRate | None = None
    background_every_s: float = 0.0
    background_rows: int = 1
    held_until_s: float = 0.0

    @property
    def is_available(self) -> bool:
        """It can be written: its server is up and, in a group, is primary."""
        return self.server.is_up and (self.group is None or self.group.primary is self.server)

    def streams(self) -> list[LogStream]:
        """Return the log streams to its joined secondaries."""
        return [copy.stream for copy in self.copies.values() if copy.stream is not None]

    def compression_ratio(self, best: float) -> float:
        """Return by how much its pages shrink, where those that compress do so by `best`."""
        return 1.0 / (1.0 - self.compressible_share + self.compressible_share / best)

    def truncate_log(self) -> None:
        """Free the log that no secondary, backup or seeding needs any more."""
        needed = [*self.holds.values(), *(stream.redone_bytes for stream in self.streams())]
        if self.recovery_model == "SIMPLE":
            self.log.backed_up_bytes = self.log.end_bytes
        self.log.truncate(min(needed, default=self.log.end_bytes))
