"""The capture process: LogMiner reads redo, LCRs are made and enqueued at the source."""

from typing import Final

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.buffered_queue import BufferedQueue
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.messages import Batch, xid_of
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.pool import StreamsPool
from app.systems.oracle_streams.lab.process import Process, TimeShares
from app.systems.oracle_streams.lab.redo_log import RedoLog
from app.systems.oracle_streams.lab.scenario import CaptureConstants
from app.systems.oracle_streams.lab.states import CaptureState, TransactionState

# How the time of one batch divides; assumed, it decides only which running state and ELAPSED_ column shows it.
_STEPS: Final = (
    ("CAPTURING CHANGES", 0.5),
    ("EVALUATING RULE", 0.1),
    ("CREATING LCR", 0.3),
    ("ENQUEUING MESSAGE", 0.1),
)
_POOL_OWNER: Final = "LogMiner"
_BYTES_PER_MB: Final = 1024.0 * 1024.0


class Capture(Process):
    """Reads batches from the redo log, one after the other, and enqueues them unless flow control holds it back."""

    def __init__(
        self,
        constants: CaptureConstants,
        parameters: ParameterSet,
        events: EventQueue,
        durations: Durations,
        log: RedoLog,
        queue: BufferedQueue,
        pool: StreamsPool,
    ) -> None:
        super().__init__(events, constants.start_s, constants.stop_s)
        self._constants = constants
        self.parameters = parameters
        self._durations = durations
        self._log = log
        self._queue = queue
        self._pool = pool
        self._batch: Batch | None = None
        self._batch_from_s = self._batch_s = 0.0
        self._quiet_since_s: float | None = None
        self._mined_mb = 0.0
        self._reset()

    def write_noticed(self) -> None:
        """New redo is coming: plan to read it if this process waits for redo."""
        if self.phase == "RUNNING" and self._times.current == "redo":
            self._read()

    def stop(self, force: bool = False) -> None:
        """Ask it to stop: it ends the batch in hand and closes LogMiner; forced, it gives the batch up.

        A process that is not running does nothing.
        """
        if self.phase not in ("STARTING", "RUNNING"):
            return
        is_reading = self.phase == "RUNNING" and self._times.current == "busy" and self._batch is not None
        self.phase = "STOPPING"
        if force or not is_reading:
            self._close()

    def change_parameter(self, name: str, value: str | None) -> None:
        """Set a parameter or put its default back; a running process restarts itself when PARALLELISM changes.

        Raises:
            KeyError, ValueError: as `ParameterSet.set`.
        """
        before = self.parameters.value(name) if name in self.parameters.names else None
        self.parameters.set(name, value)
        if name == "PARALLELISM" and before != self.parameters.value(name) and self.phase == "RUNNING":
            self._cut_off()
            self._begin()

    def state(self) -> CaptureState:
        """Return the process as it is now."""
        now_s = self.events.now_s
        busy_s = self._times.seconds("busy", now_s)
        step_s = {name: share * busy_s for name, share in _STEPS}
        return CaptureState(
            status=self.status,
            error_number=self.error_number,
            error_message=self.error_message,
            is_running=self.phase != "DOWN",
            startup_s=self.startup_s,
            state=self._state_text() if self.phase != "DOWN" else None,
            state_changed_s=self._state_changed_s,
            total_messages_captured=self._captured,
            total_messages_enqueued=self._enqueued,
            capture_message_create_s=self._captured_written_s,
            available_message_create_s=self._log.newest_written_s,
            elapsed_capture_s=step_s["CAPTURING CHANGES"],
            elapsed_rule_s=step_s["EVALUATING RULE"],
            elapsed_lcr_s=step_s["CREATING LCR"],
            elapsed_enqueue_s=step_s["ENQUEUING MESSAGE"],
            elapsed_pause_s=self._times.seconds("paused", now_s),
            elapsed_redo_wait_s=self._times.seconds("redo", now_s),
            pageout_s=self._pageout_s,
        )

    def transactions(self) -> tuple[TransactionState, ...]:
        """Return the transaction being captured, if one is."""
        batch = self._batch
        if batch is None:
            return ()
        transaction = batch.transaction
        return (
            TransactionState(
                xid=xid_of(transaction.number),
                cumulative_messages=batch.end,
                total_messages=transaction.lcrs if batch.ends_transaction else batch.end,
                first_message_s=transaction.first_written_s,
            ),
        )

    def _reset(self) -> None:
        self._captured = self._enqueued = 0
        self._captured_written_s: float | None = None
        self._state_changed_s = self.events.now_s
        self._pageout_s = 0.0
        self._times = TimeShares(("busy", "paused", "redo"))
        self.parameters.note_start()
        self._logminer_mb = self.parameters.started("_SGA_SIZE", 10.0)

    def _begin(self) -> None:
        super()._begin()
        self._pool.reserve(_POOL_OWNER, self._logminer_mb)

    def _start_duration_s(self) -> float:
        """Return the start's fixed part, and the time to mine again the redo since the last LogMiner checkpoint."""
        return self._start_s + self._since_checkpoint_mb() / self._constants.mining_mb_per_s

    def _since_checkpoint_mb(self) -> float:
        return self._mined_mb % self.parameters.number("_CHECKPOINT_FREQUENCY", 1000.0)

    def _work(self) -> None:
        self._quiet_since_s = None if self._log.unread_rows else self.events.now_s - self._constants.quiet_s
        self._read()

    def _read(self) -> None:
        """Read the next batch, or wait for redo."""
        if self._wait_for_redo():
            return
        batch = self._log.next_batch()
        if batch is None:
            self._rest(self._constants.redo_poll_s)
            return
        self._quiet_since_s = None
        self._batch = batch
        self._batch_from_s, self._batch_s = self.events.now_s, self._duration_s(batch)
        self._switch("busy")
        self._plan(self._batch_s, self._read_done)

    def _wait_for_redo(self) -> bool:
        """Wait if nothing can be read yet; a LogMiner that was quiet takes a while to notice new redo."""
        ready_s = self._log.next_ready_s()
        if ready_s is None:
            self._rest(None)
            return True
        now_s, since_s = self.events.now_s, self._quiet_since_s
        if since_s is not None and ready_s - since_s >= self._constants.quiet_s:
            wake_s = self._constants.wake_s * self._durations.factor(Durations.CAPTURE, self._log.next_workload)
            wait_s = ready_s + wake_s - now_s
        else:
            wait_s = ready_s - now_s
            if wait_s > 1e-9:
                wait_s = max(wait_s, self._constants.redo_poll_s)
        if wait_s <= 1e-9:
            return False
        self._rest(wait_s)
        return True

    def _rest(self, wait_s: float | None) -> None:
        self._switch("redo")
        if self._quiet_since_s is None:
            self._quiet_since_s = self.events.now_s
        if wait_s is None:
            self._cancel()
        else:
            self._plan(wait_s, self._read)

    def _duration_s(self, batch: Batch) -> float:
        constants, parallelism = self._constants, self.parameters.started("PARALLELISM", 1.0)
        lcr_us = constants.capture_us_per_lcr * (
            1.0 - constants.preparer_share + constants.preparer_share / parallelism
        )
        factor = self._durations.factor(Durations.CAPTURE, batch.transaction.workload)
        pageout_s = 0.0
        if batch.transaction.lcrs_each * constants.logminer_bytes_per_lcr > self._logminer_mb * _BYTES_PER_MB:
            pageout_s = batch.lcrs * constants.pageout_us_per_lcr * 1e-6 * factor
            self._pageout_s += pageout_s
        return batch.lcrs * lcr_us * 1e-6 * factor + pageout_s + self._checkpoint_s(batch)

    def _checkpoint_s(self, batch: Batch) -> float:
        """Count the redo of a batch as mined and return the time of LogMiner checkpoints that fall due."""
        mined_bytes = batch.lcrs * self._log.redo_bytes_per_row(batch.transaction.change)
        before_mb, self._mined_mb = self._mined_mb, self._mined_mb + mined_bytes / _BYTES_PER_MB
        every_mb = self.parameters.number("_CHECKPOINT_FREQUENCY", 1000.0)
        return (self._mined_mb // every_mb - before_mb // every_mb) * self._constants.checkpoint_ms * 1e-3

    def _read_done(self) -> None:
        assert self._batch is not None
        self._captured += self._batch.lcrs
        self._captured_written_s = self._batch.written_s
        self._enqueue()

    def _enqueue(self) -> None:
        """Enqueue the batch in hand, or pause for flow control until the queue has room."""
        batch = self._batch
        assert batch is not None
        if self._queue.hold_back_reason(batch.lcrs) is not None:
            if self.phase == "STOPPING":
                self._close()
                return
            self._switch("paused")
            self._queue.on_space(self._retry)
            return
        self._batch = None
        self._enqueued += batch.lcrs
        batch.source = self._queue.enqueue(batch)
        if self.phase == "STOPPING":
            self._close()
        else:
            self._read()

    def _retry(self) -> None:
        if self._times.current == "paused":
            self._enqueue()

    def _close(self) -> None:
        self._cut_off()
        self._plan(self._stop_s, self._finish_stop)

    def _cut_off(self) -> None:
        """Give the batch in hand back to the log."""
        if self._batch is not None:
            self._log.give_back([self._batch])
            self._batch = None
        self._times.switch(None, self.events.now_s)

    def _end(self) -> None:
        super()._end()
        self._pool.reserve(_POOL_OWNER, 0.0)

    def _switch(self, way: str) -> None:
        if way != self._times.current:
            self._state_changed_s = self.events.now_s
        self._times.switch(way, self.events.now_s)

    def _state_text(self) -> str:
        if self.phase == "STARTING":
            assert self.startup_s is not None
            is_first_half = self.events.now_s - self.startup_s < self._start_s / 2
            return "INITIALIZING" if is_first_half else "DICTIONARY INITIALIZATION"
        if self.phase == "STOPPING":
            return "SHUTTING DOWN"
        if self._times.current == "paused":
            return "PAUSED FOR FLOW CONTROL"
        if self._times.current == "redo":
            return "WAITING FOR REDO"
        done = (self.events.now_s - self._batch_from_s) / self._batch_s if self._batch_s else 0.0
        for name, share in _STEPS:
            done -= share
            if done < 0.0:
                return name
        return _STEPS[-1][0]
