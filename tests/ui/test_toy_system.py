"""The window shows a system that nobody foresaw: its target, its tree, its form, its run and its findings."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from app import systems
from app.domain.events import RunStatus
from app.flows.shell.wizard import Step
from app.foundation.paths import MORE_SYSTEMS
from app.services.hand_over.past_sessions import summarise_session
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.live_plot import LivePlot
from app.ui.widgets.plot import PlotView
from tests.ui.conftest import Shown
from tests.ui.journey import MouseTraveller, find_person_texts
from tests.ui.person import find
from tests.ui.test_journey_subjects import Journey, go_to_plan, run_to_the_end

TOY: Final = Path(__file__).resolve().parents[1] / "toy" / "app"
JOURNEY: Final = Journey(
    MouseTraveller, "A door with a turnstile", ("The turnstile at TURN1",), "turnstile_gates", (), ()
)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The folder of further systems, found in this process, and forgotten again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MORE_SYSTEMS, str(TOY))
        patch.setattr(systems, "__path__", [*systems.__path__, str(TOY / "systems")])
        yield
    for name in [name for name in sys.modules if name.startswith(f"{systems.__name__}.turnstile")]:
        del sys.modules[name]


@pytest.fixture
def window(toy: None, desk: Desk, shown: Shown, tmp_path: Path) -> MainWindow:
    """The real window, with sessions kept in the test's folder."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    made = MainWindow(desk)
    shown(made)
    return made


def test_it_is_measured_from_its_target_to_its_report(window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
    """Nothing of the window knows it: list of targets, tree, form, live plots, findings, report."""
    traveller = MouseTraveller(window, desk, qtbot)
    go_to_plan(traveller, JOURNEY)
    assert find(window, QLineEdit, "plan.workload.people_edit").text() == "1,000"
    assert {"Vary Gates", "Vary QueueLength"} <= _shown(window)
    traveller.fill("plan.workload.people_edit", "200")
    run_to_the_end(traveller)
    assert find(window, LivePlot, "run.time_plot").shown_points > 0
    assert find(window, QComboBox, "run.stream_combo").currentText() == "People waiting (count)"
    spec = find(window, PlotView, "run.setting_plot").spec
    assert spec is not None
    assert [text for _x, text in spec.x_ticks] == ["1", "2", "4", "8"]
    traveller.arrive(Step.FINDINGS)
    assert any("Gates 4 instead of 1" in text for text in find_person_texts(window))
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    traveller.press_button("hand_over.everything_button")
    report = traveller.folder / "report.pdf"
    traveller.wait(report.exists)
    traveller.wait(lambda: desk.tasks.count == 0)
    assert report.read_bytes().startswith(b"%PDF-")
    session = summarise_session(traveller.folder / "session.replitune")
    assert session.last_run is not None
    assert session.last_run.status is RunStatus.SUCCEEDED


def _shown(window: MainWindow) -> set[str]:
    return {box.text().replace("&", "") for box in window.findChildren(QCheckBox) if box.isVisible()}
