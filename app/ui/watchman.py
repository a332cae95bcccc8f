"""Calls a person back to a run: at its end and at trouble, wherever one is, also in another program."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from app.flows.run.mood import Mood
from app.ui.desk import Desk
from app.ui.taskbar import Taskbar, TaskbarState
from app.ui.widgets.rich_text import plain_tip
from app.ui.widgets.run_notice import RunNotice

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.flows.run.run_told import RunTold

_STATES = {
    Mood.NEUTRAL: TaskbarState.NORMAL,
    Mood.GOOD: TaskbarState.NORMAL,
    Mood.WARNING: TaskbarState.PAUSED,
    Mood.BAD: TaskbarState.ERROR,
}


class Bell(Protocol):
    """The interface of what reaches a person who looks elsewhere."""

    def ring(self, sentence: str, mood: Mood) -> None:
        """Call with a sentence."""
        ...

    def rest(self) -> None:
        """Take away all traces of a call: the person has come."""
        ...


class SystemBell:
    """The window asks for attention in the taskbar, with a sound, and the notification area shows the sentence."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def ring(self, sentence: str, mood: Mood) -> None:
        """Call with a sentence."""
        QApplication.alert(self._window)
        QApplication.beep()
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(QApplication.windowIcon(), self._window)
            self._tray.messageClicked.connect(self._window.activateWindow)
            self._tray.activated.connect(self._window.activateWindow)
        icons = QSystemTrayIcon.MessageIcon
        self._tray.setToolTip(plain_tip(sentence))
        self._tray.show()
        self._tray.showMessage("Replitune", sentence, icons.Information if mood is Mood.GOOD else icons.Warning)

    def rest(self) -> None:
        """Take the icon away."""
        if self._tray is not None:
            self._tray.hide()


class Watchman(QObject):
    """Told how the run stands, it shows and calls.

    Args:
        sees_run: tells whether the page of the run is what the window shows.

    Attributes:
        notice: the bar that the window places above its pages.

    Signals:
        title_changed: what stands before the window's title has changed.
    """

    title_changed = Signal()

    def __init__(
        self,
        desk: Desk,
        window: QMainWindow,
        sees_run: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self.setObjectName("watchman")
        self._window = window
        self._sees_run = sees_run
        self._bell: Bell = SystemBell(window)
        self._taskbar = Taskbar(window)
        self._told: RunTold | None = None
        self._called = ""
        self.notice = RunNotice()
        window.installEventFilter(self)
        desk.job_started.connect(self._on_job_started)
        desk.run_told.connect(self._on_run_told)

    def call_by(self, bell: Bell, taskbar: Taskbar) -> None:
        """Call by other means than the system's own."""
        self._bell, self._taskbar = bell, taskbar

    @property
    def mark(self) -> str:
        """The sign and share before the title of the window, "" for nothing."""
        return "" if self._told is None else self._told.mark

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again once a person has come to the window (Qt calls this)."""
        if event.type() == QEvent.Type.WindowActivate:
            self.look_again()
        return super().eventFilter(watched, event)

    @Slot()
    def forget(self) -> None:
        """Tell no more of a run whose session is left."""
        self._tell(None)
        self._bell.rest()
        self.look_again()

    @Slot()
    def look_again(self) -> None:
        """Show the notice on other pages; whoever has seen the end of a run is told no more of it."""
        told = self._told
        if told is not None and told.percent is None and self._sees_run() and self._window.isActiveWindow():
            self._tell(None)
            self._bell.rest()
        self.notice.setVisible(self._told is not None and not self._sees_run())

    @Slot()
    def _on_job_started(self) -> None:
        self._called = ""
        self._bell.rest()

    @Slot(object)
    def _on_run_told(self, told: "RunTold | None") -> None:
        self._tell(told)
        call = "" if told is None else told.call
        if told is not None and call and call != self._called and not (self._sees_run() and self._is_looked_at(told)):
            self._bell.ring(told.sentence, told.mood)
        self._called = call
        self.look_again()

    def _is_looked_at(self, told: "RunTold") -> bool:
        """Tell whether a person sees it; of trouble nobody takes that for granted."""
        return self._window.isActiveWindow() and told.mood is not Mood.BAD

    def _tell(self, told: "RunTold | None") -> None:
        before, self._told = self.mark, told
        if told is not None:
            self.notice.show_told(told)
        self._taskbar.show(
            None if told is None else told.percent, TaskbarState.NONE if told is None else _STATES[told.mood]
        )
        if self.mark != before:
            self.title_changed.emit()
