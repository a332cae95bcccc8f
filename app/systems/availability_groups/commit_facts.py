"""Facts of availability groups: the cost of a synchronous commit, and the gain by compression of the log stream."""

from typing import Final

from app.domain.fact_kind import effect, interval, number, text
from app.foundation.texts import _

OBSERVED_FACTS: Final = (
    text("observed_secondary", _("which database was observed at which secondary")),
    text("observed_synchronization", _("the synchronization state of the database there")),
    number("observed_suspended", "count", _("whether data movement is suspended there (1) or not (0)")),
)
"""What was observed of a secondary without an experiment."""

GROUP_FACTS: Final = (
    # Availability groups: what a synchronous commit costs.
    number(
        "server_major",
        "",
        _("the major version of the primary (13 is SQL Server 2016)"),
        _("major version of the server"),
    ),
    number("shapes_total", "count", _("the number of workload shapes compared")),
    number("shapes_faster", "count", _("the number of workload shapes shown to be faster")),
    number("shapes_slower", "count", _("the number of workload shapes shown to be slower")),
    number("shapes_undecided", "count", _("the number of workload shapes that cannot be decided yet")),
    number("rows_small", "rows", _("the rows per insert of the shape with the fewest"), _("fewest rows per insert")),
    number("rows_large", "rows", _("the rows per insert of the shape with the most"), _("most rows per insert")),
    number(
        "rows_worst",
        "rows",
        _("the rows per insert of the shape with the largest penalty"),
        _("rows per insert with the largest penalty"),
    ),
    *interval(
        "penalty_small_percent",
        "%",
        _("penalty, fewest rows per insert"),
        _("the penalty at the shape with the fewest rows per insert"),
        _("the lower end of the interval of that penalty"),
        _("the upper end of the interval of that penalty"),
    ),
    *interval(
        "penalty_small_ms",
        "ms",
        _("penalty per insert, fewest rows per insert"),
        _("the penalty per insert at the shape with the fewest rows per insert"),
        _("the lower end of the interval of that penalty per insert"),
        _("the upper end of the interval of that penalty per insert"),
    ),
    *interval(
        "penalty_large_percent",
        "%",
        _("penalty, most rows per insert"),
        _("the penalty at the shape with the most rows per insert"),
        _("the lower end of the interval of the penalty of large inserts"),
        _("the upper end of the interval of the penalty of large inserts"),
    ),
    number(
        "penalty_large_ms",
        "ms",
        _("the penalty per insert at the shape with the most rows per insert"),
        _("penalty per insert, most rows per insert"),
    ),
    number(
        "round_trip_ms",
        "ms",
        _("the wait of a small insert for the secondary"),
        _("wait of a small insert for the secondary"),
    ),
    number("round_trip_most_ms", "ms", _("the most that a small insert waits for the secondary")),
    number(
        "penalty_large_ms_per_thousand_rows",
        "ms",
        _("the penalty per thousand rows of the shape with the most per insert"),
        _("penalty per thousand rows, most rows per insert"),
    ),
    text(
        "penalty_large_told",
        _("the penalty at the shape with the most rows per insert with its interval, or that it is open, in words"),
        _("penalty, most rows per insert"),
    ),
    text(
        "compressed_mode",
        _("the commit mode whose log stream was compressed where that of the other was not"),
        _("compressed in one mode only"),
    ),
    number("penalty_worst_percent", "%", _("the largest penalty of any shape")),
    text("against_worst", _("what synchronous commit is compared with where its penalty is largest")),
    number("penalty_most_percent", "%", _("the largest penalty that any shape's interval still allows")),
    *interval(
        "standalone_async_percent",
        "%",
        _("penalty of asynchronous commit against no group"),
        _("the penalty of asynchronous commit against a standalone database"),
        _("the lower end of the interval of that penalty"),
        _("the upper end of the interval of that penalty"),
    ),
    *interval(
        "standalone_sync_percent",
        "%",
        _("penalty of synchronous commit against no group"),
        _("the penalty of synchronous commit against a standalone database"),
        _("the lower end of the interval of that penalty"),
        _("the upper end of the interval of that penalty"),
    ),
    number(
        "standalone_async_large_percent",
        "%",
        _("the penalty of asynchronous commit against a standalone database, most rows per insert"),
        _("penalty of asynchronous commit against no group, most rows per insert"),
    ),
    number(
        "standalone_sync_large_percent",
        "%",
        _("the penalty of synchronous commit against a standalone database, most rows per insert"),
        _("penalty of synchronous commit against no group, most rows per insert"),
    ),
    text("against_mode", _("what synchronous commit is compared with"), _("synchronous commit compared with")),
    text("standalone_effect", _("the effect of synchronous commit against a standalone database, in words")),
    number("commit_delay_ms", "ms", _("the mean commit delay at the shape with the fewest rows per insert")),
    number("sync_commit_wait_share", "share", _("the share of an insert's time that is waiting for the secondary")),
    number("flow_control_percent", "%", _("the largest share of time the log stream was under flow control")),
    number("redo_queue_mb", "MB", _("the redo queue a shape built up at the secondary"), _("redo queue built up")),
    number("redo_behind_s", "s", _("the time it took to write as much log as waited to be redone")),
    # Compression of the log stream.
    text("compression_now", _("whether the log stream is compressed for synchronous replicas as the server is")),
    text("baseline_choice", _("the baseline's value of the parameter"), _("value compared with (baseline)")),
    text("best_choice", _("the parameter's value in the best setting"), _("best value tried")),
    *interval(
        "gain_small_percent",
        "%",
        _("gain of compression, fewest rows per insert"),
        _("the gain of compression at the shape with the fewest rows per insert"),
        _("the lower end of the interval of that gain"),
        _("the upper end of the interval of that gain"),
    ),
    *effect(
        "effect_small",
        _("effect of compression, fewest rows per insert"),
        _("the effect of compression at the shape with the fewest rows per insert, in words"),
        told="gain_small_percent",
    ),
    *interval(
        "gain_large_percent",
        "%",
        _("gain of compression, most rows per insert"),
        _("the gain of compression at the shape with the most rows per insert"),
        _("the lower end of the interval of the gain of large inserts"),
        _("the upper end of the interval of the gain of large inserts"),
    ),
    *effect(
        "effect_large",
        _("effect of compression, most rows per insert"),
        _("the effect of compression at the shape with the most rows per insert, in words"),
        told="gain_large_percent",
    ),
    number("primary_cpu_on_percent", "%", _("the processor use of the primary with compression")),
    number("primary_cpu_off_percent", "%", _("the processor use of the primary without compression")),
    number(
        "wire_share_percent",
        "%",
        _("the bytes sent per byte of log with compression"),
        _("bytes sent per byte of log, compressed"),
    ),
)
