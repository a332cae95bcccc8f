"""Whoever works with the keyboard sees where it is, on every page."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QRadioButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import STEPS, Choices, Step, Wizard
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.page import WizardPage
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import find
from tests.ui.sessions import run_on_lab

_MOST_STOPS = 40  # of the Tab key on a page


def stops_unseen(window: MainWindow) -> list[str]:
    """Return the widgets of a page the Tab key stops at without anything to be seen."""
    unseen: list[str] = []
    stops: set[QWidget] = set()
    for _stop in range(_MOST_STOPS):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        QApplication.processEvents()
        stop = QApplication.focusWidget()
        if stop is None or stop in stops:
            break
        stops.add(stop)
        with_keyboard = window.grab().toImage()
        stop.clearFocus()
        QApplication.processEvents()
        if window.grab().toImage() == with_keyboard:
            unseen.append(f"{type(stop).__name__} {stop.objectName()}")
        stop.setFocus(Qt.FocusReason.TabFocusReason)
    assert len(stops) > 1
    return unseen


class _Choosing(WizardPage):
    """A page that begins with two ways, of which the second one is chosen."""

    step = Step.PREFLIGHT

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        layout = QVBoxLayout(self)
        for name in ("first", "second"):
            radio = QRadioButton(name)
            radio.setObjectName(name)
            radio.setChecked(name == "second")
            layout.addWidget(radio)


def test_a_page_is_entered_at_the_way_that_is_chosen(desk: Desk, shown: Shown) -> None:
    """As Tab does within a page: a blank pressed there chooses nothing else."""
    page = _Choosing(desk)
    shown(page, 400, 300)
    page.take_keyboard()
    assert find(page, QRadioButton, "second").hasFocus()


def test_the_keyboard_stays_on_a_page_whose_widget_goes(desk: Desk, shown: Shown) -> None:
    """Qt would give it to whatever comes next in the window, such as the list of steps, and frame that."""
    window, page, beyond = QWidget(), _Choosing(desk), QPushButton("beyond")
    first, last = QPushButton("first"), QPushButton("last")
    inside = page.layout()
    assert inside is not None
    for part in (first, last):
        inside.addWidget(part)
    for radio in page.findChildren(QRadioButton):
        radio.hide()
    layout = QVBoxLayout(window)
    layout.addWidget(page)
    layout.addWidget(beyond)
    shown(window, 400, 300)
    last.setFocus()
    with page.keeping_keyboard():
        last.setEnabled(False)
    assert first.hasFocus()
    beyond.setFocus()
    with page.keeping_keyboard():
        first.setEnabled(False)
    assert beyond.hasFocus()


@pytest.mark.parametrize("size_px", [(1366, 768), (683, 384)])
def test_the_keyboard_is_seen_wherever_tab_leads(
    desk: Desk, shown: Shown, qtbot: QtBot, size_px: tuple[int, int]
) -> None:
    """On the start page and on each step, whatever the widget; at 100 % and at 200 %, where pages scroll."""
    window = MainWindow(desk)
    shown(window, *size_px)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert stops_unseen(window) == []
    window.begin_lab()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    frame = find(window, WizardFrame, "wizard")
    choices = frame.wizard.choices
    for step in STEPS:
        frame.show_wizard(Wizard(step, choices))
        qtbot.waitUntil(lambda: desk.tasks.count == 0)
        assert stops_unseen(window) == [], step


def test_findings_take_the_keyboard_once_they_are_read(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """The arrow keys read on at once; whoever went elsewhere meanwhile, or opens what is not there, keeps it."""
    window = MainWindow(desk)
    shown(window)
    window.begin_lab()
    measured = run_on_lab(tmp_path / "measured")

    def keyboard_after(choices: Choices, pressed: Qt.Key | None = None) -> str:
        frame = find(window, WizardFrame, "wizard")
        frame.begin(Wizard(Step.FINDINGS, choices))
        focused = QApplication.focusWidget()
        assert focused is not None
        assert focused.objectName() == "findings.loading"
        if pressed is not None:
            QTest.keyClick(focused, pressed)
        qtbot.waitUntil(lambda: desk.tasks.count == 0)
        now = QApplication.focusWidget()
        assert now is not None
        return now.objectName()

    assert keyboard_after(measured) == "findings.cards"
    assert keyboard_after(measured, Qt.Key.Key_Tab) == "wizard.step_list"
    assert keyboard_after(Choices(folder=tmp_path / "nowhere")) == "findings.retry_button"
