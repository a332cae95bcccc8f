"""A text of indented lines to read: what of a line goes on below stands under its words."""

from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget


class HangingText(QTextEdit):
    """Shows lines whose leading blanks are their margin."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)

    def show_text(self, text: str) -> None:
        """Show another text, from its beginning."""
        if text == self.toPlainText():
            return
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for line in text.split("\n"):
            blanks = line[: len(line) - len(line.lstrip())]
            look = QTextBlockFormat()
            look.setLeftMargin(self.fontMetrics().horizontalAdvance(blanks))
            look.setTextIndent(-look.leftMargin())
            cursor.setBlockFormat(look)
            cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        cursor.endEditBlock()
