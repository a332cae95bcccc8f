"""The dialogs that only look: the doctor, and what the history of a server tells."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.bootstrap import build_program
from app.domain.errors import TargetError
from app.domain.target import Target
from app.services.look.looking import Look, look
from app.services.program import Program
from app.systems.transactional_replication.observed import AgentHour, ReplicationObservation
from app.systems.transactional_replication.system import SYSTEM
from app.ui.desk import Desk
from app.ui.pages.doctor_dialog import DoctorDialog
from app.ui.pages.observe_dialog import ObserveDialog
from app.ui.widgets.plot import PlotView
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.person import click, find
from tests.ui.test_accessible_names import nameless


@pytest.fixture
def window(shown: Shown) -> QWidget:
    """A window the dialogs belong to."""
    made = QWidget()
    shown(made)
    return made


def test_the_doctor_says_what_works_here_and_what_the_login_may_do(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    """Drivers and libraries of this computer; experiments by way of working; the script for missing rights, copied."""
    dialog = DoctorDialog(desk, "lab:ag-2016", window)
    dialog.open()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    experiments = find(dialog, DataTable, "doctor.experiments_table")
    experiments.copy_all()
    told = QApplication.clipboard().text()
    assert len(told.splitlines()) > 5
    assert "Availability group" in told
    click(find(dialog, QPushButton, "doctor.script.copy_button"))
    assert QApplication.clipboard().text().startswith("--")
    find(dialog, QTabWidget, "doctor.tabs").setCurrentIndex(1)
    find(dialog, DataTable, "doctor.parts_table").copy_all()
    assert "numpy" in QApplication.clipboard().text()
    assert nameless(dialog) == []
    click(find(dialog, QPushButton, "doctor.again_button"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    dialog.close()


def test_the_doctor_without_a_target_looks_at_the_computer_alone(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    """One tab; nothing is asked of any server."""
    dialog = DoctorDialog(desk, "", window)
    dialog.open()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert find(dialog, QTabWidget, "doctor.tabs").count() == 1
    assert find(dialog, QLabel, "doctor.computer_line.text").text().startswith("Replitune")
    dialog.close()


def test_the_doctor_says_why_a_target_does_not_answer(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    """One sentence instead of a table; the computer is looked at all the same."""
    dialog = DoctorDialog(desk, "lab:nowhere", window)
    dialog.open()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "nowhere" in find(dialog, QLabel, "doctor.login_line.text").text()
    assert find(dialog, QPushButton, "doctor.again_button").isEnabled()
    dialog.close()


@pytest.fixture(scope="module")
def busy_day() -> ReplicationObservation:
    """A look at the lab, with deliveries of two hours for its first agent."""
    parts = build_program().parts
    looked = look("lab", Program(parts).advisor, parts.open_target, window_h=6).of(SYSTEM.system_id)
    assert isinstance(looked, ReplicationObservation)
    first = looked.agents[0]
    hours = tuple(
        AgentHour(first.agent.kind, first.agent.agent_id, datetime(2026, 1, 5, hour, tzinfo=UTC), 10, n, n, ms, ms, 1)
        for hour, n, ms in ((8, 36_000, 250.0), (9, 72_000, 300.0))
    )
    return replace(looked, agents=(replace(first, hours=hours), *looked.agents[1:]))


@pytest.fixture
def observing(
    desk: Desk, window: QWidget, busy_day: ReplicationObservation, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> ObserveDialog:
    """What that look tells, shown; another look tells the same for the hours asked for."""

    def look_again(_target: str, _advisor: object, _opener: object, *, window_h: int) -> Look:
        return Look(((SYSTEM, replace(busy_day, window_h=window_h)),))

    monkeypatch.setattr("app.ui.widgets.observe_pane.look", look_again)
    dialog = ObserveDialog(desk, "lab", window)
    dialog.open()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return dialog


def test_the_history_is_shown_in_words_plots_and_hours(observing: ObserveDialog, qtbot: QtBot) -> None:
    """Agents with what limits them, plots, hours, and what an experiment would cost."""
    assert "24 hours of history" in find(observing, QLabel, "observe.line.text").text()
    assert len(find(observing, DataTable, "observe.agents_table").shown_keys) == 6
    tabs = find(observing, QTabWidget, "observe.tabs")
    tabs.setCurrentIndex(1)
    plot = find(observing, PlotView, "observe.rate_plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    tabs.setCurrentIndex(2)
    click(find(observing, QPushButton, "observe.copy_button"))
    assert len(QApplication.clipboard().text().splitlines()) == 8
    tabs.setCurrentIndex(3)
    assert find(observing, DataTable, "observe.costs_table").shown_keys
    assert nameless(observing) == []
    observing.close()


def test_fewer_hours_are_looked_at_and_exported(
    observing: ObserveDialog, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """Another number of hours is read again; the hours are written as CSV, and a place that fails is told."""
    find(observing, QSpinBox, "observe.hours_spin").setValue(6)
    click(find(observing, QPushButton, "observe.look_button"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    line = find(observing, QLabel, "observe.line.text")
    assert "6 hours of history" in line.text()
    places = [tmp_path / "hours.csv", tmp_path / "nowhere" / "hours.csv"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(places.pop(0)), ""))
    click(find(observing, QPushButton, "observe.export_button"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert line.text().startswith("7 hours written to")
    assert (tmp_path / "hours.csv").exists()
    click(find(observing, QPushButton, "observe.export_button"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "nowhere" in line.text()
    observing.close()


@pytest.mark.parametrize(
    ("target", "watched", "waits"),
    [
        ("lab:ag-2016", "availability groups watched", "commit delay"),
        ("lab:streams-2009", "Streams watched", "flow control"),
    ],
)
def test_groups_and_streams_are_watched_for_a_while(
    desk: Desk, window: QWidget, qtbot: QtBot, target: str, watched: str, waits: str
) -> None:
    """Where something waits as a table, everything else in words; nothing of agents, which are not there."""
    dialog = ObserveDialog(desk, target, window)
    dialog.open()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert watched in find(dialog, QLabel, "observe.line.text").text()
    assert find(dialog, DataTable, "observe.watched_table").shown_keys
    assert waits in find(dialog, QPlainTextEdit, "observe.watched_text").toPlainText()
    tabs = find(dialog, QTabWidget, "observe.tabs")
    assert [tabs.isTabVisible(tab) for tab in range(tabs.count())] == [False, False, False, True, True]
    assert not find(dialog, QPushButton, "observe.export_button").isEnabled()
    assert nameless(dialog) == []
    dialog.close()


def test_a_look_that_fails_or_is_given_up_says_so(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    """A server that does not answer is told in a sentence; a look given up is dropped when it arrives."""
    desk.program = Program(replace(desk.program.parts, open_target=_refuse))
    dialog = ObserveDialog(desk, "lab:busy-day", window)
    dialog.open()
    line = find(dialog, QLabel, "observe.line.text")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "does not answer" in line.text()
    dialog.pane.look()
    click(find(dialog, QPushButton, "observe.cancel_button"))
    assert line.text().startswith("Cancelled")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert line.text().startswith("Cancelled")
    dialog.close()


def _refuse(*_asked: object) -> Target:
    raise TargetError("the server does not answer")
