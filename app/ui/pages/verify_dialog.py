"""A session's promises held against the servers' own history, days later."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.flows.hand_over.verify_view import ShownVerification, verify_session
from app.flows.target.attempt_view import is_mistake
from app.flows.words import sentence
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.silence_bar import SilenceBar
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class VerifyDialog(QDialog):
    """Reads in the background, once it is asked to; changes nothing."""

    def __init__(self, desk: Desk, path: Path, session_id: str, target: str, parent: QWidget) -> None:
        """Ask for the target.

        Args:
            target: the one the session was measured on, proposed.
        """
        super().__init__(parent)
        self.setObjectName("verify")
        self.setWindowTitle(_("Verify: what was promised, and what came"))
        self._desk, self._path, self._session_id = desk, path, session_id
        self._found: ShownVerification | None = None
        self._target = QLineEdit(target)
        self._target.setObjectName("verify.target_edit")
        self._target.setAccessibleName(_("Target"))
        self._since = QLineEdit()
        self._since.setObjectName("verify.since_edit")
        self._since.setAccessibleName(_("Values set at"))
        self._since.setPlaceholderText(_("as recorded, else such as 2026-11-25 09:00"))
        self._verify = push_button("verify.verify_button", _("&Verify"), _("Read the servers' history"))
        self._status = StatusLine("verify.status")
        layouts = desk.table_layouts
        self._promises = DataTable("verify.promises_table", _("Promises and their outcomes"), layouts)
        self._promises.set_placeholder(_("Nothing was read yet."))
        self._hours = DataTable("verify.hours_table", _("Before and since the change"), layouts)
        self._notes = StatusLine("verify.notes")
        self._copy = push_button("verify.copy_button", _("C&opy as text"))
        self._close = push_button("verify.close_button", _("&Close"))
        self._lay_out()
        self._verify.clicked.connect(self._on_verify_clicked)
        self._target.returnPressed.connect(self._on_verify_clicked)
        self._since.returnPressed.connect(self._on_verify_clicked)
        self._promises.row_chosen.connect(self._show_promise)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._close.clicked.connect(self.reject)
        self._show_nothing(_("Only statements that read are sent."), Tone.MUTED)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, editor in ((_("&Target"), self._target), (_("Values &set at"), self._since)):
            label = PlainLabel(text)
            label.setBuddy(editor)
            form.addRow(label, editor)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._verify)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addLayout(form)
        layout.addWidget(self._status)
        layout.addWidget(SilenceBar(self._desk, "verify"))
        layout.addWidget(self._promises, 2)
        layout.addWidget(self._hours, 2)
        layout.addWidget(self._notes)
        layout.addLayout(buttons)
        self.resize(130 * GRID_PX, 60 * GRID_PX)

    @Slot()
    def _on_verify_clicked(self) -> None:
        target = self._target.text().strip()
        if not target:
            self._show_nothing(_("Name the target first."), Tone.NEUTRAL)
            return
        self._verify.setEnabled(False)
        self._show_nothing(_("Reading the history of {target} …").format(target=target), Tone.MUTED)
        work = partial(
            verify_session, self._desk.program, self._path, self._session_id, target, self._since.text().strip()
        )
        self._desk.servers.query(self, work, self._show, self._on_failed)

    def _show_nothing(self, text: str, tone: Tone) -> None:
        self._found = None
        self._status.show_status(text, tone)
        self._copy.setEnabled(False)
        self._hours.hide()
        self._notes.show_status("", Tone.MUTED)

    def _show(self, found: ShownVerification) -> None:
        self._found = found
        self._verify.setEnabled(True)
        self._copy.setEnabled(True)
        self._status.show_status(found.heading, Tone.NEUTRAL)
        self._promises.show_content(found.table)
        self._promises.choose_row("0")
        self._show_promise("0")

    @Slot(str)
    def _show_promise(self, key: str) -> None:
        if self._found is None or not key:
            return
        one = self._found.promises[int(key)]
        self._hours.show_content(one.table)
        self._hours.setVisible(bool(one.table.rows))
        tone = Tone.NEUTRAL if one.is_good is None else Tone.GOOD if one.is_good else Tone.WARNING
        self._notes.show_status(" ".join((sentence(one.outcome), *one.notes)), tone)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._found is not None:
            QGuiApplication.clipboard().setText(self._found.text)

    def _on_failed(self, error: BaseException) -> None:
        self._verify.setEnabled(True)
        self._show_nothing(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self._desk.trouble.emit(error)
