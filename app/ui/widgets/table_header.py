"""The heading row of a table: width and order of columns and the sort mark, kept as the person leaves them."""

from collections.abc import MutableMapping
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QStyle, QTableView

from app.domain.view import Column
from app.flows.table_view import TableLayout, column_position
from app.ui.widgets.column_fit import Need, fitted, in_lines, longest_px
from app.ui.widgets.interval_cell import BAR_PX
from app.ui.widgets.rows_model import RowsModel

# Wide enough for every heading and number; longer words are cut where the table has no room to spare.
_WIDEST_PX: Final = 320
_PADDING_PX: Final = 8
# Where the columns have no room beside each other, words are wrapped, then cut, down to their longest one and between
# these; circumstances go down to the least.
_LEAST_PX: Final = 72
_LEAST_WORDS_PX: Final = (96, 100)
# Of two lines so much of a width is filled, as words end before its end; what has no room on them stays on one.
_TWO_LINES: Final = 1.8
# Widths are chosen by so many rows: more would have to be made only for that.
_LOOKED_AT_ROWS: Final = 30


class HeaderKeeper(QObject):
    """Arranges the columns of a table and keeps a person's changes to them, under the table's name."""

    def __init__(self, table: QTableView, rows: RowsModel, layouts: MutableMapping[str, TableLayout]) -> None:
        super().__init__(table)
        self._table = table
        self._rows = rows
        self._layouts = layouts
        self._is_arranging = False
        self._needs: tuple[Need, ...] = ()
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
        self._header.sortIndicatorChanged.connect(self._on_sorted)

    @property
    def kept(self) -> TableLayout:
        """The layout kept for this table, the default one before the person changed anything."""
        return self._layouts.get(self._table.objectName(), TableLayout())

    @property
    def columns_as_shown(self) -> list[int]:
        """Positions of the columns in the content, in the order shown."""
        return [self._header.logicalIndex(place) for place in range(self._header.count())]

    @property
    def least_width_px(self) -> int:
        """Width of all columns where each has as little room as it may."""
        return sum(fitted(self._needs, 0))

    @property
    def whole_width_px(self) -> int:
        """Width of all columns where each has the room it asks for."""
        return sum(need.wide_px + need.drawn_px for need in self._needs)

    def arrange(self) -> None:
        """Give new columns their widths and order: those kept, else as their contents need."""
        columns = self._rows.content.columns
        self._is_arranging = True
        self._header.setStretchLastSection(False)  # else the last column is given what it has, and a little more
        self._rows.break_headings(())
        self._needs = tuple(self._need(position, column) for position, column in enumerate(columns))
        for place, (key, width) in enumerate(self.kept.widths):
            new_position = column_position(self._rows.content, key)
            if new_position is not None:
                self._header.moveSection(self._header.visualIndex(new_position), min(place, self._header.count() - 1))
                self._needs = tuple(
                    Need(width, width, width) if position == new_position else need
                    for position, need in enumerate(self._needs)
                )
        self._set_widths()
        self._header.setStretchLastSection(bool(columns) and not columns[-1].is_number)
        self._mark_sort()
        self._is_arranging = False

    def measure_again(self) -> None:
        """Measure the present rows again; columns do not move by themselves while rows come and go."""
        if not self.kept.widths:
            self.arrange()

    def fit(self) -> None:
        """Give the columns the room there is now, unless the person has chosen their widths."""
        is_arranged = len(self._needs) == len(self._rows.content.columns) and not self._is_arranging
        if is_arranged and not self.kept.widths:
            self._is_arranging = True
            self._set_widths()
            self._is_arranging = False

    def _set_widths(self) -> None:
        widths = fitted(self._needs, self._table.viewport().width())
        self._rows.break_headings([self._heading(position, width) for position, width in enumerate(widths)])
        is_cut = any(
            width < need.narrow_px or width < need.contents_px <= _TWO_LINES * width
            for width, need in zip(widths, self._needs, strict=True)
        )
        lines = 2 if is_cut else 1
        self._table.setWordWrap(is_cut)
        self._table.verticalHeader().setDefaultSectionSize(lines * self._table.fontMetrics().height() + _PADDING_PX)
        for position, width in enumerate(widths):
            if self._table.columnWidth(position) != width:
                self._table.setColumnWidth(position, width)

    def _need(self, position: int, column: Column) -> Need:
        metrics = self._table.fontMetrics()
        contents_px = max(self._table.sizeHintForColumn(position), metrics.horizontalAdvance(column.room_for))
        broken = self._heading(position, contents_px)
        heading_px = self._around_px(position) + longest_px(broken, metrics.horizontalAdvance)
        whole_px = max(contents_px, self._header.sectionSizeHint(position)) + _PADDING_PX
        wide_px = min(whole_px, _WIDEST_PX)
        narrow_px = min(max(contents_px, heading_px), wide_px)
        least_px = narrow_px if column.is_number else min(narrow_px, self._least_px(position, column))
        least_px = max(least_px, self._least_heading_px(position))
        narrow_px, wide_px = max(narrow_px, least_px), max(wide_px, least_px)
        drawn_px = BAR_PX if self._rows.spans_of(position) else 0
        is_cut_first = column.is_circumstance
        return Need(wide_px, narrow_px, least_px, is_cut_first, whole_px + drawn_px, drawn_px, contents_px)

    def _least_px(self, position: int, column: Column) -> int:
        """Return down to which width a column of words is cut."""
        if column.is_circumstance:
            return _LEAST_PX
        rows = range(min(self._rows.rowCount(), _LOOKED_AT_ROWS))
        words = (word for row in rows for word in str(self._rows.index(row, position).data() or "").split())
        longest = max((self._table.fontMetrics().horizontalAdvance(word) for word in words), default=0)
        least, most = _LEAST_WORDS_PX
        return max(least, min(longest + 2 * _PADDING_PX, most))

    def _least_heading_px(self, position: int) -> int:
        """Return the width of a heading in as many lines as there may be: no word of it is cut."""
        return self._around_px(position) + longest_px(
            self._heading(position, 0), self._table.fontMetrics().horizontalAdvance
        )

    def _heading(self, position: int, room_px: int) -> str:
        """Return a heading in as many lines as it needs in a column so wide."""
        measure = self._table.fontMetrics().horizontalAdvance
        return in_lines(self._rows.heading(position), room_px - self._around_px(position), measure)

    def _around_px(self, position: int) -> int:
        """Return the room beside a heading's text, that of the mark of the order where rows are sorted by it."""
        shown = str(self._rows.headerData(position, Qt.Orientation.Horizontal))
        text_px = longest_px(shown, self._table.fontMetrics().horizontalAdvance)
        around_px = self._header.sectionSizeHint(position) - text_px
        sort, style = self._rows.sorted_by, self._header.style()
        if sort is not None and column_position(self._rows.content, sort.column) == position:
            return around_px
        return around_px - style.pixelMetric(QStyle.PixelMetric.PM_HeaderMarkSize, None, self._header)

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
    def _on_sorted(self) -> None:
        if self.kept.widths:
            self._keep()
        elif not self._is_arranging:
            self._layouts[self._table.objectName()] = TableLayout((), self._rows.sorted_by)
            self.arrange()

    @Slot()
    def _keep(self) -> None:
        if self._is_arranging:
            return
        columns = self._rows.content.columns
        widths = tuple((columns[position].key, self._table.columnWidth(position)) for position in self.columns_as_shown)
        self._layouts[self._table.objectName()] = TableLayout(widths, self._rows.sorted_by)
