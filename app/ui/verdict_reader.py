"""The verdicts of the newest session of each file."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app.services.explain.verdict_counts import Showed
from app.ui.desk import Desk
from app.ui.one_by_one import OneByOne


class VerdictReader(OneByOne[Path]):
    """Knows the verdicts of session files; earlier ones stay until they are counted again."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(desk, parent)
        self._may_begin = False

    def begin(self) -> None:
        """Count from now on: later than the first paint, once the modules for counting are loaded."""
        self._may_begin = True
        self._go_on()

    def read(self, session_files: Sequence[Path]) -> None:
        """Count these, the first one first, and no longer those asked for before."""
        self._read(session_files)

    def _go_on(self) -> None:
        if self._may_begin:
            super()._go_on()

    def _counting(self, key: Path) -> Callable[[], Showed | None]:
        return partial(self._desk.verdict_counter.showed, key)
