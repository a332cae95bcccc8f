"""The window comes back as it was left."""

from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from tests.ui.conftest import Shown


def test_the_next_start_has_the_size_the_last_one_ended_with(
    desk: Desk, program: Program, preference_file: PreferenceFile, shown: Shown, qtbot: QtBot
) -> None:
    """Size and place are kept when the window closes, with the other preferences."""
    first = MainWindow(desk)
    shown(first, 700, 500)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    first.close()
    desk.close()
    assert preference_file.load().window_place
    again = Desk(program, preference_file)
    second = MainWindow(again)
    qtbot.addWidget(second)
    assert second.size() == QSize(700, 500)
    again.close()
    again.deleteLater()


def test_a_place_nobody_can_read_is_ignored(desk: Desk, qtbot: QtBot) -> None:
    """Words that are no geometry leave the window as it is made."""
    desk.prefer(Preferences(window_place="nonsense"))
    desk.window_place = "nonsense"
    window = MainWindow(desk)
    qtbot.addWidget(window)
    assert window.size() == QSize(1280, 720)
