"""Health of this computer, and rights of the login on the target at hand."""

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from app.domain.rights import Mode
from app.flows.target.attempt_view import is_mistake
from app.flows.target.doctor_view import (
    computer_line,
    experiments_table,
    grants_text,
    login_line,
    mode_title,
    parts_table,
    read_computer,
    read_login,
)
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.look.doctor import Health, TargetHealth
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.silence_bar import SilenceBar
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable


class DoctorDialog(QDialog):
    """Looks in the background, at the computer and at the target; changes nothing."""

    def __init__(self, desk: Desk, target: str, parent: QWidget) -> None:
        """Begin to look.

        Args:
            target: "" where none is chosen; then only the computer is looked at.
        """
        super().__init__(parent)
        self.setObjectName("doctor")
        self.setWindowTitle(_("Doctor"))
        self._desk, self._target = desk, target
        self._looks = 0  # that have not ended yet
        self._computer = StatusLine("doctor.computer_line")
        self._login = StatusLine("doctor.login_line")
        self._parts = DataTable("doctor.parts_table", _("Parts of this computer"), desk.table_layouts)
        self._experiments = DataTable("doctor.experiments_table", _("Rights of the login"), desk.table_layouts)
        self._experiments.set_placeholder(_("Choose a target first."))
        self._script = ScriptView("doctor.script", _("Script that grants the missing rights"))
        self._mode = QComboBox()
        leave_wheel_to_page(self._mode)
        self._mode.setObjectName("doctor.mode")
        self._mode.setAccessibleName(_("Way of working the script is for"))
        for mode in Mode:
            self._mode.addItem(mode_title(mode), mode)
        self._mode.setCurrentIndex(self._mode.count() - 1)
        self._health: TargetHealth | None = None
        self._again = push_button("doctor.again_button", _("Check a&gain"), _("Check again"))
        self._close = push_button("doctor.close_button", _("&Close"), _("Close"))
        self._tabs = QTabWidget()
        self._lay_out()
        self._again.clicked.connect(self.look)
        self._mode.currentIndexChanged.connect(self._show_script)
        self._close.clicked.connect(self.reject)
        self.look()

    def _lay_out(self) -> None:
        self._tabs.setObjectName("doctor.tabs")
        self._tabs.setAccessibleName(_("Computer and target"))
        if self._target:
            self._tabs.addTab(_page(self._login, self._experiments, self._mode, self._script), _("&Target"))
        self._tabs.addTab(_page(self._computer, self._parts), _("This c&omputer"))
        for unused in () if self._target else (self._login, self._experiments, self._mode, self._script):
            unused.setParent(self)
            unused.hide()
        buttons = QHBoxLayout()
        buttons.addWidget(self._again)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(SilenceBar(self._desk, "doctor"))
        layout.addWidget(self._tabs, 1)
        layout.addLayout(buttons)
        self.resize(112 * GRID_PX, 70 * GRID_PX)

    @Slot()
    def look(self) -> None:
        """Look again at everything."""
        program = self._desk.program
        self._looks = 2 if self._target else 1
        self._again.setEnabled(False)
        self._computer.show_status(_("Checking this computer …"), Tone.MUTED)
        self._desk.tasks.query(self, partial(read_computer, program), self._show_computer, self._on_failed)
        if self._target:
            self._login.show_status(_("Asking {target} …").format(target=self._target), Tone.MUTED)
            work = partial(read_login, program, self._target)
            self._desk.servers.query(self, work, self._show_login, self._on_login_failed)

    def _show_computer(self, health: Health) -> None:
        is_well = not health.open_changes and all(part.is_there for part in health.parts)
        self._computer.show_status(computer_line(health), Tone.GOOD if is_well else Tone.WARNING)
        self._parts.show_content(parts_table(health))
        self._end_look()

    def _end_look(self) -> None:
        self._looks -= 1
        self._again.setEnabled(self._looks == 0)

    def _show_login(self, health: TargetHealth) -> None:
        self._login.show_status(login_line(health), Tone.NEUTRAL)
        self._experiments.show_content(experiments_table(health))
        self._health = health
        self._show_script()
        self._end_look()

    @Slot()
    def _show_script(self) -> None:
        if self._health is not None:
            self._script.show_text(grants_text(self._health, self._mode.currentData()))

    def _on_failed(self, error: BaseException) -> None:
        self._end_look()
        self._computer.show_status(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self._desk.trouble.emit(error)

    def _on_login_failed(self, error: BaseException) -> None:
        self._end_look()
        self._login.show_status(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self._desk.trouble.emit(error)


def _page(*widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
    column.setSpacing(GRID_PX)
    for widget in widgets:
        column.addWidget(widget, 0 if isinstance(widget, StatusLine | QComboBox) else 1)
    return page
