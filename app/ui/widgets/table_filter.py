"""A line to filter a table by, at its lower edge, for tables without a field of their own beside them."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QTableView

from app.foundation.texts import _

_WIDTH_PX: Final = 240
_MARGIN_PX: Final = 4


class FilterLine(QLineEdit):
    """Stays in sight while it filters, so that nobody takes some rows for all; Esc shows them all again."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.setObjectName(f"{table.objectName()}.filter_edit")
        self.setAccessibleName(_("Show only rows that contain"))
        self.setPlaceholderText(_("Filter by words"))
        self.setClearButtonEnabled(True)
        self.setAutoFillBackground(True)
        table.viewport().installEventFilter(self)
        self.editingFinished.connect(self._on_left)
        self.hide()

    def ask(self) -> None:
        """Come up and take the keyboard."""
        self._place()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def _place(self) -> None:
        room = self._table.viewport().geometry()
        width = min(_WIDTH_PX, room.width() - 2 * _MARGIN_PX)
        height = self.sizeHint().height()
        self.setGeometry(room.right() - width - _MARGIN_PX, room.bottom() - height - _MARGIN_PX, width, height)

    @Slot()
    def _on_left(self) -> None:
        if not self.text():
            self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back to the rows: with Return to those that fit, with Esc to all (Qt calls this)."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self._table.setFocus()
            self.hide()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self._table.setFocus()
            event.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the place at the lower edge (Qt calls this)."""
        if event.type() == QEvent.Type.Resize and watched is self._table.viewport():
            self._place()
        return super().eventFilter(watched, event)
