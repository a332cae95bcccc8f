"""A watch that lasts a night: readings at a gentle rate until a time of day, whatever breaks meanwhile."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from app.domain.errors import LoginFailed, ReplituneError
from app.runner.time_agreed import seconds_until
from app.services.look.watching import LiveReading

PAUSE_S: Final = 60.0
"""Seconds between two readings: what waits is counted once a minute at most."""

_MOST_PATIENT_S: Final = 600.0
"""Seconds between two tries where nobody answers, at most; the first follows after `PAUSE_S`."""


class NightWatch(Protocol):
    """The part of a watch that a night needs."""

    @property
    def is_simulated(self) -> bool:
        """Whether the time of the target is that of a lab in this process."""
        ...

    def now_utc(self) -> datetime:
        """Return the time of day."""
        ...

    def passed_s(self) -> float:
        """Return seconds from an arbitrary origin."""
        ...

    def let_pass(self, seconds: float) -> None:
        """Let so much simulated time pass."""
        ...

    def read(self) -> LiveReading | None:
        """Read once; None once it is closed."""
        ...


@dataclass(frozen=True)
class NightReading:
    """One reading of a night.

    Attributes:
        at_utc: when, by this computer's clock; by the lab's where it runs in this process.
        reading: None where nobody answered.
        problem: why, one sentence, "" where it was read.
    """

    at_utc: datetime
    reading: LiveReading | None
    problem: str = ""


def watch_until(watch: NightWatch, minutes: int, is_stopped: Callable[[], bool]) -> Iterator[NightReading]:
    """Read again and again until the next time of that name, or until it is stopped, and yield each reading.

    A broken connection is opened again, less and less often while nobody answers. A login that was refused ends the
    watch: asking on could lock it.

    Args:
        minutes: since midnight, by this computer's clock; the lab's where it runs in this process.
    """
    ends_s = watch.passed_s() + seconds_until(watch.now_utc(), minutes)
    patience_s = PAUSE_S
    while watch.passed_s() < ends_s and not is_stopped():
        at_utc = watch.now_utc()
        try:
            reading = watch.read()
        except LoginFailed as error:
            yield NightReading(at_utc, None, str(error))
            return
        except ReplituneError as error:
            yield NightReading(at_utc, None, str(error))
            pause_s, patience_s = patience_s, min(2 * patience_s, _MOST_PATIENT_S)
        else:
            if reading is None:  # closed
                return
            is_deaf = bool(reading.unread) and not reading.by_system
            yield NightReading(at_utc, None if is_deaf else reading, " ".join(reading.unread) if is_deaf else "")
            pause_s, patience_s = max(PAUSE_S, reading.pause_s), PAUSE_S
        _rest(watch, min(pause_s, ends_s - watch.passed_s()), is_stopped)


def hours_watched(watched_s: float) -> int:
    """Return the hours of history that cover a watch, at least 1."""
    return max(1, math.ceil(watched_s / 3600.0))


def _rest(watch: NightWatch, pause_s: float, is_stopped: Callable[[], bool]) -> None:
    """Let a pause pass, in pieces short enough for who presses Ctrl+C; a lab in this process passes it at once."""
    if watch.is_simulated:
        watch.let_pass(max(0.0, pause_s))
        return
    ends_s = watch.passed_s() + pause_s
    while not is_stopped() and (left_s := ends_s - watch.passed_s()) > 0:
        time.sleep(min(0.5, left_s))
