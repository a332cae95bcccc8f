"""An incident in the window, over TDS with the real driver: connect, click the agent, run, keep, put back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from app.domain.events import RunStatus
from app.domain.rights import Mode
from app.flows.shell.wizard import Step
from app.ui.desk import Desk
from app.ui.widgets.site_picture import SitePictureView
from tests.labs import lab_file
from tests.prove.kept_on_purpose import values_in
from tests.prove.killing import lab_server, read_state
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, Traveller
from tests.ui.person import find
from tests.ui.test_journey_on_site import connect, consent

AGENT = "PUB1-ERP-ERP_Orders-REPORT1-1"


@pytest.mark.prove
def test_an_incident_from_connecting_to_keeping_it(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent clicked is the one measured; what it confirms is kept after one consent, and undone by one click."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(tmp_path / "client.replitune"), ""))
    with lab_server(lab_file("incident")) as target:
        found = read_state(target)
        desk.program.parts.saved_targets.add("Somebody else's servers", target)
        traveller = WAYS["mouse"].begin(desk, shown, qtbot)
        connect(traveller)
        traveller.arrive(Step.TOPOLOGY)
        click_on(traveller, "ERP_Orders")
        traveller.press_button("site.experiments_button")
        traveller.press_button("experiment.distribution_agent_radio")
        traveller.go_on()
        traveller.arrive(Step.PLAN)
        plan = traveller.frame.wizard.choices.plan
        assert plan is not None
        assert plan.load["publication"] == "ERP_Orders"
        assert plan.load["source"] == "own_backlog"
        traveller.go_on()
        consent(traveller, Mode.HANDS_ON)
        run(traveller)
        assert read_state(target) == found
        keep(traveller)
        kept = values_in(read_state(target)) - values_in(found)
        assert {agent for agent, _name, _value in kept} == {AGENT}
        traveller.press_button("run.put_back_button")
        traveller.wait(lambda: values_in(read_state(target)) == values_in(found))
        traveller.settle()


def click_on(traveller: Traveller, name: str) -> None:
    """Click in the picture of the site until the box of that name is chosen."""
    (picture,) = traveller.window.findChildren(SitePictureView)
    wanted = {hop.key for hop in picture.picture.hops if name in str(hop)}
    for y in range(10, picture.height(), 25):
        for x in range(10, picture.width(), 40):
            QTest.mouseClick(picture, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
            if picture.key in wanted:
                traveller.settle()
                return
    raise AssertionError(f"nothing in the picture is of {name}")


def run(traveller: Traveller) -> None:
    """Run to the end."""
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    traveller.wait(lambda: not traveller.desk.is_running)
    traveller.settle()
    end = traveller.frame.wizard.choices.run_end
    assert end is not None
    assert end.status == RunStatus.SUCCEEDED, end.reason


def keep(traveller: Traveller) -> None:
    """Agree to keep what was confirmed, for good."""
    traveller.press_button("run.keep_keep_button")
    traveller.press_button("run.keep_agree_button")
    traveller.wait(lambda: "keeps on purpose" in find(traveller.window, QLabel, "run.keep_text.text").text())
    traveller.settle()
