"""The parameters this family may vary, and the load of its plans."""

from typing import Final

from app.domain.family import SweptCondition
from app.domain.plan_field import PlanField, ValueKind
from app.domain.setting import Parameter, SameAsDefault
from app.foundation.texts import _
from app.systems.availability_groups.commit_steps import DEFAULT, OFF, ON
from app.systems.availability_groups.subjects import GROUP_FIELD

ASYNC, SYNC, STANDALONE = "async", "sync", "standalone"

AVAILABILITY_MODE: Final = Parameter(
    name="availability_mode",
    unit="",
    default=ASYNC,
    low=None,
    high=None,
    levels=(ASYNC, SYNC),
    help=_(
        "How the database commits: synchronously with a secondary replica, asynchronously, or in no group at all "
        "(standalone). Synchronous commits wait until the secondary has hardened the log."
    ),
    source="Microsoft Learn: Differences between availability modes for an Always On availability group",
    choices=(STANDALONE, ASYNC, SYNC),
    title=_("Commit mode"),
    choice_titles=(_("standalone"), _("asynchronous"), _("synchronous")),
    # as sys.availability_replicas and people write them
    called=("availability_mode_desc", "commit mode", "ag mode", "replica mode", "commitmodus", "verfügbarkeitsmodus"),
    choices_called=(
        ("no ag", "no availability group", "without ag", "outside ag", "eigenständig", "ohne ag"),
        ("0", "asynchronous_commit", "asynchronous", "async commit", "asynchron"),
        ("1", "synchronous_commit", "synchronous", "sync commit", "synchron"),
    ),
)

LOG_STREAM_COMPRESSION: Final = Parameter(
    name="log_stream_compression",
    unit="",
    default=DEFAULT,
    low=None,
    high=None,
    levels=(DEFAULT, ON),
    help=_(
        "Whether the log sent to the secondary is compressed. By default SQL Server 2012 and 2014 compress always, "
        "2016 and later for asynchronous replicas only; trace flags 9592, 1462 and 9591 change that."
    ),
    source="Microsoft Learn: Tune compression for availability group",
    choices=(DEFAULT, OFF, ON),
    title=_("Log stream compression"),
    choice_titles=(_("the version's default"), _("off"), _("on")),
    called=("log compression", "ag compression", "stream compression"),
    choices_called=((), ("uncompressed", "not compressed", "no compression"), ("compressed", "tf 9592", "9592")),
    # no log stream without a group; every version compresses for asynchronous replicas unless told otherwise
    same_as_default=(
        SameAsDefault("availability_mode", STANDALONE),
        SameAsDefault("availability_mode", ASYNC, (ON,)),
    ),
)

PARAMETERS: Final[tuple[Parameter, ...]] = (AVAILABILITY_MODE, LOG_STREAM_COMPRESSION)

INSERTS: Final = "inserts"
ROWS_PER_INSERT: Final = "rows_per_insert"

SWEPT: Final = (
    SweptCondition(INSERTS, "inserts", _("Inserts")),
    SweptCondition(ROWS_PER_INSERT, "rows", _("Rows per insert")),
)

LOAD_FIELDS: Final = (
    GROUP_FIELD,
    PlanField(
        "database",
        ValueKind.TEXT,
        _("Database"),
        "",
        "",
        _("A database of the group for the test tables; leave empty to take its only one."),
    ),
    PlanField(
        "secondary",
        ValueKind.TEXT,
        _("Secondary replica"),
        "",
        "",
        _("Server of the replica to commit with; leave empty to take the first one connected."),
    ),
    PlanField(
        "sync_database",
        ValueKind.TEXT,
        _("Database of a second, synchronous group"),
        "",
        "",
        _("Two groups side by side, one for each mode; leave empty to switch one group back and forth."),
    ),
    PlanField(
        "standalone_database",
        ValueKind.TEXT,
        _("Database outside any group"),
        "",
        "",
        _("For the standalone arm, on the same server."),
    ),
    PlanField(
        INSERTS,
        ValueKind.WHOLE_LIST,
        _("Inserts of each shape"),
        "",
        (1, 100, 10_000, 1_000_000),
        _("Each number is one shape: that many inserts share the rows among them."),
        low=1,
        high=10_000_000,
        quick=(1, 100, 10_000),
    ),
    PlanField(
        "rows_total",
        ValueKind.WHOLE,
        _("Rows of each shape"),
        "rows",
        1_000_000,
        _("Rows all inserts of a shape write together; the published study took a million."),
        low=1,
        high=10_000_000,
        quick=100_000,
        in_short=_("{value} rows each in {inserts} inserts"),
    ),
    PlanField(
        "loops",
        ValueKind.WHOLE,
        _("Loops in each trial"),
        "",
        1,
        _("How often each shape runs in a trial; trials of the modes alternate, and that cancels drift."),
        low=1,
        high=1_000,
    ),
    PlanField(
        "budget_s",
        ValueKind.NUMBER,
        _("Longest time for one shape in one loop"),
        "s",
        60.0,
        _("For a shape that takes longer, the inserts done by then count; the time for all is worked out from them."),
        low=1,
        high=86_400,
    ),
    PlanField(
        "settle_s",
        ValueKind.NUMBER,
        _("Inserts before measuring"),
        "s",
        10.0,
        _("So that a change of mode or compression is in effect when measuring begins."),
        low=0,
        high=3_600,
    ),
)
