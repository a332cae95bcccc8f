"""The one object through which a run's worker thread reaches the window."""

import collections
import threading
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.domain.events import RunEvent

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.services.run.keeping import KeepJobEnded
    from app.services.run.run_job import JobEnded

# At most ten deliveries a second: enough for a live view, and the window stays quick under thousands of samples.
DELIVERY_INTERVAL_MS = 100

# A lab in this process computes without ever waiting for a server, and only one thread of Python computes at a time:
# after so long it waits until the window has done what it has to do. Longer shares made the window stutter.
SHARE_OF_THE_RUN_S = 0.004
# A window that does not answer, as one that waits for a system dialog, holds the run up no longer than this each time.
_PATIENCE_S = 0.1


class RunBridge(QObject):
    """Collects events of the worker thread and delivers them in batches on the main thread.

    Created, owned and destroyed on the main thread, and outlives every run. Workers call `post`, `post_politely` and
    `post_end` only.

    Signals:
        events_delivered: tuple of RunEvent, in order, at most every 100 ms.
        run_ended: JobEnded, or KeepJobEnded, once for each run or keep, after its last events.
    """

    events_delivered = Signal(object)
    run_ended = Signal(object)
    _turn_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: collections.deque[RunEvent] = collections.deque()
        self._ends: collections.deque[JobEnded | KeepJobEnded] = collections.deque()
        self._timer = QTimer(self)
        self._timer.setInterval(DELIVERY_INTERVAL_MS)
        self._timer.timeout.connect(self.deliver)
        self._turn_given = threading.Event()
        self._turn_began_s = 0.0
        self._turn_wanted.connect(self._on_turn_wanted, Qt.ConnectionType.QueuedConnection)

    def watch(self) -> None:
        """Begin to deliver; called on the main thread before a run starts."""
        self._timer.start()

    def post(self, event: RunEvent) -> None:
        """Hand over one event; any thread, never blocks."""
        self._events.append(event)

    def post_politely(self, event: RunEvent) -> None:
        """Hand over one event; from time to time wait until the main thread has caught up.

        For a run that computes all the time; one thread at a time.
        """
        self._events.append(event)
        if time.perf_counter() - self._turn_began_s < SHARE_OF_THE_RUN_S:
            return
        self._turn_given.clear()
        self._turn_wanted.emit()
        self._turn_given.wait(_PATIENCE_S)
        self._turn_began_s = time.perf_counter()

    @Slot()
    def _on_turn_wanted(self) -> None:
        self._turn_given.set()

    def post_end(self, end: "JobEnded | KeepJobEnded") -> None:
        """Hand over the end of the run; any thread, never blocks."""
        self._ends.append(end)

    @Slot()
    def deliver(self) -> None:
        """Deliver the gathered events; stops delivering after the end of the run."""
        ended = self._ends.popleft() if self._ends else None
        batch = []
        while self._events:
            batch.append(self._events.popleft())
        if batch:
            self.events_delivered.emit(tuple(batch))
        if ended is not None:
            self._timer.stop()
            self.run_ended.emit(ended)
