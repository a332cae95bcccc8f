"""The measures of replication-agent trials, by the names used in measurement files and session files."""

from typing import Final

from app.domain.measurement import Better, Metric
from app.foundation.texts import _

RUN_TIME: Final = Metric("run_time", "s", Better.LOWER, _("Run time"))
THROUGHPUT: Final = Metric("throughput", "commands/s", Better.HIGHER, _("Throughput"))
LATENCY: Final = Metric("latency", "ms", Better.LOWER, _("Latency of the agent's own leg"))
LONGEST_GAP: Final = Metric("longest_gap", "s", Better.LOWER, _("Longest time without a delivery"))
LOCK_WAIT: Final = Metric("lock_wait", "share", Better.LOWER, _("Lock waits on the Distributor"))
READER_WAIT: Final = Metric("reader_wait", "share", Better.LOWER, _("Reader waiting for the writer"))
WRITER_WAIT: Final = Metric("writer_wait", "share", Better.LOWER, _("Writer waiting for the reader"))
FALLBACKS: Final = Metric("stream_fallbacks", "count", Better.LOWER, _("Fall-backs to one stream"))
BANDWIDTH_USE: Final = Metric("bandwidth_use", "%", Better.HIGHER, _("Use of the bandwidth"))

AGENT_METRICS: Final = (RUN_TIME, THROUGHPUT, LATENCY, LONGEST_GAP, LOCK_WAIT, READER_WAIT, WRITER_WAIT)
