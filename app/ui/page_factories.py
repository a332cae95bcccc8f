"""Which class shows each step; a page's module is imported when its step is first entered."""

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from PySide6.QtWidgets import QWidget

from app.flows.shell.wizard import Step
from app.ui.desk import Desk
from app.ui.page import WizardPage

PageFactory = Callable[[Desk, QWidget], WizardPage]

_CLASSES = {
    Step.TARGET: ("target_page", "TargetPage"),
    Step.TOPOLOGY: ("site_page", "SitePage"),
    Step.PLAN: ("plan_page", "PlanPage"),
    Step.PREFLIGHT: ("preflight_page", "PreflightPage"),
    Step.RUN: ("run_page", "RunPage"),
    Step.FINDINGS: ("findings_page", "FindingsPage"),
    Step.HAND_OVER: ("hand_over_page", "HandOverPage"),
}


def page_factories() -> Mapping[Step, PageFactory]:
    """Return the factory of each step's page."""
    return {step: partial(_make_page, module, name) for step, (module, name) in _CLASSES.items()}


def _make_page(module: str, name: str, desk: Desk, parent: QWidget) -> WizardPage:
    page_class = getattr(importlib.import_module(f"app.ui.pages.{module}"), name)
    return cast(WizardPage, page_class(desk, parent))
