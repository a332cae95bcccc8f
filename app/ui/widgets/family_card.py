"""A card that can be chosen like a radio button: an experiment's question, needs, and why it may not be possible."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QRadioButton, QWidget

from app.flows.plan.experiment_view import FamilyCard
from app.ui.stylesheet import STANDING
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.card import Card
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine


class CardButton(QRadioButton):
    """The card's title as a radio button.

    Signals:
        entered: the card was double-clicked, or Return was pressed.
    """

    entered = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Leave it to the card (Qt calls this)."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose and enter the card on Return (Qt calls this)."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        self.setChecked(True)
        self.entered.emit()


class FamilyCardFrame(Card):
    """Shows one card; a click anywhere on it chooses it.

    Attributes:
        button: its radio button.
    """

    def __init__(self, card: FamilyCard, parent: QWidget | None = None) -> None:
        super().__init__(f"experiment.card.{card.family}", parent)
        self.card = card
        self.button = CardButton()
        self.button.setObjectName(f"experiment.{card.family}_radio")
        self._title = PlainLabel(card.title)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)  # the words of a button do not
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._question = PlainLabel()
        self._question.setWordWrap(True)
        self._question.setTextFormat(Qt.TextFormat.PlainText)
        self._reason = StatusLine(f"experiment.{card.family}_reason")
        self._needs = StatusLine(f"experiment.{card.family}_needs")
        self._varies = StatusLine(f"experiment.{card.family}_varies")
        self.column.setSpacing(GRID_PX // 2)
        head = QHBoxLayout()
        head.setSpacing(GRID_PX // 2)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title, 1)
        self.column.addLayout(head)
        for widget in (self._reason, self._question, self._needs, self._varies):
            self.column.addWidget(widget)
        self.button.toggled.connect(self._show_standing)
        self.show_card(card)

    def show_card(self, card: FamilyCard) -> None:
        """Show other words about the same family."""
        self.card = card
        self.button.setEnabled(card.is_possible)
        self._title.setEnabled(card.is_possible)
        self.button.setAccessibleName(card.title)
        self.button.setAccessibleDescription(card.spoken)
        self._question.setText(card.question)
        self._needs.show_status(card.needs, Tone.MUTED)
        self._varies.show_status(card.varies, Tone.MUTED)
        self._reason.show_status(card.impossible, Tone.WARNING)
        self._reason.setVisible(not card.is_possible)
        self._show_standing()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the card (Qt calls this)."""
        if self.card.is_possible and event.button() is Qt.MouseButton.LeftButton:
            self.button.setChecked(True)
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enter the card (Qt calls this)."""
        if self.card.is_possible and event.button() is Qt.MouseButton.LeftButton:
            self.button.entered.emit()

    def _show_standing(self) -> None:
        """Have the stylesheet draw the card as it stands: chosen, impossible, or neither."""
        standing = "chosen" if self.button.isChecked() else "" if self.card.is_possible else "impossible"
        if self.property(STANDING) != standing:
            self.setProperty(STANDING, standing)
            self.style().unpolish(self)
            self.style().polish(self)
