"""The frame of the window: steps, footer, menu, what is changed right now, errors, and closing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QProgressDialog,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.domain.plot import Mark, PlotSpec, Series
from app.flows.shell.error_report import RecentLog
from app.flows.shell.wizard import Choices, RunEnd, Step, Wizard
from app.ui.desk import Desk
from app.ui.error_dialog import ErrorDialog, ErrorReporter
from app.ui.main_window import MainWindow
from app.ui.session_end import SessionEnd
from app.ui.theme import SchemeKeeper, is_dark, make_palette, paint_application
from app.ui.tokens import DARK
from app.ui.widgets.plot import PlotView
from app.ui.wizard_frame import WizardFrame
from tests.patience import PATIENCE_S
from tests.prove.killing import lab_server, read_state
from tests.ui.conftest import ExpectedLog, Shown
from tests.ui.held_lab import HeldUndo
from tests.ui.person import click, find, press
from tests.ui.shell_parts import BarePage, bare_pages, order_of, small_plan


@pytest.fixture
def window(desk: Desk, shown: Shown) -> MainWindow:
    """The window with bare pages, at its start page."""
    made = MainWindow(desk, bare_pages())
    shown(made)
    return made


def page_of(window: MainWindow) -> BarePage:
    """Return the wizard page shown."""
    page = find(window, WizardFrame, "wizard").page
    assert isinstance(page, BarePage)
    return page


def sentence(window: MainWindow) -> str:
    """Return what the footer says."""
    return find(window, QLabel, "wizard.sentence").text()


def shows_wizard(window: MainWindow) -> bool:
    """Tell whether the wizard is shown."""
    return find(window, WizardFrame, "wizard").isVisible()


def test_a_new_session_begins_at_its_target_with_a_folder_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    """New session leads to the first step; Next waits until a target is chosen, and says so."""
    click(find(window, QPushButton, "start.new_button"))
    assert shows_wizard(window)
    assert page_of(window).step is Step.TARGET
    assert page_of(window).shown[-1].folder is not None
    assert not find(window, QPushButton, "wizard.next_button").isEnabled()
    assert sentence(window) == "Choose a target, save a new one, or try the lab."
    assert window.windowTitle() == "Connect – Replitune"
    window.show_start()
    assert window.windowTitle() == "Replitune"


def test_a_choice_makes_next_possible_and_back_keeps_it(window: MainWindow) -> None:
    """What a page chooses is kept; Next and Back move between the pages."""
    click(find(window, QPushButton, "start.new_button"))
    page_of(window).choices_changed.emit(Choices(target="lab"))
    click(find(window, QPushButton, "wizard.next_button"))
    assert page_of(window).step is Step.TOPOLOGY
    assert page_of(window).shown[-1].target == "lab"
    click(find(window, QPushButton, "wizard.back_button"))
    assert page_of(window).step is Step.TARGET
    assert page_of(window).shown[-1].target == "lab"


def test_the_keyboard_enters_the_first_field_of_a_page(window: MainWindow, qtbot: QtBot) -> None:
    """Entering a step gives the keyboard to its first field, so that nobody needs the mouse."""
    click(find(window, QPushButton, "start.lab_button"))
    qtbot.waitUntil(page_of(window).field.hasFocus)
    press(window, Qt.Key.Key_Left)
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert page_of(window).step is Step.TARGET
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page_of(window).step is Step.TOPOLOGY


def test_after_the_hand_over_the_next_thing_is_tested_or_another_client_begun(
    window: MainWindow, desk: Desk, tmp_path: Path
) -> None:
    """The last step ends in two buttons; the site is there again, and what was found stays in the rail."""
    found = Choices(target="lab", folder=tmp_path / "1", run_end=RunEnd("S1", "E1", "succeeded", "complete", ()))
    discovery: Any = object()  # passed on, never looked at
    frame = find(window, WizardFrame, "wizard")
    click(find(window, QPushButton, "start.lab_button"))
    frame.show_wizard(Wizard(Step.HAND_OVER, replace(found, discovery=discovery)))
    assert not find(window, QPushButton, "wizard.next_button").isVisible()
    assert find(window, QPushButton, "wizard.client_button").isVisible()
    click(find(window, QPushButton, "wizard.test_button"))
    assert frame.wizard.step is Step.TOPOLOGY
    assert frame.wizard.choices.folder != found.folder
    find(window, QAction, "action.step_findings").trigger()
    assert page_of(window).shown[-1].run_end == found.run_end
    assert page_of(window).shown[-1].folder == found.folder
    click(find(window, QPushButton, "wizard.back_button"))
    assert str(frame.wizard.step) == "topology"


def test_trying_the_lab_begins_at_its_topology(window: MainWindow) -> None:
    """The lab is chosen already: the first thing to see is what is there."""
    click(find(window, QPushButton, "start.lab_button"))
    assert page_of(window).step is Step.TOPOLOGY
    assert page_of(window).shown[-1].target == "lab"


def test_a_step_out_of_reach_says_why(window: MainWindow) -> None:
    """A click on a step that cannot be reached stays where it is and gives the reason."""
    click(find(window, QPushButton, "start.lab_button"))
    steps = find(window, QListWidget, "wizard.step_list")
    reason = steps.item(5).toolTip()
    assert reason.startswith("Site: ")
    click(steps.viewport(), steps.visualItemRect(steps.item(5)).center())
    assert page_of(window).step is Step.TOPOLOGY
    assert sentence(window) == reason
    click(steps.viewport(), steps.visualItemRect(steps.item(0)).center())
    assert page_of(window).step is Step.TARGET


def test_what_a_page_does_in_the_background_is_shown_only_while_it_is_there(window: MainWindow) -> None:
    """The busy line belongs to the page that is busy."""
    click(find(window, QPushButton, "start.lab_button"))
    page_of(window).busy_changed.emit("Reading the topology…")
    busy = find(window, QLabel, "wizard.busy_text")
    assert busy.isVisible()
    assert busy.text() == "Reading the topology…"
    click(find(window, QPushButton, "wizard.back_button"))
    assert not busy.isVisible()
    click(find(window, QPushButton, "wizard.next_button"))
    assert busy.isVisible()
    page_of(window).busy_changed.emit("")
    assert not busy.isVisible()


def test_a_page_left_behind_cannot_change_the_choices(window: MainWindow) -> None:
    """A reading that arrives after its page was left does not undo what was chosen since."""
    click(find(window, QPushButton, "start.lab_button"))
    topology = page_of(window)
    click(find(window, QPushButton, "wizard.back_button"))
    topology.choices_changed.emit(Choices(target="old"))
    assert find(window, WizardFrame, "wizard").wizard.choices.target == "lab"


def test_a_page_can_ask_for_the_next_step(window: MainWindow) -> None:
    """A double click on a page goes on, where nothing is missing; else the footer says what is."""
    click(find(window, QPushButton, "start.new_button"))
    page_of(window).advance_requested.emit()
    assert page_of(window).step is Step.TARGET
    page_of(window).choices_changed.emit(Choices(target="lab"))
    page_of(window).advance_requested.emit()
    assert page_of(window).step is Step.TOPOLOGY


def test_a_new_session_shows_nothing_of_the_last_one(window: MainWindow) -> None:
    """Pages of another session are made anew."""
    click(find(window, QPushButton, "start.lab_button"))
    first = page_of(window)
    window.begin_lab()
    assert page_of(window) is not first
    assert len(page_of(window).shown) == 1


def test_menu_actions_without_a_session_are_disabled(window: MainWindow) -> None:
    """Steps, Back, Next and the runs need a session; the menu knows."""
    for name in ("action.back", "action.next", "action.runs", "action.step_target"):
        assert not find(window, QAction, name).isEnabled(), name
    for name in ("action.new_session", "action.open_session", "action.settings", "action.quit"):
        assert find(window, QAction, name).isEnabled(), name
    click(find(window, QPushButton, "start.lab_button"))
    assert find(window, QAction, "action.step_target").isEnabled()
    assert find(window, QAction, "action.back").isEnabled()
    assert not find(window, QAction, "action.step_run").isEnabled()


def test_every_widget_that_takes_the_keyboard_has_name_and_spoken_name(window: MainWindow) -> None:
    """Screen readers and tests can name everything that can be operated."""
    click(find(window, QPushButton, "start.lab_button"))
    for place in ("page.start", "wizard.footer"):
        part = find(window, QWidget, place)
        for widget in part.findChildren(QPushButton):
            assert widget.objectName(), widget
            assert widget.accessibleName(), widget.objectName()


def run_in(window: MainWindow, desk: Desk, target: str, folder: Path, qtbot: QtBot, commands: int = 60_000) -> None:
    """Start a run and wait until something is changed on the server."""
    window.begin_lab()
    desk.start_job(order_of(desk.program, small_plan(commands, blocks=8), target, folder))
    strip = find(window, QLabel, "server_strip.text")
    qtbot.waitUntil(lambda: "right now" in strip.text())


def test_the_strip_says_what_is_changed_while_a_run_goes_on(
    window: MainWindow, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """While a run goes on its changes are named; at its end nothing is changed any more."""
    run_in(window, desk, "lab", tmp_path / "session", qtbot, commands=3_000)
    assert not find(window, QAction, "action.new_session").isEnabled()
    with qtbot.waitSignal(desk.job_ended):
        pass
    strip = find(window, QLabel, "server_strip.text")
    qtbot.waitUntil(lambda: strip.text() == "Nothing is changed on any server.")
    assert find(window, QAction, "action.new_session").isEnabled()
    assert desk.preferences.recent_sessions == (str(tmp_path / "session" / "session.replitune"),)


def test_closing_in_mid_run_asks_restores_and_then_closes(
    window: MainWindow, desk: Desk, served_lab: str, tmp_path: Path, qtbot: QtBot
) -> None:
    """Closing asks first; then the run is stopped, the server put back, and only then the window closes."""
    original = read_state(served_lab)
    run_in(window, desk, served_lab, tmp_path / "session", qtbot)
    window.close()
    assert window.isVisible()
    question = find(window, QMessageBox, "closing.question")
    assert "undo every change" in question.text()
    with qtbot.waitSignal(window.closed):
        click(find(question, QPushButton, "closing.stop_button"))
    assert not window.isVisible()
    assert not desk.is_running
    assert read_state(served_lab) == original


class AskedSession:
    """The end of a session, as Qt asks for it."""

    is_refused = False

    def allowsInteraction(self) -> bool:
        """A program may refuse."""
        return True

    def cancel(self) -> None:
        """Refuse."""
        self.is_refused = True


class ShutdownReasons:
    """Windows' user32, as far as the reasons against a shutdown go."""

    def __init__(self) -> None:
        self.reasons: dict[int, str] = {}

    def ShutdownBlockReasonCreate(self, window: int, why: str) -> None:
        """Show a reason."""
        self.reasons[window] = why

    def ShutdownBlockReasonDestroy(self, window: int) -> None:
        """Show it no longer."""
        del self.reasons[window]


def test_logging_off_in_mid_run_is_refused_and_everything_is_put_back(
    window: MainWindow, desk: Desk, served_lab: str, tmp_path: Path, qtbot: QtBot
) -> None:
    """While servers are changed the session does not end, Windows shows why, and the run is stopped at once."""
    original, windows = read_state(served_lab), ShutdownReasons()
    ending = SessionEnd(desk, window, windows)
    run_in(window, desk, served_lab, tmp_path / "session", qtbot)
    assert windows.reasons == {
        int(window.winId()): "A run is in progress: servers are changed, and the changes are being undone."
    }
    refused = AskedSession()
    with qtbot.waitSignal(desk.job_ended):
        ending.on_asked(refused)
    assert refused.is_refused
    assert windows.reasons == {}
    assert read_state(served_lab) == original
    allowed = AskedSession()
    ending.on_asked(allowed)
    assert not allowed.is_refused


def test_what_is_put_back_is_told_while_closing_waits(
    window: MainWindow, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """On a slow server the window stays, says what is put back, and closes when everything is."""
    hold = HeldUndo(desk.program.parts.open_target, changes=3)  # a profile, a stopped agent, and the value undone first
    desk.program.parts = replace(desk.program.parts, open_target=hold)
    run_in(window, desk, "lab", tmp_path / "session", qtbot)
    qtbot.waitUntil(hold.changed.is_set)
    window.close()
    click(find(find(window, QMessageBox, "closing.question"), QPushButton, "closing.stop_button"))
    hold.go_on_changing()
    progress = find(window, QProgressDialog, "closing.progress")
    qtbot.waitUntil(lambda: progress.labelText().startswith("Undone: "))
    assert hold.held.wait(PATIENCE_S)
    assert window.isVisible()
    assert "right now" in find(window, QLabel, "server_strip.text").text()
    with qtbot.waitSignal(window.closed):
        hold.go_on()
    assert not desk.is_running


def test_a_run_may_go_on_instead_of_closing(window: MainWindow, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """Whoever thinks better of closing finds the run unharmed, and is asked again the next time."""
    run_in(window, desk, "lab", tmp_path / "session", qtbot)
    for _time in range(2):
        window.close()
        question = find(window, QMessageBox, "closing.question")
        press(question, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
        assert window.isVisible()
        assert desk.is_running
    assert desk.job is not None
    with qtbot.waitSignal(desk.job_ended):
        desk.job.control.cancel()


def test_a_circle_that_is_not_chosen_is_seen_in_the_dark(prepared_qapp: QApplication, qtbot: QtBot) -> None:
    """The ring of a radio button stands out 3 : 1 against the ground of a card."""
    keeper = SchemeKeeper(prepared_qapp, "dark")
    radio = QRadioButton("")
    qtbot.addWidget(radio)
    ground = make_palette(DARK).color(QPalette.ColorRole.Button)
    image = QImage(radio.sizeHint(), QImage.Format.Format_RGB32)
    image.fill(ground)
    radio.resize(radio.sizeHint())
    radio.render(image, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
    seen = [image.pixelColor(x, image.height() // 2) for x in range(image.width())]
    lightest = max(_luminance(color) for color in seen)
    assert (lightest + 0.05) / (_luminance(ground) + 0.05) >= 3
    keeper.prefer("light")
    keeper.deleteLater()


def _luminance(color: QColor) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    parts = ((color.redF(), 0.2126), (color.greenF(), 0.7152), (color.blueF(), 0.0722))
    linear = ((part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4, share) for part, share in parts)
    return sum(float(part) * share for part, share in linear)


def test_closing_waits_for_what_is_being_read(window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
    """A reading ends before the window closes, with the window alive."""
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    answers: list[int] = []
    desk.tasks.query(window, lambda: sum(range(3_000_000)), answers.append, lambda _error: None)
    with qtbot.waitSignal(window.closed):
        window.close()
    assert answers


def test_an_unexpected_error_shows_a_report_that_can_be_copied(
    window: MainWindow, desk: Desk, qtbot: QtBot, expected_log: ExpectedLog
) -> None:
    """The report names version and place, hides passwords, and the program goes on."""
    expected_log.expect("unexpected error")
    reporter = ErrorReporter(RecentLog(), window)
    desk.trouble.connect(reporter.show_error)
    desk.trouble.emit(ValueError("connect failed: PWD=hunter2;"))
    dialog = find(window, ErrorDialog, "error_dialog")
    click(find(dialog, QPushButton, "error_dialog.copy_button"))
    copied = QGuiApplication.clipboard().text()
    assert "Replitune 0." in copied
    assert "ValueError: connect failed: PWD=***;" in copied
    desk.trouble.emit(KeyError("second"))
    assert "KeyError" in find(dialog, QPlainTextEdit, "error_dialog.report_text").toPlainText()
    click(find(dialog, QPushButton, "error_dialog.go_on_button"))
    qtbot.waitUntil(lambda: not window.findChildren(ErrorDialog))
    assert window.isVisible()


def test_colours_follow_the_preference(prepared_qapp: QApplication) -> None:
    """Dark and light can be chosen; everything is drawn anew."""
    keeper = SchemeKeeper(prepared_qapp, "dark")
    assert is_dark()
    keeper.prefer("light")
    assert not is_dark()
    keeper.prefer("system")
    keeper.deleteLater()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_window_survives_a_change_of_colours(
    window: MainWindow, prepared_qapp: QApplication, scheme: str, qtbot: QtBot
) -> None:
    """Icons and texts of the frame are drawn again when the colours change."""
    click(find(window, QPushButton, "start.lab_button"))
    keeper = SchemeKeeper(prepared_qapp, "dark" if scheme == "dark" else "light")
    steps = find(window, QListWidget, "wizard.step_list")
    assert steps.item(1).text() == "Site"
    keeper.deleteLater()


def test_a_session_that_ended_can_go_on_to_its_findings(window: MainWindow) -> None:
    """Once a run has ended its step can be left."""
    click(find(window, QPushButton, "start.lab_button"))
    frame = find(window, WizardFrame, "wizard")
    opened = Choices(run_end=RunEnd("S1", "E1", "succeeded", "", ()), folder=Path("/nowhere"), opened=True)
    frame.begin(frame.wizard.with_choices(opened).go_to(Step.FINDINGS))
    assert page_of(window).step is Step.FINDINGS
    assert not find(window, QPushButton, "wizard.back_button").isEnabled()
    assert find(window, QPushButton, "wizard.next_button").isEnabled()


def test_closing_says_what_could_not_be_put_back(
    window: MainWindow, desk: Desk, tmp_path: Path, qtbot: QtBot, expected_log: ExpectedLog
) -> None:
    """Where the server is gone the window says what is still changed before it closes."""
    expected_log.expect("the mark could not be taken again")
    with lab_server() as target:
        run_in(window, desk, target, tmp_path / "session", qtbot)
        window.close()
    click(find(find(window, QMessageBox, "closing.question"), QPushButton, "closing.stop_button"))
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox, "closing.not_restored")))
    warning = find(window, QMessageBox, "closing.not_restored")
    assert "•" in warning.text()
    assert "rollback.sql" in warning.text()
    with qtbot.waitSignal(window.closed):
        click(find(warning, QPushButton, "closing.close_button"))
    assert not window.isVisible()


def test_a_plot_scrolled_in_from_below_follows_the_colours(
    prepared_qapp: QApplication, shown: Shown, qtbot: QtBot
) -> None:
    """A plot of which only the lower part is seen is drawn anew when the colours change."""
    plot = PlotView("some.plot", interactive=False)
    plot.setFixedHeight(400)
    series = Series("s", Mark.LINE, (0.0, 1.0, 2.0), (1.0, 2.0, 3.0))
    plot.show_plot(PlotSpec("some", "A title", "A line.", "x", "y", (series,)))
    inside = QWidget()
    layout = QVBoxLayout(inside)
    layout.addWidget(plot)
    layout.addSpacing(800)
    scroll = QScrollArea()
    scroll.setWidget(inside)
    scroll.setWidgetResizable(True)
    shown(scroll, 500, 400)
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    scroll.verticalScrollBar().setValue(150)
    drawn = plot.plot_item
    paint_application(prepared_qapp, DARK)
    qtbot.waitUntil(lambda: plot.plot_item is not drawn)
