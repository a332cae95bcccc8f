"""The page of a run: its present step, and how to pause, end and undo it."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QMessageBox, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.domain.change import Keep
from app.domain.errors import ReplituneError
from app.domain.events import RunEvent, RunStatus
from app.domain.plan import Plan
from app.domain.rights import Mode
from app.flows.run.keep_view import KeepOffer, consent_question, read_keep_offer
from app.flows.run.restore_view import restoring_text
from app.flows.run.run_health import run_health
from app.flows.run.run_state import GOING_ON, RunState, Stage
from app.flows.run.run_told import run_told
from app.flows.run.run_view import (
    beside_text,
    changes_table,
    hand_picture,
    opens_findings,
    picture,
    restored_end,
    run_end,
)
from app.flows.run.windows_view import windows_picture
from app.flows.shell.wizard import Choices, RunEnd, Step, begin_again, keep_run_end
from app.foundation.texts import _, in_words_of
from app.services.run.keeping import KeepJobEnded
from app.services.run.restoring import RestoreOutcome
from app.services.run.run_job import JobEnded, JobOrder, RunJob
from app.services.workplace import open_workplace
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.pages.statements_dialog import StatementsDialog
from app.ui.restoring import Restoring
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.fitted_table import FirstRowsTable
from app.ui.widgets.hand_pane import HandPane
from app.ui.widgets.keep_pane import KeepPane
from app.ui.widgets.note_line import NoteLine
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.run_buttons import RunButtons
from app.ui.widgets.run_log_view import RunLogView
from app.ui.widgets.run_plots import RunPlots
from app.ui.widgets.run_status import RunStatusPane
from app.ui.widgets.start_cards import card_title
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.windows_pane import WindowsPane

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
        self._undoing = ""
        self._restoring = Restoring(desk, self, self._on_restored, self._on_not_restored)
        self._restoring.progressed.connect(self._show_undoing)
        self._restoring.refused.connect(self._on_restore_refused)
        self._status = RunStatusPane()
        self._plots = RunPlots()
        self._changes = FirstRowsTable("run.changes_table", _("Changed on the servers right now"), desk.table_layouts)
        self._changes.set_placeholder(_("Nothing is changed on the server right now."))
        self._windows = WindowsPane()
        self._keep = KeepPane()
        self._offer = KeepOffer()
        self._offered_session = ""
        self._is_keeping = False
        self._latest = StatusLine("run.latest")
        self._beside = plain_label("")
        self._beside.setObjectName("run.beside")
        self._log = RunLogView()
        self._note = NoteLine()
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
        column.addWidget(self._windows)
        for title, part, share in (
            (_("Changed on the servers right now"), self._changes, 2),
            (_("What else ran on the servers"), self._beside, 0),
            (_("Log"), self._log, 3),
        ):
            column.addWidget(card_title(title))
            if part is self._changes:
                column.addWidget(self._latest)
            column.addWidget(part, share)
        column.addWidget(self._note)
        self._log.setMinimumHeight(10 * GRID_PX)
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
        layout.addWidget(_scrollable(self._keep, self._parts), 1)

    def _connect(self) -> None:
        self._buttons.go_on_requested.connect(self.desk.resume_requested)
        self._buttons.start_requested.connect(self._on_start_clicked)
        self._buttons.pause_requested.connect(self._on_pause_clicked)
        self._buttons.resume_requested.connect(self._on_resume_clicked)
        self._buttons.cancel_requested.connect(self._on_cancel_clicked)
        self._buttons.restore_requested.connect(self._on_restore_clicked)
        self._buttons.statements_requested.connect(self._on_statements_clicked)
        self._note.note_written.connect(self._on_note_written)
        self._hand.reported_done.connect(self._on_reported_done)
        self._hand.given_up.connect(self._on_given_up)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.desk.bridge.events_delivered.connect(self._on_events_delivered)
        self.desk.job_ended.connect(self._on_job_ended)
        self.desk.keep_ended.connect(self._on_keep_ended)
        self._keep.keep_requested.connect(self._on_keep_requested)
        self._keep.put_back_requested.connect(self._on_put_back_requested)

    def show_choices(self, choices: Choices) -> None:
        """Show the run of these choices: how it stands, or that it can be started."""
        self._choices = choices
        if self._state.stage not in GOING_ON:
            if choices.plan != self._started_plan or choices.run_end is None:
                self._forget_run()
            if choices.run_end is not None and self._state.stage is Stage.IDLE:
                self._state.show_end(choices.run_end)
                self._started_plan = choices.plan
            if choices.run_end is not None and choices.run_end.session_id != self._offered_session:
                self._read_offer(advances=False)
        self._show()

    def _forget_run(self) -> None:
        self._state = RunState(self.desk.program.families)
        self._started_plan = None
        self._offer, self._offered_session = KeepOffer(), ""

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
            self.desk.job.answers.begin_anew()
            self.desk.job.control.resume()
            self._show()

    @Slot()
    def _on_cancel_clicked(self) -> None:
        if self.desk.job is not None and self.desk.is_running:
            self._state.ask_to_cancel(self.desk.clock.monotonic_s())
            self.desk.job.control.cancel()
            self._show()

    @Slot(str)
    def _on_note_written(self, text: str) -> None:
        """Stamp a note on the run, and keep it with the session."""
        job = self.desk.job
        if isinstance(job, RunJob) and self._state.run_id:
            self._state.write_note(text, self.desk.clock.now_utc().astimezone())
            work = partial(job.note, text, self._state.run_id)
            self.desk.tasks.query(self, work, _leave_noted, partial(self._on_note_refused, text))
            self._show()

    def _on_note_refused(self, text: str, error: BaseException) -> None:
        if not isinstance(error, ReplituneError):
            self.desk.trouble.emit(error)
        told = _("Note not kept: {text} ({why})").format(text=text, why=error)
        self._state.log.tell(told, self.desk.clock.now_utc().astimezone())
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
        self._show_undoing(restoring_text())
        self._restoring.begin()

    @Slot()
    def _on_restore_refused(self) -> None:
        self._show_undoing("")

    @Slot(str)
    def _show_undoing(self, text: str) -> None:
        """Show the change that is being undone after the run, "" for none."""
        self._undoing = text
        self.busy_changed.emit(text)
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
        self._end_restoring(outcome.problems, len(outcome.restored))

    def _on_not_restored(self, error: BaseException) -> None:
        if not isinstance(error, ReplituneError):
            self.desk.trouble.emit(error)
        self._end_restoring((*self._state.not_restored, str(error)))

    def _end_restoring(self, problems: tuple[str, ...], count: int = 0) -> None:
        self._state.restored(problems, self.desk.clock.now_utc().astimezone(), count)
        if self._choices.run_end is not None:
            self._choose(keep_run_end(self._choices, restored_end(self._choices.run_end, problems)))
        self._show_undoing("")

    # What happens

    @Slot(object)
    def _on_events_delivered(self, events: tuple[RunEvent, ...]) -> None:
        self._state.take(events, self.desk.clock.now_utc().astimezone(), self.desk.clock.monotonic_s())

    @Slot(object)
    def _on_job_ended(self, end: JobEnded) -> None:
        if self._is_keeping:  # it was told as what it is
            self._is_keeping = False
            self._show()
            return
        self._timer.stop()
        self._state.end(end, self.desk.clock.monotonic_s())
        self.desk.run_told.emit(run_told(self._state))
        ended = run_end(end)
        if ended is not None:
            self._choose(keep_run_end(self._choices, ended))
        self._show()
        if ended is None:
            return
        if self._state.is_windowed and ended.status == RunStatus.SUCCEEDED:
            self._read_offer(advances=True)
        else:
            self._advance(ended)

    def _advance(self, ended: RunEnd) -> None:
        """Open the findings of a run that is complete, where no question stands over the page."""
        is_alone = QApplication.activeModalWidget() is None
        if opens_findings(ended) and self.isVisible() and is_alone:
            self.advance_requested.emit()

    # Keeping what was confirmed

    def _read_offer(self, *, advances: bool) -> None:
        """Read what can be kept of the run that ended; the findings open where there is nothing to decide."""
        place, end = self._choices.place, self._choices.run_end
        if place is None or end is None:
            return
        self._offered_session = end.session_id
        parts = self.desk.program.parts
        work = partial(read_keep_offer, place, self.desk.program.families, parts.journal_path, end.session_id)
        self.desk.tasks.query(
            self, work, partial(self._on_offer_read, end, advances=advances), partial(self._on_offer_unread, end)
        )

    def _on_offer_read(self, end: RunEnd, offer: KeepOffer, *, advances: bool) -> None:
        if end.session_id != self._offered_session:
            return  # another run has begun meanwhile
        self._offer = offer
        self._show()
        if advances and (offer.found is None or offer.why_not):
            self._advance(end)

    def _on_offer_unread(self, end: RunEnd, error: BaseException) -> None:
        if not isinstance(error, ReplituneError):
            self.desk.trouble.emit(error)
        self._advance(end)

    @Slot(object)
    def _on_keep_requested(self, how: Keep) -> None:
        """Ask for the consent to this one change."""
        found = self._offer.found
        if found is None:
            return
        box = QMessageBox(QMessageBox.Icon.Question, _("Keep it"), consent_question(found, how), parent=self)
        box.setObjectName("run.keep_question")
        box.setTextFormat(Qt.TextFormat.PlainText)
        agree = box.addButton(_("&Agreed: keep it"), QMessageBox.ButtonRole.AcceptRole)
        agree.setObjectName("run.keep_agree_button")
        leave = box.addButton(_("&Cancel"), QMessageBox.ButtonRole.RejectRole)
        leave.setObjectName("run.keep_cancel_button")
        box.setDefaultButton(leave)
        box.setEscapeButton(leave)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        agree.clicked.connect(partial(self._begin_keep, how))
        box.open()

    def _begin_keep(self, how: Keep, _checked: bool = False) -> None:
        found, place = self._offer.found, self._choices.place
        if found is None or place is None or self.desk.is_running:
            return
        self._is_keeping = True
        self._state.begin_keep(found.setting, self.desk.clock.monotonic_s())
        self.desk.start_keep(found, how, place, guided=self._choices.mode is Mode.GUIDED)
        self._timer.start()
        self._show()

    @Slot(object)
    def _on_keep_ended(self, end: KeepJobEnded) -> None:
        self._timer.stop()
        reason = end.problem if end.ended is None else end.ended.reason
        problems = () if end.ended is None else end.ended.not_restored
        at, now_s = self.desk.clock.now_utc().astimezone(), self.desk.clock.monotonic_s()
        self._state.end_keep(reason, problems, at, now_s)
        self.desk.run_told.emit(run_told(self._state))
        self._read_offer(advances=False)
        self._show()

    @Slot()
    def _on_put_back_requested(self) -> None:
        """Undo what is kept: end the keeping that goes on, or undo what stands for good."""
        if self.desk.is_running:
            self._on_cancel_clicked()
            return
        self._show_undoing(restoring_text())
        self._restoring.put_back(self._offered_session, self._on_put_back)

    def _on_put_back(self, outcome: RestoreOutcome) -> None:
        self._end_restoring(outcome.problems, len(outcome.restored))
        self.desk.put_back.emit()
        self._read_offer(advances=False)

    def _choose(self, choices: Choices) -> None:
        self._choices = choices
        self.choices_changed.emit(choices)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._state.tick(self.desk.clock.monotonic_s())
        if self.desk.job is not None:
            answers = self.desk.job.answers
            self._state.hear(answers.answered_ago_s, answers.look())
        self._show()

    def _show(self) -> None:
        shown = picture(self._state, self._choices, restoring=self._undoing)
        self._status.show_picture(shown)
        self._status.show_health(run_health(self._state))
        if self._state.stage is not Stage.ENDED:
            self.desk.run_told.emit(run_told(self._state))
        self._buttons.show_picture(shown, has_begun=self._state.has_begun)
        with in_words_of(self._state):
            self._changes.show_content(changes_table(self._state.changes))
        self._hand.show_request(hand_picture(self._state))
        self._plots.show_state(self._state)
        windows = windows_picture(self._state, self.desk.clock.now_utc().astimezone())
        self._windows.show_picture(windows)
        self._keep.show_offer(self._offer, is_keeping=self._is_keeping, is_busy=bool(self._undoing))
        self._latest.show_status("" if windows is None else windows.latest, Tone.WARNING)
        self._latest.setVisible(bool(self._latest.text))
        self._beside.setText(beside_text(self._state))
        self._log.show_log(self._state.log)
        is_run = isinstance(self.desk.job, RunJob) and self.desk.is_running
        with self.keeping_keyboard():  # of somebody who writes a note as the run ends
            self._note.setVisible(is_run or self._state.stage is Stage.IDLE)
            self._note.setEnabled(is_run and bool(self._state.run_id))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the texts below the plots, and the buttons in two rows, where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._buttons.fold(self)
        wanted = Qt.Orientation.Vertical if event.size().width() < _NARROW_PX else Qt.Orientation.Horizontal
        if self._parts.orientation() is not wanted:
            self._parts.setOrientation(wanted)


def _leave_noted(_done: None) -> None:
    """Do nothing: the log shows the note."""


def _scrollable(keep: QWidget, parts: QWidget) -> QScrollArea:
    """Return the offer to keep, plots, changes and log in an area that scrolls where they would be too small."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID_PX)
    layout.addWidget(keep)
    layout.addWidget(parts, 1)
    area = QScrollArea()
    area.setObjectName("run.scroll_area")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(holder)
    return area
