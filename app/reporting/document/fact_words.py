"""The facts a rule looked at, in words: title, value and unit of each."""

import re
from typing import Final

from app.domain.comparison import Verdict
from app.domain.facts import FACTS
from app.domain.finding import Finding
from app.domain.setting import Value
from app.foundation.texts import _, local_number
from app.reporting.document.numbers import percent, quantity
from app.reporting.document.wording import verdict_word
from app.systems.oracle_streams.hand_over.words import streams_fact_title

_UNIT_SUFFIX: Final = re.compile(r"_(percent|share|ms|kbps|s|h)$")
_INTERVAL_END: Final = re.compile(r"(?P<start>.+)_(?P<end>low|high)_(?P<unit>percent|ms)")
# Facts that the page shows by themselves, or that only tell the rule whether it may speak.
_HIDDEN: Final = frozenset({"factor", "verdict", "best_differs"})

_GAINS: Final = frozenset({"gain_percent", "gain_low_percent", "gain_high_percent"})
_TIMES_FROM_PERCENT: Final = 100  # as in the texts of rules


def shown_facts(finding: Finding, is_judged: bool) -> tuple[tuple[str, Value | bool, str], ...]:
    """Return the facts of a finding that a reader should see: name, value, unit.

    The gain is left out where a verdict with its interval stands above (`is_judged`).
    """
    hidden = _HIDDEN | _GAINS if is_judged else _HIDDEN
    return tuple(fact for fact in finding.facts if fact[0] not in hidden and fact[:2] != ("factors_varied", 1))


def fact_title(name: str) -> str:
    """Return what a fact is, in words; of one that has none its name. Its unit stands beside its value."""
    titles = {
        "baseline_value": _("value compared with (baseline)"),
        "best_value": _("best value tried"),
        "smallest_level": _("smallest value tried"),
        "largest_level": _("largest value tried"),
        "baseline_setting": _("setting compared with (baseline)"),
        "best_setting": _("best setting tried"),
        "gain_percent": _("gain over the baseline"),
        "gain_low_percent": _("gain, lower end of the 95 % interval"),
        "gain_high_percent": _("gain, upper end of the 95 % interval"),
        "minimum_effect_percent": _("smallest gain worth acting on"),
        "smallest_effect_percent": _("smallest change these trials could show"),
        "trials_per_setting": _("trials of each setting, at least"),
        "fewest_trials": _("trials of the setting tried least"),
        "trials_needed": _("trials of each setting needed"),
        "trials_for_noise": _("trials of each setting needed to learn the noise"),
        "factors_varied": _("parameters varied together"),
        "confirmed": _("confirmed by fresh trials"),
        "measure": _("judged by"),
        "largest_level_loss_percent": _("loss at the largest value"),
        "largest_level_loss_low_percent": _("that loss, lower end of the 95 % interval"),
        "default_loss_percent": _("loss at the vendor's default"),
        "plateau_from_value": _("no difference from this value on"),
        "threshold_transactions": _("transactions that reach the threshold"),
        "lock_wait_s_per_agent_s": _("lock waits of all sessions, for each second an agent ran"),
        "reader_wait_share": _("reader waited for the writer, share of time"),
        "writer_wait_share": _("writer waited for the reader, share of time"),
        "longest_gap_s": _("longest time without a delivery"),
        "longest_gap_baseline_s": _("longest time without a delivery, baseline"),
        "standalone_sync_percent": _("penalty of synchronous commit against no group"),
        "standalone_async_percent": _("penalty of asynchronous commit against no group"),
        "server_major": _("major version of the server"),
        "baseline_choice": _("value compared with (baseline)"),
        "best_choice": _("best value tried"),
        "rows_small": _("fewest rows per insert"),
        "rows_large": _("most rows per insert"),
        "rows_worst": _("rows per insert with the largest penalty"),
        "penalty_small_percent": _("penalty, fewest rows per insert"),
        "penalty_small_ms": _("penalty per insert, fewest rows per insert"),
        "penalty_large_percent": _("penalty, most rows per insert"),
        "penalty_large_ms": _("penalty per insert, most rows per insert"),
        "round_trip_ms": _("wait of a small insert for the secondary"),
        "penalty_large_ms_per_thousand_rows": _("penalty per thousand rows, most rows per insert"),
        "gain_small_percent": _("gain of compression, fewest rows per insert"),
        "gain_large_percent": _("gain of compression, most rows per insert"),
        "wire_share_percent": _("bytes sent per byte of log, compressed"),
        "commands_per_transaction": _("commands per transaction"),
        "rtt_ms": _("round-trip time of the link"),
        "network_kbps": _("bandwidth of the link"),
        "bandwidth_use_baseline_percent": _("bandwidth used at the baseline"),
        "bandwidth_use_best_percent": _("bandwidth used at the best value"),
        "batch_commands_baseline": _("commands of a full batch, baseline"),
        "batch_commands_best": _("commands of a full batch, best value"),
        "batch_hold_s_best": _("a full batch stays invisible for, best value"),
        "rollback_commands_baseline": _("redone after a failure, baseline"),
        "rollback_commands_best": _("redone after a failure, best value"),
        "subscriber_cpus": _("logical processors of the Subscriber"),
        "seeded_mb": _("size of the database"),
        "link_mbps": _("bandwidth between the replicas"),
        "link_use_percent": _("bandwidth used by direct seeding"),
        "times_as_fast": _("times as fast"),
        "best_s": _("the best way"),
        "backup_s": _("backup, restore and join"),
        "fastest_backup_s": _("backup, restore and join, best options"),
        "direct_s": _("direct seeding"),
        "compressed_s": _("compressed direct seeding"),
        "backup_h_per_tb": _("a terabyte, backup and restore"),
        "direct_h_per_tb": _("a terabyte, direct seeding"),
        "network_backup_mbps": _("network, backups being read"),
        "network_direct_mbps": _("network, direct seeding"),
        "network_compressed_mbps": _("network, compressed seeding"),
        "network_saved_percent": _("network saved by compression"),
        "primary_cpu_backup_percent": _("processors of the primary, backup"),
        "primary_cpu_direct_percent": _("processors of the primary, direct seeding"),
        "primary_cpu_compressed_percent": _("processors of the primary, compressed seeding"),
        "secondary_cpu_direct_percent": _("processors of the secondary, direct seeding"),
        "primary_cpus": _("logical processors of the primary"),
        "compression_verdict": _("verdict on compression"),
        "compression_was_on": _("the stream was compressed, by bytes"),
        "compression_gain_percent": _("gain of compression"),
        "compression_trials_needed": _("trials of each needed to judge compression"),
        "compression_trials_for_noise": _("trials of each needed to learn the noise"),
        "compression_cores": _("processors compression took"),
        "sent_share_percent": _("bytes sent per byte of the database, compressed"),
        "sent_by_rate_mb": _("network use × time"),
        "sent_by_rate_percent": _("network use × time, of the database's size"),
        "log_growth_percent": _("log filled meanwhile"),
        "redo_queue_mb": _("longest redo queue"),
        "redo_mb_per_s": _("redo rate"),
        "redo_to_do_s": _("redo still to do"),
        "redo_threads": _("parallel redo threads"),
        "catch_up_s": _("until that was redone"),
        "stream_blockers": _("objects that may block streams"),
        "backlog_commands": _("backlog"),
        "catch_up_baseline_h": _("time to catch up, baseline"),
        "catch_up_baseline_low_h": _("the same, short end of the 95 % band"),
        "catch_up_baseline_high_h": _("the same, long end of the 95 % band"),
        "catch_up_best_h": _("time to catch up, best value"),
        "catch_up_best_low_h": _("the same, short end of the 95 % band "),
        "catch_up_best_high_h": _("the same, long end of the 95 % band "),
    }
    end = _INTERVAL_END.fullmatch(name)
    base = titles.get(f"{end['start']}_{end['unit']}") if end else None
    if end and base and name not in titles:
        text = _("{fact}, lower end") if end["end"] == "low" else _("{fact}, upper end")
        return text.format(fact=base)
    known = titles.get(name) or streams_fact_title(name) or (FACTS[name].meaning if name in FACTS else "")
    return (known or _UNIT_SUFFIX.sub("", name).replace("_", " ")).strip()


def fact_value(name: str, value: Value | bool, unit: str) -> str:
    """Return a fact's value with its unit; a percentage with as many digits as everywhere in the report."""
    if name in _GAINS and isinstance(value, int | float) and value >= _TIMES_FROM_PERCENT:
        return _("{times} times as good").format(times=local_number(f"{1 + value / 100:.1f}"))
    if name.endswith("verdict") and value in set(Verdict):
        return verdict_word(Verdict(str(value)))
    if unit == "%" and isinstance(value, int | float):
        shown = percent(value / 100)
        return f"−{shown}" if value < 0 and shown != percent(0) else shown
    if unit == "h" and isinstance(value, int | float):
        return quantity(round(float(value), 1), unit)
    if unit == "" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.10g}"  # a parameter's value, as it is typed
    return quantity(value, unit)
