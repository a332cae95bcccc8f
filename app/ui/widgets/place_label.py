"""Whose servers the session is about, always in sight at the top right."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.foundation.texts import _
from app.ui.theme import GRID_PX

_MOST_LETTERS = 48


class PlaceLabel(QLabel):
    """Shows client and server, shortened in the middle where they are long."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("main_window.place")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setContentsMargins(GRID_PX, 6, 2 * GRID_PX, 6)
        font = self.font()
        font.setBold(True)
        self.setFont(font)

    def show_place(self, place: str) -> bool:
        """Show a place, "" for none; return whether another one was shown before."""
        before = self.text()
        half = _MOST_LETTERS // 2
        is_long = len(place) > _MOST_LETTERS
        self.setText(f"{place[:half]}…{place[-half:]}" if is_long else place)
        self.setToolTip(place if is_long else "")
        self.setAccessibleName(_("Servers of this session: {place}").format(place=place) if place else "")
        return self.text() != before
