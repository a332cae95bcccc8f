"""One sentence with an icon and colour to match."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.charts.shapes import Shape
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.state_icons import state_icon

_SHAPES = {Tone.GOOD: Shape.CHECK, Tone.BAD: Shape.WARNING, Tone.WARNING: Shape.WARNING}


class StatusLine(QWidget):
    """Shows a sentence; nothing at all where there is none. Its text can be selected and copied."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._tone = Tone.MUTED
        self._icon = PlainLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._icon.setFixedWidth(2 * GRID_PX)
        self.label = PlainLabel()
        self.label.setObjectName(f"{name}.text")
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addWidget(self._icon)
        layout.addWidget(self.label, 1)
        self.show_status("", Tone.MUTED)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self.label.text()

    def show_status(self, text: str, tone: Tone) -> None:
        """Show a sentence, with an icon where it is good or bad news."""
        self._tone = tone
        self.label.setText(text)
        self._icon.setVisible(tone in _SHAPES and bool(text))
        self._draw()

    def _draw(self) -> None:
        shape = _SHAPES.get(self._tone)
        if shape is not None and self.label.text():
            self._icon.setPixmap(state_icon(shape, self._tone).pixmap(2 * GRID_PX, 2 * GRID_PX))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, tone_color(self._tone))
        if self.label.palette() != palette:
            self.label.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
