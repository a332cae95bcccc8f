"""The table every page uses: sorts, filters, copies with headings, and keeps its layout.

table = DataTable("runs.table", _("Runs"), desk.table_layouts, self)
table.show_content(TableContent(columns, rows))     # from a flow; selection stays with its rows
table.row_chosen.connect(self._on_row_chosen)       # key of the current row
table.set_filter("sales 500"); table.choose_row("E1-T004"); table.set_placeholder(_("No runs yet."))
"""

from collections.abc import Callable, MutableMapping
from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.domain.view import TableContent, View
from app.flows.table_view import Sort, TableLayout, column_position, without_constants
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.interval_cell import draw_span
from app.ui.widgets.picture_copy import copy_as_picture
from app.ui.widgets.rich_text import plain_label, plain_tip
from app.ui.widgets.rows_model import NUMBER_GAP, RowsModel
from app.ui.widgets.table_filter import FilterLine
from app.ui.widgets.table_header import HeaderKeeper

_PADDING_PX: Final = 8
_MARGIN_PX: Final = 24


class DataTable(QTableView):
    """A read-only table of frozen rows.

    Signals:
        row_chosen: key of the row that became current, "" when none is.
        row_activated: key of a row double-clicked or entered with Return.
    """

    row_chosen = Signal(str)
    row_activated = Signal(str)

    def __init__(
        self,
        name: str,
        accessible_name: str,
        layouts: MutableMapping[str, TableLayout],
        parent: QWidget | None = None,
    ) -> None:
        """Make an empty table.

        Args:
            name: object name such as "topology.parameters_table"; the layout is kept under it.
            accessible_name: what a screen reader calls it.
            layouts: where layouts are kept: `desk.table_layouts`.
        """
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self._placeholder = ""
        self._wanted = ""
        self._current = ""
        self._reselecting = False
        self._kept_keys: set[str] = set()
        self._filter: QLineEdit | None = None
        self._given = TableContent(())
        self._alike: QLabel | None = None
        self._rows = RowsModel(self)
        self.setModel(self._rows)
        self.setItemDelegate(_NumberDelegate(self))
        self._set_up_view()
        self._columns = HeaderKeeper(self, self._rows, layouts)
        self._set_up_menu()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self._rows.modelAboutToBeReset.connect(self._on_rows_about_to_change)
        self._rows.modelReset.connect(self._on_rows_changed)
        self.doubleClicked.connect(self._on_double_clicked)

    # What pages call

    def show_content(self, content: TableContent) -> None:
        """Show other rows; selection, scroll position, sort and filter stay."""
        if content == self._given:
            return
        self._given = content
        content = content.in_view(View.WINDOW)
        if self._alike is not None:
            content, alike = without_constants(content)
            self._alike.setText(alike)
            self._alike.setVisible(bool(alike))
        is_other_table = content.columns != self._rows.content.columns
        self._rearrange(content, self._columns.kept.sort if is_other_table else self._rows.sorted_by)
        if is_other_table:
            self._columns.arrange()

    def measure_again(self) -> None:
        """Give the columns the room that the rows there are now ask for, unless the person has chosen their widths."""
        self._columns.measure_again()

    def alike_label(self) -> QLabel:
        """Return the line above the table: the text common to all its rows, from now on instead of in columns."""
        if self._alike is None:
            self._alike = plain_label("", quiet=True)
            self._alike.setParent(self)  # without one it would be a window of its own until a layout takes it
            self._alike.hide()
        return self._alike

    def below_alike(self) -> QWidget:
        """Return a widget that holds the table below its `alike_label`."""
        both = QWidget()
        column = QVBoxLayout(both)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        column.addWidget(self.alike_label())
        column.addWidget(self, 1)
        return both

    def set_filter(self, wanted: str) -> None:
        """Show only rows that hold every word."""
        self._wanted = wanted
        self._rearrange(self._rows.content, self._rows.sorted_by)

    def filter_by(self, field: QLineEdit) -> None:
        """Filter by a field of the page; Ctrl+F leads to it."""
        self._filter = field
        field.textChanged.connect(self.set_filter)

    @property
    def filter_field(self) -> QLineEdit | None:
        """Return the field for the filter's text; None before anybody asked."""
        return self._filter

    @Slot()
    def ask_for_filter(self) -> None:
        """Let the person type a text that the rows shown must contain."""
        if self._filter is None:
            self._filter = FilterLine(self)
            self._filter.textChanged.connect(self.set_filter)
        if isinstance(self._filter, FilterLine):
            self._filter.ask()
        else:
            self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_placeholder(self, text: str) -> None:
        """Set the text where there are no rows."""
        self._placeholder = text
        self.viewport().update()

    def choose_row(self, key: str) -> None:
        """Make a row current and the only one selected; nothing where it is not shown."""
        place = self._rows.place_of(key)
        if place is not None:
            self.selectRow(place)
            self.scrollTo(self._rows.index(place, 0))

    @property
    def least_width_px(self) -> int:
        """Return the width that it scrolls sideways below."""
        return self._columns.least_width_px + 2 * self.frameWidth()

    @property
    def whole_width_px(self) -> int:
        """Return the width that it shows every heading on one line from, with the room of its scroll bar."""
        return self._columns.whole_width_px + 2 * self.frameWidth() + self.verticalScrollBar().sizeHint().width()

    @property
    def current_key(self) -> str:
        """Key of the current row, "" for none."""
        return self._current

    @property
    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected rows, in the order shown."""
        return tuple(self._rows.key_at(place) for place in self._selected_places())

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """Keys of all rows shown, in order."""
        return tuple(self._rows.key_at(place) for place in range(self._rows.rowCount()))

    @Slot()
    def copy_selection(self) -> None:
        """Put the selected rows on the clipboard, with headings, tab-separated."""
        self._copy(self._selected_places())

    @Slot()
    def copy_all(self) -> None:
        """Put all rows shown on the clipboard, with headings, tab-separated."""
        self._copy(list(range(self._rows.rowCount())))

    @Slot()
    def copy_picture(self) -> None:
        """Put the table, as it looks now, on the clipboard."""
        copy_as_picture(self)

    # Setting up

    def _set_up_view(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + _PADDING_PX)

    def _set_up_menu(self) -> None:
        self._menu = QMenu(self)
        self._menu.setObjectName(f"{self.objectName()}.menu")
        self._sort_menu = QMenu(_("&Sort by"), self._menu)
        self._sort_menu.setObjectName(f"{self.objectName()}.sort_menu")
        self._copy_action = self._add_action("copy_action", _("&Copy"), self.copy_selection)
        self._copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self._copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._copy_all_action = self._add_action("copy_all_action", _("Copy &all"), self.copy_all)
        self._copy_picture_action = self._add_action("copy_picture_action", _("Copy as &picture"), self.copy_picture)
        self._add_action("filter_action", _("&Filter… (Ctrl+F)"), self.ask_for_filter)
        self.addActions([self._copy_action, self._copy_all_action])
        self._menu.addMenu(self._sort_menu)
        self._sort_menu.triggered.connect(self._on_sort_triggered)

    def _add_action(self, name: str, text: str, slot: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"{self.objectName()}.{name}")
        action.triggered.connect(slot)
        self._menu.addAction(action)
        return action

    # Order, selection, layout

    def _rearrange(self, content: TableContent, sort: Sort | None) -> None:
        scrolled = self.verticalScrollBar().value()
        self._rows.show(content, sort, self._wanted)
        self.verticalScrollBar().setValue(scrolled)

    @Slot()
    def _on_rows_about_to_change(self) -> None:
        self._kept_keys = set(self.selected_keys)

    @Slot()
    def _on_rows_changed(self) -> None:
        """Restore the selection: a reset of the model forgets it."""
        self._reselecting = True
        kept = self._rows_of(self._kept_keys)
        place = self._rows.place_of(self._current)
        chosen = self.selectionModel()
        if place is not None:
            chosen.setCurrentIndex(self._rows.index(place, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        chosen.select(kept, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._reselecting = False
        if place is None:
            self._tell_current("")

    def _rows_of(self, keys: set[str]) -> QItemSelection:
        """Return whole rows as one selection, neighbours joined: a selection of many ranges is slow."""
        selection = QItemSelection()
        last = self._rows.columnCount() - 1
        places = [place for place, key in enumerate(self.shown_keys) if key in keys] if keys else []
        while places:
            length = next((n for n, place in enumerate(places) if place != places[0] + n), len(places))
            selection.select(self._rows.index(places[0], 0), self._rows.index(places[length - 1], last))
            places = places[length:]
        return selection

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._reselecting:
            self._tell_current(self._rows.key_at(current.row()) if current.isValid() else "")

    def _tell_current(self, key: str) -> None:
        if key != self._current:
            self._current = key
            self.row_chosen.emit(key)

    # What the person does

    def _selected_places(self) -> list[int]:
        return sorted({index.row() for index in self.selectionModel().selectedRows()})

    def _copy(self, places: list[int]) -> None:
        text = self._rows.copied(places, self._columns.columns_as_shown)
        if text:
            QGuiApplication.clipboard().setText(text)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.row_activated.emit(self._rows.key_at(index.row()))

    @Slot(QAction)
    def _on_sort_triggered(self, action: QAction) -> None:
        sort = self._rows.sorted_by
        position = int(action.data())
        again = sort is not None and column_position(self._rows.content, sort.column) == position
        down = again and sort is not None and not sort.descending
        self.sortByColumn(position, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Activate the current row with Return, filter with Ctrl+F."""
        if event.matches(QKeySequence.StandardKey.Find):
            self.ask_for_filter()
            event.accept()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current:
            self.row_activated.emit(self._current)
            event.accept()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copying, filtering and sorting; the menu key opens it, too."""
        self._sort_menu.clear()
        for position, column in enumerate(self._rows.content.columns):
            self._sort_menu.addAction(column.heading).setData(position)
        self._copy_action.setEnabled(bool(self._selected_places()))
        for action in (self._copy_all_action, self._copy_picture_action):
            action.setEnabled(self._rows.rowCount() > 0)
        self._menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns the room there is now (Qt calls this)."""
        super().resizeEvent(event)
        self._columns.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or a text where there are none."""
        super().paintEvent(event)
        if self._placeholder and not self._rows.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            area = self.viewport().rect().adjusted(_MARGIN_PX, _MARGIN_PX, -_MARGIN_PX, -_MARGIN_PX)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), self._placeholder)
            painter.end()


class _NumberDelegate(QStyledItemDelegate):
    """Keeps numbers off the words of the next column, and shows cut texts in full."""

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Show a text whole that its column cuts, unless there is a tip of its own (Qt calls this)."""
        needed, given = self.sizeHint(option, index), option.rect
        is_cut = needed.width() > given.width() or needed.height() > given.height()  # too high where words are wrapped
        if is_cut and not index.data(Qt.ItemDataRole.ToolTipRole):
            QToolTip.showText(event.globalPos(), plain_tip(index.data()), view)
            return True
        return super().helpEvent(event, view, option, index)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the interval of a cell in the room its text leaves (Qt calls this)."""
        super().paint(painter, option, index)
        rows = index.model()
        span = rows.span_at(index) if isinstance(rows, RowsModel) else None
        if isinstance(rows, RowsModel) and span is not None:
            text_px = option.fontMetrics.horizontalAdvance(rows.longest_text(index.column()) + NUMBER_GAP)
            room = option.rect.adjusted(0, 0, -text_px - _PADDING_PX, 0)
            draw_span(painter, room, span, rows.spans_of(index.column()))

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Add the gap behind a number (Qt calls this)."""
        super().initStyleOption(option, index)
        if option.displayAlignment & Qt.AlignmentFlag.AlignRight:
            option.text += NUMBER_GAP
