"""The page of a run: its present step, and how to pause, end and undo it."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.domain.errors import ReplituneError
from app.domain.events import RunEvent
from app.domain.plan import Plan
from app.domain.rights import Mode
from app.flows.run.run_state import GOING_ON, RunState, Stage
from app.flows.run.run_view import (
    beside_text,
    changes_table,
    hand_picture,
    opens_findings,
    picture,
    restored_end,
    run_end,
)
from app.flows.shell.wizard import Choices, Step, begin_again, keep_run_end
from app.foundation.texts import _
from app.services.run.restoring import RestoreOutcome
from app.services.run.run_job import JobEnded, JobOrder
from app.services.workplace import open_workplace
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.pages.statements_dialog import StatementsDialog
from app.ui.restoring import Restoring
from app.ui.theme import GRID_PX
from app.ui.widgets.hand_pane import HandPane
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.run_buttons import RunButtons
from app.ui.widgets.run_log_view import RunLogView
from app.ui.widgets.run_plots import RunPlots
from app.ui.widgets.run_status import RunStatusPane
from app.ui.widgets.start_cards import card_title
from app.ui.widgets.table import DataTable

REDRAW_INTERVAL_MS = 200
_NARROW_PX = 110 * GRID_PX
"""Narrower than this, plots and lists stand below each other."""


class RunPage(WizardPage):
    """Starts the run and shows it; events only change its state, a timer draws it."""

    step = Step.RUN

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._choices = Choices()
        self._state = RunState(desk.program.families)
        self._started_plan: Plan | None = None
        self._is_restoring = False
        self._restoring = Restoring(desk, self, self._on_restored, self._on_not_restored)
        self._restoring.refused.connect(self._on_restore_refused)
        self._status = RunStatusPane()
        self._plots = RunPlots()
        self._changes = DataTable("run.changes_table", _("Changed on the servers right now"), desk.table_layouts)
        self._changes.set_placeholder(_("Nothing is changed on the server right now."))
        self._beside = plain_label("")
        self._beside.setObjectName("run.beside")
        self._log = RunLogView()
        self._parts = QSplitter(Qt.Orientation.Horizontal)
        self._hand = HandPane()
        self._buttons = RunButtons()
        self._timer = QTimer(self)
        self._timer.setInterval(REDRAW_INTERVAL_MS)
        self._lay_out()
        self._connect()
        self._show()

    def _lay_out(self) -> None:
        told = QWidget()
        column = QVBoxLayout(told)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        for title, part, share in (
            (_("Changed on the servers right now"), self._changes, 2),
            (_("What else ran on the servers"), self._beside, 0),
            (_("Log"), self._log, 3),
        ):
            column.addWidget(card_title(title))
            column.addWidget(part, share)
            part.setMinimumHeight(10 * GRID_PX if share else 0)
        self._parts.setChildrenCollapsible(False)
        self._parts.addWidget(self._plots)
        self._parts.addWidget(told)
        self._parts.setStretchFactor(0, 3)
        self._parts.setStretchFactor(1, 1)
        self._parts.setSizes([3, 1])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._buttons)  # above what grows and shrinks, so that they never move under the pointer
        layout.addWidget(self._status)
        layout.addWidget(self._hand)
        layout.addWidget(_scrollable(self._parts), 1)

    def _connect(self) -> None:
        self._buttons.go_on_requested.connect(self.desk.resume_requested)
        self._buttons.start_requested.connect(self._on_start_clicked)
        self._buttons.pause_requested.connect(self._on_pause_clicked)
        self._buttons.resume_requested.connect(self._on_resume_clicked)
        self._buttons.cancel_requested.connect(self._on_cancel_clicked)
        self._buttons.restore_requested.connect(self._on_restore_clicked)
        self._buttons.statements_requested.connect(self._on_statements_clicked)
        self._hand.reported_done.connect(self._on_reported_done)
        self._hand.given_up.connect(self._on_given_up)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.desk.bridge.events_delivered.connect(self._on_events_delivered)
        self.desk.job_ended.connect(self._on_job_ended)

    def show_choices(self, choices: Choices) -> None:
        """Show the run of these choices: how it stands, or that it can be started."""
        self._choices = choices
        if self._state.stage not in GOING_ON:
            if choices.plan != self._started_plan or choices.run_end is None:
                self._forget_run()
            if choices.run_end is not None and self._state.stage is Stage.IDLE:
                self._state.show_end(choices.run_end)
                self._started_plan = choices.plan
        self._show()

    def _forget_run(self) -> None:
        self._state = RunState(self.desk.program.families)
        self._started_plan = None

    # What the person asks

    @Slot()
    def _on_start_clicked(self) -> None:
        choices, program = self._choices, self.desk.program
        if choices.plan is None or choices.place is None:
            return
        if self._state.has_begun:  # its consent is used up
            self._choose(begin_again(choices))
            self.return_requested.emit()
            return
        self._forget_run()
        self._started_plan = choices.plan
        try:
            open_workplace(choices.place.folder)
        except ReplituneError as error:
            self._state.end(JobEnded("", None, str(error)), self.desk.clock.monotonic_s())
            self._show()
            return
        order = JobOrder(
            target=choices.target,
            plan=choices.plan,
            family=program.families[choices.plan.family],
            place=choices.place,
            journal_path=program.parts.journal_path,
            seed=self.desk.preferences.lab_seed,
            guided=choices.mode is Mode.GUIDED,
            resumes="" if choices.resumes is None else choices.resumes.session_id,
            least_confirm_blocks=0 if choices.resumes is None else choices.resumes.least_confirm_blocks,
            agreed_s=None if choices.dry_run is None else choices.dry_run.longest_s,
        )
        self.desk.start_job(order)
        self.watch_run()

    def watch_run(self) -> None:
        """Show a run that has just been started, until it ends."""
        earlier = self._choices.resumes
        self._state.start(self.desk.clock.monotonic_s(), () if earlier is None else earlier.trials)
        self._timer.start()
        self._show()

    @Slot()
    def _on_pause_clicked(self) -> None:
        if self.desk.job is not None:
            self.desk.job.control.pause()
            self._state.ask_to_pause()
            self._show()

    @Slot()
    def _on_resume_clicked(self) -> None:
        if self.desk.job is not None:
            self._state.ask_to_resume(self.desk.clock.monotonic_s())
            self.desk.job.control.resume()
            self._show()

    @Slot()
    def _on_cancel_clicked(self) -> None:
        if self.desk.job is not None and self.desk.is_running:
            self._state.ask_to_cancel(self.desk.clock.monotonic_s())
            self.desk.job.control.cancel()
            self._show()

    @Slot()
    def _on_reported_done(self) -> None:
        if self.desk.job is not None and self.desk.job.desk is not None:
            self.desk.job.desk.say_done()

    @Slot()
    def _on_given_up(self) -> None:
        """End the run; changes that nobody undoes stay open in the journal."""
        if self.desk.job is not None and self.desk.job.desk is not None:
            self._on_cancel_clicked()
            self.desk.job.desk.give_up()

    @Slot()
    def _on_restore_clicked(self) -> None:
        """End the run, which undoes everything; after it, undo the changes that failed."""
        if self.desk.is_running:
            self._on_cancel_clicked()
            return
        self._is_restoring = True
        self.busy_changed.emit(_("Undoing what is still open …"))
        self._restoring.begin()
        self._show()

    @Slot()
    def _on_restore_refused(self) -> None:
        self._is_restoring = False
        self.busy_changed.emit("")
        self._show()

    @Slot()
    def _on_statements_clicked(self) -> None:
        """Show the statements of this session so far, the newest of the file while it goes on."""
        if self._choices.place is not None:
            end = self._choices.run_end
            session_id = end.session_id if end is not None and not self.desk.is_running else None
            dialog = StatementsDialog(self.desk, self._choices.place.session_file, session_id, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _on_restored(self, outcome: RestoreOutcome) -> None:
        self._end_restoring(outcome.problems)

    def _on_not_restored(self, error: BaseException) -> None:
        if not isinstance(error, ReplituneError):
            self.desk.trouble.emit(error)
        self._end_restoring((*self._state.not_restored, str(error)))

    def _end_restoring(self, problems: tuple[str, ...]) -> None:
        self._is_restoring = False
        self._state.restored(problems)
        self.busy_changed.emit("")
        if self._choices.run_end is not None:
            self._choose(keep_run_end(self._choices, restored_end(self._choices.run_end, problems)))
        self._show()

    # What happens

    @Slot(object)
    def _on_events_delivered(self, events: tuple[RunEvent, ...]) -> None:
        self._state.take(events, self.desk.clock.now_utc().astimezone(), self.desk.clock.monotonic_s())

    @Slot(object)
    def _on_job_ended(self, end: JobEnded) -> None:
        self._timer.stop()
        self._state.end(end, self.desk.clock.monotonic_s())
        ended = run_end(end)
        if ended is not None:
            self._choose(keep_run_end(self._choices, ended))
        self._show()
        is_alone = QApplication.activeModalWidget() is None  # else a question stands over the page
        if ended is not None and opens_findings(ended) and self.isVisible() and is_alone:
            self.advance_requested.emit()

    def _choose(self, choices: Choices) -> None:
        self._choices = choices
        self.choices_changed.emit(choices)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._state.tick(self.desk.clock.monotonic_s())
        self._show()

    def _show(self) -> None:
        shown = picture(self._state, self._choices, restoring=self._is_restoring)
        self._status.show_picture(shown)
        self._buttons.show_picture(shown, has_begun=self._state.has_begun)
        self._changes.show_content(changes_table(self._state.changes))
        self._hand.show_request(hand_picture(self._state))
        self._plots.show_state(self._state)
        self._beside.setText(beside_text(self._state))
        self._log.show_log(self._state.log)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the texts below the plots, and the buttons in two rows, where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._buttons.fold(self)
        wanted = Qt.Orientation.Vertical if event.size().width() < _NARROW_PX else Qt.Orientation.Horizontal
        if self._parts.orientation() is not wanted:
            self._parts.setOrientation(wanted)


def _scrollable(parts: QWidget) -> QScrollArea:
    """Return plots, changes and log in an area that scrolls where they would be too small to be read."""
    area = QScrollArea()
    area.setObjectName("run.scroll_area")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(parts)
    return area
