"""A group in memory that seeds a database in virtual time: it implements the ports, as a server would answer."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import cast

from app.domain.change import Change, StillRunning
from app.domain.errors import BadInput, ConnectionLost, PermissionDenied
from app.domain.happening import Happening, PastReadings
from app.domain.ports import ServerChanges
from app.domain.target import Offer, Target
from app.systems.availability_groups.copies import (
    BackupOptions,
    SeedingEvent,
    SeedingMethod,
    SeedingRequirements,
    SeedingStep,
)
from app.systems.availability_groups.groups import DiskVolume, GroupTopology
from app.systems.availability_groups.offer import GroupPorts
from app.systems.availability_groups.readings import SeedingSample, SeedingServerReading
from app.systems.availability_groups.seeding_server import SqlServerSeeding
from app.systems.availability_groups.server import SqlServerGroups
from app.systems.availability_groups.subjects import CAPABILITIES, SYSTEM_ID
from tests.labs import MemoryConnection
from tests.unit.runner.groups import PRIMARY, SECONDARY, topology
from tests.unit.runner.memory import MemoryClock

BACKUP_MB_PER_S, RESTORE_MB_PER_S, DIRECT_MB_PER_S = 50.0, 25.0, 100.0
JOIN_S = 2.0
STREAM_RATIO, BACKUP_RATIO = 2.5, 5.0
REDO_MB_PER_S, REDO_QUEUE_MB = 10.0, 40.0
FLAG_DELAY_S = 3.0
SEEDING_MODE, FLAG, MEMBER, EVENTS = "seeding mode", "flag 9567", "member", "event session"
FOUND = {SEEDING_MODE: "manual", FLAG: "off", MEMBER: "none", EVENTS: "none"}

_START = datetime(2026, 1, 1, tzinfo=UTC)


def site(**more: object) -> GroupTopology:
    """Return two servers with one group, a standalone database and room on both disks."""
    volumes = tuple(DiskVolume(server, "D:", 100_000.0, 200_000.0) for server in (PRIMARY, SECONDARY))
    return replace(topology(), **{"volumes": volumes, **more})  # type: ignore[arg-type]  # callers name what it takes


@dataclass
class MemorySeeding:
    """Seeding, trace flags and changes; every change is one named value.

    Attributes:
        on_sample: called before each reading, to make something happen.
        fails_after_s: the servers say that the seeding failed; never_begins: nothing happens at all.
        lose_at: the n-th change loses the connection after it was made.
        ran: what each server's history tells, only to be read at the primary.
    """

    clock: MemoryClock
    found: GroupTopology
    mode: str = "manual"
    database_mb: float = 5_000.0
    other_seedings: int = 0
    free_backup_mb: float | None = None
    on_sample: Callable[["MemorySeeding"], None] = lambda _seeding: None
    fails_after_s: float = float("inf")
    never_begins: bool = False
    flag_delay_s: float = FLAG_DELAY_S
    lose_at: int = 0
    ran: tuple[Happening, ...] = ()
    primary: str = PRIMARY
    log_used_share: float = 0.1
    free_disk_gb: float = 50.0
    values: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    began_s: float | None = None
    method: SeedingMethod = SeedingMethod.DIRECT
    compresses: bool = False
    applied: int = 0
    flag_since_s: float = -1e9
    noise_cv: float = 0.0
    link_mb_per_s: float = 1_000.0
    is_compressible: bool = True
    luck: float = 1.0
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def __post_init__(self) -> None:
        """Start as found."""
        self.values = {**FOUND, SEEDING_MODE: self.mode}

    # What is read

    def discover(self) -> GroupTopology:
        """Return what is there."""
        return self.found

    def check(self, group: str, database: str, secondary: str, folder: str) -> None:
        """Refuse a database without a full backup."""
        if self.requirements(group, database, secondary, folder).last_full_backup is None:
            raise BadInput(f"database {database} has no full backup; take one first")

    def requirements(self, group: str, database: str, secondary: str, folder: str) -> SeedingRequirements:
        """Return what must hold."""
        return SeedingRequirements(
            database_mb=self.database_mb,
            free_primary_mb=90_000.0,
            free_secondary_mb=90_000.0,
            free_backup_mb=self.free_backup_mb,
            seeding_mode=self.values[SEEDING_MODE],
            may_create_any=True,
            recovery_model="FULL",
            last_full_backup=None if database == "NeverBackedUp" else _START,
            other_seedings=self.other_seedings,
        )

    def past_readings(self, server: str, elapsed_s: float, database: str) -> PastReadings:
        """Return one reading of each server's history."""
        return {f"history {server}": lambda: self._past(server, elapsed_s, database)}

    def _past(self, server: str, elapsed_s: float, database: str) -> tuple[Happening, ...]:
        self.log.append(f"history of {server}: {elapsed_s:.0f} s of {database}")
        if server != PRIMARY:
            raise PermissionDenied("SELECT on backupset")
        return self.ran

    # What is planned

    def plan_trace_flag(self, server: str, flag: int, *, on: bool) -> tuple[Change, ...]:
        """Return the change of a flag."""
        return self._plan(f"flag {flag}", "on" if on else "off")

    def plan_test_database(self, group: str, name: str, size_mb: int, compressible_share: float) -> tuple[Change, ...]:
        """Return the change that makes it."""
        self.database_mb = float(size_mb)
        return self._plan(f"database {name}", f"{size_mb} MB")

    def plan_membership(self, group: str, database: str, secondary: str) -> tuple[Change, ...]:
        """Return the change that takes it in."""
        if self.values[MEMBER] != "none":
            raise BadInput(f"{database} belongs to a group already")
        return self._plan(MEMBER, database)

    def plan_seeding_mode(self, group: str, secondary: str, mode: str) -> tuple[Change, ...]:
        """Return the change of the mode."""
        return self._plan(SEEDING_MODE, mode)

    def plan_event_session(self, owner: str) -> tuple[Change, ...]:
        """Return the change that makes the session."""
        return self._plan(EVENTS, owner)

    def _plan(self, subject: str, new: str) -> tuple[Change, ...]:
        now = self.values.get(subject, "none")
        return () if now == new else (Change("value", subject, now, new, (), f"set {subject}", f"unset {subject}"),)

    # What is changed

    def process_of(self, change: Change) -> None:
        """What is changed counts at once."""

    def quiesce(self, changes: object) -> tuple[StillRunning, ...]:
        """Nothing has to stand."""
        return ()

    def apply(self, change: Change) -> None:
        """Set the value."""
        self._set(change.subject, change.new)
        self.applied += 1
        if self.applied == self.lose_at:
            raise ConnectionLost("the connection broke")

    def undo(self, change: Change) -> None:
        """Put the original back; leaving the group, or the seeding mode MANUAL, ends what is in flight."""
        self._set(change.subject, change.original)

    def _set(self, subject: str, value: str) -> None:
        self.log.append(f"{subject} = {value}")
        self.values[subject] = value
        if subject == FLAG:
            self.flag_since_s = self.clock.monotonic_s()
        if subject in (MEMBER, SEEDING_MODE) and value in ("none", "manual"):
            self.began_s = None

    def changed(self) -> dict[str, str]:
        """Return the values that are not as they were found."""
        found = {**FOUND, SEEDING_MODE: self.mode}
        return {k: v for k, v in self.values.items() if v != found.get(k, "none")}

    # What is done

    def start(self, method: SeedingMethod, group: str, database: str, secondary: str, options: BackupOptions) -> None:
        """Begin, as a server would: joined at the primary, and for a direct method with the mode AUTOMATIC."""
        assert self.values[MEMBER] == database
        assert (self.values[SEEDING_MODE] == "automatic") is (method is not SeedingMethod.BACKUP_RESTORE)
        self.log.append(f"start {method} {options.stripes}")
        self.method, self.began_s = method, self.clock.monotonic_s()
        settled = self.clock.monotonic_s() - self.flag_since_s >= self.flag_delay_s
        self.compresses = (self.values[FLAG] == "on") is settled and self.is_compressible
        self.luck = 1 + self.noise_cv * self.dice.gauss(0, 1)

    def _elapsed_s(self) -> float:
        assert self.began_s is not None
        return self.clock.monotonic_s() - self.began_s

    def _parts(self) -> tuple[tuple[str, float], ...]:
        """Return (step, seconds) in order."""
        mb = self.database_mb * self.luck
        if self.method is SeedingMethod.BACKUP_RESTORE:
            return ("backup", mb / BACKUP_MB_PER_S), ("restore", mb / RESTORE_MB_PER_S), ("join", JOIN_S)
        return (("seeding", mb / self._direct_mb_per_s()),)

    def _direct_mb_per_s(self) -> float:
        return min(DIRECT_MB_PER_S, self.link_mb_per_s * (STREAM_RATIO if self.compresses else 1.0))

    def sample(self, group: str, database: str, secondary: str) -> SeedingSample:
        """Return how far it is."""
        self.on_sample(self)
        elapsed_s = self._elapsed_s()
        total_s = sum(seconds for _name, seconds in self._parts())
        read_mb, written_mb = self._moved(elapsed_s)
        backup = self.method is SeedingMethod.BACKUP_RESTORE
        ratio = BACKUP_RATIO if backup else STREAM_RATIO if self.compresses else 1.0
        state = "not started" if self.never_begins else "complete" if elapsed_s >= total_s else "running"
        state = "failed" if elapsed_s >= self.fails_after_s else state
        queue_mb = max(0.0, REDO_QUEUE_MB - REDO_MB_PER_S * (elapsed_s - total_s)) if elapsed_s >= total_s else 0.0
        return SeedingSample(
            at=_START + timedelta(seconds=self.clock.monotonic_s()),
            primary=self.primary,
            state=state,
            failure="the disk is full." if state == "failed" else "",
            read_mb=read_mb,
            sent_mb=written_mb / ratio,
            written_mb=written_mb,
            servers=self._servers(read_mb, written_mb),
            redo_queue_kb=queue_mb * 1024,
            redo_rate_kb_per_s=REDO_MB_PER_S * 1024 if queue_mb else 0.0,
            parallel_redo_threads=2,
            log_used_share=self.log_used_share,
            free_disk_gb=self.free_disk_gb,
        )

    def _servers(self, read_mb: float, written_mb: float) -> tuple[SeedingServerReading, ...]:
        """Return both servers with the totals of their processors and disks."""
        busy_ms = self.clock.monotonic_s() * 1_000.0
        primary_ms = busy_ms * (0.95 if self.compresses else 0.6)
        return (
            SeedingServerReading(PRIMARY, primary_ms, 1, 1, 1_000.0 + read_mb, 0.0),
            SeedingServerReading(SECONDARY, busy_ms * 0.5, 1, 1, 0.0, 500.0 + written_mb),
        )

    def _moved(self, elapsed_s: float) -> tuple[float, float]:
        if self.method is not SeedingMethod.BACKUP_RESTORE:
            done = min(self.database_mb, elapsed_s * self._direct_mb_per_s() / self.luck)
            return done, done
        backup_s = self.database_mb / BACKUP_MB_PER_S * self.luck
        written = max(0.0, min(self.database_mb, (elapsed_s - backup_s) * RESTORE_MB_PER_S / self.luck))
        return min(self.database_mb, elapsed_s * BACKUP_MB_PER_S / self.luck), written

    def steps(self, group: str, database: str, secondary: str) -> tuple[SeedingStep, ...]:
        """Return the steps of the newest one."""
        assert self.began_s is not None
        begin, made = _START + timedelta(seconds=self.began_s), []
        for name, seconds in self._parts():
            end = begin + timedelta(seconds=seconds)
            made.append(SeedingStep(name, begin, end, self.database_mb))
            begin = end
        return tuple(made)

    def events(self, owner: str) -> tuple[SeedingEvent, ...]:
        """Return an old event and one of the newest seeding."""
        assert self.values[EVENTS] == owner
        assert self.began_s is not None
        now = _START + timedelta(seconds=self.began_s)
        return SeedingEvent(_START - timedelta(days=1), "old", ""), SeedingEvent(now, "start", "")


class MemorySeedingTarget(Target):
    """A target that offers a group and its seeding."""

    def __init__(self, found: GroupTopology | None = None, **how: object) -> None:
        clock = self.memory_clock = MemoryClock()
        self.seeding = MemorySeeding(clock, found or site(), **how)  # type: ignore[arg-type]  # callers name what it takes
        ports = GroupPorts(cast(SqlServerGroups, self.seeding), cast(SqlServerSeeding, self.seeding))
        offer = Offer(frozenset(CAPABILITIES), ports, cast(ServerChanges, self.seeding), frozenset({"value"}))
        super().__init__(MemoryConnection(clock), {SYSTEM_ID: offer})
