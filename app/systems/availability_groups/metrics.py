"""The measures of trials of the commit mode, each of one shape of the workload."""

from typing import Final

from app.domain.measurement import Better, Metric
from app.domain.metrics import RUN_TIME as RUN_TIME
from app.foundation.texts import _
from app.systems.availability_groups.readings import LONGEST_UNSENT, REDO_BUILT_UP

# Of one shape of the workload of a commit-mode trial.
SHAPE_TIME: Final = Metric("shape_time", "ms", Better.LOWER, _("Run time"), is_duration=True)
INSERT_RATE: Final = Metric("insert_rate", "inserts/s", Better.HIGHER, _("Inserts per second"))
# Only where the time allowed was over before all inserts of a shape were done: its run time is worked out from these.
INSERTS_DONE: Final = Metric("inserts_done", "inserts", Better.HIGHER, _("Inserts done in the time allowed"))
COMMIT_DELAY: Final = Metric("commit_delay", "ms", Better.LOWER, _("Commit delay"))
SYNC_COMMIT_WAIT: Final = Metric("sync_commit_wait", "ms", Better.LOWER, _("Wait for the secondary, per insert"))
WRITELOG_WAIT: Final = Metric("writelog_wait", "ms", Better.LOWER, _("Wait for the local log, per insert"))
FLOW_CONTROL: Final = Metric("flow_control", "share", Better.LOWER, _("Time under flow control"))
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
    LONGEST_UNSENT,
    REDO_BUILT_UP,
    LOG_RATE,
    WIRE_SHARE,
    PRIMARY_CPU,
)
