"""The measured gain behind a decision: its comparison, the means that make its ratio, and its costs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from statistics import fmean
from typing import Final

from app.analysis.compared_facts import gain_percent
from app.analysis.published_means import runs_behind
from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.decision import Gain, OwnEffect
from app.domain.finding import Finding
from app.domain.measurement import Better, Measurement
from app.domain.mix import Part, mixed
from app.domain.own_load import OwnLoad
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting, Value, typed_text, value_text
from app.domain.work_source import work_source_of
from app.reporting.export.csv_export import measurements_of
from app.reporting.matching import comparisons_behind
from app.reporting.place import Places
from app.reporting.wording import Vocabulary, is_change

_SAME_RATIO: Final = 1e-4  # far below what is printed
_BASELINES: Final = ("baseline_value", "baseline_level", "baseline_choice")


class Gains:
    """Tells the gains of one session."""

    def __init__(self, session: SessionRecord, advice: Advice, words: Vocabulary, places: Places) -> None:
        self._session, self._advice, self._words, self._places = session, advice, words, places

    def of(self, finding: Finding, comparison: Comparison | None) -> Gain | None:
        """Return the gain that a comparison tells a finding, None where there is none."""
        if comparison is None:
            return None
        before, after = self._means(comparison)
        is_lead = self._places.is_lead(comparison)
        costs = self._costs(comparison)
        elsewhere = self._elsewhere(comparison)
        forecasts = self._forecasts(comparison)
        is_seen_once = self._is_seen_once(finding, comparison)
        return Gain(
            comparison,
            before,
            after,
            forecasts,
            is_lead=is_lead,
            costs=costs,
            elsewhere=elsewhere,
            is_seen_once=is_seen_once,
            is_loss=self._is_loss(comparison),
            is_worked_out=self._places.is_worked_out(comparison),
            is_contradicted=any(told.concerns(comparison) for told in self._advice.contradictions),
            own_load=self._own_load(finding, comparison),
            agreed=self._session.own_words.agreed,
            mixed=self._mixed(comparison, elsewhere),
            is_own_work=self._is_own_work(finding),
        )

    def by_itself(self, finding: Finding, gain: Gain | None) -> Gain | None:
        """Return a gain with the parameter's own effect, where the comparison changes several."""
        own = self._own(finding, gain)
        return gain if gain is None or own is None or not gain.changes_several else replace(gain, own=own)

    def by_contrast(self, finding: Finding, gain: Gain | None) -> Gain | None:
        """Return a gain with the effect that decided of a parameter which stays: by all exploring trials of its value
        and of the baseline's, where the trials take several parameters apart, not by one pair of settings."""
        told = fact(finding, "alone_setting")
        own = self._own(finding, gain)
        if gain is None or own is None or not isinstance(told, str):
            return gain
        compared, name = gain.comparison, finding.parameter
        explored = self.measured_behind(finding, compared)
        before, after = (
            [m for m in explored if typed_text(m.setting[name]) == level]
            for level in (typed_text(compared.reference[name]), told.rpartition(" ")[2])
        )
        needed = fact(finding, "trials_needed")
        whole = replace(
            compared,
            candidate=Setting.from_mapping({**compared.reference, name: after[0].setting[name]}),
            ratio=own.ratio,
            low=own.low,
            high=own.high,
            reference_trials=tuple(m.trial_id for m in before),
            candidate_trials=tuple(m.trial_id for m in after),
            smallest_effect=own.high / own.ratio - 1,
            # of each value, over as many settings as have it
            trials_needed=int(needed) * len({m.setting for m in after}) if isinstance(needed, int | float) else 0,
        )
        return replace(gain, comparison=whole, before=None, after=None, forecasts=(), is_loss=self._is_loss(whole))

    def priced(self, finding: Finding) -> Comparison | None:
        """Return the comparison whose change a finding that names no values tells first, as the price of a choice."""
        told = [float(value) for _n, value, unit in finding.facts if unit == "%" and isinstance(value, int | float)]
        behind = comparisons_behind(finding, self._comparisons)
        of_told = (c for value in told for c in behind if math.isclose((c.ratio - 1) * 100, value))
        return next(of_told, None)

    def decisive(self, finding: Finding, base: Value | bool | None) -> Comparison | None:
        """Return the comparison that a finding which changes nothing speaks of: the baseline with its best rival.

        The rule's own number tells which; else the value it names, or the one that did best. One of another parameter
        varied beside it says nothing of it.
        """
        behind = comparisons_behind(finding, self._comparisons)
        parameter = finding.parameter
        of_base = [c for c in behind if _leaves(c, parameter, base)]
        alone = [c for c in of_base if c.candidate.without((parameter,)) == c.reference.without((parameter,))]
        is_whole = fact(finding, "best_setting") is not None and fact(finding, "shown_factor") == ""
        of_base = of_base if is_whole else alone
        of_base = [c for c in of_base if (c.phase, c.metric) == (of_base[0].phase, of_base[0].metric)]
        if len({c.candidate for c in of_base}) < 2:
            return next(iter(of_base), None)
        better = self._words.better(finding.family, of_base[0].metric)
        gain, named = fact(finding, "gain_percent"), fact(finding, "best_value")
        ranked = sorted(
            of_base,
            key=lambda c: (
                not isinstance(gain, float) or not math.isclose(gain_percent(c.ratio, better), gain),
                _text(c.candidate[parameter]) != _text(named),
                -gain_percent(c.ratio, better),
            ),
        )
        return ranked[0]

    def _is_seen_once(self, finding: Finding, comparison: Comparison) -> bool:
        """Tell whether a gain worth acting on rests on single runs made elsewhere, whatever noise is stated of them."""
        better = self._words.better(comparison.family, comparison.metric)
        is_small = gain_percent(comparison.ratio, better) < comparison.minimum_effect * 100
        if is_small or self._session.runs_behind(finding):
            return False
        sides = (
            self._of(comparison, comparison.reference_trials, comparison.reference),
            self._of(comparison, comparison.candidate_trials, comparison.candidate),
        )
        return all(len(side) == 1 and side[0].runs == 1 for side in sides)

    def _own_load(self, finding: Finding, comparison: Comparison) -> OwnLoad | None:
        """Return the client's own load at an improvement that changes a value, None where no history tells it."""
        parts = self._words.parts_of(finding.family)
        if parts is None or comparison.verdict is not Verdict.IMPROVEMENT or not is_change(finding):
            return None
        return parts.own_load(finding, comparison, self._session)

    def _is_own_work(self, finding: Finding) -> bool:
        """Tell whether all runs behind a finding measured the client's own work; of imported ones that is not known."""
        runs = self._session.runs_behind(finding)
        return bool(runs) and all(work_source_of(run.plan.load).is_own_work for run in runs)

    def _is_loss(self, comparison: Comparison) -> bool:
        is_lower = self._words.better(comparison.family, comparison.metric) is Better.LOWER
        return comparison.ratio > 1 if is_lower else comparison.ratio < 1

    def _elsewhere(self, comparison: Comparison) -> tuple[Comparison, ...]:
        """Return the comparisons of the same two settings at the other values of a condition swept within each
        trial."""
        told = (comparison.family, comparison.metric, comparison.phase, comparison.reference, comparison.candidate)
        shared = self._words.shared(comparison.family, comparison.conditions)
        return tuple(
            c
            for c in self._comparisons
            if (c.family, c.metric, c.phase, c.reference, c.candidate) == told
            and c.conditions != comparison.conditions
            and self._words.shared(c.family, c.conditions) == shared
        )

    def _mixed(self, comparison: Comparison, elsewhere: Sequence[Comparison]) -> Comparison | None:
        """Return the effect of a time on the client's mix, None where that is not told or was not measured."""
        shares, parts = self._session.own_words.shares, self._words.parts_of(comparison.family)
        if not shares or parts is None or not self._words.is_duration(comparison.family, comparison.metric):
            return None
        told = [
            (one, parts.shape(one), self._of(one, one.reference_trials, one.reference))
            for one in (comparison, *elsewhere)
        ]
        return mixed([Part(one, s[0], fmean(m.value for m in ms) / s[1]) for one, s, ms in told if s and ms], shares)

    def _costs(self, comparison: Comparison) -> tuple[Comparison, ...]:
        """Return the measures an improvement makes worse, as comparisons of the same two settings."""
        same = (comparison.family, comparison.reference, comparison.candidate, comparison.conditions)
        is_gain = comparison.verdict is Verdict.IMPROVEMENT
        return tuple(
            c
            for c in self._comparisons
            if is_gain and c.verdict is Verdict.WORSE and (c.family, c.reference, c.candidate, c.conditions) == same
        )

    def _forecasts(self, comparison: Comparison) -> tuple[Forecast, ...]:
        """Return how long the same backlog takes before and after, () where it was not asked for both."""
        under = [
            forecast
            for forecast in self._advice.forecasts
            if forecast.family == comparison.family and forecast.conditions == comparison.conditions
        ]
        pairs = (
            (before, after)
            for before in under
            for after in under
            if (before.setting, after.setting) == (comparison.reference, comparison.candidate)
            and (before.backlog_commands, before.inflow_per_s) == (after.backlog_commands, after.inflow_per_s)
        )
        return next(pairs, ())

    def _means(self, comparison: Comparison) -> tuple[float | None, float | None]:
        """Return the means of reference and candidate that make the comparison's ratio, (None, None) where none do.

        A ratio that blocks say is that of the means only where each side ran in each of these blocks.
        """
        sides = [
            self._of(comparison, trials, setting)
            for trials, setting in (
                (comparison.reference_trials, comparison.reference),
                (comparison.candidate_trials, comparison.candidate),
            )
        ]
        if not all(sides):
            return None, None
        made = [[runs_behind(side).mean for side in sides], *by_shared_blocks(sides)]
        for before, after in made:
            if math.isclose(math.exp(after - before), comparison.ratio, rel_tol=_SAME_RATIO):
                return math.exp(before), math.exp(after)
        return None, None

    def _of(self, comparison: Comparison, trials: Sequence[str], setting: Setting) -> list[Measurement]:
        """Return the comparison's measure in some trials of a setting."""
        held = {**comparison.conditions, **setting}  # what a file varies elsewhere is a condition here
        return [
            m
            for trial in dict.fromkeys(trials)
            for m in self._measured.get((comparison.family, trial), ())
            if m.metric == comparison.metric and {**m.conditions, **m.setting} == held and m.value > 0
        ]

    def _own(self, finding: Finding, gain: Gain | None) -> OwnEffect | None:
        """Return the effect of a finding's parameter by itself, in terms of a gain's measure; None where unknown."""
        told = [fact(finding, f"own_gain_{name}percent") for name in ("", "low_", "high_")]
        if gain is None or not all(isinstance(value, int | float) for value in told):
            return None
        sign = -1 if self._words.better(finding.family, gain.comparison.metric) is Better.LOWER else 1
        ratio, *ends = (1 + sign * float(value) / 100 for value in told if isinstance(value, int | float))
        beside = fact(finding, "beside_setting")
        return OwnEffect(ratio, min(ends), max(ends), beside if isinstance(beside, str) else "")

    def measured_behind(self, finding: Finding, compared: Comparison) -> list[Measurement]:
        """Return a comparison's measure in the exploring trials behind a finding, under the comparison's conditions."""
        return [
            m
            for trial in dict.fromkeys(finding.evidence)
            for m in self._measured.get((finding.family, trial), ())
            if (m.metric, m.phase) == (compared.metric, Phase.EXPLORE) and m.value > 0
            if all(m.conditions.get(name, m.setting.get(name)) == v for name, v in compared.conditions.items())
        ]

    @property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return self._advice.comparisons

    @cached_property
    def _measured(self) -> dict[tuple[str, str], list[Measurement]]:
        by_trial: dict[tuple[str, str], list[Measurement]] = {}
        for m in measurements_of(self._session):
            by_trial.setdefault((m.family, m.trial_id), []).append(m)
        return by_trial


def fact(finding: Finding, name: str) -> Value | bool | None:
    """Return a fact a rule looked at, None where it did not."""
    return next((value for own, value, _unit in finding.facts if own == name), None)


def _text(value: Value | bool | None) -> str:
    """Return a value as a person reads it, which is how systems whose parameters are texts tell their levels."""
    return "" if value is None or isinstance(value, bool) else value_text(value)


def by_shared_blocks(sides: Sequence[Sequence[Measurement]]) -> list[list[float]]:
    """Return the mean logarithm of each side over the blocks both ran in, each counting once; [] for none."""
    by_block: list[dict[int, list[Measurement]]] = []
    for side in sides:
        blocks: dict[int, list[Measurement]] = {}
        for measurement in side:
            blocks.setdefault(measurement.block, []).append(measurement)
        by_block.append(blocks)
    shared = by_block[0].keys() & by_block[1].keys()
    return [[fmean(runs_behind(of_side[block]).mean for block in shared) for of_side in by_block]] if shared else []


def trials_of(gain: Gain) -> int:
    """Return the trials that settle a comparison; those that only show how much trials differ by chance settle none."""
    return gain.comparison.trials_needed if math.isfinite(gain.comparison.smallest_effect) else 0


def baseline_told(finding: Finding) -> Value | bool | None:
    """Return the baseline's value of a finding's parameter, None where its rule did not look at it."""
    return next((value for name in _BASELINES if (value := fact(finding, name)) is not None), None)


def leaves_baseline(finding: Finding) -> bool:
    """Tell whether a finding leaves a parameter at the baseline's value."""
    return baseline_told(finding) is not None and all(
        fact(finding, name) is not None for name in ("verdict", "fewest_trials")
    )


def _leaves(comparison: Comparison, parameter: str, base: Value | bool | None) -> bool:
    """Tell whether a comparison is one of a parameter's value `base` with another one."""
    before, after = comparison.reference, comparison.candidate
    return parameter in before and _text(before[parameter]) == _text(base) and after[parameter] != before[parameter]
