"""Time as a port: real on a server, virtual on the lab."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where the program gets its time from."""

    def now_utc(self) -> datetime:
        """Return the time of day, timezone UTC."""
        ...

    def monotonic_s(self) -> float:
        """Return seconds from an arbitrary origin that never run backwards."""
        ...

    def resolution_s(self) -> float:
        """Return the smallest step of `monotonic_s`, 0.0 for simulated time; nothing shorter can be measured."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` (≥ 0) of this clock's time pass."""
        ...


class SystemClock:
    """The time of this machine.

    Durations are read from `perf_counter`: `monotonic` moves in steps of 15.6 ms on Windows before Python 3.13
    (https://docs.python.org/3/library/time.html#time.monotonic).
    """

    def now_utc(self) -> datetime:
        """Return the time of day, timezone UTC."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Return seconds from an arbitrary origin that never run backwards."""
        return time.perf_counter()

    def resolution_s(self) -> float:
        """Return the resolution of the operating system's counter, s."""
        return time.get_clock_info("perf_counter").resolution

    def sleep(self, seconds: float) -> None:
        """Block this thread for `seconds`."""
        time.sleep(seconds)
