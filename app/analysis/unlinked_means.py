"""Two sets of trials that no block links: means beside each other, and the ratio as far as their own scatter allows.

Nothing here tells a change of the server from a change of the day: the intervals hold the scatter within each set only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile


@dataclass(frozen=True)
class Spread:
    """A geometric mean or a ratio of two, with its 95 % interval; `low` and `high` None where none can be given.

    Attributes:
        count: trials behind a mean, of the smaller side of a ratio.
    """

    value: float
    low: float | None
    high: float | None
    count: int


def mean_of(values: Sequence[float]) -> Spread:
    """Return the geometric mean of positive values with the t interval of its logarithm; at least one value."""
    logs = [math.log(value) for value in values]
    middle = fmean(logs)
    if len(logs) < 2:
        return Spread(math.exp(middle), None, None, len(logs))
    half = simultaneous_quantile(CONFIDENCE, 1, len(logs) - 1) * math.sqrt(variance(logs) / len(logs))
    return Spread(math.exp(middle), exp_or_inf(middle - half), exp_or_inf(middle + half), len(logs))


def ratio_of(second: Sequence[float], first: Sequence[float], comparisons: int = 1) -> Spread:
    """Return the ratio of the geometric means second / first, intervals of all `comparisons` holding together.

    Source: Welch (1947), The generalization of Student's problem when several different population variances are
    involved, Biometrika 34: 28–35, on logarithms; Bonferroni over the comparisons.
    """
    one, other = [math.log(value) for value in first], [math.log(value) for value in second]
    middle, count = fmean(other) - fmean(one), min(len(one), len(other))
    if count < 2:
        return Spread(exp_or_inf(middle), None, None, count)
    parts = [variance(logs) / len(logs) for logs in (one, other)]
    spread = sum(parts)
    if spread == 0:
        return Spread(exp_or_inf(middle), None, None, count)
    freedom = spread**2 / sum(part**2 / (len(logs) - 1) for part, logs in zip(parts, (one, other), strict=True))
    half = simultaneous_quantile(CONFIDENCE, comparisons, freedom) * math.sqrt(spread)
    return Spread(exp_or_inf(middle), exp_or_inf(middle - half), exp_or_inf(middle + half), count)
