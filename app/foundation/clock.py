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

    def sleep(self, seconds: float) -> None:
        """Let `seconds` (≥ 0) of this clock's time pass."""
        ...


class SystemClock:
    """The time of this machine."""

    def now_utc(self) -> datetime:
        """Return the time of day, timezone UTC."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Return seconds from an arbitrary origin that never run backwards."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Block this thread for `seconds`."""
        time.sleep(seconds)
