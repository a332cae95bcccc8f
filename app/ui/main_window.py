"""The main window: places the start page, the wizard and the pages outside it, and leads from one to the other."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, Signal, Slot
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.flows.run.restore_view import JournalReading, read_journal
from app.flows.run.resume_view import read_earlier_run, read_unfinished, why_not_go_on
from app.flows.shell.help_view import page_about
from app.flows.shell.shell_view import ServerState, place_at_hand, window_title
from app.flows.shell.start_view import is_client_file, load_ahead, new_session, next_test, opened_session, session_at
from app.flows.shell.wizard import RunEnd, Step, Wizard, step_text
from app.foundation.texts import _
from app.services.hand_over.past_sessions import SessionSummary, summarise_session
from app.services.target.target_spec import LAB
from app.ui.actions import WindowActions
from app.ui.closing import Closing
from app.ui.desk import Desk
from app.ui.extras import Extras
from app.ui.focus_ring import FocusRing
from app.ui.page_factories import PageFactory, page_factories
from app.ui.pages.engagement_files import ClientFiles
from app.ui.pages.start_page import StartPage
from app.ui.quick_ways import QuickWays
from app.ui.recent_sessions import RecentSessions
from app.ui.session_end import SessionEnd
from app.ui.theme import GRID_PX
from app.ui.watchman import Watchman
from app.ui.widgets.bottom_bar import BottomBar
from app.ui.widgets.place_label import PlaceLabel
from app.ui.widgets.server_strip import ServerStrip
from app.ui.widgets.silence_bar import SilenceBar
from app.ui.wizard_frame import WizardFrame

_SESSION_FILTER = "*.replitune"


class MainWindow(QMainWindow):
    """Only places parts; their contents are decided in `flows`.

    Signals:
        closed: the window has closed; nothing goes on any more.
    """

    closed = Signal()

    def __init__(
        self,
        desk: Desk,
        factories: Mapping[Step, PageFactory] | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self._desk = desk
        self._may_close = False
        self._run_end: RunEnd | None = None
        self._strip = ServerStrip()
        self._place = PlaceLabel()
        self._start = StartPage(desk)
        self._frame = WizardFrame(desk, factories or page_factories())
        self._stack = QStackedWidget()
        self._stack.setObjectName("main_window.pages")
        self._stack.addWidget(self._start)
        self._stack.addWidget(self._frame)
        self._extras = Extras(desk, self._stack, self)
        self._recent = RecentSessions(desk, self)
        self._clients = ClientFiles(desk, self._stack, self._recent, self)
        self._closing = Closing(desk, self._strip, self)
        SessionEnd(desk, self)
        self._watchman = Watchman(desk, self, self._sees_run)
        self._actions = WindowActions(self)
        self._ways = QuickWays(desk, self, lambda: self._frame.wizard)
        self._place_parts()
        self._connect_parts()
        FocusRing(self)
        self._refresh()

    def _place_parts(self) -> None:
        central = QWidget()
        layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._watchman.notice)
        layout.addWidget(SilenceBar(self._desk, "main_window"))
        layout.addWidget(self._stack, 1)
        layout.addWidget(BottomBar(self._strip, self._frame.footer))
        self.menuBar().setCornerWidget(self._place)
        self.setCentralWidget(central)
        self.setMinimumSize(80 * GRID_PX, 45 * GRID_PX)
        self.resize(160 * GRID_PX, 90 * GRID_PX)
        if self._desk.window_place:
            self.restoreGeometry(QByteArray.fromBase64(self._desk.window_place.encode("ascii", "ignore")))

    def _connect_parts(self) -> None:
        start, actions, extras, desk, clients = self._start, self._actions, self._extras, self._desk, self._clients
        start.new_requested.connect(self.begin_new)
        start.target_chosen.connect(self.begin_at)
        start.address_entered.connect(self.begin_at_address)
        start.open_requested.connect(self.choose_session)
        start.import_requested.connect(extras.show_import)
        start.session_chosen.connect(self.open_session)
        start.resume_requested.connect(self.resume_session)
        start.forget_requested.connect(self._on_forget_requested)
        start.journal_read.connect(self._strip.show_state)
        self._strip.restore_requested.connect(self._on_restore_requested)
        actions.new_session.triggered.connect(self.begin_new)
        actions.open_session.triggered.connect(self.choose_session)
        actions.import_file.triggered.connect(extras.show_import)
        actions.settings.triggered.connect(extras.show_settings)
        actions.quit.triggered.connect(self.close)
        actions.start_page.triggered.connect(self.show_start)
        actions.resume.triggered.connect(self.go_on_with_run)
        actions.runs.triggered.connect(self.show_runs)
        actions.statements.triggered.connect(self.show_statements)
        actions.help.triggered.connect(self.show_help)
        actions.keys.triggered.connect(extras.show_keys)
        actions.doctor.triggered.connect(self.show_doctor)
        actions.back.triggered.connect(self._on_back_triggered)
        actions.next.triggered.connect(self._frame.go_on)
        actions.about.triggered.connect(extras.show_about)
        for step, action in actions.steps.items():
            action.triggered.connect(partial(self.show_step, step))
        start.client_requested.connect(clients.make_file)
        actions.new_client.triggered.connect(clients.make_file)
        actions.open_bundle.triggered.connect(clients.unpack_bundle)
        actions.client.triggered.connect(self._on_client_triggered)
        actions.compare.triggered.connect(self._on_compare_triggered)
        actions.export_bundle.triggered.connect(self._on_export_triggered)
        clients.session_begun.connect(self._begin)
        clients.failed.connect(self._show_not_opened)
        clients.left.connect(self._on_back_triggered)
        extras.compare_requested.connect(clients.compare)
        extras.session_made.connect(self.open_session)
        extras.import_left.connect(self.show_start)
        extras.runs_left.connect(self._show_frame)
        self._frame.wizard_changed.connect(self._on_wizard_changed)
        self._stack.currentChanged.connect(self._refresh)
        self._closing.permitted.connect(self._on_closing_permitted)
        self._closing.refused.connect(self._read_journal)
        self._connect_ways()
        self._watchman.notice.run_requested.connect(partial(self.show_step, Step.RUN))
        self._watchman.title_changed.connect(self._show_title)
        desk.bridge.events_delivered.connect(self._strip.note_events)
        desk.job_ended.connect(self._on_job_ended)
        desk.put_back.connect(self._read_journal)
        self._frame.footer.test_requested.connect(self.test_next)
        self._frame.footer.client_requested.connect(clients.make_file)
        desk.resume_requested.connect(self.go_on_with_run)
        desk.extension_requested.connect(self.extend_run)

    def _connect_ways(self) -> None:
        ways, extras, clients = self._ways, self._extras, self._clients
        self._actions.palette.triggered.connect(ways.show_palette)
        ways.node_chosen.connect(self._on_node_chosen)
        ways.run_chosen.connect(extras.show_runs_of)
        ways.note_chosen.connect(clients.show_file)
        ways.help_chosen.connect(extras.show_help)
        ways.session_dropped.connect(self.open_session)
        ways.bundle_dropped.connect(clients.unpack_bundle)
        ways.measurements_dropped.connect(extras.import_file)

    # Where to go

    @Slot()
    def show_start(self) -> None:
        """Show the start page."""
        self._start.show_notice("")
        self._stack.setCurrentWidget(self._start)
        self._start.refresh()

    @Slot()
    def _on_restore_requested(self) -> None:
        self.show_start()
        self._start.offer_restore()

    @Slot()
    def begin_new(self) -> None:
        """Begin a session at its target."""
        self._begin(new_session(self._desk.preferences, self._desk.clock.now_utc()))

    @Slot(str)
    def begin_at_address(self, text: str) -> None:
        """Begin a session at an address as it was typed or pasted; what is missing in it is asked for."""
        from app.ui.pages.target_page import TargetPage  # loads what the first page does without

        self.begin_new()
        if isinstance(self._frame.page, TargetPage) and not self._desk.is_running:
            self._frame.page.take_address(text)

    @Slot(str)
    def begin_at(self, target: str) -> None:
        """Begin a session at the site of a target, "" for the lab."""
        self._begin(session_at(self._desk.preferences, self._desk.clock.now_utc(), target or LAB))

    @Slot()
    def begin_lab(self) -> None:
        """Begin a session on the lab."""
        self.begin_at(LAB)

    @Slot()
    def test_next(self) -> None:
        """Choose the next thing to test at the same site; the findings stay in reach."""
        if self._desk.is_running:
            return
        wizard = next_test(self._frame.wizard, self._desk.preferences, self._desk.clock.now_utc())
        if wizard.choices.discovery is None:
            self._begin(wizard)
        else:
            self._frame.show_wizard(wizard)

    @Slot(object)
    def _begin(self, wizard: Wizard) -> None:
        if not self._desk.is_running:
            self._watchman.forget()
            self._stack.setCurrentWidget(self._frame)
            self._frame.begin(wizard)

    @Slot(object)
    def show_step(self, step: Step, _checked: bool = False) -> None:
        """Show the wizard, at a step where it can be reached."""
        self._stack.setCurrentWidget(self._frame)
        self._frame.go_to(step)

    @Slot(str)
    def _on_node_chosen(self, key: str) -> None:
        from app.ui.pages.site_page import SitePage  # loads what the first page does without

        self.show_step(Step.TOPOLOGY)
        if isinstance(self._frame.page, SitePage):
            self._frame.page.show_node(key)

    @Slot()
    def choose_session(self) -> None:
        """Ask for a session file and open it."""
        kinds = _("Sessions ({pattern})").format(pattern=_SESSION_FILTER)
        path, _kind = QFileDialog.getOpenFileName(self, _("Open a session"), "", kinds)
        if path:
            self.open_session(path)

    @Slot()
    def go_on_with_run(self) -> None:
        """Check the unfinished run of the session at hand again, to go on with it."""
        wizard = self._frame.wizard
        if not why_not_go_on(wizard, running=self._desk.is_running):
            work = partial(read_earlier_run, wizard.choices, self._desk.program)
            self._desk.tasks.query(self, work, self._begin, self._show_not_opened)

    @Slot()
    def extend_run(self) -> None:
        """Check the complete run of the session at hand again, to add confirming blocks to it."""
        from app.flows.run.extend_view import read_extension  # loads SQLite, which the first page does without

        if not self._desk.is_running:
            work = partial(read_extension, self._frame.wizard.choices, self._desk.program)
            self._desk.tasks.query(self, work, self._begin, self._show_not_opened)

    @Slot(str)
    def open_session(self, path: str) -> None:
        """Open a session file at its findings."""
        if not self._desk.is_running:
            work = partial(summarise_session, Path(path))
            self._desk.tasks.query(self, work, self._show_opened, self._show_not_opened)

    @Slot(str)
    def resume_session(self, path: str) -> None:
        """Check the unfinished run of a session file again, to go on with it."""
        if not self._desk.is_running:
            work = partial(read_unfinished, Path(path), self._desk.program)
            self._desk.tasks.query(self, work, partial(self._show_resumed, Path(path)), self._show_not_opened)

    def _show_resumed(self, path: Path, wizard: Wizard) -> None:
        self._recent.remember(path)
        self._begin(wizard)

    def _show_opened(self, summary: SessionSummary) -> None:
        if not self._desk.is_running:
            if is_client_file(summary):
                self._clients.show_file(str(summary.path))
                return
            self._recent.remember(summary.path)
            self._begin(opened_session(summary))

    @Slot(object)
    def _show_not_opened(self, error: BaseException) -> None:
        self.show_start()
        self._start.show_notice(str(error))

    @Slot()
    def _on_client_triggered(self) -> None:
        self._clients.show_file_of(self._frame.wizard)

    @Slot()
    def _on_compare_triggered(self) -> None:
        self._clients.compare_session_of(self._frame.wizard)

    @Slot()
    def _on_export_triggered(self) -> None:
        self._clients.export_file_of(self._frame.wizard)

    @Slot()
    def show_runs(self) -> None:
        """Show all runs of the session at hand."""
        self._extras.show_runs(self._frame.wizard)

    @Slot()
    def show_statements(self) -> None:
        """Show every statement the session at hand has sent."""
        self._extras.show_statements(self._frame.wizard)

    @Slot()
    def show_help(self) -> None:
        """Show the help on the page shown."""
        shown = self._stack.currentWidget()
        page = self._frame.page if shown is self._frame else shown
        self._extras.show_help(page_about("" if page is None else page.objectName()))

    @Slot()
    def show_doctor(self) -> None:
        """Show the health of this computer and the rights at the target at hand."""
        self._extras.show_doctor(self._frame.wizard)

    @Slot()
    def _show_frame(self) -> None:
        self._stack.setCurrentWidget(self._frame)

    # What happens

    @Slot()
    def _on_back_triggered(self) -> None:
        if self._stack.currentWidget() is self._frame:
            self._frame.go_back()
        elif self._stack.currentWidget() is not self._start and self._frame.page is not None:
            self._show_frame()
        else:
            self.show_start()

    @Slot(object)
    def _on_wizard_changed(self, wizard: Wizard) -> None:
        self._refresh()
        if wizard.choices.run_end != self._run_end:
            self._run_end = wizard.choices.run_end
            self._read_journal()

    @Slot()
    def _read_journal(self) -> None:
        """Show the undo journal's state in the strip; while a run goes on its events say it sooner."""
        work = partial(read_journal, self._desk.program.parts.journal_path)
        self._desk.tasks.query(self, work, self._show_journal, self._desk.trouble.emit)

    def _show_journal(self, reading: JournalReading) -> None:
        if not self._desk.is_running:
            self._strip.show_state(ServerState.of_journal(reading.entries, reading.problems, reading.kept))

    @Slot()
    def _refresh(self) -> None:
        shown = self._stack.currentWidget()
        is_step = self._is_step
        self._watchman.look_again()
        has_own = shown is self._start or self._sees_run()
        self._strip.offer_restore(offers=not self._desk.is_running and not has_own)
        self._show_title()
        if self._place.show_place(place_at_hand(self._frame.wizard.choices) if shown is not self._start else ""):
            self.menuBar().setCornerWidget(self._place)  # makes room for its new text
        self._frame.footer.setVisible(is_step)
        self._actions.refresh(
            self._frame.wizard,
            running=self._desk.is_running,
            has_session=self._frame.page is not None,
            in_wizard=self._stack.currentWidget() is self._frame,
        )

    @property
    def _is_step(self) -> bool:
        return self._stack.currentWidget() is self._frame and self._frame.page is not None

    def _sees_run(self) -> bool:
        return self._is_step and self._frame.wizard.step is Step.RUN

    @Slot()
    def _show_title(self) -> None:
        page = step_text(self._frame.wizard.step).title if self._is_step else self._stack.currentWidget().windowTitle()
        self.setWindowTitle(window_title(page, self._watchman.mark))

    @Slot(object)
    def _on_job_ended(self, _end: object) -> None:
        self._refresh()
        self._read_journal()
        if self._stack.currentWidget() is self._start:
            self._start.refresh()

    @Slot(str)
    def _on_forget_requested(self, path: str) -> None:
        self._recent.forget(path)
        self._start.refresh()

    # Showing and closing

    def showEvent(self, event: QShowEvent) -> None:
        """Read the start page's lists once the window is on screen (Qt calls this)."""
        super().showEvent(event)
        if not event.spontaneous() and self._stack.currentWidget() is self._start:
            self._start.refresh()
            ahead = partial(load_ahead, self._desk.program)
            self._desk.tasks.query(self, ahead, self._on_loaded_ahead, self._desk.trouble.emit)

    def _on_loaded_ahead(self, _families: int) -> None:
        self._start.count_verdicts()

    @Slot()
    def _on_closing_permitted(self) -> None:
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close at once where nothing goes on, else once it has ended (Qt calls this)."""
        if self._may_close or self._closing.request():
            event.accept()
            self._desk.window_place = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
            self.closed.emit()
        else:
            event.ignore()
