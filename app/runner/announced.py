"""A changer that tells whoever watches a run what it changes and undoes."""

from collections.abc import Callable, Sequence
from functools import partial

from app.domain.change import Change
from app.domain.events import ChangeApplied, ChangeRestored, RunEvent
from app.domain.ports import UndoJournal
from app.domain.target import Target
from app.runner.undo import SafeChanger


class AnnouncedChanger(SafeChanger):
    """A changer that reports its changes to the sink of a run."""

    def __init__(
        self,
        target: Target,
        journal: UndoJournal,
        session_id: str,
        run_id: str,
        sink: Callable[[RunEvent], None],
        *,
        by_hand: bool = False,
    ) -> None:
        super().__init__(target, journal, session_id, by_hand=by_hand)
        self._run_id = run_id
        self._sink = sink

    def apply(self, change: Change) -> Change:
        """Make a change, then tell it."""
        made = super().apply(change)
        self._target.asking.then(lambda: self._sink(ChangeApplied(self._run_id, made)))
        return made

    def take_back(self, changes: Sequence[Change]) -> None:
        """Undo changes, then tell them."""
        super().take_back(changes)
        for change in reversed(changes):
            self._target.asking.then(partial(self._announce_restored, change))

    def restore_announced(self) -> tuple[str, ...]:
        """Undo every open change, telling each."""
        return self.restore(self._announce_restored)

    def _announce_restored(self, change: Change) -> None:
        self._sink(ChangeRestored(self._run_id, change))
