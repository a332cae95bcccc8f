"""The page that asks which servers to measure, with the real lab."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.domain.connection import ServerUrl
from app.flows.shell.wizard import Choices, Step
from app.flows.target import attempt_view
from app.flows.target.attempt_view import NO_ATTEMPT, AttemptState, attempt_begun
from app.flows.target.target_form import ways_of
from app.services.preferences import PreferenceFile, remember_target
from app.services.program import Program
from app.services.target.credentials import Credentials
from app.services.target.targets_catalogue import list_connection_ways
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.target_page import TargetPage
from app.ui.widgets.attempt_pane import AttemptPane
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.target_list import TargetList
from app.ui.wizard_frame import WizardFrame
from tests.e2e.program import served_lab as served_databases
from tests.ui.conftest import Shown
from tests.ui.memory_keyring import MemoryKeyring
from tests.ui.person import click, double_click, find, press, type_text


class _Bench:
    """A target page with what it told."""

    def __init__(self, desk: Desk, shown: Shown, qtbot: QtBot) -> None:
        self.desk = desk
        self.page = TargetPage(desk)
        self.told: list[Choices] = []
        self.busy: list[str] = []
        self.advanced: list[bool] = []
        self.page.choices_changed.connect(self.told.append)
        self.page.busy_changed.connect(self.busy.append)
        self.page.advance_requested.connect(self._on_advance)
        self._qtbot = qtbot
        shown(self.page, 1104, 580)
        self.list = find(self.page, TargetList, "target.list")

    def _on_advance(self) -> None:
        self.advanced.append(True)

    def item(self, title: str) -> QTreeWidgetItem:
        """Return the one entry of a title."""
        found = self.list.findItems(title, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
        assert len(found) == 1, title
        return found[0]

    def titles(self) -> list[str]:
        """Return headings and entries as shown."""
        every = self.list.findItems("*", Qt.MatchFlag.MatchWildcard | Qt.MatchFlag.MatchRecursive)
        return [item.text(0) for item in every]

    def choose(self, title: str) -> None:
        """Click on an entry."""
        click(self.list.viewport(), self.place_of(title))

    def place_of(self, title: str) -> QPoint:
        """Return where an entry stands, scrolled into view as a person would."""
        self.list.scrollToItem(self.item(title))
        return self.list.visualItemRect(self.item(title)).center()

    def button(self, name: str) -> QPushButton:
        """Return a button."""
        return find(self.page, QPushButton, f"target.{name}")

    def edit(self, name: str) -> QLineEdit:
        """Return a field."""
        return find(self.page, QLineEdit, f"target.{name}")

    def note(self, name: str) -> str:
        """Return what stands beside a field."""
        return find(self.page, StatusLine, f"target.{name}_note").text

    @property
    def attempt(self) -> AttemptPane:
        """The pane that tells how a test stands."""
        return self.page.findChildren(AttemptPane)[0]

    def wait_for(self, state: AttemptState) -> None:
        """Wait until the test has come to a state."""
        self._qtbot.waitUntil(lambda: self.attempt.attempt.state is state)


@pytest.fixture
def bench(desk: Desk, shown: Shown, qtbot: QtBot) -> _Bench:
    """A page with nothing chosen."""
    return _Bench(desk, shown, qtbot)


_LAN = "Three pairs of agents on a fast local network, 1 KB rows"
_INCIDENT = "A Subscriber was away, and millions of commands wait"
_WAN = "A distant office behind 512 kbit/s and 300 ms"


def save(bench: _Bench, name: str, target: str) -> None:
    """Keep a target and have the page list it."""
    bench.desk.program.parts.saved_targets.add(name, target)
    bench.page.show_choices(Choices())


def saved_on_disk(bench: _Bench) -> tuple[tuple[str, str], ...]:
    """Return what is kept."""
    return tuple((kept.name, kept.target) for kept in bench.desk.program.parts.saved_targets.list())


def choose_way(desk: Desk, shown_in: QWidget, way_id: str) -> None:
    """Choose what to connect to."""
    ways = ways_of(desk.program.systems.values(), list_connection_ways(desk.program.parts.connection_ways()))
    place = next(place for place, way in enumerate(ways) if way.way_id.partition(".")[0] == way_id)
    find(shown_in, QComboBox, "target.way_combo").setCurrentIndex(place)


def test_a_newcomer_sees_the_lab_and_nothing_chosen(bench: _Bench) -> None:
    """The lab's scenarios are listed; no target is taken for granted."""
    assert _LAN in bench.titles()
    assert bench.list.chosen is None
    bench.list.setFocus()
    assert not bench.list.currentIndex().isValid()  # a current row looks as if it were chosen
    assert not bench.button("test_button").isVisible()
    assert bench.told == []
    press(bench.list, Qt.Key.Key_Down)
    assert bench.list.chosen is not None


def test_a_click_chooses_a_target(bench: _Bench) -> None:
    """Choosing tells the choices, and the page shows what was chosen."""
    bench.choose(_WAN)
    assert [choices.target for choices in bench.told] == ["lab:wan-512k"]
    assert bench.button("test_button").isVisible()
    assert not bench.button("remove_button").isVisible()


def test_a_heading_cannot_be_chosen(bench: _Bench) -> None:
    """A click on a heading, or an arrow key past it, leaves the choice as it is."""
    save(bench, "Office", "lab@127.0.0.1:4000")
    bench.choose(_INCIDENT)
    bench.choose("Lab, simulated on this computer")
    assert bench.list.chosen is not None
    press(bench.list, Qt.Key.Key_Up)
    press(bench.list, Qt.Key.Key_Up)
    assert [choices.target for choices in bench.told] == ["lab:incident", "lab@127.0.0.1:4000"]
    press(bench.list, Qt.Key.Key_Down)
    assert bench.told[-1].target == "lab:incident"


def test_return_and_double_click_go_on(bench: _Bench) -> None:
    """Return first chooses the target under the cursor, then asks for the next step, as a double click does."""
    bench.list.setFocus()
    press(bench.list, Qt.Key.Key_Return)
    assert ([choices.target for choices in bench.told], bench.advanced) == (["lab:incident"], [])
    press(bench.list, Qt.Key.Key_Return)
    double_click(bench.list.viewport(), bench.place_of(_WAN))
    assert bench.advanced == [True, True]
    assert bench.told[-1].target == "lab:wan-512k"


def test_a_test_reads_the_lab_and_keeps_what_it_read(bench: _Bench) -> None:
    """The test says what was reached, and the next step needs no second reading."""
    bench.choose(_LAN)
    click(bench.button("test_button"))
    assert bench.attempt.attempt.state is AttemptState.GOING_ON
    assert not bench.button("test_button").isEnabled()
    assert find(bench.page, QProgressBar, "target.attempt_progress").isVisible()
    assert bench.busy == []  # its own bar shows it: a second one below would show the same
    bench.wait_for(AttemptState.REACHED)
    assert "Distributor DIST1" in find(bench.page, StatusLine, "target.attempt").text
    assert bench.told[-1].discovery is not None
    assert not {"log_reader", "distribution_agent", "wan_delivery"} & set(dict(bench.told[-1].impossible))
    assert bench.button("test_button").isEnabled()


def test_a_test_can_be_given_up(bench: _Bench, qtbot: QtBot) -> None:
    """What arrives after the person gave up is dropped."""
    bench.choose(_LAN)
    click(bench.button("test_button"))
    click(bench.button("attempt_cancel_button"))
    assert bench.attempt.attempt.text == "Cancelled; nothing was changed."
    qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    assert bench.attempt.attempt.state is AttemptState.FAILED
    assert bench.told[-1].discovery is None


def test_a_target_that_does_not_answer_says_why(bench: _Bench) -> None:
    """The sentence stands on the page, in no box; a driver's words about another vendor's server do not."""
    save(bench, "Gone", "lab@127.0.0.1:1")
    bench.choose("Gone")
    click(bench.button("test_button"))
    bench.wait_for(AttemptState.FAILED)
    assert "No lab answers at 127.0.0.1:1" in find(bench.page, StatusLine, "target.attempt").text
    assert "Adaptive Server" not in find(bench.page, StatusLine, "target.attempt_detail").text


def test_a_mistake_of_the_program_is_reported(bench: _Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error no person can mend goes to the window's report."""
    troubles: list[object] = []
    bench.desk.trouble.connect(troubles.append)

    def fail(*_arguments: object) -> object:
        raise KeyError("broken")

    monkeypatch.setattr("app.ui.target_reader.read_target", fail)
    bench.choose(_LAN)
    click(bench.button("test_button"))
    bench.wait_for(AttemptState.FAILED)
    assert [type(trouble) for trouble in troubles] == [KeyError]


def test_going_back_to_the_target_entered_with_keeps_what_was_read(bench: _Bench) -> None:
    """A slip of the arrow keys does not cost the plan."""
    entered = Choices(target="lab", family="log_reader", folder=Path("x"))
    bench.page.show_choices(entered)
    bench.choose(_WAN)
    assert bench.told[-1] != entered
    bench.page.show_choices(bench.told[-1])
    bench.choose(_LAN)
    assert bench.told[-1] is entered


def test_a_new_target_is_entered_saved_and_used_by_keyboard(bench: _Bench, served_lab: str) -> None:
    """From the button to the saved target without a mouse; errors stand beside the field as one types."""
    port = served_lab.rpartition(":")[2]
    bench.button("new_button").setFocus()
    press(bench.button("new_button"), Qt.Key.Key_Space)
    choose_way(bench.desk, bench.page, "lab_server")
    edit = bench.edit("port_edit")
    assert not bench.button("save_button").isEnabled()
    type_text(edit, "0")
    assert bench.note("port").startswith("A port is")
    press(edit, Qt.Key.Key_Backspace)
    assert bench.note("port").startswith("The port that")
    type_text(edit, port)
    assert bench.edit("name_edit").text() == f"Lab server {port}"
    press(bench.edit("name_edit"), Qt.Key.Key_Return)
    assert not edit.isVisible()
    assert bench.told[-1].target == served_lab
    assert saved_on_disk(bench) == ((f"Lab server {port}", served_lab),)
    assert bench.list.chosen is not None
    assert bench.list.chosen.title == f"Lab server {port}"


def test_an_address_is_pasted_and_connected_to_at_once(bench: _Bench, served_lab: str) -> None:
    """The program's own spelling goes to the site with one press; it is saved later, from the list."""
    type_text(bench.edit("paste_edit"), served_lab)
    press(bench.edit("paste_edit"), Qt.Key.Key_Return)
    assert bench.told[-1].target == served_lab
    assert bench.advanced == [True]
    assert saved_on_disk(bench) == ()
    assert "In use, not saved" in bench.titles()
    click(bench.button("edit_button"))
    click(bench.button("save_button"))
    assert [target for _name, target in saved_on_disk(bench)] == [served_lab]


def test_the_form_has_the_room_of_the_address_and_the_list_stays_under_the_mouse(bench: _Bench) -> None:
    """It begins where the field stood, so that a laptop's page does not scroll for it."""
    paste, form = find(bench.page, QLineEdit, "target.paste_edit"), find(bench.page, QComboBox, "target.way_combo")
    top = bench.page.mapFromGlobal(paste.mapToGlobal(QPoint())).y()
    before = bench.list.mapToGlobal(QPoint())
    click(bench.button("new_button"))
    QApplication.processEvents()
    assert abs(bench.page.mapFromGlobal(form.mapToGlobal(QPoint())).y() - top) < 16
    assert bench.list.mapToGlobal(QPoint()) == before


@pytest.mark.parametrize(
    ("text", "server", "user"),
    [
        ("db1.example.net:1433", "db1.example.net,1433", ""),
        ("db1\\SALES", "db1\\SALES", ""),
        ("db1", "db1", ""),
        ("Server=db1,1433;User Id=anna;Password=secret", "db1,1433", "anna"),
        ("jdbc:sqlserver://db1:1433;user=anna", "db1,1433", "anna"),
    ],
)
def test_the_rest_of_a_pasted_address_is_asked_for(bench: _Bench, text: str, server: str, user: str) -> None:
    """As other tools write it: what stands in it is filled in; a whole one is connected to."""
    type_text(bench.edit("paste_edit"), text)
    click(bench.button("paste_button"))
    if user:
        assert bench.told[-1].target == "sqlserver://anna@db1:1433"
        assert bench.advanced == [True]
        assert "secret" not in "".join(bench.titles())
    else:
        shown = f"{bench.edit('server_edit').text()},{bench.edit('port_edit').text()}".rstrip(",")
        assert (shown, bench.edit("user_edit").text()) == (server, "")
        assert bench.advanced == []


def test_a_server_nobody_saved_is_forgotten(bench: _Bench) -> None:
    """One press takes it off the list, off the file of preferences and out of the choice; labs have no such button."""
    server = "sqlserver://anna@db1"
    bench.desk.prefer(remember_target(bench.desk.preferences, server))
    bench.page.show_choices(Choices(folder=Path("x")))
    bench.choose("db1")
    assert bench.button("remove_button").text() == "&Forget"
    click(bench.button("remove_button"))
    assert server not in bench.desk.preferences.recent_targets
    assert "db1" not in bench.titles()
    assert bench.told[-1].target == ""
    bench.choose(_LAN)
    assert not bench.button("remove_button").isVisible()


def test_a_text_without_an_address_is_told_so(bench: _Bench) -> None:
    """One sentence below the field, which keeps the text."""
    type_text(bench.edit("paste_edit"), "where is my server?")
    press(bench.edit("paste_edit"), Qt.Key.Key_Return)
    assert bench.note("paste").startswith("No address found")
    assert bench.advanced == []


def test_a_new_target_is_tested_before_it_is_saved(bench: _Bench, served_lab: str) -> None:
    """The test of the form reaches a lab in a process of its own, and chooses nothing."""
    click(bench.button("new_button"))
    choose_way(bench.desk, bench.page, "lab_server")
    type_text(bench.edit("port_edit"), served_lab.rpartition(":")[2])
    click(bench.button("form_test_button"))
    bench.wait_for(AttemptState.REACHED)
    assert bench.told == [Choices(is_entering=True)]
    type_text(bench.edit("port_edit"), "1")
    assert bench.attempt.attempt.state is AttemptState.NONE


def test_a_lab_of_databases_behind_a_port_is_entered_and_reached(bench: _Bench) -> None:
    """The way for Oracle's protocol makes the target that "lab serve" prints, and python-oracledb reaches it."""
    with served_databases("--scenario", "streams-12c") as key:
        click(bench.button("new_button"))
        choose_way(bench.desk, bench.page, "oracle_lab_server")
        type_text(bench.edit("port_edit"), key.rpartition(":")[2].partition("?")[0])
        click(bench.button("form_test_button"))
        bench.wait_for(AttemptState.REACHED)
        press(bench.edit("port_edit"), Qt.Key.Key_Return)
        assert bench.told[-1].target == key


def test_next_never_opens_another_target_than_the_one_being_entered(
    desk: Desk, shown: Shown, served_lab: str, qtbot: QtBot
) -> None:
    """While a target is entered Next waits; dropped, the one chosen before counts again; saved, the new one."""
    window = MainWindow(desk)
    shown(window)
    click(find(window, QPushButton, "start.lab_button"))
    frame = find(window, WizardFrame, "wizard")
    frame.go_to(Step.TARGET)
    assert frame.page is not None
    attempt = frame.page.findChildren(AttemptPane)[0]
    chosen = frame.wizard.choices.target
    forward = find(window, QPushButton, "wizard.next_button")
    assert forward.isEnabled()
    for is_saved in (False, True):
        click(find(window, QPushButton, "target.new_button"))
        choose_way(desk, window, "lab_server")
        type_text(find(window, QLineEdit, "target.port_edit"), served_lab.rpartition(":")[2])
        click(find(window, QPushButton, "target.form_test_button"))
        qtbot.waitUntil(lambda: attempt.attempt.state is AttemptState.REACHED)
        frame.go_on()
        assert frame.wizard.step is Step.TARGET
        assert not forward.isEnabled()
        assert "you are entering" in find(window, QLabel, "wizard.sentence").text()
        click(find(window, QPushButton, "target.save_button" if is_saved else "target.form_close_button"))
        assert forward.isEnabled()
        assert frame.wizard.choices.target == (served_lab if is_saved else chosen)


def test_a_saved_target_is_edited(bench: _Bench) -> None:
    """Edit opens the form filled in; saving replaces the target and its name, and discarding leaves it as it was."""
    save(bench, "Nordwind", "sqlserver://anna@dist1:1444?trust=yes")
    save(bench, "Office", "lab@127.0.0.1:4000")
    bench.choose("Nordwind")
    for is_saved in (False, True):
        click(bench.button("edit_button"))
        assert bench.edit("server_edit").text() == "dist1"
        assert bench.edit("port_edit").text() == "1444"
        assert bench.edit("user_edit").text() == "anna"
        assert bench.edit("name_edit").text() == "Nordwind"
        assert bench.told[-1].is_entering
        bench.edit("server_edit").selectAll()
        type_text(bench.edit("server_edit"), "dist2")
        bench.edit("name_edit").selectAll()
        type_text(bench.edit("name_edit"), "Office")
        assert not bench.button("save_button").isEnabled()  # another target has that name
        bench.edit("name_edit").selectAll()
        type_text(bench.edit("name_edit"), "Nordwind, new")
        click(bench.button("save_button" if is_saved else "form_close_button"))
        wanted = ("Nordwind, new", "sqlserver://anna@dist2:1444?trust=yes")
        before = ("Nordwind", "sqlserver://anna@dist1:1444?trust=yes")
        assert saved_on_disk(bench) == (wanted if is_saved else before, ("Office", "lab@127.0.0.1:4000"))
    assert bench.told[-1].target == "sqlserver://anna@dist2:1444?trust=yes"


def test_what_nobody_saved_or_no_form_makes_is_not_edited(bench: _Bench) -> None:
    """Scenarios of the lab are not edited, nor is an address with an option that the form does not have."""
    save(bench, "By hand", "sqlserver://anna@dist1?application_intent=readonly")
    for title in ("By hand", _LAN):
        if title in bench.titles():
            bench.choose(title)
            assert not bench.button("edit_button").isVisible()


def test_a_scenario_of_the_lab_says_what_it_shows(bench: _Bench) -> None:
    """What can be learned stands above what it is."""
    bench.choose(_WAN)
    assert find(bench.page, QLabel, "target.detail_shows").text().startswith("Shows SubscriptionStreams on a slow line")


def test_a_scenario_file_is_chosen_with_the_native_dialog(
    bench: _Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file chosen stands in the field; a cancelled dialog changes nothing."""
    file = tmp_path / "site.toml"
    file.write_text("x", encoding="utf-8")
    answers = [("", ""), (str(file), "")]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: answers.pop(0))
    click(bench.button("new_button"))
    choose_way(bench.desk, bench.page, "lab_scenario")
    click(bench.button("scenario_button"))
    assert bench.edit("scenario_edit").text() == ""
    click(bench.button("scenario_button"))
    assert bench.edit("scenario_edit").text() == str(file)
    assert bench.edit("name_edit").text() == "site"


def test_a_taken_name_is_refused_beside_the_field(bench: _Bench) -> None:
    """Saving is not possible as long as the name is taken."""
    save(bench, "Office", "lab")
    click(bench.button("new_button"))
    choose_way(bench.desk, bench.page, "lab_server")
    type_text(bench.edit("port_edit"), "4000")
    bench.edit("name_edit").selectAll()
    type_text(bench.edit("name_edit"), "Office")
    assert "saved already" in bench.note("name")
    press(bench.edit("name_edit"), Qt.Key.Key_Return)
    assert bench.told == [Choices(is_entering=True)]


def test_escape_discards_the_form(bench: _Bench) -> None:
    """Escape goes back to the list without saving; so does the button."""
    for by_key in (True, False):
        click(bench.button("new_button"))
        choose_way(bench.desk, bench.page, "lab_server")
        type_text(bench.edit("port_edit"), "4000")
        if by_key:
            press(bench.edit("port_edit"), Qt.Key.Key_Escape)
        else:
            click(bench.button("form_close_button"))
        assert not bench.edit("port_edit").isVisible()
        assert saved_on_disk(bench) == ()


def test_a_saved_target_is_removed_and_brought_back(bench: _Bench) -> None:
    """Removing asks nothing because it can be undone; a target in use stays in sight."""
    saved = (("Office", "lab@127.0.0.1:4000"),)
    save(bench, "Office", "lab@127.0.0.1:4000")
    bench.choose("Office")
    click(bench.button("remove_button"))
    assert saved_on_disk(bench) == ()
    assert "In use, not saved" in bench.titles()
    assert bench.told[-1].target == "lab@127.0.0.1:4000"
    click(bench.button("undo_button"))
    assert saved_on_disk(bench) == saved
    assert not bench.button("undo_button").isVisible()
    assert "In use, not saved" not in bench.titles()


def test_every_widget_a_person_uses_has_a_name(bench: _Bench) -> None:
    """Tests and screen readers find every field and button."""
    click(bench.button("new_button"))
    for kind in (QPushButton, QLineEdit, QComboBox):
        for widget in bench.page.findChildren(kind):
            assert widget.objectName().startswith("target.")
            assert widget.accessibleName()


@pytest.fixture
def keyring() -> MemoryKeyring:
    """The keyring of the test."""
    return MemoryKeyring()


@pytest.fixture
def server_bench(
    program: Program, keyring: MemoryKeyring, tmp_path: Path, prepared_qapp: object, shown: Shown, qtbot: QtBot
) -> Iterator[_Bench]:
    """The page with the form for a SQL Server open, and a keyring."""
    own = Program(replace(program.parts, credentials=Credentials(keyring, {})))
    desk = Desk(own, PreferenceFile(tmp_path / "preferences.json"))
    bench = _Bench(desk, shown, qtbot)
    click(bench.button("new_button"))
    choose_way(bench.desk, bench.page, "sqlserver")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    yield bench
    desk.close()
    desk.deleteLater()


def test_a_server_is_saved_with_its_password_in_the_keyring_only(
    server_bench: _Bench, keyring: MemoryKeyring, tmp_path: Path, qtbot: QtBot
) -> None:
    """The password is hidden unless shown, kept only where ticked, and in no file; removing the target forgets it."""
    bench = server_bench
    type_text(bench.edit("server_edit"), "dist1")
    type_text(bench.edit("user_edit"), "anna")
    password = bench.edit("password_edit")
    type_text(password, "sesame-open")
    assert password.echoMode() is QLineEdit.EchoMode.Password
    click(bench.button("password_button"))
    assert password.echoMode() is QLineEdit.EchoMode.Normal
    click(bench.button("password_button"))
    assert password.echoMode() is QLineEdit.EchoMode.Password
    keep = find(bench.page, QCheckBox, "target.keep_check")
    keep.setChecked(True)
    click(bench.button("save_button"))
    qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    target = "sqlserver://anna@dist1"
    assert saved_on_disk(bench) == (("dist1", target),)
    assert bench.told[-1].target == target
    assert keyring.kept == {target: "sesame-open"}
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(b"sesame" in content for content in files)
    assert bench.edit("password_edit").text() == ""
    bench.choose("dist1")
    click(bench.button("remove_button"))
    qtbot.waitUntil(lambda: not keyring.kept)


def test_a_password_is_used_but_not_kept_unless_ticked(
    server_bench: _Bench, keyring: MemoryKeyring, qtbot: QtBot
) -> None:
    """Without the tick the password serves this program only."""
    bench = server_bench
    type_text(bench.edit("server_edit"), "dist1")
    type_text(bench.edit("user_edit"), "anna")
    type_text(bench.edit("password_edit"), "sesame")
    press(bench.edit("password_edit"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.desk.tasks.count == 0)
    assert keyring.kept == {}
    used = bench.desk.program.parts.credentials.password_for(ServerUrl("sqlserver", "anna", "dist1"))
    assert used.reveal() == "sesame"


def test_fields_appear_with_what_they_depend_on(server_bench: _Bench) -> None:
    """A Windows sign-in asks for no user; what few need stands behind a button; errors stand below their fields."""
    bench = server_bench
    combo = find(bench.page, QComboBox, "target.sign_in_combo")
    assert bench.edit("password_edit").isVisible()
    combo.setCurrentIndex(combo.findData("windows"))
    combo.activated.emit(combo.currentIndex())
    assert not bench.edit("user_edit").isVisible()
    assert not bench.edit("password_edit").isVisible()
    assert not find(bench.page, QCheckBox, "target.keep_check").isVisible()
    assert not bench.edit("login_timeout_edit").isVisible()
    click(find(bench.page, QToolButton, "target.more_button"))
    assert bench.edit("login_timeout_edit").isVisible()
    bench.edit("login_timeout_edit").selectAll()
    type_text(bench.edit("login_timeout_edit"), "soon")
    assert bench.note("login_timeout") == "Give a whole number."
    bench.edit("login_timeout_edit").setText("15")
    type_text(bench.edit("server_edit"), "a b c")
    assert "is no server" in find(bench.page, StatusLine, "target.form_problem").text
    assert not bench.button("save_button").isEnabled()
    bench.edit("server_edit").setText("dist1")
    find(bench.page, QCheckBox, "target.trust_check").setChecked(True)
    click(bench.button("save_button"))
    assert bench.told[-1].target == "sqlserver://dist1?auth=windows&trust=yes"


def test_a_reading_that_takes_long_is_told(shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has not answered for half a minute is no longer waited for without a word."""
    pane = AttemptPane("target")
    shown(pane)
    monkeypatch.setattr(attempt_view, "SILENT_FROM_S", 0.5)
    pane.show_attempt(attempt_begun("DIST1"))
    detail = find(pane, StatusLine, "target.attempt_detail")
    assert not detail.isVisible()
    qtbot.waitUntil(lambda: detail.text.startswith("Not read yet after"))
    pane.show_attempt(NO_ATTEMPT)
    assert not detail.isVisible()
