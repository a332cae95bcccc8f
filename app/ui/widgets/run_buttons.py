"""The buttons of a run: start, pause, resume, cancel, restore, and its statements."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QWidget

from app.flows.run.run_state import Stage
from app.flows.run.run_view import RunPicture
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.columns import Columns
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_tip


class RunButtons(QWidget):
    """Shows which requests are possible.

    Signals:
        go_on_requested: to take up a run that ended before its time.
        start_requested, pause_requested, resume_requested, cancel_requested, restore_requested: of the run.
        statements_requested: to see every statement sent.
    """

    go_on_requested = Signal()
    start_requested = Signal()
    pause_requested = Signal()
    resume_requested = Signal()
    cancel_requested = Signal()
    restore_requested = Signal()
    statements_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._go_on = push_button("run.go_on_button", _("R&esume run"))
        self._start = push_button("run.start_button", _("&Start the run"))
        self._pause = push_button("run.pause_button", _("&Pause after this trial"))
        self._resume = push_button("run.resume_button", _("R&esume"))
        self._cancel = push_button("run.cancel_button", _("&Cancel the run"))
        self._restore = push_button("run.restore_button", _("Restore no&w"))
        self._statements = push_button("run.statements_button", _("State&ments sent…"))
        self._columns = Columns(self)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(GRID_PX)
        self._pausing = QStackedWidget()  # one place and one width for all three, so that Cancel stays where it is
        self._pausing.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._pausing.addWidget(self._pause)
        self._pausing.addWidget(self._resume)
        self._pausing.addWidget(self._go_on)
        for buttons, share in (
            ((self._start, self._pausing, self._cancel), 1),
            ((self._statements, self._restore), 0),
        ):
            row = QHBoxLayout()
            row.setSpacing(GRID_PX)
            for button in buttons:
                row.addWidget(button)
            row.addStretch(1)
            self._columns.addLayout(row, share)
        self._go_on.clicked.connect(self.go_on_requested)
        self._start.clicked.connect(self.start_requested)
        self._pause.clicked.connect(self.pause_requested)
        self._resume.clicked.connect(self.resume_requested)
        self._cancel.clicked.connect(self.cancel_requested)
        self._restore.clicked.connect(self.restore_requested)
        self._statements.clicked.connect(self.statements_requested)

    def fold(self, page: QWidget) -> None:
        """Stand in two rows where a page has no room for one."""
        self._columns.fold(page)

    def show_picture(self, shown: RunPicture, *, has_begun: bool) -> None:
        """Enable the possible actions.

        Args:
            has_begun: the run got as far as the server, so that there are statements.
        """
        self._enable(
            {
                self._go_on: shown.can_go_on,
                self._start: shown.can_start,
                self._pause: shown.can_pause,
                self._resume: shown.can_resume,
                self._cancel: shown.can_cancel,
                self._restore: shown.can_restore,
                self._statements: has_begun,
            }
        )
        restore_leads = shown.can_restore and shown.stage is Stage.ENDED
        self._go_on.setDefault(shown.can_go_on and not restore_leads)
        self._start.setText(shown.start_text)
        self._start.setDefault(shown.can_start and shown.stage is Stage.IDLE)
        at_once = self._resume if shown.can_resume else self._pause
        self._pausing.setCurrentWidget(self._go_on if shown.can_go_on else at_once)
        self._pause.setText(shown.pause_text)
        self._cancel.setText(shown.cancel_text)
        self._cancel.setToolTip(plain_tip(shown.cancel_hint))
        if restore_leads and not self._restore.isDefault():
            self._restore.setFocus()
        self._restore.setDefault(restore_leads)
        self._restore.setToolTip(plain_tip(shown.restore_hint))

    @staticmethod
    def _enable(possible: Mapping[QPushButton, bool]) -> None:
        """Enable buttons before others are disabled: the keyboard goes from one of these to the next one in the row."""
        for button, is_possible in sorted(possible.items(), key=lambda item: not item[1]):
            button.setEnabled(is_possible)
