"""Why two equal runs of replication agents differ: the noise of any lab, and how commands are split over streams."""

from typing import Final

import numpy as np

from app.lab.moving import MovingSpeed
from app.lab.noise import Noise
from app.lab.uneven import Uneven
from app.systems.transactional_replication.lab.scenario import NoiseConstants
from app.systems.transactional_replication.lab.transactions import FloatArray

_HASH_STREAM: Final = 2


class AgentNoise(Noise):
    """Draws and drift of one lab of replication agents, on an uneven site with noise like that of recorded servers."""

    def __init__(self, constants: NoiseConstants, seed: int, enabled: bool) -> None:
        super().__init__(constants, seed, enabled)
        self._uneven = Uneven(constants.uneven, seed) if enabled and constants.uneven is not None else None
        self._moving = MovingSpeed(constants.moving, seed) if enabled and constants.moving is not None else None
        self._run_cv = constants.run_cv
        self._left_behind_share = constants.left_behind_share
        self._slowed: list[tuple[float, float, float]] = []

    def hash_draws(self, pair: int, session: int) -> np.random.Generator:
        """Return the generator that splits commands over streams in one session; seeded with noise off, too."""
        return np.random.default_rng([self._seed, _HASH_STREAM, pair, session])

    def session_factor(self, pair: int, process: int, session: int, settings: str) -> float:
        """Return the factor on all durations of one session of an agent that runs with these settings."""
        if self._uneven is None:
            return self.run_factor(pair, process, session)
        return self._uneven.session_factor(self._run_cv, (pair, process), session, settings)

    def when_done(self, now_s: float, work_s: FloatArray) -> FloatArray:
        """Return when pieces of work that begin now are done, by the machine's speed at each second; same shape."""
        return now_s + work_s if self._moving is None else self._moving.when_done(now_s, work_s)

    def lasts_s(self, now_s: float, work_s: float) -> float:
        """Return how long a piece of work lasts that begins now."""
        if self._moving is None:
            return work_s
        return float(self._moving.when_done(now_s, np.array([work_s]))[0]) - now_s

    def left_behind(self, doublings: float) -> float:
        """Return the factor on all durations of a session by the settings of the one before."""
        return 1.0 + self._left_behind_share * doublings

    def slow_down(self, from_s: float, until_s: float, share: float) -> None:
        """Let something else make the machine slower for a while, whether runs differ or not."""
        self._slowed.append((from_s, until_s, 1.0 + share))

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        return [] if self._uneven is None else self._uneven.busy_spans(from_s, until_s)

    def drift_factor(self, time_s: float) -> float:
        """Return the machine's slowness at a time, an uneven site's steps and bursts in it."""
        factor = super().drift_factor(time_s)
        for from_s, until_s, slowness in self._slowed:
            factor *= slowness if from_s <= time_s < until_s else 1.0
        return factor if self._uneven is None else factor * self._uneven.machine_factor(time_s)
