"""A card that can be chosen like a radio button: what an experiment answers, needs, and why it may not be possible."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from app.flows.plan.experiment_view import FamilyCard
from app.ui.theme import GRID_PX, Tone
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


class FamilyCardFrame(QFrame):
    """Shows one card; a click anywhere on it chooses it.

    Attributes:
        button: its radio button.
    """

    def __init__(self, card: FamilyCard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"experiment.card.{card.family}")
        self.card = card
        self.button = CardButton()
        self.button.setObjectName(f"experiment.{card.family}_radio")
        self._title = QLabel(card.title)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)  # the words of a button do not
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._question = QLabel()
        self._question.setWordWrap(True)
        self._question.setTextFormat(Qt.TextFormat.PlainText)
        self._reason = StatusLine(f"experiment.{card.family}_reason")
        self._needs = StatusLine(f"experiment.{card.family}_needs")
        self._varies = StatusLine(f"experiment.{card.family}_varies")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX + 4, 2 * GRID_PX, GRID_PX + 4)
        layout.setSpacing(GRID_PX // 2)
        head = QHBoxLayout()
        head.setSpacing(GRID_PX // 2)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title, 1)
        layout.addLayout(head)
        for widget in (self._reason, self._question, self._needs, self._varies):
            layout.addWidget(widget)
        self.button.toggled.connect(self.update)
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the card (Qt calls this)."""
        if self.card.is_possible and event.button() is Qt.MouseButton.LeftButton:
            self.button.setChecked(True)
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enter the card (Qt calls this)."""
        if self.card.is_possible and event.button() is Qt.MouseButton.LeftButton:
            self.button.entered.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the card's ground and its border, thicker and in the accent colour where it is chosen."""
        is_chosen = self.button.isChecked()
        roles = QPalette.ColorRole
        width = 2.0 if is_chosen else 1.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(roles.Accent if is_chosen else roles.Mid), width))
        painter.setBrush(self.palette().color(roles.Button if self.card.is_possible else roles.Window))
        edge = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 6, 6)
        painter.end()
