"""Polling a target at a gentle rate, over one connection that stays open.

Reading takes at most 2 % of the time (`LONGEST_SHARE`).
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from app.domain.errors import LoginFailed, ReplituneError
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.foundation.clock import Clock, SystemClock
from app.services.explain.advising import Advisor
from app.services.look.discovering import Discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import DEFAULT_WINDOW_H, Look, Looking, look_at
from app.services.ports import TargetOpener
from app.services.target.target_spec import is_lab_of_this_process

SHORTEST_PAUSE_S: Final = 10.0
"""Seconds between two readings, at least."""

LONGEST_SHARE: Final = 0.02
"""Share of the time that readings may take: what takes a second is read every 50 s."""

WATCH_S: Final = 10.0
"""Seconds to watch what keeps no history: shorter than a look somebody asks for, since it is made on arriving."""

KEPT_READINGS: Final = 7
"""As many as a minute has at the shortest pause."""


@dataclass(frozen=True)
class LiveReading:
    """The latest reading of a target.

    Attributes:
        by_system: by id, what each system read, oldest first; a system knows its own. Never empty tuples.
        unread: one sentence for each system that could not be read.
        statements: how many this reading sent.
        took_ms: how long they took together.
        pause_s: how long to wait before the next one.
    """

    by_system: Mapping[str, tuple[Any, ...]]
    unread: tuple[str, ...]
    statements: int
    took_ms: float
    pause_s: float


class Watch:
    """Reads a target again and again, opened with the first reading. Any thread may call, one at a time.

    A login that was refused is not asked again: somebody connects anew, with another password.
    """

    def __init__(self, target: str, discovery: Discovery, open_target: TargetOpener, seed: int = 1) -> None:
        """Open nothing yet.

        Args:
            target: as the person names it: the key in the discovery lacks what belongs to this computer alone.
        """
        self._name = target
        self._discovery = discovery
        self._open_target = open_target
        self._seed = seed
        self._target: Target | None = None
        self._is_closed = False
        self._is_paced = False
        self._refusal: LoginFailed | None = None
        self._lock = threading.Lock()
        self._sent: list[StatementRecord] = []
        self._readings: dict[str, tuple[Any, ...]] = {}

    @property
    def is_simulated(self) -> bool:
        """Whether the time of the target is that of a lab in this process."""
        return is_lab_of_this_process(self._name)

    def now_utc(self) -> datetime:
        """Return the time of day, by this computer's clock; that of the lab where it runs in this process.

        Raises:
            BadInput, TargetError: a lab cannot be opened.
        """
        return self._clock.now_utc()

    def passed_s(self) -> float:
        """Return seconds from an arbitrary origin, by the clock of `now_utc`."""
        return self._clock.monotonic_s()

    def let_pass(self, seconds: float) -> None:
        """Let so much time of a lab in this process pass; from then on a reading lets none pass by itself."""
        with self._lock:
            self._is_paced = True
            if not self._is_closed:
                self._opened().clock.sleep(seconds)

    @property
    def _clock(self) -> Clock:
        if not self.is_simulated:
            return SystemClock()
        with self._lock:
            return self._opened().clock

    def read(self) -> LiveReading | None:
        """Poll the target; None once it is closed. A lab in this process moves on by one pause each time.

        Raises:
            BadInput, TargetError: the target cannot be reached.
        """
        with self._lock:
            if self._is_closed:
                return None
            is_first = self._target is None
            target = self._opened()
            self._sent.clear()
            if not is_first and self.is_simulated and not self._is_paced:
                target.clock.sleep(SHORTEST_PAUSE_S)
            unread = tuple(self._read_systems(target))
            if len(unread) == len(self._discovery.by_system):  # a lost connection: the next reading opens another
                target.close()
                self._target = None
            took_ms = sum(record.duration_ms for record in self._sent)
            share_s = 0.0 if is_first else took_ms / 1000.0 / LONGEST_SHARE  # the first one connects and counts, too
            pause_s = max(SHORTEST_PAUSE_S, share_s)
            return LiveReading(dict(self._readings), unread, len(self._sent), took_ms, pause_s)

    def look(self, advisor: Advisor, window_h: int = DEFAULT_WINDOW_H, watch_s: float = WATCH_S) -> Look | None:
        """Look at the servers' history, over the same connection; None once it is closed.

        Args:
            window_h, watch_s: as for `looking.look`.

        Raises:
            BadInput, TargetError: as `looking.look`.
        """
        with self._lock:
            if self._is_closed:
                return None
            target = self._opened()
            self._sent.clear()
            return look_at(target, Looking(advisor, LookCost(self._sent), window_h, watch_s))

    def _opened(self) -> Target:
        if self._refusal is not None:
            raise LoginFailed(str(self._refusal), self._refusal.server_error)
        if self._target is None:
            try:
                self._target = self._open_target(self._name, self._seed, self._sent.append)
            except LoginFailed as error:
                self._refusal = error
                raise
        return self._target

    def _read_systems(self, target: Target) -> list[str]:
        unread: list[str] = []
        for system, discovered in self._discovery.by_system:
            earlier = self._readings.get(system.system_id, ())
            try:
                now = system.read_now(target, discovered, earlier[-1] if earlier else None)
            except ReplituneError as error:
                unread.append(str(error))
                self._refusal = error if isinstance(error, LoginFailed) else self._refusal
            else:
                if now is not None:
                    self._readings[system.system_id] = (*earlier, now)[-KEPT_READINGS:]
        return unread

    def close(self) -> None:
        """Close the connection, once a reading that goes on has ended; nothing is read any more."""
        with self._lock:
            self._is_closed = True
            if self._target is not None:
                self._target.close()
                self._target = None
