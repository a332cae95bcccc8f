"""Log on its way from a primary database to one secondary: send queue, line, redo queue; linear between events."""

from dataclasses import dataclass

from app.systems.availability_groups.lab.log import TransactionLog
from app.systems.availability_groups.lab.readings import ReplicaView, SynchronizationState
from app.systems.availability_groups.lab.servers import Server

_KB = 1024.0


@dataclass
class StreamRates:
    """Present rates of a stream, MB are 10⁶ bytes of log.

    Attributes:
        inflow_mb_per_s: log the primary generates; send_mb_per_s, redo_mb_per_s: what sending and redo can do.
        wire_share: bytes on the line per byte of log.
        is_compressing: log goes through compression.
        compress_core_s_per_mb, decompress_core_s_per_mb, redo_core_s_per_mb: processor time at either side.
        window_mb: log in a full send window. message_mb: log in one message.
    """

    inflow_mb_per_s: float = 0.0
    send_mb_per_s: float = 0.0
    redo_mb_per_s: float = 0.0
    wire_share: float = 1.0
    is_compressing: bool = False
    compress_core_s_per_mb: float = 0.0
    decompress_core_s_per_mb: float = 0.0
    redo_core_s_per_mb: float = 0.0
    window_mb: float = 1.0
    message_mb: float = 1.0
    redo_workers: int = 1


class LogStream:
    """One database at one joined secondary.

    Attributes:
        synchronized_at_s: when it will be SYNCHRONIZED, None where that is not on its way.
        missed_since_s: since when the secondary no longer answers while commits still wait for it.
    """

    def __init__(self, log: TransactionLog, primary: Server, secondary: Server, from_bytes: float) -> None:
        self.log = log
        self.primary = primary
        self.secondary = secondary
        self.state = SynchronizationState.NOT_SYNCHRONIZING
        self.is_suspended = False
        self.rates = StreamRates()
        self.synchronized_at_s: float | None = None
        self.missed_since_s: float | None = None
        self.send_queue_mb = (log.end_bytes - from_bytes) / 1e6
        self.redo_queue_mb = 0.0
        self.sent_mb = 0.0
        self.wire_mb = 0.0
        self.compressed_mb = 0.0
        self.redone_mb = 0.0
        self.flow_control_s = 0.0
        self.flow_controls = 0.0
        self.last_send_mb_per_s = 0.0
        self.last_redo_mb_per_s = 0.0

    @property
    def is_synchronized(self) -> bool:
        """Commits wait for it."""
        return self.state is SynchronizationState.SYNCHRONIZED

    @property
    def hardened_bytes(self) -> float:
        """How far its log reaches."""
        return self.log.end_bytes - self.send_queue_mb * 1e6

    @property
    def redone_bytes(self) -> float:
        """How far its data reach."""
        return self.hardened_bytes - self.redo_queue_mb * 1e6

    @property
    def redo_left_s(self) -> float:
        """Return the time of redo for the queue, 0 where nothing is redone."""
        rate = self.rates.redo_mb_per_s
        return self.redo_queue_mb / rate if rate > 0.0 else 0.0

    def view(self, server: str) -> ReplicaView:
        """Return its row of a view: its queues, and the rates of this moment or the last that were not 0."""
        rates = self.rates
        sent_mb_per_s = rates.send_mb_per_s if self.send_queue_mb > 0.0 else rates.inflow_mb_per_s
        redo_mb_per_s = rates.redo_mb_per_s if self.redo_queue_mb > 0.0 else self.last_redo_mb_per_s
        sending = self.send_queue_mb, sent_mb_per_s or self.last_send_mb_per_s
        kb = [mb * 1e6 / _KB for mb in (*sending, self.redo_queue_mb, redo_mb_per_s)]
        return ReplicaView(server, self.state.value, *kb)

    def redoing_mb_per_s(self, sent_mb_per_s: float) -> float:
        """Return how fast redo goes where so much arrives."""
        rate = self.rates.redo_mb_per_s
        return rate if self.redo_queue_mb > 0.0 else min(sent_mb_per_s, rate)

    def empty_in_s(self) -> float | None:
        """Return in how many seconds the send queue is empty at the present rates, None for never or already."""
        rates = self.rates
        spare_mb_per_s = rates.send_mb_per_s - rates.inflow_mb_per_s
        if self.send_queue_mb <= _NOTHING_MB or spare_mb_per_s <= 0.0:
            return None
        return self.send_queue_mb / spare_mb_per_s

    def pass_time(self, dt_s: float, now_s: float) -> None:
        """Let time pass at the present rates; the log was already written up to now."""
        for part_s, sent_mb_per_s in self._sending(dt_s):
            self._redo(part_s, sent_mb_per_s, now_s)
            if sent_mb_per_s > 0.0:
                self._count_sent(part_s * sent_mb_per_s)
                self.last_send_mb_per_s = sent_mb_per_s

    def _sending(self, dt_s: float) -> list[tuple[float, float]]:
        """Drain the send queue; return the stretches of time with the rate sent in each."""
        rates = self.rates
        before_mb = self.send_queue_mb
        self.send_queue_mb, parts = _drain(before_mb, rates.inflow_mb_per_s, rates.send_mb_per_s, dt_s)
        for part_s, sent_mb_per_s in parts:
            after_mb = max(0.0, before_mb + (rates.inflow_mb_per_s - sent_mb_per_s) * part_s)
            over_s = _time_above(before_mb, after_mb, rates.window_mb, part_s)
            if over_s > 0.0 and sent_mb_per_s > 0.0:
                controls = over_s * sent_mb_per_s / rates.message_mb
                self.flow_control_s += over_s
                self.flow_controls += controls
                self.primary.add_waits("HADR_DATABASE_FLOW_CONTROL", controls, over_s)
            before_mb = after_mb
        return parts

    def _redo(self, dt_s: float, arriving_mb_per_s: float, now_s: float) -> None:
        rates = self.rates
        self.redo_queue_mb, parts = _drain(self.redo_queue_mb, arriving_mb_per_s, rates.redo_mb_per_s, dt_s)
        for part_s, redone_mb_per_s in parts:
            if redone_mb_per_s > 0.0:
                self.last_redo_mb_per_s = redone_mb_per_s
                self.redone_mb += part_s * redone_mb_per_s
                self.secondary.cpu_busy_core_s += part_s * redone_mb_per_s * rates.redo_core_s_per_mb

    def _count_sent(self, sent_mb: float) -> None:
        rates = self.rates
        wire_mb = sent_mb * rates.wire_share
        self.sent_mb += sent_mb
        self.wire_mb += wire_mb
        self.primary.bytes_sent += wire_mb * 1e6
        self.secondary.data_disk.bytes_written += sent_mb * 1e6
        if rates.is_compressing:
            self.compressed_mb += sent_mb
            self.primary.cpu_busy_core_s += sent_mb * rates.compress_core_s_per_mb
            self.secondary.cpu_busy_core_s += sent_mb * rates.decompress_core_s_per_mb


# Less than a byte of log is nothing: what is left by rounding must not keep a queue busy.
_NOTHING_MB = 1e-6


def _drain(queue_mb: float, inflow: float, service: float, dt_s: float) -> tuple[float, list[tuple[float, float]]]:
    """Return a queue's content after `dt_s`, and the stretches of time with the rate that left it in each."""
    if queue_mb <= _NOTHING_MB:
        queue_mb = 0.0
    if queue_mb > 0.0 and inflow >= service:
        return queue_mb + (inflow - service) * dt_s, [(dt_s, service)]
    empty_s = queue_mb / (service - inflow) if queue_mb > 0.0 else 0.0
    if empty_s >= dt_s and queue_mb > 0.0:
        return max(0.0, queue_mb + (inflow - service) * dt_s), [(dt_s, service)]
    left_s = dt_s - empty_s
    parts = [(empty_s, service)] if empty_s > 0.0 else []
    return max(0.0, inflow - service) * left_s, [*parts, (left_s, min(inflow, service))]


def _time_above(before: float, after: float, limit: float, dt_s: float) -> float:
    """Return how long a quantity that goes in a straight line is above a limit."""
    low, high = min(before, after), max(before, after)
    if high <= limit:
        return 0.0
    return dt_s if low >= limit else dt_s * (high - limit) / (high - low)
