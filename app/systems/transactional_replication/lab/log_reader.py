"""The Log Reader Agent: a reader thread over the log, a bounded hand-off, a writer into the distribution database."""

import math
from collections import deque
from functools import partial
from typing import Final

from app.lab.clock import Event, EventQueue
from app.systems.transactional_replication.lab.agent import (
    DEFAULT_READ_BATCH_SIZE,
    AgentState,
    LogReaderSettings,
    SessionCounters,
)
from app.systems.transactional_replication.lab.distribution_db import DistributionDatabase
from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.scenario import LogReaderConstants
from app.systems.transactional_replication.lab.transactions import TransactionLog

_AGENT: Final = 1
_DISK_RETRY_S: Final = 5.0


class LogReader:
    """One Log Reader Agent of the simulation."""

    def __init__(
        self,
        pair: int,
        constants: LogReaderConstants,
        events: EventQueue,
        noise: AgentNoise,
        log: TransactionLog,
        database: DistributionDatabase,
    ) -> None:
        self._pair = pair
        self._constants = constants
        self._events = events
        self._noise = noise
        self._log = log
        self._database = database
        self._stored = database.stored[pair]
        self.counters = SessionCounters()
        self.settings = LogReaderSettings()
        self._run_factor = 1.0
        self._is_stopping = False
        self._is_writing = False
        self._read_position = 0
        self._read_event: Event | None = None
        self._is_polling = False
        self._handoff: deque[int] = deque()
        self._held: int | None = None

    def start(self, settings: LogReaderSettings) -> None:
        """Start a session where the last one ended; raises ValueError while it runs."""
        self.counters.begin(self._events.now_s)
        behind = self._noise.left_behind(max(0.0, math.log2(self.settings.read_batch_size / DEFAULT_READ_BATCH_SIZE)))
        self.settings = settings
        draw = self._noise.session_factor(self._pair, _AGENT, self.counters.sessions, repr(settings))
        self._run_factor = behind * draw
        self._is_stopping = False
        self._read_position = self._stored.position
        self._handoff.clear()
        self._held = None
        self._read()

    def stop(self) -> None:
        """Ask it to stop: it ends when its present batch is committed, at once where it writes nothing."""
        self._is_stopping = self.counters.running
        if self._is_stopping and not self._is_writing:
            self._finish()

    def state(self) -> AgentState:
        """Return the state it reports now."""
        return self.counters.state(self._events.now_s, streams_in_use=1, fallbacks=0)

    def _factor(self) -> float:
        return self._run_factor * self._noise.drift_factor(self._events.now_s)

    def _read(self) -> None:
        """Reader: scan the next batch, cut short where the log ends, or sleep a polling interval."""
        self._is_polling = False
        batch_end = self._next_batch_end()
        if batch_end == self._read_position:
            self._is_polling = True
            self._read_event = self._events.after(self.settings.polling_interval_s, self._read)
            self._note_idle()
            return
        now_s = self._events.now_s
        self.counters.idle.stop(now_s)
        self.counters.reading.start(now_s)
        commands = self._commands(self._read_position, batch_end)
        duration_s = commands * self._constants.read_us_per_command / 1e6 * self._factor()
        self._read_event = self._events.after(
            self._noise.lasts_s(now_s, duration_s), partial(self._hand_over, batch_end)
        )

    def _next_batch_end(self) -> int:
        available = self._log.committed_by(self._events.now_s)
        batch_end = min(self._read_position + self.settings.read_batch_size, available)
        if self.settings.read_batch_threshold > 0:
            limit = self._log.commands_before(self._read_position) + self.settings.read_batch_threshold
            batch_end = min(batch_end, self._log.position_after(limit))
        return batch_end

    def _hand_over(self, batch_end: int) -> None:
        """Reader: pass the batch on, or hold it until the writer makes room."""
        self.counters.reading.stop(self._events.now_s)
        self._read_position = batch_end
        self._read_event = None
        self._held = batch_end
        self._fill_handoff()
        self._write_next()

    def _fill_handoff(self) -> None:
        if self._held is not None and len(self._handoff) < self._constants.handoff_batches:
            self._handoff.append(self._held)
            self._held = None
            self._read()

    def _write_next(self) -> None:
        """Writer: take the next batch and ask for its locks."""
        if self._is_writing or not self._handoff:
            return
        batch_end = self._handoff.popleft()
        self._is_writing = True
        self.counters.writing.start(self._events.now_s)
        commands = self._commands(self._stored.position, batch_end)
        self._database.locks.request(commands, partial(self._write, batch_end, commands))
        self._fill_handoff()

    def _write(self, batch_end: int, commands: int, cost_factor: float) -> None:
        per_command_s = self._constants.write_us_per_command / 1e6 * cost_factor
        duration_s = (commands * per_command_s + self._constants.batch_round_trip_ms / 1e3) * self._factor()
        lasts_s = self._noise.lasts_s(self._events.now_s, duration_s)
        self._events.after(lasts_s, partial(self._commit, batch_end, commands))

    def _commit(self, batch_end: int, commands: int) -> None:
        """Writer: commit the batch, which makes it visible and releases the locks; a full disk holds it up."""
        now_s = self._events.now_s
        if not self._database.has_room_for(commands):
            self._events.after(_DISK_RETRY_S, partial(self._commit, batch_end, commands))
            return
        first, last = self._stored.position, batch_end - 1
        age_s = now_s - (self._log.committed_s(first) + self._log.committed_s(last)) / 2
        self._database.commit(self._pair, batch_end, now_s)
        self.counters.delivered((now_s,), (commands,), (batch_end - first,), (age_s,))
        self.counters.writing.stop(now_s)
        self._is_writing = False
        self._database.locks.release()
        if self._is_stopping:
            self._finish()
            return
        self._write_next()
        self._note_idle()

    def _note_idle(self) -> None:
        if self._is_polling and not self._is_writing and not self._handoff:
            self.counters.idle.start(self._events.now_s)

    def _finish(self) -> None:
        """End the session; transactions read and not written are read again by the next one."""
        if self._read_event is not None:
            self._read_event.cancelled = True
            self._read_event = None
        self._is_stopping = False
        self.counters.end(self._events.now_s)

    def _commands(self, start: int, end: int) -> int:
        return self._log.commands_before(end) - self._log.commands_before(start)
