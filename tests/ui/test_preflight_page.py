"""The preflight page: reads what the plan would do, shows it, and asks for consent."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFileDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.domain.errors import TargetError
from app.domain.family import ExperimentFamily, PreflightCheck, Site
from app.domain.plan import Plan
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.flows.plan.plan_form import plan_form
from app.flows.run.resume_view import read_earlier_run
from app.flows.shell.wizard import Choices, Step, choose_plan, servers_to_consent, why_not_leave
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.systems.transactional_replication.families.log_reader import LogReaderFamily
from app.ui.desk import Desk
from app.ui.pages.preflight_page import PreflightPage
from app.ui.theme import paint_application
from app.ui.tokens import DARK
from app.ui.widgets.consent_list import ConsentList
from app.ui.widgets.path_text import PathText
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text, walk_by_tab
from tests.ui.sessions import run_on_lab
from tests.unit.flows.sites import choices, family, site


def _plan(blocks: int = 3) -> Plan:
    plan = plan_form(family("log_reader"), site("log_reader")).to_plan()
    assert plan is not None
    return replace(plan, design=replace(plan.design, blocks=blocks))


def _tick(box: QCheckBox) -> None:
    """Click where the box is, not on the empty part of its line."""
    click(box, QPoint(8, box.height() // 2))


class Opened:
    """The page as a person meets it, with the choices it told last."""

    def __init__(self, desk: Desk, shown: Shown, entered: Choices) -> None:
        self.page = PreflightPage(desk)
        self.told: list[Choices] = []
        self.busy: list[str] = []
        self.page.choices_changed.connect(self.told.append)
        self.page.busy_changed.connect(self.busy.append)
        shown(self.page, 1088, 620)
        self.page.show_choices(entered)

    @property
    def choices(self) -> Choices:
        """The choices told last."""
        return self.told[-1]

    def label(self, name: str) -> str:
        """Return the text of a label."""
        return find(self.page, QLabel, f"preflight.{name}").text()

    @property
    def undo_places(self) -> str:
        """Where the way back is kept."""
        return find(self.page, PathText, "preflight.undo_places").toPlainText()

    def box(self, server: str) -> QCheckBox:
        """Return the check box of a server."""
        return find(self.page, QCheckBox, f"preflight.consent.{server}_check")

    @property
    def boxes(self) -> list[QCheckBox]:
        """Check boxes of all servers that are shown; replaced ones may live until the next turn of the event loop."""
        return list(self.page.findChildren(ConsentList)[0].boxes)

    @property
    def again(self) -> QPushButton:
        """The button that reads again."""
        return find(self.page, QPushButton, "preflight.again_button")

    def wait_until_read(self, qtbot: QtBot) -> None:
        """Wait until checks and folder were looked at."""
        qtbot.waitUntil(lambda: self.page.desk.tasks.count == 0 and bool(self.told))


@pytest.fixture
def sessions(tmp_path: Path, preference_file: PreferenceFile) -> Path:
    """The folder new sessions are put in, as the person set it."""
    preference_file.save(Preferences(sessions_folder=str(tmp_path / "sessions")))
    return tmp_path / "sessions"


@pytest.fixture
def opened(sessions: Path, desk: Desk, shown: Shown, qtbot: QtBot) -> Opened:
    """The page with a plan for the lab, after everything was read."""
    page = Opened(desk, shown, choices(_plan()))
    page.wait_until_read(qtbot)
    return page


def test_entering_reads_in_the_background_and_shows_everything(
    sessions: Path, desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """First it says what it does, then checks, changes, servers and the way back stand there."""
    opened = Opened(desk, shown, choices(_plan()))
    assert opened.busy == ["Running the checks …"]
    assert "nothing is changed" in opened.label("status.text")
    assert not opened.again.isEnabled()
    assert not find(opened.page, QGroupBox, "preflight.checks_box").isVisible()
    opened.wait_until_read(qtbot)
    assert opened.busy[-1] == ""
    assert opened.label("status.text").startswith("Checked at ")
    assert find(opened.page, QGroupBox, "preflight.checks_box").title() == "Checks: all passed"
    assert opened.label("check_0_word") == "passed"
    assert len(find(opened.page, DataTable, "preflight.changes_table").shown_keys) == 10
    assert "simulated" in opened.label("lab_note.text")
    assert [box.text() for box in opened.boxes] == ["Publisher PUB1", "Distributor DIST1", "Subscriber SUB1"]
    assert opened.choices.dry_run is not None
    assert opened.again.isEnabled()


def test_what_the_dba_agrees_to_is_written_where_the_person_wants_it(
    opened: Opened, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says where, and why it could not be written."""
    button, paper = find(opened.page, QPushButton, "preflight.paper_button"), tmp_path / "before.md"
    chosen = [paper, paper / "below.pdf"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(chosen.pop(0)), ""))
    click(button)
    qtbot.waitUntil(lambda: opened.label("status.text") == f"Written for the DBA: {paper}")
    assert "## Agreement" in paper.read_text("utf-8")
    click(button)
    qtbot.waitUntil(lambda: str(paper / "below.pdf") in opened.label("status.text"))
    assert button.isEnabled()


def test_the_scripts_of_the_chosen_change_are_shown(opened: Opened) -> None:
    """The first change is chosen, the profile of the agent; arrow keys go to the others, undo and apply follow."""
    table = find(opened.page, DataTable, "preflight.changes_table")
    undo = find(opened.page, QPlainTextEdit, "preflight.undo.text")
    dry = opened.choices.dry_run
    assert dry is not None
    assert undo.toPlainText() == dry.changes[0].undo_sql.strip()
    assert "copy of" in opened.label("change_meaning.text")
    table.setFocus()
    press(table, Qt.Key.Key_Down)
    assert "stops every publication" in opened.label("change_meaning.text")
    assert undo.toPlainText() == dry.changes[1].undo_sql.strip()
    find(opened.page, QTabWidget, "preflight.script_tabs").setCurrentIndex(1)
    apply = find(opened.page, QPlainTextEdit, "preflight.apply.text")
    assert apply.isVisible()
    assert apply.toPlainText() == dry.changes[1].apply_sql.strip()


def test_consent_is_given_server_by_server_from_the_keyboard(opened: Opened) -> None:
    """Space ticks; each tick is told, and only all of them let the run begin; a tick can be taken back."""
    for position, box in enumerate(opened.boxes, 1):
        assert "Agree for each server" in why_not_leave(Step.PREFLIGHT, opened.choices)
        box.setFocus()
        press(box, Qt.Key.Key_Space)
        assert len(opened.choices.consented) == position
        assert box.hasFocus()
    assert opened.choices.consented == set(servers_to_consent(opened.choices))
    assert why_not_leave(Step.PREFLIGHT, opened.choices) == ""
    _tick(opened.boxes[1])
    assert "Distributor DIST1" in why_not_leave(Step.PREFLIGHT, opened.choices)


def test_a_run_that_resumes_plans_and_agrees_to_what_is_left_only(
    sessions: Path, desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """Trials that are kept are no part of the plan any more, and consent is asked for anew."""
    ended = run_on_lab(sessions / "s", is_cancelled=True)
    resumed = read_earlier_run(ended, desk.program).choices
    assert resumed.resumes is not None
    counts = []
    for entered in (resumed, replace(resumed, resumes=None)):
        page = Opened(desk, shown, entered)
        page.wait_until_read(qtbot)
        assert page.choices.dry_run is not None
        counts.append(len(page.choices.dry_run.trials))
        assert page.boxes
        assert not any(box.isChecked() for box in page.boxes)
    left, whole = counts
    assert left == whole - len(resumed.resumes.trials)
    assert left < whole


def test_checking_again_keeps_consent_to_the_same_changes(opened: Opened, qtbot: QtBot) -> None:
    """Nothing changed on the server: what was ticked stays ticked."""
    _tick(opened.box("Publisher_PUB1"))
    click(opened.again)
    assert opened.busy[-1] == "Running the checks …"
    qtbot.waitUntil(lambda: opened.busy[-1] == "")
    assert opened.choices.consented == {"Publisher PUB1"}
    assert opened.box("Publisher_PUB1").isChecked()


def test_another_plan_is_read_anew_and_asks_again(opened: Opened, qtbot: QtBot) -> None:
    """A changed plan drops the old reading with its ticks."""
    _tick(opened.box("Publisher_PUB1"))
    opened.page.show_choices(choose_plan(opened.choices, _plan(blocks=2)))
    assert not find(opened.page, QGroupBox, "preflight.checks_box").isVisible()
    opened.wait_until_read(qtbot)
    dry = opened.choices.dry_run
    assert dry is not None
    assert dry.plan.design.blocks == 2
    assert not any(box.isChecked() for box in opened.boxes)
    assert opened.choices.consented == frozenset()


def test_a_reading_of_an_older_plan_is_dropped(sessions: Path, desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Going back and changing the plan while it reads: only the newest plan counts."""
    entered = choices(_plan())
    opened = Opened(desk, shown, entered)
    opened.page.show_choices(choose_plan(entered, _plan(blocks=2)))
    opened.wait_until_read(qtbot)
    dry_runs = [told.dry_run for told in opened.told if told.dry_run is not None]
    assert {dry.plan.design.blocks for dry in dry_runs} == {2}


def test_entering_again_reads_nothing_twice(opened: Opened, desk: Desk) -> None:
    """What was read for this plan still holds."""
    busy = len(opened.busy)
    opened.page.show_choices(opened.choices)
    assert len(opened.busy) == busy
    assert find(opened.page, QGroupBox, "preflight.checks_box").isVisible()


def test_a_folder_is_proposed_where_the_person_keeps_sessions(opened: Opened, sessions: Path) -> None:
    """Named after day and target; nothing is made before the run begins."""
    folder = opened.choices.folder
    assert folder is not None
    assert folder.parent == sessions
    assert folder.name.endswith("-lab")
    assert not sessions.exists()
    assert find(opened.page, QLineEdit, "preflight.folder_edit").text() == str(folder)
    assert opened.label("folder_status.text") == "It is created when the run begins."
    assert str(folder / "rollback.sql") in opened.undo_places
    assert "undo.journal" in opened.undo_places


def test_without_a_preference_the_documents_are_proposed(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Replitune's own folder in the documents of the person."""
    opened = Opened(desk, shown, choices(_plan()))
    opened.wait_until_read(qtbot)
    folder = opened.choices.folder
    assert folder is not None
    assert folder.parent.name == "Replitune"


def test_a_folder_that_cannot_be_used_is_told_as_one_types(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A file is no folder: the sentence stands below it, and the run cannot begin until it is put right."""
    (tmp_path / "file").touch()
    edit = find(opened.page, QLineEdit, "preflight.folder_edit")
    edit.setFocus()
    edit.selectAll()
    type_text(edit, str(tmp_path / "file"))
    qtbot.waitUntil(lambda: "is a file" in opened.label("folder_status.text"))
    assert opened.choices.folder is None
    assert "rollback.sql" not in opened.undo_places
    type_text(edit, "s")
    qtbot.waitUntil(lambda: opened.choices.folder == tmp_path / "files")
    assert edit.text() == str(tmp_path / "files")


def test_a_folder_is_chosen_in_the_systems_dialog(
    opened: Opened, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog's folder is taken; closing it without a choice changes nothing."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: "")
    button = find(opened.page, QPushButton, "preflight.folder_button")
    before = opened.choices
    click(button)
    assert opened.choices == before
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(tmp_path))
    click(button)
    qtbot.waitUntil(lambda: opened.choices.folder == tmp_path)
    assert opened.label("folder_status.text") == "It exists; the files are put in it."


def test_a_target_that_cannot_be_read_says_why_and_can_be_tried_again(
    sessions: Path, desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """The sentence stands where the checks would; nothing can be agreed to."""
    opened = Opened(desk, shown, replace(choices(_plan()), target="lab:gone"))
    opened.wait_until_read(qtbot)
    assert "gone" in opened.label("status.text")
    assert not find(opened.page, QGroupBox, "preflight.consent_box").isVisible()
    assert opened.choices.dry_run is None
    click(opened.again)
    assert opened.busy[-1] == "Running the checks …"
    qtbot.waitUntil(lambda: opened.busy[-1] == "")
    assert "gone" in opened.label("status.text")


def test_after_checks_that_failed_nothing_passes(opened: Opened, desk: Desk, qtbot: QtBot) -> None:
    """What an earlier check allowed, and who agreed to it, does not hold once the target cannot be read any more."""
    for box in opened.boxes:
        box.click()
    qtbot.waitUntil(lambda: opened.choices.folder is not None)
    assert why_not_leave(Step.PREFLIGHT, opened.choices) == ""

    def refuse(target: str, _seed: int, _on_statement: StatementSink, /) -> Target:
        raise TargetError(f"{target} does not answer")

    desk.program = Program(replace(desk.program.parts, open_target=refuse))
    click(opened.again)
    qtbot.waitUntil(lambda: "does not answer" in opened.label("status.text"))
    assert why_not_leave(Step.PREFLIGHT, opened.choices) == "The checks have not run yet."
    assert opened.choices.consented == frozenset()


class _Strict(LogReaderFamily):
    """A family whose plans are never allowed to run."""

    def preflight(self, plan: Plan, site: Site) -> tuple[PreflightCheck, ...]:
        """Return a check that forbids the run, and one to look at."""
        return (
            PreflightCheck("may be odd", False, "look there"),
            PreflightCheck("may never run", False, "choose another question", blocking=True),
        )


def test_a_check_that_forbids_the_run_is_shown_with_its_remedy(
    sessions: Path, program: Program, preference_file: PreferenceFile, shown: Shown, qtbot: QtBot
) -> None:
    """It comes first, in words and with what to do, and the step cannot be left."""

    def strict() -> dict[str, ExperimentFamily]:
        return {"log_reader": _Strict()}

    desk = Desk(Program(replace(program.parts, load_families=strict)), preference_file)
    opened = Opened(desk, shown, choices(_plan()))
    opened.wait_until_read(qtbot)
    assert opened.label("check_0_word") == "not met"
    assert opened.label("check_0_title") == "may never run"
    assert opened.label("check_0_remedy") == "choose another question"
    assert opened.label("check_1_word") == "check this"
    assert find(opened.page, QGroupBox, "preflight.checks_box").title() == "Checks: 1 is not met and prevents the run"
    assert why_not_leave(Step.PREFLIGHT, opened.choices) == "Check not met: may never run. choose another question"
    desk.close()


def test_colours_follow_the_window(opened: Opened, prepared_qapp: QApplication, qtbot: QtBot) -> None:
    """A window that turns dark paints the results of its checks for a dark ground."""
    word = find(opened.page, QLabel, "preflight.check_0_word")
    before = word.palette().windowText().color().lightness()
    paint_application(prepared_qapp, DARK)
    qtbot.waitUntil(lambda: word.palette().windowText().color().lightness() > before)


def test_tab_reaches_changes_consent_and_folder_in_this_order(opened: Opened) -> None:
    """Everything that can be used is reached by Tab, as it stands on the page."""
    opened.page.activateWindow()
    opened.again.setFocus()
    visited = walk_by_tab(30)
    ordered = [
        "preflight.again_button",
        "preflight.changes_table",
        "preflight.undo.search_edit",
        "preflight.undo.text",
        "preflight.consent.Publisher_PUB1_check",
        "preflight.consent.Subscriber_SUB1_check",
        "preflight.folder_edit",
        "preflight.folder_button",
    ]
    assert [name for name in visited if name in ordered] == ordered


def test_everything_that_can_be_used_has_a_name(opened: Opened) -> None:
    """Object names for tests, accessible names for screen readers."""
    kinds: tuple[type[QWidget], ...] = (QLineEdit, QCheckBox, QPushButton, DataTable, QPlainTextEdit, QTabWidget)
    found = [widget for kind in kinds for widget in opened.page.findChildren(kind)]
    assert all(widget.objectName().startswith("preflight.") for widget in found)
    assert all(widget.accessibleName() for widget in found)
