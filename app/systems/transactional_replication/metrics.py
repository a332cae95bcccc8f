"""The measures of trials of replication agents."""

from dataclasses import replace
from typing import Final

from app.domain import metrics
from app.domain.measurement import Better, Metric
from app.foundation.texts import _

# Called as the agents' history has them (MSdistribution_history, MSlogreader_history) and people write them.
RUN_TIME: Final = replace(metrics.RUN_TIME, called=("duration", "elapsed", "elapsed time"))
THROUGHPUT: Final = replace(
    metrics.THROUGHPUT,
    called=(
        "delivery_rate",
        "current_delivery_rate",
        "cmds/sec",
        "cmds/s",
        "commands/sec",
        "commands/s",
        "commands per second",
        "delivered commands/sec",
        "rate",
    ),
)

LATENCY: Final = Metric(
    "latency",
    "ms",
    Better.LOWER,
    _("Latency of the agent's own leg"),
    short=_("Latency"),
    is_listed=True,
    called=("delivery_latency", "current_delivery_latency", "latenz"),
)
TOKEN_TO_DISTRIBUTOR: Final = Metric(
    "token_to_distributor", "s", Better.LOWER, _("Tracer token, Publisher to Distributor")
)
TOKEN_TO_SUBSCRIBER: Final = Metric(
    "token_to_subscriber", "s", Better.LOWER, _("Tracer token, Distributor to Subscriber")
)
LONGEST_GAP: Final = Metric("longest_gap", "s", Better.LOWER, _("Longest time without a delivery"))
LOCK_WAIT: Final = Metric("lock_wait", "share", Better.LOWER, _("Lock waits on the Distributor"))
READER_WAIT: Final = Metric("reader_wait", "share", Better.LOWER, _("Reader waiting for the writer"))
WRITER_WAIT: Final = Metric("writer_wait", "share", Better.LOWER, _("Writer waiting for the reader"))
# From elsewhere only, as other tools print it.
TRANSACTION_RATE: Final = Metric(
    "transaction_rate",
    "transactions/s",
    Better.HIGHER,
    _("Throughput in transactions"),
    called=("tps", "transactions per second", "transactions/sec", "delivered transactions/sec"),
)
FALLBACKS: Final = Metric("stream_fallbacks", "count", Better.LOWER, _("Fall-backs to one stream"), is_outcome=True)
COMMAND_BYTES: Final = Metric("command_bytes", "bytes", Better.LOWER, _("Size of a stored command"))
BANDWIDTH_USE: Final = Metric("bandwidth_use", "%", Better.HIGHER, _("Use of the bandwidth"))
ARRIVALS: Final = metrics.ARRIVALS
TRANSACTION_SIZE: Final = Metric("transaction_size", "commands", Better.LOWER, _("Commands per transaction delivered"))

AGENT_STAND_INS: Final = (TRANSACTION_RATE, TOKEN_TO_SUBSCRIBER, TOKEN_TO_DISTRIBUTOR, LONGEST_GAP)
"""By which settings are compared where neither run time, throughput nor latency was measured."""

AGENT_METRICS: Final = (
    RUN_TIME,
    THROUGHPUT,
    LATENCY,
    TOKEN_TO_DISTRIBUTOR,
    TOKEN_TO_SUBSCRIBER,
    LONGEST_GAP,
    LOCK_WAIT,
    READER_WAIT,
    WRITER_WAIT,
    ARRIVALS,
    TRANSACTION_SIZE,
)
