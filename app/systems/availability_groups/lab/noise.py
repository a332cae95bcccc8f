"""Seeded noise: the session's factor, slow drift both arms of an interleaved comparison share, and each run's own."""

import math
from typing import Final

import numpy as np

from app.systems.availability_groups.lab.scenario import NoiseConstants

_SESSION: Final = 1
_DRIFT: Final = 2
_LOOP: Final = 3
_COPY: Final = 4


class Noise:
    """Factors on durations; the same seed gives the same factors whatever else happens."""

    def __init__(self, constants: NoiseConstants, seed: int, enabled: bool) -> None:
        self._constants = constants
        self._seed = seed
        self._enabled = enabled
        self._session_factor = constants.session_factor * self._draw(constants.session_cv, _SESSION, 0)

    def slowness(self, time_s: float) -> float:
        """Return session factor × drift at a time.

        Drift goes in straight lines (on the log scale) between values drawn every `drift_over_s`; the 1.5 makes up
        for the variance that lies between two independent ends of a line (two thirds of theirs, on average).
        """
        position = time_s / self._constants.drift_over_s
        knot = math.floor(position)
        cv = self._constants.drift_cv * math.sqrt(1.5)
        before, after = self._draw(cv, _DRIFT, knot), self._draw(cv, _DRIFT, knot + 1)
        return self._session_factor * before * math.pow(after / before, position - knot)

    def loop_factor(self, load_id: int) -> float:
        """Return the factor on one insert loop of its own."""
        return self._draw(self._constants.loop_cv, _LOOP, load_id)

    def copy_factor(self, operation_id: int) -> float:
        """Return the factor on one backup, restore or seeding."""
        return self._draw(self._constants.copy_cv, _COPY, operation_id)

    def _draw(self, cv: float, stream: int, index: int) -> float:
        """Return a lognormal factor of median 1 and this coefficient of variation."""
        if not self._enabled or cv == 0.0:
            return 1.0
        sigma = math.sqrt(math.log1p(cv**2))
        draw = np.random.default_rng([self._seed, stream, index])
        return math.exp(sigma * float(draw.standard_normal()))
