"""How a site may depart from the family's curve: smoothly, or by a step beyond some values of its parameters.

Smooth departures are a Gaussian process with a Matérn 5/2 covariance over the logs of the parameters (Rasmussen &
Williams, Gaussian Processes for Machine Learning, 2006, section 4.2.1). A step stands for what happens at a boundary:
connections that fall back to one, a batch that no longer fits. Each boundary is a hypothesis of its own, so that a step
can be told from one trial on its far side and a smooth bend is not made of it.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.domain.setting import Setting

Floats = NDArray[np.float64]

LEVEL_LOG_SD: Final = 0.3
"""How far the level of a curve may be off everywhere alike, as a log: what surrounds the work that it describes."""

FREE_LEVEL_LOG_SD: Final = 3.0
"""The same without a curve: the first trial says it."""

_SMALLEST_RANGE: Final = 3.0
"""Of a parameter, as a log to base 2: 1, 2 and 4 are never as far apart as 1 and 16 are."""


@dataclass(frozen=True)
class Smooth:
    """A smooth departure: its size as a log, how far it reaches in units of the range of settings, its prior share."""

    log_sd: float
    length: float
    share: float


WITH_CURVE: Final = (Smooth(0.012, 0.5, 0.4), Smooth(0.05, 0.5, 0.1), Smooth(0.25, 0.35, 0.5))
WITHOUT_CURVE: Final = (Smooth(0.03, 0.5, 0.2), Smooth(0.1, 0.5, 0.2), Smooth(0.3, 0.5, 0.3), Smooth(0.3, 0.2, 0.3))
"""Their lengths and sizes are those of bends that 30 settings can show; chosen by simulation, as the shares are."""

NOISES: Final = ((0.02, 0.35), (0.04, 0.40), (0.08, 0.25))
"""Run-to-run noise as a log standard deviation, and its prior share, where none is stated."""

WINDOW_NOISES: Final = ((0.02, 0.25), (0.04, 0.30), (0.08, 0.25), (0.15, 0.13), (0.25, 0.07))
"""The same of windows of some tens of seconds on one backlog, which follow what others do from minute to minute."""

STEP_SHARE_WITH_CURVE: Final = 0.25
STEP_SHARE_WITHOUT: Final = 0.2
STEP_LOG_SD: Final = 0.8
BESIDE_STEP: Final = 0.03
"""Prior shares of a step somewhere; its size as a log; the smooth departure beside it."""


@dataclass(frozen=True, eq=False)
class Departures:
    """A site's possible departures from the curve: hypotheses h of one covariance and one noise each.

    Attributes:
        covariance: shape (h, settings, settings), of log values, the uncertain level included.
        noise: shape (h,), log standard deviation between runs.
        log_prior: shape (h,).
        size: shape (h,), log standard deviation of the departure, a step not counted.
        is_step: shape (h,).
        settings: how many there are; where the covariance has twice as many, they stand there once more, as they are in
            trials that brought something about themselves (`outcomes`).
    """

    covariance: Floats
    noise: Floats
    log_prior: Floats
    size: Floats
    is_step: NDArray[np.bool_]
    settings: int

    @property
    def knows_outcomes(self) -> bool:
        """Whether settings stand there once more."""
        return len(self.covariance[0]) > self.settings


def departures_of(
    settings: Sequence[Setting], *, has_curve: bool, noises: Sequence[tuple[float, float]] = NOISES
) -> Departures:
    """Return the hypotheses for these settings.

    Args:
        has_curve: the family has one; else a Gaussian process is all there is.
        noises: between runs as a log standard deviation, each with its prior share.
    """
    places = coordinates(settings)
    smooth = WITH_CURVE if has_curve else WITHOUT_CURVE
    level = (LEVEL_LOG_SD if has_curve else FREE_LEVEL_LOG_SD) ** 2
    beyond = steps(settings)
    step_share = (STEP_SHARE_WITH_CURVE if has_curve else STEP_SHARE_WITHOUT) if len(beyond) else 0.0
    kinds = [(s.log_sd**2 * matern(places, s.length), s.log_sd, s.share * (1 - step_share), False) for s in smooth]
    beside = BESIDE_STEP**2 * matern(places, 0.5)
    for side in beyond.astype(float):
        step = STEP_LOG_SD**2 * np.outer(side, side)
        kinds.append((beside + step, BESIDE_STEP, step_share / len(beyond), True))
    every = list(itertools.product(kinds, noises))
    return Departures(
        covariance=np.stack([kind[0] + level for kind, _noise in every]),
        noise=np.array([noise for _kind, (noise, _share) in every]),
        log_prior=np.array([math.log(kind[2] * share) for kind, (_noise, share) in every]),
        size=np.array([kind[1] for kind, _noise in every]),
        is_step=np.array([kind[3] for kind, _noise in every]),
        settings=len(settings),
    )


def coordinates(settings: Sequence[Setting]) -> Floats:
    """Return settings as points, shape (settings, parameters): logs of numbers over their range, words far apart."""
    columns: list[Floats] = []
    for name in settings[0]:
        values = [setting[name] for setting in settings]
        numbers = [value for value in values if not isinstance(value, str)]
        if len(numbers) < len(values):
            words = sorted({str(value) for value in values})
            columns += [np.array([float(str(value) == word) for value in values]) for word in words]
            continue
        logs = _logs(numbers)
        columns.append((logs - logs.min()) / max(float(np.ptp(logs)), _SMALLEST_RANGE))
    return np.stack(columns, axis=1)


def _logs(numbers: Sequence[float]) -> Floats:
    """Return logs to base 2; where a parameter may be 0, of one more than it."""
    raw = np.array(numbers, float)
    logs: Floats = np.log2(raw if raw.min() > 0 else raw - raw.min() + 1)
    return logs


def matern(places: Floats, length: float) -> Floats:
    """Return the Matérn 5/2 correlation of points, shape (points, points)."""
    apart = np.sqrt(((places[:, None] - places[None]) ** 2).sum(-1)) * (math.sqrt(5) / length)
    correlation: Floats = (1 + apart + apart**2 / 3) * np.exp(-apart)
    return correlation


def steps(settings: Sequence[Setting]) -> NDArray[np.bool_]:
    """Return which settings lie beyond each boundary, shape (boundaries, settings).

    A boundary is a corner, all parameters at least so high (streams that fall back, a batch that no longer fits), or
    the ratio of two of them (a share of a batch that no longer fits its stream). Boundaries with the same settings
    beyond them are one; one with all settings beyond it is none.
    """
    numeric = [name for name in settings[0] if not any(isinstance(setting[name], str) for setting in settings)]
    values = np.array([[float(setting[name]) for name in numeric] for setting in settings])
    positive = values[:, (values > 0).all(axis=0)]
    sides = [(values >= np.array(bounds)).all(axis=1) for bounds in itertools.product(*map(np.unique, values.T))]
    for above, below in itertools.permutations(positive.T, 2):
        ratio = above / below
        sides += [ratio >= bound for bound in np.unique(ratio)]
    distinct = {beyond.tobytes(): beyond for beyond in sides if beyond.any() and not beyond.all()}
    return np.array(list(distinct.values()), bool).reshape(len(distinct), len(settings))
