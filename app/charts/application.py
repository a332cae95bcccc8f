"""The one Qt application of a process: the window's where there is one, else one without a screen."""

import threading

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication


def ensure_application() -> QApplication:
    """Return the process's application; where there is none, make one that needs no screen.

    Raises:
        RuntimeError: called first from another thread than the main one, or an application without widgets exists.
    """
    existing = QCoreApplication.instance()
    if existing is None:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the first figure must be drawn on the main thread")
        # The argument goes before QT_QPA_PLATFORM: a screen's plug-in may lack its libraries, which ends the process.
        return QApplication(["replitune", "-platform", "offscreen"])
    if not isinstance(existing, QApplication):
        raise RuntimeError("figures need an application with widgets")
    return existing
