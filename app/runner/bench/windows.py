"""Windows on a client's own work, of any system: their length, their settling, and the course of a counter in them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.analysis.steady import truncate_warm_up
from app.analysis.window_length import PARTS, WindowLength, window_length
from app.domain.measurement import WINDOW_RATE, Sample, TrialResult
from app.domain.setting import Setting
from app.runner.bench.rig import StepRig

FIRST_WINDOW_S: Final = 45.0
"""Length of a window until two of the baseline have shown the site's noise."""

USUAL_SWITCH_S: Final = 30.0
"""From the end of one window to the beginning of the next, until one has been seen: stopped, set, started, settled."""

Course = Sequence[tuple[float, float]]
"""A counter by its own clock: seconds since the first reading, and its value, both ascending."""

# What gathers for another window is enough for its settling, too.
_ENOUGH_WINDOWS: Final = 1.5
# Points at equal distances that the warm-up is looked for in.
_POINTS: Final = 60


@dataclass
class Windows:
    """A run's knowledge of its windows, which no restore changes.

    Attributes:
        length: by the first two windows of the baseline, None before.
        ended_s: when the window before ended, on the target's clock.
        parts: the rates of the fifths of the baseline's windows so far, with the length of a fifth.
        switches_s: how long switches took so far.
        most_rate_per_s: of the fastest window so far: what must gather for another.
    """

    length: WindowLength | None = None
    ended_s: float | None = None
    parts: list[tuple[float, ...]] = field(default_factory=list)
    switches_s: list[float] = field(default_factory=list)
    most_rate_per_s: float = 0.0

    def forget(self) -> None:
        """Keep the readings of the site; a restore between two windows is no switch."""
        self.ended_s = None

    @property
    def seconds(self) -> float:
        """Length of the next window."""
        return FIRST_WINDOW_S if self.length is None else self.length.seconds

    @property
    def enough(self) -> float:
        """How much has to gather for the next window while a process is held; without end before a rate was seen."""
        return self.most_rate_per_s * self.seconds * _ENOUGH_WINDOWS or math.inf

    def learn(self, rates: tuple[float, ...], fifth_s: float) -> WindowLength | None:
        """Take note of a window of the baseline; return the length once it follows from two of them."""
        if self.length is not None:
            return None
        self.parts.append(rates)
        if len(self.parts) < 2:
            return None
        switch_s = sum(self.switches_s) / len(self.switches_s) if self.switches_s else USUAL_SWITCH_S
        self.length = window_length(self.parts[0], self.parts[1], fifth_s, switch_s)
        return self.length

    @staticmethod
    def after(kept: Iterable[TrialResult], baseline: Setting) -> "Windows":
        """Return the knowledge that windows of an earlier part of the run tell: their length is that of the run."""
        windows = Windows()
        for trial in kept:
            rates = [sample for sample in trial.samples if sample.stream == WINDOW_RATE]
            if len(rates) != PARTS:
                continue
            fifth_s = (rates[-1].offset_s - rates[0].offset_s) / (PARTS - 1)
            mean = sum(sample.value for sample in rates) / PARTS
            windows.most_rate_per_s = max(windows.most_rate_per_s, mean)
            if trial.setting == baseline:
                windows.switches_s.append(max(0.0, trial.took_s - PARTS * fifth_s))
                windows.learn(tuple(sample.value for sample in rates), fifth_s)
        return windows


def windows_of(rig: StepRig[Any]) -> Windows:
    """Return the knowledge of a run on its windows, also of a run that was resumed."""
    return rig.kept(Windows, partial(Windows.after, rig.parts.kept, rig.at.plan.baseline))


def settled_from(course: Course) -> int:
    """Return the first reading of the steady part, by MSER-5 on the rate between points at equal distances."""
    rates = np.diff(_values_at(course, _POINTS))
    cut_s = truncate_warm_up(rates.tolist()) / _POINTS * course[-1][0]
    return next(number for number, (seconds, _value) in enumerate(course) if seconds >= cut_s)


def rates_in_parts(course: Course) -> tuple[float, ...]:
    """Return the rate in each fifth of a course, () where it has too few readings to tell."""
    if len(course) <= PARTS or course[-1][0] <= course[0][0]:
        return ()
    since = [(seconds - course[0][0], value) for seconds, value in course]
    return tuple((np.diff(_values_at(since, PARTS)) * PARTS / since[-1][0]).tolist())


def rate_samples(parts: Sequence[float], span_s: float, ended_s: float, unit: str) -> tuple[Sample, ...]:
    """Return the rates of a window's parts as a series, which shows a rhythm of the site across windows.

    Args:
        span_s: length of the window.
        ended_s: its end since measuring began.
    """
    middles = ((2 * n + 1) / (2 * PARTS) * span_s for n in range(len(parts)))
    return tuple(
        Sample(WINDOW_RATE, ended_s - span_s + middle_s, rate, unit)
        for middle_s, rate in zip(middles, parts, strict=True)
    )


def _values_at(course: Course, parts: int) -> npt.NDArray[np.float64]:
    """Return the counter at the ends of equal parts of a course's time, between readings in proportion."""
    times, values = zip(*course, strict=True)
    at: npt.NDArray[np.float64] = np.interp(np.linspace(0.0, times[-1], parts + 1), times, values)
    return at
