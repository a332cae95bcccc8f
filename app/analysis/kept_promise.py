"""A promise held against a server's history: the measure before and since a change, and whether it came as promised."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import fmean, variance
from typing import Final

from app.analysis.forecast import CaughtUp
from app.analysis.student import exp_or_inf, simultaneous_quantile
from app.domain.comparison import Comparison
from app.domain.metrics import RUN_TIME, THROUGHPUT
from app.domain.past import PastHour

LATENCY: Final = "latency"

LEAST_VALUES: Final = 2
"""Values on either side: of one no scatter is known."""

OTHER_SIZE: Final = 1.5
"""Transactions so many times as large, or as small, are another load: the published studies' rates move by more than
the usual minimum effect between 2.5 and 4 commands a transaction."""

_HOUR: Final = timedelta(hours=1)
_CONFIDENCE: Final = 0.95


class Outcome(StrEnum):
    """The outcome of a promise."""

    AS_PROMISED = "as_promised"
    MORE = "more"
    LESS = "less"
    OPEN = "open"
    NOT_IN_EFFECT = "not_in_effect"


@dataclass(frozen=True)
class Promised:
    """The promised ratio of a measure that a history tells: after the change to before it.

    Attributes:
        measure: THROUGHPUT or LATENCY by name, which the hours of a history tell.
    """

    measure: str
    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Span:
    """Hours of a history, or windows of an experiment, as they tell a measure.

    Attributes:
        hours: all there are, 0 of windows.
        values: of the measure, one for each hour or window that tells it.
        commands_per_transaction: None where nothing was processed, or that is not known.
        latency_ms: mean of the hours, None where nothing was processed.
    """

    hours: int
    values: tuple[float, ...]
    commands_per_transaction: float | None
    latency_ms: float | None

    @property
    def mean(self) -> float | None:
        """Geometric mean of the values, None for none."""
        return math.exp(fmean(map(math.log, self.values))) if self.values else None

    @property
    def tells(self) -> bool:
        """Whether it can be compared."""
        return len(self.values) >= LEAST_VALUES


@dataclass(frozen=True)
class Came:
    """The ratio of a measure since a change to before it, with its 95 % interval."""

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class CameBetween:
    """When a backlog was caught up, as exactly as hours tell: from the start of one to its end.

    Attributes:
        first, last: None where it had not been by the end of the history.
    """

    first: datetime | None
    last: datetime | None

    def fits(self, ends: CaughtUp) -> bool | None:
        """Tell whether it lies in a forecast's band, None where that is not known yet."""
        if self.first is None or self.last is None:
            return None
        is_early = ends.earliest is None or self.last < ends.earliest
        return not is_early and (ends.latest is None or self.first <= ends.latest)


def promised_of(compared: Comparison) -> Promised | None:
    """Return the promise of a comparison in terms of a history, None where that tells nothing of its metric.

    A run time that falls to a share is the same backlog at a rate that rises by as much.
    """
    if compared.metric == RUN_TIME.name:
        low = 0.0 if math.isinf(compared.high) else 1 / compared.high
        return Promised(THROUGHPUT.name, 1 / compared.ratio, low, math.inf if compared.low <= 0 else 1 / compared.low)
    if compared.metric in (THROUGHPUT.name, LATENCY):
        return Promised(compared.metric, compared.ratio, compared.low, compared.high)
    return None


def span_of(hours: Sequence[PastHour], measure: str) -> Span:
    """Return hours as they tell a measure: a rate in those all through which work waited, a latency in those without.

    An hour in which a backlog was caught up tells neither: for a part of it the rate was that of new work.
    """
    told = _latencies(hours) if measure == LATENCY else _rates(hours)
    transactions = sum(hour.transactions for hour in hours)
    latencies = [hour.latency_ms for hour in hours if hour.latency_ms is not None]
    return Span(
        hours=len(hours),
        values=tuple(told),
        commands_per_transaction=sum(hour.commands for hour in hours) / transactions if transactions else None,
        latency_ms=fmean(latencies) if latencies else None,
    )


def _latencies(hours: Sequence[PastHour]) -> list[float]:
    return [hour.latency_ms for hour in hours if hour.latency_ms and not hour.was_late]


def _rates(hours: Sequence[PastHour]) -> list[float]:
    late = {hour.hour_utc for hour in hours if hour.was_late}
    return [hour.commands / hour.busy_s for hour in hours if hour.is_behind and hour.hour_utc + _HOUR in late]


def hours_before(hours: Sequence[PastHour], started: datetime, finished: datetime, since: datetime) -> list[PastHour]:
    """Return the whole hours before a change and outside the run that led to it, which set other values."""
    return [
        hour
        for hour in hours
        if hour.hour_utc + _HOUR <= started or (hour.hour_utc >= finished and hour.hour_utc + _HOUR <= since)
    ]


def with_kept(hours: Sequence[PastHour], kept: Sequence[PastHour]) -> tuple[PastHour, ...]:
    """Return a history, oldest first, with the kept hours of which nothing stands in it any more."""
    there = {hour.hour_utc for hour in hours}
    return tuple(sorted((*hours, *(h for h in kept if h.hour_utc not in there)), key=lambda hour: hour.hour_utc))


def hours_since(hours: Sequence[PastHour], since: datetime, taken: datetime) -> list[PastHour]:
    """Return the whole hours since a change."""
    return [hour for hour in hours if hour.hour_utc >= since and hour.hour_utc + _HOUR <= taken]


def came(before: Sequence[float], since: Sequence[float]) -> Came | None:
    """Return the ratio of two geometric means with its interval, None where either side has fewer than two values.

    Each side has its own scatter: Welch (1947), The generalization of Student's problem, Biometrika 34: 28–35.
    """
    if min(len(before), len(since)) < LEAST_VALUES:
        return None
    logs = [[math.log(value) for value in side] for side in (before, since)]
    shift = fmean(logs[1]) - fmean(logs[0])
    errors = [variance(side) / len(side) for side in logs]
    total = sum(errors)
    if total == 0:
        return Came(math.exp(shift), math.exp(shift), math.exp(shift))
    degrees = total**2 / sum(error**2 / (len(side) - 1) for error, side in zip(errors, logs, strict=True))
    half = simultaneous_quantile(_CONFIDENCE, 1, degrees) * math.sqrt(total)
    return Came(math.exp(shift), exp_or_inf(shift - half), exp_or_inf(shift + half))


def outcome_of(promised: Promised, found: Came) -> Outcome:
    """Return whether a ratio came as promised: its interval and the promised one meet, and it excludes no change.

    Beyond the promised interval more is a higher rate, or a lower latency.
    """
    is_lower_better = promised.measure == LATENCY
    if found.high < promised.low:
        return Outcome.MORE if is_lower_better else Outcome.LESS
    if found.low > promised.high:
        return Outcome.LESS if is_lower_better else Outcome.MORE
    return Outcome.OPEN if found.low <= 1 <= found.high else Outcome.AS_PROMISED


def is_other_load(before: Span, since: Span) -> bool:
    """Tell whether the transactions since a change are of another size, by as much as moves a rate."""
    sizes = (before.commands_per_transaction, since.commands_per_transaction)
    if sizes[0] is None or sizes[1] is None:
        return False
    return not 1 / OTHER_SIZE <= sizes[1] / sizes[0] <= OTHER_SIZE


def came_between(hours: Sequence[PastHour], since: datetime) -> CameBetween | None:
    """Return in which hour a backlog was caught up that waited at a moment: the last one in a row with work too late.

    Args:
        hours: oldest first; hours without a row are missing, and nothing was late in them.

    Returns:
        None where the history no longer reaches back to that moment.
    """
    if not any(hour.hour_utc <= since for hour in hours):
        return None
    last: datetime | None = None
    for hour in hours:
        if hour.hour_utc + _HOUR <= since:
            continue
        if not hour.was_late:
            break
        if last is not None and hour.hour_utc > last + _HOUR:
            break
        last = hour.hour_utc
    is_over = last is not None and any(hour.hour_utc > last for hour in hours)
    return CameBetween(last, last + _HOUR) if last is not None and is_over else CameBetween(None, None)
