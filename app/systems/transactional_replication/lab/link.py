"""The line from the Distributor to one Subscriber: a first-in-first-out wire and round trips."""

import heapq
from collections.abc import Sequence
from typing import Final

import numpy as np

from app.systems.transactional_replication.lab.scenario import LinkConstants
from app.systems.transactional_replication.lab.transactions import FloatArray, IntArray

DEFAULT_PACKET_BYTES: Final = 4096


class Link:
    """One model for LAN and WAN; only the constants differ."""

    def __init__(self, constants: LinkConstants) -> None:
        self._constants = constants

    @property
    def rtt_s(self) -> float:
        """Round-trip time in seconds."""
        return self._constants.rtt_ms / 1e3

    @property
    def turnaround_s(self) -> float:
        """Waiting for answers per command on one stream, seconds: round trips per command times their duration."""
        return self._constants.round_trips_per_command * self.rtt_s

    def bytes_per_command(self, packet_size_bytes: int) -> float:
        """Return the bytes one command puts on the wire; larger packets carry fewer headers."""
        headers = self._constants.bytes_per_packet
        return (
            self._constants.bytes_per_command
            * (1.0 + headers / packet_size_bytes)
            / (1.0 + headers / DEFAULT_PACKET_BYTES)
        )

    def send_s(self, packet_size_bytes: int) -> float:
        """Return how long one command occupies the wire, seconds."""
        return self.bytes_per_command(packet_size_bytes) * 8.0 / (self._constants.bandwidth_kbps * 1e3)


def time_over_wire_s(commands: Sequence[int], turnarounds_s: Sequence[float], send_s: float) -> float:
    """Return when the last stream is done with its share of a batch, seconds after the batch began.

    Every stream sends a command over the shared wire (first come, first served), then waits its turnaround before
    the next one: a closed queue, followed command by command.

    Args:
        commands: commands of each stream.
        turnarounds_s: per stream, the time from the end of sending until it may send again.
        send_s: time one command occupies the wire.
    """
    left = list(commands)
    heap = [(0.0, stream) for stream, count in enumerate(left) if count]
    wire_free_s = done_s = last_s = 0.0
    while heap:
        ready_s, stream = heap[0]
        wire_free_s = (ready_s if ready_s > wire_free_s else wire_free_s) + send_s
        done_s = wire_free_s + turnarounds_s[stream]
        left[stream] -= 1
        if left[stream]:
            heapq.heapreplace(heap, (done_s, stream))
        else:
            heapq.heappop(heap)
            last_s = max(last_s, done_s)
    return last_s


def time_alone_over_wire_s(commands: IntArray, turnarounds_s: FloatArray, send_s: float) -> FloatArray:
    """Return when one stream is done with each of several batches, to the last digit as `time_over_wire_s` does.

    Args:
        commands: of each batch, shape (n,). turnarounds_s: of each batch. send_s: as there.
    """
    steps_s = np.empty((len(commands), 2 * int(commands.max())))
    steps_s[:, 0::2] = send_s
    steps_s[:, 1::2] = turnarounds_s[:, np.newaxis]
    done_s: FloatArray = np.cumsum(steps_s, axis=1)[np.arange(len(commands)), 2 * commands - 1]
    return done_s
