"""Where garbage is collected: on the main thread alone, whichever thread made it."""

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

_PAUSE_MS: Final = 100


class Collector(QObject):
    """Collects garbage as Python's collector does, at the same thresholds, on the thread of the window.

    Python collects on the thread that happens to allocate. A worker that takes down what is left of a page a moment
    before, widgets and all, ends the program with a memory fault: Qt's objects belong to the main thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timeout)
        gc.disable()
        self._timer.start(_PAUSE_MS)

    @Slot()
    def _on_timeout(self) -> None:
        counts, limits = gc.get_count(), gc.get_threshold()
        due = [generation for generation in range(3) if counts[generation] > limits[generation]]
        if 0 in due:
            gc.collect(max(due))

    def close(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
