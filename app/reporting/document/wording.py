"""Words for verdicts, effects, settings and trials, the same in every section."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.finding import Finding
from app.domain.load import Load, load_text
from app.domain.measurement import Metric
from app.domain.plan import Phase
from app.domain.setting import Setting, Value
from app.foundation.texts import _, local_number
from app.reporting.document.numbers import number, percent
from app.reporting.request import FamilyTexts

_TIMES_FROM: Final = 2.0  # "7.7 times as high" reads better than "672 % higher"
# A list of a million names of runs is a book, not evidence.
MOST_RANGES: Final = 40

_TRIAL: Final = re.compile(r"^(.*?)(\d+)$")


def lead_word(verdict: Verdict) -> str:
    """Return what exploring trials suggest: they choose what is confirmed, and claim nothing."""
    words = {
        Verdict.IMPROVEMENT: _("Lead: better"),
        Verdict.WORSE: _("Lead: worse"),
        Verdict.NO_DIFFERENCE: _("Lead: no difference"),
        Verdict.CANNOT_TELL: _("Open"),
    }
    return words[verdict]


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict in words."""
    words = {
        Verdict.IMPROVEMENT: _("Improvement shown"),
        Verdict.WORSE: _("Worse"),
        Verdict.NO_DIFFERENCE: _("No difference shown"),
        Verdict.CANNOT_TELL: _("Cannot tell yet"),
    }
    return words[verdict]


def claim_word(comparison: Comparison) -> str:
    """Return a verdict in words, with what is missing to a claim where no fresh trials confirm a difference."""
    words = {
        Verdict.IMPROVEMENT: _("Improvement, not confirmed"),
        Verdict.WORSE: _("Worse, not confirmed"),
    }
    unconfirmed = words.get(comparison.verdict) if comparison.phase is not Phase.CONFIRM else None
    return unconfirmed or verdict_word(comparison.verdict)


def origin_word(origin: str) -> str:
    """Return where the value of a parameter comes from, in words."""
    words = {
        "job step": _("job step"),
        "profile": _("profile"),
        "subscription": _("subscription"),
        "default": _("default"),
        "user": _("set explicitly"),
        "not shown": _("not shown"),
    }
    return words.get(origin, origin)


def setting_text(setting: Setting) -> str:
    """Return a setting as a person writes it, "–" for an empty one."""
    return ", ".join(f"{name} {plain(value)}" for name, value in setting.items()) or "–"


def plain(value: Value) -> str:
    """Return a parameter's value as it is typed: without separators."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def against_text(comparison: Comparison) -> str:
    """Return what is compared: "SubscriptionStreams 8 against 1"; what is equal on both sides is named once."""
    parts = []
    for name, value in comparison.candidate.items():
        other = comparison.reference.get(name)
        if other is None or other == value:
            parts.append(f"{name} {plain(value)}")
        else:
            parts.append(_("{name} {value} against {other}").format(name=name, value=plain(value), other=plain(other)))
    return ", ".join(parts) or "–"


def common_factor(comparisons: Sequence[Comparison]) -> str:
    """Return the parameter that all these comparisons vary, "" where they differ or vary several."""
    names = {tuple(comparison.candidate) for comparison in comparisons}
    names |= {tuple(comparison.reference) for comparison in comparisons}
    only = names.pop() if len(names) == 1 else ()
    return only[0] if len(only) == 1 else ""


def values_text(comparison: Comparison, factor: str) -> str:
    """Return the two values of a factor that are compared: "8 against 1"."""
    return _("{value} against {other}").format(
        value=plain(comparison.candidate[factor]), other=plain(comparison.reference[factor])
    )


def text_of_one(condition: str, value: Value) -> str:
    """Return how a condition of a single one is told, "" for any other value or condition."""
    texts = {
        "commands_per_transaction": _("1 command for each transaction"),
        "inserts": _("1 insert"),
        "rows_per_insert": _("1 row per insert"),
        "rows": _("1 row"),
        "rows_per_commit": _("1 row per commit"),
    }
    return texts.get(condition, "") if value == 1 else ""


def conditions_text(conditions: Setting) -> str:
    """Return the conditions of a comparison in words."""
    known = {
        "commands_per_transaction": _("{value} commands for each transaction"),
        "network_kbps": _("{value} kbps"),
        "rtt_ms": _("{value} ms round trip"),
        "agent_pairs": _("{value} agent pairs at once"),
        "scenario": _("{value} workload"),
        "inserts": _("{value} inserts"),
        "rows_per_insert": _("{value} rows per insert"),
        "server_version": _("SQL Server {value}"),
        "database_mb": _("{value} MB database"),
        "link_mbps": _("{value} Mbps between the replicas"),
        "operation": _("operation {value}"),
        "rows": _("{value} rows"),
        "rows_per_commit": _("{value} rows per commit"),
    }
    scenarios = {"drained": _("drained"), "continuous": _("continuous")}
    parts = [
        (text_of_one(name, value) or known.get(name, name.replace("_", " ") + " {value}")).format(
            value=scenarios.get(str(value)) or number(value)
        )
        for name, value in conditions.items()
        if not (name == "agent_pairs" and value == 1)
    ]
    return ", ".join(parts) or "–"


def change_text(ratio: float) -> str:
    """Return a ratio as a change: 0.82 as "18 % lower", 7.7 as "7.7 times as high"."""
    change = ratio - 1
    if not math.isfinite(change):
        return _("unlimited")
    if percent(change) == percent(0):
        return _("the same")
    if ratio >= _TIMES_FROM:
        return _("{times} times as high").format(times=_times(ratio))
    return (_("{amount} lower") if change < 0 else _("{amount} higher")).format(amount=percent(change))


def interval_text(low: float, high: float) -> str:
    """Return the interval of a ratio as changes: (0.78, 0.86) as "14 % to 22 % lower"."""
    if low <= 0 or not math.isfinite(high):
        return _("no interval can be given")
    if high < 1:
        return _("{small} to {large} lower").format(small=percent(1 - high), large=percent(1 - low))
    if low >= _TIMES_FROM:
        return _("{small} to {large} times as high").format(small=_times(low), large=_times(high))
    if low > 1:
        return _("{small} to {large} higher").format(small=percent(low - 1), large=percent(high - 1))
    return _("{lower} lower to {higher} higher").format(lower=percent(1 - low), higher=percent(high - 1))


def _times(ratio: float) -> str:
    return local_number(f"{ratio:.1f}")


def effect_text(comparison: Comparison, metric_title: str) -> str:
    """Return what a comparison shows in one sentence with its interval and sample sizes."""
    sizes = trials_of_both(comparison)
    if comparison.low <= 0 or not math.isfinite(comparison.high):
        return _("{metric} {change}; no interval can be given from {sizes}.").format(
            metric=metric_title, change=change_text(comparison.ratio), sizes=sizes
        )
    return _("{metric} {change} (95 % interval: {interval}; {sizes}).").format(
        metric=metric_title,
        change=change_text(comparison.ratio),
        interval=interval_text(comparison.low, comparison.high),
        sizes=sizes,
    )


def trials_of_both(comparison: Comparison) -> str:
    """Return the sample sizes of both sides."""
    return _("{reference} against {candidate} trials").format(
        reference=len(comparison.reference_trials), candidate=len(comparison.candidate_trials)
    )


def change_of(finding: Finding) -> str:
    """Return the recommended change of a parameter, "" where nothing is to be changed."""
    if not finding.parameter or finding.to_value is None:
        return ""
    if finding.from_value is None:
        return f"{finding.parameter} → {plain(finding.to_value)}"
    return f"{finding.parameter} {plain(finding.from_value)} → {plain(finding.to_value)}"


def is_change(finding: Finding) -> bool:
    """Tell whether a finding recommends to change a value."""
    return bool(finding.parameter) and finding.to_value is not None and finding.to_value != finding.from_value


def trial_ranges(trial_ids: Iterable[str]) -> str:
    """Return trial ids, consecutive numbers shortened: "E1-T001 to E1-T004, E1-T009"; of very many, the first."""
    groups: list[list[tuple[str, str, int]]] = []
    for trial_id in sorted(set(trial_ids), key=_trial_key):
        prefix, trial_number = _trial_key(trial_id)
        last = groups[-1][-1] if groups else None
        if last and trial_number >= 0 and last[1] == prefix and last[2] + 1 == trial_number:
            groups[-1].append((trial_id, prefix, trial_number))
        else:
            groups.append([(trial_id, prefix, trial_number)])
    parts = []
    for group in groups:
        ids = [trial_id for trial_id, _prefix, _number in group]
        parts.append(_("{first} to {last}").format(first=ids[0], last=ids[-1]) if len(ids) > 2 else ", ".join(ids))
    if len(parts) > MOST_RANGES:
        return _("{shown} and {count} more; all are in measurements.csv").format(
            shown=", ".join(parts[:MOST_RANGES]), count=number(sum(map(len, groups[MOST_RANGES:])))
        )
    return ", ".join(parts) or "–"


def _trial_key(trial_id: str) -> tuple[str, int]:
    match = _TRIAL.match(trial_id)
    return (match.group(1), int(match.group(2))) if match else (trial_id, -1)


class Vocabulary:
    """Titles of families and metrics, made from their ids where nobody gave them."""

    def __init__(self, families: Iterable[FamilyTexts]) -> None:
        self._families = {family.family_id: family for family in families}

    def family(self, family_id: str) -> str:
        """Return a family's title."""
        known = self._families.get(family_id)
        return known.title if known else _sentence(family_id)

    def question(self, family_id: str) -> str:
        """Return what a family answers, "" where it is unknown."""
        known = self._families.get(family_id)
        return known.question if known else ""

    def metric(self, family_id: str, name: str) -> str:
        """Return a metric's title as a sentence may begin with it."""
        known = self._metrics(family_id).get(name)
        return known.title if known else _sentence(name)

    def load(self, family_id: str, load: Load) -> tuple[tuple[str, str], ...]:
        """Return what a plan says about the load of a family with load fields of its own, () for any other."""
        known = self._families.get(family_id)
        return load_text(known.load_fields, load) if known else ()

    def compares_all(self, family_id: str) -> bool:
        """Return whether all comparisons of a family are named before a run."""
        known = self._families.get(family_id)
        return known is not None and known.compares_all

    def place(self, comparison: Comparison) -> tuple[str, str]:
        """Return title and value of the conditions of a comparison that vary within each trial, ("", "") for none."""
        known = self._families.get(comparison.family)
        swept = [c for c in known.swept if c.name in comparison.conditions] if known else []
        values = (number(comparison.conditions[condition.name]) for condition in swept)
        return " × ".join(condition.title for condition in swept), " × ".join(values)

    def shared(self, family_id: str, conditions: Setting) -> Setting:
        """Return the conditions without those that vary within each trial."""
        known = self._families.get(family_id)
        swept = {condition.name for condition in known.swept} if known else set()
        return Setting.from_mapping({name: value for name, value in conditions.items() if name not in swept})

    def main_metric(self, family_id: str) -> str:
        """Return the name of a family's main metric, "" where it is unknown."""
        known = self._families.get(family_id)
        return known.metrics[0].name if known and known.metrics else ""

    def _metrics(self, family_id: str) -> dict[str, Metric]:
        known = self._families.get(family_id)
        return {metric.name: metric for metric in (*known.metrics, *known.main_metrics)} if known else {}


def _sentence(identifier: str) -> str:
    words = identifier.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
