"""The page that asks which servers to measure, with the real lab."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QProgressBar, QPushButton, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.flows.attempt_view import AttemptState
from app.flows.wizard import Choices
from app.services.preferences import PreferenceFile
from app.ui.desk import Desk
from app.ui.pages.target_page import TargetPage
from app.ui.widgets.attempt_pane import AttemptPane
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.target_list import TargetList
from tests.ui.conftest import Shown
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
        click(self.list.viewport(), self.list.visualItemRect(self.item(title)).center())

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
_WAN = "A distant office behind 512 kbit/s and 300 ms"


def test_a_newcomer_sees_the_lab_and_nothing_chosen(bench: _Bench) -> None:
    """The lab's scenarios are listed; no target is taken for granted."""
    assert _LAN in bench.titles()
    assert bench.list.chosen is None
    assert not bench.button("test_button").isVisible()
    assert bench.told == []


def test_a_click_chooses_a_target(bench: _Bench) -> None:
    """Choosing tells the choices, and the page shows what was chosen."""
    bench.choose(_WAN)
    assert [choices.target for choices in bench.told] == ["lab:wan-512k"]
    assert bench.button("test_button").isVisible()
    assert not bench.button("remove_button").isVisible()


def test_a_heading_cannot_be_chosen(bench: _Bench) -> None:
    """A click on a heading, or an arrow key past it, leaves the choice as it is."""
    bench.desk.prefer(replace(bench.desk.preferences, saved_targets=(("Office", "lab@127.0.0.1:4000"),)))
    bench.choose(_LAN)
    bench.choose("Lab, simulated on this computer")
    assert bench.list.chosen is not None
    press(bench.list, Qt.Key.Key_Up)
    press(bench.list, Qt.Key.Key_Up)
    assert [choices.target for choices in bench.told] == ["lab", "lab@127.0.0.1:4000"]
    press(bench.list, Qt.Key.Key_Down)
    assert bench.told[-1].target == "lab"


def test_return_and_double_click_go_on(bench: _Bench) -> None:
    """Return first chooses the target under the cursor, then asks for the next step, as a double click does."""
    bench.list.setFocus()
    press(bench.list, Qt.Key.Key_Return)
    assert ([choices.target for choices in bench.told], bench.advanced) == (["lab"], [])
    press(bench.list, Qt.Key.Key_Return)
    double_click(bench.list.viewport(), bench.list.visualItemRect(bench.item(_WAN)).center())
    assert bench.advanced == [True, True]
    assert bench.told[-1].target == "lab:wan-512k"


def test_a_test_reads_the_lab_and_keeps_what_it_read(bench: _Bench) -> None:
    """The test says what was reached, and the next step needs no second reading."""
    bench.choose(_LAN)
    click(bench.button("test_button"))
    assert bench.attempt.attempt.state is AttemptState.GOING_ON
    assert not bench.button("test_button").isEnabled()
    assert find(bench.page, QProgressBar, "target.attempt_progress").isVisible()
    bench.wait_for(AttemptState.REACHED)
    assert "Distributor DIST1" in find(bench.page, StatusLine, "target.attempt").text
    assert bench.told[-1].discovery is not None
    assert bench.told[-1].impossible == ()
    assert (bench.busy[-1], bench.button("test_button").isEnabled()) == ("", True)


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
    """The sentence and the server's own words stand on the page, in no box."""
    bench.desk.prefer(replace(bench.desk.preferences, saved_targets=(("Gone", "lab@127.0.0.1:1"),)))
    bench.choose("Gone")
    click(bench.button("test_button"))
    bench.wait_for(AttemptState.FAILED)
    assert "No lab answers at 127.0.0.1:1" in find(bench.page, StatusLine, "target.attempt").text
    assert find(bench.page, StatusLine, "target.attempt_detail").text


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


def test_a_new_target_is_entered_saved_and_used_by_keyboard(
    bench: _Bench, served_lab: str, preference_file: PreferenceFile
) -> None:
    """From the button to the saved target without a mouse; errors stand beside the field as one types."""
    port = served_lab.rpartition(":")[2]
    bench.button("new_button").setFocus()
    press(bench.button("new_button"), Qt.Key.Key_Space)
    edit = bench.edit("port_edit")
    assert not bench.button("save_button").isEnabled()
    type_text(edit, "0")
    assert bench.note("port").startswith("A port is")
    press(edit, Qt.Key.Key_Backspace)
    assert bench.note("port").startswith("The port that")
    type_text(edit, port)
    assert bench.edit("name_edit").text() == f"Lab server {port}"
    press(edit, Qt.Key.Key_Return)
    assert not edit.isVisible()
    assert bench.told[-1].target == served_lab
    assert preference_file.load().saved_targets == ((f"Lab server {port}", served_lab),)
    assert bench.list.chosen is not None
    assert bench.list.chosen.title == f"Lab server {port}"


def test_a_new_target_is_tested_before_it_is_saved(bench: _Bench, served_lab: str) -> None:
    """The test of the form reaches a lab in a process of its own, and chooses nothing."""
    click(bench.button("new_button"))
    type_text(bench.edit("port_edit"), served_lab.rpartition(":")[2])
    click(bench.button("form_test_button"))
    bench.wait_for(AttemptState.REACHED)
    assert bench.told == []
    type_text(bench.edit("port_edit"), "1")
    assert bench.attempt.attempt.state is AttemptState.NONE


def test_a_scenario_file_is_chosen_with_the_native_dialog(
    bench: _Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file chosen stands in the field; a cancelled dialog changes nothing."""
    file = tmp_path / "site.toml"
    file.write_text("x", encoding="utf-8")
    answers = [("", ""), (str(file), "")]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: answers.pop(0))
    click(bench.button("new_button"))
    find(bench.page, QComboBox, "target.way_combo").setCurrentIndex(1)
    click(bench.button("scenario_button"))
    assert bench.edit("scenario_edit").text() == ""
    click(bench.button("scenario_button"))
    assert bench.edit("scenario_edit").text() == str(file)
    assert bench.edit("name_edit").text() == "site"


def test_a_taken_name_is_refused_beside_the_field(bench: _Bench) -> None:
    """Saving is not possible as long as the name is taken."""
    bench.desk.prefer(replace(bench.desk.preferences, saved_targets=(("Office", "lab"),)))
    click(bench.button("new_button"))
    type_text(bench.edit("port_edit"), "4000")
    bench.edit("name_edit").selectAll()
    type_text(bench.edit("name_edit"), "Office")
    assert "saved already" in bench.note("name")
    press(bench.edit("name_edit"), Qt.Key.Key_Return)
    assert bench.told == []


def test_escape_discards_the_form(bench: _Bench) -> None:
    """Escape goes back to the list without saving; so does the button."""
    for by_key in (True, False):
        click(bench.button("new_button"))
        type_text(bench.edit("port_edit"), "4000")
        if by_key:
            press(bench.edit("port_edit"), Qt.Key.Key_Escape)
        else:
            click(bench.button("form_close_button"))
        assert not bench.edit("port_edit").isVisible()
        assert bench.desk.preferences.saved_targets == ()


def test_a_saved_target_is_removed_and_brought_back(bench: _Bench, preference_file: PreferenceFile) -> None:
    """Removing asks nothing because it can be undone; a target in use stays in sight."""
    saved = (("Office", "lab@127.0.0.1:4000"),)
    bench.desk.prefer(replace(bench.desk.preferences, saved_targets=saved))
    bench.choose("Office")
    click(bench.button("remove_button"))
    assert preference_file.load().saved_targets == ()
    assert "In use, not saved" in bench.titles()
    assert bench.told[-1].target == "lab@127.0.0.1:4000"
    click(bench.button("undo_button"))
    assert preference_file.load().saved_targets == saved
    assert not bench.button("undo_button").isVisible()
    assert "In use, not saved" not in bench.titles()


def test_every_widget_a_person_uses_has_a_name(bench: _Bench) -> None:
    """Tests and screen readers find every field and button."""
    click(bench.button("new_button"))
    for kind in (QPushButton, QLineEdit, QComboBox):
        for widget in bench.page.findChildren(kind):
            assert widget.objectName().startswith("target.")
            assert widget.accessibleName()
