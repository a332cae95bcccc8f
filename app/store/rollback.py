"""`rollback.sql`, with which a DBA without this program undoes everything; always as new as the journal.

It undoes a run's changes and nothing else; scripts for decisions are the hand-over's (`apply-<decision>-<server>.sql`).
"""

import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from app.domain.change import Change, EntryState, JournalEntry, Keep
from app.domain.errors import StoreError
from app.domain.ports import UndoJournal
from app.domain.undo_tool import UndoPart, UndoTool
from app.foundation.files import write_atomically
from app.foundation.script_text import script_bytes as bytes_of
from app.foundation.terminal_text import for_terminal
from app.foundation.texts import _
from app.store.faults import sentence_of_system

_RULE: Final = "-- " + "=" * 97
# What ends a block for SQL*Plus, alone on its line.
_SLASH: Final = re.compile(r"(?m)^/[ \t]*$")

_log = logging.getLogger(__name__)


def rollback_script(entries: Sequence[JournalEntry], tools: Sequence[UndoTool]) -> str:
    """Return a script that undoes the open entries, newest first, whatever order they come in.

    Each entry's `undo_sql` is preceded by comments that say what it restores and where; restored entries are left out.
    Entries of both engines make two parts, because no tool runs both. It may be run twice, and at every server or
    database named, as every `undo_sql` may.

    Args:
        tools: of every engine; the first that takes an entry writes it.
    """
    still_open = sorted(
        (entry for entry in entries if entry.state is not EntryState.RESTORED), key=lambda e: e.entry_id, reverse=True
    )
    written_by = {entry.entry_id: _tool_of(entry, tools) for entry in still_open}
    parts = {tool: own for tool in tools if (own := [e for e in still_open if written_by[e.entry_id] is tool])}
    head = [
        _RULE,
        _comment(_("Rollback script written by Replitune.")),
        *(_header_of_open(still_open) if still_open else [_comment(_("Nothing to undo."))]),
    ]
    if len(parts) == 1:
        ((tool, own),) = parts.items()
        return "\n".join([*_first(tool), *head, *_part_lines(tool, own)])
    if parts:
        head.append(_comment(_("It has two parts, T-SQL and PL/SQL: save each as a file of its own and run both.")))
    lines = [*head, _RULE, ""]
    for tool, own in parts.items():
        title = _comment(_("The part in {language}").format(language=tool.language))
        lines += [*_first(tool), _RULE, title, *_part_lines(tool, own)]
    return "\n".join(lines)


def _first(tool: UndoTool) -> tuple[str, ...]:
    return (tool.first_line,) if tool.first_line else ()


def _part_lines(tool: UndoTool, entries: Sequence[JournalEntry]) -> list[str]:
    parts = [_part(number, len(entries), entry) for number, entry in enumerate(entries, start=1)]
    return [*map(_comment, tool.how_to_run), _RULE, "", tool.script(parts)]


def _tool_of(entry: JournalEntry, tools: Sequence[UndoTool]) -> UndoTool:
    return next(tool for tool in tools if tool.takes(entry.change.undo_sql))


def _header_of_open(still_open: Sequence[JournalEntry]) -> list[str]:
    sessions = sorted({entry.session_id for entry in still_open})
    targets = sorted({entry.target for entry in still_open})
    moments = sorted(entry.recorded_utc for entry in still_open)
    return [
        _comment(_("Changes still to be undone: {count}").format(count=len(still_open))),
        _comment(_("Session: {sessions}").format(sessions=", ".join(sessions))),
        _comment(_("Target: {targets}").format(targets=", ".join(targets))),
        _comment(
            _("Changes from {first} to {last}.").format(
                first=moments[0].isoformat(" ", "seconds"), last=moments[-1].isoformat(" ", "seconds")
            )
        ),
    ]


def _part(number: int, total: int, entry: JournalEntry) -> UndoPart:
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
        lines.append(_comment(_("Whether this change was ever sent is not known; undoing it is safe either way.")))
    if entry.is_kept:
        lines.append(_comment(_("The client keeps it on purpose: undo it when that is over.")))
    if entry.problem:
        lines.append(_comment(_("Undoing it failed before: {problem}").format(problem=entry.problem)))
    return UndoPart(change.subject, tuple(lines), change.undo_sql.strip() + "\n")


def _comment(text: str) -> str:
    """Return a text as one comment line: a line break in a server's name must not become a statement.

    Nor does sqlcmd see a variable in `$(`, whether or not it was started with -x, nor anybody a line turned round.
    """
    return "-- " + for_terminal(" ".join(text.split())).replace("$(", "$ (")


def script_bytes(text: str) -> bytes:
    """Return a script's bytes: ASCII as it is, else UTF-8.

    T-SQL gets a byte order mark, without which sqlcmd misreads names; what holds PL/SQL gets none, because SQL*Plus
    takes it for a command it does not know.
    """
    return bytes_of(text, has_mark=_SLASH.search(text) is None)


class JournalBelow(UndoJournal, Protocol):
    """A journal whose open entries a script undoes."""

    @property
    def trouble(self) -> str:
        """Why it is behind, one sentence, or ""."""
        ...


class JournalWithScript:
    """An `UndoJournal` that keeps a session's `rollback.sql` as new as the journal under it.

    The script is on disk before `record_intent` returns, so no change is sent that it does not undo. Where it cannot
    be written when an entry is marked, restoring goes on: the old script undoes too much, which does no harm,
    `script_problem` says so, and the log has a warning.

    Attributes:
        script_problem: why the script is older than the journal, one sentence, or "".
    """

    def __init__(
        self, journal: JournalBelow, script_path: Path | None, session_id: str, tools: Sequence[UndoTool]
    ) -> None:
        """Write the script for the journal's present content of the session.

        Args:
            tools: of every engine, as for `rollback_script`.
            script_path: None for no script, where all that is changed ends with this process.

        Raises:
            StoreError: the script's folder cannot be written.
        """
        self._journal = journal
        self._script_path = script_path
        self._session_id = session_id
        self._tools = tools
        self.script_problem = ""
        self._write_script()

    @property
    def journal_trouble(self) -> str:
        """Why the journal under it is behind, one sentence, or ""."""
        return self._journal.trouble

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

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back; a script that is known better now stands in the file."""
        self._journal.mark_applied(entry_id, made)
        self._try_to_write_script()

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back; the script no longer undoes it."""
        self._journal.mark_restored(entry_id)
        self._try_to_write_script()

    def mark_left(self, entry_id: int, change: Change) -> None:
        """Record the state in which a changed object is left; the script is the same."""
        self._journal.mark_left(entry_id, change)

    def mark_kept(self, entry_ids: Sequence[int], how: Keep | None) -> None:
        """Write that these changes are kept on purpose, or no longer; the script, which undoes them, says so."""
        self._journal.mark_kept(entry_ids, how)
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
            if not self.script_problem:
                _log.warning("rollback.sql is older than the journal: %s", error)
            self.script_problem = str(error)

    def _write_script(self) -> None:
        if self._script_path is None:
            return
        # Open entries only: few, however long the session; the restored ones would be read again at every write.
        still_open = [entry for entry in self._journal.open_entries() if entry.session_id == self._session_id]
        script = rollback_script(still_open, self._tools)
        try:
            write_atomically(self._script_path, script_bytes(script))
        except OSError as error:
            raise StoreError(sentence_of_system(error, self._script_path)) from error
        self.script_problem = ""
