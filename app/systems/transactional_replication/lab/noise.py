"""Why two equal runs of replication agents differ: the noise of any lab, and how commands are split over streams."""

import functools
import math
import zlib
from typing import Final

import numpy as np

from app.lab.noise import Noise
from app.systems.transactional_replication.lab.scenario import NoiseConstants, UnevenConstants

_HASH_STREAM: Final = 2
_SESSION_STREAM: Final = 3
_SETTING_STREAM: Final = 4
_OUTLIER_STREAM: Final = 5
_BURST_STREAM: Final = 6

# What a session before the first one contributes must have died away.
_SESSIONS_BEFORE: Final = 1_000
_FORGOTTEN: Final = 0.01


class AgentNoise(Noise):
    """Draws and drift of one lab of replication agents, on an uneven site with noise like that of recorded servers."""

    def __init__(self, constants: NoiseConstants, seed: int, enabled: bool) -> None:
        super().__init__(constants, seed, enabled)
        self._uneven = constants.uneven if enabled else None
        self._run_cv = constants.run_cv
        self._slowed: list[tuple[float, float, float]] = []
        self._burst_factor = functools.lru_cache(maxsize=4)(self._draw_burst)

    def hash_draws(self, pair: int, session: int) -> np.random.Generator:
        """Return the generator that splits commands over streams in one session; seeded with noise off, too."""
        return np.random.default_rng([self._seed, _HASH_STREAM, pair, session])

    def session_factor(self, pair: int, process: int, session: int, settings: str) -> float:
        """Return the factor on all durations of one session of an agent that runs with these settings."""
        if self._uneven is None:
            return self.run_factor(pair, process, session)
        spread = self._uneven.setting_spread * self._normal(_SETTING_STREAM, zlib.crc32(settings.encode()))
        sigma = math.sqrt(math.log1p((self._run_cv * math.exp(spread)) ** 2))
        factor = math.exp(sigma * self._autocorrelated(self._uneven, pair, process, session))
        is_outlier = self._draws(_OUTLIER_STREAM, pair, process, session).random() < self._uneven.outlier_probability
        return factor * (1.0 + self._uneven.outlier_share) if is_outlier else factor

    def slow_down(self, from_s: float, until_s: float, share: float) -> None:
        """Let something else make the machine slower for a while, whether runs differ or not."""
        self._slowed.append((from_s, until_s, 1.0 + share))

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        if self._uneven is None:
            return []
        length_s = self._uneven.burst_s
        periods = range(int(from_s // length_s), int(until_s // length_s) + 1)
        return [(n * length_s, (n + 1) * length_s) for n in periods if self._burst_factor(n) > 1.0]

    def drift_factor(self, time_s: float) -> float:
        """Return the machine's slowness at a time, an uneven site's steps and bursts in it."""
        factor = super().drift_factor(time_s)
        for from_s, until_s, slowness in self._slowed:
            factor *= slowness if from_s <= time_s < until_s else 1.0
        if self._uneven is None:
            return factor
        if time_s >= self._uneven.step_after_s:
            factor *= 1.0 + self._uneven.step_share
        return factor * self._burst_factor(int(time_s // self._uneven.burst_s))

    def _draw_burst(self, period: int) -> float:
        assert self._uneven is not None  # asked on an uneven site only
        is_burst = self._draws(_BURST_STREAM, period).random() < self._uneven.burst_probability
        return 1.0 + self._uneven.burst_share if is_burst else 1.0

    def _autocorrelated(self, uneven: UnevenConstants, pair: int, process: int, session: int) -> float:
        """Return a standard normal draw that follows those of the sessions before: AR(1)."""
        weight, value = math.sqrt(1.0 - uneven.autocorrelation**2), 0.0
        for back in range(_SESSIONS_BEFORE):
            value += weight * self._normal(_SESSION_STREAM, pair, process, _SESSIONS_BEFORE + session - back)
            weight *= uneven.autocorrelation
            if weight < _FORGOTTEN:
                break
        return value

    def _normal(self, *place: int) -> float:
        return float(self._draws(*place).standard_normal())

    def _draws(self, *place: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, *place])
