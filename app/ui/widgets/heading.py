"""The head of a page outside the wizard: its question, and one line on the next step."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel

_TITLE_SCALE = 1.4


class Heading(QWidget):
    """A question, with a hint below it."""

    def __init__(self, question: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = PlainLabel(question)
        font = self._question.font()
        font.setPointSizeF(font.pointSizeF() * _TITLE_SCALE)
        font.setBold(True)
        self._question.setFont(font)
        self._question.setWordWrap(True)
        self._hint = PlainLabel(hint)
        self._hint.setWordWrap(True)
        self._hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addWidget(self._question)
        layout.addWidget(self._hint)

    def show_hint(self, hint: str) -> None:
        """Show another hint."""
        self._hint.setText(hint)
