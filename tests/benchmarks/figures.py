"""Printing a figure beside what it is held against, and what chance alone does to a share."""

import statistics
import time
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


def python_loop_s() -> float:
    """Return the processor time of a fixed loop of pure Python: how quick this machine is now, the quickest of five."""
    return min(_loop_s() for _round in range(5))


def _loop_s() -> float:
    began_s = time.process_time()
    held: dict[int, float] = {}
    total = 0.0
    for number in range(200_000):
        held[number % 997] = total
        total += len(str(number)) * 0.5
    assert total > 0.0
    assert len(held) == 997
    return time.process_time() - began_s


def print_ratio(name: str, value_s: Sequence[float], floor_s: Sequence[float], budget: str) -> float:
    """Print the medians of a value and of its floor, in milliseconds, with their ratio and budget; return the ratio."""
    value, floor = statistics.median(value_s), statistics.median(floor_s)
    ratio = value / floor
    print(f"{name}: {value * 1000:.2f} ms, floor {floor * 1000:.2f} ms, ratio {ratio:.2f}, budget {budget}")
    return ratio
