"""Decisions beside the values in effect, where the plan compared with another setting.

A gain is one over the setting it was measured against. Where that is not in effect, the exploring trials of the setting
that is in effect say whether the change is one for the better, as far as they ran it; and parameters that all of these
trials held at another value than the one in effect belong to what was measured.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.analysis.published_means import runs_behind
from app.domain.comparison import Comparison, turned
from app.domain.decision import Beside, Decision, DecisionKind, Gain, Tried
from app.domain.finding import Finding
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting, Value, typed_text, value_text
from app.foundation.texts import _
from app.reporting.document.in_effect import InEffect
from app.reporting.matching import comparisons_behind
from app.reporting.wording import Vocabulary
from app.services.explain.gains import Gains, by_shared_blocks, leaves_baseline, trials_of


@dataclass(frozen=True)
class Standing:
    """The values in effect of the parameters an experiment varied, as typed; several of one are joined by ", "."""

    reference: Setting
    values: Mapping[str, str]

    @property
    def other(self) -> tuple[str, ...]:
        """The parameters whose value in effect is another than the one measured against."""
        return tuple(name for name, value in self.reference.items() if self.values[name] != typed_text(value))

    def with_values_of(self, setting: Setting, names: Sequence[str]) -> dict[str, str]:
        """Return the values there are once these parameters have those of a setting."""
        return {**self.values, **{name: typed_text(setting[name]) for name in names}}


class AtTheSite:
    """Tells of one session how its decisions stand to the values in effect."""

    def __init__(self, in_effect: InEffect, gains: Gains, comparisons: Sequence[Comparison], words: Vocabulary) -> None:
        self._in_effect, self._gains, self._comparisons, self._words = in_effect, gains, comparisons, words

    def standing(self, finding: Finding, reference: Setting) -> Standing:
        """Return the values in effect where a finding was measured against a setting; that itself where they are not
        known."""
        values: dict[str, str] = {}
        for name, value in reference.items():
            asked = replace(finding, parameter=name, from_value=value)
            values[name] = self._in_effect.other_than_baseline(asked) or typed_text(value)
        return Standing(reference, values)

    # A change

    def changed(
        self, decision: Decision, notes: Sequence[Finding], changes: Sequence[str]
    ) -> tuple[Decision, tuple[Decision, ...]]:
        """Return a change as it is one for this site, and the changes that belong to it.

        Args:
            notes: findings on the parameters it leaves alone.
            changes: parameters that any decision of the experiment changes.
        """
        gain = decision.gain
        if gain is None:
            return _unless_set(decision), ()
        standing = self.standing(decision.finding, gain.comparison.reference)
        if not standing.other:
            return decision, ()
        names = [part.parameter for part in decision.parts]
        held = [name for name in standing.other if name not in names and name not in changes]
        return self._beside(decision, gain, standing, held, notes)

    def _beside(
        self, decision: Decision, gain: Gain, standing: Standing, held: Sequence[str], notes: Sequence[Finding]
    ) -> tuple[Decision, tuple[Decision, ...]]:
        """Return a change measured against another setting than the one in effect, and the changes that belong to it.

        Args:
            held: parameters it leaves alone, which all its trials had at another value than the one in effect.
        """
        compared, names = gain.comparison, [part.parameter for part in decision.parts]
        wanted = standing.with_values_of(compared.candidate, names)
        whole = standing.with_values_of(compared.candidate, (*names, *held))
        # what was measured is taken as a whole, unless trials show that what is in effect beside it does as well
        if any(not self._ran(decision.finding, compared, name, standing.values[name]) for name in held):
            return _to_measure(decision, compared, standing, held), ()
        joins = bool(held) and not self._is_as_good(decision.finding, compared, wanted, whole)
        target = whole if joins else wanted
        tried = self._tried(decision.finding, compared, standing.values, target)
        left = () if joins else held
        beside = tuple(Beside(name, compared.reference[name], standing.values[name]) for name in left)
        decision = replace(decision, gain=replace(gain, tried=tried), beside=beside, score=0.0)
        if standing.values == target or (tried is not None and not self._gains_by(compared, tried)):
            return _left(decision), ()
        return self._with_held(decision, standing, held, notes) if joins else (decision, ())

    def _ran(self, finding: Finding, compared: Comparison, name: str, value: str) -> bool:
        """Tell whether any exploring trial had a parameter at a value."""
        return any(
            name in m.setting and typed_text(m.setting[name]) == value
            for m in self._gains.measured_behind(finding, compared)
        )

    def _tried(
        self, finding: Finding, compared: Comparison, before: Mapping[str, str], after: Mapping[str, str]
    ) -> Tried | None:
        """Return the means of two settings in exploring trials, None where these did not run both."""
        sides = [self._explored(finding, compared, values) for values in (before, after)]
        if not all(sides):
            return None
        means = (by_shared_blocks(sides) or [[runs_behind(side).mean for side in sides]])[0]
        return Tried(math.exp(means[0]), math.exp(means[1]), sides[0][0].setting, sides[1][0].setting)

    def _is_as_good(
        self, finding: Finding, compared: Comparison, one: Mapping[str, str], other: Mapping[str, str]
    ) -> bool:
        """Tell whether trials of one setting show that it does as well as another, as far as is worth acting on."""
        tried = self._tried(finding, compared, one, other)
        return tried is not None and not self._gains_by(compared, tried)

    def _gains_by(self, compared: Comparison, tried: Tried) -> bool:
        """Tell whether trials of the setting to set were better than those of the one in effect, by enough to act."""
        better_by = self._sign(compared) * math.log(tried.in_effect / tried.candidate)
        return better_by >= math.log1p(compared.minimum_effect)

    def _sign(self, compared: Comparison) -> int:
        return 1 if self._words.better(compared.family, compared.metric) is Better.LOWER else -1

    def _explored(self, finding: Finding, compared: Comparison, values: Mapping[str, str]) -> list[Measurement]:
        """Return a comparison's measure in the exploring trials of the setting with these values."""
        return [
            m
            for m in self._gains.measured_behind(finding, compared)
            if {name: typed_text(m.setting[name]) for name in values if name in m.setting} == dict(values)
        ]

    def _with_held(
        self, decision: Decision, standing: Standing, held: Sequence[str], notes: Sequence[Finding]
    ) -> tuple[Decision, tuple[Decision, ...]]:
        """Return a change, and the values all its trials had that are not in effect: they belong to it."""
        assert decision.gain is not None  # held values are those of its comparison
        compared, parts = decision.gain.comparison, []
        chosen = {
            name: next((one for one in notes if one.parameter == name and leaves_baseline(one)), decision.finding)
            for name in held
        }
        for name, note in chosen.items():
            parts.append(
                replace(
                    decision,
                    finding=_as_measured(note, name, compared.candidate[name], standing.values[name]),
                    parameter=name,
                    from_value=compared.reference[name],
                    to_value=None if decision.to_value is None else compared.candidate[name],
                    in_effect=standing.values[name],
                    together=(),
                    notes=(),
                    set_aside=(),
                )
            )
        told = {part.parameter: part.finding.task for part in parts}
        others = (one for one in decision.notes if one not in chosen.values())
        kept = tuple(_under(told, one) if leaves_baseline(one) else one for one in others)
        return replace(decision, notes=kept), tuple(parts)

    # No change

    def staying(self, decision: Decision) -> Decision:
        """Return a decision that leaves the plan's baseline, where exploring trials show that this does better than
        the setting in effect: then that is to be confirmed first."""
        turned = self._against_in_effect(decision.finding)
        if turned is None:
            return decision if self._is_known(decision) else replace(decision, gain=None)
        gain = self._gains.of(decision.finding, turned)
        assert gain is not None
        return replace(
            decision,
            kind=DecisionKind.MEASURE_AGAIN,
            gain=replace(gain, from_in_effect=True),
            trials_needed=trials_of(gain),
        )

    def _is_known(self, decision: Decision) -> bool:
        """Tell whether a decision's comparison says anything of the setting in effect: a loss against a baseline that
        is not in effect does not where that setting did not run."""
        gain = decision.gain
        if gain is None or not gain.is_loss:
            return True
        standing = self.standing(decision.finding, gain.comparison.reference)
        ran = self._explored(decision.finding, gain.comparison, standing.values)
        return not standing.other or bool(ran)

    def _against_in_effect(self, finding: Finding) -> Comparison | None:
        """Return the baseline against the setting in effect, None where that is the baseline, was not tried, or did no
        worse."""
        for one in comparisons_behind(finding, self._comparisons):
            if one.phase is not Phase.EXPLORE:
                continue
            standing = self.standing(finding, one.reference)
            texts = {name: typed_text(value) for name, value in one.candidate.items()}
            if not standing.other or texts != dict(standing.values):
                continue
            if self._sign(one) * math.log(one.ratio) < math.log1p(one.minimum_effect):
                return None
            return turned(one)
        return None


def _unless_set(decision: Decision) -> Decision:
    """Return a change of a value that no comparison carries; none where it is in effect already."""
    value = "" if decision.finding.to_value is None else typed_text(decision.finding.to_value)
    return _left(decision) if decision.in_effect and decision.in_effect == value else decision


def _to_measure(decision: Decision, compared: Comparison, standing: Standing, held: Sequence[str]) -> Decision:
    """Return a change that was seen beside values of other parameters of which none in effect was tried, as one to be
    measured beside these first: nothing says whether they are worth a change, or how large the gain is there."""
    beside = tuple(Beside(name, compared.reference[name], standing.values[name]) for name in held)
    kind = DecisionKind.MEASURE_AGAIN
    together = tuple(replace(part, kind=kind, to_value=None) for part in decision.together)
    return replace(decision, kind=kind, to_value=None, measured_beside=beside, score=0.0, together=together)


def _left(decision: Decision) -> Decision:
    """Return a change that is none: the setting in effect does as well, or is the one to set."""
    together = tuple(replace(part, kind=DecisionKind.LEAVE, to_value=None) for part in decision.together)
    return replace(decision, kind=DecisionKind.LEAVE, to_value=None, score=0.0, together=together)


def _under(told: Mapping[str, str], note: Finding) -> Finding:
    """Return a note under the title of the part of a change that sets its parameter, as it is where none does."""
    title = told.get(note.parameter or "")
    return note if title is None else replace(note, task=title, recommendation="")


def _as_measured(note: Finding, name: str, value: Value, in_effect: str) -> Finding:
    """Return the finding that sets a parameter to the value it was measured at."""
    told = {"parameter": name, "value": value_text(value), "in_effect": in_effect}
    return replace(
        note,
        task=_("{parameter} {value}, with which it was measured").format(**told),
        recommendation=_("Set {parameter} to {value}, with which all of it was measured.").format(**told),
        because=_("Every trial compared ran with {parameter} {value}; in effect is {in_effect}.").format(**told),
        trade_offs="",
        risk="",
        undo=_("Give {parameter} its former value again, {in_effect}.").format(**told),
        parameter=name,
        from_value=None,
        to_value=value,
    )
