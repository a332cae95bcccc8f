"""Why two equal runs differ: a factor drawn at each agent start, and slow drift of the whole machine."""

import math
from typing import Final

import numpy as np

from app.systems.transactional_replication.lab.scenario import NoiseConstants

_RUN_STREAM: Final = 1
_HASH_STREAM: Final = 2


class Noise:
    """Draws and drift of one lab; the same seed gives the same draws whatever else happens."""

    def __init__(self, constants: NoiseConstants, seed: int, enabled: bool) -> None:
        self._constants = constants
        self._seed = seed
        self._enabled = enabled

    def run_factor(self, pair: int, agent: int, session: int) -> float:
        """Return the factor on all durations of one agent session: lognormal, median 1, coefficient `run_cv`."""
        if not self._enabled or self._constants.run_cv == 0.0:
            return 1.0
        sigma = math.sqrt(math.log1p(self._constants.run_cv**2))
        draw = np.random.default_rng([self._seed, _RUN_STREAM, pair, agent, session])
        return math.exp(sigma * float(draw.standard_normal()))

    def drift_factor(self, time_s: float) -> float:
        """Return the machine's slowness at a time: a triangle wave from 1 up to 1 + `drift_share` and back."""
        if not self._enabled:
            return 1.0
        phase = (time_s / self._constants.drift_over_s) % 2.0
        return 1.0 + self._constants.drift_share * (phase if phase <= 1.0 else 2.0 - phase)

    def hash_draws(self, pair: int, session: int) -> np.random.Generator:
        """Return the generator that splits commands over streams in one session; seeded with noise off, too."""
        return np.random.default_rng([self._seed, _HASH_STREAM, pair, session])
