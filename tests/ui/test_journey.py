"""The whole journey through the real window: start to PDF, and every way to break it off."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLabel, QMessageBox, QProgressBar
from pytestqt.qtbot import QtBot

from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.flows.shell.wizard import Step, servers_to_consent
from app.services.hand_over.past_sessions import summarise_session
from app.services.preferences import PreferenceFile, Preferences
from app.store import open_for_reading
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.table import DataTable
from app.ui.wizard_frame import WizardFrame
from tests.e2e.program import SMALL_PLAN, call, write
from tests.prove.killing import read_state
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, KeyboardTraveller, MouseTraveller, Traveller
from tests.ui.person import find

# Either way and either size in every test run, each with each in the long proofs.
_QUICK: Final = ("mouse", "keyboard-200")
_IN_TURN: Final = [pytest.param(way, marks=() if way in _QUICK else pytest.mark.prove) for way in WAYS]


@pytest.fixture
def window(preference_file: PreferenceFile, desk: Desk, shown: Shown, tmp_path: Path) -> MainWindow:
    """The real window, with sessions kept in the test's folder."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    made = MainWindow(desk)
    shown(made)
    return made


def plan_a_run(traveller: Traveller, commands: int, blocks: int) -> None:
    """Go from the topology to the run, with a plan of a given size."""
    traveller.arrive(Step.TOPOLOGY)
    traveller.press_button("site.experiments_button")
    traveller.press_button("experiment.distribution_agent_radio")
    traveller.go_on()
    traveller.arrive(Step.PLAN)
    traveller.fill("plan.workload.commands_edit", str(commands))
    traveller.fill("plan.design.blocks_edit", str(blocks))
    traveller.go_on()
    traveller.arrive(Step.PREFLIGHT)
    traveller.agree()
    traveller.go_on()
    traveller.arrive(Step.RUN)


def start_run(traveller: Traveller) -> None:
    """Start the run and wait until something is changed on the server."""
    traveller.press_button("run.start_button")
    strip = find(traveller.window, QLabel, "server_strip.text")
    traveller.wait(lambda: "right now" in strip.text())


@pytest.mark.parametrize("way", _IN_TURN)
def test_from_the_start_to_the_report(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, way: str) -> None:
    """A newcomer plans what is most worth testing as it is filled in, and holds the PDF at the end.

    Eight presses lead to the first finding, two more to the PDF; among them are the consents, one for each server.
    """
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    traveller = WAYS[way].begin(desk, shown, qtbot)
    window = traveller.window
    traveller.press_button("start.lab_button")
    traveller.arrive(Step.TOPOLOGY)
    traveller.press_button("site.plan_1_button")
    traveller.arrive(Step.PLAN)
    traveller.go_on()
    traveller.arrive(Step.PREFLIGHT)
    before = traveller.presses
    traveller.agree()
    consents = traveller.presses - before
    assert consents == len(servers_to_consent(traveller.frame.wizard.choices))
    traveller.go_on()
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: desk.is_running)
    traveller.wait(lambda: not desk.is_running)
    traveller.arrive(Step.FINDINGS)
    assert find(window, QLabel, "findings.decision_1.kind").isVisible()
    assert traveller.presses <= 8
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    traveller.press_button("hand_over.everything_button")
    assert traveller.presses <= 10
    report = traveller.folder / "report.pdf"
    traveller.wait(report.exists)
    traveller.wait(lambda: desk.tasks.count == 0)
    assert report.read_bytes().startswith(b"%PDF-")
    session = summarise_session(traveller.folder / "session.replitune")
    assert session.last_run is not None
    assert session.last_run.status is RunStatus.SUCCEEDED
    assert find(window, QLabel, "server_strip.text").text() == "Nothing is changed on any server."


def choose_served_lab(traveller: Traveller, target: str) -> None:
    """Begin a session on a lab that runs as a process of its own."""
    traveller.wait(lambda: traveller.desk.tasks.count == 0)
    traveller.press_button("start.new_button")
    traveller.arrive(Step.TARGET)
    traveller.press_button("target.new_button")
    traveller.choose("target.way_combo", "A lab server on this computer")
    traveller.fill("target.port_edit", target.rpartition(":")[2])
    traveller.fill("target.name_edit", "my lab")
    traveller.press_button("target.save_button")
    traveller.go_on()


def begin_on(traveller: Traveller, title: str) -> None:
    """Begin a session on a target of the list."""
    traveller.press_button("start.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target(title)
    traveller.go_on()


def test_a_run_cancelled_in_its_middle_leaves_nothing_changed(
    window: MainWindow, desk: Desk, qtbot: QtBot, served_lab: str
) -> None:
    """Cancel ends the run, puts the server back, and leads on to what was measured until then."""
    original = read_state(served_lab)
    traveller = MouseTraveller(window, desk, qtbot)
    choose_served_lab(traveller, served_lab)
    plan_a_run(traveller, commands=60_000, blocks=20)
    start_run(traveller)
    traveller.press_button("run.cancel_button")
    traveller.wait(lambda: not desk.is_running)
    assert read_state(served_lab) == original
    end = traveller.frame.wizard.choices.run_end
    assert end is not None, [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert end.status == RunStatus.CANCELLED
    assert end.not_restored == ()
    traveller.go_on()
    traveller.arrive(Step.FINDINGS)


@pytest.mark.prove
@pytest.mark.parametrize("kind", [MouseTraveller, KeyboardTraveller])
def test_a_cancelled_run_goes_on_where_it_stopped(
    window: MainWindow, desk: Desk, qtbot: QtBot, kind: type[Traveller]
) -> None:
    """What was measured is kept and not repeated; the checks are made and consent is asked again."""
    traveller = kind(window, desk, qtbot)
    traveller.wait(lambda: desk.tasks.count == 0)
    go_on = find(window, QAction, "action.resume")
    assert not go_on.isEnabled()
    begin_on(traveller, "Three pairs of agents on a fast local network, 1 KB")
    plan_a_run(traveller, commands=3_000, blocks=6)
    whole = find(window, WizardFrame, "wizard").wizard.choices.dry_run
    assert whole is not None
    status = find(window, QLabel, "run.detail")
    traveller.press_button("run.start_button")
    finished = find(window, QProgressBar, "run.progress")
    traveller.wait(lambda: finished.value() > finished.maximum() // 20)
    traveller.press_button("run.cancel_button")
    traveller.wait(lambda: not desk.is_running)
    file = traveller.folder / "session.replitune"
    assert "“Resume run” continues" in status.text()
    kept = finished_trials(file)
    assert kept
    traveller.press_button("run.go_on_button")
    traveller.arrive(Step.PREFLIGHT)
    line = find(window, QLabel, "preflight.resumed_line.text")
    assert f"{len(kept)} trial" in line.text()
    traveller.wait(lambda: desk.tasks.count == 0)
    left = find(window, WizardFrame, "wizard").wizard.choices.dry_run
    assert left is not None
    assert len(left.trials) == len(whole.trials) - len(kept)
    assert not find(window, QAbstractButton, "wizard.back_button").isEnabled()
    traveller.agree()
    traveller.go_on()
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: desk.is_running)
    traveller.wait(lambda: not desk.is_running)
    session = summarise_session(file)
    assert session.sessions_in_file == 1
    assert [(run.run_id, run.status) for run in session.runs] == [("E1", RunStatus.SUCCEEDED)]
    assert finished_trials(file)[: len(kept)] == kept
    assert not find(window, QAbstractButton, "run.start_button").isEnabled()
    traveller.arrive(Step.FINDINGS)
    assert not go_on.isEnabled()


def test_a_complete_run_that_could_not_tell_runs_more_blocks(
    window: MainWindow, desk: Desk, qtbot: QtBot, tmp_path: Path
) -> None:
    """The findings offer the blocks its interval pays for; the checks are made again, and the run adds them."""
    traveller = MouseTraveller(window, desk, qtbot)
    traveller.wait(lambda: desk.tasks.count == 0)
    plan, folder = write(tmp_path / "plan.toml", SMALL_PLAN + "further_blocks = 0\n"), tmp_path / "out"
    journal = desk.program.parts.journal_path
    assert call("run", plan, "--target", "lab", "--out", folder, "--journal", journal).code == 0
    file = folder / "session.replitune"
    kept = finished_trials(file)
    window.open_session(str(file))
    traveller.arrive(Step.FINDINGS)
    traveller.wait(lambda: desk.tasks.count == 0)
    assert "up to 3 more blocks" in find(window, QLabel, "findings.more_blocks.text").text()
    traveller.press_button("findings.more_blocks_button")
    traveller.arrive(Step.PREFLIGHT)
    traveller.agree()
    told = find(window, WizardFrame, "wizard").wizard.choices.dry_run
    assert told is not None
    traveller.go_on()
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: desk.is_running)
    traveller.wait(lambda: not desk.is_running)
    with open_for_reading(file) as reader:
        (run,) = reader.read_session(with_samples=False).runs
    assert run.plan.most_s == told.longest_s, "the run may take what was agreed to"
    assert finished_trials(file)[: len(kept)] == kept
    assert len(finished_trials(file)) > len(kept)
    traveller.arrive(Step.FINDINGS)
    traveller.wait(lambda: desk.tasks.count == 0)
    assert not [b for b in window.findChildren(QAbstractButton, "findings.more_blocks_button") if b.isVisible()]


def finished_trials(file: Path) -> list[tuple[str, object]]:
    """Return id and begin of every trial of the file's newest session that ended by itself."""
    with open_for_reading(file) as reader:
        runs = reader.read_session(with_samples=False).runs
    trials = [trial for run in runs for trial in run.trials]
    return [(trial.trial_id, trial.started_utc) for trial in trials if trial.status is not TrialStatus.ABORTED]


def test_the_window_closed_in_mid_run_puts_the_server_back_first(
    window: MainWindow, desk: Desk, qtbot: QtBot, served_lab: str
) -> None:
    """Closing asks; the answer "stop" cancels, restores, and only then closes; finished trials are kept."""
    original = read_state(served_lab)
    traveller = KeyboardTraveller(window, desk, qtbot)
    choose_served_lab(traveller, served_lab)
    plan_a_run(traveller, commands=60_000, blocks=20)
    start_run(traveller)
    file = traveller.folder / "session.replitune"
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    question = find(window, QMessageBox, "closing.question")
    traveller.wait(question.isActiveWindow)
    assert window.isVisible()
    with qtbot.waitSignal(window.closed):
        QTest.keyClick(question, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    assert read_state(served_lab) == original
    session = summarise_session(file)
    assert session.last_run is not None
    assert session.last_run.status is RunStatus.CANCELLED


@pytest.mark.prove
def test_killed_in_mid_run_the_next_start_offers_to_restore(
    preference_file: PreferenceFile,
    desk: Desk,
    shown: Shown,
    qtbot: QtBot,
    tmp_path: Path,
    served_lab: str,
    journal_path: Path,
) -> None:
    """kill -9 leaves a setting changed; the next start names it, puts it back, and lists the session as interrupted."""
    original = read_state(served_lab)
    sessions = tmp_path / "sessions"
    command = [sys.executable, "-m", "tests.ui.killed_window", served_lab, str(tmp_path), str(journal_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "changed"
        process.kill()
    assert read_state(served_lab) != original
    desk.preferences = preference_file.load()
    window = MainWindow(desk)
    shown(window)
    traveller = MouseTraveller(window, desk, qtbot)
    banner = find(window, QFrame, "start.restore_banner")
    traveller.wait(banner.isVisible)
    traveller.wait(lambda: desk.tasks.count == 0)
    recent = find(window, DataTable, "start.recent_table")
    assert [Path(key).parents[1] for key in recent.shown_keys] == [sessions]
    recent.copy_all()
    assert "interrupted" in QApplication.clipboard().text()
    traveller.press_button("start.restore_button")
    traveller.wait(lambda: not banner.isVisible())
    assert read_state(served_lab) == original
    assert find(window, QLabel, "server_strip.text").text() == "Nothing is changed on any server."
