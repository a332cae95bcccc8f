"""Which setting the model would pick, how sure it is of it, and the trial from which it would learn most.

The next trial is the one after which the pick is expected to lose least against the best (knowledge gradient: Frazier,
Powell & Dayanik 2009, INFORMS Journal on Computing 21:599), computed over curves drawn from the posterior. Exploring
ends once the pick is within 2 % of the best with a probability of 86 % and expected to lose 1 % at most, or once
nothing tried or predicted gains what counts against the baseline, or once no trial is expected to gain what is worth
its time (Frazier & Powell 2008, Proceedings of the Winter Simulation Conference, 305).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.distributions import normal_quantile
from app.analysis.response.departures import Floats
from app.analysis.response.ensemble import Posterior
from app.analysis.response.outcomes import drawn_shares, mixed
from app.domain.setting import Setting

CURVES: Final = 1_000
"""Drawn from the posterior; with 300 the certainty of the pick is off by 1.7 points by chance, and a few stop early."""

TOLERANCE: Final = 0.02
"""A pick that loses no more than this against the best is right."""

ENOUGH: Final = 0.86
"""Probability that ends exploring. It is a modest one: at 3 % noise 98.5 % of 201 sites are right then, at 8 % 94.5 %
(`prove/test_guided_by_model.py`)."""

MOST_EXPECTED_LOSS: Final = 0.01
"""What the pick may be expected to lose against the best then, a share."""

LEAST_GAIN: Final = 0.003
"""Exploring ends where even the best next trial is expected to bring the pick nearer to the best by less than this
share: settings so close are left to the confirming trials. At 8 % noise 201 sites take 9.5 trials instead of 11.4,
and 94.5 % are right instead of 95.0 %."""

FEWEST_TRIALS: Final = 3
_OUTCOMES: Final = 12
_OUTCOMES_IN_ALL: Final = 360
"""Simulated for one proposal: 12 of each setting where there are 30, more of each where there are fewer."""

_LARGEST_LOSS_LOG: Final = 3.0
_LEAST_VARIANCE: Final = 1e-9  # of a log: far below any noise, and enough to factor what trials have pinned down


@dataclass(frozen=True, eq=False)
class Outlook:
    """The posterior's view of the settings.

    Attributes:
        curves: shape (curves, settings), log values that agree with the trials.
        loss: same shape, by how much each setting is worse than that curve's best, a share.
        pick: position of the setting that is expected to lose least.
        expected_loss: of the pick, a share.
        right: probability that the pick is within `TOLERANCE` of the best.
        level: probability that the baseline is within the margin of equivalence of the best.
        noise: between runs, log standard deviation.
    """

    curves: Floats
    loss: Floats
    pick: int
    expected_loss: float
    right: float
    level: float
    noise: float


def outlook(
    posterior: Posterior, settings: Sequence[Setting], baseline: int, margin: float, random: np.random.Generator
) -> Outlook:
    """Return the outlook of every setting after the trials so far.

    Args:
        settings: all of them.
        baseline: its position.
        margin: a setting that loses less than this share against the best is not worse.
    """
    curves = drawn_curves(posterior, random)
    if posterior.departures.knows_outcomes:
        curves = mixed(curves, drawn_shares(settings, posterior.trials, CURVES, random))
    loss = np.expm1(np.minimum(curves - curves.min(1, keepdims=True), _LARGEST_LOSS_LOG))
    expected = loss.mean(0)
    pick = int(np.argmin(expected))
    return Outlook(
        curves=curves,
        loss=loss,
        pick=pick,
        expected_loss=float(expected[pick]),
        right=float((loss[:, pick] <= TOLERANCE).mean()),
        level=float((loss[:, baseline] <= margin).mean()),
        noise=posterior.noise,
    )


def drawn_curves(posterior: Posterior, random: np.random.Generator) -> Floats:
    """Return curves drawn from the posterior, shape (CURVES, settings or twice as many), log values."""
    weight = posterior.weight
    chosen = random.choice(weight.size, CURVES, p=weight.ravel() / weight.sum())
    hypothesis, draw = np.divmod(chosen, weight.shape[1])
    normal = random.standard_normal((CURVES, posterior.ensemble.curves.shape[1]))
    at, least = posterior.trials.places(posterior.departures.settings), _LEAST_VARIANCE * np.eye(normal.shape[1])
    drawn, counts = np.unique(hypothesis, return_counts=True)
    in_order = np.split(np.argsort(hypothesis, kind="stable"), np.cumsum(counts)[:-1])
    alike, covariance = posterior.alike[drawn], posterior.departures.covariance[drawn]
    gain = posterior.whitener[alike] @ covariance[:, at]
    root = np.linalg.cholesky(covariance - gain.transpose(0, 2, 1) @ gain + least)
    curves: Floats = posterior.ensemble.curves[draw]
    whitened = posterior.whitened[posterior.alike[hypothesis], :, draw]
    for place, rows in enumerate(in_order):
        curves[rows] += whitened[rows] @ gain[place] + normal[rows] @ root[place].T
    return curves


@dataclass(frozen=True)
class Following:
    """The candidates for the next trial.

    Attributes:
        order: positions of the settings, first the one whose trial leaves the smallest expected loss.
        gain: by how much less the pick is expected to lose after that one, a share.
    """

    order: tuple[int, ...]
    gain: float


def following(seen: Outlook, random: np.random.Generator) -> Following:
    """Return the expected benefit of a trial of each setting."""
    count = max(_OUTCOMES, _OUTCOMES_IN_ALL // seen.curves.shape[1])
    truths = random.choice(CURVES, count, replace=False)
    noise = seen.noise * normal_quantile((np.arange(count) + 0.5) / count)
    outcome = seen.curves[truths] + noise[:, None]
    weight = (outcome.T[:, :, None] - seen.curves.T[:, None, :]) / seen.noise
    np.multiply(weight, weight, out=weight)  # in place: what is too large for the processor's cache is written once
    np.minimum(weight, 700.0, out=weight)
    np.multiply(weight, -0.5, out=weight)
    np.exp(weight, out=weight)
    weight /= weight.sum(2, keepdims=True)
    left = (weight @ seen.loss).min(2).mean(1)
    return Following(tuple(np.argsort(left, kind="stable").tolist()), seen.expected_loss - float(left.min()))
