"""The checks before a run: icon, result in words, subject of the check, and remedy."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.charts.shapes import Shape
from app.flows.plan.preflight_view import CheckLine, CheckState
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.state_icons import state_icon

_LOOKS = {
    CheckState.PASSED: (Shape.CHECK, Tone.GOOD),
    CheckState.LOOK: (Shape.WARNING, Tone.WARNING),
    CheckState.FORBIDS: (Shape.WARNING, Tone.BAD),
}
_ICON, _WORD, _TITLE = range(3)


class CheckList(QWidget):
    """Shows checks, one below the other; its texts can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preflight.checks")
        self._lines: tuple[CheckLine, ...] = ()
        self._labels: list[QLabel] = []
        self._coloured: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID_PX)
        self._grid.setVerticalSpacing(GRID_PX // 2)
        self._grid.setColumnStretch(_TITLE, 1)

    def show_checks(self, lines: tuple[CheckLine, ...]) -> None:
        """Show other checks."""
        if lines == self._lines:
            return
        self._lines = lines
        for label in self._labels:
            self._grid.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._labels, self._coloured = [], []
        for place, line in enumerate(lines):
            self._add_line(place, line)
        self._paint_states()

    def _add_line(self, place: int, line: CheckLine) -> None:
        row, name = 2 * place, f"preflight.check_{place}"
        icon, word = self._add("", row, _ICON), self._add(line.word, row, _WORD)
        word.setObjectName(f"{name}_word")
        self._coloured.append((icon, word))
        title = self._add(line.title, row, _TITLE)
        title.setObjectName(f"{name}_title")
        title.setAccessibleName(f"{line.word}: {line.title}. {line.remedy}".strip())
        if line.remedy:
            self._add(line.remedy, row + 1, _TITLE).setObjectName(f"{name}_remedy")

    def _add(self, text: str, row: int, column: int) -> QLabel:
        label = PlainLabel(text, self)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setWordWrap(column == _TITLE)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(label, row, column)
        self._labels.append(label)
        return label

    def _paint_states(self) -> None:
        for line, (icon, word) in zip(self._lines, self._coloured, strict=True):
            shape, tone = _LOOKS[line.state]
            icon.setPixmap(state_icon(shape, tone).pixmap(2 * GRID_PX, 2 * GRID_PX))
            palette = word.palette()
            palette.setColor(word.foregroundRole(), tone_color(tone))
            word.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_states()
