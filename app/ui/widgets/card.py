"""A card: a light ground with a thin line around it, on which parts of a page stand; its words can be copied."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui.theme import GRID_PX
from app.ui.widgets.picture_copy import make_card


class Card(QFrame):
    """Has a column for its parts; the stylesheet draws it.

    Attributes:
        column: the layout of its parts.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        make_card(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2 * GRID_PX, GRID_PX + 4, 2 * GRID_PX, GRID_PX + 4)
        self.column.setSpacing(GRID_PX)
