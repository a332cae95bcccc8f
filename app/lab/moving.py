"""How the speed of a site moves within a trial: by the hour, by the minute, and from one second to the next."""

import math
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import NonNegativeFloat, PositiveFloat

from app.lab.scenario_file import Probability, Section

FloatArray = npt.NDArray[np.float64]

# Apart from the kinds of draws of `uneven`, which share a lab's seed.
_STREAM: Final = 6
# Speeds are drawn for an hour at a time, each hour with a draw of its own.
_DRAWN_S: Final = 3600


class MovingConstants(Section):
    """Standard deviations of ln(speed), each with how long it is remembered, and spans that are slower.

    Attributes:
        drift_share, mix_share, slow_share: drift, the mix of commands, and slow noise: Ornstein-Uhlenbeck processes.
        second_share: from one second to the next, without memory.
        burst_time_share: of the time something else makes everything slower, by `burst_least_share` to
            `burst_most_share`, for `burst_shortest_s` to `burst_longest_s`.
        rhythm_share, rhythm_every_s: a sine around the mean speed, as jobs give it that run every so often.
    """

    drift_share: NonNegativeFloat
    drift_memory_s: PositiveFloat
    mix_share: NonNegativeFloat
    mix_memory_s: PositiveFloat
    slow_share: NonNegativeFloat
    slow_memory_s: PositiveFloat
    second_share: NonNegativeFloat
    burst_time_share: Probability
    burst_least_share: Probability
    burst_most_share: Probability
    burst_shortest_s: PositiveFloat
    burst_longest_s: PositiveFloat
    rhythm_share: Probability = 0.0
    rhythm_every_s: PositiveFloat = 600.0


class MovingSpeed:
    """The speed of a site at each second; the same seed gives the same speeds whatever else happens."""

    def __init__(self, constants: MovingConstants, seed: int) -> None:
        self._constants = constants
        self._seed = seed
        self._last = (0.0, 0.0, 0.0)
        self._burst_left_s = 0.0
        self._burst_factor = 1.0
        # what would have taken so long at the mean speed is done by the beginning of each second
        self._done_s: FloatArray = np.zeros(1)

    def when_done(self, now_s: float, work_s: FloatArray) -> FloatArray:
        """Return when pieces of work that begin now are done, which take so long at the mean speed; same shape."""
        wanted = self._done_by(now_s) + work_s
        while self._done_s[-1] <= wanted.max(initial=0.0):
            self._draw_hour()
        second = np.searchsorted(self._done_s, wanted, side="right") - 1
        before = self._done_s[second]
        done: FloatArray = second + (wanted - before) / (self._done_s[second + 1] - before)
        return done

    def speed_at(self, now_s: float) -> float:
        """Return the speed in the second of a time, of which the mean is 1."""
        second = int(now_s)
        while len(self._done_s) <= second + 1:
            self._draw_hour()
        return float(self._done_s[second + 1] - self._done_s[second])

    def _done_by(self, time_s: float) -> float:
        second = int(time_s)
        while len(self._done_s) <= second + 1:
            self._draw_hour()
        before, after = self._done_s[second : second + 2].tolist()
        return float(before + (time_s - second) * (after - before))

    def _draw_hour(self) -> None:
        constants, hour = self._constants, len(self._done_s) // _DRAWN_S
        draws = np.random.default_rng([self._seed, _STREAM, hour])
        memories = (
            (constants.drift_share, constants.drift_memory_s),
            (constants.mix_share, constants.mix_memory_s),
            (constants.slow_share, constants.slow_memory_s),
        )
        moved = np.zeros(_DRAWN_S)
        last: list[float] = []
        for (share, memory_s), before in zip(memories, self._last, strict=True):
            series = _remembered(share, memory_s, before if hour else share * draws.standard_normal(), draws)
            moved += series
            last.append(float(series[-1]))
        self._last = (last[0], last[1], last[2])
        moved += constants.second_share * draws.standard_normal(_DRAWN_S)
        seconds = hour * _DRAWN_S + np.arange(_DRAWN_S)
        rhythm = 1.0 + constants.rhythm_share * np.sin(2 * math.pi * seconds / constants.rhythm_every_s)
        speeds = np.exp(moved) * self._bursts(draws) * rhythm
        self._done_s = np.concatenate((self._done_s, self._done_s[-1] + np.cumsum(speeds)))

    def _bursts(self, draws: np.random.Generator) -> FloatArray:
        """Return the factor of bursts on an hour's speeds; one that has begun goes on into the next hour."""
        constants = self._constants
        factors = np.ones(_DRAWN_S)
        if constants.burst_time_share == 0.0:
            return factors
        mean_s = (constants.burst_shortest_s + constants.burst_longest_s) / 2
        between_s = mean_s * (1 / constants.burst_time_share - 1)
        at_s = 0.0
        while at_s < _DRAWN_S:
            if self._burst_left_s > 0:
                end_s = at_s + self._burst_left_s
                factors[int(at_s) : int(end_s)] *= self._burst_factor
                self._burst_left_s = max(0.0, end_s - _DRAWN_S)
                at_s = end_s
                continue
            at_s += float(draws.exponential(between_s))
            if at_s >= _DRAWN_S:
                break
            self._burst_left_s = float(draws.uniform(constants.burst_shortest_s, constants.burst_longest_s))
            self._burst_factor = 1 - float(draws.uniform(constants.burst_least_share, constants.burst_most_share))
        return factors


def _remembered(share: float, memory_s: float, before: float, draws: np.random.Generator) -> FloatArray:
    """Return an hour of an Ornstein-Uhlenbeck process of a standard deviation, second by second."""
    kept = math.exp(-1.0 / memory_s)
    news = share * math.sqrt(1.0 - kept**2) * draws.standard_normal(_DRAWN_S)
    series: list[float] = []
    value = before
    for new in news.tolist():
        value = kept * value + new
        series.append(value)
    return np.array(series)
