"""The offer to undo changes that a crash left, on top of the start page."""

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.charts.shapes import Shape
from app.flows.run.restore_view import RestoreOffer, restoring_text
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.state_icons import state_icon
from app.ui.widgets.table import DataTable

_SHOWN_ROWS = 5


class RestoreBanner(QFrame):
    """Lists open changes and offers to undo them.

    Signals:
        restore_requested, script_requested, later_requested: the buttons.
    """

    restore_requested = Signal()
    script_requested = Signal()
    later_requested = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start.restore_banner")
        make_card(self)
        self._icon = PlainLabel()
        self._headline = PlainLabel()
        self._headline.setObjectName("start.restore_headline")
        self._headline.setWordWrap(True)
        self._table = DataTable("start.restore_table", _("Changes that were not undone"), desk.table_layouts, self)
        self._restore = self._make_button("start.restore_button", _("Restore no&w"), _("Undo every change now"))
        self._restore.setDefault(True)
        self._script = self._make_button(
            "start.restore_script_button", _("Save &script…"), _("Save a script that undoes every change")
        )
        self._later = self._make_button("start.restore_later_button", _("Lat&er"), _("Hide this offer until later"))
        self._restore.clicked.connect(self._on_restore_clicked)
        self._script.clicked.connect(self._on_script_clicked)
        self._later.clicked.connect(self._on_later_clicked)
        self._busy = QProgressBar()
        self._busy.setObjectName("start.restore_busy_bar")
        self._busy.setAccessibleName(_("Undoing every change"))
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(GRID_PX)
        self._doing = PlainLabel()
        self._doing.setObjectName("start.restore_doing")
        self._doing.setWordWrap(True)
        self._lay_out()
        self._show_icon()
        self.show_busy(busy=False)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID_PX)
        top.addWidget(self._icon)
        top.addWidget(self._headline, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        for button in (self._restore, self._script, self._later):
            buttons.addWidget(button)
        buttons.addWidget(self._busy, 1)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addLayout(top)
        layout.addWidget(self._table)
        layout.addLayout(buttons)
        layout.addWidget(self._doing)

    def _make_button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        return button

    def show_offer(self, offer: RestoreOffer) -> None:
        """Show the open changes."""
        self._headline.setText(f"{offer.headline} {offer.caution}".strip())
        self._restore.setEnabled(offer.can_restore)
        self._restore.setText(offer.restore_text)
        self._restore.setToolTip(plain_tip(offer.caution))
        self._table.show_content(offer.changes)
        rows = min(len(offer.changes.rows), _SHOWN_ROWS)
        height = rows * self._table.verticalHeader().defaultSectionSize() + self._table.horizontalHeader().height()
        scrollbar = self._table.horizontalScrollBar().sizeHint().height()
        self._table.setFixedHeight(height + scrollbar + 2 * self._table.frameWidth())

    def take_keyboard(self) -> None:
        """Give the keyboard to Restore."""
        self._restore.setFocus()

    def show_busy(self, *, busy: bool) -> None:
        """Show that everything is being put back; the buttons wait meanwhile."""
        self._busy.setVisible(busy)
        self._doing.setVisible(busy)
        self._doing.setText(restoring_text() if busy else "")
        for button in (self._restore, self._script, self._later):
            button.setEnabled(not busy)

    @Slot(str)
    def show_progress(self, text: str) -> None:
        """Show which change is being undone."""
        self._doing.setText(text)

    def _show_icon(self) -> None:
        self._icon.setPixmap(state_icon(Shape.WARNING, Tone.WARNING).pixmap(3 * GRID_PX, 3 * GRID_PX))

    @Slot()
    def _on_restore_clicked(self) -> None:
        self.restore_requested.emit()

    @Slot()
    def _on_script_clicked(self) -> None:
        self.script_requested.emit()

    @Slot()
    def _on_later_clicked(self) -> None:
        self.later_requested.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icon()
