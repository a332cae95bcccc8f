"""What the model says of a run it guides, from the run's plan and trials."""

from collections.abc import Sequence

from app.analysis.plan_settings import plan_settings
from app.analysis.response.exploring import MOST_TRIALS, Ended, Explorer, Question
from app.domain.measurement import Metric, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan
from app.domain.response import ResponseCurve
from app.domain.setting import Parameter, effective_setting


def most_exploring(plan: Plan, parameters: Sequence[Parameter] = ()) -> int:
    """Return how many exploring trials there are at most."""
    return min(MOST_TRIALS, len(plan_settings(plan, parameters)) * plan.design.blocks)


def explorer_of(plan: Plan, parameters: Sequence[Parameter], metric: Metric, curve: ResponseCurve | None) -> Explorer:
    """Return what answers for a plan that stops by the model.

    Args:
        metric: the main one. curve: of the family under this plan, None where there is none.
    """
    design = plan.design
    return Explorer(
        Question(
            settings=plan_settings(plan, parameters),
            baseline=effective_setting(plan.baseline, parameters),
            curve=curve,
            better=metric.better,
            minimum_effect=design.minimum_effect,
            noise_cv=design.noise_cv,
            seed=design.seed,
            most_trials=most_exploring(plan, parameters),
        )
    )


def ended_trials(trials: Sequence[TrialResult], metric: Metric) -> tuple[Ended, ...]:
    """Return the exploring trials in their order, with the value of those that can be used."""
    return tuple((trial.setting, _value(trial, metric)) for trial in trials if trial.phase is Phase.EXPLORE)


def _value(trial: TrialResult, metric: Metric) -> float | None:
    if trial.status is not TrialStatus.USED:
        return None
    return next((m.value for m in trial.measurements if m.metric == metric.name), None)
