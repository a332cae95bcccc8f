"""The desktop program: its application object, its window, and what happens to errors nobody expected."""

import logging
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.flows.error_report import RecentLog
from app.foundation.version import VERSION
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.error_dialog import ErrorReporter
from app.ui.main_window import MainWindow
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
    desk.trouble.connect(reporter.show_error)
    window.show()
    try:
        return application.exec()
    finally:
        reporter.uninstall()
        desk.close()
        logging.getLogger().removeHandler(recent_log)


def make_application(arguments: list[str]) -> QApplication:
    """Return the application with name, version, fonts and style."""
    application = QApplication(arguments)
    application.setApplicationName("Replitune")
    application.setApplicationDisplayName("Replitune")
    application.setOrganizationName("Replitune")
    application.setApplicationVersion(VERSION)
    prepare_application(application)
    return application
