"""`rollback.sql`: what a DBA without this program runs to put everything back, always as new as the journal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.errors import StoreError
from app.domain.ports import UndoJournal
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.store.faults import sentence_of_system

_RULE: Final = "-- " + "=" * 97


def rollback_script(entries: Sequence[JournalEntry]) -> str:
    """Return a T-SQL script that undoes the open entries, newest first, whatever order they come in.

    Each entry's `undo_sql` is a batch of its own (`GO`), preceded by comments that say what it restores and where;
    restored entries are left out. It may be run twice, as every `undo_sql` may.
    """
    still_open = sorted(
        (entry for entry in entries if entry.state is not EntryState.RESTORED), key=lambda e: e.entry_id, reverse=True
    )
    lines = [
        _RULE,
        _comment(_("Rollback script written by Replitune.")),
        *(_header_of_open(still_open) if still_open else [_comment(_("Nothing to undo."))]),
        _RULE,
        "",
    ]
    for number, entry in enumerate(still_open, start=1):
        lines += _entry_lines(number, len(still_open), entry)
    return "\n".join(lines)


def _header_of_open(still_open: Sequence[JournalEntry]) -> list[str]:
    sessions = sorted({entry.session_id for entry in still_open})
    targets = sorted({entry.target for entry in still_open})
    moments = sorted(entry.recorded_utc for entry in still_open)
    return [
        _comment(_("Changes still to be undone: {count}").format(count=len(still_open))),
        _comment(_("Session: {sessions}").format(sessions=", ".join(sessions))),
        _comment(_("Target: {targets}").format(targets=", ".join(targets))),
        _comment(
            _("Changes made between {first} and {last}.").format(
                first=moments[0].isoformat(" ", "seconds"), last=moments[-1].isoformat(" ", "seconds")
            )
        ),
        _comment(_("Run it from top to bottom on the target: newest change first. Running it twice does no harm.")),
    ]


def _entry_lines(number: int, total: int, entry: JournalEntry) -> list[str]:
    change = entry.change
    lines = [
        _comment(_("{number} of {total}: {subject}").format(number=number, total=total, subject=change.subject)),
        _comment(_("Restores: {original}").format(original=change.original)),
        _comment(_("Was changed to: {new}").format(new=change.new)),
        _comment(
            _("Target: {target}; entry {entry_id} of {moment}").format(
                target=entry.target, entry_id=entry.entry_id, moment=entry.recorded_utc.isoformat(" ", "seconds")
            )
        ),
    ]
    if entry.state is EntryState.INTENT:
        lines.append(_comment(_("It is not known whether this change was ever sent; undoing it is safe either way.")))
    if entry.problem:
        lines.append(_comment(_("Undoing it failed before: {problem}").format(problem=entry.problem)))
    return [*lines, change.undo_sql.strip(), "GO", ""]


def _comment(text: str) -> str:
    """Return a text as one comment line: a line break in a server's name must not become a statement."""
    return f"-- {' '.join(text.split())}"


def script_bytes(text: str) -> bytes:
    """Return a script's bytes: ASCII as it is, else UTF-8 with a mark, without which sqlcmd misreads names."""
    return text.encode("ascii" if text.isascii() else "utf-8-sig")


class JournalWithScript:
    """An `UndoJournal` that keeps a session's `rollback.sql` as new as the journal under it.

    The script is on disk before `record_intent` returns, so no change is sent that it does not undo. Where it cannot
    be written when an entry is marked, restoring goes on: the old script undoes too much, which does no harm, and
    `script_problem` says so.

    Attributes:
        script_problem: why the script is older than the journal, one sentence, or "".
    """

    def __init__(self, journal: UndoJournal, script_path: Path, session_id: str) -> None:
        """Write the script for what the journal holds of the session now.

        Raises:
            StoreError: the script's folder cannot be written.
        """
        self._journal = journal
        self._script_path = script_path
        self._session_id = session_id
        self.script_problem = ""
        self._write_script()

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change to the journal and to the script before it is sent; return its entry id.

        Raises:
            StoreError: journal or script cannot be written; the change must not be sent.
            ValueError: another session than the script's.
        """
        if session_id != self._session_id:
            raise ValueError(f"the script is that of session {self._session_id}, not {session_id}")
        entry_id = self._journal.record_intent(session_id, target, change)
        self._write_script()
        return entry_id

    def mark_applied(self, entry_id: int) -> None:
        """Write that the change was sent and read back."""
        self._journal.mark_applied(entry_id)
        self._try_to_write_script()

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back; the script no longer undoes it."""
        self._journal.mark_restored(entry_id)
        self._try_to_write_script()

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Write why undoing failed; the script says so too."""
        self._journal.mark_problem(entry_id, problem)
        self._try_to_write_script()

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first, of all sessions."""
        return self._journal.open_entries(target)

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session, oldest first."""
        return self._journal.entries_of(session_id)

    def _try_to_write_script(self) -> None:
        try:
            self._write_script()
        except StoreError as error:
            self.script_problem = str(error)

    def _write_script(self) -> None:
        # Open entries only: few, however long the session; the restored ones would be read again at every write.
        still_open = [entry for entry in self._journal.open_entries() if entry.session_id == self._session_id]
        script = rollback_script(still_open)
        try:
            write_atomically(self._script_path, script_bytes(script))
        except OSError as error:
            raise StoreError(sentence_of_system(error, self._script_path)) from error
        self.script_problem = ""
