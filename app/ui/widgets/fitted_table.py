"""Tables as high as their rows: all of them on a page that scrolls as a whole, or the first where room is shared."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from app.domain.view import TableContent
from app.ui.widgets.table import DataTable

_MOST_ROWS: Final = 12
_FIRST_ROWS: Final = 3


class FittedTable(DataTable):
    """Shows all its rows up to a dozen."""

    def show_content(self, content: TableContent) -> None:
        """Show other rows, and take the room they need."""
        super().show_content(content)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of the rows with their heading (Qt calls this)."""
        scrollbar = self.horizontalScrollBar().sizeHint().height()
        return QSize(super().sizeHint().width(), _height_px(self, _MOST_ROWS) + scrollbar)

    def minimumSizeHint(self) -> QSize:
        """Return the height of the rows: less would hide some (Qt calls this)."""
        return QSize(0, self.sizeHint().height())


class FirstRowsTable(DataTable):
    """Shows at least its first rows whole, and more where there is room."""

    def show_content(self, content: TableContent) -> None:
        """Show other rows, and ask for the room of the first."""
        super().show_content(content)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the height of the first rows, or of what is said where there are none (Qt calls this)."""
        return QSize(0, max(super().minimumSizeHint().height(), _height_px(self, _FIRST_ROWS)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask again: another width gives the rows other lines (Qt calls this)."""
        super().resizeEvent(event)
        self.updateGeometry()


class ShortTable(DataTable):
    """Is no taller than its rows, and shorter where there is less room."""

    def show_content(self, content: TableContent) -> None:
        """Show other rows, and ask for their room."""
        super().show_content(content)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of the rows with their heading (Qt calls this)."""
        return QSize(super().sizeHint().width(), _height_px(self, self.model().rowCount()))

    def minimumSizeHint(self) -> QSize:
        """Return the height of the first rows (Qt calls this)."""
        return QSize(0, _height_px(self, _FIRST_ROWS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask again: another width gives the heading other lines (Qt calls this)."""
        super().resizeEvent(event)
        self.updateGeometry()


def _height_px(table: DataTable, most_rows: int) -> int:
    """Return the height of a table's heading and rows, so many at most."""
    rows = min(table.model().rowCount(), most_rows)
    height = table.horizontalHeader().sizeHint().height() + rows * table.verticalHeader().defaultSectionSize()
    return height + 2 * table.frameWidth()
