"""Decisions as scripts a DBA can read, run and undo; their statements are their systems' own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptWriter, common_files
from app.domain.session import SessionRecord
from app.domain.setting import typed_text
from app.foundation.script_text import RULE, comment, script_bytes
from app.foundation.texts import _
from app.reporting.decision_words import headline
from app.reporting.document.in_effect import InEffect
from app.reporting.place import Places
from app.reporting.wording import Vocabulary, change_of, is_change


@dataclass(frozen=True)
class Script:
    """A script as it lies in a folder and in a report: the same bytes."""

    name: str
    purpose: str
    content: bytes


class Scripts:
    """Puts together the scripts of one session's decisions from the parts each system writes.

    Each decision has scripts of its own at each server, so that one change is made, and taken back, at a time.
    """

    def __init__(self, session: SessionRecord, words: Vocabulary, decisions: Sequence[Decision]) -> None:
        self._session = session
        self._words = words
        self._decisions = decisions
        self._writers = words.writers
        self._places = Places(session, words)
        self._in_effect = InEffect(session, words.writers, typed_text)

    @property
    def words(self) -> Vocabulary:
        """Return the families' vocabulary."""
        return self._words

    def files(self) -> tuple[ScriptFiles, ...]:
        """Return the files that changes need, a pair for each decision and server; one that says so where none do."""
        return self.needed() or (common_files(),)

    def needed(self) -> tuple[ScriptFiles, ...]:
        """Return the files that changes need, in the order of the decisions, () where no script makes any."""
        return tuple(self._decided)

    def files_of(self, decision: Decision) -> tuple[ScriptFiles, ...]:
        """Return the files that carry a decision out, of every parameter it changes, () where a person does."""
        return tuple(
            files for files, decided in self._decided.items() if any(decided is part for part in decision.parts)
        )

    def text_of(self, decision: Decision, *, is_rollback: bool) -> str:
        """Return the scripts of one decision, one server after another, or the manual steps instead."""
        if files := self.files_of(decision):
            return "\n".join(self._script(one, is_rollback=is_rollback) for one in files)
        alone = Scripts(self._session, self._words, [decision])
        return alone.rollback(common_files()) if is_rollback else alone.apply(common_files())

    def written(self) -> Iterator[Script]:
        """Yield every script, each undo behind its change."""
        titles = {decision.number: headline(decision, self._words) for decision in self._decisions}
        for files in self.files():
            purpose = titles.get(files.decision, files.purpose)
            yield Script(files.apply, purpose, script_bytes(self.apply(files), has_mark=files.has_mark))
            back = script_bytes(self.rollback(files), has_mark=files.has_mark)
            yield Script(files.rollback, files.rollback_purpose, back)

    def apply(self, files: ScriptFiles) -> str:
        """Return the script that gives the measured places of one server the decided value."""
        return self._script(files, is_rollback=False)

    def rollback(self, files: ScriptFiles) -> str:
        """Return the script that undoes `apply` exactly, in reverse order."""
        return self._script(files, is_rollback=True)

    def _script(self, files: ScriptFiles, *, is_rollback: bool) -> str:
        if files in self._decided:
            return self._of(self._decided[files], files, is_rollback=is_rollback)
        texts = [
            self._header(files, (), is_rollback=is_rollback),
            comment(_("This script changes nothing: no decision sets another value this way.")),
            self._by_hand(is_rollback=is_rollback),
            *([] if is_rollback else map(_lead, self._decisions)),
        ]
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _of(self, decision: Decision, files: ScriptFiles, *, is_rollback: bool) -> str:
        writer = self._writer_of(decision.finding)
        assert writer is not None, "a decision without a writer has no files"
        every = self._recommendations[writer, is_rollback]
        chosen = next(one for one in every if one.finding == decision.finding)
        part = writer.write(chosen, every, self._session, files, is_rollback=is_rollback)
        said = [*part.where, " ".join(part.checks), *part.notes]
        header = self._header(files, said, decision, is_rollback=is_rollback)
        aside = "" if is_rollback else self._set_aside(decision)
        texts = [header, *part.preamble, *part.blocks, *part.ending, aside]
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _header(
        self, files: ScriptFiles, said: Sequence[str], decision: Decision | None = None, *, is_rollback: bool
    ) -> str:
        name, title = (
            (files.rollback, _("Undoes the recommended values"))
            if is_rollback
            else (files.apply, _("Sets the recommended values"))
        )
        session = self._session
        texts = [
            f"{name}: {title}",
            _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version),
            *said,
        ]
        lines = [comment(text) for text in texts if text]
        return "\n".join([RULE, *lines, *([] if decision is None else [self._line_of(decision)]), RULE])

    def _line_of(self, decision: Decision) -> str:
        """Return the decision's number in the report, the conditions of its measurements, and the rule behind it."""
        finding = decision.finding
        whole = next((one for one in self._decisions if any(part is decision for part in one.parts)), decision)
        where = "; ".join(part for part in (self._places.text(finding), finding.rule) if part)
        text = _("Decision {number}: {title} ({where})")
        title = headline(whole, self._words, typed_text)
        return comment(text.format(number=whole.number, title=title, where=where), indent="-- * ")

    def _set_aside(self, decision: Decision) -> str:
        """Return comments on other values of a parameter that a decision sets aside, "" where there are none."""
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

    def _by_hand(self, *, is_rollback: bool) -> str:
        """Return comments on changes that no script carries out: a person does."""
        text = _("By hand: {change}. {words}")
        return "\n".join(
            comment(text.format(change=change_of(f, typed_text), words=f.undo if is_rollback else f.recommendation))
            for f in (decision.finding for decision in self._changes())
        )

    def _changes(self) -> list[Decision]:
        """Return the decided changes, each parameter's own, followed by those made together with it.

        What is left, measured again or set aside is not among them.
        """
        return [part for one in self._decisions if one.kind is DecisionKind.CHANGE for part in one.parts]

    def _writer_of(self, finding: Finding) -> ScriptWriter | None:
        return next((w for w in self._writers if is_change(finding) and w.takes(finding)), None)

    @cached_property
    def _recommendations(self) -> dict[tuple[ScriptWriter, bool], list[Recommendation]]:
        """Return the recommendations of each writer, to be made and to be undone."""
        findings = [decision.finding for decision in self._changes()]
        return {
            (writer, is_rollback): [
                self._recommendation(finding, is_rollback=is_rollback)
                for finding in findings
                if self._writer_of(finding) is writer
            ]
            for writer in self._writers
            for is_rollback in (False, True)
        }

    @cached_property
    def _decided(self) -> dict[ScriptFiles, Decision]:
        """The decision that each file carries out."""
        made: dict[ScriptFiles, Decision] = {}
        servers = {
            writer: writer.servers(self._recommendations[writer, False], self._session) for writer in self._writers
        }
        for whole in self._decisions:
            for place, part in enumerate(whole.parts if whole.kind is DecisionKind.CHANGE else ()):
                writer = self._writer_of(part.finding)
                if writer is None:
                    continue
                files = writer.files().of(whole.number)
                files = files.ending(f"-{place + 1}") if whole.together else files
                for server in servers[writer].get(part.finding, ()):
                    made[files.at(server)] = part
        return made

    def _recommendation(self, finding: Finding, *, is_rollback: bool = False) -> Recommendation:
        change = self._in_effect.change(finding)
        return Recommendation(
            finding=finding,
            new="" if finding.to_value is None else typed_text(finding.to_value),
            change=_("undo of {change}").format(change=change) if is_rollback else change,
            note=self._in_effect.note(finding),
            conditions=self._words.link(self._places.conditions(finding)),
        )


def _lead(decision: Decision) -> str:
    """Return a comment on a change that no confirming trials show, "" for any other decision."""
    if decision.kind is not DecisionKind.MEASURE_AGAIN or not is_change(decision.finding):
        return ""
    text = _("Not set: {change} is a lead; no confirming trials show it.")
    return comment(text.format(change=change_of(decision.finding, typed_text)))
