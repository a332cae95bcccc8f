"""Journeys with a client's file through the real window: measured into it, compared, packed, unpacked elsewhere."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.explain.compare_choices import PUBLISHED
from app.flows.shell.wizard import Step
from app.services.hand_over.engagement import gather, read_engagement
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.engagement_page import EngagementPage
from app.ui.pages.runs_page import RunsPage
from app.ui.widgets.plot import PlotView
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, KeyboardTraveller, MouseTraveller, Traveller, clashing_mnemonics
from tests.ui.person import find, press, type_text
from tests.ui.sessions import run_on_lab
from tests.ui.test_journey import plan_a_run


@pytest.fixture
def traveller(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> MouseTraveller:
    """Somebody before the real window, with sessions kept in the test's folder."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    window = MainWindow(desk)
    shown(window)
    made = MouseTraveller(window, desk, qtbot)
    made.settle()
    return made


def answer(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Have the system's dialogs answer with a path."""
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_asked: (str(path), ""))


def page_of(traveller: Traveller) -> EngagementPage:
    """Return the client's file on screen."""
    traveller.wait(lambda: any(p.isVisible() for p in traveller.window.findChildren(EngagementPage)))
    traveller.settle()
    assert clashing_mnemonics(traveller.window) == {}
    return find(traveller.window, EngagementPage, "page.engagement")


def sessions_shown(traveller: MouseTraveller) -> tuple[str, ...]:
    """Return the sessions the client's file lists."""
    return find(page_of(traveller), DataTable, "engagement.sessions_table").shown_keys


def dialog_of(traveller: Traveller, name: str) -> QWidget:
    """Return a dialog over the window, once it has read what it shows."""
    dialog = find(traveller.window, QDialog, name)
    traveller.wait(dialog.isVisible)
    traveller.settle()
    return dialog


def test_a_new_client_file_is_measured_into_and_reported(
    traveller: MouseTraveller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New file for a client → run → findings → PDF; the session is in that file, its report in a folder beside."""
    file = tmp_path / "Fabrikam.replitune"
    answer(monkeypatch, file.with_suffix(""))
    traveller.press_button("start.client_button")
    assert sessions_shown(traveller) == ()
    traveller.press_button("engagement.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target("Three pairs of agents on a fast local network, 1 KB")
    traveller.go_on()
    plan_a_run(traveller, commands=3_000, blocks=2)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    traveller.wait(lambda: not traveller.desk.is_running)
    traveller.arrive(Step.FINDINGS)
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    traveller.press_button("hand_over.everything_button")
    report = traveller.folder / "report.pdf"
    traveller.wait(report.exists)
    traveller.settle()
    assert report.read_bytes().startswith(b"%PDF-")
    assert report.parent.parent == tmp_path
    assert not (traveller.folder / "session.replitune").exists()
    (session,) = read_engagement(file).sessions
    find(traveller.window, QAction, "action.client").trigger()
    assert sessions_shown(traveller) == (session.session_id,)
    assert traveller.desk.preferences.recent_sessions == (str(file),)
    find(traveller.window, QAction, "action.compare").trigger()
    compared = dialog_of(traveller, "compare")
    assert find(compared, QComboBox, "compare.second_combo").currentData() == PUBLISHED
    assert "Published numbers claim nothing" in find(compared, QLabel, "compare.status.text").text()
    traveller.press_button("compare.close_button")
    find(traveller.window, QAction, "action.export_bundle").trigger()
    exported = dialog_of(traveller, "bundle_export")
    assert find(exported, QLineEdit, "bundle_export.out_edit").text() == str(tmp_path / "Fabrikam.zip")
    traveller.press_button("bundle_export.close_button")


@pytest.mark.prove
def test_two_experiments_make_one_hand_over(
    traveller: MouseTraveller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New client → experiment → the next thing, five presses besides the consents → one report over both."""
    answer(monkeypatch, tmp_path / "Fabrikam")
    traveller.press_button("start.client_button")
    page_of(traveller)
    traveller.press_button("engagement.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target("Three pairs of agents on a fast local network, 1 KB")
    traveller.go_on()
    run_most_promising(traveller)
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    before = traveller.presses
    traveller.press_button("wizard.test_button")
    consents = run_most_promising(traveller)
    assert traveller.presses - before - consents <= 5
    find(traveller.window, QAction, "action.client").trigger()
    sessions = sessions_shown(traveller)
    assert len(sessions) == 2
    of_all = tmp_path / "of-all.html"
    answer(monkeypatch, of_all)
    traveller.press_button("engagement.report_button")
    traveller.wait(of_all.exists)
    traveller.settle()
    told = of_all.read_text("utf-8")
    assert all(one in told for one in sessions)


def run_most_promising(traveller: MouseTraveller) -> int:
    """Go from the site to the findings of the experiment it proposes first; return how many consents it took."""
    traveller.arrive(Step.TOPOLOGY)
    traveller.press_button("site.plan_1_button")
    traveller.arrive(Step.PLAN)
    traveller.fill("plan.workload.commands_edit", "3000")
    traveller.go_on()
    traveller.arrive(Step.PREFLIGHT)
    before = traveller.presses
    traveller.agree()
    consents = traveller.presses - before
    traveller.go_on()
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    traveller.wait(lambda: not traveller.desk.is_running)
    traveller.arrive(Step.FINDINGS)
    return consents


@pytest.mark.prove
def test_a_client_file_is_compared_packed_and_opened_elsewhere(
    traveller: MouseTraveller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open → note → compare → export a bundle → unpack it elsewhere → findings → report, as another person would."""
    for name in ("one", "two"):
        run_on_lab(tmp_path / name)
    file = tmp_path / "client.replitune"
    gather(file, [tmp_path / name / "session.replitune" for name in ("one", "two")])
    answer(monkeypatch, file)
    traveller.press_button("start.open_button")
    sessions = sessions_shown(traveller)
    assert len(sessions) == 2
    type_text(find(traveller.window, QWidget, "engagement.note_text"), "measured at noon")
    traveller.press_button("engagement.add_note_button")
    traveller.settle()
    find(traveller.window, DataTable, "engagement.sessions_table").selectAll()
    traveller.press_button("engagement.compare_button")
    compared = dialog_of(traveller, "compare")
    chosen = [find(compared, QComboBox, f"compare.{side}_combo").currentData() for side in ("first", "second")]
    assert chosen == [sessions[1], sessions[0]]
    assert "no randomised comparison" in find(compared, QLabel, "compare.status.text").text()
    assert find(compared, DataTable, "compare.measured_table").shown_keys
    traveller.press_button("compare.close_button")
    of_all = tmp_path / "of-all.html"
    answer(monkeypatch, of_all)
    traveller.press_button("engagement.report_button")
    traveller.wait(of_all.exists)
    traveller.settle()
    assert all(one in of_all.read_text("utf-8") for one in (*sessions, "What was done, when"))
    assert find(traveller.window, QLabel, "engagement.status.text").text().startswith("Written: of-all.html")
    traveller.press_button("engagement.export_button")
    exported = dialog_of(traveller, "bundle_export")
    find(exported, QCheckBox, "bundle_export.redact_check").setChecked(True)
    bundle = Path(find(exported, QLineEdit, "bundle_export.out_edit").text())
    status = find(exported, QLabel, "bundle_export.status.text")
    traveller.press_button("bundle_export.write_button")
    traveller.settle()
    assert "may name somebody" in status.text()
    notes = find(exported, QListWidget, "bundle_export.undecided_list")
    assert [notes.item(row).text() for row in range(notes.count())] == ["measured at noon"]
    notes.setFocus()
    notes.setCurrentRow(0)
    press(notes, Qt.Key.Key_Space)  # takes its tick away: it names nobody
    traveller.press_button("bundle_export.write_button")
    traveller.settle()
    assert status.text().startswith(f"Written: {bundle} (2 sessions")
    traveller.press_button("bundle_export.close_button")
    find(traveller.window, QAction, "action.open_bundle").trigger()
    dialog_of(traveller, "bundle_import")
    answer(monkeypatch, bundle)
    traveller.press_button("bundle_import.bundle_browse_button")
    traveller.press_button("bundle_import.unpack_button")
    moved = tmp_path / "sessions" / "bundle-redacted" / "engagement.replitune"
    traveller.wait(lambda: traveller.desk.preferences.recent_sessions[0] == str(moved))
    assert sessions_shown(traveller) == sessions
    assert [r.text for r in read_engagement(moved).sessions[0].remarks] == ["measured at noon"]
    traveller.press_button("engagement.open_button")
    traveller.arrive(Step.FINDINGS)
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    find(traveller.window, QComboBox, "hand_over.format_combo").setCurrentIndex(1)
    traveller.press_button("hand_over.everything_button")
    page = moved.parent / sessions[0] / "report.html"
    traveller.wait(page.exists)
    traveller.settle()
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def key(code: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key wherever the keyboard is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, code, modifier)
    QApplication.processEvents()


@pytest.mark.prove
@pytest.mark.parametrize("way", ["keyboard", "keyboard-200"])
def test_two_sessions_are_laid_over_each_other_and_compared_by_keyboard_alone(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, way: str
) -> None:
    """Client's file → findings → its runs, two of them chosen → Compare, its parts one after another → back."""
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    for name in ("one", "two"):
        run_on_lab(tmp_path / name)
    file = tmp_path / "client.replitune"
    gather(file, [tmp_path / name / "session.replitune" for name in ("one", "two")])
    desk.prefer(Preferences(sessions_folder=str(tmp_path), recent_sessions=(str(file),)))
    person = WAYS[way].begin(desk, shown, qtbot)
    assert isinstance(person, KeyboardTraveller)
    window = person.window
    person.reach("start.recent_table")
    key(Qt.Key.Key_Return)
    page_of(person)
    person.reach("engagement.sessions_table")
    key(Qt.Key.Key_Return)
    person.arrive(Step.FINDINGS)
    key(Qt.Key.Key_R, ctrl)
    person.settle()
    runs = find(window, RunsPage, "page.runs")
    assert runs.isVisible()
    assert clashing_mnemonics(window) == {}
    table = person.reach("runs.table")
    assert isinstance(table, DataTable)
    key(Qt.Key.Key_Home, ctrl)
    key(Qt.Key.Key_Down, shift)
    assert len(table.selected_keys) == 2
    person.settle()
    plot = find(runs, PlotView, "runs.setting_plot")
    assert plot.spec is not None
    assert len(plot.spec.series) == 2
    person.press_button("runs.compare_button")
    compared = dialog_of(person, "compare")
    sides = [find(compared, QComboBox, f"compare.{side}_combo").currentData() for side in ("first", "second")]
    assert sides == [chosen.partition("/")[0] for chosen in reversed(table.selected_keys)]
    assert "no randomised comparison" in find(compared, QLabel, "compare.status.text").text()
    person.reach("compare.measured_table")
    key(Qt.Key.Key_A, ctrl)
    key(Qt.Key.Key_C, ctrl)
    assert QApplication.clipboard().text().count("\n") > 1
    tabs = find(compared, QTabWidget, "compare.tabs")
    for part in range(1, tabs.count()):
        key(Qt.Key.Key_Tab, ctrl)
        assert tabs.currentIndex() == part
    key(Qt.Key.Key_Escape)
    person.wait(lambda: not window.findChildren(QDialog, "compare"))
    window.activateWindow()  # which a window manager does
    person.wait(window.isActiveWindow)
    person.press_button("runs.leave_button")
    person.arrive(Step.FINDINGS)
