"""The pane at Preflight where no experiment is run: an explanation of observing, and the way to it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import plain_label


def observing_pane(text: str, button: QPushButton) -> QWidget:
    """Return the words in the middle of the page, with the button below them."""
    pane = QWidget()
    words = plain_label(text, quiet=True)
    words.setAlignment(Qt.AlignmentFlag.AlignCenter)
    words.setMaximumWidth(70 * GRID_PX)
    column = QVBoxLayout(pane)
    column.setSpacing(2 * GRID_PX)
    column.addStretch(1)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(words, 4)
    row.addStretch(1)
    column.addLayout(row)
    column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(2)
    return pane
