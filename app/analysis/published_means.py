"""The runs behind measurements on the log scale, where one may be the mean of several that a document summed up.

A mean x̄ of n runs with standard deviation s stands as it was printed: its logarithm is ln x̄, with the standard error
s/(x̄√n) of n − 1 degrees of freedom, so that a ratio of means is that of the numbers in the document. A range says that
the value lies within it, which no number of runs averages out.

Source: delta method for the logarithm of a mean, as for the log ratio of means in Hedges, Gurevitch & Curtis (1999),
Ecology 80: 1150–1156.
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
        logs: logarithm of the value of a run, or of the mean of several.
        counts: how many there were.
        squares: their squared deviations from their mean, summed up and as a share of its square; 0 of a single run.
        squared_errors: squared standard error of the logarithm of a published mean; 0 of a single run.
        half_ranges: how far the logarithm may be off where the document gives a range, else 0.
    """

    logs: NDArray[np.float64]
    counts: NDArray[np.float64]
    squares: NDArray[np.float64]
    squared_errors: NDArray[np.float64]
    half_ranges: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean of the logarithms of all runs together."""
        return float(self.counts @ self.logs / self.counts.sum())

    @property
    def all_squares(self) -> float:
        """Sum of the squared deviations of all runs from their mean on the log scale."""
        return float(self.counts @ (self.logs - self.mean) ** 2 + self.squares.sum())


def runs_behind(measurements: Sequence[Measurement]) -> Runs:
    """Return the runs behind measurements of positive values."""
    values = np.array([m.value for m in measurements], dtype=float)
    counts = np.array([m.runs for m in measurements], dtype=float)
    variance = (np.array([m.sd for m in measurements], dtype=float) / values) ** 2
    return Runs(
        logs=np.log(values),
        counts=counts,
        squares=variance * (counts - 1),
        squared_errors=variance / counts,
        half_ranges=-np.log1p(-np.array([m.half_range for m in measurements], dtype=float) / values),
    )
