"""Buttons for the plans one can begin with."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.flows.plan.plan_presets import Preset
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel, plain_tip


class PresetBar(QWidget):
    """Shows a button for each preset.

    Signals:
        preset_chosen: the Preset.
    """

    preset_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: tuple[Preset, ...] = ()
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID_PX)
        self._row.addWidget(PlainLabel(_("Start from:")))

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons, in order."""
        return tuple(self._buttons)

    def show_presets(self, presets: tuple[Preset, ...]) -> None:
        """Show other presets."""
        if presets == self._presets:
            return
        self._presets = presets
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._make_button(preset) for preset in presets]

    def _make_button(self, preset: Preset) -> QPushButton:
        button = QPushButton(preset.label)
        button.setObjectName(f"plan.{preset.preset_id}_button")
        button.setAccessibleName(preset.label.replace("&", ""))
        button.setAccessibleDescription(preset.help)
        button.setToolTip(plain_tip(preset.help))
        button.clicked.connect(partial(self._choose, preset))
        self._row.addWidget(button)
        return button

    def _choose(self, preset: Preset, _checked: bool = False) -> None:
        self.preset_chosen.emit(preset)
