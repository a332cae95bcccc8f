"""Every table of every page and dialog sorts, filters and copies, and none says nothing new or speaks code.

Every table, card and figure in sight is copied as a picture by its menu, every card also as words.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLineEdit, QMenu, QTableView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.domain.view import NO_VALUE
from app.flows.shell.wizard import STEPS, Choices, Step
from app.ui.desk import Desk
from app.ui.page_factories import page_factories
from app.ui.pages.about_dialog import AboutDialog
from app.ui.pages.compare_dialog import CompareDialog
from app.ui.pages.import_page import ImportPage
from app.ui.pages.keys_dialog import KeysDialog
from app.ui.pages.runs_page import RunsPage
from app.ui.pages.start_page import StartPage
from app.ui.pages.statements_dialog import StatementsDialog
from app.ui.stylesheet import ROLE
from app.ui.widgets.picture_copy import words_of
from app.ui.widgets.plot import PlotView
from app.ui.widgets.site_picture import SitePictureView
from app.ui.widgets.table import DataTable
from app.ui.widgets.trial_grid_view import TrialGridView
from tests.ui.conftest import Shown
from tests.ui.sessions import run_on_lab

# Whoever takes them elsewhere takes every column.
_COPIED_WHOLE = ("observe.hours_table", "compare.measured_table")

# How programs write nothing.
_CODE = frozenset({"{}", "[]", "()", "None", "nan", "null"})


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """The choices of a session that has been run; the tests only read it."""
    return run_on_lab(tmp_path_factory.mktemp("measured") / "session")


def check_tables(root: QWidget) -> int:
    """Sort, filter and copy every table below a widget, and read its columns; return how many there are."""
    for view in root.findChildren(QTableView):
        assert isinstance(view, DataTable), f"{view.objectName()} is another kind of table"
        assert view.isSortingEnabled(), view.objectName()
        rows = view.shown_keys
        if not rows:
            continue
        QGuiApplication.clipboard().clear()
        view.copy_all()
        copied = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        assert len(copied) == len(rows) + 1, view.objectName()
        assert _CODE.isdisjoint(cell for line in copied for cell in line), view.objectName()
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            view.sortByColumn(0, order)
            assert sorted(view.shown_keys) == sorted(rows), view.objectName()
        view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        assert view.shown_keys == rows, view.objectName()
        assert alike_columns(view) == [] or view.objectName().startswith(_COPIED_WHOLE), view.objectName()
        check_filter(view)
    return len(root.findChildren(QTableView))


def alike_columns(table: DataTable) -> list[str]:
    """Return the columns of words beside the first that say the same in every row; they belong above their table."""
    model, top = table.model(), QModelIndex()
    found = []
    for place in range(1, model.columnCount(top)):
        heading = str(model.headerData(place, Qt.Orientation.Horizontal))
        side = model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        said = {str(model.index(row, place).data() or NO_VALUE) for row in range(model.rowCount(top))}
        if len(table.shown_keys) > 1 and len(said) == 1 and said != {NO_VALUE} and side & Qt.AlignmentFlag.AlignLeft:
            found.append(f"{heading}: {said.pop()}")
    return found


def check_filter(table: DataTable) -> None:
    """Filter a table as its menu offers it, and show all rows again."""
    rows = table.shown_keys
    (action,) = table.findChildren(QAction, f"{table.objectName()}.filter_action")
    action.trigger()
    field = table.filter_field
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "no row says this")
    assert table.shown_keys == (), table.objectName()
    field.clear()
    assert table.shown_keys == rows, table.objectName()


def menu_at(widget: QWidget) -> dict[str, QAction]:
    """Open the menu of a widget; return what it offers, by name."""
    at = widget.rect().center()
    QApplication.sendEvent(widget, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu), f"{widget.objectName()} has no menu"
    offered = {action.objectName().rpartition(".")[2]: action for action in menu.actions()}
    menu.close()
    return offered


def check_copies(root: QWidget) -> int:
    """Copy each table, card and painted figure in sight as a picture, each card as words; return how many there are."""
    figures = (DataTable, SitePictureView, TrialGridView)
    cards = [frame for frame in root.findChildren(QFrame) if frame.property(ROLE) == "card"]
    cards = [card for card in cards if not isinstance(card, PlotView)]  # the menu of its plot has more
    found = [w for w in (*root.findChildren(QWidget), *cards) if isinstance(w, figures) or w in cards]
    seen = [w for w in dict.fromkeys(found) if w.isVisible() and not (isinstance(w, DataTable) and not w.shown_keys)]
    clipboard = QGuiApplication.clipboard()
    for widget in seen:
        offered = menu_at(widget)
        offered["copy_picture_action"].trigger()
        assert clipboard.image().size() == widget.grab().size(), widget.objectName()
        if widget in cards:
            offered["copy_words_action"].trigger()
            assert clipboard.text() == words_of(widget), widget.objectName()
    for plot in (plot for plot in root.findChildren(PlotView) if plot.isVisible() and plot.spec is not None):
        assert {"copy_picture_action", "copy_values_action"} <= menu_at(plot.canvas).keys(), plot.objectName()
    return len(seen)


@pytest.mark.parametrize("step", STEPS)
def test_every_table_of_the_wizard(step: Step, desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot) -> None:
    """Whatever a page shows of a session that was run."""
    holder = QWidget()
    page = page_factories()[step](desk, holder)
    QVBoxLayout(holder).addWidget(page)
    shown(holder, 1166, 640)
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    least = {Step.FINDINGS: 4, Step.HAND_OVER: 1, Step.RUN: 1}.get(step, 0)
    assert check_tables(page) >= least
    assert check_copies(page) > 0 or step in (Step.TARGET, Step.RUN, Step.PREFLIGHT)


@pytest.mark.parametrize("make", [StartPage, ImportPage, RunsPage])
def test_every_table_of_pages_beside_the_wizard(
    make: Callable[[Desk, QWidget], QWidget], desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot
) -> None:
    """The start page, the import and the runs."""
    holder = QWidget()
    shown(holder)
    page = make(desk, holder)
    if isinstance(page, RunsPage):
        assert measured.place is not None
        page.show_file(measured.place.session_file)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert check_tables(page) > 0
    check_copies(page)


def dialogs(desk: Desk, file: Path, holder: QWidget) -> Iterator[QDialog]:
    """Return every dialog with tables, one after the other."""
    yield AboutDialog(holder)
    yield KeysDialog(holder)
    yield StatementsDialog(desk, file, None, holder)
    yield CompareDialog(desk, file, (), holder)


def test_every_table_of_a_dialog(desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot) -> None:
    """Libraries, keys, statements and comparisons."""
    assert measured.place is not None
    holder = QWidget()
    shown(holder)
    for dialog in dialogs(desk, measured.place.session_file, holder):
        qtbot.waitUntil(lambda: desk.tasks.count == 0)
        assert check_tables(dialog) > 0, dialog.objectName()
