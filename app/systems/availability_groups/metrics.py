"""The measures of trials of the commit mode, each of one shape of the workload."""

from typing import Final

from app.domain.measurement import Better, Metric
from app.domain.metrics import RUN_TIME as RUN_TIME
from app.foundation.texts import _
from app.systems.availability_groups.readings import LONGEST_UNSENT, REDO_BUILT_UP

# Of one shape of the workload of a commit-mode trial.
SHAPE_TIME: Final = Metric(
    "shape_time", "ms", Better.LOWER, _("Run time"), is_duration=True, called=("run_time", "elapsed ms")
)
INSERT_RATE: Final = Metric(
    "insert_rate", "inserts/s", Better.HIGHER, _("Insert throughput"), called=("inserts/sec", "inserts per second")
)
# Only where the time allowed was over before all inserts of a shape were done: its run time is worked out from these.
INSERTS_DONE: Final = Metric("inserts_done", "inserts", Better.HIGHER, _("Inserts done in the time allowed"))
COMMIT_DELAY: Final = Metric("commit_delay", "ms", Better.LOWER, _("Commit delay"))
SYNC_COMMIT_WAIT: Final = Metric("sync_commit_wait", "ms", Better.LOWER, _("Wait for the secondary, per insert"))
WRITELOG_WAIT: Final = Metric("writelog_wait", "ms", Better.LOWER, _("Wait for the local log, per insert"))
COMMIT_WAIT: Final = Metric("commit_wait", "ms", Better.LOWER, _("Wait of a commit"), is_duration=True)
"""On the client's own load: what a commit waits for the log, the local one or a secondary's, whichever is longer."""
COMMIT_RATE: Final = Metric("commit_rate", "transactions/s", Better.HIGHER, _("The client's own commits"))
SYNC_WAIT_EACH: Final = Metric(
    "sync_commit_wait_each", "ms", Better.LOWER, _("Wait for the secondary, each (HADR_SYNC_COMMIT)")
)
WRITELOG_WAIT_EACH: Final = Metric(
    "writelog_wait_each", "ms", Better.LOWER, _("Wait for the local log, each (WRITELOG)")
)
FLOW_CONTROL: Final = Metric("flow_control", "share", Better.LOWER, _("Time under flow control"))
LOG_RATE: Final = Metric("log_rate", "MB/s", Better.HIGHER, _("Log written"))
WIRE_SHARE: Final = Metric("wire_share", "share", Better.LOWER, _("Bytes sent per byte of log"))
PRIMARY_CPU: Final = Metric("primary_cpu", "share", Better.LOWER, _("Processor use of the primary"))

# What other load drivers print of their own transactions; from elsewhere only.
TRANSACTION_RATE: Final = Metric(
    "transaction_rate",
    "transactions/s",
    Better.HIGHER,
    _("Throughput"),
    called=("tps", "throughput", "transactions per second", "transactions/sec", "commits/s", "commits per second"),
)
TRANSACTIONS_PER_MINUTE: Final = Metric(
    "transactions_per_minute",
    "transactions/min",
    Better.HIGHER,
    _("Throughput"),
    called=("tpm", "tpmC", "SQL Server TPM"),
)
NEW_ORDERS: Final = Metric(
    "new_orders",
    "NOPM",
    Better.HIGHER,
    _("Throughput in new orders"),
    called=("nopm", "new orders per minute", "neword/min"),
)
BATCH_RATE: Final = Metric(
    "batch_requests",
    "batch requests/s",
    Better.HIGHER,
    _("Throughput in batch requests"),
    called=("batch requests/sec", "batch requests per second", "batches/s", "batches/sec"),
)
TRANSACTION_TIME: Final = Metric(
    "transaction_time",
    "ms",
    Better.LOWER,
    _("Time of a transaction"),
    is_duration=True,
    called=("latency", "average latency", "avg latency", "response time", "commit latency", "commit time", "latenz"),
)

COMMIT_STAND_INS: Final = (
    INSERT_RATE,
    TRANSACTION_RATE,
    NEW_ORDERS,
    TRANSACTIONS_PER_MINUTE,
    BATCH_RATE,
    TRANSACTION_TIME,
)
"""By which modes are compared where no run time of a shape was measured."""

SHAPE_METRICS: Final = (
    SHAPE_TIME,
    INSERT_RATE,
    INSERTS_DONE,
    COMMIT_DELAY,
    SYNC_COMMIT_WAIT,
    WRITELOG_WAIT,
    FLOW_CONTROL,
    LONGEST_UNSENT,
    REDO_BUILT_UP,
    LOG_RATE,
    WIRE_SHARE,
    PRIMARY_CPU,
)

TRAFFIC_METRICS: Final = (COMMIT_WAIT, COMMIT_RATE, SYNC_WAIT_EACH, WRITELOG_WAIT_EACH)
"""Of a window on the client's own load, beside those of the log on its way."""
