"""The scripts of a hand-over: which files there are, and what stands in each."""

from collections.abc import Sequence

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.reporting.document.in_effect import InEffect
from app.reporting.document.wording import Vocabulary, is_change
from app.reporting.scripts import apply_script, rollback_script
from app.reporting.system_parts import COMMON_FILES, ScriptFiles, SystemParts


class Scripts:
    """Makes the scripts of one session."""

    def __init__(self, session: SessionRecord, words: Vocabulary) -> None:
        self._session, self._words = session, words
        self._in_effect = InEffect(session, words.parts)

    def files(self, findings: Sequence[Finding]) -> tuple[ScriptFiles, ...]:
        """Return the files that recommendations need, those of every hand-over first."""
        needed = (files for finding in findings if (files := self.files_of(finding)) is not None)
        return tuple(dict.fromkeys((COMMON_FILES, *needed)))

    def files_of(self, finding: Finding) -> ScriptFiles | None:
        """Return the files that carry a recommendation out, None where a person does, or nothing is to be done."""
        parts = self._parts_for(finding)
        return None if parts is None else parts.files

    def core(self, finding: Finding) -> tuple[str, str]:
        """Return the statements at the heart of both scripts for one finding, without guards; ("", "") where none is.

        For reading beside the finding; what is to be run is in the complete scripts.
        """
        parts = self._parts_for(finding)
        return ("", "") if parts is None else parts.core(finding, self._session)

    def apply(self, findings: Sequence[Finding], files: ScriptFiles = COMMON_FILES) -> str:
        """Return what gives the measured places the recommended values."""
        if files == COMMON_FILES:
            return apply_script(findings, self._session, self._words)
        return self._own(findings, files, is_rollback=False)

    def rollback(self, findings: Sequence[Finding], files: ScriptFiles = COMMON_FILES) -> str:
        """Return what takes `apply` back exactly, in reverse order."""
        if files == COMMON_FILES:
            return rollback_script(findings, self._session, self._words)
        return self._own(findings, files, is_rollback=True)

    def _own(self, findings: Sequence[Finding], files: ScriptFiles, *, is_rollback: bool) -> str:
        made = (
            parts.script(findings, self._session, self._in_effect, is_rollback=is_rollback)
            for parts in self._words.parts
            if parts.files == files
        )
        return "".join(made)

    def _parts_for(self, finding: Finding) -> SystemParts | None:
        return next((parts for parts in self._words.parts if is_change(finding) and parts.takes(finding)), None)
