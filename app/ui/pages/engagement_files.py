"""Client files in the window: made, shown, packed, unpacked and compared; each page is loaded when it is asked for."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QStackedWidget, QWidget

from app.flows.shell.settings_view import sessions_folder
from app.flows.shell.wizard import Wizard
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.recent_sessions import RecentSessions

if TYPE_CHECKING:
    from app.domain.ports import FigureRenderer
    from app.services.hand_over.past_sessions import SessionSummary
    from app.services.program import Program
    from app.ui.pages.engagement_page import EngagementPage

_FILTER = "*.replitune"


class ClientFiles(QObject):
    """Shows client files in the window's stack of pages, and their dialogs over it.

    Signals:
        session_begun: Wizard of a session that is begun in a client's file, or opened from one.
        failed: why a file cannot be made or opened.
        left: the person wants to go back.
    """

    session_begun = Signal(object)
    failed = Signal(object)
    left = Signal()

    def __init__(self, desk: Desk, stack: QStackedWidget, recent: RecentSessions, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._stack, self._recent, self._window = desk, stack, recent, window
        self._page: EngagementPage | None = None

    @Slot()
    def make_file(self) -> None:
        """Ask for the name of a client's file, make it and show it."""
        from app.flows.hand_over.engagement_view import with_suffix
        from app.services.hand_over.open_engagement import create_engagement

        kinds = _("Client files ({pattern})").format(pattern=_FILTER)
        proposed = str(sessions_folder(self._desk.preferences) / _("Client.replitune"))
        path, _kind = QFileDialog.getSaveFileName(
            self._window, _("New file for a client"), proposed, kinds, "", QFileDialog.Option.DontConfirmOverwrite
        )
        if path and not self._desk.is_running:
            made = with_suffix(path)
            work = partial(create_engagement, made)
            self._desk.tasks.query(self, work, partial(self._show_made, made), self.failed.emit)

    def _show_made(self, path: Path, _nothing: None) -> None:
        self.show_file(str(path))

    @Slot(str)
    def show_file(self, path: str) -> None:
        """Show a client's file with all its sessions."""
        from app.ui.pages.engagement_page import EngagementPage

        self._recent.remember(Path(path))
        if self._page is None:
            page = self._page = EngagementPage(self._desk)
            page.left.connect(self.left)
            page.begin_requested.connect(self._on_begin_requested)
            page.session_chosen.connect(self._on_session_chosen)
            page.compare_requested.connect(self.compare)
            page.verify_requested.connect(self._on_verify_requested)
            page.export_requested.connect(self.export)
            page.report_requested.connect(self._on_report_requested)
            self._stack.addWidget(page)
        self._page.show_file(Path(path))
        self._stack.setCurrentWidget(self._page)

    def show_file_of(self, wizard: Wizard) -> None:
        """Show the file the session at hand is kept in, with the file's other sessions."""
        if wizard.choices.place is not None:
            self.show_file(str(wizard.choices.place.session_file))

    def export_file_of(self, wizard: Wizard) -> None:
        """Ask how the file of the session at hand is packed."""
        if wizard.choices.place is not None:
            self.export(str(wizard.choices.place.session_file))

    def compare_session_of(self, wizard: Wizard) -> None:
        """Show the session at hand beside another one of its file, or beside published numbers."""
        place, end = wizard.choices.place, wizard.choices.run_end
        if place is not None:
            self.compare(str(place.session_file), (end.session_id,) if end is not None else ())

    @Slot(str, object)
    def compare(self, path: str, wanted: tuple[str, ...]) -> None:
        """Show two sessions or runs of a file beside each other.

        Args:
            wanted: what names those shown at first, older one first; others are proposed for missing ones.
        """
        from app.ui.pages.compare_dialog import CompareDialog

        _open(CompareDialog(self._desk, Path(path), wanted, self._window))

    @Slot(str, str, str)
    def _on_verify_requested(self, path: str, session_id: str, target: str) -> None:
        from app.ui.pages.verify_dialog import VerifyDialog

        _open(VerifyDialog(self._desk, Path(path), session_id, target, self._window))

    @Slot(str)
    def export(self, path: str) -> None:
        """Ask how a client's file is packed."""
        from app.ui.pages.bundle_dialog import ExportDialog

        _open(ExportDialog(self._desk, Path(path), self._window))

    @Slot(str)
    def _on_report_requested(self, path: str) -> None:
        """Ask where the report over all sessions of a file is written, and write it with its scripts."""
        kinds = _("Reports ({pattern})").format(pattern="*.pdf *.html *.docx *.md")
        proposed = str(Path(path).with_suffix(".pdf"))
        name, _kind = QFileDialog.getSaveFileName(self._window, _("One report over every session"), proposed, kinds)
        page = self._page
        if name and page is not None:
            page.tell(_("Drawing the figures and setting the report …"))
            renderer = self._desk.program.parts.make_renderer()  # on this thread; figures are drawn here, too
            work = partial(_write_report, Path(path), Path(name), self._desk.program, renderer)
            self._desk.tasks.query(page, work, page.tell, partial(page.tell, ""))

    @Slot()
    @Slot(str)
    def unpack_bundle(self, path: str | bool = "") -> None:
        """Ask for a bundle, unless one is named, unpack it, and show its content."""
        from app.ui.pages.bundle_dialog import ImportDialog

        dialog = ImportDialog(self._desk, self._window)
        dialog.unpacked.connect(self.show_file)
        if path and isinstance(path, str):
            dialog.take_bundle(path)
        _open(dialog)

    @Slot(str)
    def _on_begin_requested(self, path: str) -> None:
        from app.flows.hand_over.engagement_view import session_in

        self.session_begun.emit(session_in(Path(path), self._desk.clock.now_utc()))

    @Slot(str, str)
    def _on_session_chosen(self, path: str, session_id: str) -> None:
        from app.services.hand_over.past_sessions import summarise_session

        work = partial(summarise_session, Path(path), session_id)
        self._desk.tasks.query(self, work, self._show_session, self.failed.emit)

    def _show_session(self, summary: "SessionSummary") -> None:
        from app.flows.hand_over.engagement_view import opened_from

        self.session_begun.emit(opened_from(summary))


def _write_report(path: Path, out: Path, program: "Program", renderer: "FigureRenderer") -> str:
    """Write the report and its scripts, on a worker thread; return a sentence on the files."""
    from app.flows.hand_over.hand_over_view import written_text
    from app.services.hand_over.joined_report import write_joined_report
    from app.services.hand_over.report_and_scripts import ReportOptions

    report, scripts = write_joined_report(path, None, out, program.advisor, renderer, ReportOptions(), has_scripts=True)
    return written_text((*report, *scripts))


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
