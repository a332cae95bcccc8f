"""Distribution functions of scipy, which is loaded when one of them is asked for first.

Loading it takes a fifth of the time the program needs to start, and what looks at a server or restores it asks for none
of them. Arguments and values are numbers or arrays; of arrays, each element is one call.
"""

from functools import cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from types import ModuleType

_Numbers = TypeVar("_Numbers", float, NDArray[np.float64])


@cache
def _scipy() -> "ModuleType":
    from scipy import special  # see above

    return special


def normal_quantile(probability: _Numbers) -> _Numbers:
    """Return the quantile (of 0–1) of the standard normal distribution."""
    quantile: _Numbers = _scipy().ndtri(probability)
    return quantile


def t_quantile(probability: float, degrees_of_freedom: float) -> float:
    """Return the `probability` quantile (0–1, exclusive) of Student's t."""
    return float(_scipy().stdtrit(degrees_of_freedom, probability))


def two_sided_p(t: NDArray[np.float64], degrees_of_freedom: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each t, the probability of a |t| at least this large where there is no difference."""
    return np.asarray(2 * _scipy().stdtr(degrees_of_freedom, -np.abs(t)), dtype=np.float64)


def f_beyond(ratio: float, degrees_of_freedom: float, degrees_below: float) -> float:
    """Return the probability of a ratio of two variances at least this large where they are alike (an F test)."""
    return float(_scipy().fdtrc(degrees_of_freedom, degrees_below, ratio))


def beta_quantile(probability: float, first: float, second: float) -> float:
    """Return the `probability` quantile of the beta distribution with these parameters."""
    return float(_scipy().betaincinv(first, second, probability))


def log_beta(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the beta function of each pair."""
    return np.asarray(_scipy().betaln(first, second), dtype=np.float64)


def log_sum(logs: NDArray[np.float64]) -> float:
    """Return the logarithm of a sum, from the logarithms of its terms."""
    return float(_scipy().logsumexp(logs))
