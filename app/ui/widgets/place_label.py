"""Whose servers the session is about, always in sight at the top right."""

from PySide6.QtWidgets import QWidget

from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel, plain_tip

_MOST_LETTERS = 48


class PlaceLabel(PlainLabel):
    """Shows client and server, shortened in the middle where they are long."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setObjectName("main_window.place")
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
        self.setToolTip(plain_tip(place if is_long else ""))
        self.setAccessibleName(_("Servers of this session: {place}").format(place=place) if place else "")
        return self.text() != before
