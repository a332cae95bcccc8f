"""Noise as recorded on servers nobody keeps quiet: of each setting's own, autocorrelated, outliers, bursts, a step."""

import functools
import math
import zlib
from typing import Annotated, Final

import numpy as np
from pydantic import Field, NonNegativeFloat, PositiveFloat

from app.lab.scenario_file import Probability, Section

# Kinds of draws; those below 3 belong to what else a lab draws.
_SESSION: Final = 3
_SETTING: Final = 4
_OUTLIER: Final = 5
_BURST: Final = 6

# What a session before the first one contributes must have died away.
_SESSIONS_BEFORE: Final = 1_000
_FORGOTTEN: Final = 0.01


class UnevenConstants(Section):
    """The noise that a server nobody keeps quiet adds.

    Attributes:
        setting_spread: standard deviation of ln(coefficient of variation) between settings.
        autocorrelation: of the sessions of one process, from one to the next.
        outlier_probability, outlier_share: how many sessions something else slows down, and by how much.
        burst_probability, burst_s, burst_share: how many spans of that length are busy, and how much slower they are.
        step_after_s, step_share: when the machine becomes slower for good, and by how much.
    """

    setting_spread: NonNegativeFloat
    autocorrelation: Annotated[float, Field(ge=0.0, lt=0.95)]
    outlier_probability: Probability
    outlier_share: NonNegativeFloat
    burst_probability: Probability
    burst_s: PositiveFloat
    burst_share: NonNegativeFloat
    step_after_s: NonNegativeFloat
    step_share: NonNegativeFloat


class Uneven:
    """Draws of one lab; the same seed gives the same draws whatever else happens."""

    def __init__(self, constants: UnevenConstants, seed: int) -> None:
        self._constants = constants
        self._seed = seed
        self._burst_factor = functools.lru_cache(maxsize=4)(self._draw_burst)

    def session_factor(self, cv: float, place: tuple[int, ...], session: int, settings: str) -> float:
        """Return the factor on all durations of one session that runs with these settings.

        Args:
            cv: coefficient of variation between equal sessions of a setting in the middle.
            place: what has sessions of its own, such as a pair and a process.
        """
        spread = self._constants.setting_spread * self._normal(_SETTING, zlib.crc32(settings.encode()))
        sigma = math.sqrt(math.log1p((cv * math.exp(spread)) ** 2))
        factor = math.exp(sigma * self._autocorrelated(place, session))
        is_outlier = self._draws(_OUTLIER, *place, session).random() < self._constants.outlier_probability
        return factor * (1.0 + self._constants.outlier_share) if is_outlier else factor

    def machine_factor(self, time_s: float) -> float:
        """Return the slowness of the whole machine at a time: its step and its bursts."""
        step = 1.0 + self._constants.step_share if time_s >= self._constants.step_after_s else 1.0
        return step * self._burst_factor(int(time_s // self._constants.burst_s))

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return the bursts that reach into a time, each with its beginning and end."""
        length_s = self._constants.burst_s
        periods = range(max(0, int(from_s // length_s)), int(until_s // length_s) + 1)
        return [(n * length_s, (n + 1) * length_s) for n in periods if self._burst_factor(n) > 1.0]

    def _draw_burst(self, period: int) -> float:
        is_burst = self._draws(_BURST, period).random() < self._constants.burst_probability
        return 1.0 + self._constants.burst_share if is_burst else 1.0

    def _autocorrelated(self, place: tuple[int, ...], session: int) -> float:
        """Return a standard normal draw that follows those of the sessions before: AR(1)."""
        correlation = self._constants.autocorrelation
        weight, value = math.sqrt(1.0 - correlation**2), 0.0
        for back in range(_SESSIONS_BEFORE):
            value += weight * self._normal(_SESSION, *place, _SESSIONS_BEFORE + session - back)
            weight *= correlation
            if weight < _FORGOTTEN:
                break
        return value

    def _normal(self, *place: int) -> float:
        return float(self._draws(*place).standard_normal())

    def _draws(self, *place: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, *place])
