"""The measures of trials, by the names used in measurement files and session files."""

from typing import Final

from app.domain.measurement import Better, Metric
from app.foundation.texts import _

RUN_TIME: Final = Metric("run_time", "s", Better.LOWER, _("Run time"))
THROUGHPUT: Final = Metric("throughput", "commands/s", Better.HIGHER, _("Throughput"))
LATENCY: Final = Metric("latency", "ms", Better.LOWER, _("Latency of the agent's own leg"))
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
FALLBACKS: Final = Metric("stream_fallbacks", "count", Better.LOWER, _("Fall-backs to one stream"))
BANDWIDTH_USE: Final = Metric("bandwidth_use", "%", Better.HIGHER, _("Use of the bandwidth"))

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
)

# Of one shape of the workload of a commit-mode trial.
SHAPE_TIME: Final = Metric("shape_time", "ms", Better.LOWER, _("Run time"))
INSERT_RATE: Final = Metric("insert_rate", "inserts/s", Better.HIGHER, _("Inserts per second"))
# Only where the time allowed was over before all inserts of a shape were done: its run time is worked out from these.
INSERTS_DONE: Final = Metric("inserts_done", "inserts", Better.HIGHER, _("Inserts done in the time allowed"))
COMMIT_DELAY: Final = Metric("commit_delay", "ms", Better.LOWER, _("Commit delay"))
SYNC_COMMIT_WAIT: Final = Metric("sync_commit_wait", "ms", Better.LOWER, _("Wait for the secondary, per insert"))
WRITELOG_WAIT: Final = Metric("writelog_wait", "ms", Better.LOWER, _("Wait for the local log, per insert"))
FLOW_CONTROL: Final = Metric("flow_control", "share", Better.LOWER, _("Time under flow control"))
SEND_QUEUE: Final = Metric("send_queue", "MB", Better.LOWER, _("Longest log send queue"))
REDO_QUEUE: Final = Metric("redo_queue", "MB", Better.LOWER, _("Longest redo queue"))
LOG_RATE: Final = Metric("log_rate", "MB/s", Better.HIGHER, _("Log written"))
WIRE_SHARE: Final = Metric("wire_share", "share", Better.LOWER, _("Bytes sent per byte of log"))
PRIMARY_CPU: Final = Metric("primary_cpu", "share", Better.LOWER, _("Processor use of the primary"))

SHAPE_METRICS: Final = (
    SHAPE_TIME,
    INSERT_RATE,
    INSERTS_DONE,
    COMMIT_DELAY,
    SYNC_COMMIT_WAIT,
    WRITELOG_WAIT,
    FLOW_CONTROL,
    SEND_QUEUE,
    REDO_QUEUE,
    LOG_RATE,
    WIRE_SHARE,
    PRIMARY_CPU,
)

# Of a Streams pipeline; those at two ends are named after the database.
MESSAGE_RATE: Final = Metric("messages_per_min", "messages/min", Better.HIGHER, _("Messages applied per minute"))
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
STREAMS_LATENCY: Final = Metric("streams_latency", "s", Better.LOWER, _("Longest time from source commit to apply"))

STREAMS_METRICS: Final = (
    RUN_TIME,
    MESSAGE_RATE,
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
