"""Abort rules: a trial ends when production could suffer."""

import math
import statistics
from collections.abc import Callable, Iterable, Mapping

from app.domain.limits import LOG_USED, TIMES_BASELINE, LimitField, Limits
from app.domain.measurement import Sample, TrialResult, TrialStatus
from app.domain.setting import Setting
from app.foundation.texts import _


def exceeded_limit(fields: Iterable[LimitField], limits: Limits, readings: Mapping[str, float | None]) -> str:
    """Return one sentence on the first limit exceeded, or "".

    Args:
        fields: the limits a trial watches, in the order they are looked at; one without a reading is held elsewhere.
        readings: what each is held against, by its key and in its unit; None where it is not known.
    """
    for field in fields:
        reading = readings.get(field.name)
        if reading is not None and field.name in limits and (sentence := field.exceeded(reading, limits[field.name])):
            return sentence
    return ""


def tell_log_unwatched(limits: Limits, unknown: Iterable[str], told: set[str], on_note: Callable[[str], None]) -> None:
    """Say once in a run of each log that the limit on it holds nothing: counters may be disabled on a server.

    Args:
        unknown: databases whose log no counter tells of, each as a person reads it.
        told: those a run was told of before; others are added.
    """
    limit, untold = limits.get(LOG_USED.name), sorted(set(unknown) - told)
    if limit is None or not untold:
        return
    told.update(untold)
    on_note(
        _(
            "the limit of {limit:.0%} used log is not watched for {databases}: no counter there tells how full the "
            "log is; watch it by hand"
        ).format(limit=limit, databases=", ".join(untold))
    )


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
