"""The load of a plan of this family."""

from typing import Final

from app.domain.plan_field import PlanField, ValueKind
from app.domain.work_source import SOURCE
from app.foundation.texts import _
from app.systems.oracle_streams.own_work import SOURCES
from app.systems.oracle_streams.pipeline import INSERT, UPDATE

NO, YES = "no", "yes"

OPERATION: Final = "operation"
ROWS: Final = "rows"
ROWS_PER_COMMIT: Final = "rows_per_commit"
CONFIRM_HIDDEN: Final = "confirm_hidden"
TRACE: Final = "trace_10046"

LOAD_FIELDS: Final = (
    PlanField(
        "path",
        ValueKind.TEXT,
        _("Streams path"),
        "",
        "",
        _("From a capture to an apply process; the apply's name will do. Leave empty to take the only one."),
    ),
    PlanField(
        SOURCE,
        ValueKind.CHOICE,
        _("Where the work comes from"),
        "",
        None,
        _(
            "The client's own work, of which nothing is written: the backlog that waits already, or what gathers while "
            "the apply process is held. Or a test table of this program's."
        ),
        choices=tuple(map(str, SOURCES)),
        option_titles=(
            _("a test table that is written"),
            _("the backlog that waits already"),
            _("what gathers while apply is held"),
        ),
        when_empty=_("what the site has"),
        stated=_("the client's own work, of which nothing was written: {value}"),
    ),
    PlanField(
        OPERATION,
        ValueKind.CHOICE,
        _("Rows are"),
        "",
        UPDATE,
        _("Inserted, or updated in a test table filled before."),
        choices=(INSERT, UPDATE),
        option_titles=(_("inserted"), _("updated")),
    ),
    PlanField(
        ROWS,
        ValueKind.WHOLE,
        _("Rows of a trial"),
        "rows",
        300_000,
        _(
            "All of the time from the first row written to the last one applied counts. The published tests inserted a "
            "million rows, or updated 100,000 or 300,000."
        ),
        low=1,
        high=10_000_000,
        quick=60_000,  # a transaction still larger than the usual spill threshold
    ),
    PlanField(
        ROWS_PER_COMMIT,
        ValueKind.WHOLE,
        _("Rows of each transaction"),
        "rows",
        300_000,
        _("500 for many small transactions; as many as rows of a trial for a single large one."),
        low=1,
        high=10_000_000,
        quick=60_000,  # a transaction still larger than the usual spill threshold
    ),
    PlanField(
        TRACE,
        ValueKind.CHOICE,
        _("Trace an apply server after each trial"),
        "",
        NO,
        _("Event 10046: the trace file at the destination shows the statements with and without _DYNAMIC_STMTS."),
        choices=(NO, YES),
    ),
    PlanField(
        CONFIRM_HIDDEN,
        ValueKind.CHOICE,
        _("Hidden parameters may be set"),
        "",
        NO,
        _("Oracle supports hidden parameters only on its own advice; their effects may change silently."),
        choices=(NO, YES),
        consent=(
            "_",
            _("Say yes to vary {names}: the vendor supports a hidden parameter only on its own advice."),
        ),
    ),
)
