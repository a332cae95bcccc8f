"""Making changes so that they can always be undone: the journal first, then the server."""

import logging
from collections.abc import Callable, Sequence
from functools import partial

from app.domain.change import Change, JournalEntry
from app.domain.errors import ChangedByOthers, ConnectionLost, StatementTimeout, TargetError
from app.domain.ports import Target, UndoJournal
from app.foundation.clock import Clock

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

    def take_back(self, changes: Sequence[Change]) -> None:
        """Undo changes of this session that are still open, newest first, each read back.

        For a value that goes to and fro during a run: at any moment one change of it is open at most.

        Raises:
            TargetError: one could not be undone; its entry stays open.
        """
        for change in reversed(changes):
            entry = next((e for e in self._own_entries() if e.change == change), None)
            if entry is not None:
                self._target.changes.undo(change)
                self._journal.mark_restored(entry.entry_id)

    def restore(self, on_restored: Callable[[Change], None]) -> tuple[str, ...]:
        """Undo every open change of this session on this target; return one sentence for each that failed."""
        return restore_entries(self._target, self._journal, self._own_entries(), on_restored)

    def _own_entries(self) -> list[JournalEntry]:
        return [e for e in self._journal.open_entries(self._target.key) if e.session_id == self._session_id]


def restore_entries(
    target: Target,
    journal: UndoJournal,
    entries: Sequence[JournalEntry],
    on_restored: Callable[[Change], None],
    on_left: Callable[[Change, str], None] | None = None,
) -> tuple[str, ...]:
    """Undo journal entries newest first, verifying each by reading it back.

    A server that does not answer any more is waited for once, not with each entry: what follows is tried a single
    time, in case it belongs to another server.

    One entry that cannot be undone does not keep those of other subjects from being undone, and stays open in the
    journal. Older ones of the same subject stay open with it: undone out of their order, they would put back what
    stood between two changes.

    Args:
        on_restored: told each change that was undone.
        on_left: told each change somebody else changed since, which is then closed as they left it; without it such a
            change stays open.

    Returns:
        One sentence for each subject that could not be restored.
    """
    newest_first = sorted(entries, key=lambda entry: entry.entry_id, reverse=True)
    problems: dict[tuple[str, str], str] = {}
    left: set[tuple[str, str]] = set()
    tries = _Tries(target.clock)
    if newest_first:
        # An agent that does not answer here must not keep the settings from being put back.
        tries.attempt(lambda: target.changes.quiesce([entry.change for entry in newest_first]))
    for entry in newest_first:
        of_what = (entry.change.kind, entry.change.subject)
        problem = problems.get(of_what, "")
        try:
            if not problem and of_what not in left:
                problem = tries.attempt(partial(target.changes.undo, entry.change))
        except ChangedByOthers as error:
            problem = str(error)
            if on_left is not None:
                left.add(of_what)
                on_left(entry.change, problem)
        if of_what in left:
            journal.mark_restored(entry.entry_id)
            continue
        if problem:
            journal.mark_problem(entry.entry_id, problem)
            problems[of_what] = problem
        else:
            journal.mark_restored(entry.entry_id)
            on_restored(entry.change)
    return tuple(f"{subject}: {problem}" for (_kind, subject), problem in problems.items())


class _Tries:
    """Tries several times what a server may refuse in passing, and once only while it does not answer at all."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tries = UNDO_ATTEMPTS

    def attempt(self, action: Callable[[], None]) -> str:
        """Try an action; return "" or the last error's sentence; raises ChangedByOthers."""
        problem, is_silent = "", False
        for number in range(self._tries):
            try:
                if number:
                    self._clock.sleep(UNDO_RETRY_PAUSE_S)
                action()
            except ChangedByOthers:
                raise  # no further try changes that
            except TargetError as error:
                problem, is_silent = str(error), isinstance(error, ConnectionLost | StatementTimeout)
                _log.info("undo attempt %d failed: %s", number + 1, problem)
            else:
                self._tries = UNDO_ATTEMPTS
                return ""
        if is_silent:
            self._tries = 1
        return problem
