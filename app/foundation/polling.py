"""Waiting for a server's own work, by asking again and again."""

from collections.abc import Iterator
from typing import Final

from app.foundation.clock import Clock

_FIRST_POLL_S: Final = 0.25
_LONGEST_POLL_S: Final = 5.0


def polls(clock: Clock, limit_s: float, every_s: float = 0.0) -> Iterator[float]:
    """Yield at once and then until the limit; yields the seconds waited.

    Args:
        every_s: the interval, 0 for one that grows.
    """
    waited_s, pause_s = 0.0, every_s or _FIRST_POLL_S
    while True:
        yield waited_s
        waited_s += pause_s
        if waited_s > limit_s:
            return
        clock.sleep(pause_s)
        pause_s = every_s or min(_LONGEST_POLL_S, pause_s * 1.5)
