"""The page a person sees first: what to begin, the sessions opened last, and the offer to restore."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCommandLinkButton,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.flows.run.restore_view import JournalReading, read_journal, restore_offer, restore_result
from app.flows.shell.recent_view import RecentLine, read_recent_lines, recent_table
from app.flows.shell.shell_view import ServerState
from app.foundation.texts import _
from app.services.run.restoring import RestoreOutcome, restore_all, write_restore_script
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.verdict_reader import VerdictReader
from app.ui.widgets.heading import Heading
from app.ui.widgets.restore_banner import RestoreBanner
from app.ui.widgets.state_icons import Shape, state_icon
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class StartPage(QWidget):
    """Begins sessions, opens those begun before, and offers to restore.

    Signals:
        new_requested, client_requested, lab_requested, open_requested, import_requested: what to begin.
        session_chosen: path of a session file, as text.
        forget_requested: path of a session to be taken off the list.
        journal_read: ServerState as the undo journal tells it.
    """

    new_requested = Signal()
    client_requested = Signal()
    lab_requested = Signal()
    open_requested = Signal()
    import_requested = Signal()
    session_chosen = Signal(str)
    forget_requested = Signal(str)
    journal_read = Signal(object)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.start")
        self._desk = desk
        self._put_off = False
        self._lines: tuple[RecentLine, ...] = ()
        self._verdicts = VerdictReader(desk, self)
        self._verdicts.counted.connect(self._show_lines)
        self._banner = RestoreBanner(desk, self)
        self._banner.hide()
        self._banner.restore_requested.connect(self._on_restore_requested)
        self._banner.script_requested.connect(self._on_script_requested)
        self._banner.later_requested.connect(self._on_later_requested)
        self._notice = StatusLine("start.notice", self)
        self._notice.hide()
        self._recent = DataTable("start.recent_table", _("Sessions opened last"), desk.table_layouts, self)
        self._recent.row_activated.connect(self._on_recent_activated)
        self._recent.row_chosen.connect(self._on_recent_chosen)
        self._open_recent = self._make_button("start.open_recent_button", _("&Open"), _("Open the chosen session"))
        self._open_recent.clicked.connect(self._on_open_recent_clicked)
        self._forget = self._make_button(
            "start.forget_button",
            _("&Remove from the list"),
            _("Remove the session from the list, not its file"),
        )
        self._forget.clicked.connect(self._on_forget_clicked)
        self._lay_out()
        self._draw_icons()

    def _lay_out(self) -> None:
        begin = QVBoxLayout()
        begin.setSpacing(GRID_PX // 2)
        for button in self._make_beginnings():
            begin.addWidget(button)
        begin.addStretch()
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._open_recent)
        buttons.addWidget(self._forget)
        buttons.addStretch()
        recent = QVBoxLayout()
        recent.setSpacing(GRID_PX)
        title = QLabel(_("Sessions opened &last"))
        title.setBuddy(self._recent)
        recent.addWidget(title)
        recent.addWidget(self._recent, 1)
        recent.addLayout(buttons)
        columns = QHBoxLayout()
        columns.setSpacing(3 * GRID_PX)
        columns.addLayout(begin, 2)
        columns.addLayout(recent, 5)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(self._banner)
        layout.addWidget(
            Heading(
                "Replitune",
                _(
                    "Measures replication on your own servers and shows which settings help, and by how much. Nothing "
                    "is changed before you agree, and every change is put back."
                ),
            )
        )
        layout.addWidget(self._notice)
        layout.addLayout(columns, 1)
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _make_beginnings(self) -> tuple[QCommandLinkButton, ...]:
        offered = (
            ("new", _("&New session"), _("From the servers to the report, in seven steps."), self.new_requested),
            ("lab", _("&Try the lab"), _("The same on simulated servers. Needs no network."), self.lab_requested),
            ("client", _("New &client file…"), _("Keeps all sessions of one client."), self.client_requested),
            ("open", _("Open session &file…"), _("Read the findings of a session."), self.open_requested),
            ("import", _("I&mport measurements…"), _("Explain a CSV or JSON file."), self.import_requested),
        )
        made = []
        for name, text, description, signal in offered:
            button = QCommandLinkButton(text, description, self)
            button.setObjectName(f"start.{name}_button")
            button.setAccessibleName(text.replace("&", ""))
            button.clicked.connect(signal)
            made.append(button)
        return tuple(made)

    def _make_button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        button.setEnabled(False)
        return button

    def _draw_icons(self) -> None:
        for button in self.findChildren(QCommandLinkButton):
            button.setIcon(state_icon(Shape.ARROW, Tone.ACCENT))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def refresh(self) -> None:
        """Read the recent sessions and the undo journal again."""
        paths = self._desk.preferences.recent_sessions
        self._recent.set_placeholder(_("Looking…") if paths else _("No session yet. Try the lab: it needs no server."))
        self._desk.tasks.query(
            self, partial(read_recent_lines, paths, self._desk.program), self._show_recent, self._on_failed
        )
        journal = self._desk.program.parts.journal_path
        if not self._desk.is_running:  # what a run of this window has changed is its own to put back
            self._desk.tasks.query(self, partial(read_journal, journal), self._show_offer, self._on_failed)

    def show_notice(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Show a sentence above everything, "" for none."""
        self._notice.show_status(text, tone)
        self._notice.setVisible(bool(text))

    def count_verdicts(self) -> None:
        """Count from now on what the sessions showed."""
        self._verdicts.begin()

    @Slot()
    def _show_lines(self) -> None:
        self._recent.show_content(recent_table(self._lines, self._verdicts.shown))

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
        self.journal_read.emit(ServerState.of_journal(reading.entries, reading.problems))

    def _on_failed(self, error: BaseException) -> None:
        self._banner.show_busy(busy=False)
        self.show_notice(str(error))

    def _can_open(self, path: str) -> bool:
        return any(line.can_open and str(line.path) == path for line in self._lines)

    @Slot(str)
    def _on_recent_chosen(self, path: str) -> None:
        self._open_recent.setEnabled(self._can_open(path))
        self._forget.setEnabled(bool(path))

    @Slot(str)
    def _on_recent_activated(self, path: str) -> None:
        if self._can_open(path):
            self.session_chosen.emit(path)

    @Slot()
    def _on_open_recent_clicked(self) -> None:
        self._on_recent_activated(self._recent.current_key)

    @Slot()
    def _on_forget_clicked(self) -> None:
        self.forget_requested.emit(self._recent.current_key)

    @Slot()
    def _on_restore_requested(self) -> None:
        self._banner.show_busy(busy=True)
        parts = self._desk.program.parts
        work = partial(restore_all, parts.journal_path, parts.open_target, _leave_to_result)
        self._desk.tasks.query(self, work, self._show_restored, self._on_failed)

    def _show_restored(self, outcome: RestoreOutcome) -> None:
        self._banner.show_busy(busy=False)
        self.show_notice(restore_result(outcome), Tone.WARNING if outcome.problems else Tone.GOOD)
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


def _leave_to_result(_change: object) -> None:
    """The result names what was put back; nothing is told from the worker thread."""
