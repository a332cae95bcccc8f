"""Words for verdicts, effects, settings and trials, the same in every section."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Final

from app.analysis.noise import explaining_cv
from app.domain.comparison import Comparison, Verdict
from app.domain.effect import TENTH, is_one_sided, tells_interval, times_text
from app.domain.facts import FactKinds
from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.limits import LimitField
from app.domain.load import Load, load_text
from app.domain.measurement import Better, Metric
from app.domain.metrics import listed_metrics
from app.domain.plan import Phase
from app.domain.plan_field import PlanField
from app.domain.setting import Parameter, Setting, Value, value_text
from app.domain.system import fact_kinds
from app.domain.work_source import SOURCE
from app.foundation.texts import _, in_sentence, local_number
from app.reporting.numbers import number, percent
from app.reporting.request import FamilyTexts
from app.reporting.system_parts import ConditionWords, SystemParts, parts_of, systems_behind

LEAST_NOISE: Final = 0.001
"""As a share; no server repeats a run better than that."""

_TIMES_FROM: Final = 2.0  # "7.7 times as high" reads better than "672 % higher"
# A list of a million names of runs is a book, not evidence.
MOST_RANGES: Final = 40

_TRIAL: Final = re.compile(r"^(.*?)(\d+)$")


def lead_word(verdict: Verdict) -> str:
    """Return the suggestion of exploring trials in words: they choose the setting to confirm, and claim nothing."""
    words = {
        Verdict.IMPROVEMENT: _("Promising"),
        Verdict.WORSE: _("Probably worse"),
        Verdict.NO_DIFFERENCE: _("Probably the same"),
        Verdict.CANNOT_TELL: _("Undecided"),
    }
    return words[verdict]


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict in words."""
    words = {
        Verdict.IMPROVEMENT: _("Improvement shown"),
        Verdict.WORSE: _("Worse"),
        Verdict.NO_DIFFERENCE: _("No difference shown"),
        Verdict.CANNOT_TELL: _("Undecided"),
    }
    return words[verdict]


def claim_word(comparison: Comparison) -> str:
    """Return a verdict in words, with the reason why it is no claim where no fresh trials confirm a difference."""
    words = {
        Verdict.IMPROVEMENT: _("Improvement, not confirmed"),
        Verdict.WORSE: _("Worse, not confirmed"),
    }
    unconfirmed = words.get(comparison.verdict) if comparison.phase is not Phase.CONFIRM else None
    return unconfirmed or verdict_word(comparison.verdict)


def counted_verdicts(count: int, word: str) -> str:
    """Return how many comparisons came to a verdict, given as `lead_word` or `claim_word` says it."""
    words = {
        _("Improvement shown"): _("{count} shown better"),
        _("Improvement, not confirmed"): _("{count} better, not confirmed"),
        _("Worse"): _("{count} worse"),
        _("Worse, not confirmed"): _("{count} worse, not confirmed"),
        _("No difference shown"): _("{count} the same"),
        _("Promising"): _("{count} promising"),
        _("Probably worse"): _("{count} probably worse"),
        _("Probably the same"): _("{count} probably the same"),
        _("Undecided"): _("{count} undecided"),
    }
    return words[word].format(count=number(count))


def setting_text(setting: Setting) -> str:
    """Return a setting as a person reads it, "–" for an empty one."""
    return setting.text() or "–"


def common_factor(comparisons: Sequence[Comparison]) -> str:
    """Return the parameter that all these comparisons vary, "" where they differ or vary several."""
    names = {tuple(comparison.candidate) for comparison in comparisons}
    names |= {tuple(comparison.reference) for comparison in comparisons}
    only = names.pop() if len(names) == 1 else ()
    return only[0] if len(only) == 1 else ""


def with_conditions(text: str, conditions: Iterable[str]) -> str:
    """Return a title with conditions in brackets behind it, those it names already left out."""
    told = ", ".join(condition for condition in conditions if condition not in text)
    return f"{text} ({told})" if told else text


def change_text(ratio: float) -> str:
    """Return a ratio as a change: 0.82 as "18 % lower", 7.7 as "7.7 times as high", 1/81 as "down to 1/81"."""
    change = ratio - 1
    if not math.isfinite(change):
        return _("unlimited")
    if percent(change) == percent(0):
        return _("the same")
    if ratio >= _TIMES_FROM:
        return _("{times} times as high").format(times=_times(ratio))
    if 0 < ratio < TENTH:
        return _("down to 1/{times}").format(times=times_text(1 / ratio))
    return (_("{amount} lower") if change < 0 else _("{amount} higher")).format(amount=percent(change))


def interval_text(low: float, high: float, ratio: float = 1.0) -> str:
    """Return the interval of a ratio as changes, in the terms of `change_text`: (0.78, 0.86) as "14 % to 22 % lower".

    Args:
        ratio: the effect it is of, where that stands beside it.
    """
    if not tells_interval(low, high):
        return _("no interval can be given")
    if is_one_sided(low, high):
        return _("at least {amount}").format(amount=change_text(low if low > 1 else high))
    if high < 1 and low * high < TENTH**2:  # the middle of an interval of a ratio is their geometric mean
        return _("1/{most} to 1/{least}").format(most=times_text(1 / low), least=times_text(1 / high))
    if high < 1:
        return _("{small} to {large} lower").format(small=percent(1 - high), large=percent(1 - low))
    if max(low, ratio) >= _TIMES_FROM:
        return _("{small} to {large} times as high").format(small=_times(low), large=_times(high))
    if low > 1:
        return _("{small} to {large} higher").format(small=percent(low - 1), large=percent(high - 1))
    return _("{lower} lower to {higher} higher").format(lower=percent(1 - low), higher=percent(high - 1))


def _times(ratio: float) -> str:
    return local_number(f"{ratio:.1f}")


def effect_text(comparison: Comparison, metric_title: str) -> str:
    """Return a comparison's result in one sentence with its interval and sample sizes."""
    sizes = trials_of_both(comparison)
    if not tells_interval(comparison.low, comparison.high):
        text = _("{metric} {change}; no interval can be given from {sizes}.").format(
            metric=metric_title, change=change_text(comparison.ratio), sizes=sizes
        )
        return " ".join(part for part in (text, noise_that_explains(comparison)) if part)
    return _("{metric} {change} (95 % interval: {interval}; {sizes}).").format(
        metric=metric_title,
        change=change_text(comparison.ratio),
        interval=interval_text(comparison.low, comparison.high, comparison.ratio),
        sizes=sizes,
    )


def noise_that_explains(comparison: Comparison) -> str:
    """Return how noisy runs would have to be for two single ones to differ so much, "" where there are more.

    Where others were repeated, how noisy they are is known, and too much for an interval.
    """
    if math.isfinite(comparison.smallest_effect):
        return _(
            "Repeated runs of one setting differ too much here for an interval, so chance can explain the difference."
        )
    singles = len(comparison.reference_trials) == len(comparison.candidate_trials) == 1
    if not singles or not 0 < comparison.ratio < math.inf:
        return ""
    cv = explaining_cv(comparison.ratio)
    if cv < LEAST_NOISE:
        return ""
    return _("Equal runs would have to vary by {noise} to differ this much by chance.").format(noise=percent(cv))


def trials_of_both(comparison: Comparison) -> str:
    """Return the sample sizes of both sides."""
    return _("{reference} against {candidate} trials").format(
        reference=value_text(len(comparison.reference_trials)), candidate=value_text(len(comparison.candidate_trials))
    )


def change_of(finding: Finding, write: Callable[[Value], str] = value_text) -> str:
    """Return the recommended change of a parameter, "" where nothing is to be changed.

    Args:
        write: how values are written.
    """
    if not finding.parameter or finding.to_value is None:
        return ""
    if finding.from_value is None:
        return f"{finding.parameter} → {write(finding.to_value)}"
    return f"{finding.parameter} {write(finding.from_value)} → {write(finding.to_value)}"


def is_change(finding: Finding) -> bool:
    """Tell whether a finding recommends to change a value."""
    return bool(finding.parameter) and finding.to_value is not None and finding.to_value != finding.from_value


@lru_cache(maxsize=100)  # evidence and decision pages name the same trials, of a large file thousands
def _consecutive(trial_ids: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return trial ids in order, those with consecutive numbers together."""
    groups: list[list[str]] = []
    before = "", -1
    for key, trial_id in sorted((_trial_key(trial_id), trial_id) for trial_id in trial_ids):
        if groups and key[1] >= 0 and before == (key[0], key[1] - 1):
            groups[-1].append(trial_id)
        else:
            groups.append([trial_id])
        before = key
    return tuple(map(tuple, groups))


def trial_ranges(trial_ids: Iterable[str]) -> str:
    """Return trial ids, consecutive numbers shortened: "E1-T001 to E1-T004, E1-T009"; of very many, the first."""
    groups = _consecutive(frozenset(trial_ids))
    parts = [
        _("{first} to {last}").format(first=ids[0], last=ids[-1]) if len(ids) > 2 else ", ".join(ids) for ids in groups
    ]
    if len(parts) > MOST_RANGES:
        return _("{shown} and {count} more; all are in measurements.csv").format(
            shown=", ".join(parts[:MOST_RANGES]), count=number(sum(map(len, groups[MOST_RANGES:])))
        )
    return ", ".join(parts) or "–"


def _trial_key(trial_id: str) -> tuple[str, int]:
    match = _TRIAL.match(trial_id)
    return (match.group(1), int(match.group(2))) if match else (trial_id, -1)


_WORK: Final = (SOURCE, "scenario")
"""Conditions of the client's own work and of a load written for the trials: who states one has nothing to state of the
other."""


class Vocabulary:
    """The titles of families and their systems; made from their ids where nobody gave them one."""

    def __init__(self, families: Iterable[FamilyTexts]) -> None:
        self._families = {family.family_id: family for family in families}
        self._systems = systems_behind(self._families.values())

    @cached_property
    def parts(self) -> tuple[SystemParts, ...]:
        """Return the parts of each system of the families, in their order."""
        return tuple(map(parts_of, self._systems))

    @property
    def writers(self) -> tuple[ScriptWriter, ...]:
        """Return each system's script writer, in their order."""
        return tuple(parts.writer for parts in self.parts)

    def parts_of(self, family_id: str) -> SystemParts | None:
        """Return the parts of a family's system, None where the family is unknown."""
        parts = self._families.get(family_id)
        return parts_of(parts.system) if parts else None

    @property
    def listed_metrics(self) -> tuple[Metric, ...]:
        """The measures a list of trials has columns for."""
        return listed_metrics(self._families.values())

    @cached_property
    def fact_kinds(self) -> FactKinds:
        """Return the declarations of all facts, by name."""
        return fact_kinds(self._systems)

    def fact_title(self, name: str) -> str:
        """Return the title of a fact, or of a number a rule derives from facts; "" where none is declared."""
        if name in self.fact_kinds:
            return self.fact_kinds[name].title
        titles = (system.derived_titles.get(name, "") for system in self._systems)
        return next(filter(None, titles), "")

    def conditions(self, conditions: Setting) -> str:
        """Return conditions of measurements in words."""
        parts = [
            self._condition(name, value)
            for name, value in conditions.items()
            if name not in self._conditions or value != self._conditions[name].usual
        ]
        return ", ".join(parts) or "–"

    def link(self, conditions: Setting) -> str:
        """Return the conditions that matter in short, "" where none is known."""
        values = dict(conditions.items())
        return ", ".join(
            (told.one if told.one and value == 1 else told.short).format(value=_value_text(told, value))
            for told in self._conditions.values()
            if told.short
            and (value := values.get(told.name)) is not None
            and value not in (told.usual, told.usual_in_short)
        )

    def apart(self, conditions: Setting, names: Iterable[str]) -> tuple[str, ...]:
        """Return conditions of these names in short, each by itself; one that is not among them as not stated."""
        return tuple(
            self._condition(name, conditions[name], in_short=True)
            if name in conditions
            else _("{condition} not stated").format(condition=name.replace("_", " "))
            for name in names
            if name in conditions or name not in _WORK or not any(other in conditions for other in _WORK)
        )

    @cached_property
    def _conditions(self) -> dict[str, ConditionWords]:
        words_by_name: dict[str, ConditionWords] = {}
        for told in (told for parts in self.parts for told in parts.conditions):
            words_by_name.setdefault(told.name, told)
        return words_by_name

    def _condition(self, name: str, value: Value, *, in_short: bool = False) -> str:
        told = self._conditions.get(name) or ConditionWords(name, name.replace("_", " ") + " {value}")
        text = told.short if in_short and told.short else told.text
        return (told.one if told.one and value == 1 else text).format(value=_value_text(told, value))

    def family(self, family_id: str) -> str:
        """Return a family's title."""
        parts = self._families.get(family_id)
        return parts.title if parts else _sentence(family_id)

    def question(self, family_id: str) -> str:
        """Return a family's question, "" where it is unknown."""
        parts = self._families.get(family_id)
        return parts.question if parts else ""

    def factor(self, family_id: str, name: str) -> str:
        """Return a parameter's title."""
        parameter = self._parameter(family_id, name)
        return (parameter.title if parameter else "") or name

    def values(self, family_id: str, name: str, *values: Value) -> tuple[str, ...]:
        """Return values of a parameter in words."""
        parameter = self._parameter(family_id, name)
        is_named = parameter is not None and parameter.choice_titles
        return tuple(parameter.told(value) if parameter and is_named else value_text(value) for value in values)

    def setting(self, family_id: str, setting: Setting) -> str:
        """Return a setting as a person tells it, "–" for an empty one: "ReadBatchSize 500", "Stripes: 4"."""
        told = [self._set(family_id, name, *self.values(family_id, name, value)) for name, value in setting.items()]
        return ", ".join(told) or "–"

    def against(self, comparison: Comparison) -> str:
        """Return the compared settings: "ReadBatchSize 5000 against 500"; values equal on both sides are named once."""
        parts = []
        for name, value in comparison.candidate.items():
            other = comparison.reference.get(name)
            told = self.values(comparison.family, name, value)[0]
            if other is not None and other != value:
                told = self.values_against(comparison, name)
            parts.append(self._set(comparison.family, name, told))
        return ", ".join(parts) or "–"

    def values_against(self, comparison: Comparison, name: str) -> str:
        """Return the two values of a parameter that are compared: "8 against 1"."""
        value, other = self.values(comparison.family, name, comparison.candidate[name], comparison.reference[name])
        return _("{value} against {other}").format(value=value, other=other)

    def _set(self, family_id: str, name: str, value: str) -> str:
        title = self.factor(family_id, name)
        return f"{title} {value}" if title == name else _("{name}: {value}").format(name=title, value=value)

    def _parameter(self, family_id: str, name: str) -> Parameter | None:
        parts = self._families.get(family_id)
        return next((p for p in parts.parameters if p.name == name), None) if parts else None

    def metric(self, family_id: str, name: str) -> str:
        """Return a metric's title as a sentence may begin with it."""
        metric = self._metrics(family_id).get(name)
        return metric.title if metric else _sentence(name)

    def is_duration(self, family_id: str, name: str) -> bool:
        """Tell whether a metric is the time a piece of work takes; not where it is unknown."""
        metric = self._metrics(family_id).get(name)
        return metric is not None and metric.is_duration

    def better(self, family_id: str, name: str) -> Better:
        """Return which direction of a metric is an improvement; lower, as of times, where it is unknown."""
        metric = self._metrics(family_id).get(name)
        return metric.better if metric else Better.LOWER

    def load(self, family_id: str, load: Load) -> tuple[tuple[str, str], ...]:
        """Return the load of a plan, () where its family is unknown."""
        parts = self._families.get(family_id)
        return load_text(parts.load_fields, load) if parts else ()

    def load_fields(self, family_id: str) -> tuple[PlanField, ...]:
        """Return the load fields of a family's plans, () where it is unknown."""
        parts = self._families.get(family_id)
        return parts.load_fields if parts else ()

    def limit_fields(self, family_id: str) -> tuple[LimitField, ...]:
        """Return the limits a family watches, () where it is unknown."""
        parts = self._families.get(family_id)
        return parts.limit_fields if parts else ()

    def compares_all(self, family_id: str) -> bool:
        """Return whether all comparisons of a family are named before a run."""
        parts = self._families.get(family_id)
        return parts is not None and parts.compares_all

    def place(self, comparison: Comparison) -> tuple[str, str]:
        """Return title and value of the conditions of a comparison that vary within each trial, ("", "") for none."""
        parts = self._families.get(comparison.family)
        swept = [c for c in parts.swept if c.name in comparison.conditions] if parts else []
        values = (number(comparison.conditions[condition.name]) for condition in swept)
        titles = (condition.title if at == 0 else in_sentence(condition.title) for at, condition in enumerate(swept))
        return " × ".join(titles), " × ".join(values)

    def swept(self, comparison: Comparison) -> str:
        """Return the conditions of a comparison that vary within each trial in words, "" for none."""
        shared = self.shared(comparison.family, comparison.conditions)
        own = {name: value for name, value in comparison.conditions.items() if name not in shared}
        return self.conditions(Setting.from_mapping(own)) if own else ""

    def shared(self, family_id: str, conditions: Setting) -> Setting:
        """Return the conditions without those that vary within each trial."""
        parts = self._families.get(family_id)
        swept = {condition.name for condition in parts.swept} if parts else set()
        return Setting.from_mapping({name: value for name, value in conditions.items() if name not in swept})

    def main_metric(self, family_id: str) -> str:
        """Return the name of a family's main metric, "" where it is unknown."""
        parts = self._families.get(family_id)
        return parts.metrics[0].name if parts and parts.metrics else ""

    def _metrics(self, family_id: str) -> dict[str, Metric]:
        parts = self._families.get(family_id)
        every = (*parts.stand_in_metrics, *parts.metrics, *parts.main_metrics) if parts else ()
        return {metric.name: metric for metric in every}


def _value_text(told: ConditionWords, value: Value) -> str:
    return told.values.get(str(value)) or number(value)


def _sentence(identifier: str) -> str:
    words = identifier.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
