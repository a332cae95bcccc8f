"""Facts for the rules that were measured or read directly: latencies, waits, gaps, batches, link."""

from collections.abc import Iterable, Mapping

import numpy as np

from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.measurement import Metric
from app.domain.setting import Setting

Facts = Mapping[str, FactValue]


def medians(evidence: Evidence, wanted: Iterable[tuple[Metric, Setting]]) -> dict[tuple[str, Setting], float]:
    """Return the median of each wanted metric over the used trials of a setting, where it was measured."""
    return {key: float(np.median(values)) for key, values in values_used(evidence, wanted).items()}


def values_used(evidence: Evidence, wanted: Iterable[tuple[Metric, Setting]]) -> dict[tuple[str, Setting], list[float]]:
    """Return the values of each wanted metric in the used trials of a setting, where it was measured."""
    names = {metric.name for metric, _setting in wanted}
    values: dict[tuple[str, Setting], list[float]] = {}
    for m in evidence.measurements:
        if m.metric in names:
            values.setdefault((m.metric, m.setting), []).append(m.value)
    return values
