"""The start page: sessions opened last, opening a file, and the offer to restore what a crash left."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.bootstrap import build_program
from app.domain.events import RunStarted
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.flows.shell.recent_view import read_recent_lines
from app.flows.shell.wizard import Step
from app.runner.undo import SafeChanger
from app.services.hand_over.past_sessions import summarise_session
from app.services.preferences import PreferenceFile, Preferences
from app.services.run.restoring import RestoreWay, restore_all
from app.store import SessionHeader, UndoJournalFile, create_session_file
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.topology import Agent
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.restoring import Restoring
from app.ui.widgets.table import DataTable
from app.ui.wizard_frame import WizardFrame
from tests.prove.killing import read_state
from tests.store.sample import make_record
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press
from tests.ui.sessions import run_on_lab, stop_on_lab
from tests.ui.shell_parts import bare_pages

_STATE, _SHOWED = 2, 3  # columns of the list


@pytest.fixture
def session_file(tmp_path: Path) -> Path:
    """A session file with two runs."""
    path = tmp_path / "contoso.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


@pytest.fixture
def begun(preference_file: PreferenceFile, session_file: Path, tmp_path: Path) -> Path:
    """Preferences of somebody who opened two sessions, one of which is gone."""
    preference_file.save(Preferences(recent_sessions=(str(session_file), str(tmp_path / "gone.replitune"))))
    return session_file


def open_window(desk: Desk, shown: Shown, qtbot: QtBot) -> MainWindow:
    """Return the window once its start page has looked around."""
    window = MainWindow(desk, bare_pages())
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return window


def test_without_sessions_the_page_says_what_to_do(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """An empty list suggests the lab; no offer to restore is shown."""
    window = open_window(desk, shown, qtbot)
    assert find(window, DataTable, "start.recent_table").shown_keys == ()
    assert not find(window, QFrame, "start.restore_banner").isVisible()
    assert not find(window, QPushButton, "start.open_recent_button").isEnabled()


def test_missing_files_are_shown_and_can_be_removed(begun: Path, desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """A session whose file is gone stays on the list, marked, until it is removed."""
    window = open_window(desk, shown, qtbot)
    table = find(window, DataTable, "start.recent_table")
    gone = str(begun.with_name("gone.replitune"))
    assert table.shown_keys == (str(begun), gone)
    table.choose_row(gone)
    assert not find(window, QPushButton, "start.open_recent_button").isEnabled()
    click(find(window, QPushButton, "start.forget_button"))
    qtbot.waitUntil(lambda: table.shown_keys == (str(begun),))
    assert desk.preferences.recent_sessions == (str(begun),)


def test_what_a_session_showed_is_counted_after_the_first_look(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    """The list is there at once; the counts come in behind, off the main thread, and are kept."""
    place = run_on_lab(tmp_path / "measured").place
    assert place is not None
    desk.prefer(Preferences(recent_sessions=(str(place.session_file),)))
    window = MainWindow(desk, bare_pages())
    table = find(window, DataTable, "start.recent_table")
    seen: list[str] = []

    def look() -> None:
        if table.shown_keys:
            seen.append(str(table.model().index(0, _SHOWED).data()))

    table.model().modelReset.connect(look)
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert seen[0] == "…"
    assert re.search(r"\d (better|worse|no difference|undecided)|: [−+]\d+\u00a0%", seen[-1])
    assert desk.program.parts.journal_path.with_name("verdicts.json").exists()
    seen.clear()
    window.show_start()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "…" not in seen


def test_a_session_is_opened_at_its_findings_with_the_keyboard(
    begun: Path, desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """Return on a session opens its findings; nothing before them can be reached."""
    window = open_window(desk, shown, qtbot)
    table = find(window, DataTable, "start.recent_table")
    table.choose_row(str(begun))
    press(table, Qt.Key.Key_Return)
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    choices = frame.wizard.choices
    assert frame.wizard.step is Step.FINDINGS
    assert choices.place is not None
    assert choices.place.session_file == begun
    assert choices.run_end is not None
    assert (choices.run_end.session_id, choices.run_end.run_id) == ("S20260304-093000-abc123", "E2")
    assert not frame.wizard.can_reach(Step.PLAN)
    assert frame.wizard.can_reach(Step.HAND_OVER)


def test_a_file_that_is_no_session_is_refused_in_one_sentence(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening another kind of file says why on the start page."""
    wrong = tmp_path / "letter.replitune"
    wrong.write_text("Dear client")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(wrong), ""))
    window = open_window(desk, shown, qtbot)
    click(find(window, QPushButton, "start.open_button"))
    notice = find(window, QLabel, "start.notice.text")
    qtbot.waitUntil(lambda: bool(notice.text()))
    assert str(wrong) in notice.text()
    assert find(window, WizardFrame, "wizard").page is None


def ignore(_record: StatementRecord) -> None:
    """The statements of a test's own changes are of no interest."""


@pytest.fixture
def leave_changed(journal_path: Path) -> Iterator[Callable[..., None]]:
    """Leave a setting changed on a target, as a program that died would; the next test finds it put back."""

    def leave(target: str, session_id: str = "S20260101-000000-dead00", *, by_hand: bool = False) -> None:
        opened = build_program().parts.open_target(target, 1, ignore)
        journal = UndoJournalFile(journal_path)
        try:
            changer = SafeChanger(opened, journal, session_id, by_hand=by_hand)
            agent = first_distribution_agent(agent_ports(opened).agents.discover().agents)
            for change in agent_ports(opened).agent_changes.plan_setting(
                agent, Setting.of(SubscriptionStreams=8), "left"
            ):
                changer.apply(change)
        finally:
            journal.close()
            opened.close()

    yield leave
    restore_all(journal_path, build_program().parts.open_target, lambda _change: None, None, RestoreWay(hands_on=True))


def first_distribution_agent(agents: tuple[Agent, ...]) -> Agent:
    """Return the agent a test changes."""
    return next(agent for agent in agents if agent.kind is AgentKind.DISTRIBUTION)


@pytest.mark.parametrize("button", ["restore_button", "close_button"])
def test_closing_over_a_changed_server_asks_and_puts_back_by_default(
    desk: Desk, shown: Shown, qtbot: QtBot, served_lab: str, leave_changed: Callable[..., None], button: str
) -> None:
    """What a failed run left stands no longer once the window is gone, unless the person wants it so."""
    original = read_state(served_lab)
    leave_changed(served_lab)
    window = open_window(desk, shown, qtbot)
    window.close()
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox, "closing.not_restored")))
    question = find(window, QMessageBox, "closing.not_restored")
    assert "SubscriptionStreams" in question.text()
    press(question, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
    assert window.isVisible()
    window.close()
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox, "closing.not_restored")))
    question = find(window, QMessageBox, "closing.not_restored")
    default = question.defaultButton()
    assert default is not None
    assert default.objectName() == "closing.restore_button"
    with qtbot.waitSignal(window.closed):
        click(find(question, QPushButton, f"closing.{button}"))
    assert (read_state(served_lab) == original) == (button == "restore_button")


def test_what_a_crash_left_is_offered_and_restored(
    desk: Desk, shown: Shown, qtbot: QtBot, served_lab: str, leave_changed: Callable[..., None]
) -> None:
    """The offer names what is changed; Restore now puts it back on the server, and says so."""
    original = read_state(served_lab)
    leave_changed(served_lab)
    assert read_state(served_lab) != original
    window = open_window(desk, shown, qtbot)
    banner = find(window, QFrame, "start.restore_banner")
    assert banner.isVisible()
    restore = find(window, QPushButton, "start.restore_button")
    assert (restore.isDefault(), restore.hasFocus()) == (True, True)
    assert restore.text().startswith("Restore ")
    assert "change" in restore.text()
    assert not find(window, QPushButton, "start.new_button").isDefault()
    assert served_lab in find(window, QLabel, "start.restore_headline").text()
    assert len(find(window, DataTable, "start.restore_table").shown_keys) >= 1
    strip = find(window, QLabel, "server_strip.text")
    assert "right now" in strip.text()
    count = len(find(window, DataTable, "start.restore_table").shown_keys)
    doing = find(window, QLabel, "start.restore_doing")
    said: list[str] = []
    find(find(window, QWidget, "page.start"), Restoring, "").progressed.connect(lambda _text: said.append(doing.text()))
    assert not doing.isVisible()
    click(find(window, QPushButton, "start.restore_button"))
    assert (doing.isVisible(), doing.text()) == (True, "Undoing and checking what is still open …")
    qtbot.waitUntil(lambda: not banner.isVisible())
    assert read_state(served_lab) == original
    assert [text.split(":")[0] for text in said] == [f"Undoing {place} of {count}" for place in range(1, count + 1)]
    assert any("SubscriptionStreams" in text and ": 8 → " in text for text in said), said
    assert re.fullmatch(r"Restored \d\d:\d\d, read back: .*\.", find(window, QLabel, "start.notice.text").text())
    assert strip.text() == "Nothing is changed on any server."
    assert find(window, QPushButton, "start.new_button").isDefault()


def test_restore_can_be_reached_from_every_page(
    desk: Desk, shown: Shown, qtbot: QtBot, leave_changed: Callable[..., None]
) -> None:
    """Where something stands the strip below a page leads to the offer, also one that was put off."""
    leave_changed("lab")
    window = open_window(desk, shown, qtbot)
    button = find(window, QPushButton, "server_strip.restore_button")
    assert not button.isVisible()
    click(find(window, QPushButton, "start.restore_later_button"))
    click(find(window, QPushButton, "start.new_button"))
    assert button.isVisible()
    click(button)
    qtbot.waitUntil(find(window, QFrame, "start.restore_banner").isVisible)
    qtbot.waitUntil(find(window, QPushButton, "start.restore_button").hasFocus)


def test_a_run_that_goes_on_is_not_called_interrupted(tmp_path: Path) -> None:
    """As long as somebody writes its file a run without an end runs; without that it died."""
    path = tmp_path / "going.replitune"
    record = make_record()
    with create_session_file(path) as store:
        began = record.runs[0].started_utc
        recorder = store.start_session(SessionHeader(record.session_id, "Going", "", "", began, "1.0"))
        recorder.record(RunStarted("E1", record.runs[0].plan, "lab", began))
        (line,) = read_recent_lines([str(path)], build_program())
        assert (line.state, line.can_resume) == ("running", False)
    (line,) = read_recent_lines([str(path)], build_program())
    assert (line.state, line.can_resume) == ("interrupted, can be resumed", True)


def asked(window: MainWindow, qtbot: QtBot, button: str) -> None:
    """Press Restore, and answer who undoes what a DBA has made."""
    click(find(window, QPushButton, "start.restore_button"))
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox, "restoring.question")))
    question = find(window, QMessageBox, "restoring.question")
    default = question.defaultButton()
    assert default is not None
    assert default.objectName() == "restoring.ask_button"
    click(find(question, QPushButton, f"restoring.{button}"))


def stands_below(lower: QWidget, upper: QWidget) -> bool:
    """Tell whether nothing of a widget hides another one of the same window."""
    return lower.mapToGlobal(QPoint()).y() >= upper.mapToGlobal(QPoint(0, upper.height())).y()


@pytest.mark.parametrize("button", ["cancel_button", "ask_button", "hands_on_button"])
def test_what_a_dba_made_is_undone_from_the_window_only_when_somebody_says_so(
    desk: Desk, shown: Shown, qtbot: QtBot, served_lab: str, leave_changed: Callable[..., None], button: str
) -> None:
    """Else it is asked for, script by script; where nobody runs them nothing changes and the offer stays."""
    original = read_state(served_lab)
    leave_changed(served_lab, by_hand=True)
    left = read_state(served_lab)
    assert left != original
    window = open_window(desk, shown, qtbot)
    banner = find(window, QFrame, "start.restore_banner")
    asked(window, qtbot, button)
    if button == "ask_button":
        script = find(window, QPlainTextEdit, "run.hand_script.text")
        qtbot.waitUntil(lambda: "sp_" in script.toPlainText())
        qtbot.waitUntil(lambda: stands_below(find(window, QPushButton, "run.hand_done_button"), script))
        click(find(window, QPushButton, "run.hand_give_up_button"))
        qtbot.waitUntil(lambda: not window.findChildren(QDialog, "restoring.asking"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    is_undone = button == "hands_on_button"
    qtbot.waitUntil(lambda: banner.isVisible() != is_undone)
    assert read_state(served_lab) == (original if is_undone else left)
    assert find(window, QPushButton, "start.restore_button").isEnabled() or is_undone


def test_the_offer_can_wait_and_gives_a_script(
    desk: Desk,
    shown: Shown,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    leave_changed: Callable[..., None],
) -> None:
    """A script for the DBA can be saved; Later hides the offer, but the strip goes on telling what is open."""
    leave_changed("lab")
    script = tmp_path / "restore.sql"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(script), ""))
    window = open_window(desk, shown, qtbot)
    click(find(window, QPushButton, "start.restore_script_button"))
    qtbot.waitUntil(script.exists)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "sp_" in script.read_text(encoding="utf-8-sig")
    assert str(script) in find(window, QLabel, "start.notice.text").text()
    click(find(window, QPushButton, "start.restore_later_button"))
    assert not find(window, QFrame, "start.restore_banner").isVisible()
    assert "right now" in find(window, QLabel, "server_strip.text").text()


def test_everything_on_the_page_can_be_named(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Every widget that takes the keyboard has an object name and a spoken name."""
    window = open_window(desk, shown, qtbot)
    for widget in find(window, QWidget, "page.start").findChildren(QPushButton):
        assert widget.objectName()
        assert widget.accessibleName(), widget.objectName()


def test_a_saved_server_is_one_press_away(desk: Desk, shown: Shown, qtbot: QtBot, served_lab: str) -> None:
    """Saved servers stand on the page by name and address; Connect leads to the site of that one."""
    for name in ("Twin", "Office"):
        desk.program.parts.saved_targets.add(name, served_lab)
    window = open_window(desk, shown, qtbot)
    buttons = [find(window, QPushButton, f"start.connect_{number}_button") for number in (1, 2)]
    assert [button.accessibleName() for button in buttons] == ["Connect to Office", "Connect to Twin"]
    click(buttons[0])
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert (frame.wizard.step, frame.wizard.choices.target) == (Step.TOPOLOGY, served_lab)


def test_an_address_is_pasted_wherever_the_keyboard_is(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Nobody looks for the field first: Ctrl+V and Return lead to the server, also over what stood there before."""
    window = open_window(desk, shown, qtbot)
    field = find(window, QLineEdit, "start.paste_edit")
    for address in ("db1.example:1433", "db2.example"):
        QApplication.clipboard().setText(address)
        button = find(window, QPushButton, "start.lab_button")
        button.setFocus()
        press(button, Qt.Key.Key_V, ctrl=True)
        assert field.text() == address
        assert field.hasFocus()


def test_each_scenario_of_the_lab_says_what_it_shows(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """The one a newcomer meets is chosen first; another one is opened where it was chosen."""
    window = open_window(desk, shown, qtbot)
    labs = find(window, QComboBox, "start.lab_combo")
    shows = find(window, QLabel, "start.lab_shows")
    assert labs.currentText() == "A Subscriber was away, and millions of commands wait"
    said = []
    for place in range(labs.count()):
        labs.setCurrentIndex(place)
        said.append(shows.text())
    assert all(text.startswith("Shows ") for text in said)
    assert len(set(said)) == len(said)
    labs.setCurrentIndex(labs.findText("A distant office behind 512 kbit/s and 300 ms"))
    click(find(window, QPushButton, "start.lab_button"))
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert frame.wizard.choices.target == "lab:wan-512k"


def test_an_interrupted_run_is_resumed_from_the_list(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """Resume leads to the checks of the run that stopped, with consent still to be given; a complete one has none."""
    complete = run_on_lab(tmp_path / "complete").place
    stopped = stop_on_lab(tmp_path / "stopped")
    assert complete is not None
    desk.prefer(Preferences(recent_sessions=(str(complete.session_file), str(stopped))))
    window = open_window(desk, shown, qtbot)
    table = find(window, DataTable, "start.recent_table")
    resume = find(window, QPushButton, "start.resume_button")
    table.choose_row(str(complete.session_file))
    assert not resume.isEnabled()
    table.choose_row(str(stopped))
    click(resume)
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert frame.wizard.step is Step.PREFLIGHT
    choices = frame.wizard.choices
    assert choices.resumes is not None
    assert choices.consented == frozenset()
    assert choices.place is not None
    assert choices.place.session_file == stopped


@pytest.mark.parametrize("is_stopped", [True, False])
def test_one_press_goes_on_where_one_was(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, is_stopped: bool
) -> None:
    """The session worked on last stands on top: its run is resumed where it stopped, else its findings are shown."""
    (stop_on_lab if is_stopped else run_on_lab)(tmp_path / "s")
    session_file = tmp_path / "s" / "session.replitune"
    desk.prefer(Preferences(recent_sessions=(str(tmp_path / "gone.replitune"), str(session_file))))
    window = open_window(desk, shown, qtbot)
    line = find(window, QLabel, "start.go_on_line").text()
    assert ("cancelled, can be resumed" in line) is is_stopped
    assert ("SubscriptionStreams 8: \u2212" in line) is not is_stopped
    click(find(window, QPushButton, "start.go_on_button"))
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert frame.wizard.step is (Step.PREFLIGHT if is_stopped else Step.FINDINGS)


def test_no_word_of_the_list_is_cut_off(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, leave_changed: Callable[..., None]
) -> None:
    """How each session ended, what of it stands and what it showed come in later, and have room all the same."""
    complete, stopped = run_on_lab(tmp_path / "complete").place, stop_on_lab(tmp_path / "stopped")
    assert complete is not None
    leave_changed("lab", summarise_session(stopped).ids_in_file[0])
    desk.prefer(Preferences(recent_sessions=(str(complete.session_file), str(stopped), str(tmp_path / "gone"))))
    table = find(open_window(desk, shown, qtbot), DataTable, "start.recent_table")
    model = table.model()
    assert "in effect" in str(model.index(1, _STATE).data())
    cells = [model.index(row, column) for row in range(model.rowCount()) for column in range(model.columnCount())]
    assert [cell.data() for cell in cells if is_cut(table, cell)] == []


def is_cut(table: DataTable, cell: QModelIndex) -> bool:
    """Tell whether a cell has no room for its text, over two lines where the table wraps."""
    width, height = table.columnWidth(cell.column()), table.rowHeight(cell.row())
    flags = int(Qt.TextFlag.TextWordWrap) if table.wordWrap() else 0
    needed = table.fontMetrics().boundingRect(QRect(0, 0, width, height), flags, str(cell.data() or ""))
    return needed.width() > width or needed.height() > height


def test_changes_that_stand_are_told_beside_their_session(
    begun: Path, desk: Desk, shown: Shown, qtbot: QtBot, leave_changed: Callable[..., None]
) -> None:
    """The list says how many changes of a session are still in effect, before how it ended."""
    leave_changed("lab", "S20260304-093000-abc123")
    window = open_window(desk, shown, qtbot)
    table = find(window, DataTable, "start.recent_table")
    table.copy_all()
    assert re.search(r"[1-9]\d* changes? still in effect · interrupted", QApplication.clipboard().text())
