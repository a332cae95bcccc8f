"""The three ways to work, side by side: each a radio button with a sentence."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.rights import Mode
from app.flows.plan.preflight_modes import ModeLine
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel


class ModeChoice(QWidget):
    """Shows the ways to work; those not possible say why.

    Attributes:
        observe_button: opens what the history tells; its page places it, and it is visible while Observe is chosen.

    Signals:
        mode_chosen: the Mode, when a person chooses another one.
    """

    mode_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preflight.modes")
        self._group = QButtonGroup(self)
        self._buttons: dict[Mode, QRadioButton] = {}
        self._sentences: dict[Mode, QLabel] = {}
        self.observe_button = push_button(
            "preflight.observe_button", _("Look at the history…"), _("Look at what the server's history shows")
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3 * GRID_PX)
        for mode in Mode:
            row.addLayout(self._make_column(mode), 1)

    def _make_column(self, mode: Mode) -> QVBoxLayout:
        button = QRadioButton()
        button.setObjectName(f"preflight.mode_{mode}_radio")
        font = button.font()
        font.setBold(True)
        button.setFont(font)
        button.clicked.connect(partial(self._on_clicked, mode))
        self._group.addButton(button)
        sentence = PlainLabel()
        sentence.setObjectName(f"preflight.mode_{mode}_sentence")
        sentence.setWordWrap(True)
        sentence.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._buttons[mode], self._sentences[mode] = button, sentence
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(button)
        column.addWidget(sentence)
        column.addStretch(1)
        return column

    @property
    def buttons(self) -> tuple[QRadioButton, ...]:
        """The radio buttons, in order."""
        return tuple(self._buttons.values())

    def show_lines(self, lines: tuple[ModeLine, ...]) -> None:
        """Show which ways there are, and which one is chosen."""
        for line in lines:
            button = self._buttons[line.mode]
            button.setText(line.title)
            button.setAccessibleName(line.title.replace("&", ""))
            button.setAccessibleDescription(line.sentence)
            button.setEnabled(line.is_possible)
            button.setChecked(line.is_chosen)
            self._sentences[line.mode].setText(line.sentence)
        chosen = {line.mode for line in lines if line.is_chosen}
        self.observe_button.setVisible(Mode.OBSERVE in chosen)

    def _on_clicked(self, mode: Mode, _checked: bool = False) -> None:
        self.mode_chosen.emit(mode)
