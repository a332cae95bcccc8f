"""The savings of one written backlog for all windows against a backlog for each trial."""

from dataclasses import dataclass

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.system import rig_of
from app.services.plan.plan_outlook import PlanOutlook, plan_outlook


@dataclass(frozen=True)
class BacklogSaved:
    """Commands written and expected time of the trials planned, in windows and with a backlog for each trial."""

    commands: int
    time_s: float
    trials_commands: int
    trials_s: float


def backlog_saved(
    plan: Plan, family: ExperimentFamily, outlook: PlanOutlook, site: Site | None = None
) -> BacklogSaved | None:
    """Return what a plan in windows on one written backlog saves, None for another.

    Args:
        outlook: of that plan.
    """
    instead = rig_of(family).in_trials(plan)
    if instead is None:
        return None
    of_trials = plan_outlook(instead.plan, family, site)
    return BacklogSaved(
        commands=outlook.trials * instead.window_commands,
        time_s=outlook.duration_s,
        trials_commands=of_trials.trials * instead.trial_commands,
        trials_s=of_trials.duration_s,
    )
