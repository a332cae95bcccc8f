"""At 300 % on a full HD screen the window is 640 × 360: everything can still be read and reached."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.domain.comparison import Verdict
from app.flows.run.run_state import RunState
from app.flows.run.run_view import picture
from app.flows.shell.wizard import STEPS, Choices, Step, Wizard
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.run_status import RunStatusPane
from app.ui.widgets.step_list import StepList
from app.ui.widgets.summary_line import SummaryLine
from app.ui.widgets.verdict_badge import VerdictBadge
from app.ui.wizard_frame import WizardFrame
from tests.ui.clipping import clipped_text
from tests.ui.conftest import Shown
from tests.ui.person import find
from tests.ui.sessions import run_on_lab
from tests.ui.shell_parts import bare_pages


def test_the_list_of_steps_shows_icons_alone_where_there_is_little_room(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Titles come back with the room; until then they stand in the tooltips."""
    window = MainWindow(desk, bare_pages())
    shown(window, 1280, 720)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    window.begin_new()
    steps = find(window, StepList, "wizard.step_list")
    assert steps.item(0).text() == "Connect"
    window.resize(640, 360)
    qtbot.waitUntil(lambda: steps.item(0).text() == "")
    assert steps.item(0).toolTip().startswith("Connect")
    assert steps.width() < 60
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: steps.item(0).text() == "Connect")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """The choices of a session that has been run."""
    return run_on_lab(tmp_path_factory.mktemp("measured"))


@pytest.mark.parametrize("step", [Step.TOPOLOGY, Step.PLAN, Step.RUN, Step.FINDINGS])
def test_a_page_fits_across_or_can_be_scrolled(
    step: Step, measured: Choices, desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """Nothing stands where no scroll bar leads."""
    window = MainWindow(desk)
    shown(window, 640, 360)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    window.begin_new()
    frame = find(window, WizardFrame, "wizard")
    frame.show_wizard(Wizard(step, measured))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    scroll = find(window, QScrollArea, "wizard.scroll_area")
    inside = scroll.widget()
    assert inside is not None
    assert inside.width() <= scroll.viewport().width() or scroll.horizontalScrollBar().isVisible()
    assert find(window, QPushButton, "wizard.next_button").visibleRegion().boundingRect().width() > 60
    assert step in STEPS


def test_badges_stand_below_the_headline_where_the_line_is_short(shown: Shown) -> None:
    """Beside it where there is room."""
    badges = [VerdictBadge(verdict, "3× Improvement shown") for verdict in list(Verdict)[:3]]
    line = SummaryLine(QLabel("Recommended: something"), badges, QPushButton("Not proven"))
    shown(line, 1200, 60)
    assert badges[0].mapTo(line, QPoint()).x() > 300
    line.resize(560, 60)
    QApplication.processEvents()
    assert badges[0].mapTo(line, QPoint()).x() < 20
    assert line.minimumSizeHint().width() <= 600


def test_a_text_without_room_ends_in_an_ellipsis(shown: Shown) -> None:
    """What fits is drawn whole; the picture of a short room differs from one that cuts the text."""
    line = OneLine()
    line.setText("2 changes on lab right now, newest of all of them")
    shown(line, 600, 24)
    whole = line.grab().toImage()
    line.resize(120, 24)
    assert line.grab().toImage() != whole.copy(0, 0, 120, 24)
    assert line.minimumSizeHint().width() == 0


@pytest.mark.parametrize("width_px", [640, 683, 1024])
def test_what_the_run_says_of_itself_is_never_cut(shown: Shown, width_px: int) -> None:
    """At 200 % the note of the lab's clock lost its last letter: "have passed ther"."""
    pane = RunStatusPane()
    shown(pane, width_px, 200)
    begun = RunState({})
    begun.start(0.0)
    pane.show_picture(
        replace(
            picture(begun, Choices(target="lab")),
            headline="Running; pauses after this trial",
            trial="Trial 19 of 21, confirming: SubscriptionStreams 16, CommitBatchSize 1000",
            times="1:23:45 elapsed, about 1:20:00 left",
            detail="Start the Distribution Agents and measure until 100,000 commands are delivered",
            note="The lab runs on a clock of its own: 21.8 min have passed there.",
        )
    )
    QApplication.processEvents()
    labels = [label for label in pane.findChildren(QLabel) if label.isVisible()]
    assert labels
    assert [clipped_text(label) for label in labels if clipped_text(label)] == []
    note = find(pane, QLabel, "run.note.text")
    assert note.mapTo(pane, note.rect().bottomRight()).x() <= pane.width()
