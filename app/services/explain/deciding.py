"""From findings to decisions: one card for each experiment and changed parameter, none that contradicts another."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.condition import are_same
from app.domain.decision import ChangeEffort, Decision, DecisionKind, Gain
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.setting import EMPTY_SETTING, Setting, typed_text
from app.foundation.texts import _
from app.reporting.decision_words import task_text
from app.reporting.document.in_effect import InEffect
from app.reporting.matching import carrying_comparison
from app.reporting.place import Places
from app.reporting.request import FamilyTexts
from app.reporting.wording import Vocabulary, is_change
from app.services.explain.at_the_site import AtTheSite
from app.services.explain.gains import Gains, baseline_told, fact, leaves_baseline, trials_of
from app.services.explain.one_change import one_change_each
from app.services.explain.together import effort_of_all

_UNCONFIRMED: Final = 0.5
_ORDER: Final = (DecisionKind.CHANGE, DecisionKind.MEASURE_AGAIN, DecisionKind.LEAVE)


def decided(
    session: SessionRecord, advice: Advice, families: Iterable[FamilyTexts], given: Setting = EMPTY_SETTING
) -> Advice:
    """Return an advice with the decisions its findings come to, in the order they should be looked at.

    Changes come first, by the gain that is certain (the near end of its interval, halved where no fresh trials confirm
    it, none where it is not over what is in effect) divided by effort and risk (1 to 3 each), those last whose gain may
    be smaller than is worth acting on; then what is to be measured again, then what stays.

    Args:
        given: values given for the baseline of measurements from elsewhere; empty for none.
    """
    known = {family.family_id: family for family in families}
    deciding = _Deciding(session, advice, Vocabulary(known.values()))
    made = one_change_each(deciding.decisions(), session, advice.comparisons, known, given)
    made = sorted(made, key=_position)
    numbered = (_numbered(one, number, session) for number, one in enumerate(_agreeing(made), start=1))
    return replace(advice, decisions=tuple(numbered))


def _numbered(one: Decision, number: int, session: SessionRecord) -> Decision:
    together = tuple(replace(part, number=number) for part in one.together)
    return replace(one, number=number, together=together, own_words=session.own_words.of(one.key))


def _position(decision: Decision) -> tuple[int, bool, float, int]:
    return _ORDER.index(decision.kind), decision.is_worth_open, -decision.score, decision.finding.priority


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
        self._gains = Gains(session, advice, words, self._places)
        self._site = AtTheSite(self._in_effect, self._gains, advice.comparisons, words)

    def decisions(self) -> list[Decision]:
        """Return the decisions of every experiment."""
        experiments: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
        for finding in self._advice.findings:
            experiments.setdefault((finding.family, finding.evidence), []).append(finding)
        return [decision for findings in experiments.values() for decision in self._of_experiment(findings)]

    def _of_experiment(self, findings: Sequence[Finding]) -> list[Decision]:
        """Return one decision for each comparison that changes parameters, or one where nothing is changed.

        The rest are their notes.
        """
        ordered = sorted(findings, key=lambda finding: finding.priority)
        changes: dict[str, list[Finding]] = {}
        for finding in filter(is_change, ordered):
            changes.setdefault(finding.parameter, []).append(finding)
        rest = [finding for finding in ordered if not is_change(finding)]
        if not changes:
            return [self._of_nothing_changed(rest)]
        made: list[Decision] = []
        for parameter, own in changes.items():
            is_last = len(made) == len(changes) - 1
            notes = [f for f in rest if f.parameter == parameter or (is_last and f.parameter not in changes)]
            made.append(self._changing(own, notes))
        return [self._for_the_site(one, rest, tuple(changes)) for one in self._as_one(made)]

    def _of_nothing_changed(self, findings: Sequence[Finding]) -> Decision:
        """Return the decision of the first finding with a verdict, the others as its notes."""
        first = next((finding for finding in findings if fact(finding, "verdict") is not None), findings[0])
        return self._staying(first, [self._as_in_effect(finding) for finding in findings if finding is not first])

    def _for_the_site(self, decision: Decision, rest: Sequence[Finding], changes: Sequence[str]) -> Decision:
        """Return a change as it is one beside the values in effect, its notes told of these, too."""
        decision, held = self._site.changed(decision, rest, changes)
        if held:
            every = (
                *decision.parts,
                *(replace(part, change_effort=self._change_effort(part.finding)) for part in held),
            )
            decision = replace(self._together(every), score=0.0)
        held_names = [part.parameter for part in held]
        notes = (one if one.parameter in held_names else self._as_in_effect(one) for one in decision.notes)
        return replace(decision, notes=tuple(notes))

    def _as_in_effect(self, note: Finding) -> Finding:
        """Return a finding that leaves a parameter at the baseline's value, told of the value in effect where that is
        another: nobody is asked to leave what is not there."""
        if not leaves_baseline(note) or not self._in_effect.other_than_baseline(note):
            return note
        return replace(note, task=task_text(self._staying(note, ())), recommendation="")

    def _changing(self, wanted: Sequence[Finding], notes: Sequence[Finding]) -> Decision:
        """Return the decision for a parameter: the change that is shown best, others of it are set aside."""
        gains = {
            id(finding): self._gains.of(finding, carrying_comparison(finding, self._comparisons)) for finding in wanted
        }
        finding = max(wanted, key=lambda one: _share(gains[id(one)]))
        gain = self._gains.by_itself(finding, gains[id(finding)])
        change_effort = self._change_effort(finding)
        is_shown = not self._is_lead(finding, gain) and not change_effort.held_back
        kind = DecisionKind.CHANGE if is_shown else DecisionKind.MEASURE_AGAIN
        return Decision(
            number=0,
            kind=kind,
            family=finding.family,
            finding=finding,
            parameter=finding.parameter,
            from_value=finding.from_value,
            to_value=finding.to_value if kind is DecisionKind.CHANGE else None,
            in_effect=self._in_effect.other_than_baseline(finding),
            where=self._places.text(finding),
            gain=gain,
            change_effort=change_effort,
            notes=tuple(notes),
            set_aside=tuple(one for one in wanted if one is not finding),
            trials_needed=trials_of(gain) if gain else 0,
            score=_score(gain, change_effort) if kind is DecisionKind.CHANGE else 0.0,
        )

    def _staying(self, finding: Finding, notes: Sequence[Finding]) -> Decision:
        """Return the decision of an experiment that recommends no other value."""
        is_open = fact(finding, "verdict") == Verdict.CANNOT_TELL
        base = baseline_told(finding)
        compared = self._gains.priced(finding) if base is None else self._gains.decisive(finding, base)
        gain = self._gains.by_contrast(finding, self._gains.of(finding, compared))
        decision = Decision(
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
        return decision if base is None else self._site.staying(decision)

    def _is_lead(self, finding: Finding, gain: Gain | None) -> bool:
        """Tell whether only exploring trials of a run, or single runs made elsewhere, suggest a change, or numbers that
        contradict each other."""
        is_unconfirmed = fact(finding, "confirmed") is False and bool(self._session.runs_behind(finding))
        return is_unconfirmed or (gain is not None and (gain.is_lead or gain.is_seen_once or gain.is_contradicted))

    def _change_effort(self, finding: Finding) -> ChangeEffort:
        parts = self._words.parts_of(finding.family)
        return (
            ChangeEffort((), _("1 setting, by hand"), _("not known"), finding.undo)
            if parts is None
            else parts.change_effort(finding, self._session)
        )

    def _as_one(self, made: Sequence[Decision]) -> list[Decision]:
        """Return decisions of one experiment, those as one that the same comparison carries.

        Its gain is that of all of them, and only that was measured: a part of it may be slower than what is there.
        """
        alike: dict[int, list[Decision]] = {}
        for place, one in enumerate(made):
            first = next((at for at, others in alike.items() if _is_same(one, others[0])), place)
            alike.setdefault(first, []).append(one)
        return [self._together(several) if len(several) > 1 else several[0] for several in alike.values()]

    def _together(self, every: Sequence[Decision]) -> Decision:
        """Return several changes as one decision, told by the first of them; where one is held back, all are."""
        first, kind = every[0], max((one.kind for one in every), key=_ORDER.index)
        is_change = kind is DecisionKind.CHANGE
        every = [one if is_change else replace(one, kind=kind, to_value=None) for one in every]
        change_effort = effort_of_all(every, self._words)
        return replace(
            every[0],
            together=tuple(replace(one, notes=(), together=()) for one in every[1:]),
            notes=tuple(note for one in every for note in one.notes),
            change_effort=change_effort,
            score=_score(_as_a_whole(first.gain), change_effort) if is_change else 0.0,
        )

    @property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return self._advice.comparisons


def _is_same(one: Decision, other: Decision) -> bool:
    """Tell whether the same comparison of several parameters carries two decisions."""
    if one.gain is None or other.gain is None or not one.gain.changes_several:
        return False
    return one.gain.comparison == other.gain.comparison


def _as_a_whole(gain: Gain | None) -> Gain | None:
    return None if gain is None else replace(gain, own=None)


def _needed(finding: Finding, gain: Gain | None) -> int:
    """Return the trials that settle the pair told, 0 where that is not known: those of other pairs do not count."""
    needed = fact(finding, "trials_needed")
    if not isinstance(needed, int | float):
        return 0
    if gain is None or fact(finding, "alone_setting") is not None:
        return int(needed) if gain is None else trials_of(gain)
    return min(int(needed), trials_of(gain))


def _share(gain: Gain | None) -> float:
    return gain.certain_share if gain else 0.0


def _score(gain: Gain | None, change_effort: ChangeEffort) -> float:
    """Return the certain gain, halved where no fresh trials confirm it, by effort and risk."""
    if gain is None:
        return 0.0
    confidence = 1.0 if gain.comparison.phase is Phase.CONFIRM else _UNCONFIRMED
    return gain.certain_share * confidence / (change_effort.effort_level * change_effort.risk_level)
