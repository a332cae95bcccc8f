"""The penalty of one mode against another, as the field prints it: times, penalty, per insert, inserts per second.

Everything follows from the two run times of a shape; intervals follow from that of their ratio and of each mean.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile
from app.analysis.swept import SweptFit
from app.domain.comparison import Comparison
from app.domain.setting import Setting


@dataclass(frozen=True)
class Spread:
    """A value with the ends of its interval, None where none is known."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PenaltyRow:
    """One shape: the run times of the reference and of the other arm, and their difference.

    Attributes:
        reference_ms, other_ms: with pointwise 95 % intervals.
        penalty_ms, penalty_per_insert_ms, penalty_percent: with the simultaneous interval of the comparison; its ends
            are taken from the ratio, at the measured time of the reference.
        reference_rate, other_rate: inserts per second. lost_rate: their difference.
    """

    inserts: int
    rows_per_insert: int
    reference_ms: Spread
    other_ms: Spread
    penalty_ms: Spread
    penalty_per_insert_ms: Spread
    penalty_percent: Spread
    reference_rate: Spread
    other_rate: Spread
    lost_rate: Spread


def penalty_row(
    inserts: int, rows_per_insert: int, reference_ms: Spread, other_ms: Spread, ratio: Spread
) -> PenaltyRow:
    """Return the row of one shape from its two run times and the ratio of the second to the first."""
    base = reference_ms.value
    penalty = Spread(other_ms.value - base, *_scaled(ratio, lambda r: base * (r - 1)))
    return PenaltyRow(
        inserts=inserts,
        rows_per_insert=rows_per_insert,
        reference_ms=reference_ms,
        other_ms=other_ms,
        penalty_ms=penalty,
        penalty_per_insert_ms=_each(penalty, lambda ms: ms / inserts),
        penalty_percent=_each(penalty, lambda ms: ms / base * 100),
        reference_rate=_rate(inserts, reference_ms),
        other_rate=_rate(inserts, other_ms),
        lost_rate=Spread(
            inserts / base * 1000 - inserts / other_ms.value * 1000,
            *_scaled(ratio, lambda r: inserts / base * 1000 * (1 - 1 / r)),
        ),
    )


def penalty_rows(
    fit: SweptFit, comparisons: Sequence[Comparison], reference: Setting, other: Setting
) -> tuple[PenaltyRow, ...]:
    """Return the rows of one pair of settings, by rising number of inserts; none of a shape that does not state it.

    Args:
        fit: of the run times, in ms.
        comparisons: of the pair, one for each shape, as `compare_swept` makes them.
    """
    rows = []
    for c in comparisons:
        if (c.reference, c.candidate) != (reference, other) or "inserts" not in c.conditions:
            continue
        place = Setting.from_mapping({n: c.conditions[n] for n in ("inserts", "rows_per_insert") if n in c.conditions})
        first, second = mean_spread(fit, reference, place), mean_spread(fit, other, place)
        if first is None or second is None:
            continue
        is_bounded = c.low > 0 and math.isfinite(c.high)
        ratio = Spread(c.ratio, c.low if is_bounded else None, c.high if is_bounded else None)
        inserts, per_insert = int(c.conditions["inserts"]), int(c.conditions.get("rows_per_insert", 0))
        rows.append(penalty_row(inserts, per_insert, first, second, ratio))
    return tuple(sorted(rows, key=lambda row: row.inserts))


def mean_spread(fit: SweptFit, setting: Setting, place: Setting) -> Spread | None:
    """Return the mean of a setting at a place with its pointwise 95 % interval, None where it was not measured."""
    position = fit.position(setting, place)
    if position is None:
        return None
    middle = float(fit.fit.log_means[position])
    if fit.noise is None:
        return Spread(math.exp(middle))
    quantile = simultaneous_quantile(CONFIDENCE, 1, fit.noise.degrees_of_freedom)
    half = quantile * fit.noise.log_sd / math.sqrt(len(fit.fit.trials[position]))
    return Spread(math.exp(middle), math.exp(middle - half), exp_or_inf(middle + half))


def _scaled(ratio: Spread, of: Callable[[float], float]) -> tuple[float | None, float | None]:
    return (None if ratio.low is None else of(ratio.low), None if ratio.high is None else of(ratio.high))


def _each(spread: Spread, of: Callable[[float], float]) -> Spread:
    return Spread(of(spread.value), *_scaled(spread, of))


def _rate(inserts: int, time_ms: Spread) -> Spread:
    low = None if time_ms.high is None else inserts / time_ms.high * 1000
    high = None if time_ms.low is None else inserts / time_ms.low * 1000
    return Spread(inserts / time_ms.value * 1000, low, high)
