"""The subject of experiments on Change Data Capture, its parameters, and where its statements run."""

from typing import Final

from app.domain.plan_field import PlanField, ValueKind
from app.domain.setting import Costly, Parameter
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _

SYSTEM_ID: Final = "change_data_capture"
CAPTURE: Final = "capture_job"
CAPTURED: Final = "captured"
"""The captured database, as headers of statements name it."""
STATEMENT_PLACES: Final = frozenset({CAPTURED})
CAPTURE_JOB: Final = "CaptureJob"
CAPABILITIES: Final = {CAPTURE_JOB: _("a capture job of Change Data Capture whose values may be changed")}

_PAGE: Final = "sys.sp_cdc_change_job, sys.sp_cdc_add_job (Microsoft Learn)"

MAXTRANS: Final = Parameter(
    "maxtrans",
    "transactions",
    500,
    1,
    None,
    (500, 2_000, 5_000, 10_000),
    _(
        "Most transactions of one scan. Larger scans read a backlog faster; what one reads is seen once all of it is "
        "written."
    ),
    _PAGE,
    costly=Costly.HIGHER,
)
MAXSCANS: Final = Parameter(
    "maxscans",
    "count",
    10,
    1,
    None,
    (10, 50, 100),
    _("Most scans before the job waits for pollinginterval, though more may be in the log."),
    _PAGE,
    costly=Costly.HIGHER,
)
POLLING: Final = Parameter(
    "pollinginterval",
    "s",
    5,
    0,
    86_399,
    (0, 1, 2, 5),
    _("Wait after a round of scans. A shorter one cuts latency; 0 never waits and reads the log all the time."),
    _PAGE,
    costly=Costly.LOWER,
)
PARAMETERS: Final = (MAXTRANS, MAXSCANS, POLLING)

DATABASE: Final = PlanField(
    "database",
    ValueKind.TEXT,
    _("Captured database"),
    "",
    "",
    _("Leave empty to take the only captured database of the instance."),
)
_SOURCES: Final = (WorkSource.OWN_BACKLOG, WorkSource.HELD, WorkSource.OWN_TRAFFIC)
WORK: Final = PlanField(
    SOURCE,
    ValueKind.CHOICE,
    _("Work of a trial"),
    "",
    str(WorkSource.OWN_BACKLOG),
    _(
        "The log that waits is read scan by scan while the job stands; or a backlog gathers and the job reads it; or "
        "the latency of the traffic as it is gets compared. No rows are written for a trial; the run's mark, an "
        "extended property, stands in the database meanwhile."
    ),
    choices=tuple(map(str, _SOURCES)),
    option_titles=(_("The log that waits"), _("Held until work has gathered"), _("The traffic as it is")),
)
WORK_CONDITION: Final = "captured_work"
"""Where the work of a measurement came from, as a condition of it."""
WINDOW: Final = PlanField(
    "window_s",
    ValueKind.NUMBER,
    _("Length of a trial"),
    "s",
    60.0,
    _("How long the capture of one setting is measured; a scan that has begun is never cut short."),
    above=0,
    low=5,
    high=3_600,
)
LOAD: Final = (DATABASE, WORK, WINDOW)
