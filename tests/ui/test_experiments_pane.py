"""All experiments of a site, with the real families and the real lab."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Choices, choose_family, choose_plan, keep_reading
from app.services.look.reading import read_target
from app.ui.desk import Desk
from app.ui.widgets.experiments_pane import ExperimentsPane
from app.ui.widgets.family_card import CardButton, FamilyCardFrame
from app.ui.widgets.status_line import StatusLine
from tests.ui.conftest import Shown
from tests.ui.person import click, double_click, find, press


class _Bench:
    """An experiment page with what it told, entered with the lab read."""

    def __init__(self, desk: Desk, shown: Shown) -> None:
        self.desk = desk
        reading = read_target("lab", desk.program.families, desk.program.parts.open_target)
        self.entered = keep_reading(Choices(target="lab"), reading.discovery, reading.sites, reading.impossible)
        self.page = ExperimentsPane(desk)
        self.told: list[Choices] = []
        self.advanced: list[bool] = []
        self.page.choices_changed.connect(self.told.append)
        self.page.advance_requested.connect(self._on_advance)
        shown(self.page, 1104, 580)
        self.page.show_choices(self.entered)

    def _on_advance(self) -> None:
        self.advanced.append(True)

    def radio(self, family: str) -> CardButton:
        """Return the radio button of a family."""
        return find(self.page, CardButton, f"experiment.{family}_radio")

    def card(self, family: str) -> FamilyCardFrame:
        """Return the card of a family."""
        return find(self.page, FamilyCardFrame, f"experiment.card.{family}")


@pytest.fixture
def bench(desk: Desk, shown: Shown, qtbot: QtBot) -> _Bench:
    """The page as it is entered for the first time."""
    return _Bench(desk, shown)


def test_nothing_is_chosen_at_first(bench: _Bench) -> None:
    """No question is taken for granted."""
    assert not any(bench.radio(family).isChecked() for family in bench.desk.program.families)
    assert bench.told == []


def test_a_click_anywhere_on_a_card_chooses_it(bench: _Bench) -> None:
    """The whole card is the target of a click."""
    click(bench.card("wan_delivery"), QPoint(300, 60))
    assert [choices.family for choices in bench.told] == ["wan_delivery"]
    assert bench.radio("wan_delivery").isChecked()
    click(bench.radio("log_reader"))
    assert bench.told[-1].family == "log_reader"


def test_arrow_keys_move_like_radio_buttons(bench: _Bench) -> None:
    """Space chooses the card that has the focus, arrow keys the next one."""
    bench.radio("log_reader").setFocus()
    press(bench.radio("log_reader"), Qt.Key.Key_Space)
    press(bench.radio("log_reader"), Qt.Key.Key_Down)
    assert [choices.family for choices in bench.told] == ["log_reader", "distribution_agent"]
    assert bench.radio("distribution_agent").hasFocus()


def test_return_chooses_and_goes_on(bench: _Bench) -> None:
    """Return on a card asks for the next step."""
    press(bench.radio("log_reader"), Qt.Key.Key_Return)
    assert (bench.told[-1].family, bench.advanced) == ("log_reader", [True])


def test_a_double_click_goes_on(bench: _Bench) -> None:
    """A double click on a card, or on its title, asks for the next step."""
    double_click(bench.card("wan_delivery"), QPoint(300, 60))
    double_click(bench.radio("log_reader"))
    assert bench.advanced == [True, True]
    assert bench.told[-1].family == "log_reader"


def test_the_chosen_family_is_shown_without_telling_it_again(bench: _Bench) -> None:
    """Entering the page with a family chosen changes nothing."""
    bench.page.show_choices(choose_family(bench.entered, "distribution_agent"))
    assert bench.radio("distribution_agent").isChecked()
    assert bench.told == []
    bench.page.show_choices(bench.entered)
    assert not bench.radio("distribution_agent").isChecked()


def test_going_back_to_a_family_brings_its_plan_back(bench: _Bench) -> None:
    """A slip of the arrow keys does not cost the plan."""
    family = bench.desk.program.families["log_reader"]
    entered = choose_plan(choose_family(bench.entered, "log_reader"), family.default_plan())
    bench.page.show_choices(entered)
    click(bench.radio("wan_delivery"))
    assert bench.told[-1].plan is None
    bench.page.show_choices(bench.told[-1])
    click(bench.radio("log_reader"))
    assert bench.told[-1] is entered


def test_an_impossible_family_says_why_and_cannot_be_chosen(bench: _Bench) -> None:
    """Neither a click, a double click nor an arrow key chooses it."""
    reason = "needs a measurement of the link, which this target does not offer"
    bench.page.show_choices(replace(bench.entered, impossible=(("wan_delivery", reason),)))
    assert reason in find(bench.page, StatusLine, "experiment.wan_delivery_reason").text
    double_click(bench.card("wan_delivery"), QPoint(300, 20))
    bench.radio("distribution_agent").setFocus()
    press(bench.radio("distribution_agent"), Qt.Key.Key_Space)
    press(bench.radio("distribution_agent"), Qt.Key.Key_Down)
    assert "wan_delivery" not in [choices.family for choices in bench.told]
    assert bench.advanced == []


def test_screen_readers_hear_what_the_card_says(bench: _Bench) -> None:
    """Title, question and needs are spoken."""
    radio = bench.radio("log_reader")
    assert radio.accessibleName().startswith("Log Reader Agent")
    assert "How many transactions" in radio.accessibleDescription()
