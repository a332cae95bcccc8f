"""The family's curve with many draws of its constants, each weighted by how well the trials agree with it.

Every draw meets every hypothesis of `departures`; their likelihood is exact (Gaussian), so that only the constants are
sampled. Where the trials leave few draws that count, new ones are drawn around these (population Monte Carlo: Cappé,
Guillin, Marin & Robert 2004, Journal of Computational and Graphical Statistics 13:907). One odd trial does not bend the
curve: trials are weighted as under a Student t with four degrees of freedom (Lange, Little & Taylor 1989, JASA 84:881).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.analysis.distributions import log_sum
from app.analysis.response.departures import Departures, Floats
from app.domain.response import ResponseCurve
from app.domain.setting import Setting

DRAWS: Final = 400
CURVE_SHARE: Final = 0.9
"""Prior mass of the curve; the rest is a site of which it says the level only."""

LINES: Final = 40
"""Lines without shape, at the levels of as many draws."""

FEWEST_DRAWS: Final = 80
"""Effective sample size below which constants are drawn anew."""

_STUDENT_DEGREES: Final = 4.0
_WEIGHED_FROM: Final = 4
_FRESH_SHARE: Final = 0.25
_WIDENING: Final = 1.5
_LEAST_SPREAD: Final = 0.12
_FEW: Final = 15.0


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Draws m of the curve, and lines without any shape at the levels of some of them.

    Attributes:
        constants: shape (m, constants), natural logs; empty without a curve.
        curves: shape (m, settings), log values.
        log_prior: shape (m,), of each draw, the density it was drawn from taken off.
    """

    constants: Floats
    curves: Floats
    log_prior: Floats


@dataclass(frozen=True, eq=False)
class Trials:
    """Trials so far: which setting, by position, and the natural log of its value; lower is better.

    Attributes:
        has_outcome: whether the setting itself brought something about in it, such as giving up its connections.
    """

    setting: tuple[int, ...] = ()
    log_value: tuple[float, ...] = ()
    has_outcome: tuple[bool, ...] = ()

    def and_one(self, setting: int, log_value: float, *, has_outcome: bool = False) -> "Trials":
        """Return them with one more."""
        return Trials((*self.setting, setting), (*self.log_value, log_value), (*self.has_outcome, has_outcome))

    def places(self, settings: int) -> list[int]:
        """Return the positions of their values among the predictions: so many settings, then the same with an
        outcome."""
        return [at + settings * has for at, has in zip(self.setting, self.has_outcome, strict=True)]


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of every draw and hypothesis, given trials.

    Attributes:
        weight: shape (h, m), adds up to 1.
        alike: shape (h,), of each hypothesis its place among the k that differ where trials ran; the others of a place
            lie beyond what was tried.
        whitener: shape (k, n, n), inverse Cholesky factor of the covariance of the n trials.
        whitened: shape (k, n, m), residuals of each draw times it.
        trial_weight: shape (n,), 1 for a trial like the others, less for an odd one.
    """

    ensemble: Ensemble
    departures: Departures
    trials: Trials
    weight: Floats
    alike: NDArray[np.intp]
    whitener: Floats
    whitened: Floats
    trial_weight: Floats

    @property
    def effective_draws(self) -> float:
        """Effective sample size of the draws of the constants."""
        share = self.weight.sum(0)[: len(self.ensemble.constants)]
        total = share.sum()
        return float(total**2 / (share**2).sum()) if total > 0 else 0.0

    @property
    def noise(self) -> float:
        """Noise between runs as the trials show it, a log standard deviation."""
        return math.sqrt(float(self.weight.sum(1) @ self.departures.noise**2))


def first_ensemble(curve: ResponseCurve | None, settings: Sequence[Setting], random: np.random.Generator) -> Ensemble:
    """Return draws from the prior of a curve, or the one level line there is without."""
    if curve is None:
        return Ensemble(np.empty((0, 0)), np.zeros((1, len(settings))), np.zeros(1))
    median, log_sd = _prior(curve)
    constants = median + log_sd * random.standard_normal((DRAWS, len(median)))
    return _with_curves(constants, np.zeros(DRAWS), curve, settings)


def weighed(
    ensemble: Ensemble,
    departures: Departures,
    trials: Trials,
    curve: ResponseCurve | None,
    settings: Sequence[Setting],
    random: np.random.Generator,
) -> Posterior:
    """Return the posterior after at least one trial; constants are drawn anew where few of the draws agree."""
    posterior = _robust(ensemble, departures, trials)
    if curve is not None and posterior.effective_draws < FEWEST_DRAWS:
        posterior = _robust(_drawn_anew(posterior, curve, settings, random), departures, trials)
    return posterior


def _prior(curve: ResponseCurve) -> tuple[Floats, Floats]:
    median = np.log([constant.median for constant in curve.constants])
    return median, np.array([constant.log_sd for constant in curve.constants])


def _with_curves(constants: Floats, log_prior: Floats, curve: ResponseCurve, settings: Sequence[Setting]) -> Ensemble:
    """Return an ensemble of these constants and of lines without shape, spread over the levels of the curves."""
    curves = np.asarray(curve.log_values(constants, settings), float)
    levels = np.quantile(curves.mean(1), (np.arange(LINES) + 0.5) / LINES)
    lines = np.repeat(levels[:, None], len(settings), axis=1)
    of_curves = log_prior - log_sum(log_prior) + math.log(CURVE_SHARE)
    prior = np.append(of_curves, np.full(LINES, math.log((1 - CURVE_SHARE) / LINES)))
    return Ensemble(constants, np.vstack([curves, lines]), prior)


def _robust(ensemble: Ensemble, departures: Departures, trials: Trials) -> Posterior:
    posterior = _fit(ensemble, departures, trials, np.ones(len(trials.setting)))
    if len(trials.setting) < _WEIGHED_FROM:
        return posterior
    residual = (np.array(trials.log_value) - _at_trials(posterior)) / posterior.noise
    weight = np.minimum(1.0, (_STUDENT_DEGREES + 1) / (_STUDENT_DEGREES + residual**2))
    return _fit(ensemble, departures, trials, weight)


def _fit(ensemble: Ensemble, departures: Departures, trials: Trials, trial_weight: Floats) -> Posterior:
    at = trials.places(departures.settings)
    residual = np.array(trials.log_value)[:, None] - ensemble.curves[:, at].T
    every = departures.covariance[:, at][:, :, at]
    which, alike = _distinct(np.column_stack([departures.noise, every.reshape(len(every), -1)]))
    noise = departures.noise[which, None, None] ** 2 * np.diag(1 / trial_weight)
    factor = np.linalg.cholesky(every[which] + noise)
    whitener = np.linalg.inv(factor)
    whitened = (whitener.reshape(-1, len(at)) @ residual).reshape(*whitener.shape[:2], -1)  # one product, not k
    log_density = -0.5 * np.einsum("knm,knm->km", whitened, whitened)
    log_density -= np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(1)[:, None]
    log_density += ensemble.log_prior
    log_density -= log_density.max()
    density = np.exp(log_density)  # once for all hypotheses that are alike where trials ran
    weight = density[alike]
    weight *= np.exp(departures.log_prior)[:, None]
    weight /= weight.sum()
    return Posterior(ensemble, departures, trials, weight, alike, whitener, whitened, trial_weight)


def _distinct(rows: Floats) -> tuple[list[int], NDArray[np.intp]]:
    """Return where each row that differs from those before it stands, and of every row its place among these."""
    places: dict[bytes, int] = {}
    alike = np.array([places.setdefault(row.tobytes(), len(places)) for row in rows], np.intp)
    _places, first = np.unique(alike, return_index=True)
    return first.tolist(), alike


def _at_trials(posterior: Posterior) -> Floats:
    """Return the expected values where trials ran, as logs; residual minus noise, hypothesis by hypothesis."""
    _places, counts = np.unique(posterior.alike, return_counts=True)
    in_order = posterior.weight[np.argsort(posterior.alike, kind="stable")]
    weight = np.add.reduceat(in_order, np.cumsum(counts) - counts)
    noise = np.zeros(len(weight))
    noise[posterior.alike] = posterior.departures.noise
    weighted = np.einsum("knm,km->kn", posterior.whitened, weight)
    solved = np.einsum("kij,ki->kj", posterior.whitener, weighted)
    expected: Floats = (
        np.array(posterior.trials.log_value) - (noise[:, None] ** 2 * solved).sum(0) / posterior.trial_weight
    )
    return expected


def _drawn_anew(
    posterior: Posterior, curve: ResponseCurve, settings: Sequence[Setting], random: np.random.Generator
) -> Ensemble:
    """Return draws around those that count, widened, a quarter of them from the prior again."""
    old, (median, log_sd) = posterior.ensemble.constants, _prior(curve)
    weight = posterior.weight.sum(0)[: len(old)].clip(1e-300) ** (1.0 if posterior.effective_draws > _FEW else 0.5)
    weight /= weight.sum()
    middle = weight @ old
    spread = (weight[:, None] * (old - middle)).T @ (old - middle) * _WIDENING + np.diag((_LEAST_SPREAD * log_sd) ** 2)
    factor = np.linalg.cholesky(spread)
    fresh = round(DRAWS * _FRESH_SHARE)
    around = middle + random.standard_normal((DRAWS - fresh, len(median))) @ factor.T
    constants = np.vstack([around, median + log_sd * random.standard_normal((fresh, len(median)))])
    prior = -0.5 * (((constants - median) / log_sd) ** 2).sum(1) - np.log(log_sd).sum()
    scores = np.linalg.solve(factor, (constants - middle).T)
    near = -0.5 * (scores**2).sum(0) - np.log(np.diag(factor)).sum()
    drawn_by = np.logaddexp(math.log(1 - _FRESH_SHARE) + near, math.log(_FRESH_SHARE) + prior)
    return _with_curves(constants, prior - drawn_by, curve, settings)
