"""The page of a run, on real runs of the lab."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QFrame, QLabel, QProgressBar, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from app.domain.events import ChangeApplied, Note, RunEvent, SamplesTaken, TrialFinished
from app.domain.limits import Limits
from app.flows.run.resume_view import read_earlier_run
from app.flows.run.run_log import RunLog
from app.flows.run.run_plot import plot_by_setting
from app.flows.run.run_state import RunState
from app.flows.run.run_view import RunPicture, picture
from app.flows.shell.wizard import Choices, Step, why_not_leave
from app.services.run.restoring import open_changes
from app.ui.desk import Desk
from app.ui.pages.run_page import RunPage
from app.ui.theme import paint_application
from app.ui.tokens import DARK
from app.ui.widgets.live_plot import LivePlot
from app.ui.widgets.plot import PlotView
from app.ui.widgets.run_buttons import RunButtons
from app.ui.widgets.run_log_view import RunLogView
from app.ui.widgets.run_status import RunStatusPane
from app.ui.widgets.table import DataTable
from tests.patience import PATIENCE_MS
from tests.prove.killing import lab_server, read_state
from tests.ui.conftest import ExpectedLog, Shown
from tests.ui.person import click, find, press
from tests.ui.sessions import ready, run_on_lab, small_plan

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


class _Watcher:
    """Acts from the bridge's deliveries, as the window would be told."""

    def __init__(self, desk: Desk) -> None:
        self.events: list[RunEvent] = []
        desk.bridge.events_delivered.connect(self._on_events)

    def _on_events(self, events: tuple[RunEvent, ...]) -> None:
        self.events += events

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.events)


@pytest.fixture
def page(desk: Desk, shown: Shown) -> RunPage:
    """The page, shown."""
    made = RunPage(desk)
    shown(made, 1040, 600)
    return made


def _headline(page: RunPage) -> str:
    return find(page, QLabel, "run.headline.text").text()


def _button(page: RunPage, name: str) -> QPushButton:
    return find(page, QPushButton, f"run.{name}_button")


def _start(page: RunPage, choices: Choices) -> list[Choices]:
    told: list[Choices] = []
    page.choices_changed.connect(told.append)
    page.show_choices(choices)
    click(_button(page, "start"))
    return told


def test_before_the_start_nothing_but_start_can_be_pressed(page: RunPage, tmp_path: Path) -> None:
    """The page says what will happen and offers the start alone; without a plan not even that."""
    page.show_choices(Choices())
    assert not _button(page, "start").isEnabled()
    page.show_choices(ready(tmp_path / "s"))
    assert _headline(page) == "Ready to start"
    enabled = {button.objectName() for button in page.findChildren(QPushButton) if button.isEnabled()}
    assert enabled == {"run.start_button"}
    assert _button(page, "start").isDefault()


def test_a_run_is_shown_from_start_to_end(page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """Start, watch it go to its end: plots, log and progress are filled, and the wizard is told how it ended."""
    told = _start(page, ready(tmp_path / "s", small_plan(20_000)))
    gone_on: list[bool] = []
    page.advance_requested.connect(lambda: gone_on.append(page.isVisible()))
    assert desk.is_running
    assert not _button(page, "start").isEnabled()
    qtbot.waitUntil(lambda: bool(told))
    end = told[-1].run_end
    assert end is not None
    assert (end.run_id, end.status, end.not_restored) == ("E1", "succeeded", ())
    qtbot.waitUntil(lambda: gone_on == [True])
    assert _headline(page) == "Done"
    assert find(page, QProgressBar, "run.progress").value() == 1_000
    assert find(page, LivePlot, "run.time_plot").shown_points > 10
    assert find(page, QComboBox, "run.stream_combo").currentText() == "Delivered (commands/s)"
    spec = find(page, PlotView, "run.setting_plot").spec
    assert spec is not None
    assert [text for _x, text in spec.x_ticks] == ["1", "8"]
    log = find(page, QTextEdit, "run.log").toPlainText()
    assert "E1 began on lab" in log
    assert "E1: succeeded" in log
    assert find(page, DataTable, "run.changes_table").shown_keys == ()
    assert (tmp_path / "s" / "session.replitune").exists()
    assert _button(page, "start").text() == "Run &again…"


def test_the_keyboard_stays_on_the_buttons_from_start_to_end(page: RunPage, tmp_path: Path, qtbot: QtBot) -> None:
    """It never goes down to a table, which a small window would scroll to, with plots and headline out of sight."""

    def focused() -> str:
        widget = QApplication.focusWidget()
        return "" if widget is None else widget.objectName()

    page.show_choices(ready(tmp_path / "s", small_plan(20_000)))
    told: list[Choices] = []
    page.choices_changed.connect(told.append)
    _button(page, "start").setFocus()
    press(_button(page, "start"), Qt.Key.Key_Space)
    assert focused() in ("run.pause_button", "run.cancel_button")
    qtbot.waitUntil(lambda: bool(told))
    assert focused().endswith("_button")


def test_another_reading_can_be_chosen(page: RunPage, tmp_path: Path, qtbot: QtBot) -> None:
    """Every stream of the run can be shown by time."""
    told = _start(page, ready(tmp_path / "s"))
    qtbot.waitUntil(lambda: bool(told))
    combo = find(page, QComboBox, "run.stream_combo")
    combo.setCurrentIndex(combo.findText("Pending in the distribution database (commands)"))
    assert find(page, LivePlot, "run.time_plot").shown_points > 0


def test_plots_follow_the_colours_of_the_window(
    page: RunPage, prepared_qapp: QApplication, tmp_path: Path, qtbot: QtBot
) -> None:
    """A finished run survives the change from light to dark."""
    told = _start(page, ready(tmp_path / "s"))
    qtbot.waitUntil(lambda: bool(told))
    plot = find(page, PlotView, "run.setting_plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    before = plot.plot_item
    paint_application(prepared_qapp, DARK)
    qtbot.waitUntil(lambda: plot.plot_item is not None and plot.plot_item is not before)
    assert find(page, LivePlot, "run.time_plot").shown_points > 0


def test_cancel_ends_the_run_and_puts_everything_back(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot, served_lab: str, journal_path: Path
) -> None:
    """Cancelled in mid-trial on a server that outlives the run: its settings are as they were."""
    before = read_state(served_lab)
    watcher = _Watcher(desk)
    told = _start(page, ready(tmp_path / "s", small_plan(200_000, blocks=50), served_lab))
    qtbot.waitUntil(lambda: watcher.count(ChangeApplied) > 1 and watcher.count(SamplesTaken) > 0)
    qtbot.waitUntil(lambda: len(find(page, DataTable, "run.changes_table").shown_keys) > 0)
    click(_button(page, "cancel"))
    assert _headline(page).startswith("Ending")
    assert not _button(page, "cancel").isEnabled()
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1].run_end is not None
    assert told[-1].run_end.status == "cancelled"
    assert _headline(page) == "Cancelled"
    assert open_changes(journal_path) == ()
    assert read_state(served_lab) == before
    log = find(page, QTextEdit, "run.log").toPlainText()
    restored = re.search(r"Restored \d\d:\d\d, read back: \d+ changes?", log)
    assert restored is not None
    assert restored[0] in find(page, QLabel, "run.detail").text()


def test_restore_now_ends_the_run_at_once(page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """While something is changed it can be put back with one press."""
    watcher = _Watcher(desk)
    told = _start(page, ready(tmp_path / "s", small_plan(200_000, blocks=50)))
    qtbot.waitUntil(lambda: watcher.count(ChangeApplied) > 0)
    qtbot.waitUntil(_button(page, "restore").isEnabled)
    click(_button(page, "restore"))
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1].run_end is not None
    assert (told[-1].run_end.status, told[-1].run_end.not_restored) == ("cancelled", ())
    assert not _button(page, "restore").isEnabled()


def test_pause_waits_with_everything_put_back_and_resume_goes_on(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot, journal_path: Path
) -> None:
    """Pause takes effect after the trial, with nothing changed; Cancel stays where it is; resuming finishes the run.

    The log tells of it; nobody is warned of it afterwards, when it is long over.
    """
    watcher = _Watcher(desk)
    told = _start(page, ready(tmp_path / "s", small_plan(100_000)))
    cancel = _button(page, "cancel")
    place = cancel.mapTo(page, cancel.rect().topLeft())
    click(_button(page, "pause"))
    assert not _button(page, "pause").isVisible()
    qtbot.waitUntil(lambda: _headline(page).startswith("Paused"))
    find(page, QLabel, "run.detail").setText("Words. " * 100)
    QApplication.processEvents()
    assert cancel.mapTo(page, cancel.rect().topLeft()) == place
    assert open_changes(journal_path) == ()
    assert watcher.count(TrialFinished) <= 1
    click(_button(page, "resume"))
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1].run_end is not None
    assert told[-1].run_end.status == "succeeded"
    log = find(page, QTextEdit, "run.log").toPlainText()
    assert log.index("Paused; every change is undone") < log.index("The run goes on")
    assert told[-1].place is not None
    assert desk.explanations.explain(told[-1].place.session_file).advice.warnings == ()


def test_a_limit_ends_the_run_with_its_reason(page: RunPage, tmp_path: Path, qtbot: QtBot) -> None:
    """A run stopped by a limit of the plan says which."""
    told = _start(page, ready(tmp_path / "s", small_plan(20_000, limits=Limits.of(trial_duration_s=1.0))))
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE_MS)
    assert _headline(page) == "Stopped by a limit of the plan"
    assert re.search(r"Restored \d\d:\d\d, read back: 2 changes. “Resume run", find(page, QLabel, "run.detail").text())


def test_a_run_that_cannot_begin_says_why_and_can_be_tried_again(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """A target that is not there, or a folder that is a file, is one sentence on the page, and no end."""
    told = _start(page, ready(tmp_path / "s", target="lab@127.0.0.1:9"))
    with qtbot.waitSignal(desk.job_ended):
        pass
    assert _headline(page) == "Stopped by an error"
    assert told == []
    (tmp_path / "file").write_text("x")
    page.show_choices(ready(tmp_path / "file"))
    click(_button(page, "start"))
    assert "is a file" in find(page, QLabel, "run.detail").text()
    assert _button(page, "start").isEnabled()
    assert not desk.is_running


def test_what_cannot_be_put_back_is_an_alarm_and_can_be_tried_again(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot, expected_log: ExpectedLog
) -> None:
    """The server dies in mid-run: the page says in red what is open and what to do; a second try says it again.

    The end comes soon: nobody is waited for with each change. The journal holds every change the page names, and
    `rollback.sql` undoes as many.
    """
    expected_log.expect("the mark could not be taken again")  # where it is noticed by a statement of the restore
    with lab_server() as target:
        watcher = _Watcher(desk)
        page.advance_requested.connect(lambda: pytest.fail("the page of changes that stand was left by itself"))
        told = _start(page, ready(tmp_path / "s", small_plan(200_000, blocks=50), target))
        qtbot.waitUntil(lambda: watcher.count(ChangeApplied) > 1)
    qtbot.waitUntil(lambda: bool(told))
    alarms = find(page, QFrame, "run.alarms")
    assert alarms.isVisible()
    assert "•" in find(page, QLabel, "run.alarms.problems.text").text()
    assert "rollback.sql" in find(page, QLabel, "run.alarms.remedy").text()
    assert told[-1].run_end is not None
    assert told[-1].run_end.not_restored
    left = open_changes(desk.program.parts.journal_path)
    assert {entry.change.subject for entry in left} == {p.split(": ")[0] for p in told[-1].run_end.not_restored}
    script = (tmp_path / "s" / "rollback.sql").read_text(encoding="utf-8-sig")
    assert f"Changes still to be undone: {len(left)}" in script
    count = len(told)
    click(_button(page, "restore"))
    assert not _button(page, "restore").isEnabled()
    qtbot.waitUntil(lambda: len(told) > count)
    assert alarms.isVisible()
    assert _button(page, "restore").isEnabled()


def test_entering_again_shows_the_end_and_another_plan_begins_anew(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """Going back and forth keeps the finished run in sight; another plan can be started."""
    told = _start(page, ready(tmp_path / "s"))
    qtbot.waitUntil(lambda: bool(told))
    page.show_choices(told[-1])
    assert _headline(page) == "Done"
    assert find(page, LivePlot, "run.time_plot").shown_points > 0
    page.show_choices(ready(tmp_path / "s", small_plan(4_000)))
    assert _headline(page) == "Ready to start"
    assert find(page, QTextEdit, "run.log").toPlainText() == ""
    other = RunPage(desk)
    qtbot.addWidget(other)
    other.show_choices(told[-1])
    assert _headline(other) == "Done"


def test_a_second_run_needs_consent_of_its_own(page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """One consent is one start: “Run again” changes nothing, and leads back to the checks."""
    told = _start(page, replace(ready(tmp_path / "s"), consented=frozenset({"Distributor DIST1"})))
    qtbot.waitUntil(lambda: bool(told))
    with qtbot.waitSignal(page.return_requested):
        click(_button(page, "start"))
    assert not desk.is_running
    assert told[-1].consented == frozenset()
    assert why_not_leave(Step.PREFLIGHT, told[-1]) == "The checks have not run yet."
    page.show_choices(told[-1])
    assert _headline(page) == "Ready to start"


def test_the_page_of_a_resumed_run_shows_what_was_kept(page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """It says so before the start, tells nothing of how the first part ended, and draws kept trials with the others."""
    ended = run_on_lab(tmp_path / "s", is_cancelled=True)
    page.show_choices(ended)
    assert _headline(page) == "Cancelled"
    resumed = read_earlier_run(ended, desk.program).choices
    assert resumed.resumes is not None
    assert len(resumed.resumes.trials) == 1
    page.show_choices(resumed)
    assert _headline(page) == "Ready to start"
    assert find(page, QLabel, "run.trial").text() == ""
    told: list[Choices] = []
    page.choices_changed.connect(told.append)
    click(_button(page, "start"))
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1].run_end is not None
    assert told[-1].run_end.status == "succeeded"
    assert resumed.place is not None
    (run,) = desk.explanations.explain(resumed.place.session_file).session.runs
    measured = [m for trial in run.trials for m in trial.measurements]
    shown = find(page, PlotView, "run.setting_plot").spec
    assert shown == plot_by_setting(desk.program.families[run.plan.family], run.plan, measured)


def test_trials_are_drawn_as_means_and_the_effect_grows_beside_them(
    page: RunPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """One mean for each trial, minutes across, the effect of what leads with its interval, and what else ran."""
    watcher = _Watcher(desk)
    told = _start(page, ready(tmp_path / "s"))
    qtbot.waitUntil(lambda: bool(told))
    assert find(page, LivePlot, "run.time_plot").shown_trials == watcher.count(TrialFinished)
    effect = find(page, PlotView, "run.effect_plot").spec
    assert effect is not None
    assert effect.title.startswith("SubscriptionStreams 8 so far: −")
    assert find(page, QLabel, "run.beside").text() == "Nothing else was seen running so far."


def test_a_long_line_of_the_log_is_read_without_scrolling_sideways(shown: Shown) -> None:
    """A line that is longer than the log is wide goes on below."""
    log, view = RunLog(), RunLogView()
    shown(view, 300, 200)
    log.note(Note("E1", "Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1 was started by somebody else. " * 3), NOW)
    view.show_log(log)
    QApplication.processEvents()
    assert view.horizontalScrollBar().maximum() == 0
    line = view.document().firstBlock()
    assert line.layout().lineCount() > 1
    starts_px = [line.layout().lineAt(place).naturalTextRect().left() for place in range(line.layout().lineCount())]
    clock_px = view.fontMetrics().horizontalAdvance(line.text().partition("  ")[0])
    assert min(starts_px[1:]) - starts_px[0] > clock_px, "what goes on below stands under the words, not the clock"


def test_pause_and_cancel_stay_where_they_are(page: RunPage) -> None:
    """However long what is said below them gets, and whether one pauses or goes on."""
    buttons = [find(page, QPushButton, f"run.{name}_button") for name in ("pause", "cancel", "restore")]
    (pane,), (bar,) = page.findChildren(RunStatusPane), page.findChildren(RunButtons)
    shown = picture(RunState({}), Choices(target="lab"))
    long = replace(shown, headline="Waits for the server " * 20, detail="Start the agents " * 30, can_resume=True)

    def places(of: RunPicture) -> list[QPoint]:
        pane.show_picture(of)
        bar.show_picture(of, has_begun=True)
        QApplication.processEvents()
        return [button.mapTo(page, QPoint()) for button in buttons]

    height_px = pane.height()
    before = places(shown)
    assert places(long) == before
    assert pane.height() > height_px  # it did wrap
