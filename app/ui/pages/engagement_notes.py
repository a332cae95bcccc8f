"""Notes and tags of one session of a client's file: read, written, removed."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.flows.hand_over.engagement_view import notes_table, places_of, tags_text
from app.foundation.texts import _
from app.services.hand_over.engagement import EngagementSession
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable

_NOTE_HEIGHT_PX = 8 * GRID_PX


class EngagementNotes(QWidget):
    """Shows one session's notes, and asks for them to be changed; it writes nothing itself.

    Signals:
        note_written: session, run and text of a new note.
        note_removed: session, and number of the note.
        tags_entered: session, run and the tags as typed.
    """

    note_written = Signal(str, str, str)
    note_removed = Signal(str, int)
    tags_entered = Signal(str, str, str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engagement.notes")
        self._session: EngagementSession | None = None
        self._can_write = False
        self._place = QComboBox()
        leave_wheel_to_page(self._place)
        self._place.setObjectName("engagement.place_combo")
        self._place.setAccessibleName(_("What tags and notes are on"))
        self._place.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._tags = QLineEdit()
        self._tags.setObjectName("engagement.tags_edit")
        self._tags.setAccessibleName(_("Tags, with commas between them"))
        self._tags.setPlaceholderText(_("before, urgent …"))
        self._table = DataTable("engagement.notes_table", _("Notes on the session and its runs"), desk.table_layouts)
        self._table.setMinimumHeight(10 * GRID_PX)
        self._text = QPlainTextEdit()
        self._text.setObjectName("engagement.note_text")
        self._text.setAccessibleName(_("A new note"))
        self._text.setPlaceholderText(_("A new note; it is saved when you leave the field."))
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(_NOTE_HEIGHT_PX)
        self._add = push_button("engagement.add_note_button", _("&Add note"))
        self._remove = push_button("engagement.remove_note_button", _("Remo&ve note"))
        self._lay_out()
        self._place.currentIndexChanged.connect(self._show_tags)
        self._tags.editingFinished.connect(self._on_tags_entered)
        self._text.textChanged.connect(self._enable)
        self._table.row_chosen.connect(self._enable)
        self._add.clicked.connect(self.keep_draft)
        self._remove.clicked.connect(self._on_remove_clicked)
        self.show_session(None, can_write=False)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID_PX)
        for text, field, stretch in ((_("&On"), self._place, 0), (_("&Tags"), self._tags, 1)):
            label = PlainLabel(text)
            label.setBuddy(field)
            top.addWidget(label)
            top.addWidget(field, stretch)
        buttons = QVBoxLayout()
        buttons.setSpacing(GRID_PX // 2)
        buttons.addWidget(self._add)
        buttons.addWidget(self._remove)
        buttons.addStretch(1)
        below = QHBoxLayout()
        below.setSpacing(GRID_PX)
        below.addWidget(self._text, 1)
        below.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID_PX, 0, 0)
        layout.setSpacing(GRID_PX)
        layout.addLayout(top)
        layout.addWidget(self._table, 1)
        layout.addLayout(below)

    def show_session(self, session: EngagementSession | None, *, can_write: bool) -> None:
        """Show a session, None for none; a note begun on another one is kept first."""
        is_other = (session and session.session_id) != (self._session and self._session.session_id)
        if is_other:
            self.keep_draft()
        run_id = "" if is_other else self._run_id
        self._session, self._can_write = session, can_write
        with QSignalBlocker(self._place):
            self._place.clear()
            for run, title in places_of(session) if session else ():
                self._place.addItem(title, run)
            self._place.setCurrentIndex(max(0, self._place.findData(run_id)))
        if session is None:
            self._table.set_placeholder(_("Choose a session above to see and write its notes."))
        else:
            self._table.set_placeholder(_("No note yet."))
        self._table.show_content(notes_table([session] if session else []))
        self._table.setEnabled(session is not None)
        self._show_tags()

    @property
    def _run_id(self) -> str:
        return self._place.currentData() or ""

    @Slot()
    @Slot(int)
    def _show_tags(self, _index: int = 0) -> None:
        shown = tags_text(self._session, self._run_id) if self._session else ""
        if self._tags.text() != shown:
            self._tags.setText(shown)
        self._enable()

    @Slot()
    @Slot(str)
    def _enable(self, _key: str = "") -> None:
        writable = self._session is not None and self._can_write
        self._place.setEnabled(self._session is not None)
        self._tags.setReadOnly(not writable)
        self._text.setReadOnly(not writable)
        self._add.setEnabled(writable and bool(self._text.toPlainText().strip()))
        self._remove.setEnabled(writable and bool(self._table.current_key))

    @Slot()
    def _on_tags_entered(self) -> None:
        if self._session is not None and self._can_write:
            typed = self._tags.text()
            if typed != tags_text(self._session, self._run_id):
                self.tags_entered.emit(self._session.session_id, self._run_id, typed)

    @Slot()
    def keep_draft(self) -> None:
        """Have the note that was begun written, where there is one."""
        text = self._text.toPlainText().strip()
        if text and self._session is not None and self._can_write:
            self._text.clear()
            self.note_written.emit(self._session.session_id, self._run_id, text)

    def put_back(self, text: str) -> None:
        """Show a note again that could not be written."""
        self._text.setPlainText(text)

    @Slot()
    def _on_remove_clicked(self) -> None:
        if self._session is not None and self._table.current_key:
            self.note_removed.emit(self._session.session_id, int(self._table.current_key))
