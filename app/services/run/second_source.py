"""Changes that the session files hold although their undo journal has lost them.

A session file has a copy of each change since it was made. It says less than the journal: what was sent last may not be
in it, and what was undone in the middle of a run still stands as made. Undoing that once more changes nothing.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.domain.change import Change, EntryState, JournalEntry, Keep
from app.domain.errors import StoreError
from app.services.run.undo_tools import undo_tools
from app.store import (
    JournalWithScript,
    SessionPlace,
    UndoJournalFile,
    Witnessed,
    close_witness,
    open_for_reading,
    open_for_writing,
)

_log = logging.getLogger(__name__)


def lost_entries(witnessed: Witnessed, journal: UndoJournalFile | None) -> tuple[JournalEntry, ...]:
    """Return the changes that are open by their session's file and not in the journal, newest first.

    Args:
        journal: None where nothing of it is left.
    """
    found: list[JournalEntry] = []
    for session_id, place in (witnessed.places or {}).items():
        found += unknown_entries(place, session_id, journal)
    return tuple(sorted(found, key=lambda entry: entry.entry_id, reverse=True))


def unknown_entries(
    place: SessionPlace, session_id: str | None, journal: UndoJournalFile | None
) -> tuple[JournalEntry, ...]:
    """Return the changes of one session, the newest for None, that are open by its file and not in the journal."""
    if not place.is_here:
        return ()
    try:
        with open_for_reading(place.session_file) as reader:
            changes = reader.read_changes(session_id)
    except StoreError as error:
        _log.info("%s cannot be asked for what was open: %s", place.session_file, error)
        return ()
    known = [] if journal is None else [e for sid in {e.session_id for e in changes} for e in journal.entries_of(sid)]
    in_journal = {(entry.entry_id, entry.recorded_utc) for entry in known}
    return tuple(
        entry
        for entry in changes
        if entry.state is not EntryState.RESTORED and (entry.entry_id, entry.recorded_utc) not in in_journal
    )


# Added to the id of an entry that is in no journal, as long as it is undone: a new journal counts from 1 again.
_NOT_IN_JOURNAL: Final = 1_000_000


class WithSessionFiles:
    """An `UndoJournal` with entries that only session files hold, newer than those of the journal.

    What becomes of these is known here alone until it is written to their sessions' files.
    """

    def __init__(self, journal: UndoJournalFile | None, lost: Sequence[JournalEntry]) -> None:
        self._journal = journal
        self._lost = {entry.entry_id + _NOT_IN_JOURNAL: entry for entry in lost}

    @property
    def trouble(self) -> str:
        """Why the journal under it is behind, one sentence, or ""."""
        return "" if self._journal is None else self._journal.trouble

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change before it is sent; raises StoreError where there is no journal."""
        if self._journal is None:
            raise StoreError(f"no journal takes a change of {session_id} at {target}: {change.subject}")
        return self._journal.record_intent(session_id, target, change)

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back."""
        if self._journal is not None and entry_id not in self._lost:
            self._journal.mark_applied(entry_id, made)

    def mark_restored(self, entry_id: int) -> None:
        """Close an entry."""
        if entry_id in self._lost:
            self._lost[entry_id] = replace(self._lost[entry_id], state=EntryState.RESTORED, problem="")
        elif self._journal is not None:
            self._journal.mark_restored(entry_id)

    def mark_left(self, entry_id: int, change: Change) -> None:
        """Record the state in which a changed object is left."""
        if entry_id in self._lost:
            self._lost[entry_id] = replace(self._lost[entry_id], change=change)
        elif self._journal is not None:
            self._journal.mark_left(entry_id, change)

    def mark_kept(self, entry_ids: Sequence[int], how: Keep | None) -> None:
        """Write that these changes are kept on purpose, or no longer."""
        for entry_id in self._lost.keys() & set(entry_ids):
            entry = self._lost[entry_id]
            self._lost[entry_id] = replace(entry, change=entry.change.kept_as(how))
        in_journal = [entry_id for entry_id in entry_ids if entry_id not in self._lost]
        if in_journal and self._journal is not None:
            self._journal.mark_kept(in_journal, how)

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Keep an entry open and say why."""
        if entry_id in self._lost:
            self._lost[entry_id] = replace(self._lost[entry_id], problem=problem)
        elif self._journal is not None:
            self._journal.mark_problem(entry_id, problem)

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first."""
        lost = [
            replace(entry, entry_id=entry_id)
            for entry_id, entry in sorted(self._lost.items(), reverse=True)
            if entry.state is not EntryState.RESTORED and target in (None, entry.target)
        ]
        return (*lost, *(() if self._journal is None else self._journal.open_entries(target)))

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session as its file knows them."""
        own = () if self._journal is None else self._journal.entries_of(session_id)
        return (*own, *(entry for entry in self._lost.values() if entry.session_id == session_id))

    def settle(self, path: Path, witnessed: Witnessed, *, is_all: bool) -> bool:
        """Write the fate of these entries to their sessions' files and scripts, where these hold all of a session.

        Args:
            path: of the journal. witnessed: what is known of it beside it.
            is_all: nothing else is wrong with it that may hide a change.

        Returns:
            Whether nothing is open any more of all that the journal held; then nothing beside it says so either.
        """
        newest_of = witnessed.newest_of or {}
        told = [
            self._tell_session(session_id, place, newest_of.get(session_id, 0))
            for session_id, place in (witnessed.places or {}).items()
        ]
        if not is_all or not all(told) or not witnessed.is_complete or self.open_entries():
            return False
        close_witness(path)
        return True

    def _tell_session(self, session_id: str, place: SessionPlace, newest: int) -> bool:
        """Bring one session up to date; return whether its file holds every change of it that was open.

        Args:
            newest: id of the newest of these; a file that holds it was told of all before it, too.
        """
        own = [entry for entry in self._lost.values() if entry.session_id == session_id]
        try:
            with open_for_reading(place.session_file) as reader:
                is_whole = newest in {entry.entry_id for entry in reader.read_changes(session_id)}
            if own:
                with open_for_writing(place.session_file) as store:
                    store.resume_session(session_id).save_changes(own)
            if is_whole:
                JournalWithScript(self, place.rollback_script, session_id, undo_tools())
        except StoreError as error:
            _log.info("%s keeps what it says of its changes: %s", place.session_file, error)
            return False
        return is_whole
