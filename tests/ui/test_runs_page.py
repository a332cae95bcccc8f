"""The browser of runs: filter, sort, copy, and two trials over each other."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.measurement import Sample, TrialResult
from app.store import create_session_file
from app.ui.desk import Desk
from app.ui.pages.runs_page import RunsPage
from app.ui.widgets.plot import PlotView
from app.ui.widgets.table import DataTable
from tests.store.sample import make_record, make_trial
from tests.ui.conftest import Shown
from tests.ui.person import find, press, type_text


def write_session(path: Path, trials: tuple[TrialResult, ...]) -> Path:
    """Write a session file whose first run has the given trials."""
    record = make_record()
    with create_session_file(path) as store:
        store.add_session(replace(record, runs=(replace(record.runs[0], trials=trials), *record.runs[1:])))
    return path


@pytest.fixture
def page(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> RunsPage:
    """The page with the sample session: one used, one unused, one aborted trial."""
    made = RunsPage(desk)
    shown(made)
    made.show_session(write_session(tmp_path / "s.replitune", make_record().runs[0].trials), None)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return made


def table_of(page: RunsPage) -> DataTable:
    """Return the table of trials."""
    return find(page, DataTable, "runs.table")


def test_every_trial_is_listed_with_its_values(page: RunsPage) -> None:
    """Used or not, each trial has a row with setting, values and the reason why it was not used."""
    table = table_of(page)
    assert table.shown_keys == ("E1/E1-T001", "E1/E1-T002", "E1/E1-T003")
    table.copy_all()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].startswith("Trial\tExperiment\tSetting\tBlock\tPhase\tStatus\tRun time (s)\t")
    assert "217.3" in copied[1]
    assert "the agent fell back to one stream" in copied[2]


def test_the_list_is_narrowed_by_words_and_status(page: RunsPage) -> None:
    """Words and status together decide what is shown."""
    table, status = table_of(page), find(page, QComboBox, "runs.status_combo")
    type_text(find(page, QLineEdit, "runs.filter_edit"), "t002")
    assert table.shown_keys == ("E1/E1-T002",)
    status.setCurrentIndex(status.findData("aborted"))
    assert not table.shown_keys
    find(page, QLineEdit, "runs.filter_edit").clear()
    assert table.shown_keys == ("E1/E1-T003",)
    status.setCurrentIndex(0)
    assert len(table.shown_keys) == 3


def select(table: DataTable, *places: int) -> None:
    """Select the rows at some places."""
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().clearSelection()
    for place in places:
        table.selectionModel().select(table.model().index(place, 0), flags.Select | flags.Rows)


def test_two_trials_are_laid_over_each_other(page: RunsPage, desk: Desk, qtbot: QtBot) -> None:
    """Two rows chosen show the same time series of both, and another series on request."""
    hint = find(page, QLabel, "runs.hint.text")
    plot = find(page, PlotView, "runs.plot")
    qtbot.waitUntil(lambda: plot.accessibleDescription().startswith("latency 0 of E1-T001 over"))
    assert "second one" in hint.text()
    select(table_of(page), 0, 2)
    qtbot.waitUntil(lambda: plot.accessibleDescription().startswith("latency 0 of E1-T001 and E1-T003"))
    assert hint.text() == ""
    stream = find(page, QComboBox, "runs.stream_combo")
    stream.setCurrentIndex(1)
    assert plot.accessibleName() == "latency 1"
    select(table_of(page), 0, 1, 2)
    assert "3 trials are chosen" in hint.text()
    select(table_of(page))
    qtbot.waitUntil(lambda: plot.spec is None)
    assert plot.accessibleName().startswith("Choose one trial in the table")
    assert not stream.isEnabled()


def test_rows_are_chosen_with_the_keyboard(page: RunsPage, qtbot: QtBot) -> None:
    """The arrow keys show one trial after the other."""
    table = table_of(page)
    table.setFocus()
    table.choose_row("E1/E1-T001")
    press(table, Qt.Key.Key_Down)
    press(table, Qt.Key.Key_Down)
    plot = find(page, PlotView, "runs.plot")
    qtbot.waitUntil(lambda: "E1-T003" in plot.accessibleDescription())


def test_a_file_that_is_gone_is_told(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """A session whose file has vanished says so instead of an empty table."""
    page = RunsPage(desk)
    shown(page)
    page.show_session(tmp_path / "gone.replitune", None)
    qtbot.waitUntil(lambda: "gone.replitune" in find(page, QLabel, "runs.hint.text").text())


def test_ten_thousand_trials_open_quickly(desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    """An engagement of 10,000 trials is listed without making anybody wait, the window alive all the time."""
    model = make_trial(1, 0)
    trials = tuple(
        replace(model, trial_id=f"E1-T{n:05}", samples=(Sample("latency", 0.0, float(n), "ms"),)) for n in range(10_000)
    )
    path = write_session(tmp_path / "large.replitune", trials)
    page = RunsPage(desk)
    shown(page)
    page.show_session(path, None)
    qtbot.waitUntil(lambda: len(table_of(page).shown_keys) == 10_000, timeout=20_000)
