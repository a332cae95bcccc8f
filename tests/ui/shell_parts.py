"""What tests of the window's frame share: pages that show nothing of their own, a small plan, a window."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.flows.shell.wizard import STEPS, Choices, Step
from app.services.program import Program
from app.services.run.run_job import JobOrder
from app.services.workplace import open_workplace
from app.systems.transactional_replication.load import WorkloadSpec
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.page_factories import PageFactory


class BarePage(WizardPage):
    """A page with one field; remembers the choices it was shown."""

    def __init__(self, step: Step, desk: Desk, parent: QWidget | None = None) -> None:
        self.step = step
        super().__init__(desk, parent)
        self.shown: list[Choices] = []
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(str(step)))
        self.field = QLineEdit()
        self.field.setObjectName(f"{step}.field_edit")
        layout.addWidget(self.field)

    def show_choices(self, choices: Choices) -> None:
        """Remember the choices."""
        self.shown.append(choices)


def bare_pages() -> dict[Step, PageFactory]:
    """Return what makes a bare page for each step."""
    return {step: partial(BarePage, step) for step in STEPS}


def small_plan(commands: int = 3_000, blocks: int = 1) -> Plan:
    """Return a plan of few trials."""
    return Plan(
        family="distribution_agent",
        factors=(Factor("SubscriptionStreams", (1, 8)),),
        baseline=Setting.of(SubscriptionStreams=1),
        load=WorkloadSpec(commands=commands).to_load(),
        design=Design(blocks=blocks, confirm_blocks=1),
    )


def order_of(program: Program, plan: Plan, target: str, folder: Path) -> JobOrder:
    """Return the order to run a plan on a target, kept in a folder."""
    return JobOrder(
        target=target,
        plan=plan,
        family=program.families[plan.family],
        place=open_workplace(folder),
        journal_path=program.parts.journal_path,
    )


def reaches(condition: Callable[[], bool]) -> Callable[[], None]:
    """Return a check for `qtbot.waitUntil` that says what was awaited when it fails."""

    def check() -> None:
        assert condition()

    return check
