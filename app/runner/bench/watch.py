"""Watching a trial: readings at an interval, their curves, abort rules, and other work meanwhile."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from app.domain.happening import Happening, PastReadings
from app.domain.limits import LimitField
from app.domain.measurement import Sample
from app.domain.rig import LimitExceeded, RigParts, TrialCall
from app.model.reading import Reading, curves, limit_readings
from app.runner.control import let_pass
from app.runner.limits import exceeded_limit
from app.runner.optional import tell_past_work
from app.runner.skipped import SkippedReadings

SAMPLES_PER_TRIAL = 300
SHORTEST_TICK_S = 1.0


class TrialReading(Reading, Protocol):
    """The readings of a trial on each tick."""

    @property
    def work(self) -> tuple[Happening, ...]:
        """Return the other work at its servers now."""
        ...


R = TypeVar("R", bound=TrialReading)


@dataclass
class Watch(Generic[R]):
    """Takes the readings of one trial; used by one thread.

    Attributes:
        limits: those the trial watches, in the order they are looked at.
        sample: takes a reading.
        check: told the reading before, None at first, and the present one; raises what must end the trial.
        unread: what is called at each reading that does not tell what a limit is held against, by the limit's key.
        refused: readings of servers' history this login may not do; shared by the trials of a run.
        skipped: counts the readings that a server could not answer.
        readings: all that were taken, oldest first. samples: their curves.
    """

    parts: RigParts
    call: TrialCall
    limits: Sequence[LimitField]
    sample: Callable[[], R]
    check: Callable[[R | None, R], None]
    unread: Mapping[str, Callable[[], None]]
    refused: set[str]
    skipped: SkippedReadings
    readings: list[R] = field(default_factory=list, kw_only=True)
    samples: list[Sample] = field(default_factory=list, kw_only=True)
    _began_s: float = field(default=0.0, init=False)
    _read_s: float = field(default=0.0, init=False)
    _waited_before_s: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Offsets count from here."""
        self._began_s = self.parts.target.clock.monotonic_s()
        self._waited_before_s = self.parts.target.asking.waited_s

    @property
    def elapsed_s(self) -> float:
        """Seconds since the trial is watched."""
        return self.parts.target.clock.monotonic_s() - self._began_s

    @property
    def tick_s(self) -> float:
        """Shortest time between two readings."""
        return max(SHORTEST_TICK_S, self.call.expected_s / SAMPLES_PER_TRIAL)

    def begin(self) -> R:
        """Take the first reading, from which offsets count; it makes no curve. Raises TargetError."""
        now = self.skipped.read(self._first_sample, self.wait)
        self.readings.append(now)
        for happening in now.work:
            self.call.on_happening(happening)
        return now

    def _first_sample(self) -> R:
        self._began_s = self.parts.target.clock.monotonic_s()
        return self._sample()

    def tick(self, progress: float) -> None:
        """Between two portions of work: honour a cancel, and read when it is time again; raises as `read` does."""
        self.parts.control.check()
        if self.elapsed_s - self._read_s >= self.tick_s:
            self.read(lambda _now: progress)

    def wait(self) -> None:
        """Let a tick pass; raises RunCancelled."""
        let_pass(self.tick_s, self.parts.target.clock, self.parts.control)
        self.parts.control.check()

    def read(self, progress: Callable[[R], float]) -> R:
        """Read now, hand the curves on, and check limits and disturbances.

        Args:
            progress: returns that of the trial at a reading, 0–1.

        Raises:
            RunCancelled, TargetError, LimitExceeded: the trial must end.
        """
        before = self.readings[-1] if self.readings else None
        now = self.take()
        for happening in now.work:
            self.call.on_happening(happening)
        self.check(before, now)
        held = self.held(before or now, now)
        for name, tell in self.unread.items():
            if held[name] is None:
                tell()
        self.show(before or now, now, progress(now))
        # what somebody takes who makes the changes is no time of the trial
        lasted_s = self._read_s - (self.parts.target.asking.waited_s - self._waited_before_s)
        sentence = exceeded_limit(self.limits, self.parts.plan.limits, {**held, "trial_duration_s": lasted_s})
        if sentence:
            raise LimitExceeded(sentence)
        return now

    def take(self) -> R:
        """Read once, whatever it says; raises TargetError."""
        now = self.skipped.read(self._sample, self.wait)
        self.readings.append(now)
        return now

    def held(self, before: R, now: R) -> dict[str, float | None]:
        """Return the figures a reading is judged by, by the key of their limit."""
        return limit_readings(before, now)

    def show(self, before: R, now: R, progress: float) -> None:
        """Hand the curves of a reading on."""
        self.hand_on(curves(before, now, self._read_s), progress)

    def hand_on(self, taken: tuple[Sample, ...], progress: float) -> None:
        """Keep curves, and tell them with the progress of the trial, 0–1."""
        self.samples.extend(taken)
        self.call.on_samples(taken, min(1.0, max(0.0, progress)))

    def tell_past_work(self, readings: PastReadings) -> None:
        """Report the work that a server's history shows for the measured time; meant for its end."""
        tell_past_work(readings, self.refused, self.call.on_happening)

    def _sample(self) -> R:
        asked_s = self.elapsed_s
        now = self.sample()
        self._read_s = self.elapsed_s
        self.call.on_server_time(now.at, self._read_s - asked_s)
        return now
