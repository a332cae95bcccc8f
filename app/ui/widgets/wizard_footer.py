"""The footer of the wizard: the next step or the missing condition, background work, and the buttons Back and Next."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from app.charts.shapes import Shape
from app.flows.shell.shell_view import Footer
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.state_icons import state_icon


class WizardFooter(QFrame):
    """Shows a `Footer`.

    Signals:
        back_requested, next_requested: the buttons.
        test_requested, client_requested: on the last step: to test the next thing here, or for another client.
    """

    back_requested = Signal()
    next_requested = Signal()
    test_requested = Signal()
    client_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wizard.footer")
        self._icon = PlainLabel()
        self._sentence = PlainLabel()
        self._sentence.setObjectName("wizard.sentence")
        self._sentence.setWordWrap(True)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._busy_bar = QProgressBar()
        self._busy_bar.setObjectName("wizard.busy_bar")
        self._busy_bar.setRange(0, 0)
        self._busy_bar.setTextVisible(False)
        self._busy_bar.setFixedSize(8 * GRID_PX, GRID_PX)
        self._busy = PlainLabel()
        self._busy.setObjectName("wizard.busy_text")
        self._back = self._make_button("wizard.back_button", _("&Back"), _("Back to the step before"))
        self._next = self._make_button("wizard.next_button", _("&Next"), _("On to the next step"))
        self._next.setDefault(True)
        self._test = push_button("wizard.test_button", _("Test the next thing"))
        self._client = push_button("wizard.client_button", _("New client"))
        self._test.clicked.connect(self.test_requested)
        self._client.clicked.connect(self.client_requested)
        self._back.clicked.connect(self._on_back_clicked)
        self._next.clicked.connect(self._on_next_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._icon)
        layout.addWidget(self._sentence, 1)
        layout.addWidget(self._busy)
        layout.addWidget(self._busy_bar)
        layout.addWidget(self._back)
        layout.addWidget(self._next)
        layout.addWidget(self._client)
        layout.addWidget(self._test)
        self.show_busy("")

    @staticmethod
    def _make_button(name: str, text: str, spoken: str) -> QPushButton:
        button = push_button(name, text, spoken)
        button.setMinimumWidth(12 * GRID_PX)
        return button

    def show_footer(self, footer: Footer) -> None:
        """Show the next step or the missing condition, and enable the possible buttons."""
        self._sentence.setText(footer.sentence)
        tone, shape = (Tone.WARNING, Shape.WARNING) if footer.is_missing else (Tone.ACCENT, Shape.ARROW)
        self._icon.setPixmap(state_icon(shape, tone).pixmap(2 * GRID_PX, 2 * GRID_PX))
        self._back.setEnabled(footer.can_go_back)
        self._next.setEnabled(footer.can_go_on)
        self._next.setDefault(footer.leads and not footer.is_last)
        self._next.setVisible(not footer.is_last)
        self._test.setVisible(footer.is_last)
        self._client.setVisible(footer.is_last)
        self._next.setToolTip(plain_tip(footer.sentence if footer.is_missing else ""))

    @Slot(str)
    def explain(self, sentence: str) -> None:
        """Say why something cannot be done."""
        self._sentence.setText(sentence)
        self._icon.setPixmap(state_icon(Shape.WARNING, Tone.WARNING).pixmap(2 * GRID_PX, 2 * GRID_PX))

    def show_busy(self, text: str) -> None:
        """Show the background work, "" for none."""
        self._busy.setText(text)
        self._busy.setVisible(bool(text))
        self._busy_bar.setVisible(bool(text))
        self._busy_bar.setAccessibleName(text)

    @Slot()
    def _on_back_clicked(self) -> None:
        self.back_requested.emit()

    @Slot()
    def _on_next_clicked(self) -> None:
        self.next_requested.emit()
