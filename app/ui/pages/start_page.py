"""The page a person sees first: recent sessions and their states, ways to begin, and the offer to restore."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.flows.run.restore_view import JournalReading, read_journal, restore_offer, restore_result
from app.flows.shell.recent_view import (
    RecentLine,
    by_client,
    go_on_line,
    last_worked_on,
    read_recent_lines,
    recent_table,
)
from app.flows.shell.shell_view import ServerState
from app.flows.target.start_offers import read_labs, read_servers
from app.foundation.texts import _
from app.services.run.restoring import RestoreOutcome, write_restore_script
from app.ui.desk import Desk
from app.ui.restoring import Restoring
from app.ui.theme import GRID_PX, Tone
from app.ui.verdict_reader import VerdictReader
from app.ui.widgets.heading import Heading
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.push_button import push_button
from app.ui.widgets.restore_banner import RestoreBanner
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.start_cards import ConnectCard, GoOnCard, ImportCard, LabCard
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_NARROW_PX: Final = 110 * GRID_PX
"""Narrower than this, what can be begun stands below the sessions."""
_CARDS_PX: Final = 48 * GRID_PX
_WIDEST_PX: Final = 16_777_215
"""Qt's own limit of a widget's width (QWIDGETSIZE_MAX)."""


class StartPage(QWidget):
    """Begins sessions, opens and resumes those begun before, and offers to restore.

    Signals:
        new_requested, client_requested, open_requested, import_requested: what to begin.
        target_chosen: target to begin a session at, "" for the lab.
        address_entered: an address to begin a session at, as it was typed or pasted.
        session_chosen: path of a session file, as text.
        resume_requested: path of a session whose run is to go on.
        forget_requested: path of a session to be taken off the list.
        journal_read: ServerState as the undo journal tells it.
    """

    new_requested = Signal()
    client_requested = Signal()
    open_requested = Signal()
    import_requested = Signal()
    target_chosen = Signal(str)
    address_entered = Signal(str)
    session_chosen = Signal(str)
    resume_requested = Signal(str)
    forget_requested = Signal(str)
    journal_read = Signal(object)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.start")
        self._desk = desk
        self._put_off = self._is_led = False
        self._lines: tuple[RecentLine, ...] = ()
        self._standing: Counter[str] = Counter()
        self._verdicts = VerdictReader(desk, self)
        self._banner = RestoreBanner(desk, self)
        self._banner.hide()
        self._restoring = Restoring(desk, self, self._show_restored, self._on_failed)
        self._restoring.progressed.connect(self._banner.show_progress)
        self._restoring.refused.connect(self._on_restore_refused)
        self._notice = StatusLine("start.notice", self)
        self._notice.hide()
        self._recent = DataTable("start.recent_table", _("Recent clients"), desk.table_layouts, self)
        self._open_recent = push_button("start.open_recent_button", _("&Open"), _("Open the chosen session"))
        self._resume = push_button("start.resume_button", _("Resume r&un"), _("Resume the run of the chosen session"))
        self._forget = push_button(
            "start.forget_button", _("Remove from the &list"), _("Remove the session from the list, not its file")
        )
        for button in (self._open_recent, self._resume, self._forget):
            button.setEnabled(False)
        self._open = push_button("start.open_button", _("Open session &file…"))
        self._client = push_button("start.client_button", _("New &client file…"))
        self._client.setToolTip(_("Keeps all sessions of one client."))
        self._connect_card, self._lab_card, self._import_card = ConnectCard(), LabCard(), ImportCard()
        self._go_on = GoOnCard()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._cards = QWidget()
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self._verdicts.counted.connect(self._show_lines)
        self._banner.restore_requested.connect(self._on_restore_requested)
        self._banner.script_requested.connect(self._on_script_requested)
        self._banner.later_requested.connect(self._on_later_requested)
        self._recent.row_activated.connect(self._on_recent_activated)
        self._recent.row_chosen.connect(self._on_recent_chosen)
        self._open_recent.clicked.connect(self._on_open_recent_clicked)
        self._resume.clicked.connect(self._on_resume_clicked)
        self._forget.clicked.connect(self._on_forget_clicked)
        self._go_on.chosen.connect(self._on_go_on_chosen)
        self._open.clicked.connect(self.open_requested)
        self._client.clicked.connect(self.client_requested)
        self._connect_card.begin_requested.connect(self.new_requested)
        self._connect_card.target_chosen.connect(self.target_chosen)
        self._connect_card.address_entered.connect(self.address_entered)
        self._lab_card.target_chosen.connect(self.target_chosen)
        self._import_card.import_requested.connect(self.import_requested)

    def _lay_out(self) -> None:
        cards = QVBoxLayout(self._cards)
        cards.setContentsMargins(0, 0, 0, 0)
        cards.setSpacing(GRID_PX + 4)
        for card in (self._connect_card, self._lab_card, self._import_card):
            cards.addWidget(card)
        cards.addStretch(1)
        self._columns.setSpacing(2 * GRID_PX)
        self._columns.addWidget(self._make_recent(), 1)
        self._columns.addWidget(self._cards)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(
            Heading(
                "Replitune",
                _(
                    "Finds the replication settings that make your client’s servers faster, shows it with trials, "
                    "and undoes every change afterwards."
                ),
            )
        )
        layout.addWidget(self._banner)
        layout.addWidget(self._notice)
        layout.addLayout(self._columns, 1)
        paste = self._connect_card.paste
        begin = (self._connect_card.begin, paste.edit, paste.button, *self._lab_card.keyboard, self._import_card.button)
        listed = (self._open, self._client, self._recent, self._open_recent, self._resume, self._forget)
        order_keyboard([self._go_on.button, *begin, *listed])
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _make_recent(self) -> QWidget:
        title = PlainLabel(_("&Recent clients"))
        title.setBuddy(self._recent)
        head = QHBoxLayout()
        head.setSpacing(GRID_PX)
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self._open)
        head.addWidget(self._client)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        for button in (self._open_recent, self._resume, self._forget):
            buttons.addWidget(button)
        buttons.addStretch(1)
        recent = QWidget()
        column = QVBoxLayout(recent)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._go_on)  # it comes in late: nothing in the other column moves
        column.addLayout(head)
        column.addWidget(self._recent, 1)
        column.addLayout(buttons)
        self._recent.setMinimumHeight(15 * GRID_PX)
        return recent

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the ways to begin below the sessions where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW_PX
        directions = QBoxLayout.Direction
        self._columns.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)
        self._cards.setMinimumWidth(0 if is_narrow else _CARDS_PX)
        self._cards.setMaximumWidth(_WIDEST_PX if is_narrow else _CARDS_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste an address into its field, wherever the keyboard is (Qt calls this)."""
        if not self._connect_card.paste.take_pasted(event):
            super().keyPressEvent(event)

    def refresh(self) -> None:
        """Read the recent sessions and the undo journal again."""
        paths = self._desk.preferences.recent_sessions
        self._recent.set_placeholder(
            _("Searching…") if paths else _("No session yet. Try the lab: it needs no server.")
        )
        self._desk.tasks.query(
            self, partial(read_recent_lines, paths, self._desk.program), self._show_recent, self._on_failed
        )
        servers = partial(read_servers, self._desk.program, self._desk.preferences.recent_targets)
        self._desk.tasks.query(self, servers, self._connect_card.show_servers, self._on_failed)
        journal = self._desk.program.parts.journal_path
        if not self._desk.is_running:  # what a run of this window has changed is its own to put back
            self._desk.tasks.query(self, partial(read_journal, journal), self._show_offer, self._on_failed)

    def show_notice(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Show a sentence above everything, "" for none."""
        self._notice.show_status(text, tone)
        self._notice.setVisible(bool(text))

    def count_verdicts(self) -> None:
        """Count the sessions' verdicts from now on, and offer the lab's scenarios: the modules for it are loaded."""
        self._verdicts.begin()
        labs = partial(read_labs, self._desk.program)
        self._desk.tasks.query(self, labs, self._lab_card.show_labs, self._on_failed)

    @Slot()
    def _show_lines(self) -> None:
        self._recent.show_content(recent_table(by_client(self._lines), self._verdicts.showed, self._standing))
        self._go_on.show_line(go_on_line(self._lines, self._verdicts.showed))
        self._go_on.button.setEnabled(not self._desk.is_running)
        self._recent.measure_again()  # what each showed, and what of it stands, comes later than the rows

    def _show_recent(self, lines: tuple[RecentLine, ...]) -> None:
        self._lines = lines
        self._show_lines()
        self._verdicts.read([line.path for line in lines if line.can_open])
        if lines and not self._recent.current_key:
            self._recent.choose_row(str(lines[0].path))
        self._on_recent_chosen(self._recent.current_key)

    def _show_offer(self, reading: JournalReading) -> None:
        if self._desk.is_running:
            return
        offer = restore_offer(reading.entries, runs_elsewhere=reading.runs_elsewhere, problems=reading.problems)
        if offer is not None:
            self._banner.show_offer(offer)
        self._banner.setVisible(offer is not None and not self._put_off)
        self._let_restore_lead()
        self._standing = Counter(entry.session_id for entry in reading.entries)
        self._show_lines()
        self.journal_read.emit(ServerState.of_journal(reading.entries, reading.problems, reading.kept))

    def _on_failed(self, error: BaseException) -> None:
        self._banner.show_busy(busy=False)
        self.show_notice(str(error))

    def _can_open(self, path: str) -> bool:
        return any(line.can_open and str(line.path) == path for line in self._lines)

    def _can_resume(self, path: str) -> bool:
        return any(line.can_resume and str(line.path) == path for line in self._lines) and not self._desk.is_running

    @Slot(str)
    def _on_recent_chosen(self, path: str) -> None:
        self._open_recent.setEnabled(self._can_open(path))
        self._resume.setEnabled(self._can_resume(path))
        self._forget.setEnabled(bool(path))

    @Slot(str)
    def _on_recent_activated(self, path: str) -> None:
        if self._can_open(path):
            self.session_chosen.emit(path)

    @Slot()
    def _on_go_on_chosen(self) -> None:
        """Resume the run that stopped, else show the findings."""
        line = last_worked_on(self._lines)
        if line is not None and not self._desk.is_running:
            (self.resume_requested if line.can_resume else self.session_chosen).emit(str(line.path))

    @Slot()
    def _on_open_recent_clicked(self) -> None:
        self._on_recent_activated(self._recent.current_key)

    @Slot()
    def _on_resume_clicked(self) -> None:
        if self._can_resume(self._recent.current_key):
            self.resume_requested.emit(self._recent.current_key)

    @Slot()
    def _on_forget_clicked(self) -> None:
        self.forget_requested.emit(self._recent.current_key)

    @Slot()
    def _on_restore_requested(self) -> None:
        self._banner.show_busy(busy=True)
        self._restoring.begin()

    @Slot()
    def _on_restore_refused(self) -> None:
        self._banner.show_busy(busy=False)

    def _show_restored(self, outcome: RestoreOutcome) -> None:
        self._banner.show_busy(busy=False)
        at = self._desk.clock.now_utc().astimezone()
        self.show_notice(restore_result(outcome, at), Tone.WARNING if outcome.problems else Tone.GOOD)
        self.refresh()

    @Slot()
    def _on_script_requested(self) -> None:
        path, _kind = QFileDialog.getSaveFileName(self, _("Save the script"), "restore.sql", _("SQL scripts (*.sql)"))
        if path:
            work = partial(write_restore_script, self._desk.program.parts.journal_path, Path(path))
            self._desk.tasks.query(self, work, partial(self._show_script_saved, path), self._on_failed)

    def _show_script_saved(self, path: str, count: int) -> None:
        self.show_notice(_("{path} undoes {count} open changes.").format(path=path, count=count), Tone.GOOD)

    @Slot()
    def _on_later_requested(self) -> None:
        self._put_off = True
        self._banner.hide()
        self._let_restore_lead()

    def _let_restore_lead(self) -> None:
        """Give the lead to Restore while something stands and the offer is shown, else to a new session."""
        leads = self._banner.isVisibleTo(self)
        self._connect_card.begin.setDefault(not leads)
        if leads and not self._is_led:
            self._banner.take_keyboard()
        self._is_led = leads

    @Slot()
    def offer_restore(self) -> None:
        """Show the offer again, whoever has put it off."""
        self._put_off = self._is_led = False
        self.refresh()
