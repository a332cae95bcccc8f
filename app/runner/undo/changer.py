"""The changes of one run, each on disk in the journal before it is sent."""

from collections.abc import Callable, Sequence
from functools import partial

from app.domain.change import Change, JournalEntry, Keep, LeftAs
from app.domain.errors import ChangedMeanwhile, StoreError
from app.domain.ports import UndoJournal
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.undo.processes import run_with
from app.runner.undo.restore import restore_entries


class SafeChanger:
    """Applies changes to one target, each on disk in the journal before it is sent.

    Args:
        by_hand: the target's changes are made by the client's DBA, which the journal keeps with each.
    """

    def __init__(self, target: Target, journal: UndoJournal, session_id: str, *, by_hand: bool = False) -> None:
        self._target = target
        self._journal = journal
        self._session_id = session_id
        self._by_hand = by_hand

    def apply(self, change: Change) -> Change:
        """Record the change, send it, read it back, and record that it holds; return it as it was made.

        Raises:
            ChangedMeanwhile: somebody else's value stands there, which stays; nothing was sent, so nothing is open.
            TargetError: the server refused; the journal entry stays open and will be undone.
        """
        entry_id = self._journal.record_intent(self._session_id, self._target.key, self._kept(change))
        try:
            made = self._target.changes.apply(change)
        except ChangedMeanwhile:
            self._journal.mark_restored(entry_id)
            raise
        self._target.asking.then(lambda: self._journal.mark_applied(entry_id, made and self._kept(made)))
        return made or change

    def take_back(self, changes: Sequence[Change]) -> None:
        """Undo changes of this session that are still open, newest first, each read back.

        For a value that goes to and fro during a run: at any moment one change of it is open at most, and one more
        while its process runs on with a value it was started with.

        Raises:
            TargetError: one could not be undone; its entry stays open.
        """
        for change in reversed(changes):
            own = self._own_entries()
            entry = next((e for e in own if e.change == self._kept(change)), None)
            if entry is None:
                continue
            self._target.after_late_requests(partial(self._target.changes.undo, change), of_earlier=False)
            oldest = min((e for e in own if e.change.object_key == change.object_key), key=lambda e: e.entry_id)
            ran = run_with(self._target, change, (change,)) if self._target.asking.is_waiting else None
            self._target.asking.then(partial(self._close, entry, oldest, change, ran))

    def _close(self, entry: JournalEntry, oldest: JournalEntry, change: Change, ran: str | None) -> None:
        """Have the journal say that a change was undone, unless its process runs on with it.

        Args:
            ran: the run of the process that the undo was to end, with others in one script; None where it was alone.
        """
        run = run_with(self._target, change, (change,))
        if ran is not None and run != ran:
            run = ""  # it was started since, from the original
        if run:
            self._journal.mark_left(oldest.entry_id, oldest.change.undone_in(run))
        if not run or oldest is not entry:
            self._journal.mark_restored(entry.entry_id)

    def note_left(self, change: Change, how: LeftAs) -> None:
        """Record how a process whose first stop or start this change was is left; see `Changer`."""
        for entry in self._own_entries():
            if entry.change.object_key == change.object_key:
                self._journal.mark_left(entry.entry_id, entry.change.with_left(how))

    def leave(self, changes: Sequence[Change]) -> None:
        """Close the open entries of these subjects without undoing them: somebody else decided since.

        Raises:
            StoreError: the journal cannot be written; they stay open.
        """
        subjects = {change.object_key for change in changes}
        for entry in self._own_entries():
            if entry.change.object_key in subjects:
                self._journal.mark_restored(entry.entry_id)

    def keep(self, how: Keep | None) -> None:
        """Record that the open changes of this session are kept on purpose, or, for None, no longer.

        Raises:
            StoreError: the journal cannot be written; they are to be undone as before.
        """
        self._journal.mark_kept([entry.entry_id for entry in self._own_entries()], how)

    def restore(self, on_restored: Callable[[Change], None]) -> tuple[str, ...]:
        """Undo every open change of this session on this target; return one sentence for each that failed."""
        try:
            own = self._own_entries()
        except StoreError as error:
            return (_("the undo journal cannot be read ({error}); use rollback.sql").format(error=error),)
        return restore_entries(self._target, self._journal, own, on_restored, of_earlier=False)

    def _kept(self, change: Change) -> Change:
        """Return a change as the journal keeps it."""
        return change.made_by_hand() if self._by_hand else change

    def _own_entries(self) -> list[JournalEntry]:
        return [e for e in self._journal.open_entries(self._target.key) if e.session_id == self._session_id]
