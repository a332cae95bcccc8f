"""The runs behind measurements on the log scale, where one may be the mean of several that a document summed up.

A mean x̄ of n runs with standard deviation s says nearly as much as the n values do: their logarithms scatter by
σ² = ln(1 + (s/x̄)²) with n − 1 degrees of freedom, and their mean is ln x̄ − σ²(n − 1)/(2n). A range says that the value
lies within it, which no number of runs averages out.

Source: mean and variance of the lognormal distribution; the mean of the logarithms of a sample to second order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.measurement import Measurement


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs behind measurements, one entry for each of these.

    Attributes:
        logs: mean of the logarithms of its runs.
        counts: how many there were.
        squares: sum of the squared deviations of these logarithms from that mean; 0 of a single run.
        half_ranges: how far the logarithm may be off where the document gives a range, else 0.
    """

    logs: NDArray[np.float64]
    counts: NDArray[np.float64]
    squares: NDArray[np.float64]
    half_ranges: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean of the logarithms of all runs together."""
        return float(self.counts @ self.logs / self.counts.sum())

    @property
    def all_squares(self) -> float:
        """Sum of the squared deviations of the logarithms of all runs from their mean."""
        return float(self.counts @ (self.logs - self.mean) ** 2 + self.squares.sum())


def runs_behind(measurements: Sequence[Measurement]) -> Runs:
    """Return the runs behind measurements of positive values."""
    values = np.array([m.value for m in measurements], dtype=float)
    counts = np.array([m.runs for m in measurements], dtype=float)
    variance = np.log1p((np.array([m.sd for m in measurements], dtype=float) / values) ** 2)
    return Runs(
        logs=np.log(values) - variance * (counts - 1) / (2 * counts),
        counts=counts,
        squares=variance * (counts - 1),
        half_ranges=-np.log1p(-np.array([m.half_range for m in measurements], dtype=float) / values),
    )
