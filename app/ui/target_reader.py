"""Reading one target at a time in the background, for the pages that show it."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.services.look.reading import TargetReading, read_target
from app.services.program import Program
from app.ui.desk import Desk


class TargetReader(QObject):
    """Reads a target; a reading that was given up, or followed by another one, is dropped when it arrives.

    Signals:
        reading_arrived: target and its TargetReading.
        reading_failed: target and the exception.
    """

    reading_arrived = Signal(str, object)
    reading_failed = Signal(str, object)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._number = 0
        self.target = ""

    @property
    def is_reading(self) -> bool:
        """Whether a reading is awaited."""
        return bool(self.target)

    def read(self, target: str) -> None:
        """Begin to read a target; changes nothing there."""
        self._number += 1
        self.target = target
        self._desk.tasks.query(
            self,
            partial(_read, self._desk.program, target, self._desk.preferences.lab_seed),
            partial(self._on_arrived, self._number, target),
            partial(self._on_failed, self._number, target),
        )

    def cancel(self) -> None:
        """Await the reading no longer."""
        self._number += 1
        self.target = ""

    def _on_arrived(self, number: int, target: str, reading: TargetReading) -> None:
        if number == self._number:
            self.target = ""
            self.reading_arrived.emit(target, reading)

    def _on_failed(self, number: int, target: str, error: BaseException) -> None:
        if number == self._number:
            self.target = ""
            self.reading_failed.emit(target, error)


def _read(program: Program, target: str, seed: int) -> TargetReading:
    """Runs on a worker thread: the families are loaded here, too, which takes a moment the first time."""
    return read_target(target, program.families, program.parts.open_target, seed)
