"""What is offered after a run that confirmed a setting on the client's own work."""

from dataclasses import replace
from typing import Final

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.domain.change import Keep
from app.domain.events import RunStatus
from app.domain.session import RunRecord
from app.domain.setting import Setting
from app.flows.run.keep_view import KeepOffer, consent_question
from app.services.run.keeping import Keepable
from app.systems.transactional_replication.families.distribution_agent import FAMILY
from app.ui.desk import Desk
from app.ui.pages.run_page import RunPage
from app.ui.widgets.keep_pane import KeepPane
from tests.ui.clipping import clipped_text, sticking_out
from tests.ui.conftest import Shown
from tests.ui.journey import clashing_mnemonics
from tests.ui.person import find
from tests.ui.test_accessible_names import nameless
from tests.unit.flows.run_events import BEGAN, PLAN

RUN: Final = RunRecord("E1", PLAN, "dist1", RunStatus.SUCCEEDED, "complete", BEGAN, BEGAN, ())
EIGHT: Final = Setting.of(SubscriptionStreams=8)
FOUND: Final = Keepable("S1", RUN, FAMILY, EIGHT, PLAN.baseline, (Keep.UNTIL_CAUGHT_UP, Keep.FOR_GOOD))
OFFER: Final = KeepOffer(FOUND)
KEPT: Final = replace(OFFER, kept="dist1 keeps on purpose: SubscriptionStreams 8")


def shown_buttons(pane: KeepPane) -> set[str]:
    """Return the buttons in sight that can be pressed."""
    return {b.objectName() for b in pane.findChildren(QPushButton) if b.isVisibleTo(pane) and b.isEnabled()}


@pytest.mark.parametrize(
    ("offer", "is_keeping", "is_busy", "buttons"),
    [
        (KeepOffer(), False, False, set()),
        (OFFER, False, False, {"run.keep_until_caught_up_button", "run.keep_keep_button"}),
        (replace(OFFER, why_not="This lab ends with the program."), False, False, set()),
        (OFFER, True, False, {"run.put_back_button"}),
        (KEPT, False, False, {"run.put_back_button"}),
        (KEPT, False, True, set()),
        (replace(KEPT, found=None), False, False, {"run.put_back_button"}),
    ],
)
def test_what_can_be_decided_is_offered(
    shown: Shown, offer: KeepOffer, is_keeping: bool, is_busy: bool, buttons: set[str]
) -> None:
    """Keep where everything is undone, put back where something stands, nothing while it is undone."""
    pane = KeepPane()
    shown(pane)
    pane.show_offer(offer, is_keeping=is_keeping, is_busy=is_busy)
    assert shown_buttons(pane) == buttons
    assert pane.isVisible() is not offer.is_empty


def test_a_press_asks_and_says_for_how_long(shown: Shown, qtbot: QtBot) -> None:
    """The pane asks for one kind of keeping; the question names setting, baseline, place and end."""
    pane = KeepPane()
    shown(pane)
    pane.show_offer(OFFER, is_keeping=False, is_busy=False)
    assert "may keep SubscriptionStreams 8" in find(pane, QLabel, "run.keep_text.text").text()
    with qtbot.waitSignal(pane.keep_requested) as asked:
        find(pane, QPushButton, "run.keep_until_caught_up_button").click()
    assert asked.args == [Keep.UNTIL_CAUGHT_UP]
    question = consent_question(FOUND, Keep.UNTIL_CAUGHT_UP)
    assert question.startswith("Does the client agree? SubscriptionStreams 8 instead of SubscriptionStreams 1 on dist1")
    assert "until the backlog is processed" in question


@pytest.mark.parametrize(("width_px", "height_px"), [(1366, 700), (683, 700), (683, 300)])
@pytest.mark.parametrize(("offer", "is_keeping"), [(OFFER, False), (OFFER, True), (KEPT, False)])
def test_the_offer_on_its_page_has_room_names_and_keys(
    desk: Desk, shown: Shown, width_px: int, height_px: int, offer: KeepOffer, is_keeping: bool
) -> None:
    """No text is cut off, each button has a name, and no key leads to two things, on a laptop at 200 %, too."""
    holder = QWidget()
    page = RunPage(desk, holder)
    layout = QVBoxLayout(holder)
    layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # the frame gives a page no more either
    layout.addWidget(page)
    shown(holder, width_px, height_px)
    pane = find(page, KeepPane, "run.keep_pane")
    pane.show_offer(offer, is_keeping=is_keeping, is_busy=False)
    QApplication.processEvents()
    assert shown_buttons(pane)
    assert nameless(pane) == []
    assert clashing_mnemonics(page) == {}
    parts = [pane, *pane.findChildren(QWidget)]
    assert [cut for part in parts if (cut := clipped_text(part) or sticking_out(part))] == []
