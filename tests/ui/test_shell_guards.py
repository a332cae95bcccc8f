"""The bench every test of the window stands on."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Choices, Step
from app.ui.desk import Desk
from app.ui.page import WizardPage
from tests.ui.conftest import Shown


class _Page(WizardPage):
    step = Step.TARGET

    def show_choices(self, choices: Choices) -> None:
        """Show the target."""
        QLabel(choices.target, self)


def test_a_page_can_be_shown_alone(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """A page is shown with a desk alone, and a background read tells its result on the main thread."""
    page = _Page(desk)
    shown(page)
    answers: list[int] = []
    desk.tasks.query(page, lambda: 41 + 1, answers.append, lambda error: answers.append(-1))
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [42]
    assert page.isVisible()
