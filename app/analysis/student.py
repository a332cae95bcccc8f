"""Student's t with the multiplicity of several comparisons."""

import math
from typing import Final

from app.analysis.distributions import t_quantile

CONFIDENCE: Final = 0.95
"""Of all intervals of one experiment together: the usual level, at which one experiment in twenty errs somewhere."""


def simultaneous_quantile(confidence: float, comparisons: int, degrees_of_freedom: float) -> float:
    """Return the half width, in standard errors, of intervals that all hold together with `confidence`.

    Bonferroni: each of the `comparisons` (≥ 1) is given an equal part of the error. It needs no independence, so
    comparisons that share a setting are covered.

    Source: Dunn (1961), Multiple comparisons among means, JASA 56: 52–64.
    """
    return t_quantile(1 - (1 - confidence) / (2 * comparisons), degrees_of_freedom)


def simultaneous_p(p_value: float, comparisons: int, confidence: float = CONFIDENCE) -> float:
    """Return a two-sided p as the intervals of `simultaneous_quantile` judge it, at most 1.

    It is below 1 - `CONFIDENCE` exactly where such an interval excludes no difference: Bonferroni over the comparisons,
    and over the looks where these share out the error, so that p and interval printed side by side never disagree.

    Args:
        confidence: of the intervals, all of them together.
    """
    return min(1.0, p_value * comparisons * (1 - CONFIDENCE) / (1 - confidence))


def exp_or_inf(exponent: float) -> float:
    """Return e to the `exponent`, inf where that is beyond a float (an interval from hardly any data)."""
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf
