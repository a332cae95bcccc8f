"""The whole day at a client's: their file, their servers over TDS, what they show, a plan for the time, and the PDF."""

from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QFrame, QLabel
from pytestqt.qtbot import QtBot

from app.domain.events import RunStatus
from app.domain.rights import Mode
from app.flows.shell.wizard import Step, servers_to_consent
from app.services.hand_over.engagement import read_engagement
from app.services.plan.plan_outlook import plan_outlook
from app.ui.desk import Desk
from app.ui.widgets.topology_tree import TopologyTree
from tests.e2e.posed_lab import Pose, Posed, PosedLab, posed_lab
from tests.e2e.scripted_dba import ScriptedDba
from tests.labs import lab_file
from tests.on_site import DATABASE
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, Traveller
from tests.ui.person import find

ON_SITE: Final = Pose(scenario=lab_file("on-site"), database=DATABASE)
NODES: Final = ("Distributor DIST1", "Publisher SALES-AG", 'Publication [Aufträge]] "2018".x */')


class AttentiveDba:
    """The client's DBA: copies each script off the screen, runs it with a driver of their own, and says so."""

    def __init__(self, traveller: Traveller, lab: Posed) -> None:
        self.asked: list[str] = []
        self._traveller = traveller
        self._dba = ScriptedDba(lab.ports)

    def serve(self) -> None:
        """Run what is asked for until the run has ended."""
        window = self._traveller.window
        pane, title = find(window, QFrame, "run.hand"), find(window, QLabel, "run.hand_title.text")
        while self._traveller.desk.is_running:
            self._traveller.wait(lambda: pane.isVisible() or not self._traveller.desk.is_running)
            if not pane.isVisible():
                continue
            self.asked.append(title.text())
            self._traveller.press_button("run.hand_script.copy_button")
            self._dba.run_script(QApplication.clipboard().text())
            self._traveller.press_button("run.hand_done_button")
            self._traveller.wait(lambda: not pane.isVisible() or title.text() != self.asked[-1])

    def close(self) -> None:
        """Close the connections."""
        self._dba.close()


@pytest.mark.prove
@pytest.mark.parametrize(
    ("way", "mode"),
    [
        ("mouse", Mode.HANDS_ON),
        ("keyboard", Mode.GUIDED),
        ("mouse-200", Mode.GUIDED),
        ("keyboard-200", Mode.HANDS_ON),
    ],
)
def test_from_the_client_to_the_hand_over(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, mode: Mode
) -> None:
    """Servers that are missing, a listener, odd names, several distribution databases: seen, planned for, measured.

    In guided mode every change is a script that is copied off the screen and run by somebody else.
    """
    file = tmp_path / "client.replitune"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(file), ""))
    with posed_lab(ON_SITE) as lab:
        before = lab.ask(PosedLab.truth)
        desk.program.parts.saved_targets.add("Somebody else's Distributor", lab.key())
        traveller = WAYS[way].begin(desk, shown, qtbot)
        connect(traveller)
        observe(traveller)
        plan_for_the_time(traveller)
        consent(traveller, mode)
        asked = measure(traveller, lab)
        assert lab.ask(PosedLab.truth) == before
    assert bool(asked) is (mode is Mode.GUIDED)
    assert any(": Undo " in title for title in asked) is (mode is Mode.GUIDED)
    hand_over(traveller)
    assert len(read_engagement(file).sessions) == 1
    assert traveller.folder.parent == tmp_path


def connect(traveller: Traveller) -> None:
    """Make a file for the client and choose their Distributor."""
    traveller.press_button("start.client_button")
    traveller.press_button("engagement.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target("Somebody else's Distributor")
    traveller.go_on()


def observe(traveller: Traveller) -> None:
    """See how the site stands and what it keeps, and plan what is worth testing."""
    traveller.arrive(Step.TOPOLOGY)
    tree = find(traveller.window, TopologyTree, "topology.tree")
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    assert all(tree.findItems(title, flags) for title in NODES)
    traveller.press_button("site.history_button")
    traveller.press_button("site.now_button")
    traveller.press_button("site.plan_1_button")


def plan_for_the_time(traveller: Traveller) -> None:
    """Have the design chosen that shows most in the time there is.

    What is proposed does not fit into 90 minutes, which the page says; a smaller one fits into 10.
    """
    traveller.arrive(Step.PLAN)
    told = find(traveller.window, QLabel, "plan.help.text")
    traveller.fill("plan.minutes_edit", "90")
    traveller.press_button("plan.time_button")
    assert "try fewer values or a smaller workload" in told.text()
    traveller.fill("plan.levels.ReadBatchSize_edit", "500, 5000")
    traveller.fill("plan.workload.commands_edit", "40000")
    traveller.fill("plan.minutes_edit", "10")
    traveller.press_button("plan.time_button")
    assert "with all further ones" in told.text()
    plan = traveller.frame.wizard.choices.plan
    assert plan is not None
    assert 60.0 < plan_outlook(plan, traveller.desk.program.families[plan.family]).duration_s <= 600.0
    traveller.go_on()


def consent(traveller: Traveller, mode: Mode) -> None:
    """Choose how to work and agree, server by server."""
    traveller.arrive(Step.PREFLIGHT)
    traveller.press_button(f"preflight.mode_{mode}_radio")
    before = traveller.presses
    traveller.agree()
    assert traveller.presses - before == len(servers_to_consent(traveller.frame.wizard.choices))
    traveller.go_on()


def measure(traveller: Traveller, lab: Posed) -> list[str]:
    """Run to the end; return what the client's DBA was asked."""
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    dba = AttentiveDba(traveller, lab)
    dba.serve()
    dba.close()
    end = traveller.frame.wizard.choices.run_end
    assert end is not None
    assert end.status == RunStatus.SUCCEEDED
    return dba.asked


def hand_over(traveller: Traveller) -> None:
    """Read the answer, look at its evidence, and write the report."""
    traveller.arrive(Step.FINDINGS)
    traveller.press_button("findings.decision_1.evidence_button")
    traveller.go_on()
    traveller.arrive(Step.HAND_OVER)
    traveller.press_button("hand_over.everything_button")
    report = traveller.folder / "report.pdf"
    traveller.wait(report.exists)
    traveller.settle()
    assert report.read_bytes().startswith(b"%PDF-")
    assert find(traveller.window, QLabel, "server_strip.text").text() == "Nothing is changed on any server."
