"""The one object through which a run's worker thread reaches the window."""

import collections
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.events import RunEvent

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.services.run_job import JobEnded

# At most ten deliveries a second: enough for a live view, and the window stays quick under thousands of samples.
DELIVERY_INTERVAL_MS = 100


class RunBridge(QObject):
    """Collects events of the worker thread and delivers them in batches on the main thread.

    Created, owned and destroyed on the main thread, and outlives every run. Workers call `post` and `post_end` only.

    Signals:
        events_delivered: tuple of RunEvent, in order, at most every 100 ms.
        run_ended: JobEnded, once for each run, after its last events.
    """

    events_delivered = Signal(object)
    run_ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: collections.deque[RunEvent] = collections.deque()
        self._ends: collections.deque[JobEnded] = collections.deque()
        self._timer = QTimer(self)
        self._timer.setInterval(DELIVERY_INTERVAL_MS)
        self._timer.timeout.connect(self.deliver)

    def watch(self) -> None:
        """Begin to deliver; called on the main thread before a run starts."""
        self._timer.start()

    def post(self, event: RunEvent) -> None:
        """Hand over one event; any thread, never blocks."""
        self._events.append(event)

    def post_end(self, end: "JobEnded") -> None:
        """Hand over the end of the run; any thread, never blocks."""
        self._ends.append(end)

    @Slot()
    def deliver(self) -> None:
        """Deliver what has gathered; stops delivering after the end of the run."""
        ended = self._ends.popleft() if self._ends else None
        batch = []
        while self._events:
            batch.append(self._events.popleft())
        if batch:
            self.events_delivered.emit(tuple(batch))
        if ended is not None:
            self._timer.stop()
            self.run_ended.emit(ended)
