"""Printing a figure beside what it is held against, and what chance alone does to a share."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import binom, binomtest


@dataclass(frozen=True)
class Share:
    """How many of so many."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0–1."""
        return self.count / self.of

    def __str__(self) -> str:
        """Return count, share and its 95 % interval by Wilson's score method."""
        interval = binomtest(self.count, self.of).proportion_ci(0.95, method="wilson")
        return f"{self.count} of {self.of} = {self.value:.2%} (95 % interval {interval.low:.2%} to {interval.high:.2%})"


def most_by_chance(of: int, share: float) -> int:
    """Return the count that a true share exceeds in one of a hundred such experiments only (exact binomial)."""
    return int(binom.ppf(0.99, of, share))


def fewest_by_chance(of: int, share: float) -> int:
    """Return the count that a true share falls below in one of a hundred such experiments only (exact binomial)."""
    return int(binom.ppf(0.01, of, share))


def print_ratio(name: str, value_s: Sequence[float], floor_s: Sequence[float], budget: str) -> float:
    """Print the medians of a value and of its floor, in milliseconds, with their ratio and budget; return the ratio."""
    value, floor = statistics.median(value_s), statistics.median(floor_s)
    ratio = value / floor
    print(f"{name}: {value * 1000:.2f} ms, floor {floor * 1000:.2f} ms, ratio {ratio:.2f}, budget {budget}")
    return ratio
