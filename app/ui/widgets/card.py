"""A card: a light ground with a thin line around it, on which parts of a page stand; its words can be copied."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX
from app.ui.widgets.picture_copy import copy_menu
from app.ui.widgets.rich_text import shown_text


class Card(QFrame):
    """Has a column for its parts; the stylesheet draws it.

    Attributes:
        column: the layout of its parts.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty(ROLE, "card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2 * GRID_PX, GRID_PX + 4, 2 * GRID_PX, GRID_PX + 4)
        self.column.setSpacing(GRID_PX)

    @property
    def words(self) -> str:
        """All words in sight on the card, in the order they are read, a line for each."""
        labels = [label for label in self.findChildren(QLabel) if label.isVisible() and label.text().strip()]
        labels.sort(key=lambda label: (label.mapTo(self, QPoint()).y(), label.mapTo(self, QPoint()).x()))
        return "\n".join(shown_text(label) for label in labels)

    def copy_words(self) -> None:
        """Put the words on the clipboard."""
        QGuiApplication.clipboard().setText(self.words)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy the card (Qt calls this)."""
        menu = copy_menu(self)
        menu.addAction(_("Copy the &card")).triggered.connect(self.copy_words)
        menu.popup(event.globalPos())
