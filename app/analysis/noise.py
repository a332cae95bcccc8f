"""Run-to-run noise of a measure on the log scale, with how well it is known."""

import math
from dataclasses import dataclass
from typing import Final

from app.analysis.distributions import f_beyond, t_quantile

GIVEN_NOISE_DEGREES_OF_FREEDOM: Final = 7
"""How well a noise level given from outside counts as known: as if estimated with 7 degrees of freedom, those of the
pooled residuals of the published LAN sweeps (3.0 %), where such a number usually comes from."""

FLOOR_LOG_SD: Final = 0.01
"""No claim rests on less noise than 1 % from trial to trial: values that agree better owe it to luck or to a clock."""

SMALLEST_LOG_SD: Final = 1e-9
"""Values that agree to nine digits differ by the rounding of logarithms, not by noise; no estimate goes below this."""

# Its square still has an exponential.
_LARGEST_LOG_SD: Final = 20.0


@dataclass(frozen=True)
class Noise:
    """A standard deviation on the natural log scale.

    Attributes:
        log_sd: standard deviation of the log of one trial's value, > 0.
        degrees_of_freedom: of its estimate, > 0; whole unless noise of other trials was lent to it in part.
    """

    log_sd: float
    degrees_of_freedom: float

    @property
    def cv(self) -> float:
        """The coefficient of variation, as a share; the inverse of `log_sd_of_cv`."""
        return math.sqrt(math.expm1(min(self.log_sd, _LARGEST_LOG_SD) ** 2))


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


def explaining_cv(ratio: float) -> float:
    """Return the noise between runs, as a share, at which two single runs this far apart would tell nothing.

    With less noise than this their difference would be shown: stated noise counts with 7 degrees of freedom, so the
    ratio is at the end of its 95 % interval where |log ratio| = t · √2 · σ.
    """
    quantile = t_quantile(0.975, GIVEN_NOISE_DEGREES_OF_FREEDOM)
    log_sd = min(abs(math.log(ratio)) / (quantile * math.sqrt(2)), _LARGEST_LOG_SD)
    return math.sqrt(math.expm1(log_sd**2))


def noise_from_squares(sum_of_squares: float, degrees_of_freedom: float) -> Noise | None:
    """Return the noise behind residuals on the log scale, None where nothing is left to estimate it from."""
    if degrees_of_freedom <= 0:
        return None
    return Noise(max(math.sqrt(sum_of_squares / degrees_of_freedom), SMALLEST_LOG_SD), degrees_of_freedom)


@dataclass(frozen=True)
class JudgingNoise:
    """The noise that differences are judged by, and where it comes from.

    Attributes:
        noise: of one trial, None where it is not known.
        borrowed_degrees: those of its degrees of freedom that the trials judged did not give themselves.
        is_given: it was stated from outside, so more trials do not make it better known.
        least_log_sd: no pair of settings is judged by less: the stated level where there is one, else the floor.
    """

    noise: Noise | None
    borrowed_degrees: float
    is_given: bool
    least_log_sd: float = FLOOR_LOG_SD


def judging_noise(residual: Noise | None, noise_cv: float | None) -> JudgingNoise:
    """Return the noise to judge by: that of the trials, or the one stated from outside where that is larger.

    Who states 3 % of trials that show 12 % would otherwise claim what is not there (85 % of sessions, by simulation).

    Args:
        residual: of the trials that are judged.
        noise_cv: run-to-run noise stated from outside, as a share, or None.

    Raises:
        ValueError: a noise level that is not positive.
    """
    if noise_cv is None:
        return JudgingNoise(residual, 0, is_given=False)
    stated = given_noise(noise_cv)
    if residual is not None and residual.log_sd > stated.log_sd:
        return JudgingNoise(residual, 0, is_given=False, least_log_sd=stated.log_sd)
    return JudgingNoise(stated, GIVEN_NOISE_DEGREES_OF_FREEDOM, is_given=True, least_log_sd=stated.log_sd)


def is_understated(residual: Noise | None, noise_cv: float | None) -> bool:
    """Tell whether trials scatter more than a stated noise level can be believed to: an F test at 5 %.

    Raises:
        ValueError: a noise level that is not positive.
    """
    if residual is None or noise_cv is None:
        return False
    stated = given_noise(noise_cv)
    ratio = (residual.log_sd / stated.log_sd) ** 2
    return f_beyond(ratio, residual.degrees_of_freedom, stated.degrees_of_freedom) < 0.05
