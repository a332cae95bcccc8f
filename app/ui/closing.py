"""Closing the window while a run goes on or something stands changed: asks, waits, and only then closes."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QProgressDialog, QWidget

from app.domain.events import ChangeRestored, RunEvent, StepStarted
from app.flows.run.restore_view import JournalReading, read_journal
from app.flows.shell.shell_view import closing_sentence, not_restored_sentence, standing_sentence
from app.flows.silence_text import silence_sentence
from app.foundation.texts import _
from app.services.run.restoring import RestoreOutcome
from app.services.target.answers import Silence
from app.ui.desk import Desk
from app.ui.restoring import Restoring
from app.ui.widgets.server_strip import ServerStrip

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.services.run.run_job import JobEnded


class Closing(QObject):
    """Takes the window from "please close" to "may close"; never blocks the main thread.

    Signals:
        permitted: nothing goes on any more; the window may close now.
        refused: the person wants the window to stay.
    """

    permitted = Signal()
    refused = Signal()

    def __init__(self, desk: Desk, strip: ServerStrip, window: QWidget) -> None:
        super().__init__(window)
        self._desk = desk
        self._strip = strip
        self._window = window
        self._is_asked = False
        self._is_deciding = False  # what stands changed is being read, told or put back
        self._is_decided = False
        self._progress: QProgressDialog | None = None
        self._can_stop_waiting = False
        self._restoring = Restoring(desk, window, self._on_restored, self._on_deciding_failed)
        self._restoring.undoing.connect(self._on_undoing)
        self._restoring.progressed.connect(self._on_progressed)
        self._restoring.refused.connect(self._on_stay_chosen)
        desk.bridge.events_delivered.connect(self._on_events_delivered)
        desk.job_ended.connect(self._on_job_ended)
        desk.tasks.count_changed.connect(self._on_task_count_changed)
        desk.servers.silence_told.connect(self._on_silence_told)

    def request(self) -> bool:
        """Return whether the window may close at once; else ask, or wait, and tell by the signals."""
        if self._desk.is_running:
            if not self._is_asked:
                self._ask()
            return False
        self._desk.servers.leave_reads()
        if self._desk.tasks.count:
            self._wait(_("Finishing the last read…"))
            return False
        if self._strip.state.is_changed and not self._is_decided:
            if not self._is_deciding:
                self._look_what_stands()
            return False
        return True

    def _ask(self) -> None:
        self._is_asked = True
        box = QMessageBox(self._window)
        box.setObjectName("closing.question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(_("A run is in progress"))
        box.setText(_("A run is in progress; stop it, undo every change and close?"))
        box.setInformativeText(self._what_closing_does())
        stop = box.addButton(_("&Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        stop.setObjectName("closing.stop_button")
        go_on = box.addButton(_("&Keep it running"), QMessageBox.ButtonRole.RejectRole)
        go_on.setObjectName("closing.keep_button")
        box.setDefaultButton(go_on)
        box.setEscapeButton(go_on)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.accepted.connect(self._on_stop_chosen)
        box.rejected.connect(self._on_keep_chosen)
        box.open()

    def _what_closing_does(self) -> str:
        if self._desk.job is not None and self._desk.job.desk is not None:
            return _(
                "Finished trials are kept. What the DBA has not undone yet stays in the undo journal and in "
                "rollback.sql; the next start offers it."
            )
        return _("Finished trials are kept. Every change is undone and checked first.")

    @Slot()
    def _on_stop_chosen(self) -> None:
        if not self._desk.is_running:  # it ended while the question stood there
            self._finish()
            return
        self._desk.stop_job()
        self._wait(_("Stopping the run and undoing every change…"))

    @Slot()
    def _on_keep_chosen(self) -> None:
        self._is_asked = False
        self.refused.emit()

    def _wait(self, text: str) -> None:
        if self._progress is None:
            progress = QProgressDialog(self._window)
            progress.setObjectName("closing.progress")
            progress.setWindowTitle(_("Closing"))
            progress.setCancelButton(None)
            progress.setRange(0, 0)
            progress.setMinimumDuration(0)
            progress.setAutoReset(False)
            progress.setAutoClose(False)
            progress.setWindowModality(Qt.WindowModality.WindowModal)
            self._progress, self._can_stop_waiting = progress, False
        self._progress.setLabelText(text)
        self._progress.show()

    @Slot(object)
    def _on_silence_told(self, silence: Silence | None) -> None:
        """A restore waits for a server that does not answer: say so over everything, and let nobody be held up."""
        if self._progress is not None and silence is not None:
            self._progress.setLabelText(silence_sentence(silence))
            if not self._can_stop_waiting:
                self._can_stop_waiting = True
                self._progress.setCancelButtonText(_("Stop waiting"))
                self._progress.canceled.connect(self._desk.servers.give_up)

    @Slot(object)
    def _on_events_delivered(self, events: tuple[RunEvent, ...]) -> None:
        if self._progress is None:
            return
        for event in events:
            if isinstance(event, ChangeRestored):
                self._progress.setLabelText(_("Undone: {subject}").format(subject=event.change.subject))
            elif isinstance(event, StepStarted):
                self._progress.setLabelText(event.text)

    @Slot(object)
    def _on_job_ended(self, end: "JobEnded") -> None:
        if self._progress is None:
            return
        sentence = closing_sentence(end, self._strip.state)
        if sentence:
            self._tell_what_stands(sentence)
        else:
            self._finish()

    # What stands changed

    def _look_what_stands(self) -> None:
        """Read the undo journal: another window may run, and open changes are its own then."""
        self._is_deciding = True
        self._wait(_("Reading the undo journal…"))
        work = partial(read_journal, self._desk.program.parts.journal_path)
        self._desk.tasks.query(self, work, self._on_journal_read, self._on_deciding_failed)

    def _on_journal_read(self, reading: JournalReading) -> None:
        sentence = standing_sentence(reading.entries, reading.problems)
        if sentence and not reading.runs_elsewhere:
            self._tell_what_stands(sentence)
        else:
            self._settle()

    def _tell_what_stands(self, sentence: str) -> None:
        """Ask before closing over changed servers; putting them back is the default."""
        self._is_deciding = True
        self._drop_progress()
        box = QMessageBox(QMessageBox.Icon.Warning, _("Not everything is undone"), sentence, parent=self._window)
        box.setObjectName("closing.not_restored")
        box.setTextFormat(Qt.TextFormat.PlainText)
        restore = box.addButton(_("&Restore and close"), QMessageBox.ButtonRole.AcceptRole)
        restore.setObjectName("closing.restore_button")
        leave = box.addButton(_("Close and &leave changed"), QMessageBox.ButtonRole.DestructiveRole)
        leave.setObjectName("closing.close_button")
        stay = box.addButton(_("&Cancel"), QMessageBox.ButtonRole.RejectRole)
        stay.setObjectName("closing.stay_button")
        box.setDefaultButton(restore)
        box.setEscapeButton(stay)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        restore.clicked.connect(self._on_restore_chosen)
        leave.clicked.connect(self._on_leave_chosen)
        box.rejected.connect(self._on_stay_chosen)
        box.open()

    @Slot()
    def _on_restore_chosen(self) -> None:
        self._restoring.begin()

    @Slot()
    def _on_undoing(self) -> None:
        self._wait(_("Undoing every change…"))

    @Slot(str)
    def _on_progressed(self, text: str) -> None:
        if self._progress is not None:
            self._progress.setLabelText(text)

    def _on_restored(self, outcome: RestoreOutcome) -> None:
        if outcome.problems:
            self._tell_what_stands(not_restored_sentence(outcome.problems))
        else:
            self._settle()

    def _on_deciding_failed(self, error: BaseException) -> None:
        self._tell_what_stands(not_restored_sentence((str(error),)))

    @Slot()
    def _on_leave_chosen(self) -> None:
        self._settle()

    def _settle(self) -> None:
        """Let the window close: nothing stands changed, or the person wants it so."""
        self._is_deciding, self._is_decided = False, True
        self._finish()

    @Slot()
    def _on_stay_chosen(self) -> None:
        self._is_asked = self._is_deciding = False
        self.refused.emit()

    @Slot(int)
    def _on_task_count_changed(self, count: int) -> None:
        waits = self._progress is not None and not self._is_deciding
        if count == 0 and waits and not self._desk.is_running:
            self._drop_progress()
            if self.request():
                self._finish()

    def _finish(self) -> None:
        """Let the window close, once nothing is being read either."""
        if self._desk.tasks.count:
            self._wait(_("Finishing the last read…"))
            return
        self._drop_progress()
        self.permitted.emit()

    def _drop_progress(self) -> None:
        if self._progress is not None:
            self._progress.hide()
            self._progress.deleteLater()
            self._progress = None
