"""All experiments of a site: which question shall be answered."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.flows.plan.experiment_view import choose_card, family_cards
from app.flows.shell.wizard import Choices
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.family_card import FamilyCardFrame


class ExperimentsPane(QWidget):
    """Shows a card for each experiment family; one is chosen.

    Signals:
        choices_changed: the new Choices.
        advance_requested: the person wants to plan the chosen one.
    """

    choices_changed = Signal(object)
    advance_requested = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self._entered = self._choices = Choices()
        self._cards: dict[str, FamilyCardFrame] = {}
        self._is_showing = False
        self._group = QButtonGroup(self)
        self._list = QWidget()
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, GRID_PX, 0)
        self._column.setSpacing(GRID_PX + 4)
        self._column.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("experiment.scroll")
        scroll.setAccessibleName(_("Experiments"))
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._list)
        self._scroll = scroll
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)

    def show_choices(self, choices: Choices) -> None:
        """Show the cards and which one is chosen."""
        if choices != self._choices:
            self._entered = self._choices = choices
        self._is_showing = True
        for card in family_cards(self.desk.program.families, choices):
            if card.family not in self._cards:
                self._add(FamilyCardFrame(card))
            self._cards[card.family].show_card(card)
        self._check(choices.family)
        self._is_showing = False

    def _add(self, frame: FamilyCardFrame) -> None:
        family = frame.card.family
        self._cards[family] = frame
        self._group.addButton(frame.button)
        self._column.insertWidget(self._column.count() - 1, frame)
        frame.button.toggled.connect(partial(self._on_card_toggled, family))
        frame.button.entered.connect(self._on_card_entered)

    def _check(self, family: str) -> None:
        self._group.setExclusive(False)
        for name, frame in self._cards.items():
            frame.button.setChecked(name == family)
        self._group.setExclusive(True)

    def _on_card_toggled(self, family: str, is_checked: bool) -> None:
        if self._is_showing or not is_checked:
            return
        self._scroll.ensureWidgetVisible(self._cards[family])
        self._choices = choose_card(self._entered, self._choices, family)
        self.choices_changed.emit(self._choices)

    @Slot()
    def _on_card_entered(self) -> None:
        if self._choices.family:
            self.advance_requested.emit()
