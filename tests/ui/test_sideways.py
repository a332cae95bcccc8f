"""All columns of a table stand beside each other at 1280 × 720: nobody scrolls sideways to read a row."""

import pytest
from PySide6.QtWidgets import QComboBox, QTableView, QTabWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.column_fit import Need, fitted, in_lines
from tests.e2e.demonstration import whole_demonstration
from tests.ui.clipping import scrolls_sideways
from tests.ui.conftest import Shown
from tests.ui.person import find


def sideways(root: QWidget) -> list[str]:
    """Return the tables below a widget that scroll sideways."""
    return [table.objectName() for table in root.findChildren(QTableView) if scrolls_sideways(table)]


@pytest.mark.prove
def test_no_table_of_the_findings_scrolls_sideways_with_the_demo_of_every_family(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Decisions with all that unfolds, comparisons, measures, forecasts, trials."""
    window = MainWindow(desk)
    shown(window)
    window.open_session(str(whole_demonstration(tmp_path_factory).folder / "session.replitune"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    tabs = find(window, QTabWidget, "findings.tabs")
    found = []
    for place in filter(tabs.isTabVisible, range(tabs.count())):
        tabs.setCurrentIndex(place)
        for _depth in range(2):  # what is unfolded unfolds
            for button in tabs.currentWidget().findChildren(QToolButton):
                button.setChecked(button.isCheckable())
        measures = tabs.currentWidget().findChild(QComboBox, "findings.measured_choice")
        for table in range(measures.count() if isinstance(measures, QComboBox) else 1):
            if isinstance(measures, QComboBox):
                measures.setCurrentIndex(table)
            window.grab()
            found += sideways(window)
    assert found == []


def test_columns_have_what_they_like_where_there_is_room() -> None:
    """Headings on one line, nothing cut."""
    needs = (Need(200, 120, 96), Need(100, 60, 60))
    assert fitted(needs, 300) == (200, 100)


def test_headings_are_broken_before_words_are_cut_and_circumstances_are_cut_first() -> None:
    """Numbers keep what they need in any case."""
    needs = (Need(200, 150, 96), Need(100, 60, 60), Need(300, 300, 96, is_cut_first=True))
    assert fitted(needs, 510) == (150, 60, 300)
    assert fitted(needs, 400) == (150, 60, 190)
    assert fitted(needs, 290) == (134, 60, 96)
    assert fitted(needs, 100) == (96, 60, 96)
    assert fitted((), 100) == ()


def test_a_heading_is_broken_only_where_it_lacks_the_room() -> None:
    """Beside empty space none is: those that lack least stand on one line again, as many as have room."""
    needs = (Need(200, 150, 96), Need(100, 60, 60), Need(90, 70, 60))
    assert fitted(needs, 370) == (150, 100, 90)
    assert fitted(needs, 310) == (150, 60, 90)
    assert fitted(needs, 290) == (150, 60, 70)


def test_what_is_drawn_beside_a_number_is_given_up_first() -> None:
    """A bar has the room that is left once all words and numbers are whole, and none where there is no more."""
    needs = (Need(150, 100, 60), Need(120, 90, 90, drawn_px=192))
    assert fitted(needs, 600) == (150, 312)
    assert fitted(needs, 400) == (100, 282)
    assert fitted(needs, 250) == (100, 150)
    assert fitted(needs, 190) == (100, 90)


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        (40, "Reader waiting for the writer (%)"),
        (18, "Reader waiting\nfor the writer (%)"),
        (3, "Reader\nwaiting for\nthe writer (%)"),
    ],
)
def test_a_heading_takes_as_few_lines_as_have_room(room: int, lines: str) -> None:
    """Three at most, as even as they can be."""
    assert in_lines("Reader waiting for the writer (%)", room, len) == lines


def test_a_column_that_is_cut_has_the_room_to_spare() -> None:
    """Nothing is cut beside empty space; who lacks least has it first, and no column gets more than its contents."""
    needs = (Need(320, 320, 96, whole_px=500), Need(100, 60, 60, whole_px=100), Need(320, 320, 96, whole_px=360))
    assert fitted(needs, 740) == (320, 100, 320)
    assert fitted(needs, 780) == (340, 100, 340)
    assert fitted(needs, 900) == (440, 100, 360)
    assert fitted(needs, 2_000) == (500, 100, 360)
