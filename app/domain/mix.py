"""The client's mix of transactions, and the effect of a change on it: worked out from the effects of its parts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Final

from app.domain.comparison import Comparison
from app.domain.effect import tells_interval
from app.domain.errors import BadInput
from app.foundation.texts import _

MIX: Final = "mix"
"""The place among a consultant's own words where it is kept."""

_PART: Final = re.compile(r"\s*(\d{1,9})\s*:\s*(\d{1,9}(?:\.\d{1,3})?)\s*%?\s*")


@dataclass(frozen=True)
class Part:
    """One shape of transactions, as its trials compared two settings.

    Attributes:
        size: rows of each statement. statement_time: of one of them, in any unit, with the reference.
    """

    comparison: Comparison
    size: float
    statement_time: float


def mix_of(text: str) -> dict[float, float]:
    """Return the shares of a mix by rows per statement, such as "1: 80, 1000: 20", summing to 1; {} for none.

    Raises:
        BadInput: it is written otherwise, names a size twice, or one of no rows.
    """
    if not text.strip():
        return {}
    parts = [_PART.fullmatch(part) for part in text.split(",")]
    shares = {float(part[1]): float(part[2]) for part in parts if part is not None}
    total = sum(shares.values())
    if len(shares) < len(parts) or total <= 0 or 0 in shares:
        raise BadInput(
            _('"{text}": give rows per statement, each number once, and their share, such as "1: 80, 1000: 20"').format(
                text=text
            )
        )
    return {size: share / total for size, share in shares.items()}


def mixed(parts: Sequence[Part], shares: Mapping[float, float]) -> Comparison | None:
    """Return the effect on a mix in the form of the first part's comparison; None where a shape of it was not measured.

    The time of all is the sum of those of its statements, so each part's ratio counts by its share of the time before.
    So do the ends of the intervals: the interval of the sum is at most as wide (all parts at their ends at once).
    """
    measured = {part.size: part for part in parts}
    if not shares or len(measured) < len(parts) or not shares.keys() <= measured.keys():
        return None
    used = [measured[size] for size in shares]
    if not all(tells_interval(part.comparison.low, part.comparison.high) for part in used):
        return None
    times = [share * part.statement_time for share, part in zip(shares.values(), used, strict=True)]
    weights = [time / sum(times) for time in times]
    ratios = ((part.comparison.ratio, part.comparison.low, part.comparison.high) for part in used)
    ratio, low, high = (sum(map(mul, weights, of_parts)) for of_parts in zip(*ratios, strict=True))
    return replace(parts[0].comparison, ratio=ratio, low=low, high=high)
