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
    _number("trials_needed", "count", _("the number of trials per setting that would settle the verdict")),
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
        "lock_wait_share",
        "share",
        _("the share of the agents' time spent on lock waits on the Distributor, at the largest value tried"),
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
)

FACTS: Final[dict[str, FactKind]] = {kind.name: kind for kind in _KINDS}

FactValue = float | int | str | bool
