"""Whoever works with the keyboard sees where it is, on every page."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import STEPS, Wizard
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import find

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


def test_the_keyboard_is_seen_wherever_tab_leads(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """On the start page and on each step, whatever the widget."""
    window = MainWindow(desk)
    shown(window)
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
