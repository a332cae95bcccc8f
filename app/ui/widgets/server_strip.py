"""The strip below every page with the present changes on servers."""

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.charts.shapes import Shape
from app.domain.events import RunEvent
from app.flows.shell.shell_view import ServerState
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.state_icons import state_icon


class ServerStrip(QFrame):
    """Shows this program's changes that are not yet undone.

    Signals:
        state_changed: the new ServerState, whenever the sentence changes.
        restore_requested: the person wants to undo what stands.
    """

    state_changed = Signal(object)
    restore_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("server_strip")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._state = ServerState()
        self._icon = PlainLabel()
        self._text = OneLine()  # the whole of it stands in the tooltip
        self._text.setObjectName("server_strip.text")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX // 2, 2 * GRID_PX, GRID_PX // 2)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        self._offers = False
        self._restore = push_button("server_strip.restore_button", _("Restore…"), _("Undo what stands on servers"))
        self._restore.clicked.connect(self.restore_requested)
        layout.addWidget(self._restore)
        self._show()

    @property
    def state(self) -> ServerState:
        """Return the present changes."""
        return self._state

    @Slot(object)
    def note_events(self, events: tuple[RunEvent, ...]) -> None:
        """Take note of some more events of a run."""
        self.show_state(self._state.after(events))

    def show_state(self, state: ServerState) -> None:
        """Show a state."""
        if state != self._state:
            self._state = state
            self._show()
            self.state_changed.emit(state)

    def offer_restore(self, *, offers: bool) -> None:
        """Offer to undo what stands, where nothing on the page does."""
        self._offers = offers
        self._show()

    def _show(self) -> None:
        self._restore.setVisible(self._offers and self._state.is_changed)
        changed = self._state.is_changed or self._state.kept
        icon = state_icon(Shape.WARNING, Tone.WARNING) if changed else state_icon(Shape.CHECK, Tone.GOOD)
        self._icon.setPixmap(icon.pixmap(2 * GRID_PX, 2 * GRID_PX))
        self._text.setText(self._state.sentence)
        self._text.setToolTip(plain_tip(self._state.details))
        self._text.setAccessibleName(_("Servers: {sentence}").format(sentence=self._state.sentence))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()
