"""Journeys through the real window on what is no replication agent, and with a DBA who makes every change."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.events import RunStatus
from app.flows.shell.wizard import Step
from app.services.hand_over.past_sessions import summarise_session
from app.services.preferences import PreferenceFile, Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.live_plot import LivePlot
from app.ui.widgets.plot import PlotView
from app.ui.widgets.topology_tree import TopologyTree
from tests.e2e.posed_lab import Pose, Posed, PosedLab, posed_lab
from tests.e2e.program import served_lab
from tests.e2e.scripted_dba import ScriptedDba
from tests.on_site import DATABASE
from tests.ui.conftest import Shown
from tests.ui.journey import KeyboardTraveller, MouseTraveller, Traveller, find_person_texts
from tests.ui.person import find


@pytest.fixture
def window(preference_file: PreferenceFile, desk: Desk, shown: Shown, tmp_path: Path) -> MainWindow:
    """The real window, with sessions kept in the test's folder."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    made = MainWindow(desk)
    shown(made)
    return made


@dataclass(frozen=True)
class Journey:
    """A way from the list of targets to the report.

    Attributes:
        target: how its title in the list begins.
        nodes: titles that stand in its topology.
        family: what is chosen at Experiment.
        ticked, filled: boxes pressed and fields filled at Plan.
        is_of_agents: whether the pages may speak of replication agents.
    """

    traveller: type[Traveller]
    target: str
    nodes: tuple[str, ...]
    family: str
    ticked: tuple[str, ...]
    filled: tuple[tuple[str, str], ...]
    is_of_agents: bool = False


JOURNEYS = {
    "commit_mode": Journey(
        KeyboardTraveller,
        "Two availability groups on SQL Server 2016",
        ("Availability group AG_SYNC", "Replica SQLNODE2, secondary", "Database LoadSync"),
        "commit_mode",
        ("plan.quick_button", "plan.levels.log_stream_compression_off_check"),
        (("plan.workload.inserts_edit", "1, 100"), ("plan.workload.rows_total_edit", "10000")),
    ),
    "seeding": Journey(
        MouseTraveller,
        "A 100 GB database to seed",
        ("Availability group AG_ARCHIVE",),
        "seeding",
        ("plan.quick_button", "plan.levels.seeding_method_backup_restore_check"),
        (("plan.baseline.seeding_method", "direct seeding"), ("plan.workload.database_mb_edit", "2000")),
    ),
    "streams_apply": Journey(
        MouseTraveller,
        "One-way Oracle Streams between two 10.2 databases with a Streams pool",
        ("Path STREAMS_CAPTURE → STREAMS_APPLY", "Capture STREAMS_CAPTURE", "Apply STREAMS_APPLY"),
        "streams_apply",
        ("plan.quick_button",),
        (("plan.workload.rows_edit", "20000"), ("plan.workload.rows_per_commit_edit", "20000")),
    ),
}


def go_to_plan(traveller: Traveller, journey: Journey) -> None:
    """Go from the start page to a plan, looking at the topology on the way."""
    traveller.wait(lambda: traveller.desk.tasks.count == 0)
    traveller.press_button("start.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target(journey.target)
    traveller.go_on()
    traveller.arrive(Step.TOPOLOGY)
    tree = find(traveller.window, TopologyTree, "topology.tree")
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    assert all(tree.findItems(title, flags) for title in journey.nodes)
    traveller.press_button("site.experiments_button")
    traveller.press_button(f"experiment.{journey.family}_radio")
    traveller.go_on()
    traveller.arrive(Step.PLAN)


def run_to_the_end(traveller: Traveller) -> None:
    """Agree, run, and wait for the end."""
    traveller.go_on()
    traveller.arrive(Step.PREFLIGHT)
    traveller.agree()
    traveller.go_on()
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    traveller.wait(lambda: not traveller.desk.is_running)


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_subject_is_measured_from_its_target_to_its_report(
    window: MainWindow, desk: Desk, qtbot: QtBot, name: str
) -> None:
    """Target, topology, choice parameters and load fields, live plots, findings and hand-over; no word of agents."""
    travel(JOURNEYS[name], window, desk, qtbot)


@pytest.mark.prove
def test_a_published_test_is_measured_on_databases_behind_a_port(
    preference_file: PreferenceFile, desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """The second of May 2009: 100,000 updates in one transaction, python-oracledb and the window on a served lab."""
    served = Journey(
        MouseTraveller,
        "Behind a port",
        JOURNEYS["streams_apply"].nodes,
        "streams_apply",
        ("plan.quick_button",),
        (("plan.workload.rows_edit", "100000"), ("plan.workload.rows_per_commit_edit", "100000")),
    )
    with served_lab("--scenario", "streams-12c") as key:
        desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
        desk.program.parts.saved_targets.add(served.target, key)
        window = MainWindow(desk)
        shown(window)
        travel(served, window, desk, qtbot)


@pytest.mark.prove
def test_the_unkind_site_is_measured_over_tds(
    preference_file: PreferenceFile, desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    """Servers that are missing, a listener, odd names and several distribution databases, through a real driver."""
    unkind = Journey(
        MouseTraveller,
        "Somebody else's Distributor",
        ("Distributor DIST1", "Publisher SALES-AG", 'Publication [Aufträge]] "2018".x */'),
        "distribution_agent",
        ("plan.quick_button",),
        (("plan.workload.commands_edit", "4000"),),
        is_of_agents=True,
    )
    with served_lab("--scenario", "on-site") as key:
        desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
        desk.program.parts.saved_targets.add(unkind.target, f"{key}?database={DATABASE}")
        window = MainWindow(desk)
        shown(window)
        travel(unkind, window, desk, qtbot)


def travel(journey: Journey, window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
    """Go from the start page to the hand-over."""
    traveller = journey.traveller(window, desk, qtbot)
    go_to_plan(traveller, journey)
    for button in journey.ticked:
        traveller.press_button(button)
    for field, text in journey.filled:
        if field.startswith("plan.baseline"):
            traveller.choose(f"{field}_combo", text)
        else:
            traveller.fill(field, text)
    assert journey.is_of_agents or words_of_agents(window) == []
    run_to_the_end(traveller)
    traveller.arrive(Step.FINDINGS)
    traveller.press_button("wizard.back_button")
    traveller.arrive(Step.RUN)
    assert find(window, LivePlot, "run.time_plot").shown_points > 0
    assert find(window, PlotView, "run.setting_plot").spec is not None
    assert journey.is_of_agents or words_of_agents(window) == []
    traveller.go_on()
    traveller.arrive(Step.FINDINGS)
    assert journey.is_of_agents or words_of_agents(window) == []
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
    assert find(window, QLabel, "server_strip.text").text() == "Nothing is changed on any server."


def words_of_agents(window: QWidget) -> list[str]:
    """Return the texts on screen that speak of replication agents."""
    words = ("agent", "publisher", "subscriber", "distributor")
    return [text for text in find_person_texts(window) if any(word in text.lower() for word in words)]


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
def test_guided_every_change_is_a_script_that_the_dba_runs(window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
    """Scripts are copied off the screen and run by somebody else; the run goes on once the server shows each."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        traveller = MouseTraveller(window, desk, qtbot)
        traveller.wait(lambda: desk.tasks.count == 0)
        traveller.press_button("start.new_button")
        traveller.arrive(Step.TARGET)
        traveller.press_button("target.new_button")
        traveller.choose("target.way_combo", "A lab server on this computer")
        traveller.fill("target.port_edit", lab.key().rpartition(":")[2])
        traveller.fill("target.name_edit", "their servers")
        traveller.press_button("target.save_button")
        traveller.go_on()
        traveller.arrive(Step.TOPOLOGY)
        traveller.press_button("site.experiments_button")
        traveller.press_button("experiment.log_reader_radio")
        traveller.go_on()
        traveller.arrive(Step.PLAN)
        traveller.fill("plan.levels.ReadBatchSize_edit", "500, 1000")
        traveller.fill("plan.workload.commands_edit", "4000")
        traveller.fill("plan.design.blocks_edit", "1")
        traveller.fill("plan.design.confirm_blocks_edit", "0")
        traveller.go_on()
        traveller.arrive(Step.PREFLIGHT)
        traveller.press_button("preflight.mode_guided_radio")
        traveller.agree()
        traveller.go_on()
        traveller.arrive(Step.RUN)
        traveller.press_button("run.start_button")
        traveller.wait(lambda: desk.is_running)
        dba = AttentiveDba(traveller, lab)
        dba.serve()
        dba.close()
        assert lab.ask(PosedLab.truth) == before
    assert any(": Undo " in title for title in dba.asked)
    assert len(dba.asked) > 4
    end = traveller.frame.wizard.choices.run_end
    assert end is not None
    assert end.status == RunStatus.SUCCEEDED
    assert not find(window, QFrame, "run.hand").isVisible()
