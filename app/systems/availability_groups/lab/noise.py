"""Seeded noise: the session's factor, slow drift both arms of an interleaved comparison share, and each run's own."""

import math
import zlib
from typing import Final

import numpy as np

from app.lab.moving import MovingSpeed
from app.lab.uneven import Uneven
from app.systems.availability_groups.lab.scenario import NoiseConstants

_SESSION: Final = 1
_DRIFT: Final = 2
_LOOP: Final = 3
_COPY: Final = 4


class Noise:
    """Factors on durations; the same seed gives the same factors whatever else happens."""

    def __init__(self, constants: NoiseConstants, seed: int, enabled: bool) -> None:
        self._constants = constants
        self.seed = self._seed = seed
        self._enabled = enabled
        self._uneven = Uneven(constants.uneven, seed) if enabled and constants.uneven is not None else None
        self._moving = MovingSpeed(constants.moving, seed) if enabled and constants.moving is not None else None
        self._loops: dict[str, tuple[str, int]] = {}
        self._session_factor = constants.session_factor * self._draw(constants.session_cv, _SESSION, 0)

    def slowness(self, time_s: float) -> float:
        """Return session factor × drift at a time, an uneven site's steps and bursts in it.

        Drift goes in straight lines (on the log scale) between values drawn every `drift_over_s`; the 1.5 makes up
        for the variance that lies between two independent ends of a line (two thirds of theirs, on average).
        """
        position = time_s / self._constants.drift_over_s
        knot = math.floor(position)
        cv = self._constants.drift_cv * math.sqrt(1.5)
        before, after = self._draw(cv, _DRIFT, knot), self._draw(cv, _DRIFT, knot + 1)
        slowness = self._session_factor * before * math.pow(after / before, position - knot)
        if self._moving is not None:
            slowness /= self._moving.speed_at(time_s)
        return slowness if self._uneven is None else slowness * self._uneven.machine_factor(time_s)

    def loop_factor(self, load_id: int, database: str, setting: str) -> float:
        """Return the factor on one insert loop of its own.

        Args:
            setting: what is written how. At an uneven site loops of one setting that follow each other are one.
        """
        if self._uneven is None:
            return self._draw(self._constants.loop_cv, _LOOP, load_id)
        last, number = self._loops.get(database, ("", 0))
        if setting != last:
            number += 1
            self._loops[database] = (setting, number)
        place = (_LOOP, zlib.crc32(database.encode()))
        return self._uneven.session_factor(self._constants.loop_cv, place, number, f"{database} {setting}")

    def copy_factor(self, operation_id: int, kind: str, time_s: float) -> float:
        """Return the factor on one backup, restore or seeding that begins at a time."""
        if self._uneven is None:
            return self._draw(self._constants.copy_cv, _COPY, operation_id)
        own = self._uneven.session_factor(self._constants.copy_cv, (_COPY,), operation_id, kind)
        return own * self._uneven.machine_factor(time_s)

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        return [] if self._uneven is None else self._uneven.busy_spans(from_s, until_s)

    def _draw(self, cv: float, stream: int, index: int) -> float:
        """Return a lognormal factor of median 1 and this coefficient of variation."""
        if not self._enabled or cv == 0.0:
            return 1.0
        sigma = math.sqrt(math.log1p(cv**2))
        draw = np.random.default_rng([self._seed, stream, index])
        return math.exp(sigma * float(draw.standard_normal()))
