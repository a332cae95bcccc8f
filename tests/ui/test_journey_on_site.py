"""The whole day at a client's: their file, their servers over a socket, what they show, a plan for the time, a PDF."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

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
from tests.e2e.oracle_dba import OracleDba
from tests.e2e.oracle_wire import LEAVES_SOCKETS, served
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.scripted_dba import ScriptedDba
from tests.labs import lab_file
from tests.on_site import DATABASE
from tests.prove.streams_session import PosedStreams
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, Traveller
from tests.ui.person import find

pytestmark = [*LEAVES_SOCKETS]


class Dba(Protocol):
    """Runs scripts at the client's servers with a driver of their own."""

    def run_script(self, script: str) -> None:
        """Run a script as it stands."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True)
class Served:
    """Servers that are reached over a socket.

    Attributes:
        key: of the target. truth: returns everything a session could leave changed. dba: connects one.
    """

    key: str
    truth: Callable[[], object]
    dba: Callable[[], Dba]


@contextmanager
def sql_servers() -> Iterator[Served]:
    """Servers that are missing, a listener, odd names, several distribution databases, over TDS."""
    with posed_lab(Pose(scenario=lab_file("on-site"), database=DATABASE)) as lab:
        yield Served(lab.key(), lambda: lab.ask(PosedLab.truth), lambda: ScriptedDba(lab.ports))


@contextmanager
def oracle_databases() -> Iterator[Served]:
    """Two databases with Streams, over Oracle's own protocol."""
    lab = PosedStreams("streams-12c")
    with served(lab) as port:
        yield Served(port.key, lab.truth, OracleDba)


@dataclass(frozen=True)
class Site:
    """What stands at a client's.

    Attributes:
        nodes: titles that stand in its topology.
        smaller: fields of Plan, with what fits into so many `minutes`; what is proposed does not even fit into 90.
    """

    serve: Callable[[], AbstractContextManager[Served]]
    nodes: tuple[str, ...]
    smaller: tuple[tuple[str, str], ...]
    minutes: int


SITES: Final = {
    "SQL Server": Site(
        sql_servers,
        ("Distributor DIST1", "Publisher SALES-AG", 'Publication [Aufträge]] "2018".x */'),
        (("plan.levels.ReadBatchSize_edit", "500, 5000"), ("plan.workload.commands_edit", "40000")),
        10,
    ),
    "Oracle": Site(
        oracle_databases,
        ("Path STREAMS_CAPTURE → STREAMS_APPLY", "Capture STREAMS_CAPTURE", "Apply STREAMS_APPLY"),
        (("plan.workload.rows_edit", "20000"), ("plan.workload.rows_per_commit_edit", "20000")),
        60,
    ),
}


class AttentiveDba:
    """The client's DBA: copies each script off the screen, runs it with a driver of their own, and says so."""

    def __init__(self, traveller: Traveller, dba: Dba) -> None:
        self.asked: list[str] = []
        self._traveller = traveller
        self._dba = dba

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


@pytest.mark.prove
@pytest.mark.dealt("site", "mode")
@pytest.mark.parametrize(
    ("site", "way", "mode"),
    [
        ("SQL Server", "mouse", Mode.HANDS_ON),
        ("SQL Server", "mouse-200", Mode.GUIDED),
        ("SQL Server", "keyboard", Mode.GUIDED),
        ("SQL Server", "keyboard-200", Mode.HANDS_ON),
        ("Oracle", "mouse", Mode.GUIDED),
        ("Oracle", "mouse-200", Mode.HANDS_ON),
        ("Oracle", "keyboard", Mode.HANDS_ON),
        ("Oracle", "keyboard-200", Mode.GUIDED),
    ],
)
def test_from_the_client_to_the_hand_over(
    desk: Desk,
    shown: Shown,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    site: str,
    way: str,
    mode: Mode,
) -> None:
    """Their servers are seen, planned for, measured and put back, and what was found is handed over.

    In guided mode every change is a script that is copied off the screen and run by somebody else.
    """
    file, found = tmp_path / "client.replitune", SITES[site]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(file), ""))
    with found.serve() as servers:
        before = servers.truth()
        desk.program.parts.saved_targets.add("Somebody else's servers", servers.key)
        traveller = WAYS[way].begin(desk, shown, qtbot)
        connect(traveller)
        observe(traveller, found)
        plan_for_the_time(traveller, found)
        consent(traveller, mode)
        asked = measure(traveller, servers)
        assert servers.truth() == before
        hand_over(traveller)
    assert bool(asked) is (mode is Mode.GUIDED)
    assert any(": Undo " in title for title in asked) is (mode is Mode.GUIDED)
    assert len(read_engagement(file).sessions) == 1
    assert traveller.folder.parent == tmp_path


def connect(traveller: Traveller) -> None:
    """Make a file for the client and choose their servers."""
    traveller.press_button("start.client_button")
    traveller.press_button("engagement.new_button")
    traveller.arrive(Step.TARGET)
    traveller.choose_target("Somebody else's servers")
    traveller.go_on()


def observe(traveller: Traveller, site: Site) -> None:
    """See how the site stands and what it keeps, and plan what is worth testing."""
    traveller.arrive(Step.TOPOLOGY)
    tree = find(traveller.window, TopologyTree, "topology.tree")
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    assert all(tree.findItems(title, flags) for title in site.nodes)
    traveller.press_button("site.history_button")
    traveller.press_button("site.now_button")
    traveller.press_button("site.plan_1_button")


def plan_for_the_time(traveller: Traveller, site: Site) -> None:
    """Have the design chosen that shows most in the time there is, which the page says is too short at first."""
    traveller.arrive(Step.PLAN)
    told = find(traveller.window, QLabel, "plan.designs_note.text")
    traveller.fill("plan.minutes_edit", "90")
    assert "These fit into 90\N{NO-BREAK SPACE}min." in told.text()
    for field, text in site.smaller:
        traveller.fill(field, text)
    traveller.fill("plan.minutes_edit", str(site.minutes))
    traveller.press_button("plan.design_0_radio")
    plan = traveller.frame.wizard.choices.plan
    assert plan is not None
    assert 60.0 < plan_outlook(plan, traveller.desk.program.families[plan.family]).duration_s <= site.minutes * 60.0
    traveller.go_on()


def consent(traveller: Traveller, mode: Mode) -> None:
    """Choose how to work and agree, server by server."""
    traveller.arrive(Step.PREFLIGHT)
    traveller.press_button(f"preflight.mode_{mode}_radio")
    before = traveller.presses
    traveller.agree()
    assert traveller.presses - before == len(servers_to_consent(traveller.frame.wizard.choices))
    traveller.go_on()


def measure(traveller: Traveller, servers: Served) -> list[str]:
    """Run to the end; return what the client's DBA was asked."""
    traveller.arrive(Step.RUN)
    traveller.press_button("run.start_button")
    traveller.wait(lambda: traveller.desk.is_running)
    with closing(servers.dba()) as dba:
        attentive = AttentiveDba(traveller, dba)
        attentive.serve()
    end = traveller.frame.wizard.choices.run_end
    assert end is not None
    assert end.status == RunStatus.SUCCEEDED
    return attentive.asked


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
