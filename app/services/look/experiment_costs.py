"""Costs of experiments on a target that was only looked at."""

from collections.abc import Mapping

from app.domain.cost import ExperimentCost
from app.domain.family import ExperimentFamily
from app.domain.target import Target
from app.services.plan.plan_outlook import plan_outlook


def experiment_costs(
    families: Mapping[str, ExperimentFamily], target: Target, system_id: str
) -> tuple[ExperimentCost, ...]:
    """Return the cost of each experiment the target can run with a system, with the plan a newcomer is offered."""
    made = []
    for family in families.values():
        if family.system.system_id == system_id and family.needs <= target.capabilities:
            outlook = plan_outlook(family.default_plan(), family)
            times_s = outlook.duration_s, outlook.longest_s
            made.append(ExperimentCost(family.family_id, family.title, outlook.trials, *times_s))
    return tuple(made)
