"""Virtual time: an event queue that jumps from one event to the next."""

import heapq
from collections.abc import Callable


class Event:
    """Something that will happen, unless it is cancelled."""

    __slots__ = ("action", "cancelled")

    def __init__(self, action: Callable[[], None]) -> None:
        self.action = action
        self.cancelled = False


class EventQueue:
    """Events in order of time, those of one moment in the order they were planned.

    Attributes:
        now_s: virtual time in seconds since the lab was built.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self._heap: list[tuple[float, int, Event]] = []
        self._planned = 0

    def after(self, delay_s: float, action: Callable[[], None]) -> Event:
        """Plan `action` for `delay_s` (≥ 0) from now."""
        return self.at(self.now_s + delay_s, action)

    def at(self, time_s: float, action: Callable[[], None]) -> Event:
        """Plan `action` for a moment that is not in the past."""
        event = Event(action)
        self._planned += 1
        heapq.heappush(self._heap, (time_s, self._planned, event))
        return event

    def run_until(self, time_s: float) -> None:
        """Let everything up to and including `time_s` happen; then it is `time_s`."""
        heap = self._heap
        while heap and heap[0][0] <= time_s:
            moment_s, _order, event = heapq.heappop(heap)
            if event.cancelled:
                continue
            self.now_s = max(self.now_s, moment_s)
            event.action()
        self.now_s = max(self.now_s, time_s)


class Stopwatch:
    """Adds up the time something was going on, also while it still is."""

    def __init__(self) -> None:
        self._total_s = 0.0
        self.since_s: float | None = None

    def start(self, now_s: float) -> None:
        """Start unless it runs."""
        if self.since_s is None:
            self.since_s = now_s

    def stop(self, now_s: float) -> None:
        """Stop if it runs."""
        if self.since_s is not None:
            self._total_s += now_s - self.since_s
            self.since_s = None

    def total_s(self, now_s: float) -> float:
        """Return the seconds counted up to now."""
        return self._total_s if self.since_s is None else self._total_s + now_s - self.since_s
