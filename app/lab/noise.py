"""Why two equal runs differ: a factor drawn at each start of a process, and slow drift of the whole machine."""

import math
from typing import Final, Protocol

import numpy as np

_RUN_STREAM: Final = 1


class NoiseLevels(Protocol):
    """How noisy a lab is.

    Attributes:
        run_cv: coefficient of variation between equal runs.
        drift_share, drift_over_s: how much slower the machine becomes, and over what time.
    """

    @property
    def run_cv(self) -> float:
        """Between equal runs."""
        ...

    @property
    def drift_share(self) -> float:
        """Of the slow drift."""
        ...

    @property
    def drift_over_s(self) -> float:
        """Of the slow drift."""
        ...


class Noise:
    """Draws and drift of one lab; the same seed gives the same draws whatever else happens."""

    def __init__(self, constants: NoiseLevels, seed: int, enabled: bool) -> None:
        self._constants = constants
        self._seed = seed
        self._enabled = enabled

    def run_factor(self, site: int, process: int, session: int) -> float:
        """Return the factor on all durations of one session of a process: lognormal, median 1, coefficient `run_cv`."""
        if not self._enabled or self._constants.run_cv == 0.0:
            return 1.0
        sigma = math.sqrt(math.log1p(self._constants.run_cv**2))
        draw = np.random.default_rng([self._seed, _RUN_STREAM, site, process, session])
        return math.exp(sigma * float(draw.standard_normal()))

    def drift_factor(self, time_s: float) -> float:
        """Return the machine's slowness at a time: a triangle wave from 1 up to 1 + `drift_share` and back."""
        if not self._enabled:
            return 1.0
        phase = (time_s / self._constants.drift_over_s) % 2.0
        return 1.0 + self._constants.drift_share * (phase if phase <= 1.0 else 2.0 - phase)
