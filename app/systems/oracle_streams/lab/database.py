"""One of the two instances: up or down, its Streams pool, and its redo."""

from collections.abc import Callable

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.pool import StreamsPool
from app.systems.oracle_streams.lab.states import DatabaseState


class Database:
    """An instance with a Streams pool; redo is counted from its start.

    Attributes:
        is_up: it can be reached; set by the pipeline.
        startup_s: when it started.
        pool: its Streams pool.
    """

    def __init__(self, events: EventQueue, pool: StreamsPool, written_bytes: Callable[[], float]) -> None:
        self._events = events
        self._written_bytes = written_bytes
        self._redo_at_start = 0.0
        self.is_up = True
        self.startup_s = events.now_s
        self.pool = pool

    def come_up(self) -> None:
        """The instance starts again and counts from zero."""
        self.is_up = True
        self.startup_s = self._events.now_s
        self._redo_at_start = self._written_bytes()

    def state(self) -> DatabaseState:
        """Return the instance as it is now."""
        return DatabaseState(
            is_up=self.is_up,
            startup_s=self.startup_s,
            redo_bytes=self._written_bytes() - self._redo_at_start,
            pool_size_mb=self.pool.size_mb,
            pool_used_mb=self.pool.used_mb,
            pool_peak_mb=self.pool.peak_mb,
        )
