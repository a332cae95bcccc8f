"""Turns at a lab of several connections: one statement at a time, and time that runs by itself where it shall."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_LOOK_EVERY_S: Final = 0.02
_TICK_S: Final = 0.25


class Watch(Protocol):
    """Waits for a client to give its request up."""

    def __call__(self, wait_s: float) -> None:
        """Wait so many real seconds at most; raises the error that ends the request."""
        ...


class Turns:
    """The turns of the connections to one lab, and its clock.

    Args:
        now_s: returns seconds of virtual time.
        advance: lets so many seconds of it pass.
        speed: virtual seconds that pass in a real one; None lets time pass by what moves the lab itself alone.
    """

    def __init__(self, now_s: Callable[[], float], advance: Callable[[float], None], speed: float | None) -> None:
        self.speed = speed
        self._now_s = now_s
        self._advance = advance
        self._turn = threading.Lock()
        self._started_s = time.perf_counter()
        self._first_s = now_s()

    def run_clock(self) -> None:
        """Let time pass for ever, for a thread of its own; returns at once where it does not run by itself."""
        while self.speed is not None:
            time.sleep(_TICK_S)
            with self._turn:
                self.catch_up()

    @contextmanager
    def taken(self, watch: Watch) -> Iterator[None]:
        """Have the lab to oneself; raises what `watch` raises while it is another's turn."""
        while not self._turn.acquire(timeout=_LOOK_EVERY_S):
            watch(0.0)
        try:
            yield
        finally:
            self._turn.release()

    def ahead_s(self) -> float:
        """Return how far the lab's time is ahead of the real one, 0 where it does not run by itself."""
        if self.speed is None:
            return 0.0
        return self._now_s() - self._first_s - (time.perf_counter() - self._started_s) * self.speed

    def leap(self, seconds: float) -> None:
        """Count so many seconds that the lab is ahead as passed."""
        self._first_s += seconds

    def catch_up(self) -> None:
        """Let the time pass that the lab is behind; called in one's turn."""
        ahead_s = self.ahead_s()
        if ahead_s < 0:
            self._advance(-ahead_s)

    def wait_ahead(self, ahead_s: float, watch: Watch) -> None:
        """Have a client wait for virtual time its statement took, where time runs by itself."""
        if self.speed is not None and ahead_s > 0:
            watch(ahead_s / self.speed)
