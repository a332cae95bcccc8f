"""Counts the verdicts of sessions, one after the other, off the main thread."""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.services.explain.verdict_counts import VerdictCounts
from app.ui.desk import Desk


class VerdictReader(QObject):
    """Knows the verdicts of sessions, as soon as they are counted; earlier ones stay until they are counted again.

    Signals:
        counted: something more is known.
    """

    counted = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._shown: dict[Path, VerdictCounts | None] = {}
        self._waiting: deque[Path] = deque()
        self._may_begin = False
        self._is_counting = False

    @property
    def shown(self) -> Mapping[Path, VerdictCounts | None]:
        """Return the verdicts so far; None where they cannot be told."""
        return self._shown

    def begin(self) -> None:
        """Count from now on: later than the first paint, once the modules for counting are loaded."""
        self._may_begin = True
        self._go_on()

    def read(self, session_files: Sequence[Path]) -> None:
        """Count these, the first one first, and no longer those asked for before."""
        self._waiting = deque(session_files)
        self._go_on()

    def _go_on(self) -> None:
        """Count the next one; while a run goes on that has the computer, and the list is read again when it ends."""
        if self._waiting and self._may_begin and not self._is_counting and not self._desk.is_running:
            self._is_counting = True
            path = self._waiting.popleft()
            work = partial(self._desk.verdict_counter.count, path)
            self._desk.tasks.query(self, work, partial(self._keep, path), partial(self._keep_unknown, path))

    def _keep(self, path: Path, counts: VerdictCounts | None) -> None:
        self._shown[path] = counts
        self._is_counting = False
        self.counted.emit()
        self._go_on()

    def _keep_unknown(self, path: Path, _error: BaseException) -> None:
        self._keep(path, None)  # opening the session says why
