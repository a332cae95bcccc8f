"""The facts a rule may ask for: name, type, unit and meaning, once for rules, report and documentation."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.foundation.texts import _


class FactType(StrEnum):
    """Type of a fact in the rules' expression language."""

    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"


@dataclass(frozen=True)
class FactKind:
    """One fact a rule may use."""

    name: str
    type: FactType
    unit: str
    meaning: str


def _number(name: str, unit: str, meaning: str) -> FactKind:
    return FactKind(name, FactType.NUMBER, unit, meaning)


def _text(name: str, meaning: str) -> FactKind:
    return FactKind(name, FactType.TEXT, "", meaning)


def _flag(name: str, meaning: str) -> FactKind:
    return FactKind(name, FactType.FLAG, "", meaning)


def _streams_kinds() -> tuple[FactKind, ...]:
    """Return the facts of a Streams pipeline, those of a setting once for the baseline and once for the best."""
    kinds = [
        _text("load_operation", _("whether the load inserts or updates rows")),
        _number("load_rows", "rows", _("the number of rows of the load")),
        _number("transaction_rows", "rows", _("the number of rows of each transaction of the load")),
        _number("rounding_percent", "%", _("how much the whole minutes of the run times may hide")),
        _number("apply_errors", "count", _("the number of transactions in the error queue")),
        _number("processes_not_enabled", "count", _("the number of Streams processes that are not enabled")),
        _number("long_transactions", "count", _("the number of transactions open for more than ten minutes")),
        _flag("combined_capture_apply", _("whether capture and apply are combined")),
        _number("streams_release", "", _("the release of the newer of the two databases")),
        _number("streams_pool_mb", "MB", _("the size of the smaller of the two Streams pools")),
    ]
    for side, at in (("baseline", _("at the baseline")), ("best", _("at the best setting"))):
        kinds += [
            _text(f"{side}_level", _("the parameter's value, number or word, {at}").format(at=at)),
            _text(f"bottleneck_{side}", _("which stage set the pace {at}").format(at=at)),
        ]
        kinds += [_number(name.format(side=side), unit, what.format(at=at)) for name, unit, what in _STREAMS_SIDES]
    return tuple(kinds)


_STREAMS_SIDES: Final = (
    ("run_time_{side}_s", "s", _("the run time {at}")),
    ("messages_per_min_{side}", "messages/min", _("the messages applied per minute {at}")),
    ("spilled_source_{side}", "messages", _("the messages spilled from the source queue {at}")),
    ("spilled_destination_{side}", "messages", _("the messages spilled from the destination queue {at}")),
    ("staged_{side}", "messages", _("the messages staged by the apply reader {at}")),
    ("expected_staged_{side}", "messages", _("how many messages of a transaction the threshold stages {at}")),
    ("spill_threshold_{side}", "messages", _("the TXN_LCR_SPILL_THRESHOLD in effect {at}")),
    ("apply_servers_{side}", "count", _("the PARALLELISM of the apply process in effect {at}")),
    ("source_redo_{side}_mb", "MB", _("the redo written at the source {at}")),
    ("destination_redo_{side}_mb", "MB", _("the redo written at the destination {at}")),
    ("capture_pause_{side}_percent", "%", _("the share of the run time the capture was paused {at}")),
    ("pool_{side}_percent", "%", _("the most of either Streams pool that was used {at}")),
    ("bottleneck_{side}_percent", "%", _("the share of the time that stage set the pace {at}")),
    ("reader_busy_{side}_percent", "%", _("the share of the time the apply reader worked {at}")),
    ("servers_busy_{side}_percent", "%", _("the mean share of the time an apply server worked {at}")),
    ("wait_dependency_{side}_percent", "%", _("the share of the time servers waited for another transaction {at}")),
    ("wait_commit_{side}_percent", "%", _("the share of the time servers waited for their turn to commit {at}")),
)

# Every meaning completes the sentence "not evaluated, because … is not known".
_KINDS: Final = (
    # What was compared. One set of facts is made for each family, factor and set of conditions.
    _text("factor", _("the varied parameter")),
    _number("factors_varied", "count", _("the number of parameters varied together")),
    _text("baseline_setting", _("the whole baseline setting of parameters varied together")),
    _text("best_setting", _("the whole best setting of parameters varied together")),
    _text("measure", _("the measure the settings are judged by")),
    _text("scenario", _("whether a backlog was drained or the workload was continuous")),
    _text("verdict", _("the verdict on the best setting against the baseline")),
    _flag("best_differs", _("whether the best value differs from the baseline's")),
    _flag("confirmed", _("whether fresh trials confirmed the verdict")),
    _number("baseline_value", "", _("the baseline's value of the parameter")),
    _number("best_value", "", _("the parameter's value in the best setting")),
    _number("smallest_level", "", _("the smallest value tried")),
    _number("largest_level", "", _("the largest value tried")),
    _number("gain_percent", "%", _("the improvement of the best setting over the baseline")),
    _number("gain_low_percent", "%", _("the lower end of the interval of the best setting's improvement")),
    _number("gain_high_percent", "%", _("the upper end of the interval of the best setting's improvement")),
    _number("largest_level_loss_percent", "%", _("the loss at the largest value tried against the best")),
    _number(
        "largest_level_loss_low_percent",
        "%",
        _("the lower end of the interval of the loss at the largest value tried"),
    ),
    _number("default_loss_percent", "%", _("the loss at the vendor's default against the best")),
    _number("minimum_effect_percent", "%", _("the smallest effect worth acting on")),
    _number("smallest_effect_percent", "%", _("the smallest effect these trials could have shown with 80 % power")),
    _number("trials_per_setting", "count", _("the number of trials behind the verdict, of the setting with fewer")),
    _number("fewest_trials", "count", _("the number of trials of the setting tried least often")),
    _number(
        "trials_needed",
        "count",
        _("the number of trials per setting that show a difference worth acting on, four times out of five"),
    ),
    _number(
        "trials_for_noise",
        "count",
        _("the number of trials per setting that show how much they differ by chance, where that is not known"),
    ),
    # The workload.
    _number("commands_per_transaction", "commands", _("the mean number of commands of a transaction")),
    _number("agent_pairs", "count", _("the number of publication databases run together on the Distributor")),
    # Log Reader Agent.
    _number("latency_baseline_s", "s", _("the median latency at the baseline")),
    _number("latency_best_s", "s", _("the median latency at the best setting")),
    _number("latency_largest_s", "s", _("the median latency at the largest value tried")),
    _number("batch_commands_baseline", "commands", _("the number of commands of a full read batch at the baseline")),
    _number("batch_commands_best", "commands", _("the number of commands of a full read batch at the best setting")),
    _number(
        "batch_hold_s_best",
        "s",
        _("the time a full read batch at the best setting stays invisible to the Distribution Agent"),
    ),
    _number("reader_wait_share", "share", _("the share of time the reader waited for the writer, at the baseline")),
    _number("writer_wait_share", "share", _("the share of time the writer waited for the reader, at the baseline")),
    _number(
        "lock_wait_s_per_agent_s",
        "s",
        _("the lock waits of all sessions on the Distributor for each second an agent ran, at the largest value tried"),
    ),
    _number(
        "longest_gap_s",
        "s",
        _("the longest time a Distribution Agent delivered nothing, at the largest value tried"),
    ),
    _number(
        "longest_gap_baseline_s", "s", _("the longest time a Distribution Agent delivered nothing, at the baseline")
    ),
    # Distribution Agent.
    _number("commit_batch_threshold", "commands", _("the CommitBatchThreshold in effect")),
    _number("plateau_from_value", "", _("the smallest value from which on no value differs by the smallest effect")),
    _number(
        "rollback_commands_baseline", "commands", _("the number of commands redone if a batch fails, at the baseline")
    ),
    _number(
        "rollback_commands_best",
        "commands",
        _("the number of commands redone if a batch fails, at the best setting"),
    ),
    _number("stream_fallbacks", "count", _("the number of trials in which an agent fell back to one stream")),
    _number("subscriber_cpus", "count", _("the number of logical processors of the Subscriber")),
    _number("foreign_keys", "count", _("the number of foreign keys on replicated tables at the Subscriber")),
    _number(
        "unique_nonclustered_indexes",
        "count",
        _("the number of unique nonclustered indexes on replicated tables at the Subscriber"),
    ),
    _number("indexed_views", "count", _("the number of indexed views over replicated tables at the Subscriber")),
    _number("triggers", "count", _("the number of DML triggers on replicated tables at the Subscriber")),
    _number("stream_blockers", "count", _("the number of objects at the Subscriber that can make streams fall back")),
    # Network.
    _number("rtt_ms", "ms", _("the round-trip time from Distributor to Subscriber")),
    _number("network_kbps", "kbps", _("the bandwidth from Distributor to Subscriber")),
    _number("bandwidth_use_baseline_percent", "%", _("the share of the bandwidth used at the baseline")),
    _number("bandwidth_use_best_percent", "%", _("the share of the bandwidth used at the best setting")),
    # Catching up.
    _number("backlog_commands", "commands", _("the backlog of the catch-up forecast")),
    _number("catch_up_baseline_h", "h", _("the time to deliver the backlog at the baseline")),
    _number(
        "catch_up_baseline_low_h",
        "h",
        _("the lower end of the band of the time to deliver the backlog at the baseline"),
    ),
    _number(
        "catch_up_baseline_high_h",
        "h",
        _("the upper end of the band of the time to deliver the backlog at the baseline"),
    ),
    _number("catch_up_best_h", "h", _("the time to deliver the backlog at the best setting")),
    _number(
        "catch_up_best_low_h",
        "h",
        _("the lower end of the band of the time to deliver the backlog at the best setting"),
    ),
    _number(
        "catch_up_best_high_h",
        "h",
        _("the upper end of the band of the time to deliver the backlog at the best setting"),
    ),
    # Availability groups: what a synchronous commit costs.
    _number("server_major", "", _("the major version of the primary (13 is SQL Server 2016)")),
    _number("shapes_total", "count", _("the number of workload shapes compared")),
    _number("shapes_faster", "count", _("the number of workload shapes shown to be faster")),
    _number("shapes_slower", "count", _("the number of workload shapes shown to be slower")),
    _number("shapes_undecided", "count", _("the number of workload shapes that cannot be decided yet")),
    _number("rows_small", "rows", _("the rows per insert of the shape with the fewest")),
    _number("rows_large", "rows", _("the rows per insert of the shape with the most")),
    _number("rows_worst", "rows", _("the rows per insert of the shape with the largest penalty")),
    _number("penalty_small_percent", "%", _("the penalty at the shape with the fewest rows per insert")),
    _number("penalty_small_low_percent", "%", _("the lower end of the interval of that penalty")),
    _number("penalty_small_high_percent", "%", _("the upper end of the interval of that penalty")),
    _number("penalty_small_ms", "ms", _("the penalty per insert at the shape with the fewest rows per insert")),
    _number("penalty_small_low_ms", "ms", _("the lower end of the interval of that penalty per insert")),
    _number("penalty_small_high_ms", "ms", _("the upper end of the interval of that penalty per insert")),
    _number("penalty_large_percent", "%", _("the penalty at the shape with the most rows per insert")),
    _number("penalty_large_low_percent", "%", _("the lower end of the interval of the penalty of large inserts")),
    _number("penalty_large_high_percent", "%", _("the upper end of the interval of the penalty of large inserts")),
    _number("penalty_large_ms", "ms", _("the penalty per insert at the shape with the most rows per insert")),
    _number("round_trip_ms", "ms", _("the wait of a small insert for the secondary")),
    _number(
        "penalty_large_ms_per_thousand_rows",
        "ms",
        _("the penalty per thousand rows of the shape with the most per insert"),
    ),
    _number("penalty_worst_percent", "%", _("the largest penalty of any shape")),
    _number("penalty_most_percent", "%", _("the largest penalty that any shape's interval still allows")),
    _number("standalone_async_percent", "%", _("the penalty of asynchronous commit against a standalone database")),
    _number("standalone_async_low_percent", "%", _("the lower end of the interval of that penalty")),
    _number("standalone_async_high_percent", "%", _("the upper end of the interval of that penalty")),
    _number("standalone_sync_percent", "%", _("the penalty of synchronous commit against a standalone database")),
    _number("standalone_sync_low_percent", "%", _("the lower end of the interval of that penalty")),
    _number("standalone_sync_high_percent", "%", _("the upper end of the interval of that penalty")),
    _number("commit_delay_ms", "ms", _("the mean commit delay at the shape with the fewest rows per insert")),
    _number("sync_commit_wait_share", "share", _("the share of an insert's time that is waiting for the secondary")),
    _number("flow_control_percent", "%", _("the largest share of time the log stream was under flow control")),
    _number("redo_queue_mb", "MB", _("the redo queue of the secondary where it was longest")),
    _number("redo_behind_s", "s", _("the time it took to write as much log as waited to be redone")),
    # Compression of the log stream.
    _text("compression_now", _("whether the log stream is compressed for synchronous replicas as the server is")),
    _text("baseline_choice", _("the baseline's value of the parameter")),
    _text("best_choice", _("the parameter's value in the best setting")),
    _number("gain_small_percent", "%", _("the gain of compression at the shape with the fewest rows per insert")),
    _number("gain_small_low_percent", "%", _("the lower end of the interval of that gain")),
    _number("gain_small_high_percent", "%", _("the upper end of the interval of that gain")),
    _number("gain_large_percent", "%", _("the gain of compression at the shape with the most rows per insert")),
    _number("gain_large_low_percent", "%", _("the lower end of the interval of the gain of large inserts")),
    _number("gain_large_high_percent", "%", _("the upper end of the interval of the gain of large inserts")),
    _number("primary_cpu_on_percent", "%", _("the processor use of the primary with compression")),
    _number("primary_cpu_off_percent", "%", _("the processor use of the primary without compression")),
    _number("wire_share_percent", "%", _("the bytes sent per byte of log with compression")),
    # Seeding a replica.
    _number("seeded_mb", "MB", _("the size of the database that was seeded")),
    _number("primary_cpus", "count", _("the number of logical processors of the primary")),
    _number("link_mbps", "Mbps", _("the bandwidth between the replicas")),
    _number("times_as_fast", "", _("how many times as fast the better method was")),
    _number("best_s", "s", _("the time of the best way to seed")),
    _number("backup_s", "s", _("the time of backup, restore and join")),
    _number("fastest_backup_s", "s", _("the time of backup and restore with the best of the options tried")),
    _number("direct_s", "s", _("the time of direct seeding")),
    _number("compressed_s", "s", _("the time of compressed direct seeding")),
    _number("backup_h_per_tb", "h", _("the time a terabyte would take by backup and restore")),
    _number("direct_h_per_tb", "h", _("the time a terabyte would take by direct seeding")),
    _number("network_backup_mbps", "Mbps", _("the network use while backups were read")),
    _number("network_direct_mbps", "Mbps", _("the network use of direct seeding")),
    _number("network_compressed_mbps", "Mbps", _("the network use of compressed direct seeding")),
    _number("network_saved_percent", "%", _("the network use that compression of direct seeding saved")),
    _number("link_use_percent", "%", _("the share of the bandwidth direct seeding used")),
    _number("primary_cpu_backup_percent", "%", _("the processor use of the primary during backup and restore")),
    _number("primary_cpu_direct_percent", "%", _("the processor use of the primary during direct seeding")),
    _number("primary_cpu_compressed_percent", "%", _("the processor use of the primary during compressed seeding")),
    _number("secondary_cpu_backup_percent", "%", _("the processor use of the secondary during backup and restore")),
    _number("secondary_cpu_direct_percent", "%", _("the processor use of the secondary during direct seeding")),
    _number("secondary_cpu_compressed_percent", "%", _("the processor use of the secondary in compressed seeding")),
    _text("compression_verdict", _("the verdict on compressed direct seeding against the uncompressed one")),
    _number("compression_gain_percent", "%", _("the gain of compression in direct seeding")),
    _number("compression_gain_low_percent", "%", _("the lower end of the interval of that gain of compression")),
    _number("compression_gain_high_percent", "%", _("the upper end of the interval of that gain of compression")),
    _number(
        "compression_trials_needed",
        "count",
        _("the number of trials that show a gain of compression worth acting on, four times out of five"),
    ),
    _number(
        "compression_trials_for_noise",
        "count",
        _("the number of trials that show how much seedings differ by chance, where that is not known"),
    ),
    _number("compression_cores", "", _("the processors that compression of direct seeding took in addition")),
    _number("sent_share_percent", "%", _("the bytes sent per byte of the database with compression of direct seeding")),
    _flag("compression_was_on", _("whether fewer bytes were sent with compression, so that it was really on")),
    _number("sent_by_rate_mb", "MB", _("the amount that the network use of direct seeding amounts to over its time")),
    _number("sent_by_rate_percent", "%", _("that amount as a share of the size of the database")),
    _number("log_growth_percent", "%", _("the share of the log that filled while it could not be truncated")),
    _number("redo_mb_per_s", "MB/s", _("the redo rate of the secondary")),
    _number("redo_threads", "count", _("the number of parallel redo threads")),
    _number("catch_up_s", "s", _("the time until the secondary had redone what was written meanwhile")),
    # Oracle Streams.
    *_streams_kinds(),
    # What was observed without an experiment.
    _text("observed_agent", _("which agent was observed")),
    _number("observed_h", "h", _("the hours of history looked at")),
    _number("observed_mean_per_s", "commands/s", _("the mean rate over the hours looked at")),
    _number("observed_busiest_per_s", "commands/s", _("the mean rate of the busiest hour")),
    _number("observed_worst_latency_s", "s", _("the longest latency in the agent's history")),
    _number("observed_problems", "count", _("the number of retries and failures in the agent's history")),
    _number("pending_commands", "commands", _("the commands waiting in the distribution database now")),
    _number("read_batch_size_now", "transactions", _("the ReadBatchSize in effect")),
    _number("commit_batch_size_now", "transactions", _("the CommitBatchSize in effect")),
    _number("subscription_streams_now", "count", _("the SubscriptionStreams in effect")),
    _number("polling_interval_s", "s", _("the PollingInterval in effect")),
    _number("history_verbose_level", "count", _("the HistoryVerboseLevel in effect")),
    _number("max_cmds_in_tran", "commands", _("the MaxCmdsInTran in effect")),
    _text("skipped_errors", _("which errors the agent skips")),
)

FACTS: Final[dict[str, FactKind]] = {kind.name: kind for kind in _KINDS}

FactValue = float | int | str | bool
