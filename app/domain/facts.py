"""The facts a rule may ask for: name, type, unit and meaning, once for rules, report and documentation."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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


_KINDS: Final = (
    # What was compared. One set of facts is made for each family, factor and set of conditions.
    _text("factor", "the varied parameter"),
    _text("scenario", "drained or continuous"),
    _text("verdict", "of best against baseline: improvement, worse, no_difference or cannot_tell"),
    FactKind("best_differs", FactType.FLAG, "", "the best setting is not the baseline"),
    FactKind("confirmed", FactType.FLAG, "", "the verdict comes from fresh confirmation trials"),
    _number("baseline_value", "", "the factor's value every claim is made against"),
    _number("best_value", "", "the factor's value with the best mean"),
    _number("smallest_level", "", "smallest value tried"),
    _number("largest_level", "", "largest value tried"),
    _number("gain_percent", "%", "improvement of the main measure, best against baseline; negative is a loss"),
    _number("gain_low_percent", "%", "lower end of its simultaneous 95 % interval"),
    _number("gain_high_percent", "%", "upper end of its simultaneous 95 % interval"),
    _number("largest_level_loss_percent", "%", "loss of the main measure at the largest level against the best"),
    _number("largest_level_loss_low_percent", "%", "lower end of its simultaneous 95 % interval"),
    _number("default_loss_percent", "%", "loss of the main measure at the vendor's default against the best"),
    _number("minimum_effect_percent", "%", "smallest effect worth acting on, from the plan"),
    _number("smallest_effect_percent", "%", "smallest effect these trials could have shown with 80 % power"),
    _number("trials_per_setting", "count", "fewest trials behind either side"),
    _number("trials_needed", "count", "trials per setting that would settle it; 0 when settled"),
    # The workload.
    _number("commands_per_transaction", "commands", "mean commands of one transaction"),
    _number("agent_pairs", "count", "publication databases with agents of their own run together on the Distributor"),
    # Log Reader Agent.
    _number("latency_baseline_s", "s", "median latency of the measured leg at the baseline"),
    _number("latency_best_s", "s", "median latency of the measured leg at the best setting"),
    _number("batch_commands_baseline", "commands", "commands one read batch holds at the baseline"),
    _number("batch_commands_best", "commands", "commands one read batch holds at the best setting"),
    _number("batch_hold_s_best", "s", "time one batch at the best setting stays invisible to the Distribution Agent"),
    _number("reader_wait_share", "share", "share of the agent's time the reader waited for the writer, baseline"),
    _number("writer_wait_share", "share", "share of the agent's time the writer waited for the reader, baseline"),
    _number("lock_wait_share", "share", "lock waits on the Distributor per agent second, at the largest level"),
    _number("longest_gap_s", "s", "longest time without a delivery at the largest level, any Distribution Agent"),
    _number("longest_gap_baseline_s", "s", "longest time without a delivery at the baseline, any Distribution Agent"),
    # Distribution Agent.
    _number("commit_batch_threshold", "commands", "CommitBatchThreshold in effect"),
    _number("plateau_from_value", "", "smallest level above which no level differs by the minimum effect"),
    _number("rollback_commands_baseline", "commands", "commands redone if a batch fails, at the baseline"),
    _number("rollback_commands_best", "commands", "commands redone if a batch fails, at the best setting"),
    _number("stream_fallbacks", "count", "trials with several streams in which the agent fell back to one"),
    _number("subscriber_cpus", "count", "logical processors of the Subscriber"),
    _number("foreign_keys", "count", "foreign keys on replicated tables at the Subscriber"),
    _number("unique_nonclustered_indexes", "count", "unique nonclustered indexes on replicated tables"),
    _number("indexed_views", "count", "indexed views over replicated tables at the Subscriber"),
    _number("triggers", "count", "DML triggers on replicated tables at the Subscriber"),
    _number("stream_blockers", "count", "all four kinds of these objects together"),
    # Network.
    _number("rtt_ms", "ms", "round-trip time from Distributor to Subscriber"),
    _number("network_kbps", "kbps", "bandwidth from Distributor to Subscriber"),
    _number("bandwidth_use_baseline_percent", "%", "share of the bandwidth used at the baseline"),
    _number("bandwidth_use_best_percent", "%", "share of the bandwidth used at the best setting"),
    # Catching up.
    _number("backlog_commands", "commands", "backlog of the catch-up forecast"),
    _number("catch_up_baseline_h", "h", "time to deliver that backlog at the baseline"),
    _number("catch_up_best_h", "h", "time to deliver that backlog at the best setting"),
    _number("catch_up_best_low_h", "h", "lower end of its 95 % band"),
    _number("catch_up_best_high_h", "h", "upper end of its 95 % band"),
)

FACTS: Final[dict[str, FactKind]] = {kind.name: kind for kind in _KINDS}

FactValue = float | int | str | bool
