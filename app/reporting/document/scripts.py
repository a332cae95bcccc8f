"""What was decided for as scripts a DBA can read, run and take back; what stands in them is their systems' own."""

from collections.abc import Sequence
from itertools import chain

from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter, common_files
from app.domain.session import SessionRecord
from app.domain.setting import typed_text
from app.foundation.script_text import RULE, comment
from app.foundation.texts import _
from app.reporting.decision_words import headline
from app.reporting.document.in_effect import InEffect
from app.reporting.place import Places
from app.reporting.wording import Vocabulary, change_of, is_change


class Scripts:
    """Puts together the scripts of one session from what each system writes."""

    def __init__(self, session: SessionRecord, words: Vocabulary) -> None:
        self._session = session
        self._words = words
        self._writers = words.writers
        self._places = Places(session, words)
        self._in_effect = InEffect(session, words.writers, typed_text)

    @property
    def words(self) -> Vocabulary:
        """What families call things."""
        return self._words

    def files(self, decisions: Sequence[Decision]) -> tuple[ScriptFiles, ...]:
        """Return the files that changes need, one pair for each server; one that says so where none do."""
        return self.needed(decisions) or (common_files(),)

    def needed(self, decisions: Sequence[Decision]) -> tuple[ScriptFiles, ...]:
        """Return the files that changes need, () where no script makes any."""
        return tuple(dict.fromkeys(own for finding in _carried_out(decisions) for own in self.files_of(finding)))

    def files_of(self, finding: Finding) -> tuple[ScriptFiles, ...]:
        """Return the files that carry a recommendation out, () where a person does."""
        writer = self._writer_of(finding)
        if writer is None:
            return ()
        return tuple(writer.files().at(at) for at in writer.servers([self._recommendation(finding)], self._session))

    def apply(self, decisions: Sequence[Decision], files: ScriptFiles) -> str:
        """Return what gives the measured places of one server the values that were decided for."""
        return self._script(decisions, files, is_rollback=False)

    def rollback(self, decisions: Sequence[Decision], files: ScriptFiles) -> str:
        """Return what takes `apply` back exactly, in reverse order."""
        return self._script(decisions, files, is_rollback=True)

    def _script(self, decisions: Sequence[Decision], files: ScriptFiles, *, is_rollback: bool) -> str:
        parts = self._parts(decisions, files, is_rollback=is_rollback)
        every = chain.from_iterable
        texts = [self._header(files, parts, decisions, is_rollback)]
        texts += [*dict.fromkeys(every(part.preamble for part in parts)), *every(part.blocks for part in parts)]
        texts += dict.fromkeys(every(part.ending for part in parts))
        if not any(self._writer_of(finding) for finding in _carried_out(decisions)):
            texts.append(comment(_("This script changes nothing: no decision sets another value this way.")))
        texts += map(self._left_out, every(part.left_out for part in parts))
        is_first = files == self.files(decisions)[0]
        if not is_rollback:
            texts += [self._set_aside(one) for one in decisions if files in self.files_of(one.finding)]
        if is_first:
            texts.append(self._by_hand(decisions, is_rollback=is_rollback))
            texts += [] if is_rollback else map(_lead, decisions)
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _parts(self, decisions: Sequence[Decision], files: ScriptFiles, *, is_rollback: bool) -> list[ScriptPart]:
        """Return what each writer of these files has to say, its batches numbered on from those before it."""
        parts: list[ScriptPart] = []
        for writer in self._writers:
            if writer.files().at(files.server) == files:
                own = [
                    self._recommendation(finding, is_rollback=is_rollback)
                    for finding in _carried_out(decisions)
                    if writer.takes(finding)
                ]
                first = 1 + sum(part.count for part in parts)
                part = writer.write(own, self._session, first, is_rollback=is_rollback, server=files.server)
                parts += [] if part is None else [part]
        return parts

    def _header(
        self, files: ScriptFiles, parts: Sequence[ScriptPart], decisions: Sequence[Decision], is_rollback: bool
    ) -> str:
        name, title = (
            (files.rollback, _("Undoes the recommended values"))
            if is_rollback
            else (files.apply, _("Sets the recommended values"))
        )
        session, every = self._session, chain.from_iterable
        texts = [
            f"{name}: {title}",
            _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version),
            *dict.fromkeys(every(part.where for part in parts)),
            " ".join([*_common(parts), *every(part.checks for part in parts)]),
            *every(part.notes for part in parts),
        ]
        titles = {decision.finding: headline(decision, self._words, typed_text) for decision in decisions}
        carried_out = [
            self._line_of(finding, titles[finding], numbers)
            for finding, numbers in ([] if is_rollback else every(part.carried_out for part in parts))
        ]
        return "\n".join([RULE, *(comment(text) for text in texts if text), *carried_out, RULE])

    def _line_of(self, finding: Finding, title: str, numbers: Sequence[int]) -> str:
        """Return which batches carry a finding out, under what it was measured, and the rule behind it."""
        where = "; ".join(part for part in (self._places.text(finding), finding.rule) if part)
        text = _("Batch {numbers}: {title} ({where})")
        listed = ", ".join(map(str, numbers))
        return comment(text.format(numbers=listed, title=title, where=where), indent="-- * ")

    def _left_out(self, finding: Finding) -> str:
        """Return a comment on a recommendation that contradicts one that is carried out: one place has one value."""
        text = _("Left out, because a batch above sets the same to another value: {change} ({where}). Choose one.")
        return comment(
            text.format(change=change_of(finding, typed_text), where=self._places.text(finding) or finding.rule)
        )

    def _set_aside(self, decision: Decision) -> str:
        """Return comments on other values of a parameter that a decision sets aside, "" where there are none."""
        if decision.kind is not DecisionKind.CHANGE:
            return ""
        text = _("Not set: {change} ({where}). Decision {number} is {decided}.")
        return "\n".join(
            comment(
                text.format(
                    change=change_of(finding, typed_text),
                    where=self._places.text(finding) or finding.rule,
                    number=decision.number,
                    decided=change_of(decision.finding, typed_text),
                )
            )
            for finding in decision.set_aside
            if is_change(finding)
        )

    def _by_hand(self, decisions: Sequence[Decision], *, is_rollback: bool) -> str:
        """Return comments on changes that no script carries out: a person does."""
        text = _("By hand: {change}. {words}")
        return "\n".join(
            comment(text.format(change=change_of(f, typed_text), words=f.undo if is_rollback else f.recommendation))
            for f in _carried_out(decisions)
            if not self.files_of(f)
        )

    def _writer_of(self, finding: Finding) -> ScriptWriter | None:
        return next((w for w in self._writers if is_change(finding) and w.takes(finding)), None)

    def _recommendation(self, finding: Finding, *, is_rollback: bool = False) -> Recommendation:
        change = self._in_effect.change(finding)
        return Recommendation(
            finding=finding,
            new="" if finding.to_value is None else typed_text(finding.to_value),
            change=_("undo of {change}").format(change=change) if is_rollback else change,
            note=self._in_effect.note(finding),
            conditions=self._words.link(self._places.conditions(finding)),
        )


def _carried_out(decisions: Sequence[Decision]) -> list[Finding]:
    """Return the changes that were decided for: what is left, measured again or set aside is not among them."""
    return [decision.finding for decision in decisions if decision.kind is DecisionKind.CHANGE]


def _lead(decision: Decision) -> str:
    """Return a comment on a change that no confirming trials show, "" for any other decision."""
    if decision.kind is not DecisionKind.MEASURE_AGAIN or not is_change(decision.finding):
        return ""
    text = _("Not set: {change} is a lead; no confirming trials show it.")
    return comment(text.format(change=change_of(decision.finding, typed_text)))


def _common(parts: Sequence[ScriptPart]) -> list[str]:
    """Return the checks that blocks of every part make."""
    first = parts[0].common_checks if parts else ()
    return [check for check in first if all(check in part.common_checks for part in parts)]
