"""Clocks compared with each other during a trial: a jump of one of them spoils its measurements."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.errors import ReplituneError
from app.foundation.clock import Clock
from app.foundation.texts import _

# Two clocks that run well differ by less over a trial: a time service steps from 128 ms on and slews below (RFC 5905),
# at 500 ppm at most.
_TOLERANCE_S: Final = 2.0
_DRIFT_SHARE: Final = 0.001


@dataclass(frozen=True)
class _Reading:
    """This computer's clocks at one moment."""

    wall_utc: datetime
    monotonic_s: float
    suspended_s: float


class ClockWitness:
    """Watches the clocks of one trial; used by one thread.

    A monotonic clock stands still while Linux is suspended, and goes on under Windows; so the time of day, the server's
    time, and what the operating system says of its suspension are asked as well.

    Args:
        clock: of the target.
        suspended_s: seconds this computer was suspended, since an arbitrary moment.
    """

    def __init__(self, clock: Clock, suspended_s: Callable[[], float]) -> None:
        self._clock = clock
        self._suspended_s = suspended_s
        self._last = self._first = self._read()
        self._server: tuple[datetime, float, float] | None = None
        self._slept_s = 0.0
        self._jump_s = 0.0
        self._told: list[str] = []
        self._server_jumps_s: list[float] = []

    def look(self) -> None:
        """Hold this computer's clocks against each other."""
        now = self._read()
        elapsed_s = now.monotonic_s - self._last.monotonic_s
        jump_s = (now.wall_utc - self._last.wall_utc).total_seconds() - elapsed_s
        slept_s = now.suspended_s - self._last.suspended_s
        self._last = now
        if slept_s > _tolerance_s(0.0):
            self._slept_s += slept_s
            jump_s = 0.0  # the one explains the other
        if abs(jump_s) > _tolerance_s(elapsed_s):
            self._jump_s += jump_s

    def server_time(self, at_utc: datetime, took_s: float) -> None:
        """Hold the time of day a server gave just now against this computer's; its answer took so many seconds."""
        self.look()
        now_s, before = self._last.monotonic_s, self._server
        self._server = (at_utc, now_s, took_s)
        if before is None:
            return
        elapsed_s = now_s - before[1]
        ahead_s = (at_utc - before[0]).total_seconds() - elapsed_s
        within_s = _tolerance_s(elapsed_s) + took_s + before[2]
        jump_s, self._jump_s = self._jump_s, 0.0
        if jump_s and abs(ahead_s - jump_s) <= within_s:
            self._slept_s += max(0.0, jump_s)
        elif jump_s:
            self._tell_set(jump_s)
        elif abs(ahead_s) > within_s and not self._slept_s:
            self._server_jumps_s.append(ahead_s)

    @property
    def has_seen_a_jump(self) -> bool:
        """Whether a clock is known to have been set, or this computer to have slept."""
        return bool(self._told or self._server_jumps_s or self._slept_s)

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence on each thing that happened; () where all clocks went together.

        A clock that cannot be asked any more adds none: why the trial ended is told by whatever ended it.
        """
        with suppress(ReplituneError):
            self.look()
        if self._jump_s:
            self._tell_set(self._jump_s)
            self._jump_s = 0.0
        slept = (
            (_("this computer was asleep for {slept:.0f} s during the trial").format(slept=self._slept_s),)
            if self._slept_s
            else ()
        )
        return (*slept, *self._told, *self._server_set())

    def ended_utc(self) -> datetime:
        """Return the time of day now, never less than the time elapsed since the beginning.

        Where the clock cannot be asked any more it is what it said last: how a run ended must be told all the same.
        """
        now = self._last
        with suppress(ReplituneError):
            now = self._read()
        return max(
            now.wall_utc,
            self._first.wall_utc + timedelta(seconds=now.monotonic_s - self._first.monotonic_s),
        )

    @property
    def began_utc(self) -> datetime:
        """The time of day when this witness was made."""
        return self._first.wall_utc

    def _server_set(self) -> tuple[str, ...]:
        """Return the sentence on the server's clock: one, however often it was set."""
        times, jump_s = len(self._server_jumps_s), sum(self._server_jumps_s)
        if not times:
            return ()
        words = _("the server's clock, by which the trial is timed, was set {jump:+.0f} s during the trial")
        if times > 1:
            words = _(
                "the server's clock, by which the trial is timed, was set {times} times during the trial, "
                "{jump:+.0f} s in all"
            )
        return (words.format(times=times, jump=jump_s),)

    def _tell_set(self, jump_s: float) -> None:
        self._told.append(_("this computer's clock was set {jump:+.0f} s during the trial").format(jump=jump_s))

    def _read(self) -> _Reading:
        return _Reading(self._clock.now_utc(), self._clock.monotonic_s(), self._suspended_s())


def _tolerance_s(elapsed_s: float) -> float:
    return _TOLERANCE_S + _DRIFT_SHARE * elapsed_s
