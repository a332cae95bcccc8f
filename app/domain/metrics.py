"""The measures of trials that several systems have, by the names used in measurement files and session files."""

from collections.abc import Iterable
from typing import Final, Protocol

from app.domain.measurement import Better, Metric
from app.foundation.texts import _

RUN_TIME: Final = Metric("run_time", "s", Better.LOWER, _("Run time"), is_listed=True, is_duration=True)
THROUGHPUT: Final = Metric("throughput", "commands/s", Better.HIGHER, _("Throughput"), is_listed=True)
ARRIVALS: Final = Metric("arrivals", "commands/s", Better.LOWER, _("Commands that arrived meanwhile"))
"""In a window on the client's own work, by the applications that write there."""


class Measured(Protocol):
    """Anything with metrics, such as an experiment family."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Return the metrics of its trials."""
        ...


def listed_metrics(families: Iterable[Measured]) -> tuple[Metric, ...]:
    """Return the measures a list of trials has columns for, those that several systems have first.

    One name is one column, also where systems know it to different steps of a clock.
    """
    metrics = (metric for family in families for metric in family.metrics if metric.is_listed)
    by_name: dict[str, Metric] = {}
    for metric in (RUN_TIME, THROUGHPUT, *metrics):
        by_name.setdefault(metric.name, metric)
    return tuple(by_name.values())
