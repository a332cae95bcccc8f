"""The parameters this family may vary, and the load of its plans."""

from typing import Final

from app.domain.family import SweptCondition
from app.domain.plan_field import PlanField, ValueKind
from app.domain.setting import Parameter, SameAsDefault
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _
from app.systems.availability_groups.commit_steps import DEFAULT, OFF, ON
from app.systems.availability_groups.commit_traffic import WINDOW
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

SERVERS_OWN_MS: Final = 10
"""What a group commit time of 0 stands for."""

GROUP_COMMIT_TIME: Final = Parameter(
    name="group_commit_time",
    unit="ms",
    default=0,
    low=0,
    high=SERVERS_OWN_MS,
    levels=(0, 1),
    title=_("Group commit time"),
    help=_(
        "How long commits of several connections are collected before their log is sent to the secondary: the server "
        "option 'availability group commit time (ms)' of SQL Server 2025. 0 is the server's own choice, 10 ms. Varied "
        "alone, the group commits synchronously throughout."
    ),
    source="Microsoft Learn: Server configuration: availability group commit time (ms)",
    called=("availability group commit time (ms)", "availability group commit time", "ag commit time"),
    # where no commit waits for a secondary, none waits for its group
    same_as_default=(SameAsDefault("availability_mode", STANDALONE), SameAsDefault("availability_mode", ASYNC)),
)

PARAMETERS: Final[tuple[Parameter, ...]] = (AVAILABILITY_MODE, LOG_STREAM_COMPRESSION, GROUP_COMMIT_TIME)

INSERTS: Final = "inserts"
ROWS_PER_INSERT: Final = "rows_per_insert"

SWEPT: Final = (
    SweptCondition(INSERTS, "inserts", _("Inserts")),
    SweptCondition(ROWS_PER_INSERT, "rows", _("Rows per insert")),
)

SOURCES: Final = (WorkSource.TEST_TABLE, WorkSource.OWN_TRAFFIC)

LOAD_FIELDS: Final = (
    GROUP_FIELD,
    PlanField(
        SOURCE,
        ValueKind.CHOICE,
        _("Where the commits come from"),
        "",
        None,
        _(
            "The client's own applications: the waits of their commits are compared while the mode is switched every "
            "few minutes, and nothing is written. Or a test table of this program's."
        ),
        choices=tuple(map(str, SOURCES)),
        option_titles=(_("a test table that is written"), _("the client's own applications")),
        when_empty=_("a test table that is written"),
        stated=_("the client's own load, to which nothing was added: {value}"),
    ),
    PlanField(
        WINDOW,
        ValueKind.NUMBER,
        _("Length of a window"),
        "s",
        None,
        _("On the client's own load: for so long a mode is measured before the other one is set."),
        low=60,
        high=3_600,
        typed_in="min",
        when_empty=_("3 min"),
    ),
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
