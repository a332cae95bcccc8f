"""The apply reader: dequeues messages, assembles transactions, stages the large and the old ones."""

import math
from collections.abc import Callable
from typing import Final, Protocol

from app.lab.clock import Event, EventQueue
from app.systems.oracle_streams.lab.buffered_queue import BufferedQueue
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.messages import Batch, Transaction
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.process import TimeShares
from app.systems.oracle_streams.lab.scenario import ApplyConstants
from app.systems.oracle_streams.lab.states import ReaderState

_STATES: Final = {"busy": "DEQUEUE MESSAGES", "spilling": "SPILLING", "scheduling": "SCHEDULE MESSAGES", "idle": "IDLE"}


def staged_messages(messages: int, threshold: float, chunk: int) -> int:
    """Return how many messages of one transaction are staged when so many have been read.

    The first `threshold` at once when one more arrives, then chunks of `min(chunk, threshold)` as soon as one more
    message follows; the last part stays in memory. Source: the description of DBA_APPLY_SPILL_TXN's example of 10,200
    messages with a threshold of 10,000 in Oracle's Streams manual.
    """
    if messages <= threshold:
        return 0
    first = int(threshold)
    return first + further_staged(messages - first, min(chunk, first))


def further_staged(unstaged: int, chunk: int) -> int:
    """Return how many more of a partly staged transaction's messages are staged: whole chunks, but never the last."""
    return chunk * max(0, (unstaged - 1) // chunk)


class ReaderOwner(Protocol):
    """The reader's interface to its apply process."""

    def has_room(self) -> bool:
        """Whether the coordinator takes more transactions."""
        ...

    def staging(self, transaction: Transaction) -> None:
        """Note that a transaction has messages in the staging table."""
        ...

    def release(self, batch: Batch) -> None:
        """Let a staged batch leave the queues."""
        ...

    def deliver(self, transaction: Transaction) -> None:
        """Take a complete transaction."""
        ...


class ApplyReader:
    """Reads one batch after the other as long as the coordinator takes transactions.

    Attributes:
        dequeued, spilled: messages read and staged since the start.
        all_spilled: staged since the lab was built; redo is counted from it.
    """

    def __init__(
        self,
        constants: ApplyConstants,
        parameters: ParameterSet,
        events: EventQueue,
        durations: Durations,
        queue: BufferedQueue,
        chunk_lcrs: int,
        owner: ReaderOwner,
    ) -> None:
        self._constants = constants
        self._parameters = parameters
        self._events = events
        self._durations = durations
        self._queue = queue
        self._chunk_lcrs = chunk_lcrs
        self._owner = owner
        self._event: Event | None = None
        self._batch: Batch | None = None
        self._stage_to = 0
        self.open: Transaction | None = None
        self.all_spilled = 0
        self.reset()

    def reset(self) -> None:
        """Count from zero, at the start of the apply process."""
        self.dequeued = self.spilled = 0
        self._dequeue_s: float | None = None
        self._dequeued_written_s: float | None = None
        self._times = TimeShares(tuple(_STATES))

    def work(self) -> None:
        """Begin reading."""
        self._next()

    def room_noticed(self) -> None:
        """The coordinator has room again."""
        if self._times.current == "scheduling":
            self._next()

    def halt(self) -> tuple[Batch | None, Transaction | None]:
        """Stop at once; return the batch being read and the transaction being assembled, for redelivery."""
        if self._event is not None:
            self._event.cancelled = True
            self._event = None
        self._times.switch(None, self._events.now_s)
        batch, self._batch = self._batch, None
        transaction, self.open = self.open, None
        return batch, transaction

    def state(self, is_starting: bool) -> ReaderState:
        """Return the reader as it is now."""
        now_s = self._events.now_s
        return ReaderState(
            state="INITIALIZING" if is_starting else _STATES[self._times.current or "idle"],
            total_messages_dequeued=self.dequeued,
            total_messages_spilled=self.spilled,
            dequeue_s=self._dequeue_s,
            dequeued_message_create_s=self._dequeued_written_s,
            elapsed_dequeue_s=self._times.seconds("busy", now_s),
            elapsed_schedule_s=self._times.seconds("scheduling", now_s),
            elapsed_spill_s=self._times.seconds("spilling", now_s),
            elapsed_idle_s=self._times.seconds("idle", now_s),
        )

    def _next(self) -> None:
        """Stage old transactions, read the next batch, or wait."""
        transaction = self.open
        if transaction is not None and self._is_old(transaction) and transaction.held:
            self._stage(transaction, transaction.read_lcrs)
            return
        if not self._owner.has_room():
            self._switch("scheduling")
            return
        self._batch = self._queue.browse()
        if self._batch is None:
            self._switch("idle")
            self._queue.on_message(self._message_noticed)
            return
        self._switch("busy")
        self._plan(self._read_s(self._batch), self._read_done)

    def _message_noticed(self) -> None:
        if self._times.current == "idle":
            self._next()

    def _read_s(self, batch: Batch) -> float:
        """Return the time to read a batch; messages of a transaction that is open for long cost more to assemble."""
        constants = self._constants
        lcr_us = constants.read_us_per_lcr
        if batch.end - batch.lcrs >= constants.assembly_from_lcrs and batch.transaction.count == 1:
            lcr_us += constants.assembly_us_per_lcr
        return batch.lcrs * lcr_us * 1e-6 * self._durations.factor(Durations.READER, batch.transaction.workload)

    def _read_done(self) -> None:
        batch, self._batch = self._batch, None
        assert batch is not None
        transaction = batch.transaction
        now_s = self._events.now_s
        if transaction.threshold is None:
            transaction.threshold = self._parameters.number("TXN_LCR_SPILL_THRESHOLD", math.inf)
        if transaction.first_read_s is None:
            transaction.first_read_s = now_s
            self._watch_age(transaction)
        transaction.read_lcrs += batch.lcrs
        transaction.held.append(batch)
        self.open = transaction
        self.dequeued += batch.lcrs
        self._dequeue_s, self._dequeued_written_s = now_s, batch.written_s
        self._stage(transaction, self._due_to_stage(transaction))

    def _due_to_stage(self, transaction: Transaction) -> int:
        """Return how many messages of a transaction belong into the staging table by now."""
        threshold = transaction.threshold
        assert threshold is not None
        if transaction.count > 1:
            return transaction.count * staged_messages(transaction.lcrs_each, threshold, self._chunk_lcrs)
        staged = transaction.staged_lcrs
        if staged:
            chunk = int(min(self._chunk_lcrs, threshold))
            return staged + further_staged(transaction.read_lcrs - staged, chunk)
        return staged_messages(transaction.read_lcrs, threshold, self._chunk_lcrs)

    def _stage(self, transaction: Transaction, up_to: int) -> None:
        """Write messages to the staging table until so many are there, then go on."""
        self._stage_to = up_to
        if transaction.staged_lcrs < up_to:
            self._switch("spilling")
            if transaction.spilled_at_s is None:
                transaction.spilled_at_s = self._events.now_s
                self._owner.staging(transaction)
            self._stage_piece(transaction)
        else:
            self._staged_all(transaction)

    def _stage_piece(self, transaction: Transaction) -> None:
        lcrs = min(self._chunk_lcrs, self._stage_to - transaction.staged_lcrs)
        factor = self._durations.factor(Durations.READER, transaction.workload)
        duration_s = lcrs * self._constants.stage_us_per_lcr * 1e-6 * factor
        self._plan(duration_s, lambda: self._piece_staged(transaction, lcrs))

    def _piece_staged(self, transaction: Transaction, lcrs: int) -> None:
        transaction.staged_lcrs += lcrs
        self.spilled += lcrs
        self.all_spilled += lcrs
        if transaction.count == 1:
            kept = 0
            while kept < len(transaction.held) and transaction.held[kept].end <= transaction.staged_lcrs:
                self._owner.release(transaction.held[kept])
                kept += 1
            del transaction.held[:kept]
        if transaction.staged_lcrs < self._stage_to:
            self._stage_piece(transaction)
        else:
            self._staged_all(transaction)

    def _staged_all(self, transaction: Transaction) -> None:
        if transaction.read_lcrs == transaction.lcrs:
            self.open = None
            if transaction.staged_lcrs:  # a staged transaction leaves the queues whole, so its last part never ages
                for batch in transaction.held:
                    self._owner.release(batch)
            self._owner.deliver(transaction)
        self._next()

    def _age_limit_s(self) -> float:
        return self._parameters.number("TXN_AGE_SPILL_THRESHOLD", math.inf)

    def _is_old(self, transaction: Transaction) -> bool:
        """Whether an incomplete transaction is in memory for longer than TXN_AGE_SPILL_THRESHOLD."""
        since_s = transaction.first_read_s
        return since_s is not None and self._events.now_s - since_s >= self._age_limit_s() - 1e-9

    def _watch_age(self, transaction: Transaction) -> None:
        """Look at a transaction again when it becomes old, in case no message arrives then."""
        limit_s = self._age_limit_s()
        if transaction.count > 1 or transaction.lcrs == transaction.read_lcrs or math.isinf(limit_s):
            return
        self._events.after(limit_s, lambda: self._age_noticed(transaction))

    def _age_noticed(self, transaction: Transaction) -> None:
        if self.open is transaction:
            self._message_noticed()

    def _switch(self, way: str) -> None:
        self._times.switch(way, self._events.now_s)

    def _plan(self, delay_s: float, action: Callable[[], None]) -> None:
        self._event = self._events.after(delay_s, action)
