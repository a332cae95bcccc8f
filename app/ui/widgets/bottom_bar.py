"""The bar below every page: present changes on servers at its left, the next step and its button at its right."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX

_NARROW_PX = 100 * GRID_PX
"""Narrower than this the two stand below each other."""


class BottomBar(QFrame):
    """Holds the strip that is always shown and the footer of the wizard, which a page outside it hides."""

    def __init__(self, strip: QWidget, footer: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bottom_bar")
        self.setProperty(ROLE, "bar")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(strip, 2)
        self._row.addWidget(footer, 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the parts where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_narrow = event.size().width() < _NARROW_PX
        self._row.setDirection(directions.BottomToTop if is_narrow else directions.LeftToRight)
