"""Parameters of the lab's agents at their start, and the state they report."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.lab.clock import Stopwatch
from app.systems.transactional_replication.subjects import DISTRIBUTION, LOG_READER

_KEPT_DELIVERIES: Final = 2_000


DEFAULT_READ_BATCH_SIZE: Final = 500


@dataclass(frozen=True)
class LogReaderSettings:
    """Parameters of a Log Reader Agent, read when it starts."""

    read_batch_size: int = DEFAULT_READ_BATCH_SIZE
    read_batch_threshold: int = 0
    polling_interval_s: float = 5.0


@dataclass(frozen=True)
class DistributionSettings:
    """Parameters of a Distribution Agent, read when it starts."""

    commit_batch_size: int = 100
    commit_batch_threshold: int = 1000
    subscription_streams: int = 1
    packet_size_bytes: int = 4096
    polling_interval_s: float = 5.0


LOG_READER_PARAMETERS: Final = {
    "ReadBatchSize": "read_batch_size",
    "ReadBatchThreshold": "read_batch_threshold",
    "PollingInterval": "polling_interval_s",
}
"""The parameters that count for a simulated Log Reader Agent, by the vendor's name, with their field."""

DISTRIBUTION_PARAMETERS: Final = {
    "CommitBatchSize": "commit_batch_size",
    "CommitBatchThreshold": "commit_batch_threshold",
    "SubscriptionStreams": "subscription_streams",
    "PacketSize": "packet_size_bytes",
    "PollingInterval": "polling_interval_s",
}
"""The parameters that count for a simulated Distribution Agent, by the vendor's name, with their field."""

SIMULATED: Final = {
    LOG_READER: frozenset(LOG_READER_PARAMETERS),
    DISTRIBUTION: frozenset(DISTRIBUTION_PARAMETERS),
}
"""The parameters a trial can vary here; any other would be set and change nothing."""


@dataclass(slots=True)  # not frozen: one is made for each agent in each tick, and freezing makes that slow
class AgentState:
    """One agent as the simulation knows it now; times in seconds of the virtual clock.

    Attributes:
        running: its process exists (also while it is stopping).
        session_start_s: start of its newest session, None before the first.
        delivered_transactions, delivered_commands: totals of that session.
        total_delivered_commands: since the lab was built.
        last_delivery_s: when it last committed a batch, None before.
        latency_s: age of the newest delivered batch's commands at commit, over the agent's own leg.
        reader_fetch_s, reader_wait_s, writer_write_s, writer_wait_s, idle_s: cumulative in this session.
        idle_since_s: since when it has had nothing to deliver; None while it works or stands.
        streams_in_use: 1 after a fall-back.
        fallbacks: how often it fell back to one stream in this session.
        deliveries: (time_s, commands, transactions, latency_s) of each committed batch of this session, newest last;
            bounded to the newest 2,000, and growing while the session goes on.
    """

    running: bool
    session_start_s: float | None
    delivered_transactions: int
    delivered_commands: int
    total_delivered_commands: int
    last_delivery_s: float | None
    latency_s: float
    reader_fetch_s: float
    reader_wait_s: float
    writer_write_s: float
    writer_wait_s: float
    idle_s: float
    idle_since_s: float | None
    streams_in_use: int
    fallbacks: int
    deliveries: Sequence[tuple[float, int, int, float]]


class SessionCounters:
    """The counters of one agent between its start and its end; the totals outlive sessions."""

    def __init__(self) -> None:
        self.total_delivered_commands = 0
        self.last_delivery_s: float | None = None
        self.sessions = 0
        self.running = False
        self.start_s: float | None = None
        self._reset()

    def _reset(self) -> None:
        self._end_s: float | None = None
        self.transactions = 0
        self.commands = 0
        self.latency_s = 0.0
        self.fallbacks = 0
        self.reading = Stopwatch()
        self.writing = Stopwatch()
        self.idle = Stopwatch()
        self.deliveries: deque[tuple[float, int, int, float]] = deque(maxlen=_KEPT_DELIVERIES)

    def begin(self, now_s: float) -> None:
        """Count a new session from zero.

        Raises:
            ValueError: the agent runs already.
        """
        if self.running:
            raise ValueError("the agent is running; stop it and wait before starting it again")
        self._reset()
        self.sessions += 1
        self.running = True
        self.start_s = now_s

    def end(self, now_s: float) -> None:
        """Close the session and freeze its times."""
        self.running = False
        self._end_s = now_s
        for watch in (self.reading, self.writing, self.idle):
            watch.stop(now_s)

    def delivered(
        self,
        times_s: Sequence[float],
        commands: Sequence[int],
        transactions: Sequence[int],
        latencies_s: Sequence[float],
    ) -> None:
        """Count committed batches, oldest first, at least one: time, content and age of each."""
        count = sum(commands)
        self.transactions += sum(transactions)
        self.commands += count
        self.total_delivered_commands += count
        self.last_delivery_s = times_s[-1]
        self.latency_s = latencies_s[-1]
        self.deliveries.extend(zip(times_s, commands, transactions, latencies_s, strict=True))

    def state(self, now_s: float, streams_in_use: int, fallbacks: int) -> AgentState:
        """Return everything as it is now; a thread that neither works nor idles waits for the other thread."""
        until_s = now_s if self._end_s is None else self._end_s
        elapsed_s = 0.0 if self.start_s is None else until_s - self.start_s
        idle_s = self.idle.total_s(until_s)
        fetch_s, write_s = self.reading.total_s(until_s), self.writing.total_s(until_s)
        return AgentState(
            running=self.running,
            session_start_s=self.start_s,
            delivered_transactions=self.transactions,
            delivered_commands=self.commands,
            total_delivered_commands=self.total_delivered_commands,
            last_delivery_s=self.last_delivery_s,
            latency_s=self.latency_s,
            reader_fetch_s=fetch_s,
            reader_wait_s=max(0.0, elapsed_s - fetch_s - idle_s),
            writer_write_s=write_s,
            writer_wait_s=max(0.0, elapsed_s - write_s - idle_s),
            idle_s=idle_s,
            idle_since_s=self.idle.since_s,
            streams_in_use=streams_in_use,
            fallbacks=fallbacks,
            deliveries=self.deliveries,
        )
