"""The log of a run: lines are added at the end, the oldest are dropped."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.flows.run.run_log import MOST_LINES, RunLog
from app.foundation.texts import _


class RunLogView(QPlainTextEdit):
    """Shows a log; adds only new lines, and shows the newest as long as nobody has scrolled away from it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log: RunLog | None = None
        self._shown = 0
        self.setObjectName("run.log")
        self.setAccessibleName(_("Log of the run"))
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setMaximumBlockCount(MOST_LINES)
        self.setPlaceholderText(_("What happens during the run is logged here."))

    def show_log(self, log: RunLog) -> None:
        """Show a log; another one than before replaces the lines."""
        if log is not self._log:
            self._log, self._shown = log, 0
            self.clear()
        lines = log.since(self._shown)
        if lines:
            self._shown = log.count
            self.appendPlainText("\n".join(line.shown for line in lines))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Go on showing the newest line in another size (Qt calls this)."""
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum()
        super().resizeEvent(event)
        if follows:
            bar.setValue(bar.maximum())
