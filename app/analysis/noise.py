"""Run-to-run noise of a measure on the log scale, with how well it is known."""

import math
from dataclasses import dataclass
from typing import Final

GIVEN_NOISE_DEGREES_OF_FREEDOM: Final = 7
"""How well a noise level given from outside counts as known: as if estimated with 7 degrees of freedom, those of the
pooled residuals of the published LAN sweeps (3.0 %), where such a number usually comes from."""

SMALLEST_LOG_SD: Final = 1e-9
"""Values that agree to nine digits differ by the rounding of logarithms, not by noise; no estimate goes below this."""


@dataclass(frozen=True)
class Noise:
    """A standard deviation on the natural log scale.

    Attributes:
        log_sd: standard deviation of the log of one trial's value, > 0.
        degrees_of_freedom: of its estimate, ≥ 1.
    """

    log_sd: float
    degrees_of_freedom: int

    @property
    def cv(self) -> float:
        """The coefficient of variation, as a share; the inverse of `log_sd_of_cv`."""
        return math.sqrt(math.expm1(self.log_sd**2))


def log_sd_of_cv(cv: float) -> float:
    """Return the log-scale standard deviation of a lognormal measure with this coefficient of variation (a share).

    Source: variance of the lognormal distribution, cv² = exp(σ²) − 1.

    Raises:
        ValueError: not a positive finite number.
    """
    if not (math.isfinite(cv) and cv > 0):
        raise ValueError(f"a noise level must be a positive share, not {cv}")
    return math.sqrt(math.log1p(cv**2))


def given_noise(cv: float) -> Noise:
    """Return a noise level stated from outside, as a share (0.03 = 3 %); raises ValueError as `log_sd_of_cv`."""
    return Noise(log_sd_of_cv(cv), GIVEN_NOISE_DEGREES_OF_FREEDOM)


def noise_from_squares(sum_of_squares: float, degrees_of_freedom: int) -> Noise | None:
    """Return the noise behind residuals on the log scale, None where nothing is left to estimate it from."""
    if degrees_of_freedom < 1:
        return None
    return Noise(max(math.sqrt(sum_of_squares / degrees_of_freedom), SMALLEST_LOG_SD), degrees_of_freedom)


@dataclass(frozen=True)
class JudgingNoise:
    """The noise that differences are judged by, and where it comes from.

    Attributes:
        noise: of one trial, None where it is not known.
        borrowed_degrees: those of its degrees of freedom that the trials judged did not give themselves.
        is_given: it was stated from outside and replaces the residual, so more trials do not make it better known.
    """

    noise: Noise | None
    borrowed_degrees: int
    is_given: bool


def judging_noise(residual: Noise | None, noise_cv: float | None, earlier: Noise | None = None) -> JudgingNoise:
    """Return the noise to judge by: the one stated from outside, else the residual pooled with that of earlier trials.

    Args:
        residual: of the trials that are judged.
        noise_cv: run-to-run noise stated from outside, as a share, or None.
        earlier: residual of trials of the same experiment that are not judged here.

    Raises:
        ValueError: a noise level that is not positive.
    """
    if noise_cv is not None:
        return JudgingNoise(given_noise(noise_cv), GIVEN_NOISE_DEGREES_OF_FREEDOM, is_given=True)
    borrowed = 0 if earlier is None else earlier.degrees_of_freedom
    return JudgingNoise(pool(residual, earlier), borrowed, is_given=False)


def pool(first: Noise | None, second: Noise | None) -> Noise | None:
    """Return both estimates of one noise level as one, weighted by degrees of freedom; None where neither is known."""
    if first is None or second is None:
        return first or second
    degrees = first.degrees_of_freedom + second.degrees_of_freedom
    squares = first.log_sd**2 * first.degrees_of_freedom + second.log_sd**2 * second.degrees_of_freedom
    return noise_from_squares(squares, degrees)
