"""The browser of runs: filter, copy, two runs and two trials over each other."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QSplitter, QTabWidget
from pytestqt.qtbot import QtBot

from app.domain.session import SessionRecord
from app.flows.explain.runs_view import row_key
from app.services.hand_over.past_sessions import RunKey
from app.store import create_session_file
from app.ui.desk import Desk
from app.ui.pages.runs_page import RunsPage
from app.ui.widgets.plot import PlotView
from app.ui.widgets.plot_canvas import PlotCanvas
from app.ui.widgets.table import DataTable
from tests.store.sample import make_record
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text

SESSION = make_record().session_id


def write_session(path: Path, record: SessionRecord) -> Path:
    """Write a session file."""
    with create_session_file(path) as store:
        store.add_session(record)
    return path


@pytest.fixture
def page(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> RunsPage:
    """The page with the sample session, its first run chosen: one used, one unused, one aborted trial."""
    made = RunsPage(desk)
    shown(made)
    made.show_file(write_session(tmp_path / "s.replitune", make_record()), RunKey(SESSION, "E1"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return made


def runs_of(page: RunsPage) -> DataTable:
    """Return the table of runs."""
    return find(page, DataTable, "runs.table")


def trials_of(page: RunsPage) -> DataTable:
    """Return the table of trials."""
    return find(page, DataTable, "runs.trials_table")


def show_trials(page: RunsPage) -> None:
    """Turn to the trials."""
    find(page, QTabWidget, "runs.tabs").setCurrentIndex(1)


def select(table: DataTable, *places: int) -> None:
    """Select the rows at some places."""
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().clearSelection()
    for place in places:
        table.selectionModel().select(table.model().index(place, 0), flags.Select | flags.Rows)


def test_every_run_is_listed_and_the_one_at_hand_chosen(page: RunsPage) -> None:
    """Each run of the file has a row, copied with headings; what all say alike stands above, its trials below."""
    table = runs_of(page)
    assert table.selected_keys == (row_key(RunKey(SESSION, "E1")),)
    table.copy_all()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].startswith("Started\tRun\tExperiment\tState\tUsed\tMeasured\tConditions\t")
    assert len(copied) == len(make_record().runs) + 1
    assert "agent pairs 3" in copied[-1]
    above = [label.text() for label in page.findChildren(QLabel)]
    assert any("Target: lab:lan" in text and "Session:" in text for text in above), above
    assert [key.rpartition("|")[2] for key in trials_of(page).shown_keys] == ["E1-T001", "E1-T002", "E1-T003"]


def test_the_list_is_narrowed_by_words_and_state(page: RunsPage, desk: Desk, qtbot: QtBot) -> None:
    """Words and state together decide what is shown."""
    table, status = runs_of(page), find(page, QComboBox, "runs.status_combo")
    everything = table.shown_keys
    type_text(find(page, QLineEdit, "runs.filter_edit"), "e1")
    assert table.shown_keys == (row_key(RunKey(SESSION, "E1")),)
    status.setCurrentIndex(status.findData("aborted"))
    assert len(table.shown_keys) < len(everything)
    find(page, QLineEdit, "runs.filter_edit").clear()
    status.setCurrentIndex(0)
    assert table.shown_keys == everything
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_what_the_filter_hides_is_shown_no_more(page: RunsPage, desk: Desk, qtbot: QtBot) -> None:
    """Where no run fits, no plot of runs that are out of sight stays."""
    plot = find(page, PlotView, "runs.setting_plot")
    qtbot.waitUntil(lambda: plot.accessibleName() == "Run time by setting")
    type_text(find(page, QLineEdit, "runs.filter_edit"), "nothing like this")
    assert runs_of(page).shown_keys == ()
    qtbot.waitUntil(lambda: plot.accessibleName() != "Run time by setting")
    assert trials_of(page).shown_keys == ()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_two_runs_are_laid_over_each_other(page: RunsPage, desk: Desk, qtbot: QtBot) -> None:
    """Two rows chosen show the same measure of both, and the trials of both."""
    plot = find(page, PlotView, "runs.setting_plot")
    hint = find(page, QLabel, "runs.hint.text")
    qtbot.waitUntil(lambda: plot.accessibleName() == "Run time by setting")
    assert "second run" in hint.text()
    select(runs_of(page), 0, 1)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert hint.text() == ""
    assert len({key.partition("|")[0] for key in trials_of(page).shown_keys}) <= 2
    select(runs_of(page))
    qtbot.waitUntil(lambda: plot.spec is None)
    assert plot.accessibleName().startswith("Choose one run in the table")
    assert not trials_of(page).shown_keys


def test_the_runs_chosen_are_compared_on_request(page: RunsPage, desk: Desk, qtbot: QtBot) -> None:
    """The button hands on file and runs, older one first."""
    select(runs_of(page), 0, 1)
    with qtbot.waitSignal(page.compare_requested) as caught:
        click(find(page, QPushButton, "runs.compare_button"))
    path, wanted = caught.args
    assert path.endswith("s.replitune")
    assert wanted == (f"{SESSION}/E1", f"{SESSION}/E2")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_the_trials_have_the_room_they_ask_for_beside_their_plot(page: RunsPage) -> None:
    """No setting is cut beside a plot that has more than it needs, until a person divides the width otherwise."""
    page.resize(1920, 1000)
    show_trials(page)
    table, split = trials_of(page), find(page, QSplitter, "runs.trials_splitter")
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0
    assert table.columnWidth(1) >= table.sizeHintForColumn(1)
    split.splitterMoved.emit(600, 1)
    split.setSizes([600, 1200])
    page.resize(1900, 1000)
    QApplication.processEvents()
    assert split.sizes()[0] < 700


def test_two_trials_are_laid_over_each_other(page: RunsPage, qtbot: QtBot) -> None:
    """Two rows chosen show the same time series of both, and another series on request."""
    show_trials(page)
    hint = find(page, QLabel, "runs.trials_hint.text")
    plot = find(page, PlotView, "runs.plot")
    qtbot.waitUntil(lambda: plot.accessibleDescription().startswith("latency 0 of E1-T001 over"))
    assert "second one" in hint.text()
    select(trials_of(page), 0, 2)
    qtbot.waitUntil(lambda: plot.accessibleDescription().startswith("latency 0 of E1-T001 and E1-T003"))
    assert hint.text() == ""
    stream = find(page, QComboBox, "runs.stream_combo")
    stream.setCurrentIndex(1)
    assert plot.accessibleName() == "latency 1"
    select(trials_of(page), 0, 1, 2)
    assert "3 trials are chosen" in hint.text()
    select(trials_of(page))
    qtbot.waitUntil(lambda: plot.spec is None)
    assert plot.accessibleName().startswith("Choose one trial in the table")
    assert not stream.isEnabled()


def test_rows_are_chosen_with_the_keyboard(page: RunsPage, qtbot: QtBot) -> None:
    """The arrow keys show one trial after the other."""
    show_trials(page)
    table = trials_of(page)
    table.setFocus()
    table.choose_row(table.shown_keys[0])
    press(table, Qt.Key.Key_Down)
    press(table, Qt.Key.Key_Down)
    plot = find(page, PlotView, "runs.plot")
    qtbot.waitUntil(lambda: "E1-T003" in plot.accessibleDescription())


def test_a_plot_is_looked_at_closely_with_keys_alone(page: RunsPage, qtbot: QtBot) -> None:
    """Plus and minus zoom, the arrows move, 0 shows everything again; screen readers are told so."""
    show_trials(page)
    plot = find(page, PlotView, "runs.plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    canvas = find(page, PlotCanvas, "runs.plot.canvas")
    canvas.setFocus()
    assert canvas.hasFocus()
    assert "0 shows everything" in canvas.accessibleDescription()

    def shown_range() -> tuple[float, float]:
        assert plot.plot_item is not None
        low, high = plot.plot_item.vb.viewRange()[0]
        return low, high

    whole = shown_range()
    press(canvas, Qt.Key.Key_Plus)
    assert shown_range()[1] - shown_range()[0] == pytest.approx(0.8 * (whole[1] - whole[0]))
    before = shown_range()
    press(canvas, Qt.Key.Key_Right)
    assert shown_range()[0] > before[0]
    press(canvas, Qt.Key.Key_0)
    assert shown_range() == pytest.approx(whole)
    press(canvas, Qt.Key.Key_Minus)
    assert shown_range()[1] > whole[1]


def test_a_file_that_is_gone_is_told(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """A file that has vanished says so instead of an empty table."""
    page = RunsPage(desk)
    shown(page)
    page.show_file(tmp_path / "gone.replitune")
    qtbot.waitUntil(lambda: "gone.replitune" in find(page, QLabel, "runs.hint.text").text())


def test_thousands_of_runs_are_listed_and_found(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """An engagement of 3,000 runs is listed, the newest on top; a word finds one of them."""
    record = make_record()
    runs = tuple(replace(record.runs[0], run_id=f"E{n}", trials=()) for n in range(1, 3_001))
    path = write_session(tmp_path / "large.replitune", replace(record, runs=runs))
    page = RunsPage(desk)
    shown(page)
    page.show_file(path)
    qtbot.waitUntil(lambda: runs_of(page).model().rowCount() == 3_000)
    assert runs_of(page).current_key == row_key(RunKey(SESSION, "E3000"))
    type_text(find(page, QLineEdit, "runs.filter_edit"), "e2718")
    assert runs_of(page).shown_keys == (row_key(RunKey(SESSION, "E2718")),)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
