"""Making changes so that they can always be undone: the journal first, then the server."""

import logging
from collections.abc import Callable, Sequence

from app.domain.change import Change, JournalEntry
from app.domain.errors import TargetError
from app.domain.ports import Target, UndoJournal

_log = logging.getLogger(__name__)

# A lost connection is back within seconds or not at all; three tries bridge a restart of the network.
UNDO_ATTEMPTS = 3
UNDO_RETRY_PAUSE_S = 5.0


class SafeChanger:
    """Applies changes to one target, each on disk in the journal before it is sent."""

    def __init__(self, target: Target, journal: UndoJournal, session_id: str) -> None:
        self._target = target
        self._journal = journal
        self._session_id = session_id

    def apply(self, change: Change) -> None:
        """Record the change, send it, read it back, and record that it holds.

        Raises:
            TargetError: the server refused; the journal entry stays open and will be undone.
        """
        entry_id = self._journal.record_intent(self._session_id, self._target.key, change)
        self._target.changes.apply(change)
        self._journal.mark_applied(entry_id)

    def restore(self, on_restored: Callable[[Change], None]) -> tuple[str, ...]:
        """Undo every open change of this session on this target; return one sentence for each that failed."""
        entries = [e for e in self._journal.open_entries(self._target.key) if e.session_id == self._session_id]
        return restore_entries(self._target, self._journal, entries, on_restored)


def restore_entries(
    target: Target,
    journal: UndoJournal,
    entries: Sequence[JournalEntry],
    on_restored: Callable[[Change], None],
) -> tuple[str, ...]:
    """Undo journal entries newest first, verifying each by reading it back.

    One entry that cannot be undone does not keep the others from being undone, and stays open in the journal.

    Returns:
        One sentence for each entry that could not be restored.
    """
    newest_first = sorted(entries, key=lambda entry: entry.entry_id, reverse=True)
    problems: list[str] = []
    if newest_first:
        # An agent that does not answer here must not keep the settings from being put back.
        _attempt(target, lambda: target.changes.quiesce([entry.change for entry in newest_first]))
    for entry in newest_first:
        problem = _undo(target, entry.change)
        if problem:
            journal.mark_problem(entry.entry_id, problem)
            problems.append(f"{entry.change.subject}: {problem}")
        else:
            journal.mark_restored(entry.entry_id)
            on_restored(entry.change)
    return tuple(problems)


def _undo(target: Target, change: Change) -> str:
    return _attempt(target, lambda: target.changes.undo(change))


def _attempt(target: Target, action: Callable[[], None]) -> str:
    """Try an action several times; return "" or the last error's sentence."""
    problem = ""
    for attempt in range(UNDO_ATTEMPTS):
        try:
            if attempt:
                target.clock.sleep(UNDO_RETRY_PAUSE_S)
            action()
        except TargetError as error:
            problem = str(error)
            _log.info("undo attempt %d failed: %s", attempt + 1, problem)
        else:
            return ""
    return problem
