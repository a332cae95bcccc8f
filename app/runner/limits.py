"""Abort rules: a trial ends when production could suffer."""

import math
import statistics
from collections.abc import Iterable, Mapping

from app.domain.limits import TIMES_BASELINE, LimitField, Limits
from app.domain.measurement import Sample, TrialResult, TrialStatus
from app.domain.setting import Setting
from app.foundation.texts import _


def exceeded_limit(fields: Iterable[LimitField], limits: Limits, readings: Mapping[str, float]) -> str:
    """Return one sentence on the first limit exceeded, or "".

    Args:
        fields: the limits a trial watches, in the order they are looked at; one without a reading is held elsewhere.
        readings: what each is held against, by its key and in its unit.
    """
    for field in fields:
        held = field.name in limits and field.name in readings
        if held and (sentence := field.exceeded(readings[field.name], limits[field.name])):
            return sentence
    return ""


def longest_beside_baseline(limits: Limits, baseline: Setting, done: Iterable[TrialResult]) -> float:
    """Return how many seconds a trial may measure beside its baseline, infinity where nothing limits it yet.

    Args:
        done: trials that ended before; the median of the baseline's is what a trial is held against.
    """
    lengths_s = [
        max((sample.offset_s for sample in trial.samples), default=0.0)
        for trial in done
        if trial.status is TrialStatus.USED and trial.setting == baseline
    ]
    times = limits.get(TIMES_BASELINE.name)
    if times is None or not any(lengths_s):
        return math.inf
    return times * statistics.median(lengths_s)


def slower_than_baseline(samples: Iterable[Sample], longest_s: float) -> str:
    """Return one sentence where the newest samples of a trial come later than it may take, or ""."""
    measured_s = max((sample.offset_s for sample in samples), default=0.0)
    if measured_s <= longest_s:
        return ""
    return _(
        "duration of the trial reached {value:,.0f} s; the plan's limit, beside its baseline, is {limit:,.0f} s"
    ).format(value=measured_s, limit=longest_s)
