"""Holm's adjustment of p values for several comparisons."""

import numpy as np
from numpy.typing import ArrayLike


def holm(p_values: ArrayLike) -> tuple[float, ...]:
    """Return the adjusted p of each comparison, in the order given.

    The smallest p is multiplied by the number of comparisons, the next by one less, and so on; an adjusted p is never
    below the one before it and never above 1.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6: 65–70.
    """
    raw = np.asarray(p_values, dtype=float)
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(raw.size, 0, -1))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(stepped, 1.0)
    return tuple(adjusted.tolist())
