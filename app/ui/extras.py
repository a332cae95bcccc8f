"""The pages outside the wizard: import, runs browser, settings and About; each made when it is first asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from app.flows.shell.shell_view import can_show_runs
from app.flows.shell.wizard import Wizard
from app.services.hand_over.past_sessions import RunKey
from app.ui.desk import Desk

if TYPE_CHECKING:
    from app.ui.pages.help_dialog import HelpDialog


class Extras(QObject):
    """Shows them in the window's stack of pages, or as dialogs over it.

    Signals:
        session_made: path of a session file made from measurements.
        import_left, runs_left: the person wants to go back.
        compare_requested: path of a session file, and what names the runs chosen in it.
    """

    session_made = Signal(str)
    import_left = Signal()
    runs_left = Signal()
    compare_requested = Signal(str, object)

    def __init__(self, desk: Desk, stack: QStackedWidget, window: QWidget) -> None:
        super().__init__(window)
        self._desk = desk
        self._stack = stack
        self._window = window
        self._import: QWidget | None = None
        self._help: HelpDialog | None = None
        self._runs: QWidget | None = None

    @Slot()
    def show_import(self) -> None:
        """Show the import of measurements, as it was left."""
        from app.ui.pages.import_page import ImportPage

        if self._import is None:
            page = ImportPage(self._desk)
            page.session_made.connect(self.session_made)
            page.left.connect(self.import_left)
            self._stack.addWidget(page)
            self._import = page
        self._stack.setCurrentWidget(self._import)

    @Slot(str)
    def import_file(self, path: str) -> None:
        """Show the import of a file of measurements."""
        from app.ui.pages.import_page import ImportPage

        self.show_import()
        if isinstance(self._import, ImportPage):
            self._import.take_file(path)

    def show_runs(self, wizard: Wizard) -> None:
        """Show all runs of the file of the session at hand, where it has any."""
        place = wizard.choices.place
        if place is None or not can_show_runs(wizard, running=self._desk.is_running):
            return
        end = wizard.choices.run_end
        chosen = RunKey(end.session_id, end.run_id) if end is not None and end.run_id else None
        self.show_runs_of(str(place.session_file), chosen)

    @Slot(str, object)
    def show_runs_of(self, path: str, chosen: RunKey | None) -> None:
        """Show all runs of a file, one of them chosen; the newest for None."""
        from app.ui.pages.runs_page import RunsPage

        if not isinstance(self._runs, RunsPage):
            self._runs = RunsPage(self._desk)
            self._runs.left.connect(self.runs_left)
            self._runs.compare_requested.connect(self.compare_requested)
            self._stack.addWidget(self._runs)
        self._stack.setCurrentWidget(self._runs)
        self._runs.show_file(Path(path), chosen)

    def show_statements(self, wizard: Wizard) -> None:
        """Show every statement the session at hand has sent to its servers, where it has any."""
        from app.ui.pages.statements_dialog import StatementsDialog

        place, end = wizard.choices.place, wizard.choices.run_end
        if place is not None and can_show_runs(wizard, running=self._desk.is_running):
            session_id = end.session_id if end is not None and not self._desk.is_running else None
            self._open(StatementsDialog(self._desk, place.session_file, session_id, self._window))

    @Slot(str)
    def show_help(self, page: str) -> None:
        """Show a page of the help, in the one dialog of it that stays beside the window."""
        from app.ui.pages.help_dialog import HelpDialog

        if self._help is None:
            self._help = HelpDialog(self._desk.program.parts.family_ids, self._window)
        self._help.show_page(page)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    @Slot()
    def show_keys(self) -> None:
        """Show the keyboard shortcuts."""
        from app.ui.pages.keys_dialog import KeysDialog

        self._open(KeysDialog(self._window))

    def show_doctor(self, wizard: Wizard) -> None:
        """Show the health of this computer, and the login's rights on the target of the session at hand."""
        from app.ui.pages.doctor_dialog import DoctorDialog

        self._open(DoctorDialog(self._desk, wizard.choices.target, self._window))

    @Slot()
    def show_settings(self) -> None:
        """Show the settings."""
        from app.ui.pages.settings_dialog import SettingsDialog

        self._open(SettingsDialog(self._desk, self._window))

    @Slot()
    def show_about(self) -> None:
        """Show the program's name, version and components."""
        from app.ui.pages.about_dialog import AboutDialog

        self._open(AboutDialog(self._window))

    @staticmethod
    def _open(dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
