"""Where a continuous run becomes steady."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

MSER_BATCH: Final = 5
"""Readings averaged before the rule is applied: the 5 of MSER-5."""


def truncate_warm_up(values: Sequence[float]) -> int:
    """Return the index of the first steady one of evenly spaced readings, by MSER-5; 0 below ten readings.

    The readings are averaged in fives; of all cuts in the first half, the one that gives the steadiest mean of the
    rest is taken: the smallest Σ(yᵢ − ȳ)² / m² over the m batches kept.

    Source:
        White (1997), An effective truncation heuristic for bias reduction in simulation output, Simulation 69:
        323–334; White, Cobb & Spratt (2000), A comparison of five steady-state truncation heuristics, Proc. Winter
        Simulation Conf., after Spratt (1998), who found batches of five best.
    """
    return _batches_to_cut(np.asarray(values, dtype=float)) * MSER_BATCH


def _batches_to_cut(values: NDArray[np.float64]) -> int:
    count = values.size // MSER_BATCH
    if count < 2:
        return 0
    means = values[: count * MSER_BATCH].reshape(count, MSER_BATCH).mean(axis=1)
    kept = means - means[-1]  # keeps digits where the rate is large and steady
    left = np.arange(count, 0, -1)
    totals = np.cumsum(kept[::-1])[::-1]
    squares = np.cumsum((kept**2)[::-1])[::-1]
    marginal_error = np.maximum(squares - totals**2 / left, 0.0) / left**2
    latest = count // 2
    return int(np.argmin(marginal_error[: latest + 1]))
