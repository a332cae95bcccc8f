"""From findings to decisions: one card for each experiment and changed parameter, none that contradicts another."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import fmean
from typing import Final

from app.analysis.compared_facts import gain_percent
from app.analysis.published_means import runs_behind
from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.condition import are_same
from app.domain.decision import ChangeEffort, Decision, DecisionKind, Gain, OwnEffect, Tried
from app.domain.finding import Finding
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting, Value, typed_text, value_text
from app.foundation.texts import _
from app.reporting.decision_words import effect_text, task_text
from app.reporting.document.in_effect import InEffect
from app.reporting.export.csv_export import measurements_of
from app.reporting.matching import carrying_comparison, comparisons_behind
from app.reporting.place import Places
from app.reporting.request import FamilyTexts
from app.reporting.wording import Vocabulary, is_change

_UNCONFIRMED: Final = 0.5
_SAME_RATIO: Final = 1e-4  # far below what is printed
_ORDER: Final = (DecisionKind.CHANGE, DecisionKind.MEASURE_AGAIN, DecisionKind.LEAVE)
_BASELINES: Final = ("baseline_value", "baseline_level", "baseline_choice")


def decided(session: SessionRecord, advice: Advice, families: Iterable[FamilyTexts]) -> Advice:
    """Return an advice with the decisions its findings come to, in the order they should be looked at.

    Changes come first, by the gain that is certain (the near end of its interval, halved where no fresh trials confirm
    it, none where it is not over what is in effect) divided by effort and risk (1 to 3 each); then what is to be
    measured again, then what stays.
    """
    deciding = _Deciding(session, advice, Vocabulary(families))
    made = sorted(deciding.decisions(), key=_position)
    numbered = (_numbered(one, number, session) for number, one in enumerate(_agreeing(made), start=1))
    return replace(advice, decisions=tuple(numbered))


def _numbered(one: Decision, number: int, session: SessionRecord) -> Decision:
    together = tuple(replace(part, number=number) for part in one.together)
    return replace(one, number=number, together=together, own_words=session.own_words.of(one.key))


def _position(decision: Decision) -> tuple[int, float, int]:
    return _ORDER.index(decision.kind), -decision.score, decision.finding.priority


def _agreeing(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions without those that speak of a parameter of a place which one before them settles."""
    kept: list[Decision] = []
    for decision in decisions:
        position = next((place for place, other in enumerate(kept) if _speak_of_the_same(decision, other)), None)
        if position is None:
            kept.append(decision)
        else:
            kept[position] = _joined(kept[position], decision)
    return kept


def _speak_of_the_same(one: Decision, other: Decision) -> bool:
    """Tell whether two decisions are on the same parameter of the same place, under the same conditions.

    Experiments of one family state the same conditions; of two families those that both state count.
    """
    ours, theirs = one.finding.conditions, other.finding.conditions
    return (
        not set(one.parameters).isdisjoint(other.parameters)
        and not set(one.places).isdisjoint(other.places)
        and are_same(ours, theirs)
        and (one.family != other.family or ours.keys() == theirs.keys())
    )


def _joined(settled: Decision, later: Decision) -> Decision:
    """Return a decision with the additions and corrections of a later one on the same parameter."""
    values = {part.parameter: part.to_value for part in settled.parts}
    if all(part.parameter in values and part.to_value == values[part.parameter] for part in later.parts):
        return replace(settled, notes=(*settled.notes, *later.findings))
    others = (finding for one in later.together for finding in (one.finding, *one.set_aside))
    return replace(
        settled,
        set_aside=(*settled.set_aside, later.finding, *others, *later.set_aside),
        notes=(*settled.notes, *later.notes),
    )


class _Deciding:
    """Makes the decisions of one session."""

    def __init__(self, session: SessionRecord, advice: Advice, words: Vocabulary) -> None:
        self._session, self._advice, self._words = session, advice, words
        self._places = Places(session, words)
        self._in_effect = InEffect(session, words.writers, typed_text)

    def decisions(self) -> list[Decision]:
        """Return the decisions of every experiment."""
        experiments: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
        for finding in self._advice.findings:
            experiments.setdefault((finding.family, finding.evidence), []).append(finding)
        return [decision for findings in experiments.values() for decision in self._of_experiment(findings)]

    def _of_experiment(self, findings: Sequence[Finding]) -> list[Decision]:
        """Return one decision for each parameter to be changed, or one where nothing is; the rest are their notes."""
        ordered = sorted(findings, key=lambda finding: finding.priority)
        changes: dict[str, list[Finding]] = {}
        for finding in filter(is_change, ordered):
            changes.setdefault(finding.parameter, []).append(finding)
        rest = [finding for finding in ordered if not is_change(finding)]
        if not changes:
            first = next((finding for finding in rest if _fact(finding, "verdict") is not None), rest[0])
            return [self._staying(first, [self._as_in_effect(finding) for finding in rest if finding is not first])]
        rest = [self._as_in_effect(finding) for finding in rest]
        made: list[Decision] = []
        for parameter, own in changes.items():
            is_last = len(made) == len(changes) - 1
            notes = [f for f in rest if f.parameter == parameter or (is_last and f.parameter not in changes)]
            made.append(self._changing(own, notes))
        return self._as_one(made)

    def _as_in_effect(self, note: Finding) -> Finding:
        """Return a finding that leaves a parameter at the baseline's value, told of the value in effect where that is
        another: nobody is asked to leave what is not there."""
        is_left = all(_fact(note, name) is not None for name in ("verdict", "fewest_trials"))
        is_left = is_left and any(_fact(note, name) is not None for name in _BASELINES)
        if not is_left or not self._in_effect.other_than_baseline(note):
            return note
        return replace(note, task=task_text(self._staying(note, ())), recommendation="")

    def _changing(self, wanted: Sequence[Finding], notes: Sequence[Finding]) -> Decision:
        """Return the decision for a parameter: the change that is shown best, others of it are set aside."""
        gains = {
            id(finding): self._gain(finding, carrying_comparison(finding, self._comparisons)) for finding in wanted
        }
        finding = max(wanted, key=lambda one: _share(gains[id(one)]))
        gain = gains[id(finding)]
        in_effect = self._in_effect.other_than_baseline(finding)
        gain = self._beside_in_effect(finding, self._by_itself(finding, gain), in_effect)
        target = "" if finding.to_value is None else typed_text(finding.to_value)
        is_set = bool(in_effect) and (in_effect == target or _is_as_good(gain))
        is_shown = not self._is_lead(finding, gain)
        kind = DecisionKind.LEAVE if is_set else DecisionKind.CHANGE if is_shown else DecisionKind.MEASURE_AGAIN
        change_effort = self._change_effort(finding)
        return Decision(
            number=0,
            kind=kind,
            family=finding.family,
            finding=finding,
            parameter=finding.parameter,
            from_value=finding.from_value,
            to_value=finding.to_value if kind is DecisionKind.CHANGE else None,
            in_effect=in_effect,
            where=self._places.text(finding),
            gain=gain,
            change_effort=change_effort,
            notes=tuple(notes),
            set_aside=tuple(one for one in wanted if one is not finding),
            trials_needed=_trials_of(gain) if gain else 0,
            # what is gained over another value in effect is not certain
            score=_score(None if in_effect else gain, change_effort) if kind is DecisionKind.CHANGE else 0.0,
        )

    def _staying(self, finding: Finding, notes: Sequence[Finding]) -> Decision:
        """Return the decision of an experiment that recommends no other value."""
        is_open = _fact(finding, "verdict") == Verdict.CANNOT_TELL
        base = next((value for name in _BASELINES if (value := _fact(finding, name)) is not None), None)
        gain = self._gain(finding, self._priced(finding) if base is None else self._decisive(finding, base))
        gain = self._by_contrast(finding, gain)
        return Decision(
            number=0,
            kind=DecisionKind.MEASURE_AGAIN if is_open else DecisionKind.LEAVE,
            family=finding.family,
            finding=finding,
            parameter=finding.parameter,
            from_value=None if isinstance(base, bool) else base,
            to_value=None,
            in_effect=self._in_effect.other_than_baseline(finding),
            where=self._places.text(finding),
            gain=gain,
            change_effort=self._change_effort(finding),
            notes=tuple(notes),
            trials_needed=_needed(finding, gain),
        )

    def _is_lead(self, finding: Finding, gain: Gain | None) -> bool:
        """Tell whether only exploring trials of a run, or single runs made elsewhere, suggest a change."""
        is_unconfirmed = _fact(finding, "confirmed") is False and bool(self._session.runs_behind(finding))
        return is_unconfirmed or (gain is not None and (gain.is_lead or gain.is_seen_once))

    def _change_effort(self, finding: Finding) -> ChangeEffort:
        parts = self._words.parts_of(finding.family)
        return (
            ChangeEffort((), _("1 setting, by hand"), _("not known"), finding.undo)
            if parts is None
            else parts.change_effort(finding, self._session)
        )

    def _gain(self, finding: Finding, comparison: Comparison | None) -> Gain | None:
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
        )

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

    def _costs(self, comparison: Comparison) -> tuple[Comparison, ...]:
        """Return the measures an improvement makes worse, as comparisons of the same two settings."""
        same = (comparison.family, comparison.reference, comparison.candidate, comparison.conditions)
        is_gain = comparison.verdict is Verdict.IMPROVEMENT
        return tuple(
            c
            for c in self._comparisons
            if is_gain and c.verdict is Verdict.WORSE and (c.family, c.reference, c.candidate, c.conditions) == same
        )

    def _priced(self, finding: Finding) -> Comparison | None:
        """Return the comparison whose change a finding that names no values tells first, as the price of a choice."""
        told = [float(value) for _n, value, unit in finding.facts if unit == "%" and isinstance(value, int | float)]
        behind = comparisons_behind(finding, self._comparisons)
        of_told = (c for value in told for c in behind if math.isclose((c.ratio - 1) * 100, value))
        return next(of_told, None)

    def _decisive(self, finding: Finding, base: Value | bool | None) -> Comparison | None:
        """Return the comparison that a finding which changes nothing speaks of: the baseline with its best rival.

        The rule's own number tells which; else the value it names, or the one that did best. One of another parameter
        varied beside it says nothing of it.
        """
        behind = comparisons_behind(finding, self._comparisons)
        parameter = finding.parameter
        of_base = [
            c
            for c in behind
            if parameter in c.reference
            and _text(c.reference[parameter]) == _text(base)
            and c.candidate[parameter] != c.reference[parameter]
        ]
        alone = [c for c in of_base if c.candidate.without((parameter,)) == c.reference.without((parameter,))]
        is_whole = _fact(finding, "best_setting") is not None and _fact(finding, "shown_factor") == ""
        of_base = of_base if is_whole else alone
        of_base = [c for c in of_base if (c.phase, c.metric) == (of_base[0].phase, of_base[0].metric)]
        if len({c.candidate for c in of_base}) < 2:
            return next(iter(of_base), None)
        better = self._words.better(finding.family, of_base[0].metric)
        gain, named = _fact(finding, "gain_percent"), _fact(finding, "best_value")
        ranked = sorted(
            of_base,
            key=lambda c: (
                not isinstance(gain, float) or not math.isclose(gain_percent(c.ratio, better), gain),
                _text(c.candidate[parameter]) != _text(named),
                -gain_percent(c.ratio, better),
            ),
        )
        return ranked[0]

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
        made = [[runs_behind(side).mean for side in sides], *_by_shared_blocks(sides)]
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

    def _by_itself(self, finding: Finding, gain: Gain | None) -> Gain | None:
        """Return a gain with the parameter's own effect, where the comparison changes several."""
        own = self._own(finding, gain)
        return gain if gain is None or own is None or not gain.changes_several else replace(gain, own=own)

    def _own(self, finding: Finding, gain: Gain | None) -> OwnEffect | None:
        """Return the effect of a finding's parameter by itself, in terms of a gain's measure; None where unknown."""
        told = [_fact(finding, f"own_gain_{name}percent") for name in ("", "low_", "high_")]
        if gain is None or not all(isinstance(value, int | float) for value in told):
            return None
        sign = -1 if self._words.better(finding.family, gain.comparison.metric) is Better.LOWER else 1
        ratio, *ends = (1 + sign * float(value) / 100 for value in told if isinstance(value, int | float))
        beside = _fact(finding, "beside_setting")
        return OwnEffect(ratio, min(ends), max(ends), beside if isinstance(beside, str) else "")

    def _by_contrast(self, finding: Finding, gain: Gain | None) -> Gain | None:
        """Return a gain with the effect that decided of a parameter which stays: by all exploring trials of its value
        and of the baseline's, where the trials take several parameters apart, not by one pair of settings."""
        told = _fact(finding, "alone_setting")
        own = self._own(finding, gain)
        if gain is None or own is None or not isinstance(told, str):
            return gain
        compared, name = gain.comparison, finding.parameter
        before, after = (
            self._explored(finding, compared.metric, level)
            for level in (typed_text(compared.reference[name]), told.rpartition(" ")[2])
        )
        needed = _fact(finding, "trials_needed")
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

    def _explored(self, finding: Finding, metric: str, level: str) -> list[Measurement]:
        """Return a measure of the exploring trials behind a finding that have one level of its parameter."""
        return [
            m
            for trial in dict.fromkeys(finding.evidence)
            for m in self._measured.get((finding.family, trial), ())
            if m.metric == metric and m.phase is Phase.EXPLORE
            if typed_text(m.setting[finding.parameter]) == level
        ]

    def _beside_in_effect(self, finding: Finding, gain: Gain | None, in_effect: str) -> Gain | None:
        return replace(gain, tried=self._tried(finding, gain, in_effect)) if gain is not None and in_effect else gain

    def _tried(self, finding: Finding, gain: Gain, in_effect: str) -> Tried | None:
        """Return the exploring trials' measurements of the one value in effect, all else equal; None where there are
        none."""
        carrying, parameter = gain.comparison, finding.parameter
        rest = carrying.candidate.without((parameter,))
        explored = {
            typed_text(c.candidate[parameter]): c
            for c in comparisons_behind(finding, self._comparisons)
            if (c.phase, c.metric, c.conditions) == (Phase.EXPLORE, carrying.metric, carrying.conditions)
            and c.reference == carrying.reference
            and c.candidate.without((parameter,)) == rest
        }
        values = (in_effect, typed_text(carrying.candidate[parameter]))
        pair = [explored[value] for value in values if value in explored]
        sides = [self._of(one, one.candidate_trials, one.candidate) for one in pair]
        if len(pair) < len(values) or not all(sides):
            return None
        means = (_by_shared_blocks(sides) or [[runs_behind(side).mean for side in sides]])[0]
        return Tried(*map(math.exp, means))

    def _as_one(self, made: Sequence[Decision]) -> list[Decision]:
        """Return decisions of one experiment, those as one whose gain only all of them together were shown to have."""
        unshown = [one for one in made if _is_unshown_by_itself(one)]
        joint = [one for one in unshown if _is_same(one, unshown[0])]
        if len(joint) < 2:
            return list(made)
        first, *others = joint
        whole = self._together(first, others)
        return [whole if one is first else one for one in made if one not in others]

    def _together(self, first: Decision, others: Sequence[Decision]) -> Decision:
        """Return several changes as one decision, told by the first of them."""
        every = (first, *others)
        change_effort = _all_of(every, self._check_of(every))
        return replace(
            first,
            together=tuple(replace(one, notes=()) for one in others),
            notes=tuple(note for one in every for note in one.notes),
            change_effort=change_effort,
            score=0.0 if any(one.in_effect for one in every) else _score(first.gain, change_effort),
        )

    def _check_of(self, every: Sequence[Decision]) -> str:
        """Return how to see that a joint change holds: all of it is in effect, and does what was measured of it."""
        settings = ", ".join(f"{one.parameter} {value_text(one.to_value)}" for one in every if one.to_value is not None)
        gain = every[0].gain
        assert gain is not None  # one comparison changes all of them
        return _("{settings} are in effect; a load like that of the trials shows about {effect}.").format(
            settings=settings, effect=effect_text(gain.comparison, self._words)
        )

    @property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return self._advice.comparisons

    @cached_property
    def _measured(self) -> dict[tuple[str, str], list[Measurement]]:
        by_trial: dict[tuple[str, str], list[Measurement]] = {}
        for m in measurements_of(self._session):
            by_trial.setdefault((m.family, m.trial_id), []).append(m)
        return by_trial


def _is_unshown_by_itself(one: Decision) -> bool:
    """Tell whether a change gains together with others, and was not shown to gain by itself."""
    gain = one.gain
    if one.kind is not DecisionKind.CHANGE or gain is None or not gain.changes_several:
        return False
    return gain.own is None or not gain.own.is_shown


def _is_same(one: Decision, other: Decision) -> bool:
    """Tell whether the same comparison carries two decisions."""
    return one.gain is not None and other.gain is not None and one.gain.comparison == other.gain.comparison


def _all_of(every: Sequence[Decision], check: str) -> ChangeEffort:
    """Return the effort of changing several parameters together, one after the other."""
    asked = [one.change_effort for one in every]
    to_expect = " ".join(dict.fromkeys(one.to_expect for one in asked if one.to_expect))
    return ChangeEffort(
        places=tuple(dict.fromkeys(place for one in asked for place in one.places)),
        effort="; ".join(f"{one.parameter}: {one.change_effort.effort}" for one in every),
        interruption=_interruption_of(asked),
        check=f"{check} {to_expect}".strip(),
        effort_level=max(one.effort_level for one in asked),
        risk_level=max(one.risk_level for one in asked),
        prerequisites=tuple(dict.fromkeys(each for one in asked for each in one.prerequisites)),
        to_expect=to_expect,
    )


def _interruption_of(asked: Sequence[ChangeEffort]) -> str:
    """Return the interruption by changes that follow one another, the riskiest first: each kind with its number."""
    told: list[str] = []
    for one in sorted(asked, key=lambda one: -one.risk_level):
        alike = sum(other.interruption == one.interruption for other in asked)
        of_several = one.interruption_of_several if alike > 1 else ""
        told.append(of_several.format(count=alike) or one.interruption)
    return " ".join(dict.fromkeys(told))


def _fact(finding: Finding, name: str) -> Value | bool | None:
    return next((value for own, value, _unit in finding.facts if own == name), None)


def _text(value: Value | bool | None) -> str:
    """Return a value as a person reads it, which is how systems whose parameters are texts tell their levels."""
    return "" if value is None or isinstance(value, bool) else value_text(value)


def _needed(finding: Finding, gain: Gain | None) -> int:
    """Return the trials that settle the pair told, 0 where that is not known: those of other pairs do not count."""
    needed = _fact(finding, "trials_needed")
    if not isinstance(needed, int | float):
        return 0
    if gain is None or _fact(finding, "alone_setting") is not None:
        return int(needed) if gain is None else _trials_of(gain)
    return min(int(needed), _trials_of(gain))


def _trials_of(gain: Gain) -> int:
    """Return the trials that settle a comparison; those that only show how much trials differ by chance settle none."""
    return gain.comparison.trials_needed if math.isfinite(gain.comparison.smallest_effect) else 0


def _by_shared_blocks(sides: Sequence[Sequence[Measurement]]) -> list[list[float]]:
    """Return the mean logarithm of each side over the blocks both ran in, each counting once; [] for none."""
    by_block: list[dict[int, list[Measurement]]] = []
    for side in sides:
        blocks: dict[int, list[Measurement]] = {}
        for measurement in side:
            blocks.setdefault(measurement.block, []).append(measurement)
        by_block.append(blocks)
    shared = by_block[0].keys() & by_block[1].keys()
    return [[fmean(runs_behind(of_side[block]).mean for block in shared) for of_side in by_block]] if shared else []


def _is_as_good(gain: Gain | None) -> bool:
    """Tell whether exploring trials of the value in effect came to the same as those of the one to set.

    As far as is worth acting on; a change between them gains nothing that anything measured.
    """
    if gain is None or gain.tried is None:
        return False
    ratio = gain.tried.candidate / gain.tried.in_effect
    return abs(math.log(ratio)) < math.log1p(gain.comparison.minimum_effect)


def _share(gain: Gain | None) -> float:
    return gain.certain_share if gain else 0.0


def _score(gain: Gain | None, change_effort: ChangeEffort) -> float:
    """Return the certain gain, halved where no fresh trials confirm it, by effort and risk."""
    if gain is None:
        return 0.0
    confidence = 1.0 if gain.comparison.phase is Phase.CONFIRM else _UNCONFIRMED
    return gain.certain_share * confidence / (change_effort.effort_level * change_effort.risk_level)
