"""The model's advice for a run it guides, from the run's plan and trials."""

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Final

from app.analysis.distributions import t_quantile
from app.analysis.outcomes import outcome_trials
from app.analysis.plan_settings import plan_settings
from app.analysis.response.exploring import MOST_TRIALS, Advice, Ended, Explorer, Prediction, Question
from app.analysis.response.proposing import TOLERANCE
from app.analysis.simplest import Judging, costly_of, simplest_of
from app.domain.measurement import Better, Metric, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan
from app.domain.response import ResponseCurve
from app.domain.setting import Costly, Parameter, Setting, effective_setting

SIMPLER_LOG: Final = TOLERANCE / 2
"""What a simpler setting is expected to lose against the pick of the model at most, a log.

On 130 drawn sites at 3 % noise 98.5 % of the picks lie within 2 % of the best without a margin, and lose 0.10 % on
average; with 0.5 % 98.5 % and 0.13 %, with 1 % 94 % and 0.29 %, with 2 % 89 % and 0.44 %, where 12, 27 and 39 % of the
picks are simpler. At 8 % noise (100 sites) these are 93 % and 0.35 %; 93 % and 0.38 %, 92 % and 0.43 %, 87 % and 0.6 %.
Where a setting's own trials could speak for it as well, 92 % were right and lost 0.40 % with 1 %; 83 % and 1.2 % at 8 %
noise (`tests/prove/test_guided_by_model.py`)."""

_FEWEST_CONFIRMING: Final = 2


def most_exploring(plan: Plan, parameters: Sequence[Parameter] = ()) -> int:
    """Return how many exploring trials there are at most."""
    return min(MOST_TRIALS, len(plan_settings(plan, parameters)) * plan.design.blocks)


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


@dataclass(frozen=True)
class _Course:
    """The trials of a run by purpose, in their order; exploring may go on once behind confirming trials."""

    explored: tuple[TrialResult, ...] = ()
    confirmed: tuple[TrialResult, ...] = ()
    explored_again: tuple[TrialResult, ...] = ()
    confirmed_again: tuple[TrialResult, ...] = ()

    @staticmethod
    def of(trials: Sequence[TrialResult]) -> "_Course":
        parts = itertools.groupby(trials, lambda trial: trial.phase)
        return _Course(*(tuple(part) for _phase, part in itertools.islice(parts, 4)))

    @property
    def until_confirmed_again(self) -> tuple[TrialResult, ...]:
        return (*self.explored, *self.confirmed, *self.explored_again)


class Guide:
    """Proposes the next trial of a run that stops by the model.

    The model does, until the confirming trials of its pick leave the band it predicted. Then the curve is not trusted
    here any more: exploring goes on by what all trials say without it, within the trials that the plan has for
    exploring, and a setting found so is confirmed by trials of its own.
    """

    def __init__(
        self,
        question: Question,
        metric: Metric,
        confirm_blocks: int,
        metrics: Sequence[Metric] = (),
        costly: Mapping[str, Costly] = MappingProxyType({}),
    ) -> None:
        """Ask a question, of a metric that so many blocks confirm; of the others, outcomes count.

        Args:
            costly: the direction that costs, of the parameters that declare one, by name.
        """
        self._judging = Judging(question.baseline, costly, question.better, question.minimum_effect)
        self._question = question
        self._model = Explorer(question)
        self._alone = Explorer(replace(question, curve=None))
        self._metric = metric
        self._metrics = metrics
        self._confirm_blocks = confirm_blocks

    def advice(self, trials: Sequence[TrialResult]) -> Advice:
        """Return the model's advice, or that of the trials alone where exploring went on by them."""
        course = _Course.of(trials)
        if course.explored_again:
            tried = _with_values(course.until_confirmed_again, self._metric, self._metrics)
            return self._simplest(self._alone.advice(tried), tried)
        tried = _with_values(course.explored, self._metric, self._metrics)
        return self._simplest(self._model.advice(tried), tried)

    def _simplest(self, advice: Advice, tried: Sequence[Ended]) -> Advice:
        """Return an advice with the simplest setting tried that loses no more than the margin against the pick.

        By what is expected of both: where its own trials could speak for a setting, too, chance would, as often as not.
        """
        if advice.pick is None or advice.is_level:
            return advice
        ran = {each.setting for each in tried if each.value is not None}
        losses = self._losses(advice, advice.pick, ran, has_run=True)
        pick = simplest_of(losses, advice.pick, self._judging, SIMPLER_LOG)
        if pick == advice.pick:
            return advice
        right = next(p.right for p in advice.predictions if p.setting == pick)
        return replace(advice, pick=pick, right=right, best=advice.pick)

    def _losses(
        self, advice: Advice, pick: Setting, ran: Collection[Setting], *, has_run: bool
    ) -> dict[Setting, float]:
        """Return the loss expected against the pick, a log, of each setting that ran, or of each that did not."""
        middle = next(p.middle for p in advice.predictions if p.setting == pick)
        sign = 1 if self._judging.better is Better.LOWER else -1
        predictions = [p for p in advice.predictions if (p.setting in ran) == has_run]
        return {p.setting: sign * math.log(p.middle / middle) for p in predictions}

    def _next(self, advice: Advice, trials: Sequence[TrialResult]) -> Setting | None:
        """Return the setting to try next: where the model would end, a simpler one that it expects to do as well."""
        if advice.proposed is not None or advice.pick is None or advice.is_level:
            return advice.proposed
        if len(trials) >= self._question.most_trials:
            return None
        ran = {trial.setting for trial in trials}
        losses = self._losses(advice, advice.pick, ran, has_run=False)
        simpler = simplest_of(losses, advice.pick, self._judging, SIMPLER_LOG)
        return None if simpler == advice.pick else simpler

    def advice_on_pick(self, trials: Sequence[TrialResult]) -> Advice:
        """Return the evidence of all trials on the setting that goes on to be confirmed, or was.

        Confirming trials count: a setting whose connections fall back in every second trial may have been tried once.
        """
        course, pick = _Course.of(trials), self.pick(trials)
        if not course.confirmed or pick is None:
            return self.advice(trials)
        who = self._alone if course.explored_again else self._model
        advice = who.advice(_with_values(trials, self._metric, self._metrics))
        right = next((prediction.right for prediction in advice.predictions if prediction.setting == pick), 0.0)
        best = self.advice(trials).best
        return replace(advice, pick=pick, right=right, is_level=False, best=best if best != pick else None)

    def proposed(self, trials: Sequence[TrialResult], *, may_go_on: bool = True) -> Setting | None:
        """Return the setting of the next exploring trial, None where none comes.

        Args:
            may_go_on: behind confirming trials.
        """
        course = _Course.of(trials)
        if course.confirmed_again:
            return None
        if course.explored_again or not course.confirmed:
            return self._next(self.advice(trials), trials)
        return self._further(trials, course) if may_go_on and self._is_refuted(trials, course) else None

    def pick(self, trials: Sequence[TrialResult]) -> Setting | None:
        """Return the setting that goes on to be confirmed, or was; None before any trial was used."""
        course = _Course.of(trials)
        if course.explored_again:
            return self._rival(self.advice(trials), course) or self._confirmed(course)
        return self._confirmed(course) or self.advice(trials).pick

    def departed(self, trials: Sequence[TrialResult]) -> Departed | None:
        """Return how the confirming trials of the model's pick left its band, None where they did not."""
        course = _Course.of(trials)
        tried = _with_values(course.explored, self._metric, self._metrics)
        return departed(self._simplest(self._model.advice(tried), tried), course.confirmed, self._metric)

    def went_on(self, trials: Sequence[TrialResult]) -> bool:
        """Tell whether exploring went on behind confirming trials."""
        return bool(_Course.of(trials).explored_again)

    def _is_refuted(self, trials: Sequence[TrialResult], course: _Course) -> bool:
        """Tell whether the confirming trials left the band, at the end of the planned blocks or of a further one."""
        has_ended = len(course.confirmed) >= 2 * self._confirm_blocks and len(course.confirmed) % 2 == 0
        return has_ended and self._question.curve is not None and self.departed(trials) is not None

    def _further(self, trials: Sequence[TrialResult], course: _Course) -> Setting | None:
        """Return the setting to try behind confirming trials; one that already looks better is tried once more."""
        advice = self._alone.advice(_with_values(trials, self._metric, self._metrics))
        if len(trials) >= self._question.most_trials:
            return None
        return advice.proposed or self._rival(advice, course)

    def _rival(self, advice: Advice, course: _Course) -> Setting | None:
        """Return the pick where its expected gain over the confirmed setting counts."""
        confirmed = self._confirmed(course)
        middle = {prediction.setting: math.log(prediction.middle) for prediction in advice.predictions}
        if advice.pick in (None, confirmed, self._question.baseline) or confirmed not in middle:
            return None
        return advice.pick if abs(middle[advice.pick] - middle[confirmed]) > TOLERANCE else None

    def _confirmed(self, course: _Course) -> Setting | None:
        """Return the setting that confirming trials ran beside the baseline."""
        return next((t.setting for t in course.confirmed if t.setting != self._question.baseline), None)


def guide_of(
    plan: Plan,
    parameters: Sequence[Parameter],
    metric: Metric,
    curve: ResponseCurve | None,
    metrics: Sequence[Metric] = (),
) -> Guide:
    """Return who answers for a plan that stops by the model.

    Args:
        metric: the main one. curve: of the family under this plan, None where there is none. metrics: all measures, of
            which some may tell what a setting itself brought about.
    """
    design = plan.design
    question = Question(
        settings=plan_settings(plan, parameters),
        baseline=effective_setting(plan.baseline, parameters),
        curve=curve,
        better=metric.better,
        minimum_effect=design.minimum_effect,
        noise_cv=design.noise_cv,
        seed=design.seed,
        most_trials=most_exploring(plan, parameters),
        is_windowed=design.is_windowed,
    )
    return Guide(question, metric, design.confirm_blocks, metrics, costly_of(parameters))


def ended_trials(trials: Sequence[TrialResult], metric: Metric, metrics: Sequence[Metric] = ()) -> tuple[Ended, ...]:
    """Return the exploring trials in their order, with the value of those that can be used."""
    return _with_values([trial for trial in trials if trial.phase is Phase.EXPLORE], metric, metrics)


def _with_values(trials: Sequence[TrialResult], metric: Metric, metrics: Sequence[Metric]) -> tuple[Ended, ...]:
    outcomes = outcome_trials(metrics, (m for trial in trials for m in trial.measurements))
    return tuple(Ended(trial.setting, _value(trial, metric), trial.trial_id in outcomes) for trial in trials)


def _value(trial: TrialResult, metric: Metric) -> float | None:
    if trial.status is not TrialStatus.USED:
        return None
    return next((m.value for m in trial.measurements if m.metric == metric.name), None)
