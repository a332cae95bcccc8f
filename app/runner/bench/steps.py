"""Doing the steps of a trial, and what those of a plan would change."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from app.analysis.plan_settings import plan_settings
from app.domain.change import Change
from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.domain.rig import Control, TrialCall
from app.domain.step import Step

Seen = TypeVar("Seen")


def do_steps(call: TrialCall, control: Control, do: Callable[[Step], Seen | None]) -> Seen:
    """Do the steps of a trial in order and return what the measuring one showed.

    Args:
        do: does one step, and returns what it showed where it is the one that measures.

    Raises:
        RunCancelled, LimitExceeded, TargetError: the trial ended early; the caller restores.
        ValueError: none of the steps measures.
    """
    seen: Seen | None = None
    for step in call.steps:
        control.check()
        call.on_step(step.describe())
        shown = do(step)
        seen = seen if shown is None else shown
    if seen is None:
        raise ValueError("a trial needs exactly one measuring step")
    return seen


def changes_of_steps(
    plan: Plan, family: ExperimentFamily, changes_of: Callable[[Step], Iterable[Change]]
) -> tuple[Change, ...]:
    """Return the changes of the steps of every setting, each once, as seen from the present state."""
    settings = plan_settings(plan, family.parameters)
    steps = [step for setting in settings for step in family.trial_steps(plan, setting)]
    changes = [change for step in steps for change in changes_of(step)]
    return tuple({(change.kind, change.subject, change.new): change for change in changes}.values())
