"""One insert statement from its first row to its commit: the events of its log blocks, in order.

Log is generated row by row and closed into blocks. At the primary each block is flushed as it fills; for every
synchronized synchronous secondary it is also captured, maybe compressed, sent through a window of unacknowledged
messages over the line, hardened there and acknowledged. The commit returns when its last block is hardened locally and
acknowledged by all of them. The events of all blocks are computed stage by stage: each stage serves in order of
arrival, so that its departures follow from its arrivals (`serve_in_order`).
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.systems.availability_groups.lab.scenario import FlushConstants, InsertConstants, TransportConstants

FloatArray: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shipment:
    """The way to one synchronized synchronous secondary.

    Attributes:
        is_compressing: log goes through compression.
        bandwidth_mb_per_s: of the line, the share of this stream.
        harden_mb_per_s: of the secondary's log disk.
    """

    is_compressing: bool
    rtt_s: float
    bandwidth_mb_per_s: float
    harden_mb_per_s: float


@dataclass(frozen=True)
class StatementPath:
    """Everything that decides the time of one statement.

    Attributes:
        cpu_factor: ≥ 1, slowness of computing where processors are short.
        flush_mb_per_s: of the primary's log disk.
        shipments: () where no secondary holds commits.
    """

    rows: int
    cpu_factor: float
    flush_mb_per_s: float
    shipments: tuple[Shipment, ...]


@dataclass(frozen=True)
class StatementTimes:
    """The times of one statement, seconds from its start, and the log it writes.

    Attributes:
        generated_s: its last row is in the log.
        local_s: hardened at the primary.
        remote_s: acknowledged by the last secondary, 0 where none holds commits.
    """

    generated_s: float
    local_s: float
    remote_s: float
    log_bytes: float
    blocks: int

    @property
    def total_s(self) -> float:
        """The statement's duration: the commit waits for both."""
        return max(self.local_s, self.remote_s)

    @property
    def local_wait_s(self) -> float:
        """Wait for the local flush (WRITELOG)."""
        return self.local_s - self.generated_s

    @property
    def sync_wait_s(self) -> float:
        """Wait for secondaries after the log was complete (HADR_SYNC_COMMIT)."""
        return max(0.0, self.remote_s - self.generated_s)


class CommitPath:
    """The constants of a site, applied to statements."""

    def __init__(self, insert: InsertConstants, flush: FlushConstants, transport: TransportConstants) -> None:
        self._insert = insert
        self._flush = flush
        self._transport = transport

    def log_bytes(self, rows: int) -> float:
        """Return the log one statement of so many rows writes."""
        return rows * self._insert.log_bytes_per_row + self._insert.log_bytes_per_commit

    def statement(self, path: StatementPath) -> StatementTimes:
        """Follow one statement that finds every queue empty, as the statements of one connection do."""
        insert = self._insert
        log_bytes = self.log_bytes(path.rows)
        block_bytes = insert.log_block_kb * 1024.0
        sizes = _block_sizes(log_bytes, block_bytes)
        rows_s = path.rows * insert.row_us / 1e6 * path.cpu_factor
        work_s = rows_s + insert.statement_ms / 1e3 * path.cpu_factor
        generated_s = work_s - (1.0 - np.cumsum(sizes) / log_bytes) * rows_s
        latency_s = self._flush.latency_ms / 1e3
        flushed_s = serve_in_order(generated_s, sizes / (path.flush_mb_per_s * 1e6)) + latency_s
        remote_s = max((self._acknowledged_s(generated_s, sizes, way, path) for way in path.shipments), default=0.0)
        return StatementTimes(work_s, float(flushed_s[-1]), remote_s, log_bytes, len(sizes))

    def _acknowledged_s(self, generated_s: FloatArray, sizes: FloatArray, way: Shipment, path: StatementPath) -> float:
        """Return when a secondary has acknowledged the last block."""
        transport = self._transport
        ready_s = self._handed_over_s(generated_s, sizes)
        wire_bytes = sizes
        if way.is_compressing:
            wire_bytes = sizes * transport.compressed_share
            ready_s = serve_in_order(ready_s, sizes * transport.compress_ms_per_mb / 1e9 * path.cpu_factor)
        ready_s = self._after_first_burst(ready_s, wire_bytes, way.rtt_s)
        acknowledged_s = np.empty_like(ready_s)
        wire_free_s, harden_free_s = 0.0, 0.0
        for first in range(0, len(ready_s), transport.window_messages):
            part = slice(first, first + transport.window_messages)
            may_send_s = ready_s[part]
            if first:  # a message waits until the one a full window before it is acknowledged
                freed_s = acknowledged_s[first - transport.window_messages : first]
                may_send_s = np.maximum(may_send_s, freed_s[: len(may_send_s)])
            sent_s = serve_in_order(may_send_s, wire_bytes[part] / (way.bandwidth_mb_per_s * 1e6), wire_free_s)
            arrived_s = sent_s + way.rtt_s / 2
            hardened_s = serve_in_order(arrived_s, sizes[part] / (way.harden_mb_per_s * 1e6), harden_free_s)
            acknowledged_s[part] = hardened_s + self._flush.latency_ms / 1e3 + way.rtt_s / 2
            wire_free_s, harden_free_s = float(sent_s[-1]), float(hardened_s[-1])
        return float(acknowledged_s[-1])

    def _handed_over_s(self, generated_s: FloatArray, sizes: FloatArray) -> FloatArray:
        """Return when capture hands each block over: with its portion complete, or at the commit."""
        ends = np.cumsum(sizes)
        portion = np.floor((ends - 1.0) / (self._transport.hand_over_kb * 1024.0))
        last_of_portion = np.searchsorted(portion, portion, side="right") - 1
        return generated_s[last_of_portion]

    def _after_first_burst(self, ready_s: FloatArray, wire_bytes: FloatArray, rtt_s: float) -> FloatArray:
        """Return when blocks may enter a line that was idle: beyond the first burst it waits a round trip."""
        beyond = np.cumsum(wire_bytes) > self._transport.first_burst_kb * 1024.0
        return np.where(beyond, np.maximum(ready_s, ready_s[0] + rtt_s), ready_s)


def serve_in_order(ready_s: FloatArray, service_s: FloatArray, free_s: float = 0.0) -> FloatArray:
    """Return when each of a row of jobs leaves a stage that serves them one after the other.

    departure[i] = max(ready[i], departure[i-1]) + service[i]: with C the running sum of the service times this is
    C[i] + max over j ≤ i of (ready[j] − C[j-1]).

    Args:
        ready_s: when each may start, in order; shape (n,).
        service_s: how long each takes; shape (n,).
        free_s: when the stage is free for the first.
    """
    done = np.cumsum(service_s)
    starts: FloatArray = np.maximum.accumulate(np.maximum(ready_s, free_s) - (done - service_s))
    return starts + done


def _block_sizes(log_bytes: float, block_bytes: float) -> FloatArray:
    """Return the sizes of a statement's blocks: full ones, then the rest."""
    full, left = divmod(log_bytes, block_bytes)
    sizes = np.full(int(full) + (1 if left > 0 else 0), block_bytes)
    if left > 0:
        sizes[-1] = left
    return sizes
