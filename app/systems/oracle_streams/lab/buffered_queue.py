"""A buffered queue: messages in memory, a window for its publisher, a lifespan, and spilling to disk."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.messages import Batch, Entry
from app.systems.oracle_streams.lab.pool import StreamsPool
from app.systems.oracle_streams.lab.scenario import QueueConstants

TOO_MANY_UNBROWSED: Final = "TOO MANY UNBROWSED MESSAGES"
OVERSPILLED: Final = "OVERSPILLED MESSAGES"
INSUFFICIENT_MEMORY: Final = "INSUFFICIENT MEMORY AND UNBROWSED MESSAGES"


class BufferedQueue:
    """Batches of LCRs, oldest first.

    A message is unbrowsed until the next stage reads it, and stays in the queue until the apply process has applied or
    staged it. Older than its lifespan, it is spilled to the queue table; so are the oldest browsed ones while the pool
    is short. The counters are cumulative since the instance started.

    Attributes:
        startup_s: when the instance started.
        total_lcrs, total_spilled_lcrs: enqueued and spilled since then.
        lcrs, spilled_lcrs, unbrowsed_lcrs: in the queue, of these on disk, of these not read by the next stage.
        all_spilled_lcrs: spilled since the lab was built; redo is counted from it.
    """

    def __init__(self, constants: QueueConstants, window_lcrs: int, events: EventQueue, pool: StreamsPool) -> None:
        self._constants = constants
        self._window_lcrs = window_lcrs
        self._events = events
        self._pool = pool
        self._on_space: Callable[[], None] | None = None
        self._on_message: Callable[[], None] | None = None
        self._is_spilling = False
        self._is_aging = False
        self.all_spilled_lcrs = 0
        pool.on_relief(self._tell_space)
        self._start()

    def _start(self) -> None:
        self.startup_s = self._events.now_s
        self.total_lcrs = self.total_spilled_lcrs = 0
        self.lcrs = self.spilled_lcrs = self.unbrowsed_lcrs = 0
        self._entries: dict[int, Entry] = {}
        self._unbrowsed: deque[Entry] = deque()
        self._browsed: deque[Entry] = deque()
        self._aging: deque[Entry] = deque()

    def restart(self) -> None:
        """Lose everything, as a buffered queue does when its instance goes down, and count from zero."""
        for entry in self._entries.values():
            entry.is_removed = True
        self._start()

    def hold_back_reason(self, lcrs: int) -> str | None:
        """Return why a publisher may not enqueue so many messages now, in the words of V$BUFFERED_PUBLISHERS."""
        if self.unbrowsed_lcrs == 0:
            return None
        if self.unbrowsed_lcrs + lcrs > self._window_lcrs:
            return TOO_MANY_UNBROWSED
        if self.spilled_lcrs > self._constants.overspilled_lcrs:
            return OVERSPILLED
        return INSUFFICIENT_MEMORY if self._pool.is_pressed else None

    def on_space(self, action: Callable[[], None]) -> None:
        """Call this once when messages were read or removed; the publisher then asks again."""
        self._on_space = action

    def on_message(self, action: Callable[[], None]) -> None:
        """Call this once when a message is there to be read."""
        self._on_message = action

    def enqueue(self, batch: Batch) -> Entry:
        """Add a batch and return its place."""
        entry = Entry(batch, self._events.now_s)
        self.total_lcrs += batch.lcrs
        self._add(entry)
        self._aging.append(entry)
        self._unbrowsed.append(entry)
        self.unbrowsed_lcrs += batch.lcrs
        self._watch_ages()
        self._tell_message()
        return entry

    def browse(self) -> Batch | None:
        """Give the oldest unread batch to the next stage; it stays in the queue."""
        if not self._unbrowsed:
            return None
        entry = self._unbrowsed.popleft()
        entry.is_browsed = True
        self.unbrowsed_lcrs -= entry.batch.lcrs
        while self._browsed and self._browsed[0].is_removed:
            self._browsed.popleft()
        self._browsed.append(entry)
        if self._pool.is_pressed:
            self._spill_for_memory()
        self._tell_space()
        return entry.batch

    def peek(self) -> Batch | None:
        """Return the batch `browse` would give."""
        return self._unbrowsed[0].batch if self._unbrowsed else None

    def remove(self, entry: Entry | None) -> None:
        """Let a browsed batch leave the queue; one that is gone already is left alone."""
        if entry is None or entry.is_removed:
            return
        entry.is_removed = True
        lcrs = entry.batch.lcrs
        del self._entries[entry.batch.sequence]
        self.lcrs -= lcrs
        if entry.is_spilled:
            self.spilled_lcrs -= lcrs
            self._tell_space()
        else:
            self._pool.free(lcrs)

    def restore(self, entries: Iterable[Entry]) -> None:
        """Bring removed batches back because their use is rolled back; they do not count as enqueued again."""
        back = [entry for entry in entries if entry.is_removed]
        for entry in back:
            entry.is_removed = False
            self._add(entry)
            if entry.is_spilled:
                self.spilled_lcrs += entry.batch.lcrs
                self._pool.free(entry.batch.lcrs)
        again = set(back)
        waiting = [entry for entry in self._aging if not entry.is_removed and entry not in again]
        self._aging = deque(sorted([*back, *waiting], key=lambda entry: entry.enqueued_s))
        self._browsed = deque(entry for entry in self.entries() if entry.is_browsed)
        self._watch_ages()

    def unbrowse(self, entries: Iterable[Entry]) -> None:
        """Let batches that were read be read again, before all others."""
        again = [entry for entry in entries if entry.is_browsed and not entry.is_removed]
        if not again:
            return
        for entry in again:
            entry.is_browsed = False
            self.unbrowsed_lcrs += entry.batch.lcrs
        self._unbrowsed = deque(entry for entry in self.entries() if not entry.is_browsed)
        self._browsed = deque(entry for entry in self.entries() if entry.is_browsed)
        self._tell_message()

    def take_back_unbrowsed(self) -> list[Batch]:
        """Remove everything unread and return it."""
        batches = [entry.batch for entry in self._unbrowsed]
        for entry in list(self._unbrowsed):
            self.remove(entry)
        self._unbrowsed.clear()
        self.unbrowsed_lcrs = 0
        return batches

    def entries(self) -> list[Entry]:
        """Return the entries of the queue, oldest first."""
        return [self._entries[sequence] for sequence in sorted(self._entries)]

    @property
    def oldest_enqueued_s(self) -> float | None:
        """When the oldest message in the queue was enqueued; None if the queue is empty."""
        return self._entries[min(self._entries)].enqueued_s if self._entries else None

    def _add(self, entry: Entry) -> None:
        self._entries[entry.batch.sequence] = entry
        self.lcrs += entry.batch.lcrs
        self._pool.take(entry.batch.lcrs)
        if self._pool.is_pressed:
            self._spill_for_memory()

    def _watch_ages(self) -> None:
        """Plan to look when the oldest message is due, unless that is planned."""
        if not self._is_aging and self._aging:
            self._is_aging = True
            due_s = self._aging[0].enqueued_s + self._constants.lifespan_s
            self._events.at(max(self._events.now_s, due_s), self._age)

    def _age(self) -> None:
        """Spill messages that have outlived their lifespan, and come back for the next batch."""
        aging, born_before_s = self._aging, self._events.now_s - self._constants.lifespan_s + 1e-9
        while aging:
            entry = aging[0]
            if not entry.is_removed and not entry.is_spilled:
                if entry.enqueued_s > born_before_s:
                    break
                self._spill(entry)
            aging.popleft()
        self._is_aging = False
        self._watch_ages()

    def _spill_for_memory(self) -> None:
        if not self._is_spilling:
            self._is_spilling = True
            self._spill_next()

    def _spill_next(self) -> None:
        """Spill the oldest browsed batch still in memory; one after the other until the pool is relieved."""
        browsed = self._browsed
        while browsed and (browsed[0].is_removed or browsed[0].is_spilled):
            browsed.popleft()
        if self._pool.is_relieved or not browsed:
            self._is_spilling = False
            return
        entry = browsed[0]
        delay_s = entry.batch.lcrs * self._constants.spill_us_per_lcr * 1e-6
        self._events.after(delay_s, lambda: self._spilled_next(entry))

    def _spilled_next(self, entry: Entry) -> None:
        if not entry.is_removed and not entry.is_spilled:
            self._spill(entry)
        self._spill_next()

    def _spill(self, entry: Entry) -> None:
        entry.is_spilled = True
        self.total_spilled_lcrs += entry.batch.lcrs
        self.all_spilled_lcrs += entry.batch.lcrs
        self.spilled_lcrs += entry.batch.lcrs
        self._pool.free(entry.batch.lcrs)

    def _tell_space(self) -> None:
        action, self._on_space = self._on_space, None
        if action is not None:
            action()

    def _tell_message(self) -> None:
        action, self._on_message = self._on_message, None
        if action is not None:
            action()
