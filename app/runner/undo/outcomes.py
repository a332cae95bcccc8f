"""What became of each entry of a restore, in the journal and for whoever is told."""

import logging
from collections.abc import Callable
from functools import partial

from app.domain.change import Change, JournalEntry
from app.domain.errors import StoreError
from app.domain.ports import UndoJournal
from app.foundation.texts import _

_log = logging.getLogger(__name__)

ObjectKey = tuple[str, str, str]
"""As `Change.object_key`."""


class Outcomes:
    """The outcomes of one restore; neither a journal that cannot be written nor a listener's mistake ends it.

    Attributes:
        problems: why an object's entries stay open.
        left: objects that somebody else changed since, which stay so. others: those that are not as they were found.
        gone: objects that are no longer there.
    """

    def __init__(
        self,
        journal: UndoJournal,
        on_restored: Callable[[Change], None],
        on_left: Callable[[Change, str], None] | None,
        on_undoing: Callable[[Change], None],
    ) -> None:
        self.journal = journal
        self._on_undoing = on_undoing
        self._on_restored = on_restored
        self._on_left = on_left
        self.problems: dict[ObjectKey, str] = {}
        self.left: set[ObjectKey] = set()
        self.others: set[ObjectKey] = set()
        self.gone: set[ObjectKey] = set()
        self._not_undone: set[tuple[str, str]] = set()  # session and kind
        self._journal_problem = ""

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each subject that could not be restored."""
        problems = [f"{subject}: {problem}" for (_kind, subject, _one), problem in self.problems.items()]
        return (*problems, self._journal_problem) if self._journal_problem else tuple(problems)

    def begin(self, entry: JournalEntry) -> None:
        """Tell that the undoing of an entry begins."""
        self._tell(self._on_undoing, entry.change)

    def close(self, entry: JournalEntry) -> None:
        """Close an entry that is undone, and tell it."""
        self.forget(entry)
        self._tell(self._on_restored, entry.change)

    def forget(self, entry: JournalEntry) -> None:
        """Close an entry without telling it."""
        self.mark(partial(self.journal.mark_restored, entry.entry_id))

    def note_left(self, entry: JournalEntry, change: Change) -> None:
        """Have the journal keep how the object of an entry was left."""
        self.mark(partial(self.journal.mark_left, entry.entry_id, change))

    def keep_open(self, entry: JournalEntry, problem: str) -> None:
        """Keep an entry open, with the reason."""
        if entry.change.object_key not in self.others | self.gone:
            self._not_undone.add((entry.session_id, entry.change.kind))
        self.problems[entry.change.object_key] = problem
        self.mark(partial(self.journal.mark_problem, entry.entry_id, problem))

    def leave(self, entry: JournalEntry, problem: str) -> None:
        """Leave an object as somebody else changed it, where whoever is told of that takes it."""
        self.others.add(entry.change.object_key)
        if self._on_left is not None:
            self.left.add(entry.change.object_key)
            self._tell(self._on_left, entry.change, problem)

    def is_undone_of(self, session_id: str, kinds: frozenset[str]) -> bool:
        """Tell whether nothing of these kinds of a session had to stay."""
        return not any((session_id, kind) in self._not_undone for kind in kinds)

    def mark(self, write: Callable[[], None]) -> None:
        """Write to the journal."""
        try:
            write()
        except StoreError as error:
            # What was put back stays listed; putting it back once more changes nothing.
            self._journal_problem = _(
                "the undo journal could not be written ({error}); run `replitune restore` when it can be"
            ).format(error=error)

    def _tell(self, listener: Callable[..., None], *what: object) -> None:
        try:
            listener(*what)
        except StoreError as error:  # no mistake of the program; whoever keeps the run's end meets it again
            _log.info("a change was put back and could not be kept: %s", error)
        except Exception:  # noqa: BLE001  # the rest must still be put back
            _log.exception("a change was put back and could not be told")
