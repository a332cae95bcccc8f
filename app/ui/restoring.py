"""Restoring from the window: the DBA undoes changes that the DBA made, unless a person says otherwise."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox, QVBoxLayout, QWidget

from app.flows.run.restore_view import by_hand_question, looking_text, undoing_text
from app.foundation.texts import _
from app.runner.asking import HandDesk, HandRequest
from app.services.run.restoring import JournalState, RestoreOutcome, RestoreWay, Undoing, restore_all, state_if_any
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.silence_bar import SilenceBar

_WIDTH_PX = 80 * GRID_PX


class Restoring(QObject):
    """Undoes the open changes of the undo journal, one restore at a time; never blocks the main thread.

    Signals:
        undoing: the program undoes everything itself; it takes a while.
        progressed: which change is being undone, in words.
        refused: the person wants nothing undone now.
    """

    undoing = Signal()
    progressed = Signal(str)
    _begun = Signal(object)
    refused = Signal()

    def __init__(
        self,
        desk: Desk,
        window: QWidget,
        on_done: Callable[[RestoreOutcome], None],
        on_failed: Callable[[BaseException], None],
    ) -> None:
        """Prepare it.

        Args:
            window: questions stand over it.
            on_done, on_failed: told how a restore ended, on the main thread.
        """
        super().__init__(window)
        self._desk = desk
        self._window = window
        self._on_done = on_done
        self._on_failed = on_failed
        self._asking: _Asking | None = None
        self._begun.connect(self._on_begun, Qt.ConnectionType.QueuedConnection)  # from the worker thread

    def begin(self) -> None:
        """Read the open changes, ask who undoes those a DBA has made, and undo them all."""
        work = partial(state_if_any, self._desk.program.parts.journal_path)
        self._desk.tasks.query(self, work, self._on_read, self._on_failed)

    def put_back(self, session_id: str, on_done: Callable[[RestoreOutcome], None]) -> None:
        """Undo a setting that the client keeps of a session; then tell `on_done`, or who was named for a failure."""
        from app.services.run.keeping import undo_kept  # loads the numeric libraries, which the first page does without

        stopped = threading.Event()
        way = RestoreWay(lambda: self._desk.program.systems, is_stopped=stopped.is_set, on_undoing=self._begun.emit)
        work = partial(
            undo_kept,
            self._desk.program.parts.journal_path,
            session_id,
            on_restored=_leave_to_result,
            on_left=_leave_told,
            way=way,
        )
        self._desk.servers.query(self, work, on_done, self._on_failed, stop=stopped.set)

    def _on_read(self, state: JournalState) -> None:
        question = by_hand_question(state.entries)
        if not question:
            self.undoing.emit()
            self._undo(RestoreWay())
            return
        box = QMessageBox(QMessageBox.Icon.Question, _("Made by the DBA"), question, parent=self._window)
        box.setObjectName("restoring.question")
        box.setTextFormat(Qt.TextFormat.PlainText)
        ask = box.addButton(_("&Ask the DBA"), QMessageBox.ButtonRole.AcceptRole)
        ask.setObjectName("restoring.ask_button")
        own = box.addButton(_("&Undo all from here"), QMessageBox.ButtonRole.DestructiveRole)
        own.setObjectName("restoring.hands_on_button")
        leave = box.addButton(_("&Cancel"), QMessageBox.ButtonRole.RejectRole)
        leave.setObjectName("restoring.cancel_button")
        box.setDefaultButton(ask)
        box.setEscapeButton(leave)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ask.clicked.connect(self._on_ask_chosen)
        own.clicked.connect(self._on_hands_on_chosen)
        leave.clicked.connect(self.refused)
        box.open()

    @Slot()
    def _on_ask_chosen(self) -> None:
        self._asking = _Asking(self._desk, self._window)
        self._asking.open()
        self._undo(RestoreWay(lambda: self._desk.program.systems, self._asking.desk))

    @Slot()
    def _on_hands_on_chosen(self) -> None:
        self.undoing.emit()
        self._undo(RestoreWay(hands_on=True))

    def _undo(self, way: RestoreWay) -> None:
        stopped = threading.Event()
        way = replace(way, is_stopped=stopped.is_set, on_undoing=self._begun.emit)
        journal_path = self._desk.program.parts.journal_path
        work = partial(restore_all, journal_path, on_restored=_leave_to_result, way=way)
        self._desk.servers.query(self, work, self._end, self._fail, stop=partial(_stop, stopped, way.desk))

    @Slot(object)
    def _on_begun(self, undoing: Undoing) -> None:
        self.progressed.emit(undoing_text(undoing))

    def _end(self, outcome: RestoreOutcome) -> None:
        self._close_asking()
        self._on_done(outcome)

    def _fail(self, error: BaseException) -> None:
        self._close_asking()
        self._on_failed(error)

    def _close_asking(self) -> None:
        if self._asking is not None:
            self._asking.end()
            self._asking = None


class _Asking(QDialog):
    """Shows the requests to the DBA, script by script, until the restore ends; closing it waits for nobody longer.

    Attributes:
        desk: where the restore asks.
    """

    _asked = Signal(object)
    _was_done = Signal()

    def __init__(self, desk: Desk, window: QWidget) -> None:
        from app.ui.widgets.hand_pane import HandPane  # loads what a run is shown by

        super().__init__(window)
        self.setObjectName("restoring.asking")
        self.setWindowTitle(_("For the DBA"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumWidth(_WIDTH_PX)
        self.desk = HandDesk()
        self.desk.attach(self._asked.emit, lambda _request: self._was_done.emit())
        self._looking: QLabel = plain_label(looking_text(), quiet=True)
        self._looking.setObjectName("restoring.looking")
        self._pane = HandPane(self, give_up_tip=_("What is not undone stays in the undo journal."))
        self._all = QVBoxLayout(self)
        self._all.addWidget(SilenceBar(desk, "restoring"))
        self._all.addWidget(self._looking)
        self._all.addWidget(self._pane)
        self._pane.reported_done.connect(self.desk.say_done)
        self._pane.given_up.connect(self.reject)
        self._asked.connect(self._on_asked, Qt.ConnectionType.QueuedConnection)
        self._was_done.connect(self._on_was_done, Qt.ConnectionType.QueuedConnection)
        self.rejected.connect(self.desk.give_up)

    def end(self) -> None:
        """Close it: the restore has ended, and asks nothing any more."""
        self.accept()
        self.deleteLater()

    @Slot(object)
    def _on_asked(self, request: HandRequest) -> None:
        from app.flows.run.run_view import asked_picture  # as above

        self._pane.show_request(asked_picture(request))
        # a title may take several lines, which a dialog that is shown makes no room for by itself
        needed_px = self._all.totalHeightForWidth(self.width())
        self.setMinimumHeight(needed_px)
        self.resize(self.width(), max(self.height(), needed_px))

    @Slot()
    def _on_was_done(self) -> None:
        self._pane.show_request(None)


def _stop(stopped: threading.Event, desk: HandDesk | None) -> None:
    """Have a restore undo no further change, and wait for no DBA."""
    stopped.set()
    if desk is not None:
        desk.give_up()


def _leave_told(_change: object, _why: str) -> None:
    """Do nothing: what somebody else has set since stays so, and the undo journal tells it."""


def _leave_to_result(_change: object) -> None:
    """Do nothing: the result names the undone changes, and nothing is told from the worker thread."""
