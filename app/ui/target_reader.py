"""Reading one target at a time in the background, for the pages that show it."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.services.look.reading import TargetReading, read_target
from app.services.ports import TargetOpener
from app.services.program import Program
from app.services.target.answers import Answers
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
        self._answers: Answers | None = None
        self.target = ""

    @property
    def is_reading(self) -> bool:
        """Whether a reading is awaited."""
        return bool(self.target)

    def read(self, target: str) -> None:
        """Begin to read a target; changes nothing there."""
        self.cancel()
        self.target = target
        work = partial(_read, self._desk.program, target, self._desk.preferences.lab_seed)
        on_done, on_error = partial(self._on_arrived, target), partial(self._on_failed, target)
        self._answers = self._desk.servers.query(self, work, on_done, on_error)

    def cancel(self) -> None:
        """Await the reading no longer."""
        self.target = ""
        if self._answers is not None:
            self._desk.servers.leave(self._answers)

    def _on_arrived(self, target: str, reading: TargetReading) -> None:
        self.target = ""
        self.reading_arrived.emit(target, reading)

    def _on_failed(self, target: str, error: BaseException) -> None:
        self.target = ""
        self.reading_failed.emit(target, error)


def _read(program: Program, target: str, seed: int, open_target: TargetOpener) -> TargetReading:
    """Runs on a worker thread: the families are loaded here, too, which takes a moment the first time."""
    return read_target(target, program.families, open_target, seed)
