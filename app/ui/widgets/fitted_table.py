"""A table as high as its rows, for pages that scroll as a whole; a long one scrolls by itself."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy

from app.domain.view import TableContent
from app.ui.widgets.table import DataTable

_MOST_ROWS: Final = 12


class FittedTable(DataTable):
    """Shows all its rows up to a dozen."""

    def show_content(self, content: TableContent) -> None:
        """Show other rows, and take the room they need."""
        super().show_content(content)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of the rows with their heading (Qt calls this)."""
        rows = min(self.model().rowCount(), _MOST_ROWS)
        height = self.horizontalHeader().sizeHint().height() + rows * self.verticalHeader().defaultSectionSize()
        scrollbar = self.horizontalScrollBar().sizeHint().height()
        return QSize(super().sizeHint().width(), height + scrollbar + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        """Return the height of the rows: less would hide some (Qt calls this)."""
        return QSize(0, self.sizeHint().height())
