"""Sentences with paths in them: read, selected and copied whole, broken wherever a line ends."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX


class PathText(QTextEdit):
    """A text as high as its lines; a path that is wider than it goes on in the next line, as no label's does."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setReadOnly(True)
        self.setProperty(ROLE, "words")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)

    def show_text(self, text: str) -> None:
        """Show another text."""
        if self.toPlainText() != text:
            self.setPlainText(text)

    def sizeHint(self) -> QSize:
        """Return the height of its lines (Qt calls this)."""
        return QSize(30 * GRID_PX, round(self.document().size().height()) + 1)

    def minimumSizeHint(self) -> QSize:
        """Return the height of its lines (Qt calls this)."""
        return QSize(12 * GRID_PX, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew (Qt calls this)."""
        super().resizeEvent(event)
        self.updateGeometry()
