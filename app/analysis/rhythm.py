"""Whether a site's rate goes up and down in step with something that comes back: a checkpoint, a job, a log backup.

Pairs of windows in an order drawn at random meet a rhythm of few windows in step now and then, and few pairs then agree
by that alone. So it is looked for in the parts of all windows, each setting with a level of its own: a sine of unknown
period and phase beside noise with the memory that sites have (generalized least squares; the odds are averaged over
periods). A suspicion is enough to ask more of a claim (`window_pairs`), so it need not be sure.

Source: Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), section 2.7, for the marginal likelihood
of a few linear terms; Lomb (1976), Astrophysics and Space Science 39: 447-462, for the search over periods. The
constants were chosen by simulation (`tests/prove/window_worlds.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.domain.measurement import WINDOW_RATE, TrialResult, TrialStatus
from app.domain.setting import Setting

Floats = NDArray[np.float64]

SUSPECTED: Final = -0.5
"""Log odds from which on a claim has to stand by the order of its pairs alone."""

KNOWN: Final = 2.0
"""Log odds from which on it may be of any size, so that the order has to bear out every claim."""

LARGEST_UNSEEN_LOG: Final = math.log(1.2 / 0.8)
"""What a rhythm that is only suspected may make of a pair at most, as a log: a fifth up and down. A larger one is
known."""

_AMPLITUDE_LOG_SD: Final = 0.14
"""Of sine and cosine each: a rate that goes up and down by a fifth."""

_SLOW: Final = ((0.06, 1_200.0), (0.06, 180.0), (0.10, 30.0))
_START_LOG_SD: Final = 0.04
_SECOND_LOG_SD: Final = 0.25
"""Noise as sites have it, with its memory in s; of each start; from second to second. Only their proportions count."""

_LEVEL_LOG_SD: Final = 0.5
_SCALE_DEGREES: Final = 10.0
"""How far settings differ; how many degrees of freedom the expected size of the noise counts for."""

_SHORTEST_CYCLES: Final = 1.25
_LONGEST_CYCLES: Final = 11.0
_PERIODS: Final = 50
_FEWEST_WINDOWS: Final = 5
_MOST_ROWS: Final = 600


@dataclass(frozen=True)
class WindowRates:
    """The rates in the parts of one window.

    Attributes:
        middles_s: of the parts, on one clock for all windows.
        part_s: length of a part.
    """

    setting: Setting
    middles_s: tuple[float, ...]
    rates: tuple[float, ...]
    part_s: float


@dataclass(frozen=True)
class Rhythm:
    """What windows say of a rhythm.

    Attributes:
        log_odds: for one against none.
        period_s: the likeliest.
        cycle_s: from the beginning of a window to that of the next.
    """

    log_odds: float
    period_s: float
    cycle_s: float

    @property
    def is_suspected(self) -> bool:
        """Whether it may be there."""
        return self.log_odds >= SUSPECTED

    @property
    def in_pair_log(self) -> float:
        """How far it may move the windows of a pair apart, as a log; 0 where there is hardly one, inf for any."""
        if self.is_known:
            return math.inf
        return LARGEST_UNSEEN_LOG if self.is_suspected else 0.0

    @property
    def is_known(self) -> bool:
        """Whether it is sure enough to be of any size."""
        return self.log_odds >= KNOWN


def window_rates(trials: Sequence[TrialResult]) -> tuple[WindowRates, ...]:
    """Return the windows among trials that can be used, in their order; other trials have no such series."""
    made = []
    for trial in trials:
        parts = [sample for sample in trial.samples if sample.stream == WINDOW_RATE and sample.value > 0]
        if trial.status is not TrialStatus.USED or len(parts) < 2:
            continue
        part_s = (parts[-1].offset_s - parts[0].offset_s) / (len(parts) - 1)
        began_s = trial.finished_utc.timestamp() - parts[-1].offset_s - part_s / 2
        middles = tuple(began_s + sample.offset_s for sample in parts)
        made.append(WindowRates(trial.setting, middles, tuple(sample.value for sample in parts), part_s))
    return tuple(made)


def rhythm_in(windows: Sequence[WindowRates]) -> Rhythm | None:
    """Return what windows say of a rhythm, None where they are too few."""
    windows = windows[-_MOST_ROWS // 5 :]
    if len(windows) < _FEWEST_WINDOWS:
        return None
    begins = np.array([window.middles_s[0] for window in windows])
    cycle_s = float(np.median(np.diff(begins)))
    if cycle_s <= 0:
        return None
    factor = np.linalg.cholesky(_covariance(windows))
    periods_s = np.geomspace(_SHORTEST_CYCLES * cycle_s, _LONGEST_CYCLES * cycle_s, _PERIODS)
    middles = np.concatenate([window.middles_s for window in windows])
    angles = np.outer(middles - middles[0], 2 * math.pi / periods_s)
    logs = np.log(np.concatenate([window.rates for window in windows]))
    white = np.linalg.solve(factor, np.column_stack([logs - logs.mean(), np.sin(angles), np.cos(angles)]))
    value, sine, cosine = white[:, 0], white[:, 1 : 1 + _PERIODS], white[:, 1 + _PERIODS :]
    freedom = len(logs) - len({window.setting for window in windows})
    scale = float(value @ value + _SCALE_DEGREES) / (freedom + _SCALE_DEGREES)
    log_odds = _log_odds(value, sine, cosine, scale)
    top = float(log_odds.max())
    return Rhythm(
        log_odds=top + math.log(float(np.exp(log_odds - top).mean())),
        period_s=float(periods_s[log_odds.argmax()]),
        cycle_s=cycle_s,
    )


def _log_odds(value: Floats, sine: Floats, cosine: Floats, scale: float) -> Floats:
    """Return the log odds for a sine of each period, its amplitude and phase integrated out."""
    prior = 1 / _AMPLITUDE_LOG_SD**2
    first, second = (sine**2).sum(0) / scale + prior, (cosine**2).sum(0) / scale + prior
    across = (sine * cosine).sum(0) / scale
    a, b = sine.T @ value / scale, cosine.T @ value / scale
    determinant = first * second - across**2
    explained = (second * a**2 - 2 * across * a * b + first * b**2) / determinant
    odds: Floats = 0.5 * explained - 0.5 * np.log(determinant / prior**2)
    return odds


def _covariance(windows: Sequence[WindowRates]) -> Floats:
    """Return the covariance of the logs of all parts without a rhythm, by the expected noise."""
    sizes = [len(window.rates) for window in windows]
    middles = np.concatenate([window.middles_s for window in windows])
    apart = np.abs(middles[:, None] - middles[None])
    number = np.repeat(np.arange(len(windows)), sizes)
    places = {setting: place for place, setting in enumerate(dict.fromkeys(w.setting for w in windows))}
    setting = np.repeat([places[window.setting] for window in windows], sizes)
    covariance: Floats = np.full(apart.shape, _LEVEL_LOG_SD**2)
    for log_sd, memory_s in _SLOW:
        covariance += log_sd**2 * np.exp(-apart / memory_s)
    covariance += _START_LOG_SD**2 * (number[:, None] == number[None])
    covariance += _LEVEL_LOG_SD**2 * (setting[:, None] == setting[None])
    parts = np.repeat([window.part_s for window in windows], sizes)
    covariance[np.diag_indices(len(middles))] += _SECOND_LOG_SD**2 / parts
    return covariance
