"""Another program that holds files, as Windows shows it: replacing one fails until it lets go."""

import errno
import os
import random
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.foundation import files

SHARING_VIOLATION = 32
ACCESS_DENIED = 5


class PassingClock:
    """A clock whose time passes where somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def now_utc(self) -> datetime:
        """Return some day."""
        return datetime(2026, 1, 1, tzinfo=UTC)

    def monotonic_s(self) -> float:
        """Return seconds since it was made."""
        return self.now_s

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.now_s += seconds


class Holder:
    """Holds a file at random when it is about to be replaced; counts how often.

    Args:
        share: of the writes that find their file held.
        held_s: how long, of the clock's time; None for good.
    """

    def __init__(self, clock: PassingClock, share: float = 1.0, held_s: float | None = 0.03) -> None:
        self.clock, self.share, self.held_s = clock, share, held_s
        self.code = SHARING_VIOLATION
        self.holds = 0
        self._random = random.Random(1)
        self._until_s: dict[str, float] = {}

    def replace(self, source: Any, target: Any) -> None:
        """Replace a file as `os.replace`, unless it is held."""
        path = str(target)
        if path not in self._until_s and self._random.random() < self.share:
            self.holds += 1
            held_s = float("inf") if self.held_s is None else self.held_s * (0.5 + self._random.random())
            self._until_s[path] = self.clock.now_s + held_s
        if self.clock.now_s < self._until_s.get(path, 0.0):
            error = PermissionError(errno.EACCES, "held by another process", str(source), None, path)
            error.winerror = self.code  # type: ignore[attr-defined]  # Windows alone has it, as here
            raise error
        self._until_s.pop(path, None)
        os.replace(source, target)


def hold(monkeypatch: pytest.MonkeyPatch, holder: Holder) -> None:
    """Let every file that is replaced be held as the holder likes."""
    system = SimpleNamespace(**{name: getattr(os, name) for name in dir(os)})
    system.replace = holder.replace
    monkeypatch.setattr(files, "os", system)
    monkeypatch.setattr(files, "SystemClock", lambda: holder.clock)


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder, in order."""
    return sorted(path.name for path in folder.iterdir())
