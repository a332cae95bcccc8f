"""The heading row of a table: width and order of columns and the sort mark, kept as the person leaves them."""

from collections.abc import MutableMapping
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QTableView

from app.flows.table_view import TableLayout, column_position
from app.ui.widgets.rows_model import RowsModel

# Wide enough for every heading and number; longer words are cut, and shown whole once the column is widened.
_WIDEST_PX: Final = 320
_PADDING_PX: Final = 8
# Widths are chosen by so many rows: more would have to be made only for that.
_LOOKED_AT_ROWS: Final = 30


class HeaderKeeper(QObject):
    """Arranges the columns of a table and keeps what the person changes about them, under the table's name."""

    def __init__(self, table: QTableView, rows: RowsModel, layouts: MutableMapping[str, TableLayout]) -> None:
        super().__init__(table)
        self._table = table
        self._rows = rows
        self._layouts = layouts
        self._is_arranging = False
        self._header = table.horizontalHeader()
        self._header.setObjectName(f"{table.objectName()}.header")
        self._header.setSectionsMovable(True)
        self._header.setHighlightSections(False)
        self._header.setSortIndicatorClearable(True)
        self._header.setResizeContentsPrecision(_LOOKED_AT_ROWS)
        self._header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        self._header.sectionResized.connect(self._on_section_resized)
        self._header.sectionMoved.connect(self._keep)
        self._header.sortIndicatorChanged.connect(self._keep)

    @property
    def kept(self) -> TableLayout:
        """The layout kept for this table, the default one before the person changed anything."""
        return self._layouts.get(self._table.objectName(), TableLayout())

    @property
    def columns_as_shown(self) -> list[int]:
        """Positions of the columns in the content, in the order shown."""
        return [self._header.logicalIndex(place) for place in range(self._header.count())]

    def arrange(self) -> None:
        """Give columns that are new their widths and order: those kept, else what their contents need."""
        columns = self._rows.content.columns
        self._is_arranging = True
        self._header.setStretchLastSection(False)  # else the last column is given what it has, and a little more
        self._table.resizeColumnsToContents()
        metrics = self._table.fontMetrics()
        for position, column in enumerate(columns):
            needed_px = max(self._table.columnWidth(position), metrics.horizontalAdvance(column.room_for))
            self._table.setColumnWidth(position, min(needed_px + _PADDING_PX, _WIDEST_PX))
        for place, (key, width) in enumerate(self.kept.widths):
            new_position = column_position(self._rows.content, key)
            if new_position is not None:
                self._header.moveSection(self._header.visualIndex(new_position), min(place, self._header.count() - 1))
                self._table.setColumnWidth(new_position, width)
        self._header.setStretchLastSection(bool(columns) and not columns[-1].is_number)
        self._mark_sort()
        self._is_arranging = False

    def _mark_sort(self) -> None:
        sort = self._rows.sorted_by
        position = None if sort is None else column_position(self._rows.content, sort.column)
        down = sort is not None and sort.descending
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self._header.setSortIndicator(-1 if position is None else position, order)

    @Slot(int, int, int)
    def _on_section_resized(self, position: int, _old: int, _new: int) -> None:
        is_last = self._header.visualIndex(position) == self._header.count() - 1
        if not (is_last and self._header.stretchLastSection()):
            self._keep()

    @Slot()
    def _keep(self) -> None:
        if self._is_arranging:
            return
        columns = self._rows.content.columns
        widths = tuple((columns[position].key, self._table.columnWidth(position)) for position in self.columns_as_shown)
        self._layouts[self._table.objectName()] = TableLayout(widths, self._rows.sorted_by)
