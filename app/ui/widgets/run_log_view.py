"""The log of a run: lines are added at the end, the oldest are dropped."""

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from app.flows.run.run_log import CLOCK_ROOM, MOST_LINES, LogLine, RunLog
from app.foundation.texts import _


class RunLogView(QTextEdit):
    """Shows a log; adds only new lines, and shows the newest as long as nobody has scrolled away from it.

    A line that goes on below does so under its words, so that the times stand alone.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log: RunLog | None = None
        self._shown = 0
        self.setObjectName("run.log")
        self.setAccessibleName(_("Log of the run"))
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.document().setMaximumBlockCount(MOST_LINES)
        self.setPlaceholderText(_("What happens during the run is logged here."))

    def show_log(self, log: RunLog) -> None:
        """Show a log; another one than before replaces the lines."""
        if log is not self._log:
            self._log, self._shown = log, 0
            self.clear()
        lines = log.since(self._shown)
        if lines:
            self._shown = log.count
            follows = self._is_at_end
            self._add(lines)
            if follows:
                self._go_to_end()

    def _add(self, lines: Sequence[LogLine]) -> None:
        hanging_px = self.fontMetrics().horizontalAdvance(CLOCK_ROOM)
        look = QTextBlockFormat()
        look.setLeftMargin(hanging_px)
        look.setTextIndent(-hanging_px)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for line in lines:
            if self.document().isEmpty():
                cursor.setBlockFormat(look)
            else:
                cursor.insertBlock(look)
            cursor.insertText(line.shown)
        cursor.endEditBlock()

    @property
    def _is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def _go_to_end(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Go on showing the newest line in another size (Qt calls this)."""
        follows = self._is_at_end
        super().resizeEvent(event)
        if follows:
            self._go_to_end()
