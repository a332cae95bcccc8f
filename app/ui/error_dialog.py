"""The dialog of an unexpected error, and the hooks that lead every such error to it."""

import logging
import sys
import threading
from types import TracebackType

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.flows.shell.error_report import RecentLog, error_headline, make_report
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel

_log = logging.getLogger(__name__)


class ErrorDialog(QDialog):
    """Shows one report, or several one after the other; the program goes on behind it."""

    def __init__(self, headline: str, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("error_dialog")
        self.setWindowTitle(_("Unexpected error"))
        self._headline = PlainLabel(headline)
        self._headline.setWordWrap(True)
        self._headline.setObjectName("error_dialog.headline")
        self._text = QPlainTextEdit(report)
        self._text.setReadOnly(True)
        self._text.setObjectName("error_dialog.report_text")
        self._text.setAccessibleName(_("Error report"))
        self._text.setFont(_fixed_font())
        self._text.setTabChangesFocus(True)
        hint = PlainLabel(_("The report names no password. Send it to whoever looks after Replitune for you."))
        hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._headline)
        layout.addWidget(self._text, 1)
        layout.addWidget(hint)
        layout.addWidget(self._make_buttons())
        self.resize(90 * GRID_PX, 55 * GRID_PX)

    def _make_buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        copy = QPushButton(_("&Copy the report"))
        copy.setObjectName("error_dialog.copy_button")
        copy.setAccessibleName(_("Copy the report"))
        copy.clicked.connect(self._on_copy_clicked)
        go_on = QPushButton(_("C&ontinue"))
        go_on.setObjectName("error_dialog.go_on_button")
        go_on.setAccessibleName(_("Close this report and continue"))
        go_on.setDefault(True)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(go_on, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        return buttons

    def add_report(self, report: str) -> None:
        """Add the report of a further error to those shown."""
        self._text.appendPlainText("\n" + report)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())


def _fixed_font() -> QFont:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


class ErrorReporter(QObject):
    """Leads unexpected errors of every thread to one dialog; lives on the main thread.

    Signals:
        reported: an exception; any thread may emit it.
    """

    reported = Signal(object)

    def __init__(self, recent_log: RecentLog, window: QWidget | None = None) -> None:
        super().__init__(window)
        self._recent_log = recent_log
        self._window = window
        self._dialog: ErrorDialog | None = None
        self.reported.connect(self.show_error, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Replace Python's hook for uncaught exceptions."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    @staticmethod
    def uninstall() -> None:
        """Give the hooks back to Python."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    @Slot(object)
    def show_error(self, error: BaseException) -> None:
        """Show the report of an error; a second one is added to the dialog that is open."""
        _log.error("unexpected error", exc_info=error)
        report = make_report(error, self._recent_log.lines(), (f"Qt {pyside_version}",))
        if self._dialog is not None:
            self._dialog.add_report(report)
            return
        self._dialog = ErrorDialog(error_headline(error), report, self._window)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.reported.emit(error.with_traceback(trace))

    def _on_thread_exception(self, failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None:
            self.reported.emit(failure.exc_value)
