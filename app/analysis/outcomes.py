"""What a setting itself now and then brings about in its trials, such as giving up what it was to use.

Such trials count with their time: to leave them out would be to promise what the setting does not keep. How often it
happens has an interval of its own, and what the comparison would be without them stands beside it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.analysis.distributions import beta_quantile
from app.analysis.student import CONFIDENCE
from app.domain.comparison import Comparison
from app.domain.measurement import Measurement, Metric


def outcome_trials(metrics: Iterable[Metric], measurements: Iterable[Measurement]) -> frozenset[str]:
    """Return the trials in which a setting brought about what one of these metrics counts."""
    names = {metric.name for metric in metrics if metric.is_outcome}
    return frozenset(m.trial_id for m in measurements if m.metric in names and m.value > 0)


@dataclass(frozen=True)
class Share:
    """How often something happened: `happened` of `trials` (≥ 1), with the 95 % interval of the share, 0 to 1."""

    happened: int
    trials: int
    low: float
    high: float


def share_of(happened: int, trials: int) -> Share:
    """Return a share with its exact interval.

    Source: Clopper & Pearson (1934), Biometrika 26: 404-413.
    """
    tail = (1 - CONFIDENCE) / 2
    low = beta_quantile(tail, happened, trials - happened + 1) if happened else 0.0
    high = beta_quantile(1 - tail, happened + 1, trials - happened) if happened < trials else 1.0
    return Share(happened, trials, low, high)


def ratio_without(
    comparison: Comparison, measurements: Sequence[Measurement], outcomes: frozenset[str]
) -> float | None:
    """Return a comparison's ratio over the blocks in which no trial had the outcome; None where none is left.

    Args:
        measurements: of the comparison's metric and phase.
        outcomes: trials as `outcome_trials` returns them.
    """
    logs = {(m.block, m.setting): math.log(m.value) for m in measurements if m.trial_id not in outcomes}
    differences = [
        value - logs[block, comparison.reference]
        for (block, setting), value in logs.items()
        if setting == comparison.candidate and (block, comparison.reference) in logs
    ]
    return math.exp(sum(differences) / len(differences)) if differences else None
