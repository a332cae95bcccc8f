"""The person logs off, or the computer shuts down or restarts, while servers are changed: refused, and put back.

Qt asks the program first (WM_QUERYENDSESSION on Windows, XSMP on Linux, on macOS the application's end). On Windows
what it refuses for stands on the screen beside the program's name:
https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-shutdownblockreasoncreate.
"""

import sys
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.foundation.texts import _
from app.ui.desk import Desk


class EndingSession(Protocol):
    """The interface of Qt's QSessionManager, for a session that ends."""

    def allowsInteraction(self) -> bool:
        """Whether the program may refuse."""
        ...

    def cancel(self) -> None:
        """Refuse."""
        ...


class SessionEnd(QObject):
    """Refuses the end of the session while a run goes on, and stops the run.

    Args:
        user32: what has Windows' ShutdownBlockReasonCreate; the system's own where None.
    """

    def __init__(self, desk: Desk, window: QWidget, user32: Any = None) -> None:
        super().__init__(window)
        self._desk = desk
        self._window = window
        self._user32 = user32 or _user32()
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            # answered before the signal returns: the session ends otherwise
            application.commitDataRequest.connect(self.on_asked, Qt.ConnectionType.DirectConnection)
        desk.job_started.connect(self._on_job_started)
        desk.job_ended.connect(self._on_job_ended)

    @Slot(object)
    def on_asked(self, session: EndingSession) -> None:
        """Answer whether the session may end."""
        if not self._desk.is_running:
            return
        if session.allowsInteraction():
            session.cancel()
        self._desk.stop_job()

    @Slot()
    def _on_job_started(self) -> None:
        if self._user32 is not None:
            why = _("A run is in progress: servers are changed, and the changes are being undone.")
            self._user32.ShutdownBlockReasonCreate(int(self._window.winId()), why)

    @Slot(object)
    def _on_job_ended(self, _end: object) -> None:
        if self._user32 is not None:
            self._user32.ShutdownBlockReasonDestroy(int(self._window.winId()))


def _user32() -> Any:
    if sys.platform != "win32":
        return None
    import ctypes
    from ctypes import wintypes

    library = ctypes.windll.user32
    # a handle is as wide as an address, which ctypes does not know by itself
    library.ShutdownBlockReasonCreate.argtypes = (wintypes.HWND, wintypes.LPCWSTR)
    library.ShutdownBlockReasonDestroy.argtypes = (wintypes.HWND,)
    return library
