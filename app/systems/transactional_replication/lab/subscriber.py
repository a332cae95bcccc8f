"""How long the Subscriber takes for batches of commands on several streams."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.systems.transactional_replication.lab.link import Link, time_alone_over_wire_s, time_over_wire_s
from app.systems.transactional_replication.lab.scenario import DistributionAgentConstants
from app.systems.transactional_replication.lab.transactions import FloatArray, IntArray

# Below this busy share of the wire, waiting for it costs a deterministic queue under 3 % of one transmission, which
# is itself a small part of a command: following every command would change nothing.
_BUSY_WIRE_SHARE: Final = 0.05


@dataclass(frozen=True)
class Connections:
    """How one Distribution Agent session talks to its Subscriber."""

    streams: int
    packet_size_bytes: int


class Subscriber:
    """Apply cost of one Subscriber: streams, locks of open transactions, interference, commits, the link."""

    def __init__(self, constants: DistributionAgentConstants, link: Link, cpu_count: int) -> None:
        self._constants = constants
        self._link = link
        self._cpu_count = cpu_count

    def failure_probability(self, streams: int) -> float:
        """Return the probability that a batch fails because two of its streams collide."""
        pairs = streams * (streams - 1) / 2
        return 1.0 - math.pow(1.0 - self._constants.stream_pair_failure_probability, pairs)

    def batch_durations_s(self, commands: IntArray, connections: Connections, draw: np.random.Generator) -> FloatArray:
        """Return the time from begin to commit of each batch, shape (n,), seconds.

        The commands of a batch are hashed over the streams (a multinomial draw); all streams meet at a barrier and
        then commit one after the other, one round trip each.
        """
        streams = connections.streams
        shares = commands[:, np.newaxis]
        if streams > 1:
            shares = draw.multinomial(commands, np.full(streams, 1.0 / streams))
        work_s = self._work_s(shares, connections)
        return work_s + self._constants.batch_ms / 1e3 + streams * self._link.rtt_s

    def _work_s(self, shares: IntArray, connections: Connections) -> FloatArray:
        """Return the time until the slowest stream is done, for shares of shape (batches, streams)."""
        send_s = self._link.send_s(connections.packet_size_bytes)
        turnaround_s = self._command_s(shares, connections.streams) + self._link.turnaround_s
        unhindered_s: FloatArray = (shares * (turnaround_s + send_s)).max(axis=1)
        if float((shares.sum(axis=1) * send_s / unhindered_s).max()) < _BUSY_WIRE_SHARE:
            return unhindered_s
        if connections.streams == 1:
            return time_alone_over_wire_s(shares[:, 0], turnaround_s[:, 0], send_s)
        rows: Sequence[Sequence[int]] = shares.tolist()
        waits: Sequence[Sequence[float]] = turnaround_s.tolist()
        return np.array([time_over_wire_s(row, wait, send_s) for row, wait in zip(rows, waits, strict=True)])

    def _command_s(self, shares: IntArray, streams: int) -> FloatArray:
        """Return the mean time to apply one command of each share, same shape, seconds.

        Locks held by an open transaction make each further command dearer (linear growth, so half of it on
        average); streams disturb each other pairwise (the coherency term of the universal scalability law); more
        streams than processors share them.
        """
        constants = self._constants
        unit_s = constants.apply_us_per_command / 1e6
        if streams > 1:
            unit_s *= 1.0 + constants.several_streams_share
        unit_s *= 1.0 + constants.interference_share_per_stream_pair * streams * (streams - 1) / 2
        unit_s *= max(1.0, streams / self._cpu_count)
        growth = shares.astype(np.float64) * (constants.lock_growth_share_per_1000_commands / 2000.0)
        return (1.0 + growth) * unit_s
