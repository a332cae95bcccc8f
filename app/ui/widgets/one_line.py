"""A text in one line that ends in an ellipsis where there is no room for all of it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOption, QStylePainter, QWidget

from app.ui.widgets.rich_text import PlainLabel


class OneLine(PlainLabel):
    """Shows as much of a text as fits; gives way to whatever stands beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Return the height of a line (Qt calls this)."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, shortened where it must be (Qt calls this)."""
        painter = QStylePainter(self)
        option = QStyleOption()
        option.initFrom(self)
        area = self.contentsRect()
        shown = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        aligned = int(Qt.AlignmentFlag.AlignVCenter | QStyle.visualAlignment(self.layoutDirection(), self.alignment()))
        self.style().drawItemText(
            painter, area, aligned, option.palette, self.isEnabled(), shown, self.foregroundRole()
        )
