"""The table of every page: sorting, filtering, copying, keyboard, and a layout that stays."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolTip, QVBoxLayout, QWidget

from app.domain.view import Column, Row, TableContent, number_cell, text_cell
from app.flows.table_view import Sort, TableLayout
from app.services.preferences import PreferenceFile
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.widgets.rows_model import NUMBER_GAP
from app.ui.widgets.table import DataTable
from tests.ui.clipping import cut_headings
from tests.ui.conftest import Shown
from tests.ui.person import click, double_click, find, press, type_text

_COLUMNS = (
    Column("name", "Parameter", hint="its name"),
    Column("value", "Value", unit="commands", is_number=True),
    Column("note", "Note"),
)
_ROWS = (("b", 1_000.0, "first"), ("a", 9.0, "second"), ("c", None, "third"))


def _content(rows: tuple[tuple[str, float | None, str], ...] = _ROWS) -> TableContent:
    made = (Row(name, (text_cell(name), number_cell(value), text_cell(note))) for name, value, note in rows)
    return TableContent(_COLUMNS, tuple(made))


def _table(shown: Shown, layouts: dict[str, TableLayout] | None = None) -> DataTable:
    table = DataTable("test.table", "Parameters", {} if layouts is None else layouts)
    shown(table, 640, 320)
    table.show_content(_content())
    return table


def _clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_numbers_stand_right_under_a_right_aligned_heading(shown: Shown) -> None:
    """Numbers and their headings are right-aligned, words left."""
    model = _table(shown).model()
    role, right = Qt.ItemDataRole.TextAlignmentRole, Qt.AlignmentFlag.AlignRight
    assert model.data(model.index(0, 1), role) & right
    assert model.headerData(1, Qt.Orientation.Horizontal, role) & right
    assert not model.data(model.index(0, 0), role) & right
    assert model.headerData(1, Qt.Orientation.Horizontal) == f"Value (commands){NUMBER_GAP}"


def test_no_word_of_a_heading_is_cut_however_narrow_the_table_is(shown: Shown) -> None:
    """A column of short words is as wide as its heading's longest one; the table scrolls where it must."""
    table = DataTable("test.narrow", "Comparisons", {})
    shown(table, 240, 200)
    columns = (Column("setting", "SubscriptionStreams"), *(Column(f"n{n}", "Phase", is_number=True) for n in range(4)))
    cells = (text_cell("2 against 1"), *(number_cell(1_000_000.0 * n) for n in range(4)))
    table.show_content(TableContent(columns, (Row("a", cells),)))
    assert cut_headings(table) == []


def test_a_click_on_a_heading_sorts_up_down_and_back(shown: Shown) -> None:
    """Three clicks on a heading sort by values, the other way round, and as at first."""
    table = _table(shown)
    header = table.horizontalHeader()
    point = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)
    orders = []
    for _click in range(3):
        click(header.viewport(), point)
        orders.append(table.shown_keys)
    assert orders == [("a", "b", "c"), ("b", "a", "c"), ("b", "a", "c")]
    assert header.sortIndicatorSection() == -1


def test_selection_stays_with_its_rows(shown: Shown) -> None:
    """Sorting and new contents keep what is selected; a row that is gone is told as no longer chosen."""
    table = _table(shown)
    chosen: list[str] = []
    table.row_chosen.connect(chosen.append)
    table.choose_row("b")
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    table.show_content(_content((("d", 5.0, ""), *_ROWS)))
    assert (table.current_key, table.selected_keys, chosen) == ("b", ("b",), ["b"])
    table.set_filter("second")
    assert (table.current_key, table.selected_keys, chosen) == ("", (), ["b", ""])


def test_several_selected_rows_stay_selected(shown: Shown) -> None:
    """A selection with gaps survives a change of order."""
    table = _table(shown)
    table.selectAll()
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert list(table.selected_keys) == ["b", "a", "c"]
    table.set_filter("s")  # first and second
    assert list(table.selected_keys) == ["b", "a"]


def test_copy_by_keyboard_takes_headings_and_shown_order(shown: Shown) -> None:
    """Ctrl+C copies the selected rows, tab-separated, columns as they are arranged."""
    table = _table(shown)
    table.setFocus()
    table.choose_row("b")
    table.horizontalHeader().moveSection(2, 0)
    press(table, Qt.Key.Key_C, ctrl=True)
    assert _clipboard() == "Note\tParameter\tValue (commands)\nfirst\tb\t1000\n"


def test_copying_nothing_leaves_the_clipboard(shown: Shown) -> None:
    """Without a selection the clipboard keeps what it had."""
    table = _table(shown)
    QGuiApplication.clipboard().setText("kept")
    table.copy_selection()
    assert _clipboard() == "kept"


def test_copy_all_takes_the_filtered_rows(shown: Shown) -> None:
    """What is filtered away is not copied."""
    table = _table(shown)
    table.set_filter("third")
    find(table, QAction, "test.table.copy_all_action").trigger()
    assert _clipboard() == "Parameter\tValue (commands)\tNote\nc\t\tthird\n"


def test_the_menu_sorts_without_a_mouse(shown: Shown) -> None:
    """The context menu offers every column; the same one again turns the order round."""
    table = _table(shown)
    for expected in (("a", "b", "c"), ("b", "a", "c")):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), table.mapToGlobal(QPoint(5, 5)))
        QApplication.sendEvent(table, event)
        menu = find(table, QMenu, "test.table.sort_menu")
        next(action for action in menu.actions() if action.data() == 1).trigger()
        find(table, QMenu, "test.table.menu").close()
        assert table.shown_keys == expected


def test_return_and_double_click_enter_a_row(shown: Shown) -> None:
    """Return and a double click tell which row was entered."""
    table = _table(shown)
    entered: list[str] = []
    table.row_activated.connect(entered.append)
    press(table, Qt.Key.Key_Return)
    assert entered == []
    table.choose_row("a")
    press(table, Qt.Key.Key_Return)
    center = table.visualRect(table.model().index(2, 0)).center()
    double_click(table.viewport(), center)
    assert entered == ["a", "c"]


def test_tab_leaves_the_table(shown: Shown) -> None:
    """Tab goes on to the next widget; arrows move within."""
    assert not _table(shown).tabKeyNavigation()


def test_a_column_has_room_for_what_comes_later(shown: Shown) -> None:
    """A column whose contents are still being read is as wide as they will need."""
    table = DataTable("test.table", "Parameters", {})
    shown(table, 640, 320)
    later = "what will stand here later"
    table.show_content(
        TableContent((Column("now", "Now", room_for=later), Column("z", "Z")), (Row("a", (text_cell("…"),) * 2),))
    )
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(later)


def test_a_layout_comes_back(shown: Shown) -> None:
    """Widths, order and sort are found again by the next table of that name."""
    layouts: dict[str, TableLayout] = {}
    first = _table(shown, layouts)
    assert layouts == {}
    first.horizontalHeader().moveSection(1, 0)
    first.setColumnWidth(0, 222)
    first.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    again = _table(shown, layouts)
    header = again.horizontalHeader()
    assert [header.logicalIndex(place) for place in range(3)] == [1, 0, 2]
    assert again.columnWidth(0) == 222
    assert again.shown_keys == ("b", "a", "c")
    assert layouts["test.table"].sort == Sort("value", descending=True)


def test_layouts_are_kept_with_the_preferences(
    program: Program, preference_file: PreferenceFile, prepared_qapp: QApplication
) -> None:
    """A layout survives the end of the program."""
    layout = TableLayout((("value", 99),), Sort("value"))
    first = Desk(program, preference_file)
    first.table_layouts["test.table"] = layout
    first.close()
    second = Desk(program, preference_file)
    second.close()
    assert second.table_layouts == {"test.table": layout}


def test_an_empty_table_says_so(shown: Shown) -> None:
    """Where there are no rows the placeholder is drawn instead."""
    table = _table(shown)
    table.show_content(_content(()))
    blank = table.viewport().grab().toImage()
    table.set_placeholder("Nothing here yet.")
    assert table.viewport().grab().toImage() != blank
    assert table.shown_keys == ()
    table.choose_row("b")
    assert table.current_key == ""


def test_any_table_is_filtered_by_keyboard(shown: Shown) -> None:
    """Ctrl+F asks for words; Return goes to the rows that fit, Esc shows all again; an empty line goes away."""
    table = _table(shown)
    table.setFocus()
    press(table, Qt.Key.Key_F, ctrl=True)
    line = find(table, QLineEdit, "test.table.filter_edit")
    assert line.hasFocus()
    type_text(line, "second")
    assert table.shown_keys == ("a",)
    press(line, Qt.Key.Key_Return)
    assert table.hasFocus()
    assert line.isVisible()  # some rows are hidden, which must be seen
    table.resize(300, 200)
    assert table.viewport().geometry().contains(line.geometry())
    press(table, Qt.Key.Key_F, ctrl=True)
    press(line, Qt.Key.Key_Escape)
    assert (len(table.shown_keys), table.hasFocus(), line.isVisible()) == (3, True, False)


def test_a_field_of_the_page_is_the_filter_where_there_is_one(shown: Shown) -> None:
    """No second line comes up over the rows."""
    holder = QWidget()
    table, field = DataTable("test.table", "Parameters", {}), QLineEdit()
    column = QVBoxLayout(holder)
    column.addWidget(field)
    column.addWidget(table)
    shown(holder, 640, 320)
    table.show_content(_content())
    table.filter_by(field)
    table.setFocus()
    press(table, Qt.Key.Key_F, ctrl=True)
    assert field.hasFocus()
    type_text(field, "third")
    assert table.shown_keys == ("c",)
    assert table.findChildren(QLineEdit) == []


def test_a_table_with_room_for_its_columns_does_not_scroll_sideways(shown: Shown) -> None:
    """Its last column of words takes what is left over, and no more."""
    table = _table(shown)
    assert table.horizontalHeader().length() == table.viewport().width()
    assert table.horizontalScrollBar().maximum() == 0
    other = TableContent((Column("other", "Another name"), *_COLUMNS[1:]), _content().rows)
    for content in (other, _content()):  # whose columns are laid out over those there are
        table.show_content(content)
        assert table.horizontalHeader().length() == table.viewport().width()
        assert table.horizontalScrollBar().maximum() == 0


def test_a_table_with_too_little_room_breaks_its_words_before_it_scrolls_sideways(shown: Shown) -> None:
    """Every column stays in sight: headings and words go on below, or are cut where even that does not do."""
    columns = (Column("name", "What it is called by those who run it"), *_COLUMNS[1:])
    long = "as the login of the Distribution Agent is shown at the Subscriber"
    rows = tuple((name, value, long) for name, value, _note in _ROWS)
    table = DataTable("test.table", "Parameters", {})
    table.show_content(TableContent(columns, _content(rows).rows))
    shown(table, 320, 320)
    assert table.horizontalHeader().length() == table.viewport().width()
    assert table.horizontalScrollBar().maximum() == 0


def test_what_all_rows_say_alike_stands_above_the_table(shown: Shown) -> None:
    """A column that says nothing new takes no room, and comes back once it does."""
    table = DataTable("test.table", "Parameters", {})
    label = table.alike_label()
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.addWidget(label)
    column.addWidget(table)
    shown(holder, 640, 320)
    alike = _content(tuple((name, value, "restart") for name, value, _note in _ROWS))
    table.show_content(alike)
    assert (label.text(), label.isVisible()) == ("Note: restart", True)
    table.copy_all()
    assert _clipboard().splitlines()[0] == "Parameter\tValue (commands)"
    table.show_content(_content())
    assert not label.isVisible()
    table.copy_all()
    assert _clipboard().splitlines()[0] == "Parameter\tValue (commands)\tNote"


def _tip(table: DataTable, row: int) -> str:
    """Return what is shown where the mouse rests on the first cell of a row, "" for nothing."""
    QToolTip.hideText()
    point = table.visualRect(table.model().index(row, 0)).center()
    event = QHelpEvent(QEvent.Type.ToolTip, point, table.viewport().mapToGlobal(point))
    QApplication.sendEvent(table.viewport(), event)
    return QToolTip.text() if QToolTip.isVisible() else ""


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_cell_that_is_cut_says_all_in_a_tip(shown: Shown, is_wrapped: bool) -> None:
    """Also one that is cut behind its second line; one that is seen whole says nothing."""
    columns = tuple(Column(f"c{place}", "Words") for place in range(4 if is_wrapped else 1))
    long = "waits for the writer, " * (4 if is_wrapped else 40)
    rows = tuple(Row(text, (text_cell(text),) * len(columns)) for text in ("short", "in two lines or one", long))
    table = DataTable("test.table", "Parameters", {})
    shown(table, 420, 320)
    table.show_content(TableContent(columns, rows))
    assert table.wordWrap() is is_wrapped
    assert [_tip(table, row) for row in range(3)] == ["", "", long]
