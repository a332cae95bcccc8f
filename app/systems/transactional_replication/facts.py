"""Facts of replication agents: their workload, their work in trials, and observations of them."""

from typing import Final

from app.domain.fact_kind import number, text
from app.foundation.texts import _
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.server.documented import PARAMETERS

AGENT_FACTS: Final = (
    text(
        "scenario",
        _("whether a backlog was drained or the workload was continuous"),
        words=tuple(scenario.value for scenario in Scenario),
    ),
    # The workload.
    number(
        "commands_per_transaction",
        "commands",
        _("the mean number of commands of a transaction"),
        _("commands per transaction"),
    ),
    number("agent_pairs", "count", _("the number of publication databases run together on the Distributor")),
    # Log Reader Agent.
    number("latency_baseline_s", "s", _("the median latency at the baseline")),
    number("latency_best_s", "s", _("the median latency at the best setting")),
    number("latency_largest_s", "s", _("the median latency at the largest value tried")),
    number("latency_baseline_low_s", "s", _("the lowest latency of a trial at the baseline")),
    number("latency_baseline_high_s", "s", _("the highest latency of a trial at the baseline")),
    number("latency_best_low_s", "s", _("the lowest latency of a trial at the best setting")),
    number("latency_best_high_s", "s", _("the highest latency of a trial at the best setting")),
    number("latency_largest_low_s", "s", _("the lowest latency of a trial at the largest value tried")),
    number("latency_largest_high_s", "s", _("the highest latency of a trial at the largest value tried")),
    number(
        "batch_commands_baseline",
        "commands",
        _("the number of commands of a full read batch at the baseline"),
        _("commands of a full batch, baseline"),
    ),
    number(
        "batch_commands_best",
        "commands",
        _("the number of commands of a full read batch at the best setting"),
        _("commands of a full batch, best value"),
    ),
    number(
        "batch_hold_s_best",
        "s",
        _("the time a full read batch at the best setting stays invisible to the Distribution Agent"),
        _("a full batch stays invisible for, best value"),
    ),
    number(
        "reader_wait_share",
        "share",
        _("the share of time the reader waited for the writer, at the baseline"),
        _("reader waited for the writer, share of time"),
    ),
    number(
        "writer_wait_share",
        "share",
        _("the share of time the writer waited for the reader, at the baseline"),
        _("writer waited for the reader, share of time"),
    ),
    number(
        "lock_wait_s_per_agent_s",
        "s",
        _("the lock waits of all sessions on the Distributor for each second an agent ran, at the largest value tried"),
        _("lock waits of all sessions, for each second an agent ran"),
    ),
    number(
        "longest_gap_s",
        "s",
        _("the longest time a Distribution Agent delivered nothing, at the largest value tried"),
        _("longest time without a delivery"),
    ),
    number(
        "longest_gap_baseline_s",
        "s",
        _("the longest time a Distribution Agent delivered nothing, at the baseline"),
        _("longest time without a delivery, baseline"),
    ),
    # Distribution Agent.
    number(
        "rollback_commands_baseline",
        "commands",
        _("the number of commands redone if a batch fails, at the baseline"),
        _("redone after a failure, baseline"),
    ),
    number(
        "rollback_commands_best",
        "commands",
        _("the number of commands redone if a batch fails, at the best setting"),
        _("redone after a failure, best value"),
    ),
    number("stream_fallbacks", "count", _("the number of trials in which an agent fell back to one stream")),
    number("stream_trials", "count", _("the number of trials with several streams")),
    number(
        "best_fallbacks",
        "count",
        _("the number of trials of the best setting in which an agent fell back to one stream"),
        _("fall-backs of the best setting, trials"),
    ),
    number(
        "best_stream_trials",
        "count",
        _("the number of trials of the best setting, where it has several streams"),
        _("trials of the best setting"),
    ),
    number(
        "best_fallback_low_percent",
        "%",
        _("the lower end of the 95 % interval of the share of deliveries that fall back at the best setting"),
        _("share of fall-backs, lower end"),
    ),
    number(
        "best_fallback_high_percent",
        "%",
        _("the upper end of the 95 % interval of the share of deliveries that fall back at the best setting"),
        _("share of fall-backs, upper end"),
    ),
    number(
        "gain_without_fallbacks_percent",
        "%",
        _("the improvement of the best setting over the baseline in the blocks without a fall-back"),
        _("gain over the baseline without fall-backs"),
    ),
    number(
        "subscriber_cpus",
        "count",
        _("the number of logical processors of the Subscriber"),
        _("logical processors of the Subscriber"),
    ),
    number("foreign_keys", "count", _("the number of foreign keys on replicated tables at the Subscriber")),
    number(
        "unique_nonclustered_indexes",
        "count",
        _("the number of unique nonclustered indexes on replicated tables at the Subscriber"),
    ),
    number("indexed_views", "count", _("the number of indexed views over replicated tables at the Subscriber")),
    number("triggers", "count", _("the number of DML triggers on replicated tables at the Subscriber")),
    number(
        "stream_blockers",
        "count",
        _("the number of objects at the Subscriber that can make streams fall back"),
        _("objects that may block streams"),
    ),
    # Network.
    number("rtt_ms", "ms", _("the round-trip time from Distributor to Subscriber"), _("round-trip time of the link")),
    number("network_kbps", "kbps", _("the bandwidth from Distributor to Subscriber"), _("bandwidth of the link")),
    number(
        "bandwidth_use_baseline_percent",
        "%",
        _("the share of the bandwidth used at the baseline"),
        _("bandwidth used at the baseline"),
    ),
    number(
        "bandwidth_use_best_percent",
        "%",
        _("the share of the bandwidth used at the best setting"),
        _("bandwidth used at the best value"),
    ),
    number("command_bytes", "bytes", _("the mean size of a stored command"), _("size of a stored command")),
    # Catching up.
    number("backlog_commands", "commands", _("the backlog of the catch-up forecast"), _("backlog")),
    number(
        "catch_up_baseline_h",
        "h",
        _("the time to deliver the backlog at the baseline"),
        _("time to catch up, baseline"),
    ),
    number(
        "catch_up_baseline_low_h",
        "h",
        _("the lower end of the band of the time to deliver the backlog at the baseline"),
        _("the same, short end of the 95 % band"),
    ),
    number(
        "catch_up_baseline_high_h",
        "h",
        _("the upper end of the band of the time to deliver the backlog at the baseline"),
        _("the same, long end of the 95 % band"),
    ),
    number(
        "catch_up_best_h",
        "h",
        _("the time to deliver the backlog at the best setting"),
        _("time to catch up, best value"),
    ),
    number(
        "catch_up_best_low_h",
        "h",
        _("the lower end of the band of the time to deliver the backlog at the best setting"),
        _("the same, short end of the 95 % band"),
    ),
    number(
        "catch_up_best_high_h",
        "h",
        _("the upper end of the band of the time to deliver the backlog at the best setting"),
        _("the same, long end of the 95 % band"),
    ),
)

OBSERVED_FACTS: Final = (
    text("observed_agent", _("which agent was observed")),
    number("observed_h", "h", _("the hours of history read")),
    number("observed_mean_per_s", "commands/s", _("the mean rate over the hours read")),
    number("observed_busiest_per_s", "commands/s", _("the mean rate of the busiest hour")),
    number("observed_worst_latency_s", "s", _("the longest latency in the agent's history")),
    number("observed_problems", "count", _("the number of retries and failures in the agent's history")),
    text("pending_now", _("how many commands wait in the distribution database now")),
    *(
        number(
            parameter.fact,
            "count" if parameter.unit in ("", "connections") else parameter.unit,
            _("the {parameter} in effect").format(parameter=parameter.name),
        )
        for parameter in {parameter.fact: parameter for parameter in PARAMETERS if parameter.fact}.values()
    ),
    text("skipped_errors", _("which errors the agent skips")),
    text("observed_state", _("whether the agent's job runs now: running, retrying or stopped")),
    number("pending_at_least", "commands", _("how many commands wait for the agent at least; counting ends somewhere")),
    text("unreached_subscriber", _("the agent's Subscriber where it was not reached")),
)
"""What was observed without an experiment."""
