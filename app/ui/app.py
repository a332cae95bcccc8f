"""The desktop program: its application object, its window, and the handling of unexpected errors."""

import gc
import logging
import sys
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.domain.option_words import window_speaks
from app.flows.shell.error_report import RecentLog
from app.foundation.paths import resource_path
from app.foundation.texts import language_tag
from app.foundation.version import VERSION
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.error_dialog import ErrorReporter
from app.ui.main_window import MainWindow
from app.ui.password_asker import PasswordAsker
from app.ui.theme import SchemeKeeper, prepare_application


def run_window(program: Program, preference_path: Path) -> int:
    """Show the window until it is closed; return the exit code."""
    application = make_application(sys.argv)
    recent_log = RecentLog()
    logging.getLogger().addHandler(recent_log)
    logging.getLogger("app").setLevel(logging.INFO)
    desk = Desk(program, PreferenceFile(preference_path), application)
    window = MainWindow(desk)
    reporter = ErrorReporter(recent_log, window)
    reporter.install()
    scheme = SchemeKeeper(application, desk.preferences.scheme)

    def follow(preferences: Preferences) -> None:
        scheme.prefer(preferences.scheme)

    desk.preferences_changed.connect(follow)
    keep_still(desk)
    desk.trouble.connect(reporter.show_error)
    asker = PasswordAsker(program.parts.credentials, window)
    window.show()
    try:
        with window_speaks(program.parts.connection_ways):
            return application.exec()
    finally:
        reporter.uninstall()
        asker.close()
        desk.close()
        logging.getLogger().removeHandler(recent_log)


def keep_still(desk: Desk) -> None:
    """Freeze the program's own objects out of the collector's sight once everything is loaded.

    A full collection walks through all of it, with every thread waiting: 50 to 70 ms, in the middle of a run.
    """
    _HeapKeeper(desk)


class _HeapKeeper(QObject):
    """Waits until nothing is read any more for the first time; the libraries are loaded then."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        desk.tasks.count_changed.connect(self._on_count_changed)

    @Slot(int)
    def _on_count_changed(self, count: int) -> None:
        if count == 0:
            self._desk.tasks.count_changed.disconnect(self._on_count_changed)
            gc.freeze()
            self.deleteLater()


def make_application(arguments: list[str]) -> QApplication:
    """Return the application with name, version, fonts and style."""
    application = QApplication(arguments)
    _speak(application)
    application.setApplicationName("Replitune")
    application.setApplicationDisplayName("Replitune")
    application.setOrganizationName("Replitune")
    application.setApplicationVersion(VERSION)
    application.setWindowIcon(QIcon(str(resource_path("icons", "replitune.svg"))))
    prepare_application(application)
    return application


def _speak(application: QApplication) -> None:
    """Let Qt's own buttons, menus and number fields speak the language of the program."""
    QLocale.setDefault(QLocale(language_tag()))
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language_tag() != "en" and translator.load(f"qtbase_{language_tag()}", folder):
        application.installTranslator(translator)
