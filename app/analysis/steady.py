"""Where a continuous run becomes steady, and what its rate is from there on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

MSER_BATCH: Final = 5
"""Readings averaged before the rule is applied: the 5 of MSER-5."""

DeliveredAt = Sequence[tuple[float, int]]
"""(seconds since measuring began, commands delivered so far), ascending, as in `AgentObservation`."""


@dataclass(frozen=True)
class WarmUp:
    """The start of a series that is not yet steady.

    Attributes:
        index: the first steady reading.
        seconds: its offset, rounded down to the rule's grid: cut everything before.
        is_steady: False where the best cut is as late as the rule allows, so the run was too short to tell.
    """

    index: int
    seconds: float
    is_steady: bool


@dataclass(frozen=True)
class BatchMeans:
    """Mean of an autocorrelated series with an honest scatter.

    Attributes:
        mean: of the readings used.
        sd: standard deviation of the batch means.
        standard_error: of the mean, sd / √batches.
        batches: how many.
    """

    mean: float
    sd: float
    standard_error: float
    batches: int


def truncate_warm_up(values: Sequence[float]) -> int:
    """Return the index of the first steady one of evenly spaced readings, by MSER-5; 0 below ten readings.

    The readings are averaged in fives; of all cuts in the first half, the one that gives the steadiest mean of the
    rest is taken: the smallest Σ(yᵢ − ȳ)² / m² over the m batches kept.

    Source:
        White (1997), An effective truncation heuristic for bias reduction in simulation output, Simulation 69:
        323–334; White, Cobb & Spratt (2000), A comparison of five steady-state truncation heuristics, Proc. Winter
        Simulation Conf., after Spratt (1998), who found batches of five best.
    """
    return _cut(np.asarray(values, dtype=float))[0] * MSER_BATCH


def find_warm_up(delivered_at: DeliveredAt) -> WarmUp:
    """Return the warm-up of a run from its cumulative deliveries, by MSER-5 on the rate.

    Readings need not be evenly spaced: the deliveries are interpolated on as many equal steps as there are readings.
    """
    if len(delivered_at) < 2 * MSER_BATCH + 1:
        return WarmUp(0, delivered_at[0][0] if delivered_at else 0.0, is_steady=False)
    times, counts = _columns(delivered_at)
    grid = np.linspace(times[0], times[-1], len(times))
    batches, is_steady = _cut(np.diff(np.interp(grid, times, counts)))
    seconds = float(grid[batches * MSER_BATCH])
    return WarmUp(int(np.searchsorted(times, seconds - 1e-9)), seconds, is_steady)


def steady_rate_per_s(delivered_at: DeliveredAt, from_s: float = 0.0) -> float:
    """Return the mean delivery rate from an offset to the last reading, commands per second.

    Raises:
        ValueError: fewer than two readings, or none after `from_s`.
    """
    if len(delivered_at) < 2:
        raise ValueError("a rate needs two readings")
    times, counts = _columns(delivered_at)
    start = max(from_s, float(times[0]))
    if start >= times[-1]:
        raise ValueError(f"there is no reading after {from_s} s")
    return float((counts[-1] - np.interp(start, times, counts)) / (times[-1] - start))


def batch_means(values: Sequence[float], batches: int = 10) -> BatchMeans:
    """Return the mean of steady readings with the scatter of `batches` (≥ 2) consecutive batches.

    Neighbouring readings resemble each other, so their own scatter flatters the mean; that of long batches does not.
    Readings that do not fill the last batch are dropped from the start.

    Source: Law & Kelton, Simulation Modeling and Analysis, section 9.5.3 (batch means; 10 to 30 batches).

    Raises:
        ValueError: fewer readings than batches, or fewer than two batches.
    """
    if batches < 2 or len(values) < batches:
        raise ValueError(f"{len(values)} readings do not make {batches} batches")
    size = len(values) // batches
    means = np.asarray(values, dtype=float)[len(values) - size * batches :].reshape(batches, size).mean(axis=1)
    sd = float(means.std(ddof=1))
    return BatchMeans(float(means.mean()), sd, sd / batches**0.5, batches)


def _columns(delivered_at: DeliveredAt) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = np.asarray(delivered_at, dtype=float)
    return table[:, 0], table[:, 1]


def _cut(values: NDArray[np.float64]) -> tuple[int, bool]:
    """Return (batches to cut, whether that is earlier than the latest cut allowed)."""
    count = values.size // MSER_BATCH
    if count < 2:
        return 0, False
    means = values[: count * MSER_BATCH].reshape(count, MSER_BATCH).mean(axis=1)
    kept = means - means[-1]  # keeps digits where the rate is large and steady
    left = np.arange(count, 0, -1)
    totals = np.cumsum(kept[::-1])[::-1]
    squares = np.cumsum((kept**2)[::-1])[::-1]
    marginal_error = np.maximum(squares - totals**2 / left, 0.0) / left**2
    latest = count // 2
    best = int(np.argmin(marginal_error[: latest + 1]))
    return best, best < latest
