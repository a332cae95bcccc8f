"""A card: a light ground with a thin line around it, on which parts of a page stand."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui.theme import GRID_PX

_RADIUS_PX = 8


class Card(QFrame):
    """Draws ground and line in the colours of the window; has a column for what stands on it.

    Attributes:
        column: the layout of its parts.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.is_chosen = False
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2 * GRID_PX, GRID_PX + 4, 2 * GRID_PX, GRID_PX + 4)
        self.column.setSpacing(GRID_PX)

    def choose(self, *, chosen: bool) -> None:
        """Draw a thicker line in the accent colour, or the thin one."""
        if chosen != self.is_chosen:
            self.is_chosen = chosen
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the card (Qt calls this)."""
        roles = QPalette.ColorRole
        width = 2.0 if self.is_chosen else 1.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(roles.Accent if self.is_chosen else roles.Mid), width))
        painter.setBrush(self.palette().color(roles.Base))
        edge = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), _RADIUS_PX, _RADIUS_PX)
        painter.end()
