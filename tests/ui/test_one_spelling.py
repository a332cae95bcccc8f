"""On one page a number has one spelling: "5,000" or "5000", never both."""

import re
from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from tests.ui.conftest import Shown
from tests.ui.journey import MouseTraveller, find_person_texts

_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,:/-])\d{4,}(?![\w:/-])")


def spelt_twice(texts: list[str]) -> set[int]:
    """Return the numbers that stand among some texts with and without separators."""
    spellings: dict[int, set[str]] = {}
    for text in texts:
        for found in _NUMBER.findall(text):
            spellings.setdefault(int(found.replace(",", "")), set()).add(found)
    return {number for number, forms in spellings.items() if len(forms) > 1}


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
    assert spelt_twice(_texts(window)) == set()
    traveller.press_button("site.plan_3_button")
    traveller.arrive(Step.PLAN)
    assert spelt_twice(_texts(window)) == set()


def _texts(window: QWidget) -> list[str]:
    entered = [field.text() for field in window.findChildren(QLineEdit) if field.isVisible()]
    return [*find_person_texts(window), *(part for text in entered for part in text.split(", "))]
