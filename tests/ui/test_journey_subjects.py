"""Journeys through the real window on what is no replication agent."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
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
from tests.e2e.program import served_lab
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, KeyboardTraveller, MouseTraveller, Traveller, find_person_texts
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
        ticked, filled: boxes pressed and fields filled then at Plan.
    """

    traveller: type[Traveller]
    target: str
    nodes: tuple[str, ...]
    family: str
    ticked: tuple[str, ...]
    filled: tuple[tuple[str, str], ...]


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
        KeyboardTraveller,
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
    journey = JOURNEYS[name]
    travel(journey.traveller(window, desk, qtbot), journey)


@pytest.mark.minutes
@pytest.mark.prove
def test_a_published_test_is_measured_on_databases_behind_a_port(
    desk: Desk, shown: Shown, tmp_path: Path, qtbot: QtBot
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
        travel(WAYS["mouse"].begin(desk, shown, qtbot), served)


def travel(traveller: Traveller, journey: Journey) -> None:
    """Go from the start page to the hand-over."""
    window, desk = traveller.window, traveller.desk
    go_to_plan(traveller, journey)
    for button in journey.ticked:
        traveller.press_button(button)
    for field, text in journey.filled:
        if field.startswith("plan.baseline"):
            traveller.choose(f"{field}_combo", text)
        else:
            traveller.fill(field, text)
    assert words_of_agents(window) == []
    run_to_the_end(traveller)
    traveller.arrive(Step.FINDINGS)
    traveller.press_button("wizard.back_button")
    traveller.arrive(Step.RUN)
    assert find(window, LivePlot, "run.time_plot").shown_points > 0
    assert find(window, PlotView, "run.setting_plot").spec is not None
    assert words_of_agents(window) == []
    traveller.go_on()
    traveller.arrive(Step.FINDINGS)
    assert words_of_agents(window) == []
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
