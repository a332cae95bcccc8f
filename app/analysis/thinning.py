"""Fewer points than were measured, for plots: chosen so that no extreme is lost."""

from collections.abc import Sequence
from typing import Final

import numpy as np

MOST_POINTS: Final = 1_000
"""Of one series: more hide each other, and a vector figure of a million points opens nowhere."""


def spread_by_rank(values: Sequence[float], most: int = MOST_POINTS) -> list[int]:
    """Return positions, ascending, of values chosen evenly by rank, the lowest and the highest among them.

    So chosen points show the distribution as it is. All positions where there are no more than `most` (≥ 2).
    """
    count = len(values)
    if count <= most:
        return list(range(count))
    by_rank = np.argsort(np.asarray(values, dtype=float), kind="stable")
    chosen = np.unique(np.linspace(0, count - 1, most).round().astype(np.intp))
    return sorted(by_rank[chosen].tolist())


def outline(values: Sequence[float], most: int = MOST_POINTS) -> list[int]:
    """Return positions, ascending, that keep the shape of a line: its ends, and each stretch's lowest and highest.

    All positions where there are no more than `most` (≥ 4).
    """
    count = len(values)
    if count <= most:
        return list(range(count))
    numbers = np.asarray(values, dtype=float)
    kept = {0, count - 1}
    for stretch in np.array_split(np.arange(count), (most - 2) // 2):
        part = numbers[stretch]
        kept |= {int(stretch[part.argmin()]), int(stretch[part.argmax()])}
    return sorted(kept)
