"""Means of trials that are not linked by blocks, held against another program's Welch interval."""

import math

import numpy as np
import pytest
from scipy import stats

from app.analysis.unlinked_means import mean_of, ratio_of

FIRST, SECOND = (61.0, 64.5, 58.2, 70.1, 66.6), (41.0, 55.0, 39.5)


@pytest.mark.parametrize("comparisons", [1, 3])
def test_a_ratio_has_welchs_interval(comparisons: int) -> None:
    """`scipy.stats.ttest_ind` of the logarithms, its confidence divided between the comparisons."""
    found = ratio_of(SECOND, FIRST, comparisons)
    welch = stats.ttest_ind(np.log(SECOND), np.log(FIRST), equal_var=False)
    interval = welch.confidence_interval(1 - 0.05 / comparisons)
    assert found.value == pytest.approx(stats.gmean(SECOND) / stats.gmean(FIRST))
    assert (found.low, found.high) == pytest.approx((math.exp(interval.low), math.exp(interval.high)))
    assert found.count == 3


def test_a_mean_has_students_interval() -> None:
    """`scipy.stats.t` of the logarithms."""
    found, logs = mean_of(FIRST), np.log(FIRST)
    low, high = stats.t.interval(0.95, len(FIRST) - 1, logs.mean(), stats.sem(logs))
    assert (found.value, found.low, found.high) == pytest.approx((stats.gmean(FIRST), math.exp(low), math.exp(high)))


def test_what_does_not_scatter_has_no_interval_beside_another() -> None:
    """One value tells nothing of it, and of equal values it would be none at all."""
    assert (mean_of((50.0,)).low, mean_of((50.0,)).high) == (None, None)
    for second in ((50.0,), (50.0, 50.0)):
        found = ratio_of(second, (100.0, 100.0))
        assert found.value == pytest.approx(0.5)
        assert (found.low, found.high) == (None, None)
