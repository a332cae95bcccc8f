"""One client's file: its sessions with notes and tags, a search, and the actions on them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QTabWidget, QVBoxLayout, QWidget

from app.domain.errors import ReplituneError
from app.flows.hand_over.engagement_view import (
    access_line,
    engagement_line,
    hits_line,
    hits_table,
    session_of_hit,
    sessions_table,
    tags_of_text,
)
from app.flows.target.attempt_view import is_mistake
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.hand_over.engagement import Engagement, EngagementSession, Hit, search
from app.services.hand_over.open_engagement import OpenEngagement
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.pages.engagement_notes import EngagementNotes
from app.ui.session_results import SessionResults
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.heading import Heading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_COMPARED = 2


class EngagementPage(QWidget):
    """Shows a client's file; as long as it is on screen nobody else writes to the file.

    Signals:
        begin_requested: path of the file a new session is kept in.
        session_chosen: path, and id of the session whose findings are wanted.
        compare_requested: path, and ids of the sessions chosen (none, one or two), as a tuple.
        verify_requested: path, id of the session chosen, and the target its newest run was made on.
        export_requested: path of the file to be packed.
        report_requested: path of the file to be reported on as a whole.
        left: the person wants to go back.
        shown: the sessions are listed.
    """

    begin_requested = Signal(str)
    session_chosen = Signal(str, str)
    compare_requested = Signal(str, object)
    verify_requested = Signal(str, str, str)
    export_requested = Signal(str)
    report_requested = Signal(str)
    left = Signal()
    shown = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.engagement")
        self.setWindowTitle(_("Client file"))
        self._desk = desk
        self._held: OpenEngagement | None = None
        self._found: Engagement | None = None
        self._titles: dict[str, str] = {}
        self._results = SessionResults(desk, self)
        self._heading = Heading(_("Client file"), "")
        self._access = StatusLine("engagement.access")
        self._words = QLineEdit()
        self._words.setObjectName("engagement.search_edit")
        self._words.setAccessibleName(_("Words to search for"))
        self._words.setPlaceholderText(_("Titles, notes, tags, settings, findings …"))
        self._words.setClearButtonEnabled(True)
        self._search = push_button("engagement.search_button", _("&Find"))
        self._begin = push_button("engagement.new_button", _("&New session"))
        self._open = push_button("engagement.open_button", _("O&pen findings"))
        self._compare = push_button("engagement.compare_button", _("&Compare…"))
        self._verify = push_button(
            "engagement.verify_button", _("Verif&y…"), _("What the session promised, and what came")
        )
        self._export = push_button("engagement.export_button", _("&Export bundle…"))
        self._report = push_button(
            "engagement.report_button", _("&Report of all…"), _("One report over every session, with its scripts")
        )
        self._leave = push_button("engagement.leave_button", _("&Back"))
        self._table = DataTable("engagement.sessions_table", _("Sessions of this client"), desk.table_layouts)
        self._table.setMinimumHeight(15 * GRID_PX)
        self._notes = EngagementNotes(desk)
        self._hits = DataTable("engagement.hits_table", _("What the search found"), desk.table_layouts)
        self._hits.set_placeholder(_("No search yet."))
        self._status = StatusLine("engagement.status")
        self._tabs = QTabWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID_PX)
        label = PlainLabel(_("&Search"))
        label.setBuddy(self._words)
        for widget in (label, self._words, self._search, self._leave):
            top.addWidget(widget, 1 if widget is self._words else 0)
        self._tabs.setObjectName("engagement.tabs")
        self._tabs.setAccessibleName(_("Notes, and what was found"))
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self._notes, _("Notes an&d tags"))
        self._tabs.addTab(self._hits, _("Fo&und"))
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self._table)
        split.addWidget(self._tabs)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        for button in (self._begin, self._open, self._compare, self._verify, self._report, self._export):
            buttons.addWidget(button)
        buttons.addWidget(self._status, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._heading)
        layout.addWidget(self._access)
        layout.addLayout(top)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)

    def _connect(self) -> None:
        self._results.counted.connect(self._on_results_counted)
        self._search.clicked.connect(self._on_search)
        self._words.returnPressed.connect(self._on_search)
        self._begin.clicked.connect(self._on_begin_clicked)
        self._open.clicked.connect(self._on_open_clicked)
        self._table.row_activated.connect(self._open_session)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._compare.clicked.connect(self._on_compare_clicked)
        self._verify.clicked.connect(self._on_verify_clicked)
        self._report.clicked.connect(self._on_report_clicked)
        self._export.clicked.connect(self._on_export_clicked)
        self._leave.clicked.connect(self.left)
        self._hits.row_activated.connect(self._on_hit_activated)
        self._notes.note_written.connect(self._on_note_written)
        self._notes.note_removed.connect(self._on_note_removed)
        self._notes.tags_entered.connect(self._on_tags_entered)
        self._desk.job_ended.connect(self._on_job_ended)
        self._on_selection_changed()

    # Opening and closing the file

    def show_file(self, path: Path) -> None:
        """Open and show a client's file."""
        self._close_file()
        if self._found is not None and self._found.path != path:
            self._found = None
            self._words.clear()
            self._hits.show_content(hits_table(()))
            self._say("", Tone.MUTED)
        self._table.set_placeholder(_("Reading the sessions…"))
        held = self._held = OpenEngagement(path)
        self._desk.tasks.query(
            self, partial(_open, held, self._desk.program), partial(self._show, held), partial(self._on_not_read, held)
        )

    def _show(self, held: OpenEngagement, opened: tuple[Engagement, dict[str, str]]) -> None:
        if held is not self._held:  # another file was opened meanwhile, or the page was left
            return
        self._found, self._titles = opened
        self._heading.show_hint(engagement_line(self._found))
        busy = self._desk.is_running
        tone = Tone.WARNING if held.why_read_only else Tone.MUTED
        self._access.show_status(access_line(held.why_read_only, is_running=busy), tone)
        self._table.set_placeholder(_("No session yet. “New session” measures, and keeps what it finds in this file."))
        self._show_sessions()
        self._results.read(self._found)
        if not self._table.selected_keys and self._found.sessions:
            self._table.choose_row(self._found.sessions[0].session_id)
        self._on_selection_changed()
        self.shown.emit()

    @Slot()
    def _show_sessions(self) -> None:
        if self._found is not None:
            self._table.show_content(sessions_table(self._found, self._titles, self._results.showed))

    @Slot()
    def _on_results_counted(self) -> None:
        self._show_sessions()
        self._table.measure_again()  # results come later than the rows

    def _on_not_read(self, held: OpenEngagement, error: BaseException) -> None:
        if held is self._held:
            self._table.set_placeholder(sentence(str(error)))
            self._on_failed(error)

    def _close_file(self) -> None:
        held = self._held
        if held is None:
            return
        self._notes.keep_draft()
        self._held = None
        try:
            held.close()
        except ReplituneError as error:
            self._on_failed(error)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the file again where the page was left before (Qt calls this)."""
        super().showEvent(event)
        if not event.spontaneous() and self._held is None and self._found is not None:
            self.show_file(self._found.path)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let others write the file (Qt calls this)."""
        if not event.spontaneous():
            self._close_file()
        super().hideEvent(event)

    @Slot(object)
    def _on_job_ended(self, _end: object) -> None:
        if self.isVisible() and self._found is not None:
            self.show_file(self._found.path)

    # What is chosen

    @property
    def _chosen(self) -> EngagementSession | None:
        key = self._table.current_key
        return next((s for s in self._found.sessions if s.session_id == key), None) if self._found else None

    @Slot()
    def _on_selection_changed(self) -> None:
        can_write = self._held is not None and self._held.can_write
        self._notes.show_session(self._chosen, can_write=can_write)
        running = self._desk.is_running
        has_any = self._found is not None and bool(self._found.sessions)
        self._begin.setEnabled(self._found is not None and can_write and not running)
        self._open.setEnabled(self._chosen is not None and not running)
        self._compare.setEnabled(has_any)
        self._verify.setEnabled(self._chosen is not None and bool(self._chosen.runs))
        self._report.setEnabled(has_any)
        self._export.setEnabled(has_any)

    @Slot()
    def _on_begin_clicked(self) -> None:
        if self._found is not None:
            self.begin_requested.emit(str(self._found.path))

    @Slot()
    def _on_open_clicked(self) -> None:
        self._open_session(self._table.current_key)

    @Slot(str)
    def _open_session(self, session_id: str) -> None:
        if self._found is not None and session_id and not self._desk.is_running:
            self.session_chosen.emit(str(self._found.path), session_id)

    @Slot()
    def _on_compare_clicked(self) -> None:
        if self._found is not None:
            self.compare_requested.emit(str(self._found.path), tuple(reversed(self._table.selected_keys[:_COMPARED])))

    @Slot()
    def _on_verify_clicked(self) -> None:
        chosen = self._chosen
        if self._found is not None and chosen is not None and chosen.runs:
            self.verify_requested.emit(str(self._found.path), chosen.session_id, chosen.runs[-1].target)

    @Slot()
    def _on_report_clicked(self) -> None:
        if self._found is not None:
            self._notes.keep_draft()
            self.report_requested.emit(str(self._found.path))

    def tell(self, text: str, error: BaseException | None = None) -> None:
        """Show how writing a report goes, or why it cannot be written."""
        if error is not None:
            self._on_failed(error)
        else:
            self._say(text, Tone.NEUTRAL)

    @Slot()
    def _on_export_clicked(self) -> None:
        if self._found is not None:
            self._notes.keep_draft()
            self.export_requested.emit(str(self._found.path))

    # Searching

    @Slot()
    def _on_search(self) -> None:
        words = self._words.text().split()
        if self._found is None or not words:
            return
        self._say(_("Searching …"), Tone.MUTED)
        work = partial(_search, self._found.path, words, self._desk.program)
        self._desk.tasks.query(self, work, self._show_hits, self._on_failed)

    def _show_hits(self, hits: tuple[Hit, ...]) -> None:
        self._hits.set_placeholder(hits_line(hits))
        self._hits.show_content(hits_table(hits))
        self._tabs.setCurrentWidget(self._hits)
        self._say(hits_line(hits), Tone.NEUTRAL)

    @Slot(str)
    def _on_hit_activated(self, key: str) -> None:
        self._table.choose_row(session_of_hit(key))
        self._tabs.setCurrentWidget(self._notes)

    # Writing

    @Slot(str, str, str)
    def _on_note_written(self, session_id: str, run_id: str, text: str) -> None:
        if not self._write(lambda held: held.add_note(text, session_id, run_id), _("The note is saved.")):
            self._notes.put_back(text)

    @Slot(str, int)
    def _on_note_removed(self, session_id: str, number: int) -> None:
        self._write(lambda held: held.remove_note(number, session_id), _("The note is removed."))

    @Slot(str, str, str)
    def _on_tags_entered(self, session_id: str, run_id: str, typed: str) -> None:
        self._write(lambda held: held.set_tags(tags_of_text(typed), session_id, run_id), _("The tags are saved."))

    def _write(self, write: Callable[[OpenEngagement], None], done: str) -> bool:
        """Write at once, as the page may be about to be left; tell whether it is written."""
        if self._held is None:
            return False
        try:
            write(self._held)
        except ReplituneError as error:
            self._on_failed(error)
            return False
        self._say(done, Tone.GOOD)
        work = partial(_open, self._held, self._desk.program)
        self._desk.tasks.query(self, work, partial(self._show, self._held), self._on_failed)
        return True

    def _on_failed(self, error: BaseException) -> None:
        self._say(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self._desk.trouble.emit(error)

    def _say(self, text: str, tone: Tone) -> None:
        self._status.show_status(text, tone)


def _open(held: OpenEngagement, program: Program) -> tuple[Engagement, dict[str, str]]:
    """Runs on a worker thread; families are imported only where one is named."""
    opened = held.open()
    ran = {run.family for session in opened.sessions for run in session.runs}
    families = program.families if ran else {}
    return opened, {name: families[name].title for name in ran if name in families}


def _search(path: Path, words: list[str], program: Program) -> tuple[Hit, ...]:
    """Runs on a worker thread: the rules are loaded here, too."""
    return search(path, words, program.advisor)
