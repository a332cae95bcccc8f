"""A server's counters and disks."""

from typing import Final

from app.systems.availability_groups.lab.compression import major_version
from app.systems.availability_groups.lab.readings import DiskReading, ServerReading, WaitReading
from app.systems.availability_groups.lab.scenario import DiskConstants, ServerConstants

WAIT_TYPES: Final = (
    "HADR_DATABASE_FLOW_CONTROL",
    "HADR_SYNC_COMMIT",
    "WRITELOG",
)

SHOW_ADVANCED: Final = "show advanced options"
COMMIT_TIME: Final = "availability group commit time (ms)"
"""Server options of SQL Server 2025."""


class Disk:
    """One disk; files on it are counted, not modelled."""

    def __init__(self, constants: DiskConstants) -> None:
        self.constants = constants
        self.free_mb = constants.free_mb
        self.bytes_read = 0.0
        self.bytes_written = 0.0

    def take(self, mb: float) -> None:
        """Use space (≥ 0) or give some back (< 0)."""
        self.free_mb = min(self.constants.size_mb, max(0.0, self.free_mb - mb))

    def reading(self) -> DiskReading:
        """Return it as it is now."""
        constants = self.constants
        return DiskReading(constants.name, constants.size_mb, self.free_mb, self.bytes_read, self.bytes_written)


class Server:
    """One server of the simulation.

    Attributes:
        cores: in use now; cpu_factor: ≥ 1, how much longer computing takes because more are wanted than there are.
    """

    def __init__(self, constants: ServerConstants, trace_flag_delay_s: float) -> None:
        self.constants = constants
        self.name = constants.name
        self.is_up = True
        self.disks = {disk.name: Disk(disk) for disk in constants.disks}
        self.cpu_busy_core_s = 0.0
        self.cores = 0.0
        self.cpu_factor = 1.0
        self.bytes_sent = 0.0
        self.options = {SHOW_ADVANCED: 0, COMMIT_TIME: 0} if major_version(constants.product_version) >= 17 else {}
        self._trace_flag_delay_s = trace_flag_delay_s
        self._flags: set[int] = set()
        self._felt: dict[int, float] = {}
        self._waits = {wait_type: [0.0, 0.0] for wait_type in WAIT_TYPES}

    @property
    def data_disk(self) -> Disk:
        """The disk of its databases: the first one."""
        return next(iter(self.disks.values()))

    @property
    def backup_disk(self) -> Disk:
        """The disk of its backups where none is named: the last one."""
        return list(self.disks.values())[-1]

    def set_trace_flag(self, flag: int, on: bool, now_s: float) -> None:
        """Set or clear a global trace flag; running connections feel it after a moment."""
        if on == (flag in self._flags):
            return
        (self._flags.add if on else self._flags.discard)(flag)
        self._felt[flag] = now_s + self._trace_flag_delay_s

    def flags_felt(self, now_s: float) -> frozenset[int]:
        """Return the trace flags that running connections follow now."""
        changing = {flag for flag, felt_s in self._felt.items() if felt_s > now_s}
        return frozenset(self._flags ^ changing)

    def next_flag_s(self, now_s: float) -> float | None:
        """Return when the next change of a trace flag is felt, None for never."""
        return min((felt_s for felt_s in self._felt.values() if felt_s > now_s), default=None)

    def add_waits(self, wait_type: str, tasks: float, seconds: float) -> None:
        """Count completed waits."""
        entry = self._waits[wait_type]
        entry[0] += tasks
        entry[1] += seconds

    def reading(self) -> ServerReading:
        """Return it as it is now."""
        return ServerReading(
            name=self.name,
            is_up=self.is_up,
            product_version=self.constants.product_version,
            edition=self.constants.edition,
            cpus=self.constants.cpus,
            memory_mb=self.constants.memory_mb,
            trace_flags=tuple(sorted(self._flags)),
            cpu_busy_core_s=self.cpu_busy_core_s,
            cpu_share=min(1.0, self.cores / self.constants.cpus),
            network_bytes_sent=self.bytes_sent,
            disks=tuple(disk.reading() for disk in self.disks.values()),
            waits=tuple(WaitReading(name, round(entry[0]), entry[1] * 1e3) for name, entry in self._waits.items()),
        )
