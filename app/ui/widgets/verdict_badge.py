"""A verdict as it always looks: icon, word and colour."""

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from app.charts.shapes import Shape
from app.domain.comparison import Verdict
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.state_icons import state_icon

_LOOKS: Final = {
    Verdict.IMPROVEMENT: (Shape.CHECK, Tone.GOOD),
    Verdict.WORSE: (Shape.WARNING, Tone.BAD),
    Verdict.NO_DIFFERENCE: (Shape.EQUAL, Tone.ACCENT),
    Verdict.CANNOT_TELL: (Shape.QUESTION, Tone.WARNING),
}


class VerdictBadge(QFrame):
    """Shows one verdict; its word is its accessible name."""

    def __init__(self, verdict: Verdict, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape, self._tone = _LOOKS[verdict]
        self._icon = PlainLabel()
        self._text = PlainLabel(text)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        font = self._text.font()
        font.setBold(True)
        self._text.setFont(font)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addWidget(self._icon)
        layout.addWidget(self._text)
        self._draw()

    @property
    def text(self) -> str:
        """The word shown."""
        return self._text.text()

    def _draw(self) -> None:
        self._icon.setPixmap(state_icon(self._shape, self._tone).pixmap(2 * GRID_PX, 2 * GRID_PX))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, tone_color(self._tone))
        if self._text.palette() != palette:
            self._text.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
