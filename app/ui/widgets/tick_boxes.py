"""Words to tick, one below the other or side by side where they are short."""

from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QWidget

from app.flows.plan.plan_factors import ticked_text
from app.flows.plan.plan_fields import Option
from app.ui.theme import GRID_PX

# Longer rows would not fit beside their label where two columns of the form share the smallest window.
_MOST_LETTERS: Final = 30


class TickBoxes(QWidget):
    """Shows a box for each word.

    Signals:
        words_ticked: the ticked words, as the form keeps them, whenever a box is clicked.
    """

    words_ticked = Signal(str)

    def __init__(self, name: str, spoken: str, options: tuple[Option, ...], parent: QWidget | None = None) -> None:
        """Make the boxes.

        Args:
            name: object name of the field; each box adds its word.
            spoken: what a screen reader says before each word.
        """
        super().__init__(parent)
        letters = sum(len(option.label) for option in options)
        is_short = letters <= _MOST_LETTERS
        direction = QBoxLayout.Direction.LeftToRight if is_short else QBoxLayout.Direction.TopToBottom
        row = QBoxLayout(direction, self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID_PX if is_short else GRID_PX // 2)
        self._boxes: dict[str, QCheckBox] = {}
        for option in options:
            box = QCheckBox(option.label.replace("&", "&&"))
            box.setObjectName(f"{name}_{option.option_id}_check")
            box.setAccessibleName(f"{spoken}: {option.label}")
            box.clicked.connect(partial(self._on_clicked, option.option_id))
            row.addWidget(box)
            self._boxes[option.option_id] = box
        row.addStretch(1)

    @property
    def boxes(self) -> tuple[QCheckBox, ...]:
        """The boxes, in order."""
        return tuple(self._boxes.values())

    def show_ticked(self, text: str) -> None:
        """Tick the words of a text of the form, and no others."""
        ticked = text.split(",")
        for word, box in self._boxes.items():
            box.setChecked(word in ticked)

    def _on_clicked(self, _word: str, _checked: bool = False) -> None:
        self.words_ticked.emit(ticked_text(word for word, box in self._boxes.items() if box.isChecked()))
