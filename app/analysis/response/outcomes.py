"""Outcomes that a setting brings about in its trials, such as connections falling back to one: where, and how often.

Such a trial says that it happens there, and what it takes then; of what the setting takes otherwise it says nothing, so
the curve is not bent by it. What is expected of a setting is the mean of both, by how often it happens. It happens
beyond a boundary, a corner of the settings (`departures.steps`): from the smallest setting on in which it was seen, and
not up to the largest in which it was not; which of the boundaries between is open.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.analysis.distributions import log_beta, log_sum
from app.analysis.response.departures import Departures, Floats, coordinates, matern, steps
from app.analysis.response.ensemble import Ensemble, Trials
from app.domain.setting import Setting

BESIDE_BOUNDARY: Final = 0.02
"""Probability that it happens in a trial before the boundary."""

EVERYWHERE_SHARE: Final = 0.02
"""Prior share of no boundary at all: what every setting does is hardly one's own doing."""

_UNINFORMED: Final = 0.5
"""Both counts of the beta prior of its share beyond the boundary (Jeffreys): mostly seldom or nearly always."""

COST_LOG_SD: Final = 0.8
COST_BEND_LOG_SD: Final = 0.3
COST_LENGTH: Final = 0.5
"""What it costs, as a log: as much as any step does, and not the same everywhere, since one connection takes what the
curve of several does not tell; with the length of these bends, as of the smooth departures. It is a step itself, so no
other is thought of beside it."""

SLIGHT_LOG_SD: Final = 0.02
SLIGHT_SHARE: Final = 0.7
"""Or it costs next to nothing, where few batches of many are concerned; prior share of that."""


def with_outcomes(departures: Departures, settings: Sequence[Setting]) -> Departures:
    """Return the hypotheses of all settings without the outcome, and behind them of the same settings with it."""
    slight = np.full((len(settings), len(settings)), SLIGHT_LOG_SD**2)
    cost = COST_LOG_SD**2 + COST_BEND_LOG_SD**2 * matern(coordinates(settings), COST_LENGTH)
    kept = np.append(np.arange(len(departures.noise)), np.flatnonzero(~departures.is_step))
    is_slight = np.arange(len(kept)) < len(departures.noise)
    of_outcome = np.where(is_slight[:, None, None], slight, cost)
    log_prior = departures.log_prior[kept]
    for which, share in ((is_slight, SLIGHT_SHARE), (~is_slight, 1 - SLIGHT_SHARE)):
        log_prior[which] += math.log(share) - log_sum(log_prior[which])
    return replace(
        departures,
        covariance=np.tile(departures.covariance[kept], (1, 2, 2)) + np.kron(np.diag([0.0, 1.0]), of_outcome),
        noise=departures.noise[kept],
        log_prior=log_prior,
        size=departures.size[kept],
        is_step=departures.is_step[kept],
    )


def doubled(ensemble: Ensemble) -> Ensemble:
    """Return an ensemble whose curves go on behind the settings with the same settings once more."""
    return replace(ensemble, curves=np.tile(ensemble.curves, (1, 2)))


def drawn_shares(settings: Sequence[Setting], trials: Trials, count: int, random: np.random.Generator) -> Floats:
    """Return how often the outcome happens at each setting, drawn from the trials, shape (count, settings)."""
    everywhere, boundaries = np.ones((1, len(settings)), bool), steps(settings)
    beyond: NDArray[np.bool_] = np.concatenate([everywhere, boundaries])
    is_beyond = beyond[:, list(trials.setting)]
    has = np.array(trials.has_outcome)
    seen, free = (is_beyond & has).sum(1), (is_beyond & ~has).sum(1)
    log_weight = np.log(np.append(EVERYWHERE_SHARE, np.full(len(boundaries), 1 / max(1, len(boundaries)))))
    log_weight += log_beta(_UNINFORMED + seen, _UNINFORMED + free)
    log_weight += (~is_beyond & has).sum(1) * math.log(BESIDE_BOUNDARY)
    log_weight += (~is_beyond & ~has).sum(1) * math.log1p(-BESIDE_BOUNDARY)
    weight = np.exp(log_weight - log_weight.max())
    chosen = random.choice(len(beyond), count, p=weight / weight.sum())
    share = random.beta(_UNINFORMED + seen[chosen], _UNINFORMED + free[chosen])
    return np.where(beyond[chosen], share[:, None], 0.0)


def mixed(curves: Floats, shares: Floats) -> Floats:
    """Return the log of the average time of settings.

    Args:
        curves: log values without it, and behind them with it, shape (curves, 2 × settings).
        shares: how often it happens, shape (curves, settings).
    """
    without, fallen = np.split(curves, 2, axis=1)
    taken: Floats = without + np.log1p(shares * np.expm1(fallen - without))
    return taken
