"""Backups, restores, joins and seedings: steps of a known size, each at a rate the pipeline decides."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from app.systems.availability_groups.lab.readings import (
    BackupOptions,
    Failure,
    OperationKind,
    OperationReading,
    OperationStatus,
)
from app.systems.availability_groups.lab.servers import Disk, Server
from app.systems.availability_groups.lab.stages import Stage, pipeline_mb_per_s
from app.systems.availability_groups.lab.state import Database

_NOTHING = 1e-9


class StepKind(Enum):
    """The kind of an operation's step; amounts are seconds to wait, MB to zero, MB of database to move."""

    WAIT = "wait"
    ZERO = "zero"
    MOVE = "move"


@dataclass(frozen=True)
class Step:
    """One step of an operation."""

    kind: StepKind
    amount: float


@dataclass(frozen=True)
class Flow:
    """How an operation moves data under present conditions; shares are MB per MB of database.

    Attributes:
        source_core_s_per_mb, target_core_s_per_mb: processor time at either side; with one server, the source's.
        zero_mb_per_s: what its disk zeroes.
    """

    stages: tuple[Stage, ...]
    buffers: int
    buffer_mb: float
    read_share: float
    wire_share: float
    write_share: float
    source_core_s_per_mb: float
    target_core_s_per_mb: float
    zero_mb_per_s: float

    def rate_mb_per_s(self) -> float:
        """Return the steady rate, MB of database per second."""
        return pipeline_mb_per_s(self.stages, self.buffers, self.buffer_mb)

    def wait_s_per_mb(self, *names: str) -> float:
        """Return the time a MB spends in some stages, latency included."""
        stages = [stage for stage in self.stages if stage.name in names]
        return sum(stage.ms_per_mb + stage.latency_ms / self.buffer_mb for stage in stages) / 1e3


class CopyOperation:
    """One backup, restore, join or seeding.

    Attributes:
        source, target: servers; the same one for a backup.
        read_disk, write_disk: None where nothing is read or written.
        factor: slowness of this operation.
        from_bytes, to_bytes: log positions: where the copy will stand if nothing but it is restored; what a log
            backup covers from and to.
        flow: present conditions, set after every change.
    """

    def __init__(
        self,
        operation_id: int,
        kind: OperationKind,
        database: Database,
        servers: tuple[Server, Server],
        disks: tuple[Disk | None, Disk | None],
        steps: Sequence[Step],
        options: BackupOptions,
        now_s: float,
    ) -> None:
        self.operation_id = operation_id
        self.kind = kind
        self.database = database
        self.source, self.target = servers
        self.read_disk, self.write_disk = disks
        self.options = options
        self.factor = 1.0
        self.from_bytes = 0.0
        self.to_bytes = database.log.end_bytes
        self.flow: Flow | None = None
        self.is_compressed = False
        self.attempts = 1
        self.status = OperationStatus.RUNNING
        self.failure = Failure.NONE
        self.taken_mb = 0.0
        self._group = "" if database.group is None else database.group.name
        self._steps = [step for step in steps if step.amount > 0.0]
        self._step = 0
        self._step_done = 0.0
        self._start_s = now_s
        self._end_s: float | None = None
        self.database_mb = sum(step.amount for step in steps if step.kind is StepKind.MOVE)
        self._moved_mb = 0.0
        self._read_mb = self._sent_mb = self._written_mb = 0.0
        self._disk_wait_s = self._network_wait_s = 0.0

    @property
    def is_running(self) -> bool:
        """It has not ended."""
        return self.status is OperationStatus.RUNNING

    @property
    def is_moving(self) -> bool:
        """Data are on their way."""
        return self.is_running and self._step < len(self._steps) and self._steps[self._step].kind is StepKind.MOVE

    @property
    def is_done(self) -> bool:
        """Tell whether every step is done, so that its consequences may follow."""
        return self.is_running and self._step == len(self._steps)

    def rate_mb_per_s(self) -> float:
        """Return the present rate."""
        if not self.is_moving or self.flow is None:
            return 0.0
        return self.flow.rate_mb_per_s() / self.factor

    def _step_rate(self) -> float:
        kind = self._steps[self._step].kind
        if kind is StepKind.MOVE:
            return self.rate_mb_per_s()
        if kind is StepKind.ZERO and self.flow is not None:
            return self.flow.zero_mb_per_s / self.factor
        return 1.0

    def next_change_s(self) -> float | None:
        """Return in how many seconds its present step ends, or its disk is full."""
        if not self.is_running or self._step == len(self._steps):
            return None
        rate = self._step_rate()
        left_s = (self._steps[self._step].amount - self._step_done) / rate
        if self.is_moving and self.flow is not None and self.write_disk is not None:
            left_s = min(left_s, self.write_disk.free_mb / (rate * self.flow.write_share))
        return max(0.0, left_s)

    def pass_time(self, dt_s: float) -> None:
        """Let time pass at the present rate; a step never ends within, as its end is an event."""
        if not self.is_running or self._step == len(self._steps):
            return
        step, rate = self._steps[self._step], self._step_rate()
        done = min(rate * dt_s, step.amount - self._step_done)
        self._step_done += done
        if step.kind is StepKind.MOVE and self.flow is not None:
            self._move(done, self.flow)
        elif step.kind is StepKind.ZERO and self.write_disk is not None:
            self.write_disk.bytes_written += done * 1e6
        if self._step_done >= step.amount - _NOTHING * max(1.0, step.amount):
            self._step += 1
            self._step_done = 0.0

    def _move(self, moved_mb: float, flow: Flow) -> None:
        self._moved_mb += moved_mb
        self._read_mb += moved_mb * flow.read_share
        self._sent_mb += moved_mb * flow.wire_share
        self._written_mb += moved_mb * flow.write_share
        self._disk_wait_s += moved_mb * flow.wait_s_per_mb("read", "write")
        self._network_wait_s += moved_mb * flow.wait_s_per_mb("line")
        self.source.cpu_busy_core_s += moved_mb * flow.source_core_s_per_mb
        self.target.cpu_busy_core_s += moved_mb * flow.target_core_s_per_mb
        if self.read_disk is not None:
            self.read_disk.bytes_read += moved_mb * flow.read_share * 1e6
        self.source.bytes_sent += moved_mb * flow.wire_share * 1e6
        if self.write_disk is not None:
            self.write_disk.bytes_written += moved_mb * flow.write_share * 1e6
            self.write_disk.take(moved_mb * flow.write_share)
            self.taken_mb += moved_mb * flow.write_share

    @property
    def is_out_of_space(self) -> bool:
        """It must write and cannot."""
        return self.is_moving and self.write_disk is not None and self.write_disk.free_mb <= _NOTHING

    def end(self, status: OperationStatus, failure: Failure, now_s: float) -> None:
        """End it; space taken by one that did not complete is given back."""
        self.status, self.failure, self._end_s = status, failure, now_s
        self.database.holds.pop(self.operation_id, None)
        if status is not OperationStatus.COMPLETED:
            self.give_back()

    def give_back(self) -> None:
        """Delete its written files."""
        if self.write_disk is not None:
            self.write_disk.take(-self.taken_mb)
        self.taken_mb = 0.0

    def reading(self, now_s: float) -> OperationReading:
        """Return it as it is now."""
        rate = self.rate_mb_per_s()
        left_mb = self.database_mb - self._moved_mb
        return OperationReading(
            operation_id=self.operation_id,
            kind=self.kind,
            database=self.database.name,
            group=self._group,
            source=self.source.name,
            target=self.target.name,
            status=self.status,
            failure=self.failure,
            start_s=self._start_s,
            end_s=self._end_s,
            database_mb=self.database_mb,
            moved_mb=self._moved_mb,
            read_mb=self._read_mb,
            sent_mb=self._sent_mb,
            written_mb=self._written_mb,
            rate_mb_per_s=rate,
            estimated_end_s=now_s + left_mb / rate if rate > 0.0 and math.isfinite(rate) else None,
            disk_wait_s=self._disk_wait_s,
            network_wait_s=self._network_wait_s,
            is_compressed=self.is_compressed,
            options=self.options,
            attempts=self.attempts,
        )
