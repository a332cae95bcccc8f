"""The window watches a run: silence is told within half a minute, wherever one is."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from app.flows.run.mood import Mood
from app.flows.shell.wizard import Choices, Step, Wizard
from app.foundation.clock import SystemClock
from app.services.hand_over.engagement import read_engagement
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.run_page import RunPage
from app.ui.taskbar import Taskbar, TaskbarState
from app.ui.watchman import Watchman
from app.ui.widgets.live_plot import LivePlot
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.held_lab import HeldUndo
from tests.ui.person import click, find, press, type_text
from tests.ui.sessions import ready, small_plan


class HeldClock(SystemClock):
    """A clock whose seconds pass when a test says so, however slow the machine is.

    Attributes:
        now_s: what it shows.
    """

    now_s = 0.0

    def monotonic_s(self) -> float:
        """Return what it shows."""
        return self.now_s


@pytest.fixture
def hold(program: Program) -> Iterator[HeldUndo]:
    """A lab that falls silent with its third change."""
    held = HeldUndo(program.parts.open_target, at_once=1_000, changes=3)
    yield held
    held.go_on_changing()


@pytest.fixture
def clock() -> HeldClock:
    """What the window tells the time by."""
    return HeldClock()


@pytest.fixture
def desk(desk: Desk, hold: HeldUndo, clock: HeldClock) -> Desk:
    """The desk of a window on that lab."""
    desk.program = Program(replace(desk.program.parts, open_target=hold))
    desk.clock = clock
    return desk


def test_a_server_that_falls_silent_is_told_in_red_within_half_a_minute(
    desk: Desk, hold: HeldUndo, clock: HeldClock, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """The line of health says when a server last answered; after 30 s it is red, and black once it answers again."""
    page = RunPage(desk)
    shown(page, 1040, 600)
    page.show_choices(ready(tmp_path / "s", small_plan(100_000)))
    click(find(page, QPushButton, "run.start_button"))
    health = find(page, QLabel, "run.health.text")
    _hold_silent(desk, hold, qtbot)
    qtbot.waitUntil(lambda: health.text().startswith("Last answer "))
    clock.now_s = 31.0
    qtbot.waitUntil(lambda: health.text().startswith("No answer from DIST1 for 31"))
    hold.go_on_changing()
    qtbot.waitUntil(lambda: not desk.is_running)
    assert not health.isVisible()


def test_the_log_shows_the_newest_line_in_any_size(
    desk: Desk, hold: HeldUndo, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """A window made lower goes on showing what happens; one who has scrolled up is left there."""
    hold.go_on_changing()
    page = RunPage(desk)
    shown(page, 1040, 900)
    page.show_choices(ready(tmp_path / "s"))
    click(find(page, QPushButton, "run.start_button"))
    qtbot.waitUntil(lambda: not desk.is_running)
    log = find(page, QTextEdit, "run.log")
    bar = log.verticalScrollBar()
    bar.setValue(bar.maximum())
    for width_px, height_px in ((1040, 560), (1040, 640), (1500, 900)):
        page.resize(width_px, height_px)
        qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    bar.setValue(0)
    page.resize(1040, 560)
    assert bar.value() == 0


class KeptBell:
    """A bell that keeps its calls."""

    def __init__(self) -> None:
        self.rung: list[tuple[str, Mood]] = []

    def ring(self, sentence: str, mood: Mood) -> None:
        """Keep a call."""
        self.rung.append((sentence, mood))

    def rest(self) -> None:
        """Nothing is left by a call."""


class KeptTaskbar:
    """A taskbar that keeps what it showed."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.states: list[TaskbarState] = []

    def set_value(self, window: int, percent: int) -> None:
        """Keep a share."""
        self.values.append(percent)

    def set_state(self, window: int, state: TaskbarState) -> None:
        """Keep a colour."""
        self.states.append(state)


def _run_begun(window: MainWindow, desk: Desk, folder: Path, qtbot: QtBot) -> WizardFrame:
    """Start a run on the lab through the pages of the window, its site read."""
    window.begin_lab()
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.wizard.choices.discovery is not None and desk.tasks.count == 0)
    read = frame.wizard.choices
    choices = replace(ready(folder, small_plan(100_000)), discovery=read.discovery, sites=read.sites)
    frame.show_wizard(Wizard(Step.RUN, choices))
    click(find(window, QPushButton, "run.start_button"))
    return frame


def test_silence_calls_and_stands_above_every_other_page(
    desk: Desk, hold: HeldUndo, clock: HeldClock, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """On the start page and at the site: title, bar, taskbar and bell tell it within half a minute, each once."""
    window, bell, taskbar = MainWindow(desk), KeptBell(), KeptTaskbar()
    watchman = find(window, Watchman, "watchman")
    watchman.call_by(bell, Taskbar(window, taskbar))
    shown(window)
    _run_begun(window, desk, tmp_path / "s", qtbot)
    notice, line = find(window, QFrame, "run_notice"), find(window, QLabel, "run_notice.line.text")
    _hold_silent(desk, hold, qtbot)
    assert not notice.isVisible()
    find(window, QAction, "action.start_page").trigger()
    assert notice.isVisible()
    assert window.windowTitle().endswith("\u00a0% · Replitune")
    clock.now_s = 31.0
    qtbot.waitUntil(lambda: line.text().startswith("Run: No answer from DIST1 for 31"))
    assert window.windowTitle().startswith("⚠ ")
    assert taskbar.states[-1:] == [TaskbarState.ERROR]
    assert [mood for _sentence, mood in bell.rung] == [Mood.BAD]
    hold.go_on_changing()
    qtbot.waitUntil(lambda: not desk.is_running)
    qtbot.waitUntil(lambda: line.text() == "Run: Done")
    assert bell.rung[-1] == ("Run: Done", Mood.GOOD)
    assert taskbar.states[-1:] == [TaskbarState.NONE]
    click(find(window, QPushButton, "run_notice.show_button"))
    assert not notice.isVisible()
    assert find(window, QLabel, "run.headline.text").text() == "Done"


def test_the_site_can_be_looked_at_during_a_run(
    desk: Desk, hold: HeldUndo, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """Its page opens and leads back; what is chosen there touches no run, and its end is kept although it was there."""
    window = MainWindow(desk)
    shown(window)
    frame = _run_begun(window, desk, tmp_path / "s", qtbot)
    qtbot.waitUntil(hold.changed.is_set)
    plan = frame.wizard.choices.plan
    find(window, QAction, "action.step_topology").trigger()
    assert frame.wizard.step is Step.TOPOLOGY
    assert not find(window, QAction, "action.step_plan").isEnabled()
    page = frame.page
    assert page is not None
    page.choices_changed.emit(Choices(target="lab"))
    assert frame.wizard.choices.plan is plan
    click(find(window, QPushButton, "wizard.next_button"))
    assert str(frame.wizard.step) == "run"
    find(window, QAction, "action.step_topology").trigger()
    hold.go_on_changing()
    qtbot.waitUntil(lambda: not desk.is_running)
    assert str(frame.wizard.step) == "topology"
    assert frame.wizard.choices.run_end is not None


def test_a_note_is_stamped_on_the_plot_and_kept_with_the_run(
    desk: Desk, hold: HeldUndo, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """Return keeps it: a line of the log, a mark over the readings, and a note on the run in its file."""
    page = RunPage(desk)
    shown(page, 1040, 600)
    note = find(page, QLineEdit, "run.note_edit")
    page.show_choices(ready(tmp_path / "s", small_plan(100_000)))
    assert not note.isEnabled()
    click(find(page, QPushButton, "run.start_button"))
    qtbot.waitUntil(hold.changed.is_set)
    qtbot.waitUntil(note.isEnabled)
    type_text(note, "the client began a load")
    press(note, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    hold.go_on_changing()
    qtbot.waitUntil(lambda: not desk.is_running)
    assert "Note 1: the client began a load" in find(page, QTextEdit, "run.log").toPlainText()
    assert find(page, LivePlot, "run.time_plot").shown_stamps == 1
    (session,) = read_engagement(tmp_path / "s" / "session.replitune").sessions
    assert [(remark.run_id, remark.text) for remark in session.remarks] == [("E1", "the client began a load")]


def test_on_every_page_a_silent_server_is_told_half_a_minute_after_its_last_answer(
    desk: Desk, hold: HeldUndo, clock: HeldClock, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """One place decides, and each page shows it: the run's own in its line of health, all others in the bar above."""
    window = MainWindow(desk)
    shown(window)
    frame = _run_begun(window, desk, tmp_path / "s", qtbot)
    _hold_silent(desk, hold, qtbot)
    choices = frame.wizard.choices
    health, line = find(window, QLabel, "run.health.text"), find(window, QLabel, "run_notice.line.text")
    others: dict[str, Callable[[], None]] = {"start": window.show_start, "runs": window.show_runs}
    steps: dict[str, Callable[[], None]] = {
        str(step): partial(frame.show_wizard, Wizard(step, choices)) for step in Step
    }
    for name, go in (steps | others).items():
        clock.now_s = 0.0
        window.show_step(Step.RUN)
        qtbot.waitUntil(lambda: not health.text().startswith("No answer"))
        go()
        told = health if name == Step.RUN else line
        assert "No answer" not in told.text(), name
        clock.now_s = 31.0
        qtbot.waitUntil(partial(_is_told, told))
        assert told.isVisible(), name
    hold.go_on_changing()
    qtbot.waitUntil(lambda: not desk.is_running)


def _hold_silent(desk: Desk, hold: HeldUndo, qtbot: QtBot) -> None:
    """Wait until the lab is silent, and look once, as the window does five times a second."""
    qtbot.waitUntil(hold.changed.is_set)
    assert desk.job is not None
    assert desk.job.answers.look() is None


def _is_told(label: QLabel) -> bool:
    return "No answer from DIST1 for 31" in label.text() and ", since " in label.text()
