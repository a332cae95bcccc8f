"""What the model says of a run it guides, from the run's plan and trials."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

from app.analysis.plan_settings import plan_settings
from app.analysis.response.exploring import MOST_TRIALS, Advice, Ended, Explorer, Prediction, Question
from app.analysis.student import t_quantile
from app.domain.measurement import Metric, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan
from app.domain.response import ResponseCurve
from app.domain.setting import Parameter, effective_setting

_FEWEST_CONFIRMING: Final = 2


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


@dataclass(frozen=True)
class Departed:
    """A pick whose confirming trials ran outside the band the model predicted for it, in the metric's unit."""

    prediction: Prediction
    measured: float


def departed(advice: Advice, trials: Sequence[TrialResult], metric: Metric) -> Departed | None:
    """Return how the confirming trials of the pick left its band, None where they did not or are fewer than two.

    The band holds the true value; their mean on the log scale is compared with it widened by 90 % of its own scatter.
    """
    predicted = next((p for p in advice.predictions if p.setting == advice.pick), None)
    values = [_value(trial, metric) for trial in trials if (trial.phase, trial.setting) == (Phase.CONFIRM, advice.pick)]
    logs = [math.log(value) for value in values if value is not None]
    if predicted is None or len(logs) < _FEWEST_CONFIRMING:
        return None
    mean, slack = fmean(logs), t_quantile(0.95, len(logs) - 1) * stdev(logs) / math.sqrt(len(logs))
    if math.log(predicted.low) - slack <= mean <= math.log(predicted.high) + slack:
        return None
    return Departed(predicted, math.exp(mean))


def _value(trial: TrialResult, metric: Metric) -> float | None:
    if trial.status is not TrialStatus.USED:
        return None
    return next((m.value for m in trial.measurements if m.metric == metric.name), None)
