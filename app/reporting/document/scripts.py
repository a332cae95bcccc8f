"""Decisions as scripts a DBA can read, run and undo; their statements are their systems' own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter, common_files
from app.domain.session import SessionRecord
from app.domain.setting import typed_text
from app.foundation.script_text import RULE, comment, script_bytes
from app.foundation.texts import _
from app.reporting.decision_words import headline
from app.reporting.document.in_effect import InEffect
from app.reporting.expected import expected_texts
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
        self._in_effect = InEffect(session, words.writers, typed_text)

    @cached_property
    def _places(self) -> Places:
        return Places(self._session, self._words)

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
            files
            for files, done in self._decided.items()
            if any(one is part for one in done for part in decision.parts)
        )

    def text_of(self, decision: Decision, *, is_rollback: bool) -> str:
        """Return the scripts of one decision, one server after another, or the manual steps instead."""
        if files := self.files_of(decision):
            return "\n".join(self._script(one, is_rollback=is_rollback) for one in files)
        alone = Scripts(self._session, self._words, [decision])
        return alone.rollback(common_files()) if is_rollback else alone.apply(common_files())

    def written(self) -> Iterator[Script]:
        """Yield every script in the order they are run, each undo behind its change."""
        for files in self.files():
            texts = {
                files.before: (_("Reads the state to be noted before {file}.").format(file=files.apply), self.before),
                files.apply: (_purpose(files), self.apply),
                files.verify: (_("Reads the state after {file}.").format(file=files.apply), self.verify),
                files.rollback: (files.rollback_purpose, self.rollback),
            }
            for name in files.told:
                purpose, text = texts[name]
                yield Script(name, purpose, script_bytes(text(files), has_mark=files.has_mark))

    def apply(self, files: ScriptFiles) -> str:
        """Return the script that gives the measured places of one server the decided value."""
        return self._script(files, is_rollback=False)

    def rollback(self, files: ScriptFiles) -> str:
        """Return the script that undoes `apply` exactly, in reverse order."""
        return self._script(files, is_rollback=True)

    def before(self, files: ScriptFiles) -> str:
        """Return the script that reads the state to be noted ahead of a change."""
        return self._look(files, is_after=False)

    def verify(self, files: ScriptFiles) -> str:
        """Return the script that reads it afterwards, and ends with an error where a value is another one."""
        return self._look(files, is_after=True)

    def _look(self, files: ScriptFiles, *, is_after: bool) -> str:
        parts = self._decided[files]
        part = self._looked(files, parts, is_after=is_after)
        title = _("Reads the state afterwards") if is_after else _("Reads the state before")
        header = self._header(files.verify if is_after else files.before, title, part.where, parts)
        texts = [header, *part.preamble, *part.blocks, *part.ending]
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _looked(self, files: ScriptFiles, parts: Sequence[Decision], *, is_after: bool) -> ScriptPart:
        if not files.server:
            return ScriptPart(())
        writer, wanted = self._writer_of(parts[0].finding), [part.finding for part in parts]
        assert writer is not None, "a decision without a writer has no files"
        chosen = [one for one in self._recommendations[writer, False] if one.finding in wanted]
        expected = expected_texts(self._whole_of(parts[0]), self._words, is_after=is_after)
        return writer.look(chosen, self._session, files, expected, is_after=is_after)

    def _script(self, files: ScriptFiles, *, is_rollback: bool) -> str:
        if files in self._decided:
            return self._of(self._decided[files], files, is_rollback=is_rollback)
        texts = [
            self._header(*_title(files, is_rollback=is_rollback), ()),
            comment(_("This script changes nothing: no decision sets another value this way.")),
            self._by_hand(is_rollback=is_rollback),
            *([] if is_rollback else map(_lead, self._decisions)),
        ]
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _of(self, parts: Sequence[Decision], files: ScriptFiles, *, is_rollback: bool) -> str:
        writer = self._writer_of(parts[0].finding)
        assert writer is not None, "a decision without a writer has no files"
        every = self._recommendations[writer, is_rollback]
        wanted = [part.finding for part in parts]
        chosen = [one for one in every if one.finding in wanted]
        part = writer.write(chosen, every, self._session, files, is_rollback=is_rollback)
        said = [*part.where, " ".join(part.checks), *part.notes]
        header = self._header(*_title(files, is_rollback=is_rollback), said, parts)
        aside = "" if is_rollback else "\n".join(filter(None, map(self._set_aside, parts)))
        texts = [header, *part.preamble, *part.blocks, *part.ending, aside]
        return files.between.join(text.rstrip() + "\n" for text in texts if text)

    def _header(self, name: str, title: str, said: Sequence[str], parts: Sequence[Decision] = ()) -> str:
        session = self._session
        texts = [
            f"{name}: {title}",
            _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version),
            *said,
        ]
        lines = [comment(text) for text in texts if text]
        return "\n".join([RULE, *lines, *([self._line_of(parts)] if parts else []), RULE])

    def _line_of(self, parts: Sequence[Decision]) -> str:
        """Return the decision's number in the report, the conditions of its measurements, and the rules behind it."""
        first = parts[0]
        whole = self._whole_of(first)
        rules = ", ".join(dict.fromkeys(part.finding.rule for part in parts))
        where = "; ".join(part for part in (self._places.text(first.finding), rules) if part)
        text = _("Decision {number}: {title} ({where})")
        title = headline(whole, self._words, typed_text)
        return comment(text.format(number=whole.number, title=title, where=where), indent="-- * ")

    def _whole_of(self, part: Decision) -> Decision:
        """Return the decision that a part belongs to."""
        return next((one for one in self._decisions if any(own is part for own in one.parts)), part)

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
    def _decided(self) -> dict[ScriptFiles, tuple[Decision, ...]]:
        """The work of each file: the parts of one decision at one server, together."""
        made: dict[ScriptFiles, tuple[Decision, ...]] = {}
        servers = {
            writer: writer.servers(self._recommendations[writer, False], self._session) for writer in self._writers
        }
        for whole in self._decisions:
            for part in whole.parts if whole.kind is DecisionKind.CHANGE else ():
                writer = self._writer_of(part.finding)
                if writer is None:
                    continue
                for server in servers[writer].get(part.finding, ()):
                    files = writer.files().of(whole.number).at(server)
                    made[files] = (*made.get(files, ()), part)
        return {self._as_known(files, parts): parts for files, parts in made.items()}

    def _as_known(self, files: ScriptFiles, parts: Sequence[Decision]) -> ScriptFiles:
        """Return the files without those that nothing could be read by."""
        return files if self._looked(files, parts, is_after=True).blocks else files.without_looks()

    def _recommendation(self, finding: Finding, *, is_rollback: bool = False) -> Recommendation:
        change = self._in_effect.change(finding)
        return Recommendation(
            finding=finding,
            new="" if finding.to_value is None else typed_text(finding.to_value),
            change=_("undo of {change}").format(change=change) if is_rollback else change,
            note=self._in_effect.note(finding),
            conditions=self._words.link(self._places.conditions(finding)),
        )


def _purpose(files: ScriptFiles) -> str:
    """Return the purpose of a script that sets values: its decision stands in the report."""
    return _("Carries out decision {number}.").format(number=files.decision) if files.decision else files.purpose


def _title(files: ScriptFiles, *, is_rollback: bool) -> tuple[str, str]:
    """Return the name and the title of a script that sets values or undoes them."""
    if is_rollback:
        return files.rollback, _("Undoes the recommended values")
    return files.apply, _("Sets the recommended values")


def _lead(decision: Decision) -> str:
    """Return a comment on a change that no confirming trials show, "" for any other decision."""
    if decision.kind is not DecisionKind.MEASURE_AGAIN or not is_change(decision.finding):
        return ""
    text = _("Not set: {change} is a lead; no confirming trials show it.")
    return comment(text.format(change=change_of(decision.finding, typed_text)))
