"""What experiments would take at a target that was only looked at."""

from collections.abc import Collection, Mapping

from app.domain.family import ExperimentFamily
from app.domain.observing import ExperimentCost
from app.domain.ports import Target
from app.domain.setting import Subject
from app.services.plan_outlook import plan_outlook


def experiment_costs(
    families: Mapping[str, ExperimentFamily], target: Target, subjects: Collection[Subject]
) -> tuple[ExperimentCost, ...]:
    """Return what each experiment on `subjects` the target can run would take, with the plan a newcomer is offered."""
    made = []
    for family in families.values():
        if family.subject in subjects and family.needs <= target.capabilities:
            outlook = plan_outlook(family.default_plan(), family)
            made.append(ExperimentCost(family.family_id, family.title, outlook.trials, outlook.duration_s))
    return tuple(made)
