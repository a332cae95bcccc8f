"""How long a run may take, as agreed to before it: no trial begins that would end later, and none goes on then.

So it is with a deadline, a time of day by which everything is undone: pauses and waits count towards it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.limits import RESTORED_BY, Limits
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan_field import time_text
from app.domain.rig import Control, LimitExceeded
from app.domain.setting import Setting
from app.domain.target import AT_ONCE, Asking
from app.foundation.clock import Clock
from app.foundation.durations import duration_text
from app.foundation.texts import _

RESTORE_S: Final = 120.0
"""Left for undoing everything before a deadline: a process is stopped and started, each change read back."""

SCRIPTS_TO_UNDO: Final = 6
"""Where somebody makes the changes, undoing takes so many scripts: stop, values, start and what marks the run. Our
choice."""


@dataclass(frozen=True)
class Deadline:
    """A time of day by which everything is undone.

    Attributes:
        minutes: since midnight, by this computer's clock.
        ends_s: when a run must begin to undo, on the clock of the target.
        expected_s: of a trial, until one has ended.
    """

    minutes: int
    ends_s: float
    expected_s: float

    @staticmethod
    def of(limits: Limits, clock: Clock, expected_s: float) -> "Deadline | None":
        """Return the deadline of a plan that starts now, None where it has none."""
        minutes = limits.get(RESTORED_BY.name)
        if minutes is None:
            return None
        left_s = seconds_until(clock.now_utc(), int(minutes))
        return Deadline(int(minutes), clock.monotonic_s() + left_s - RESTORE_S, expected_s)


def seconds_until(now: datetime, minutes: int) -> float:
    """Return how long it is until the next time of day, in minutes since midnight by this computer's clock."""
    local = now.astimezone()
    wanted = local.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)
    if wanted <= local:
        wanted += timedelta(days=1)
    return (wanted - local).total_seconds()


def no_waits_s() -> float:
    """Return that nobody was waited for."""
    return 0.0


@dataclass(frozen=True)
class _Took:
    """The time one trial took."""

    setting: Setting
    time_s: float


class TimeAgreed:
    """Counts the time of one start of a run and ends it where that is over; the rig asks it as it asks for a cancel.

    Pauses, in which everything is put back, and waits for whoever makes changes by hand do not count. Used by the
    thread of the run.

    Args:
        clock: of the target.
        most_s: what was agreed to, None for no end.
        control: asked for a cancel first.
        waited_s: returns how long somebody was waited for so far, on the same clock.
        kept: trials of earlier parts of the run, which tell how long a trial takes.
        deadline: when everything is undone at the latest, None for no such time.
        asking: how the changes are asked for: what somebody takes for a script counts towards the deadline.
    """

    def __init__(
        self,
        clock: Clock,
        most_s: float | None,
        control: Control,
        waited_s: Callable[[], float],
        kept: Iterable[TrialResult] = (),
        deadline: Deadline | None = None,
        asking: Asking = AT_ONCE,
    ) -> None:
        self._asking = asking
        self._longest_wait_s = 0.0
        self._deadline = deadline
        self._clock = clock
        self._most_s = most_s
        self._control = control
        self._waited_s = waited_s
        self._took = [_Took(trial.setting, trial.took_s) for trial in kept if trial.status is not TrialStatus.ABORTED]
        self._began_s = clock.monotonic_s()
        self._paused_s = 0.0
        self._trial_began_s = self._trial_waited_s = 0.0

    @property
    def is_cancelled(self) -> bool:
        """Whether a cancel was asked for."""
        return self._control.is_cancelled

    def check(self) -> None:
        """End a trial where a cancel was asked for, or the time is over.

        Raises:
            RunCancelled: a cancel was asked for.
            LimitExceeded: the time is over.
        """
        self._control.check()
        if self._most_s is not None and self._passed_s() >= self._most_s:
            raise LimitExceeded(
                _("the time agreed to for the run, {time}, is over").format(time=duration_text(self._most_s))
            )
        if self._deadline is not None and self._clock.monotonic_s() >= self._ends_s(self._deadline):
            raise LimitExceeded(
                _("everything is to be undone by {time}, so the run ends now").format(
                    time=time_text(self._deadline.minutes)
                )
            )

    def begin_trial(self, setting: Setting, left: int) -> None:
        """Take note that a trial begins.

        It is taken to last as those of its setting did, or, where there was none, as all did; the first begins in any
        case.

        Args:
            left: how many trials are still to come at most, told where this one does not begin.

        Raises:
            LimitExceeded: it would not end in time.
        """
        self.check()
        now_s = self._passed_s()
        alike = [took.time_s for took in self._took if took.setting == setting] or [took.time_s for took in self._took]
        if self._most_s is not None and alike and now_s + sum(alike) / len(alike) > self._most_s:
            raise LimitExceeded(
                _(
                    "the time agreed to for the run, {time}, is too short for a further trial ({trial}); up to {left} "
                    "are left"
                ).format(
                    time=duration_text(self._most_s), trial=duration_text(sum(alike) / len(alike)), left=f"{left:,}"
                )
            )
        self._keep_deadline(sum(alike) / len(alike) if alike else None)
        self._trial_began_s, self._trial_waited_s = now_s, self._waited_s()

    def _keep_deadline(self, trial_s: float | None) -> None:
        """Raise LimitExceeded where a trial that takes so long could not be undone in time."""
        deadline = self._deadline
        if deadline is None:
            return
        by_hand_s = max(self._longest_wait_s, self._asking.usual_wait_s)
        lasts_s = (deadline.expected_s if trial_s is None else trial_s) + by_hand_s
        if self._clock.monotonic_s() + lasts_s > self._ends_s(deadline):
            raise LimitExceeded(
                _("everything is to be undone by {time}, which is too soon for a further trial ({trial})").format(
                    time=time_text(deadline.minutes), trial=duration_text(lasts_s)
                )
            )

    def _ends_s(self, deadline: Deadline) -> float:
        """Return when a run must begin to undo: earlier where somebody takes a while for each script."""
        return deadline.ends_s - SCRIPTS_TO_UNDO * self._asking.usual_wait_s

    def end_trial(self, setting: Setting) -> None:
        """Take note that the trial that began last has ended by itself."""
        self._longest_wait_s = max(self._longest_wait_s, self._waited_s() - self._trial_waited_s)
        self._took.append(_Took(setting, self._passed_s() - self._trial_began_s))

    def pause(self, wait: Callable[[], None]) -> None:
        """Let somebody wait with the run; the time does not count."""
        paused_at_s = self._clock.monotonic_s()
        try:
            wait()
        finally:
            self._paused_s += self._clock.monotonic_s() - paused_at_s

    def _passed_s(self) -> float:
        return self._clock.monotonic_s() - self._began_s - self._paused_s - self._waited_s()


class Waits:
    """How long somebody was waited for, on one clock; used by one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._before_s = 0.0
        self._since_s: float | None = None

    def begin(self) -> None:
        """Take note that somebody is asked for something."""
        self._since_s = self._clock.monotonic_s()

    def end(self) -> None:
        """Take note that it is done."""
        self._before_s, self._since_s = self.total_s(), None

    def total_s(self) -> float:
        """Return how long was waited so far, seconds."""
        going_on_s = 0.0 if self._since_s is None else self._clock.monotonic_s() - self._since_s
        return self._before_s + going_on_s
