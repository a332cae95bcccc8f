"""A lab whose changes and undos can be held, as those of a slow server: to see what the window shows meanwhile."""

import threading
from typing import Any

from app.domain.change import Change
from app.domain.ports import ServerChanges, StatementSink
from app.domain.target import Target
from app.foundation.asked import Asked
from app.services.ports import TargetOpener
from tests.patience import PATIENCE_S


class HeldUndo:
    """Opens targets on which so many changes are put back at once, and the others when they may.

    Args:
        changes: after so many changes the run waits until it may go on, so that the same ones are always put back; None
            for a run that is not held.

    Attributes:
        held: set while an undo waits.
        changed: set once so many changes are made.
    """

    def __init__(self, opener: TargetOpener, at_once: int = 1, changes: int | None = None) -> None:
        self._opener = opener
        self._left = at_once
        self._changes = changes
        self._may_go_on = threading.Event()
        self._may_change = threading.Event()
        self._asked = Asked()
        self.held = threading.Event()
        self.changed = threading.Event()

    def __call__(self, target: str, seed: int, on_statement: StatementSink, /) -> Target:
        """Open a target."""
        opened: Any = self._opener(target, seed, on_statement)
        opened.changes = _HeldChanges(opened.changes, self)
        self._asked = opened.asked
        held: Target = opened
        return held

    def pass_one(self) -> None:
        """Wait until the next undo may be sent."""
        self._left -= 1
        if self._left < 0:
            self._hold(self.held, self._may_go_on)

    def change_one(self) -> None:
        """Wait behind the last change of those that are not held."""
        if self._changes is None:
            return
        self._changes -= 1
        if self._changes == 0:
            self._hold(self.changed, self._may_change)

    def _hold(self, begun: threading.Event, until: threading.Event) -> None:
        """Wait as for a server that does not answer."""
        with self._asked.asking("DIST1"):
            begun.set()
            until.wait(PATIENCE_S)

    def go_on_changing(self) -> None:
        """Let the run go on from the last change it made."""
        self._may_change.set()

    def go_on(self) -> None:
        """Let everything be put back."""
        self._may_go_on.set()


class _HeldChanges:
    """The changes of a target, with a change and an undo that wait."""

    def __init__(self, changes: ServerChanges, hold: HeldUndo) -> None:
        self._changes = changes
        self._hold = hold

    def __getattr__(self, name: str) -> Any:
        return getattr(self._changes, name)

    def apply(self, change: Change) -> Change | None:
        """Make the change; the run waits behind the last one it may make."""
        made = self._changes.apply(change)
        self._hold.change_one()
        return made

    def undo(self, change: Change) -> None:
        """Put the original back, once it may be."""
        self._hold.pass_one()
        self._changes.undo(change)
