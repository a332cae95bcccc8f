"""The measures of trials of a Streams pipeline; those at two ends are named after the database."""

from dataclasses import replace
from typing import Final

from app.domain import metrics
from app.domain.measurement import Better, Metric
from app.foundation.texts import _

READINGS_S: Final = 1.0
"""Between two readings of a pipeline at least; what is told by a reading is known no better."""

DATE_STEP_S: Final = 1.0
"""Of Oracle's DATE, in which the dictionary and the views keep their times (Oracle SQL Language Reference, DATE)."""

RUN_TIME: Final = replace(metrics.RUN_TIME, step=READINGS_S)
# Of a Streams pipeline; those at two ends are named after the database.
MESSAGE_RATE: Final = Metric(
    "messages_per_min",
    "messages/min",
    Better.HIGHER,
    _("Messages applied per minute"),
    called=("messages/min", "lcrs/min", "lcrs per minute"),
)
TRANSACTION_SIZE: Final = Metric(
    "messages_per_transaction", "messages", Better.LOWER, _("Messages of each transaction applied")
)
CAPTURE_PAUSE: Final = Metric("flow_control_pause", "s", Better.LOWER, _("Capture paused for flow control"))
SPILLED_SOURCE: Final = Metric("spilled_source", "messages", Better.LOWER, _("Messages spilled from the source queue"))
SPILLED_DESTINATION: Final = Metric(
    "spilled_destination", "messages", Better.LOWER, _("Messages spilled from the destination queue")
)
STAGED_MESSAGES: Final = Metric("staged_messages", "messages", Better.LOWER, _("Messages staged by the apply reader"))
STAGED_TIME: Final = Metric("staging_time", "s", Better.LOWER, _("Time the apply reader spent staging"))
SOURCE_REDO: Final = Metric("source_redo", "MB", Better.LOWER, _("Redo written at the source"))
DESTINATION_REDO: Final = Metric("destination_redo", "MB", Better.LOWER, _("Redo written at the destination"))
SOURCE_POOL: Final = Metric("source_pool", "share", Better.LOWER, _("Most of the Streams pool used at the source"))
DESTINATION_POOL: Final = Metric(
    "destination_pool", "share", Better.LOWER, _("Most of the Streams pool used at the destination")
)
CAPTURE_BUSY: Final = Metric("capture_busy", "share", Better.LOWER, _("Capture at work"))
CAPTURE_HELD: Final = Metric("capture_held", "share", Better.LOWER, _("Capture held back by flow control"))
PROPAGATION_BUSY: Final = Metric("propagation_busy", "share", Better.LOWER, _("Propagation at work"))
READER_BUSY: Final = Metric("reader_busy", "share", Better.LOWER, _("Apply reader at work"))
READER_STAGING: Final = Metric("reader_staging", "share", Better.LOWER, _("Apply reader staging"))
SERVERS_BUSY: Final = Metric("servers_busy", "share", Better.HIGHER, _("Apply servers at work, their mean"))
SERVERS_WAIT_DEPENDENCY: Final = Metric(
    "servers_wait_dependency", "share", Better.LOWER, _("Apply servers waiting for another transaction")
)
SERVERS_WAIT_COMMIT: Final = Metric(
    "servers_wait_commit", "share", Better.LOWER, _("Apply servers waiting for their turn to commit")
)
LIMITED_BY_CAPTURE: Final = Metric("limited_by_capture", "share", Better.LOWER, _("Time the capture set the pace"))
LIMITED_BY_PROPAGATION: Final = Metric(
    "limited_by_propagation", "share", Better.LOWER, _("Time the propagation set the pace")
)
LIMITED_BY_READER: Final = Metric("limited_by_reader", "share", Better.LOWER, _("Time the apply reader set the pace"))
LIMITED_BY_SERVERS: Final = Metric(
    "limited_by_servers", "share", Better.LOWER, _("Time the apply servers set the pace")
)
STREAMS_LATENCY: Final = Metric(
    "streams_latency", "s", Better.LOWER, _("Longest time from source commit to apply"), step=DATE_STEP_S
)

STREAMS_METRICS: Final = (
    RUN_TIME,
    MESSAGE_RATE,
    TRANSACTION_SIZE,
    CAPTURE_PAUSE,
    SPILLED_SOURCE,
    SPILLED_DESTINATION,
    STAGED_MESSAGES,
    STAGED_TIME,
    SOURCE_REDO,
    DESTINATION_REDO,
    SOURCE_POOL,
    DESTINATION_POOL,
    CAPTURE_BUSY,
    CAPTURE_HELD,
    PROPAGATION_BUSY,
    READER_BUSY,
    READER_STAGING,
    SERVERS_BUSY,
    SERVERS_WAIT_DEPENDENCY,
    SERVERS_WAIT_COMMIT,
    LIMITED_BY_CAPTURE,
    LIMITED_BY_PROPAGATION,
    LIMITED_BY_READER,
    LIMITED_BY_SERVERS,
    STREAMS_LATENCY,
)
