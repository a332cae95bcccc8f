"""The measures of trials, by the names used in measurement files and session files."""

from typing import Final

from app.domain.measurement import Better, Metric
from app.foundation.texts import _

RUN_TIME: Final = Metric("run_time", "s", Better.LOWER, _("Run time"))
THROUGHPUT: Final = Metric("throughput", "commands/s", Better.HIGHER, _("Throughput"))
