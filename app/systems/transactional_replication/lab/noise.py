"""Why two equal runs of replication agents differ: the noise of any lab, and how commands are split over streams."""

from typing import Final

import numpy as np

from app.lab.noise import Noise

_HASH_STREAM: Final = 2


class AgentNoise(Noise):
    """Draws and drift of one lab of replication agents."""

    def hash_draws(self, pair: int, session: int) -> np.random.Generator:
        """Return the generator that splits commands over streams in one session; seeded with noise off, too."""
        return np.random.default_rng([self._seed, _HASH_STREAM, pair, session])
