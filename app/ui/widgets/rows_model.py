"""The model behind a table: shows frozen rows in the order and selection that flows decide."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont, QGuiApplication, QPalette

from app.domain.view import SIGNS, Cell, Column, Emphasis, Row, Span, TableContent
from app.flows.table_view import Sort, arrange, copy_text
from app.ui.widgets.rich_text import plain_tip

AnyIndex = QModelIndex | QPersistentModelIndex

NUMBER_GAP: Final = "\N{EN SPACE}"
"""Behind numbers, which stand at the right: words of the next column would touch them."""

_NO_INDEX: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

_ROLES: Final = Qt.ItemDataRole
_SHOWN: Final = frozenset(
    {_ROLES.DisplayRole, _ROLES.TextAlignmentRole, _ROLES.ToolTipRole, _ROLES.FontRole, _ROLES.ForegroundRole}
)
"""What a cell says something about; a view asks for as much again for each cell it measures or paints."""


class RowsModel(QAbstractTableModel):
    """Rows of a `TableContent`, filtered and sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content = TableContent(())
        self._sort: Sort | None = None
        self._wanted = ""
        self._order: Sequence[int] = ()
        self._broken: tuple[str, ...] = ()
        self._spans: dict[int, tuple[Span, ...]] = {}
        self._longest: dict[int, str] = {}
        self._strong = QFont()
        self._strong.setBold(True)

    @property
    def content(self) -> TableContent:
        """Return the content, before filter and sort."""
        return self._content

    @property
    def order(self) -> Sequence[int]:
        """Positions in the content of the rows shown, in order."""
        return self._order

    @property
    def sorted_by(self) -> Sort | None:
        """How the rows are sorted, None for the order of the content."""
        return self._sort

    def show(self, content: TableContent, sort: Sort | None, wanted: str) -> None:
        """Show other rows, another order or another filter."""
        self.beginResetModel()
        if content.columns != self._content.columns:
            self._broken = ()
        if content is not self._content:
            self._spans, self._longest = {}, {}
        self._content, self._sort, self._wanted = content, sort, wanted
        self._order = arrange(content, sort, wanted)
        self.endResetModel()

    def filter(self, wanted: str) -> None:
        """Show only rows that hold every word."""
        self.show(self._content, self._sort, wanted)

    def row_at(self, row: int) -> Row:
        """Return the row shown at a place."""
        return self._content.rows[self._order[row]]

    def place_of(self, key: str) -> int | None:
        """Return where a row is shown, None where it is not."""
        if not key:
            return None
        return next((place for place, index in enumerate(self._order) if self._content.key_at(index) == key), None)

    def key_at(self, row: int) -> str:
        """Return the key of the row shown at a place."""
        return self._content.key_at(self._order[row])

    def copied(self, places: list[int], columns: list[int]) -> str:
        """Return rows shown at some places as text for the clipboard."""
        return copy_text(self._content, [self._order[place] for place in places], columns)

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of rows shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._content.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell's value for a role."""
        if role not in _SHOWN or not index.isValid():
            return None
        cell = self.row_at(index.row()).cells[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text if cell.verdict is None else f"{SIGNS[cell.verdict]} {cell.text}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self._content.columns[index.column()].is_number else _LEFT
        return self._look(cell, role)

    def _look(self, cell: Cell, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(cell.hint) or None
        if role == Qt.ItemDataRole.FontRole:
            return self._strong if cell.emphasis is Emphasis.STRONG else None
        if role == Qt.ItemDataRole.ForegroundRole and cell.emphasis is Emphasis.QUIET:
            return QBrush(QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the heading of a column."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._content.columns):
            return None
        column: Column = self._content.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._broken[section] if self._broken else self.heading(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.is_number else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(column.hint) or None
        return None

    def heading(self, section: int) -> str:
        """Return a heading on one line, as it is drawn."""
        column = self._content.columns[section]
        return f"{column.heading}{NUMBER_GAP}" if column.is_number else column.heading

    def span_at(self, index: AnyIndex) -> Span | None:
        """Return the interval of a cell, None where it has none."""
        return self.row_at(index.row()).cells[index.column()].span

    def longest_text(self, column: int) -> str:
        """Return the longest text beside an interval of a column: all bars end before it."""
        if column not in self._longest:
            self._longest[column] = max((row.cells[column].text for row in self._content.rows), key=len, default="")
        return self._longest[column]

    def spans_of(self, column: int) -> tuple[Span, ...]:
        """Return all intervals of a column, also of rows not shown: the axis does not move while somebody filters."""
        if not self._content.columns[column].is_interval:
            return ()
        if column not in self._spans:
            cells = (row.cells[column] for row in self._content.rows)
            self._spans[column] = tuple(cell.span for cell in cells if cell.span is not None)
        return self._spans[column]

    def break_headings(self, headings: Sequence[str]) -> None:
        """Draw the headings in these lines; on one each where none are given."""
        if tuple(headings) != self._broken:
            self._broken = tuple(headings)
            last = max(0, len(self._content.columns) - 1)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order of the content."""
        sort = None
        if 0 <= column < len(self._content.columns):
            sort = Sort(self._content.columns[column].key, order is Qt.SortOrder.DescendingOrder)
        if sort != self._sort:
            self.show(self._content, sort, self._wanted)
