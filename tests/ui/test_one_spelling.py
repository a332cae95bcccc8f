"""On one page a number has one spelling: "5,000" or "5000", never both."""

from pathlib import Path

from PySide6.QtWidgets import QApplication, QTabWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.foundation.paths import resource_path
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from tests.ui.conftest import Shown
from tests.ui.journey import MouseTraveller, numbers_on, spelt_twice
from tests.ui.person import find


def test_two_spellings_are_seen() -> None:
    """What the test looks for is found; addresses, times and names are no such numbers."""
    assert spelt_twice(["ReadBatchSize 500 → 5,000", "at 5000"]) == {5000}
    assert spelt_twice(["2,016 commands", "SQL Server 2016 at 10.0.0.1:2016"]) == {2016}
    assert spelt_twice(["1,433 commands", "dist1:1433", "1433-1"]) == set()


def test_site_and_plan_spell_each_number_once(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """The cards of what is worth testing, with values up to 10,000, and the plan one of them leads to."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path)))
    window = MainWindow(desk)
    shown(window, 1366, 768)
    traveller = MouseTraveller(window, desk, qtbot)
    window.begin_at("lab:busy-day")
    traveller.arrive(Step.TOPOLOGY)
    assert spelt_twice(numbers_on(window)) == set()
    traveller.press_button("site.plan_3_button")
    traveller.arrive(Step.PLAN)
    assert spelt_twice(numbers_on(window)) == set()


def test_findings_spell_each_number_once(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """Headlines, cards, tables and prose on a study of values between 100 and 10,000, whatever is unfolded."""
    window = MainWindow(desk)
    shown(window, 1366, 768)
    traveller = MouseTraveller(window, desk, qtbot)
    traveller.press_button("start.import_button")
    traveller.fill("import.file_edit", str(resource_path("published", "replication-agents-2018.csv")))
    traveller.fill("import.folder_edit", str(tmp_path / "study"))
    traveller.press_button("import.make_button")
    traveller.arrive(Step.FINDINGS)
    tabs = find(window, QTabWidget, "findings.tabs")
    read: list[str] = []
    for place in filter(tabs.isTabVisible, range(tabs.count())):
        tabs.setCurrentIndex(place)
        QApplication.processEvents()
        shown_now = numbers_on(window)
        assert spelt_twice(shown_now) == set(), tabs.tabText(place)
        read += shown_now
    assert any("5,000" in text for text in read)
    assert spelt_twice(read) == set()
