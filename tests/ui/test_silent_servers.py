"""Servers that fall silent with no run: whoever asked them is told within half a minute, and need not wait."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Choices, Step, Wizard
from app.services.look.reading import read_target
from app.services.program import Program
from app.services.run.restoring import open_changes
from app.services.workplace import Workplace
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.doctor_dialog import DoctorDialog
from app.ui.pages.observe_dialog import ObserveDialog
from app.ui.pages.verify_dialog import VerifyDialog
from app.ui.site_watcher import SiteWatcher
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import click, find
from tests.ui.sessions import ready, run_on_lab
from tests.ui.shell_parts import bare_pages
from tests.ui.silent_lab import SERVER, SilentLab
from tests.ui.test_start_page import leave_changed
from tests.ui.test_watchman import HeldClock

__all__ = ["leave_changed"]


@pytest.fixture
def lab(program: Program) -> Iterator[SilentLab]:
    """A lab that answers until a test says otherwise."""
    silent = SilentLab(program.parts.open_target)
    yield silent
    silent.answer_again()


@pytest.fixture
def clock() -> HeldClock:
    """What the window tells the time by."""
    return HeldClock()


@pytest.fixture
def desk(desk: Desk, lab: SilentLab, clock: HeldClock) -> Desk:
    """The desk of a window on that lab."""
    desk.program = Program(replace(desk.program.parts, open_target=lab))
    desk.clock = clock
    return desk


@dataclass
class Place:
    """A window with the choices of somebody who has read the site and made a plan."""

    window: MainWindow
    desk: Desk
    choices: Choices
    folder: Path

    def at(self, step: Step) -> QWidget:
        """Show a step; return its page."""
        frame = find(self.window, WizardFrame, "wizard")
        self.window.show_step(step)
        frame.show_wizard(Wizard(step, self.choices))
        assert frame.page is not None
        return frame.page

    def ask_for_dry_run(self) -> str:
        """Plan: look what it would do."""
        click(find(self.at(Step.PLAN), QPushButton, "plan.dry_run_button"))
        return "plan.file_status.text"

    def check(self) -> str:
        """Check before the run."""
        self.at(Step.PREFLIGHT)
        return "preflight.status.text"

    def read_site(self) -> str:
        """Arrive at a site that was not read yet."""
        self.choices = Choices(target="lab")
        self.at(Step.TOPOLOGY)
        return "topology.attempt.text"

    def observe(self) -> str:
        """Look at the history."""
        ObserveDialog(self.desk, "lab", self.window).open()
        return "observe.line.text"

    def doctor(self) -> str:
        """Look at the rights."""
        DoctorDialog(self.desk, "lab", self.window).open()
        return "doctor.login_line.text"

    def verify(self) -> str:
        """Hold a session's promises against the servers."""
        run_on_lab(self.folder)
        dialog = VerifyDialog(self.desk, Workplace(self.folder).session_file, "", "lab", self.window)
        dialog.open()
        click(find(dialog, QPushButton, "verify.verify_button"))
        return "verify.status.text"


ASKED: dict[str, Callable[[Place], str]] = {
    name: getattr(Place, name) for name in ("ask_for_dry_run", "check", "read_site", "observe", "doctor", "verify")
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_whoever_asks_a_silent_server_is_told_within_half_a_minute_and_need_not_wait(
    ask: Callable[[Place], str],
    desk: Desk,
    lab: SilentLab,
    clock: HeldClock,
    shown: Shown,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    """The bar above every page names the server; who stops waiting is told so at once, and can ask again."""
    read = read_target("lab", desk.program.families, lab)
    choices = replace(ready(tmp_path / "s"), discovery=read.discovery, sites=read.sites)
    window = MainWindow(desk)
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    place = Place(window, desk, choices, tmp_path / "v")
    lab.fall_silent()
    said = find(window, QLabel, ask(place))
    qtbot.waitUntil(lab.waits.is_set)
    desk.servers.look()
    bar, line = find(window, QWidget, "main_window.silence"), find(window, QLabel, "main_window.silence_line.text")
    clock.now_s += 28.0
    desk.servers.look()
    assert not bar.isVisible()
    clock.now_s += 2.0
    qtbot.waitUntil(bar.isVisible)
    assert line.text().startswith(f"No answer from {SERVER} for 30\u00a0s, since ")
    find(window, QPushButton, "main_window.silence_button").click()
    assert not bar.isVisible()
    assert said.text() == "Cancelled; nothing was changed."
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    lab.answer_again()
    for dialog in window.findChildren(DoctorDialog) + window.findChildren(ObserveDialog):
        dialog.reject()


def test_a_site_that_is_watched_is_told_and_watched_on_once_it_answers(
    desk: Desk, lab: SilentLab, clock: HeldClock, shown: Shown, qtbot: QtBot
) -> None:
    """The half minute counts from the last answer: the pause before the next reading does not put it off."""
    window = MainWindow(desk)
    shown(window)
    window.begin_lab()
    line = find(window, QLabel, "main_window.silence_line.text")
    qtbot.waitUntil(lambda: find(window, QLabel, "site.line.text").text().startswith("Read "))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    watcher = window.findChildren(SiteWatcher)[0]
    lab.fall_silent()
    clock.now_s += 20.0
    watcher.findChildren(QTimer)[0].timeout.emit()
    qtbot.waitUntil(lab.waits.is_set)
    desk.servers.look()
    clock.now_s += 10.0
    qtbot.waitUntil(lambda: line.text().startswith(f"No answer from {SERVER} for 30\u00a0s"))
    lab.answer_again()
    qtbot.waitUntil(lambda: not line.isVisible())
    watcher.stop()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_reads_at_a_silent_server_keep_nobody_waiting_who_reads_files(
    desk: Desk, lab: SilentLab, clock: HeldClock, shown: Shown, qtbot: QtBot
) -> None:
    """Several hang, and a session file is read meanwhile; the window closes without waiting for them."""
    window = MainWindow(desk)
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    lab.fall_silent()
    told: list[object] = []
    for _one in range(4):
        desk.servers.query(window, partial(read_target, "lab", desk.program.families), told.append, told.append)
    desk.tasks.query(window, lambda: "a file", told.append, told.append)
    qtbot.waitUntil(lambda: told == ["a file"])
    desk.servers.leave_reads()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert len(told) == 5


def test_a_restore_that_meets_a_silent_server_is_told_and_can_be_stopped(
    desk: Desk,
    lab: SilentLab,
    clock: HeldClock,
    shown: Shown,
    served_lab: str,
    leave_changed: Callable[..., None],
    qtbot: QtBot,
) -> None:
    """What is not undone stays in the journal, and is undone once the server answers again."""
    leave_changed(served_lab)
    journal = desk.program.parts.journal_path
    window = MainWindow(desk, bare_pages())
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    line = find(window, QLabel, "main_window.silence_line.text")
    restore = find(window, QPushButton, "start.restore_button")
    before = len(open_changes(journal))
    lab.fall_silent()
    click(restore)
    qtbot.waitUntil(lab.waits.is_set)
    desk.servers.look()
    clock.now_s += 30.0
    qtbot.waitUntil(lambda: line.text().startswith(f"No answer from {served_lab} for 30\u00a0s"))
    find(window, QPushButton, "main_window.silence_button").click()
    lab.answer_again()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert not line.isVisible()
    assert 0 < len(open_changes(journal)) <= before
    click(restore)
    qtbot.waitUntil(lambda: desk.tasks.count == 0 and not open_changes(journal))
