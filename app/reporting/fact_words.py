"""The facts a rule looked at, in words: title, value and unit of each."""

import re
from typing import Final

from app.domain.finding import Finding
from app.domain.setting import Value
from app.foundation.texts import _
from app.reporting.numbers import percent, quantity

_UNIT_SUFFIX: Final = re.compile(r"_(percent|share|ms|kbps|s|h)$")
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
        "baseline_value": _("value now (baseline)"),
        "best_value": _("best value tried"),
        "smallest_level": _("smallest value tried"),
        "largest_level": _("largest value tried"),
        "baseline_setting": _("setting now (baseline)"),
        "best_setting": _("best setting tried"),
        "gain_percent": _("gain over the baseline"),
        "gain_low_percent": _("gain, lower end of the 95 % interval"),
        "gain_high_percent": _("gain, upper end of the 95 % interval"),
        "minimum_effect_percent": _("smallest gain worth acting on"),
        "smallest_effect_percent": _("smallest change these trials could show"),
        "trials_per_setting": _("trials of each setting, at least"),
        "fewest_trials": _("trials of the setting tried least"),
        "trials_needed": _("trials of each setting needed"),
        "factors_varied": _("parameters varied together"),
        "confirmed": _("confirmed by fresh trials"),
        "measure": _("judged by"),
        "largest_level_loss_percent": _("loss at the largest value"),
        "largest_level_loss_low_percent": _("that loss, lower end of the 95 % interval"),
        "default_loss_percent": _("loss at the vendor's default"),
        "plateau_from_value": _("no difference from this value on"),
        "threshold_transactions": _("transactions that reach the threshold"),
        "lock_wait_share": _("lock waits, share of the agents' time"),
        "reader_wait_share": _("reader waited for the writer, share of time"),
        "writer_wait_share": _("writer waited for the reader, share of time"),
        "longest_gap_s": _("longest time without a delivery"),
        "longest_gap_baseline_s": _("longest time without a delivery, baseline"),
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
        "stream_blockers": _("objects that may block streams"),
        "backlog_commands": _("backlog"),
        "catch_up_baseline_h": _("time to catch up, baseline"),
        "catch_up_baseline_low_h": _("the same, short end of the 95 % band"),
        "catch_up_baseline_high_h": _("the same, long end of the 95 % band"),
        "catch_up_best_h": _("time to catch up, best value"),
        "catch_up_best_low_h": _("the same, short end of the 95 % band "),
        "catch_up_best_high_h": _("the same, long end of the 95 % band "),
    }
    return (titles.get(name) or _UNIT_SUFFIX.sub("", name).replace("_", " ")).strip()


def fact_value(name: str, value: Value | bool, unit: str) -> str:
    """Return a fact's value with its unit; a percentage with as many digits as everywhere in the report."""
    if name in _GAINS and isinstance(value, int | float) and value >= _TIMES_FROM_PERCENT:
        return _("{times} times as good").format(times=f"{1 + value / 100:.1f}")
    if unit == "%" and isinstance(value, int | float):
        sign = "−" if value < 0 else ""
        return sign + percent(value / 100)
    if unit == "h" and isinstance(value, int | float):
        return quantity(round(float(value), 1), unit)
    if unit == "" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.10g}"  # a parameter's value, as it is typed
    return quantity(value, unit)
