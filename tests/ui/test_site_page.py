"""The page that shows what is there, with the real lab."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabWidget,
)
from pytestqt.qtbot import QtBot

from app.charts.site_drawing import words_fitted
from app.domain.errors import TargetError
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.shell.wizard import Choices, Step, Wizard
from app.systems.transactional_replication.topology import Topology
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.site_page import SitePage
from app.ui.site_watcher import SiteWatcher
from app.ui.target_keeper import TargetKeeper
from app.ui.widgets.card import Card
from app.ui.widgets.history_strip import HistoryStrip
from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.plot import PlotView
from app.ui.widgets.site_now import SiteNow
from app.ui.widgets.site_picture import SitePictureView
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable
from app.ui.widgets.topology_tree import TopologyTree
from app.ui.wizard_frame import WizardFrame
from tests.labs import lab_file
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text


class _Bench:
    """A topology page with what it told."""

    def __init__(self, desk: Desk, shown: Shown, qtbot: QtBot) -> None:
        self.desk = desk
        self.qtbot = qtbot
        self.page = SitePage(desk)
        self.told: list[Choices] = []
        self.busy: list[str] = []
        self.page.choices_changed.connect(self.told.append)
        self.page.busy_changed.connect(self.busy.append)
        shown(self.page, 1104, 580)
        self.tree = find(self.page, TopologyTree, "topology.tree")
        self.table = find(self.page, DataTable, "topology.parameters_table")
        self.search = find(self.page, QLineEdit, "topology.search_edit")

    def read(self, target: str = "lab") -> Choices:
        """Enter the page with a target, and return the choices once it was read."""
        before = len(self.told)
        self.page.show_choices(Choices(target=target))
        self.qtbot.waitUntil(lambda: len(self.told) > before)
        self.rest()
        click(find(self.page, QPushButton, "site.servers_button"))
        return self.told[-1]

    def rest(self) -> None:
        """Wait until nothing is read any more."""
        self.qtbot.waitUntil(lambda: self.desk.tasks.count == 0)

    def choose(self, title: str) -> None:
        """Click on the first node of a title."""
        item = self.tree.findItems(title, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)[0]
        click(self.tree.viewport(), self.tree.visualItemRect(item).center())

    def button(self, name: str) -> QPushButton:
        """Return a button."""
        return find(self.page, QPushButton, f"topology.{name}")

    def site_text(self, name: str) -> str:
        """Return a sentence on how the site stands."""
        return find(self.page, StatusLine, f"site.{name}").text

    def text(self, name: str) -> str:
        """Return a sentence."""
        return find(self.page, StatusLine, f"topology.{name}").text

    @property
    def heading(self) -> str:
        """What stands over the table."""
        return find(self.page, QLabel, "topology.node_heading").text()


@pytest.fixture
def bench(desk: Desk, shown: Shown, qtbot: QtBot) -> _Bench:
    """A page not entered yet."""
    return _Bench(desk, shown, qtbot)


def test_the_target_is_read_on_entering(bench: _Bench) -> None:
    """While it is read the page alone says so; then the first agent's parameters stand there."""
    bench.page.show_choices(Choices(target="lab"))
    assert bench.text("attempt") == "Reading lab …"
    assert not bench.tree.isVisible()
    bench.qtbot.waitUntil(lambda: bool(bench.told))
    assert bench.told[-1].discovery is not None
    click(find(bench.page, QPushButton, "site.servers_button"))
    assert bench.heading == "Log Reader Agent PUB1-Sales1-1"
    assert "ReadBatchSize" in bench.table.shown_keys
    assert bench.busy == []  # its own bar shows it: a second one below would show the same


def test_the_keyboard_goes_on_at_the_views_once_it_is_read(bench: _Bench) -> None:
    """The button to give up had the focus; the view shown takes it over."""
    bench.page.show_choices(Choices(target="lab"))
    bench.button("attempt_cancel_button").setFocus()
    bench.qtbot.waitUntil(lambda: bool(bench.told))
    assert find(bench.page, QPushButton, "site.now_button").hasFocus()


def test_what_was_read_before_is_shown_at_once(bench: _Bench) -> None:
    """Coming back reads nothing again."""
    choices = bench.read()
    bench.page.show_choices(replace(choices, family="log_reader"))
    assert bench.desk.tasks.count == 0
    assert bench.tree.isVisible()


def test_entering_without_a_target_reads_nothing(bench: _Bench) -> None:
    """The step before has not been done; nothing is asked of any server."""
    bench.page.show_choices(Choices())
    assert bench.desk.tasks.count == 0


def test_each_node_shows_what_is_known_of_it(bench: _Bench) -> None:
    """Agents show parameters, everything else its facts."""
    bench.read()
    bench.choose("Distributor DIST1")
    facts = find(bench.page, DataTable, "topology.facts_table")
    assert (bench.heading, facts.isVisible(), bench.table.isVisible()) == ("Distributor DIST1", True, False)
    bench.choose("Distribution Agent")
    assert bench.heading == "Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1"
    assert "SubscriptionStreams" in bench.table.shown_keys


def test_the_tree_is_walked_by_keyboard(bench: _Bench) -> None:
    """Arrow keys move through the nodes."""
    bench.read()
    bench.tree.setFocus()
    press(bench.tree, Qt.Key.Key_Down)
    assert bench.heading == "Publication Sales1Orders"


def test_a_search_narrows_the_table_and_escape_ends_it(bench: _Bench) -> None:
    """Ctrl+F goes to the search, words narrow the table, Escape shows everything again."""
    bench.read()
    bench.tree.setFocus()
    press(bench.page, Qt.Key.Key_F, ctrl=True)
    assert bench.search.hasFocus()
    type_text(bench.search, "batch transactions")
    assert list(bench.table.shown_keys) == ["ReadBatchSize"]
    type_text(bench.search, " xyz")
    assert not bench.table.shown_keys
    press(bench.search, Qt.Key.Key_Escape)
    assert len(bench.table.shown_keys) == 12


def test_only_what_differs_can_be_shown(bench: _Bench) -> None:
    """On the lab as it ships every parameter is at its default; a tuned one stays."""
    choices = bench.read()
    find(bench.page, QCheckBox, "topology.only_different_check").setChecked(True)
    assert not bench.table.shown_keys
    discovery = choices.discovery
    assert discovery is not None
    system, found = discovery.by_system[0]
    first = found.agents[0]
    tuned = tuple(replace(p, value="5000") if p.name == "ReadBatchSize" else p for p in first.parameters)
    agents = (replace(first, parameters=tuned), *found.agents[1:])
    changed = replace(discovery, by_system=((system, replace(found, agents=agents)),))
    bench.page.show_choices(replace(choices, discovery=changed))
    assert list(bench.table.shown_keys) == ["ReadBatchSize"]
    assert "1 differs" in bench.text("summary")


def test_parameters_are_copied_with_headings(bench: _Bench) -> None:
    """A row pasted into a spreadsheet carries its headings and plain numbers."""
    bench.read()
    bench.table.setFocus()
    bench.table.choose_row("LogScanThreshold")
    press(bench.table, Qt.Key.Key_C, ctrl=True)
    heading, row = QGuiApplication.clipboard().text().splitlines()
    assert heading.split("\t")[:2] == ["Parameter", "In effect"]
    assert row.split("\t")[:2] == ["LogScanThreshold", "500000"]


def test_a_target_that_does_not_answer_can_be_tried_again(bench: _Bench) -> None:
    """The page says why, and offers to try again."""
    bench.page.show_choices(Choices(target="lab@127.0.0.1:1"))
    bench.qtbot.waitUntil(lambda: bench.button("retry_button").isVisible())
    assert "No lab answers" in bench.text("attempt")
    click(bench.button("retry_button"))
    assert bench.text("attempt").startswith("Reading")
    bench.qtbot.waitUntil(lambda: bench.button("retry_button").isVisible())
    assert bench.told == []


def test_what_an_earlier_session_left_is_told_first(bench: _Bench) -> None:
    """Whoever connects learns of it before a run refuses, with the way on."""
    choices = bench.read()
    assert choices.discovery is not None
    left = ('DIST1: profile "Replitune S20260101-120000-abcdef log_reader 1", used by 1 agents',)
    bench.page.show_choices(replace(choices, discovery=replace(choices.discovery, left=left)))
    told = bench.text("unread")
    assert told.startswith("lab is not as an earlier session found it (DIST1: profile")
    assert "`replitune restore`" in told


def test_reading_can_be_given_up(bench: _Bench) -> None:
    """A reading given up is dropped when it arrives; nothing is chosen by it."""
    bench.page.show_choices(Choices(target="lab"))
    click(bench.button("attempt_cancel_button"))
    assert bench.button("retry_button").isVisible()
    bench.qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    assert bench.told == []


def test_reading_again_keeps_the_node(bench: _Bench) -> None:
    """After reading again the same agent is shown; giving up shows the older reading."""
    bench.read()
    bench.choose("Distribution Agent")
    heading = bench.heading
    click(bench.button("read_again_button"))
    bench.qtbot.waitUntil(lambda: len(bench.told) == 2)
    assert bench.heading == heading
    click(bench.button("read_again_button"))
    click(bench.button("attempt_cancel_button"))
    assert bench.tree.isVisible()
    bench.qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    assert len(bench.told) == 2


def test_another_target_drops_the_reading_on_its_way(bench: _Bench) -> None:
    """Only the target chosen last is shown."""
    bench.page.show_choices(Choices(target="lab"))
    bench.read("lab:wan-512k")
    bench.qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    assert [choices.target for choices in bench.told] == ["lab:wan-512k"]
    assert len(bench.tree.findItems("Log Reader Agent", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)) == 1


def test_a_target_without_replication_says_so(bench: _Bench) -> None:
    """An empty tree is never shown without a word."""
    choices = bench.read()
    discovery = choices.discovery
    assert discovery is not None
    system, found = discovery.by_system[0]
    empty = replace(found, topology=Topology("", found.topology.servers, (), (), ()))
    bench.page.show_choices(replace(choices, discovery=replace(discovery, by_system=((system, empty),))))
    assert "no publication" in bench.text("attempt")
    assert not bench.tree.isVisible()


def test_a_mistake_of_the_program_is_reported(bench: _Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error no person can mend goes to the window's report."""
    troubles: list[object] = []
    bench.desk.trouble.connect(troubles.append)

    def fail(*_arguments: object) -> object:
        raise KeyError("broken")

    monkeypatch.setattr("app.ui.target_reader.read_target", fail)
    bench.page.show_choices(Choices(target="lab"))
    bench.qtbot.waitUntil(lambda: bool(troubles))
    assert bench.button("retry_button").isVisible()


def test_the_site_is_seen_first_with_what_is_worth_testing(bench: _Bench) -> None:
    """The picture names every server and process and what is silent; a proposal's button plans it, filled in."""
    advanced: list[bool] = []
    bench.page.advance_requested.connect(lambda: advanced.append(True))
    bench.page.show_choices(Choices(target="lab:on-site"))
    bench.rest()
    picture = find(bench.page, SitePictureView, "site.picture_0")
    assert picture.isVisible()
    assert "1 of 10 stopped · 1 of 10 fails" in bench.site_text("standing")
    assert "read-only" in bench.site_text("line")
    press(picture, Qt.Key.Key_Left)
    assert picture.key == "server/Distributor/DIST1"
    press(picture, Qt.Key.Key_Left)
    press(picture, Qt.Key.Key_Left)
    assert picture.key == "server/Publisher/PUB1"
    assert picture.accessibleDescription().startswith("Publisher PUB1")
    click(find(bench.page, QPushButton, "site.plan_1_button"))
    chosen = bench.told[-1]
    assert (chosen.family, advanced) == ("log_reader", [True])
    assert chosen.plan is not None
    assert [factor.name for factor in chosen.plan.factors] == ["ReadBatchSize"]


def test_a_box_opens_its_parameters(bench: _Bench) -> None:
    """A double click on a process shows what is in effect there."""
    bench.page.show_choices(Choices(target="lab"))
    bench.rest()
    picture = find(bench.page, SitePictureView, "site.picture_0")
    picture.choose("agent/distribution/PUB1-Sales1-Sales1Orders-SUB1-1")
    press(picture, Qt.Key.Key_Return)
    assert bench.heading == "Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1"
    assert bench.table.isVisible()


@pytest.mark.parametrize("target", ["lab:ag-2016", "lab:streams-2009", "lab:wan-512k"])
def test_every_system_has_its_picture_and_proposals(bench: _Bench, target: str) -> None:
    """Servers with what goes on between them, and at least one experiment whose plan fits the site."""
    bench.page.show_choices(Choices(target=target))
    bench.rest()
    assert find(bench.page, SitePictureView, "site.picture_0").isVisible()
    click(find(bench.page, QPushButton, "site.plan_1_button"))
    assert bench.told[-1].plan is not None


def test_a_page_that_is_left_reads_no_more(bench: _Bench) -> None:
    """The connection is closed with the page, and opened anew when somebody comes back."""
    bench.page.show_choices(Choices(target="lab"))
    bench.rest()
    watcher = bench.page.findChild(SiteWatcher)
    assert watcher is not None
    assert watcher.is_watching
    bench.page.hide()
    assert not watcher.is_watching
    bench.rest()
    bench.page.show()
    assert watcher.is_watching
    bench.rest()


def test_the_site_has_a_report_of_its_own(bench: _Bench, tmp_path: Path) -> None:
    """Once the site was looked at, its report is written where the person wants it, and the page says so."""
    bench.page.show_choices(Choices(target="lab:busy-day"))
    button = find(bench.page, QPushButton, "site.report_button")
    bench.qtbot.waitUntil(button.isEnabled)
    report = tmp_path / "site.pdf"
    bench.page.write_report(report)
    line = find(bench.page, StatusLine, "site.report_line")
    bench.qtbot.waitUntil(lambda: str(report) in line.text)
    assert report.read_bytes().startswith(b"%PDF-")
    bench.page.write_report(tmp_path / "site.doc")
    bench.qtbot.waitUntil(lambda: ".pdf" in line.text and "site.doc" in line.text)


def test_where_there_is_little_room_no_word_of_the_picture_breaks(bench: _Bench) -> None:
    """At 200 % "Distributor" lost its last letter to the next line, and the legend squeezed its neighbour."""
    bench.page.show_choices(Choices(target="lab:busy-day"))
    bench.qtbot.waitUntil(lambda: bool(bench.page.findChildren(SitePictureView)))
    bench.rest()
    bench.page.resize(600, 340)
    QApplication.processEvents()
    picture = bench.page.findChildren(SitePictureView)[0]
    metrics = QFontMetricsF(picture.font())
    room = picture.narrowest_node - 16
    assert metrics.horizontalAdvance("Distributor") * 0.9 <= room
    assert bench.page.minimumSizeHint().width() <= 600
    legend = find(bench.page, LegendLine, "site.legend")  # in any language
    assert legend.minimumSizeHint().width() < legend.sizeHint().width() / 2
    standing = find(bench.page, QLabel, "site.standing.text")
    bench.qtbot.waitUntil(lambda: standing.height() < 3 * metrics.height())  # laid out in more than one turn


def test_a_word_without_room_is_shortened_and_no_other_broken() -> None:
    """Only the word that is too long alone gives way."""
    font = QFont()
    room = QFontMetricsF(font).horizontalAdvance("Distributor") + 1
    assert words_fitted("Distributor of all", room, font) == "Distributor of all"
    shown = words_fitted("the ReplicationDistributorOfHeadquarters here", room, font).split()
    assert (shown[0], shown[2]) == ("the", "here")
    assert "…" in shown[1]


def test_the_box_chosen_is_what_a_plan_is_about(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """A box that keeps up is not chosen by itself; a click changes the names in plans, and the proposals."""
    bench = _Bench(desk, shown, qtbot)
    assert bench.read().subject == ()
    picture = find(bench.page, SitePictureView, "site.picture_0")
    picture.choose("agent/distribution/PUB1-Sales2-Sales2Orders-SUB2-2")
    assert dict(bench.told[-1].subject) == {
        "publisher": "PUB1",
        "database": "Sales2",
        "publication": "Sales2Orders",
        "subscriber": "SUB2",
    }
    bench.rest()
    abouts = bench.page.findChildren(StatusLine, "site.proposal_1_about")  # the one before goes with the next event
    assert "Sales2" in abouts[-1].text
    bench.page.findChildren(QPushButton, "site.plan_1_button")[-1].click()
    plan = bench.told[-1].plan
    assert plan is not None
    assert (plan.load["database"], plan.load["publisher"]) == ("Sales2", "PUB1")
    picture.choose("server/Distributor/DIST1")  # no subject: the agent stays
    assert dict(bench.told[-1].subject)["database"] == "Sales2"


@pytest.mark.parametrize("is_early", [False, True], ids=["after the look", "before the look"])
def test_the_agent_behind_has_its_experiment_first_and_large(bench: _Bench, is_early: bool) -> None:
    """Whenever the agent is clicked, the first card is about it, with a button to plan what finds its fastest value."""
    agent = "agent/distribution/PUB1-ERP-ERP_Orders-REPORT1-1"
    bench.page.show_choices(Choices(target="lab:incident"))
    if is_early:
        bench.qtbot.waitUntil(lambda: bench.page.findChild(SitePictureView, "site.picture_0") is not None)
    else:
        bench.rest()
    picture = find(bench.page, SitePictureView, "site.picture_0")
    if picture.key != agent:
        picture.choose(agent)
    bench.rest()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    button = find(bench.page, QPushButton, "site.plan_1_button")
    assert button.isVisible()
    assert button.text() == "&1  Find the fastest setting"
    assert find(bench.page, StatusLine, "site.proposal_1_about").text.endswith("PUB1-ERP-ERP_Orders-REPORT1-1")
    sight = find(bench.page, QScrollArea, "site.now").viewport()
    assert sight.rect().contains(button.mapTo(sight, button.rect().center()))
    click(button)
    plan = bench.told[-1].plan
    assert plan is not None
    assert (plan.family, plan.load["publication"], plan.load["source"]) == (
        "distribution_agent",
        "ERP_Orders",
        "own_backlog",
    )


def test_an_error_names_the_switch_of_the_window(bench: _Bench) -> None:
    """A certificate that is not trusted any more while the site is watched: what to do, in words of the window."""
    bench.page.show_choices(Choices(target="lab"))
    bench.rest()
    watcher = bench.page.findChildren(SiteWatcher)[0]
    watcher.failed.emit(TargetError("the certificate has expired; have it renewed, or choose to trust it (trust=yes)"))
    told = bench.site_text("line")
    assert told == "The certificate has expired; have it renewed, or choose to trust it (“Trust server certificate”)."


def test_the_client_read_last_stands_first_on_connect(bench: _Bench) -> None:
    """Saved targets are in order of use, not of the alphabet; a lab nobody saved is not remembered."""
    targets = bench.desk.program.parts.saved_targets
    targets.add("Arnheim", "lab:on-site")
    targets.add("Zoeller", "lab:wan-512k")
    keeper = TargetKeeper(bench.desk, bench.page)
    assert [name for name, _target in keeper.list()] == ["Arnheim", "Zoeller"]
    bench.read("lab:wan-512k")
    assert [name for name, _target in keeper.list()] == ["Zoeller", "Arnheim"]
    bench.read("lab")
    assert bench.desk.preferences.recent_targets == ("lab:wan-512k",)


def test_the_site_says_in_words_what_is_wrong_the_worst_first(bench: _Bench) -> None:
    """What stands before what gives no answer, and a refused login is told as that, never as silence."""
    bench.page.show_choices(Choices(target="lab:on-site"))
    bench.rest()
    told = [bench.site_text(f"trouble_{number}") for number in (1, 2, 3)]
    assert told[0] == "SUB5: at least 10,000,000 commands wait; its agent is stopped"
    assert told[1] == "SUB1: its agent fails again and again"
    assert "SUB1 broke" in told[2]
    first = "Start what is stopped before you test. Find out why something fails before you test."
    assert bench.site_text("proposals_line").startswith(first)
    picture = find(bench.page, SitePictureView, "site.picture_0")
    node = picture.picture.node("server/Subscriber/SUB2")
    assert node is not None
    assert (node.standing, node.lines) == (Standing.UNKNOWN, ("Login refused",))
    distributor = picture.picture.node("server/Distributor/DIST1")
    assert distributor is not None
    assert distributor.lines[0] == "SQL Server 2017 (14.0.3456.2)"


def test_where_something_is_behind_its_threshold_and_minutes_are_told(bench: _Bench) -> None:
    """From where on an agent counts as behind stands there with its value; latencies are told in the unit of speech."""
    bench.page.show_choices(Choices(target="lab:busy-day"))
    bench.rest()
    assert bench.site_text("trouble_1") == "SUB1: 64 s behind; 337,200 commands wait"
    assert "Behind: from 60 s of latency, or a backlog of 600,000 commands" in bench.site_text("standing")
    hops = find(bench.page, SitePictureView, "site.picture_0").picture.hops
    assert "44 s latency" in [line for hop in hops for line in hop.lines]
    shown = [[card for card in bench.page.findChildren(Card, f"site.proposal_{n}") if card.isVisible()] for n in (1, 2)]
    assert shown[0][0].height() > shown[1][0].height()


def test_the_worst_is_chosen_first_and_is_what_a_plan_is_about(desk: Desk, shown: Shown) -> None:
    """Of boxes that fall behind the one farthest behind; one that keeps up is only looked at."""
    now = SiteNow(desk)
    shown(now)
    told: list[str] = []
    now.subject_chosen.connect(told.append)
    nodes = (SiteNode("a", 0, "PUB1", "Publisher"), SiteNode("b", 1, "SUB1", "Subscriber"))
    hops = tuple(
        SiteHop(name, "a", "b", name, "Agent", standing, "", waits=waits)
        for name, standing, waits in (("x", Standing.BEHIND, 5.0), ("y", Standing.BEHIND, 9.0))
    )
    now.show_pictures((SitePicture(nodes, hops),))
    now.choose_first()
    assert told == ["y"]
    well = SiteNow(desk)
    shown(well)
    well.subject_chosen.connect(told.append)
    well.show_pictures((SitePicture(nodes, (replace(hops[0], standing=Standing.KEEPS_UP),)),))
    well.choose_first()
    assert told == ["y"]


def test_of_nine_hundred_subscribers_the_worst_are_drawn_and_any_is_found(desk: Desk, shown: Shown) -> None:
    """The picture fits a screen or two, a search draws what it finds, and a box that counts others opens nothing."""
    now = SiteNow(desk)
    shown(now, 1104, 580)
    opened: list[str] = []
    now.parameters_wanted.connect(opened.append)
    search, found = find(now, QLineEdit, "site.search_edit"), find(now, StatusLine, "site.found")
    nodes = tuple(SiteNode(f"s{number}", 1, f"SHOP{number}", "Subscriber") for number in range(900))
    hops = tuple(
        SiteHop(f"h{number}", "d", f"s{number}", f"Copy{number}", "Distribution Agent", Standing.KEEPS_UP, "")
        for number in range(900)
    )
    few = SitePicture((SiteNode("d", 0, "DIST1", "Distributor"), *nodes[:3]), hops[:3])
    now.show_pictures((few,))
    assert not search.isVisible()
    stopped = replace(hops[700], standing=Standing.STOPPED)
    now.show_pictures((SitePicture((few.nodes[0], *nodes), (*hops[:700], stopped, *hops[701:])),))
    view = find(now, SitePictureView, "site.picture_0")
    assert search.isVisible()
    assert view.picture.hops[-1].name == "890 more"
    assert view.sizeHint().height() < 1200
    assert find(now, StatusLine, "site.standing").text.startswith("1 of 900 stopped · 899 of 900 keep up")
    now.choose_first()
    type_text(search, "shop89")
    assert found.text == "11 found; the 10 worst of them are drawn"
    assert {"h89", "h890", "h700"} <= {hop.key for hop in view.picture.hops}  # the one chosen stays
    view.choose(view.picture.hops[-1].key)
    press(view, Qt.Key.Key_Return)
    assert opened == []
    press(search, Qt.Key.Key_Escape)
    assert found.text == "The 10 worst are drawn, the others are counted"


def test_a_long_tree_is_searched(bench: _Bench, tmp_path: Path) -> None:
    """A field stands over a tree of more rows than fit; what is found stands below its publication."""
    text = lab_file("lan").read_text(encoding="utf-8").replace("pairs = 3 ", "pairs = 40 ", 1)
    chain = tmp_path / "chain.toml"
    chain.write_text(text.replace('name = "lan"', 'name = "chain"') + "\n[site]\nis_one_publication = true\n")
    bench.read(f"lab:{chain}")
    search = find(bench.page, QLineEdit, "topology.tree_search_edit")
    assert search.isVisible()
    type_text(search, "sub37")
    matches = Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive
    shown = [item.text(0) for item in bench.tree.findItems("Subscription", matches) if not item.isHidden()]
    assert shown == ["Subscription SUB37.Sales37Copy"]
    bench.choose("Publication Sales1Orders")


def test_on_a_laptop_no_view_of_the_site_is_cut_at_the_bottom(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """At 1366 × 768 the page needs no scroll bar of its own: no button is half in sight."""
    window = MainWindow(desk)
    shown(window, 1366, 768)
    window.begin_new()
    frame = find(window, WizardFrame, "wizard")
    frame.show_wizard(Wizard(Step.TOPOLOGY, Choices(target="lab:busy-day")))
    page, area = find(window, SitePage, "page.topology"), find(window, QScrollArea, "wizard.scroll_area")
    history = find(page, QTabWidget, "observe.tabs")
    qtbot.waitUntil(lambda: desk.tasks.count == 0 and history.isEnabled())
    for name in ("now", "servers", "experiments", "history"):
        click(find(page, QPushButton, f"site.{name}_button"))
        for tab in range(history.count() if name == "history" else 1):
            history.setCurrentIndex(tab)
            for _turn in range(6):
                QApplication.processEvents()
            assert area.verticalScrollBar().maximum() == 0, f"{name} {tab}"
    click(find(page, QPushButton, "site.now_button"))
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: find(page, PlotView, "site.history_plot_1").isVisible())
    assert find(page, PlotView, "site.history_plot_0").height() > 400, "a large screen is not half empty"


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("lab:ag-2016", "LoadAsync of AG_ASYNC"),
        ("lab:streams-2009", "STREAMS_CAPTURE"),
        ("lab:capture", "Orders"),
    ],
)
def test_a_site_without_history_is_shown_as_it_was_watched(bench: _Bench, target: str, told: str) -> None:
    """Replicas, stages and jobs stand below the picture where the screen has room for them, and nowhere else."""
    bench.page.resize(1744, 1000)
    bench.page.show_choices(Choices(target=target))
    bench.rest()
    table = find(bench.page, DataTable, "site.watched_table")
    text = find(bench.page, QPlainTextEdit, "site.watched_text")
    bench.qtbot.waitUntil(lambda: table.isVisible() and text.isVisible())
    assert table.model().rowCount() > 0
    assert told in text.toPlainText()
    QApplication.processEvents()
    assert text.height() > table.height(), "a table is no taller than its rows"
    for width_px, height_px in ((1104, 380), (1104, 1000)):  # too low, and too narrow for its columns
        bench.page.resize(1744, 1000)
        bench.qtbot.waitUntil(table.isVisible)
        bench.page.resize(width_px, height_px)
        bench.qtbot.waitUntil(lambda: not table.isVisible())


def test_a_history_too_short_for_a_plot_is_told_in_words(bench: _Bench) -> None:
    """What limits each agent, and what the rules say: a large screen is not half empty, and nothing of it is cut."""
    bench.page.resize(1744, 1000)
    bench.page.show_choices(Choices(target="lab:on-site"))
    bench.rest()
    table = find(bench.page, DataTable, "site.watched_table")
    text = find(bench.page, QPlainTextEdit, "site.watched_text")
    bench.qtbot.waitUntil(lambda: table.isVisible() and text.isVisible())
    assert table.model().rowCount() == 10
    assert "PUB1-SALES3-sales3orders-SUB5-5 does not run" in text.toPlainText()
    strip = find(bench.page, HistoryStrip, "site.history_strip")
    for height_px in range(1000, 560, -40):
        bench.page.resize(1744, height_px)
        QApplication.processEvents()
        beyond_px = text.mapTo(strip, text.rect().bottomRight()).y() - strip.height()
        assert not text.isVisible() or beyond_px <= 0, height_px


def test_a_site_where_nothing_was_seen_while_watching_shows_no_empty_table(bench: _Bench) -> None:
    """Its headings alone, wider than a laptop's window, would say nothing."""
    bench.page.resize(1744, 1000)
    bench.page.show_choices(Choices(target="lab:ag-seeding"))
    bench.rest()
    table = find(bench.page, DataTable, "site.watched_table")
    QApplication.processEvents()
    assert not table.model().rowCount()
    assert not table.isVisible(), find(bench.page, QPlainTextEdit, "site.watched_text").toPlainText()
