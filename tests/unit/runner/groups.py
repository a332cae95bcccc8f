"""A server with availability groups in memory: it implements the ports and takes virtual time, as the model says."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import cast

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.errors import ConnectionLost
from app.domain.happening import PastReadings
from app.domain.server import ServerInfo
from app.domain.target import Offer, Target
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    DiskVolume,
    GroupTopology,
    InsertLoop,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)
from app.systems.availability_groups.offer import GroupPorts
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, ServerReading
from app.systems.availability_groups.seeding_server import SqlServerSeeding
from app.systems.availability_groups.server import SqlServerGroups
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, SYSTEM_ID
from tests.labs import MemoryConnection
from tests.unit.runner.memory import MemoryClock

PRIMARY, SECONDARY = "SQL-A", "SQL-B"
ROW_MS, INSERT_MS, ROUND_TRIP_MS = 0.008, 2.2, 0.7
RAW_MS_PER_ROW, COMPRESSED_MS_PER_ROW = 0.006, 0.0002
LOG_BYTES_PER_ROW = 1_700.0


def replica(server: str, role: str, mode: CommitMode, failover: str = "manual") -> Replica:
    """Return a connected replica."""
    return Replica(f"id-{server}", server, role, mode, failover, "manual", is_connected=True)


def group(name: str, database: str, mode: CommitMode = CommitMode.SYNCHRONOUS, **more: object) -> AvailabilityGroup:
    """Return a group of two replicas with one database."""
    state = "SYNCHRONIZED" if mode is CommitMode.SYNCHRONOUS else "SYNCHRONIZING"
    made = AvailabilityGroup(
        group_id=f"id-{name}",
        name=name,
        primary=PRIMARY,
        replicas=(replica(PRIMARY, "primary", CommitMode.SYNCHRONOUS), replica(SECONDARY, "secondary", mode)),
        databases=tuple(ReplicaDatabase(database, s, state, True, False) for s in (PRIMARY, SECONDARY)),
    )
    return replace(made, **more)  # type: ignore[arg-type]  # callers name what it takes


def database(name: str, group_name: str = "", **more: object) -> ServerDatabase:
    """Return an online database with room in its log."""
    made = ServerDatabase(name, group_name, "ONLINE", "FULL", 1_000.0, 20_000.0, 0.1, is_encrypted=False)
    return replace(made, **more)  # type: ignore[arg-type]  # callers name what it takes


def topology(*groups: AvailabilityGroup, version: str = "13.0.4001.0", alone: str = "Alone") -> GroupTopology:
    """Return two servers with these groups and a standalone database."""
    groups = groups or (group("AG1", "Orders"),)
    grouped = tuple(database(name, g.name) for g in groups for name in g.database_names())
    return GroupTopology(
        connected_to=PRIMARY,
        servers=(
            ServerInfo(PRIMARY, "Primary", version, "Enterprise Edition", 8),
            ServerInfo(SECONDARY, "Secondary", version, "Enterprise Edition", 8),
        ),
        groups=groups,
        databases=(*grouped, database(alone)),
        trace_flags=(),
        volumes=(DiskVolume(PRIMARY, "D:", 100_000.0, 200_000.0),),
    )


@dataclass
class MemoryGroups:
    """Groups, trace flags and test tables as named values; every change is one value.

    Attributes:
        noise_cv: of each call of the insert loop.
        on_insert: called before each portion, to make something happen.
        lose_at: the n-th change loses the connection after it was made.
    """

    clock: MemoryClock
    start: GroupTopology
    noise_cv: float = 0.0
    is_compressible: bool = True
    on_insert: Callable[["MemoryGroups"], None] = lambda _groups: None
    lose_at: int = 0
    primary: str = PRIMARY
    log_used_share: float = 0.1
    values: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    applied: int = 0
    totals: dict[str, float] = field(default_factory=dict)
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def __post_init__(self) -> None:
        """Start with the modes found."""
        for one in self.start.groups:
            for member in one.replicas:
                self.values[f"mode of {one.name} at {member.server}"] = str(member.mode)

    # Reading

    def discover(self) -> GroupTopology:
        """Return what is there now."""
        groups = tuple(
            replace(
                one,
                primary=self.primary,
                replicas=tuple(
                    replace(r, mode=CommitMode(self.values[f"mode of {one.name} at {r.server}"])) for r in one.replicas
                ),
            )
            for one in self.start.groups
        )
        flags = tuple(
            (PRIMARY, int(k.split()[-1])) for k, v in self.values.items() if k.startswith("flag") and v == "on"
        )
        return replace(self.start, groups=groups, trace_flags=flags)

    def past_readings(self, server: str, _elapsed_s: float) -> PastReadings:
        """Return a history that tells nothing."""
        return {f"history {server}": tuple}

    def sample(self, group: str, database: str) -> GroupSample:
        """Return the totals so far."""
        self.log.append("sample")
        total = self.totals.get
        state = "SYNCHRONIZED" if group and self._mode(group) is CommitMode.SYNCHRONOUS else "SYNCHRONIZING"
        readings = (ReplicaReading(SECONDARY, state, 128.0, 0.0, 2_048.0, 0.0),) if group else ()
        return GroupSample(
            at=self.clock.now_utc().replace(tzinfo=None) + timedelta(0),
            primary=self.primary,
            readings=readings,
            commit_delay_ms=total("delay", 0.0),
            mirrored_transactions=total("inserts", 0.0),
            log_flushed_bytes=total("log", 0.0),
            sent_bytes=total("sent", 0.0),
            flow_control_ms=0.0,
            sync_commit_wait_ms=total("delay", 0.0),
            writelog_wait_ms=total("writelog", 0.0),
            log_used_share=self.log_used_share,
            free_disk_gb=100.0,
            servers=tuple(
                ServerReading(server, share * self.clock.monotonic_s() * 1_000.0, 1, 1)
                for server, share in ((PRIMARY, 0.3), (SECONDARY, 0.1))
            ),
        )

    # Planning

    def plan_mode(self, group: AvailabilityGroup, server: str, mode: CommitMode) -> tuple[Change, ...]:
        """Return the one change of a mode."""
        return self._plan(f"mode of {group.name} at {server}", str(mode))

    def plan_trace_flag(self, server: str, flag: int, *, on: bool) -> tuple[Change, ...]:
        """Return the one change of a flag."""
        return self._plan(f"flag {flag}", "on" if on else "off")

    def plan_test_tables(self, database: str, source_rows: int, owner: str) -> tuple[Change, ...]:
        """Return the one change that makes all tables."""
        return self._plan(f"tables in {database}", f"{source_rows} rows")

    def _plan(self, subject: str, new: str) -> tuple[Change, ...]:
        now = self.values.get(subject, "off" if subject.startswith("flag") else "none")
        return () if now == new else (Change("value", subject, now, new, (), f"set {subject}", f"unset {subject}"),)

    # Changing

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Nothing has to stand."""
        return ()

    def is_applied(self, change: Change) -> bool:
        """Tell whether the value is the new one."""
        return self.values.get(change.subject) == change.new

    def is_undone(self, change: Change) -> bool:
        """Tell whether the value is the original."""
        return self.values.get(change.subject, change.original) == change.original

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Nothing has to stand."""
        return ()

    def process_of(self, change: Change) -> OfProcess | None:
        """What is changed counts at once."""
        del change
        return None

    def run_of(self, change: Change) -> str:
        """No process has to start."""
        del change
        return ""

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Whoever stopped a process starts it."""
        del change, make, take_back
        return False

    def apply(self, change: Change) -> None:
        """Set the value."""
        self.log.append(f"apply {change.subject} {change.new}")
        self.values[change.subject] = change.new
        self.applied += 1
        if self.applied == self.lose_at:
            raise ConnectionLost("the connection broke")

    def undo(self, change: Change) -> None:
        """Put the original back."""
        self.log.append(f"undo {change.subject} {change.original}")
        self.values[change.subject] = change.original

    def changed(self) -> dict[str, str]:
        """Return the values that are not as they were found."""
        found = MemoryGroups(self.clock, self.start).values
        idle = {"off", "none"}
        return {k: v for k, v in self.values.items() if v != found.get(k, v if v in idle else None)}

    # Working

    def wait_synchronized(self, group: str, database: str, server: str, limit_s: float) -> None:
        """Take a moment."""
        self.clock.sleep(0.5)

    def clear_destination(self, database: str, owner: str) -> None:
        """Empty the table."""
        self.log.append(f"clear {database}")

    def insert_loop(self, database: str, inserts: int, rows_per_insert: int, owner: str) -> InsertLoop:
        """Let the time of the inserts pass: rows, statement, and for a synchronous group the way to the secondary."""
        self.on_insert(self)
        owner_group = next((g.name for g in self.start.groups if database in g.database_names()), "")
        rows = inserts * rows_per_insert
        elapsed_ms = rows * ROW_MS + inserts * INSERT_MS
        is_sync = bool(owner_group) and self._mode(owner_group) is CommitMode.SYNCHRONOUS
        compressed = self._compresses(is_sync)
        delay_ms = 0.0
        if is_sync:
            per_row = COMPRESSED_MS_PER_ROW if compressed and self.is_compressible else RAW_MS_PER_ROW
            delay_ms = inserts * ROUND_TRIP_MS + rows * per_row
        elapsed_ms = (elapsed_ms + delay_ms) * (1 + self.noise_cv * self.dice.gauss(0, 1))
        self._count(inserts, rows, delay_ms, compressed and bool(owner_group))
        self.clock.sleep(elapsed_ms / 1000)
        return InsertLoop(inserts, rows, elapsed_ms)

    def _count(self, inserts: int, rows: int, delay_ms: float, compressed: bool) -> None:
        log = rows * LOG_BYTES_PER_ROW
        grown = {
            "inserts": inserts,
            "delay": delay_ms,
            "writelog": inserts * 0.4,
            "log": log,
            "sent": log * (0.3 if compressed and self.is_compressible else 1.02),
        }
        for name, value in grown.items():
            self.totals[name] = self.totals.get(name, 0.0) + value

    def _compresses(self, is_sync: bool) -> bool:
        flags = {flag for _server, flag in self.discover().trace_flags}
        if 9591 in flags:
            return False
        if self.start.servers[0].version.startswith("12."):
            return True
        return 9592 in flags if is_sync else 1462 not in flags

    def _mode(self, name: str) -> CommitMode:
        return CommitMode(self.values[f"mode of {name} at {SECONDARY}"])


class MemoryTarget(Target):
    """A target that offers availability groups and nothing else."""

    def __init__(
        self, found: GroupTopology | None = None, make: "type[MemoryGroups]" = MemoryGroups, **how: object
    ) -> None:
        clock = MemoryClock()
        self.groups = make(clock, found or topology(), **how)  # type: ignore[arg-type]  # callers name what it takes
        ports = GroupPorts(cast(SqlServerGroups, self.groups), cast(SqlServerSeeding, None))
        offer = Offer(frozenset({AVAILABILITY_GROUPS}), ports, self.groups, frozenset({"value"}))
        super().__init__(MemoryConnection(clock), {SYSTEM_ID: offer})
