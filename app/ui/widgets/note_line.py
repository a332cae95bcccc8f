"""A line for a note during a run."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from app.foundation.texts import _

_LONGEST = 500


class NoteLine(QLineEdit):
    """Takes one note at a time; Return keeps it.

    Signals:
        note_written: the note.
    """

    note_written = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run.note_edit")
        self.setAccessibleName(_("Note on the run"))
        self.setPlaceholderText(_("Note on the run; Return keeps it with the time"))
        self.setMaxLength(_LONGEST)
        self.returnPressed.connect(self._on_return_pressed)

    @Slot()
    def _on_return_pressed(self) -> None:
        text = self.text().strip()
        if text:
            self.clear()
            self.note_written.emit(text)
