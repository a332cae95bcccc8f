"""Terms fitted to the logs of trials by least squares, blocks swept out first."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.estimate import Floats
from app.analysis.noise import Noise, noise_from_squares

FEWEST_DEGREES: Final = 3
"""With fewer left, an interval of such a fit says next to nothing."""

_SINGULAR: Final = 1e-9
"""Share of the largest singular value below which a term counts as not varied: rounding of shares in a column, which
are 0 to 1, stays far below."""
_ROUNDING: Final = 1e-7
"""How far a combination of terms may lie outside what the trials determine and still count as determined."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit of terms beside the blocks of the trials.

    Attributes:
        effects, spread: of the terms, and (X'X)^+ of them.
        span: which combinations of terms the trials determine: a projection.
        squares, degrees: of what is left.
        apart, rest: of each trial its terms beside the blocks, and the residual, by the root of the share of the
            trial's noise that the fit leaves in it.
    """

    effects: Floats
    spread: Floats
    span: Floats
    squares: float
    degrees: int
    apart: Floats
    rest: Floats

    @property
    def noise(self) -> Noise | None:
        """The noise of one trial, None where nothing is left to estimate it from."""
        return noise_from_squares(self.squares, self.degrees)

    def combined(self, weights: Sequence[float]) -> tuple[float, float]:
        """Return a combination of terms and its variance in units of the noise's, inf where it is not determined."""
        asked = np.array(weights, dtype=float)
        if asked.size and np.abs(self.span @ asked - asked).max() > _ROUNDING:
            return 0.0, math.inf
        return float(asked @ self.effects), float(asked @ self.spread @ asked)

    def own_variance(self, weights: Sequence[float]) -> float:
        """Return the variance of a combination by the residuals of the trials it rests on: more than the common noise
        says where these are noisier than the others.

        Source: MacKinnon & White (1985), Journal of Econometrics 29: 305-325, HC2.
        """
        share = self.apart @ (self.spread @ np.array(weights, dtype=float))
        return float(((share * self.rest) ** 2).sum())


def fit_terms(columns: Floats, blocks: Sequence[int], logs: Floats) -> Fit:
    """Fit terms beside blocks.

    Args:
        columns: of each trial how much of each term is in it; shape (trials, terms).
        blocks: the number of each trial's.

    Source: regression on what blocks leave of values and terms (Frisch & Waugh 1933, Econometrica 1: 387-401).
    """
    numbers = sorted(set(blocks))
    within = np.array([[float(block == number) for number in numbers] for block in blocks])
    counts = within.sum(axis=0)
    apart = columns - within @ ((within.T @ columns) / counts[:, None])
    left = logs - within @ ((within.T @ logs) / counts)
    information = apart.T @ apart
    spread = np.linalg.pinv(information, rcond=_SINGULAR, hermitian=True)
    effects = spread @ (apart.T @ left)
    degrees = len(logs) - len(numbers) - int(np.linalg.matrix_rank(apart, tol=_SINGULAR * len(logs)))
    residuals = left - apart @ effects
    leverage = np.einsum("ij,jk,ik->i", apart, spread, apart) + within @ (1 / counts)
    rest = np.where(leverage < 1 - _ROUNDING, residuals / np.sqrt(np.maximum(1 - leverage, _ROUNDING)), 0.0)
    return Fit(effects, spread, spread @ information, float((residuals**2).sum()), degrees, apart, rest)
