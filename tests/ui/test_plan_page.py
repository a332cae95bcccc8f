"""The plan page: a form that tells mistakes as one types, its cost always in sight, its dry run, plan files."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.domain.plan import Plan, Stop
from app.flows.shell.wizard import Choices, choose_family, choose_target, keep_reading
from app.services.plan.plan_file import load_plan, save_plan
from app.systems.transactional_replication.load import Scenario, workload_of
from app.ui.desk import Desk
from app.ui.pages.plan_page import PlanPage
from app.ui.widgets.dry_run_dialog import DryRunDialog
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text, walk_by_tab
from tests.unit.flows.sites import LAB, family, reading


def _entered(family_id: str = "log_reader", target: str = LAB) -> Choices:
    read = keep_reading(choose_target(Choices(), target), reading().discovery, reading().sites)
    return choose_family(read, family_id)


class Opened:
    """The page as a person meets it, with the choices it told last."""

    def __init__(self, desk: Desk, shown: Shown, choices: Choices, width_px: int = 1088, height_px: int = 620) -> None:
        self.page = PlanPage(desk)
        self.told: list[Choices] = []
        self.busy: list[str] = []
        self.page.choices_changed.connect(self.told.append)
        self.page.busy_changed.connect(self.busy.append)
        shown(self.page, width_px, height_px)
        self.page.show_choices(choices)

    @property
    def plan(self) -> Plan | None:
        """The plan told last."""
        return self.told[-1].plan

    def edit(self, field_id: str) -> QLineEdit:
        """Return the line a field is typed into."""
        return find(self.page, QLineEdit, f"plan.{field_id}_edit")

    def retype(self, field_id: str, text: str) -> None:
        """Replace what stands in a field, letter by letter."""
        edit = self.edit(field_id)
        if not edit.isVisible():
            self.unfold()
        edit.setFocus()
        edit.selectAll()
        press(edit, Qt.Key.Key_Delete)
        type_text(edit, text)

    def unfold(self) -> None:
        """Show the fields of trials and limits."""
        click(find(self.page, QToolButton, "plan.fold_button"))

    def label(self, name: str) -> str:
        """Return the text of a label."""
        return find(self.page, QLabel, name).text()

    def button(self, name: str) -> QPushButton:
        """Return a button."""
        return find(self.page, QPushButton, f"plan.{name}_button")


@pytest.fixture
def opened(desk: Desk, shown: Shown) -> Opened:
    """The page after the Log Reader question was chosen on the lab."""
    return Opened(desk, shown, _entered())


def test_entering_offers_a_complete_plan(opened: Opened) -> None:
    """Nothing typed: the plan is there, with its cost and what it can show."""
    assert opened.plan is not None
    assert opened.plan.family == "log_reader"
    assert dict(opened.plan.baseline) == {"ReadBatchSize": 500}
    assert opened.label("plan.estimate").startswith("21 trials in 6 blocks, about 4 h 20 min")
    assert "8 of 10 experiments" in opened.label("plan.power.text")
    assert opened.edit("levels.ReadBatchSize").text() == "500; 1,000; 2,500; 5,000; 10,000"


def test_a_mistake_stands_beside_its_field_as_one_types(opened: Opened) -> None:
    """The sentence appears with the first wrong letter, the plan is withdrawn, and goes on once it is right."""
    opened.retype("design.blocks", "x")
    error = find(opened.page, QWidget, "plan.design.blocks_error")
    assert error.isVisible()
    assert opened.label("plan.design.blocks_error.text") == '"x" is not a whole number.'
    assert opened.edit("design.blocks").accessibleDescription() == '"x" is not a whole number.'
    assert opened.plan is None
    assert opened.label("plan.estimate") == "Not complete yet; check: Exploring blocks"
    assert not opened.button("dry_run").isEnabled()
    assert not opened.button("save").isEnabled()
    opened.retype("design.blocks", "2")
    assert not error.isVisible()
    assert opened.plan is not None
    assert opened.plan.design.blocks == 2
    assert opened.label("plan.estimate").startswith("16 trials")
    assert opened.button("dry_run").isEnabled()


def test_trials_and_limits_stand_behind_a_button_until_one_has_an_error(opened: Opened) -> None:
    """Parameter and work come first; a mistake is in sight wherever it was made."""
    section = find(opened.page, QWidget, "plan.design_section")
    assert opened.edit("levels.ReadBatchSize").isVisible()
    assert opened.edit("workload.commands").isVisible()
    assert not section.isVisible()
    opened.unfold()
    assert section.isVisible()
    opened.retype("design.blocks", "x")
    opened.unfold()
    assert not section.isVisible()
    opened.retype("workload.commands", "7")
    assert section.isVisible()


def test_typing_keeps_the_cursor_where_it_is(opened: Opened) -> None:
    """A letter in the middle of a list does not send the cursor to its end."""
    edit = opened.edit("levels.ReadBatchSize")
    edit.setFocus()
    edit.setCursorPosition(3)
    type_text(edit, "0")
    assert edit.text() == "5000; 1,000; 2,500; 5,000; 10,000"
    assert edit.cursorPosition() == 4
    assert "5,000 is given twice" in opened.label("plan.levels.ReadBatchSize_error.text")


def test_switches_and_choices_work_from_the_keyboard(opened: Opened) -> None:
    """Space ticks a parameter, arrows choose a scenario; the fields that belong to it appear."""
    levels = opened.edit("levels.PollingInterval")
    assert not levels.isVisible()
    switch = find(opened.page, QCheckBox, "plan.vary.PollingInterval_check")
    switch.setFocus()
    press(switch, Qt.Key.Key_Space)
    assert levels.isVisible()
    scenario = find(opened.page, QComboBox, "plan.workload.scenario_combo")
    scenario.setFocus()
    press(scenario, Qt.Key.Key_Down)
    assert opened.edit("workload.duration_s").isVisible()
    assert not opened.edit("workload.commands").isVisible()
    assert opened.plan is not None
    assert [factor.name for factor in opened.plan.factors] == ["ReadBatchSize", "PollingInterval"]
    assert workload_of(opened.plan.load).scenario is Scenario.CONTINUOUS
    opened.unfold()
    stop = find(opened.page, QComboBox, "plan.design.stop_combo")
    stop.setFocus()
    press(stop, Qt.Key.Key_Down)
    assert opened.plan.design.stop is Stop.RACE
    assert opened.label("plan.estimate").startswith("At most")


def test_a_quick_look_fills_the_form(opened: Opened) -> None:
    """The preset's small backlog stands in the form, and the recommended plan comes back."""
    before = opened.plan
    click(opened.button("quick"))
    assert opened.edit("workload.commands").text() == "100,000"
    assert opened.plan is not None
    assert opened.plan.design.blocks == 2
    assert dict(opened.plan.baseline) == {"ReadBatchSize": 500}
    click(opened.button("recommended"))
    assert before is not None
    assert opened.plan == replace(before, design=replace(before.design, stop=Stop.RACE))
    assert "Recommended: a race" in opened.label("plan.power.text")


def test_the_help_of_the_field_in_use_is_shown(opened: Opened) -> None:
    """What a field means is said below the form while the keyboard is in it: no mouse is needed."""
    opened.unfold()
    opened.edit("design.confirm_blocks").setFocus()
    assert "only they carry a claim" in opened.label("plan.help.text")
    find(opened.page, QCheckBox, "plan.vary.ReadBatchSize_check").setFocus()
    assert "Vary ReadBatchSize: Most transactions" in opened.label("plan.help.text")


def test_another_question_brings_its_own_form(opened: Opened) -> None:
    """The fields are those of the family; coming back begins with its own plan."""
    opened.page.show_choices(_entered("wan_delivery"))
    assert opened.plan is not None
    assert opened.plan.family == "wan_delivery"
    assert opened.edit("levels.PacketSize").text() == "4,096; 8,192; 12,288"
    assert opened.page.findChildren(QLineEdit, "plan.levels.ReadBatchSize_edit") == []
    opened.page.show_choices(_entered())
    assert opened.plan is not None
    assert opened.plan.family == "log_reader"


def test_coming_back_keeps_what_was_typed(opened: Opened) -> None:
    """Leaving and entering again shows the same texts, also one that is wrong."""
    opened.retype("design.blocks", "4")
    opened.page.show_choices(opened.told[-1])
    assert opened.edit("design.blocks").text() == "4"
    opened.retype("design.blocks", "x")
    opened.page.show_choices(opened.told[-1])
    assert opened.edit("design.blocks").text() == "x"


def test_a_plan_chosen_elsewhere_is_shown(opened: Opened, desk: Desk) -> None:
    """The form follows the choices where they hold another plan."""
    assert opened.plan is not None
    opened.retype("design.blocks", "5")
    other = opened.told[-1]
    opened.retype("design.blocks", "2")
    opened.page.show_choices(other)
    assert opened.edit("design.blocks").text() == "5"


def test_without_a_question_there_is_no_form(desk: Desk, shown: Shown) -> None:
    """The page says what to do first, and nothing can be pressed by mistake."""
    opened = Opened(desk, shown, Choices(target=LAB))
    assert opened.label("plan.estimate") == "Choose the question to answer first."
    assert not opened.button("dry_run").isEnabled()
    assert not opened.button("load").isEnabled()
    assert [edit.objectName() for edit in opened.page.findChildren(QLineEdit)] == ["plan.minutes_line"]
    opened.page.show_choices(_entered())
    assert opened.plan is not None


def _dry_run(opened: Opened, qtbot: QtBot) -> DryRunDialog:
    click(opened.button("dry_run"))
    assert opened.busy == ["Reading what the plan would do …"]
    assert not opened.button("dry_run").isEnabled()
    qtbot.waitUntil(lambda: bool(opened.page.findChildren(DryRunDialog)))
    assert opened.busy[-1] == ""
    assert opened.button("dry_run").isEnabled()
    return find(opened.page, DryRunDialog, "dry_run")


def test_the_dry_run_shows_trials_changes_and_statements(opened: Opened, qtbot: QtBot) -> None:
    """Every trial in order, every change with apply and undo, every statement; Escape closes it."""
    dialog = _dry_run(opened, qtbot)
    assert len(find(dialog, DataTable, "dry_run.trials_table").shown_keys) == 21
    assert find(dialog, QTabWidget, "dry_run.tabs").count() == 4
    changes = find(dialog, QPlainTextEdit, "dry_run.changes.text")
    assert changes.isReadOnly()
    assert changes.toPlainText().count("-- Undo\n") == 10
    assert "write_load" in find(dialog, QPlainTextEdit, "dry_run.statements.text").toPlainText()
    assert find(dialog, QPlainTextEdit, "dry_run.steps.text").toPlainText().startswith("1. Stop")
    press(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.page.findChildren(DryRunDialog))


def test_scripts_are_searched_and_copied_by_keyboard(opened: Opened, qtbot: QtBot) -> None:
    """Ctrl+F, words, Return and Shift+Return go through the places found, round at the ends; all can be copied."""
    dialog = _dry_run(opened, qtbot)
    find(dialog, QTabWidget, "dry_run.tabs").setCurrentIndex(2)
    text = find(dialog, QPlainTextEdit, "dry_run.changes.text")
    search = find(dialog, QLineEdit, "dry_run.changes.search_edit")
    found = find(dialog, QLabel, "dry_run.changes.found")
    dialog.activateWindow()
    text.setFocus()
    press(text, Qt.Key.Key_F, ctrl=True)
    assert search.hasFocus()
    type_text(search, "-- UNDO")
    assert found.text() == "1 of 15"
    press(search, Qt.Key.Key_Return)
    assert (found.text(), text.textCursor().selectedText()) == ("2 of 15", "-- Undo")
    QTest.keyClick(search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert found.text() == "15 of 15"
    search.clear()
    assert found.text() == ""
    type_text(search, "nowhere to be found")
    assert found.text() == "not found"
    press(search, Qt.Key.Key_Return)
    click(find(dialog, QPushButton, "dry_run.changes.copy_button"))
    assert QGuiApplication.clipboard().text() == text.toPlainText()
    press(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.page.findChildren(DryRunDialog))


def test_a_dry_run_that_cannot_be_read_says_why(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """A target that is gone is a sentence, and the dry run can be tried again."""
    opened = Opened(desk, shown, _entered(target="lab:gone"))
    click(opened.button("dry_run"))
    qtbot.waitUntil(lambda: opened.busy[-1:] == [""])
    assert "gone" in opened.label("plan.file_status.text")
    assert opened.button("dry_run").isEnabled()


def test_a_plan_is_saved_and_loaded(
    opened: Opened, desk: Desk, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file holds the plan of the form, and loading it fills the form again."""
    path = tmp_path / "mine.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    opened.retype("design.blocks", "4")
    plan = opened.plan
    click(opened.button("save"))
    qtbot.waitUntil(lambda: opened.label("plan.file_status.text") == "Saved as mine.toml.")
    assert load_plan(path, dict(desk.program.families)) == plan
    opened.retype("design.blocks", "7")
    assert opened.label("plan.file_status.text") == ""
    click(opened.button("load"))
    qtbot.waitUntil(lambda: opened.label("plan.file_status.text") == "mine.toml is loaded.")
    assert opened.edit("design.blocks").text() == "4"
    assert opened.plan == plan


def test_a_file_dialog_closed_without_a_choice_changes_nothing(
    opened: Opened, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancel in the system's dialog is no plan and no file."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    told = len(opened.told)
    click(opened.button("save"))
    click(opened.button("load"))
    assert desk.tasks.count == 0
    assert len(opened.told) == told


def test_a_plan_for_another_question_is_not_taken(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """The sentence names the question the plan is for; the form stays."""
    path = tmp_path / "wan.toml"
    save_plan(path, family("wan_delivery").default_plan(), family("wan_delivery"))
    before = opened.plan
    opened.page.load_file(path)
    qtbot.waitUntil(lambda: opened.label("plan.file_status.text") != "")
    assert "Delivery over a slow or distant link" in opened.label("plan.file_status.text")
    assert opened.plan == before


def test_a_damaged_plan_file_is_told_with_its_key(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """What is wrong in the file is told as the command line tells it."""
    path = tmp_path / "bad.toml"
    path.write_text('family = "log_reader"\n[factors]\nReadBatchSize = [500, 99999]\n', encoding="utf-8")
    opened.page.load_file(path)
    qtbot.waitUntil(lambda: opened.label("plan.file_status.text") != "")
    assert "99999" in opened.label("plan.file_status.text")


def test_tab_goes_through_the_form_in_its_order(opened: Opened) -> None:
    """From the presets over the files and the fields to the dry run, nothing left out and nothing twice."""
    opened.unfold()
    opened.page.activateWindow()
    opened.page.setFocus(Qt.FocusReason.TabFocusReason)
    opened.page.focusNextChild()
    visited = walk_by_tab(60)
    expected = [
        "plan.recommended_button",
        "plan.quick_button",
        "plan.load_button",
        "plan.save_button",
        "plan.vary.ReadBatchSize_check",
        "plan.levels.ReadBatchSize_edit",
        "plan.baseline.ReadBatchSize_edit",
        "plan.vary.ReadBatchThreshold_check",
        "plan.vary.PollingInterval_check",
        "plan.workload.publisher_edit",
        "plan.workload.database_edit",
        "plan.workload.publication_edit",
        "plan.workload.subscriber_edit",
        "plan.workload.source_combo",
        "plan.workload.scenario_combo",
        "plan.workload.commands_edit",
        "plan.workload.sizes_combo",
        "plan.workload.commands_per_transaction_edit",
        "plan.workload.agent_pairs_edit",
        "plan.fold_button",
        "plan.design.stop_combo",
        "plan.design.blocks_edit",
    ]
    assert visited[: len(expected)] == expected
    assert visited[-1] == "plan.dry_run_button"


def test_every_field_has_a_name_of_its_own_for_tests_and_screen_readers(opened: Opened) -> None:
    """Object names are unique, and what is said of a field makes sense without what stands around it."""
    kinds = (QLineEdit, QComboBox, QCheckBox, QPushButton)
    all_of_them = [widget for kind in kinds for widget in opened.page.findChildren(kind)]
    # the line of a field that offers names is a part of it, and spoken as the field is
    found = [widget for widget in all_of_them if not isinstance(widget.parentWidget(), QComboBox)]
    names = [widget.objectName() for widget in found]
    assert len(set(names)) == len(names)
    assert all(name.startswith("plan.") for name in names)
    spoken = [widget.accessibleName() for widget in found]
    assert all(spoken)
    assert len(set(spoken)) == len(spoken)
    assert opened.edit("levels.ReadBatchSize").accessibleName() == "ReadBatchSize: values to try transactions"


def test_a_preset_is_taken_back_by_the_key_of_undo(desk: Desk, shown: Shown) -> None:
    """Also where the keyboard is in a field, which undoes its own typing first, and never past the beginning."""
    opened = Opened(desk, shown, _entered())
    before = opened.plan
    opened.button("quick").click()
    quick = opened.plan
    assert quick != before
    edit = opened.edit("design.blocks")
    opened.retype("design.blocks", "9")
    assert opened.plan not in (before, quick)
    for _time in range(8):
        QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        if opened.plan == before:
            break
    assert opened.plan == before
    QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert opened.plan == before
    page_wide = opened.button("quick")
    QTest.keyClick(page_wide, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert opened.plan == quick
