"""The questions of an experiment's main measures: which settings against which, with which noise and confidence.

Where a winner is picked, exploring trials are compared with the baseline, then the confirming ones, whose means stand
alone: those of the exploring trials made the winner, so they flatter it. Where every comparison is named beforehand,
all trials are compared together. Where no plan names a baseline, the best is compared with all others; of confirming
trials each setting with the baseline, after the exploring ones, as in a run.
"""

from dataclasses import dataclass, replace
from typing import Final

from app.analysis.compare import Against, AgainstBest, ReferenceRule
from app.analysis.comparing.experiment import Experiment, MainMeasure, is_confirming
from app.analysis.comparing.pairs import baseline_among, named_pairs
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.analysis.resolution import step_of
from app.analysis.response.exploring import MOST_TRIALS
from app.analysis.settings_order import lowest_or_default
from app.analysis.student import CONFIDENCE
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import Setting, effective_setting

EXTENDED_CONFIDENCE: Final = 0.99
"""Of all intervals together in the second and last look at comparisons named beforehand. The first was at 95 %, so both
looks err in at most 6 % of the runs that are extended (Bonferroni)."""


@dataclass(frozen=True)
class NamedPairs:
    """Pairs (reference, candidate) named beforehand, each compared at every value of the `swept` conditions."""

    pairs: tuple[tuple[Setting, Setting], ...]
    swept: frozenset[str]


@dataclass(frozen=True)
class Asked:
    """Comparisons that count together for the simultaneous intervals.

    Attributes:
        metric: of the measurements; its better direction decides verdicts.
        measurements: what is compared, of one phase; at least one.
        which: what is compared with what.
        minimum_effect: smallest effect worth acting on, as a share.
        noise_cv: run-to-run noise stated from outside, as a share, or None.
        confidence: of all intervals together.
        exploring: earlier trials whose residual tells of the noise as well; their means do not count.
        step: of the clock or count the values were measured with, in their unit.
        circumstances: as in `Experiment`.
        most_pairs: of windows, as in `Design`; None where trials are none.
    """

    metric: Metric
    measurements: tuple[Measurement, ...]
    which: ReferenceRule | NamedPairs
    minimum_effect: float
    noise_cv: float | None
    confidence: float = CONFIDENCE
    exploring: tuple[Measurement, ...] = ()
    step: float = 0.0
    circumstances: Circumstances = NOTHING_KNOWN
    most_pairs: int | None = None


def asked_of(experiment: Experiment, main: MainMeasure, picked: Setting | None = None) -> tuple[Asked, ...]:
    """Return the questions on one main measure of an experiment, none where it was not measured.

    Args:
        picked: of measurements from elsewhere the setting to compare with all others; None for the best.
    """
    if not main.measurements:
        return ()
    step = main.metric.step if experiment.plan is not None else step_of(m.value for m in main.measurements)
    circumstances = experiment.circumstances
    return tuple(
        replace(asked, step=step, circumstances=circumstances) for asked in _asked_of(experiment, main, picked)
    )


def _asked_of(experiment: Experiment, main: MainMeasure, picked: Setting | None) -> tuple[Asked, ...]:
    if experiment.family.compares_all:
        return (_all_named(experiment, main),)
    if experiment.plan is not None:
        return _against_baseline(experiment, main, experiment.plan)
    effect, noise_cv = experiment.minimum_effect, experiment.noise_cv
    parameters = experiment.family.parameters
    baseline = lowest_or_default((m.setting for m in experiment.measurements), parameters, experiment.baseline)
    if is_confirming(main.measurements, baseline):
        alike = (main.metric.name, main.measurements[0].unit, Phase.EXPLORE)
        explored = tuple(m for m in experiment.measurements if (m.metric, m.unit, m.phase) == alike)
        which = Against(baseline)
        confirming = Asked(main.metric, main.measurements, which, effect, noise_cv, exploring=explored)
        if baseline not in {m.setting for m in explored}:
            return (confirming,)
        return Asked(main.metric, explored, which, effect, noise_cv), confirming
    picked = picked if picked in {m.setting for m in main.measurements} else None
    return (best_against_others(main.metric, main.measurements, None, effect, noise_cv, picked),)


def best_against_others(
    metric: Metric,
    explored: tuple[Measurement, ...],
    plan: Plan | None,
    minimum_effect: float,
    noise_cv: float | None,
    picked: Setting | None = None,
) -> Asked:
    """Return the question where the best setting is picked from the measurements it is judged by.

    Args:
        plan: None for measurements from elsewhere.
        picked: another setting than the best that was picked from them, None for the best.
    """
    return Asked(metric, explored, AgainstBest(picked), minimum_effect, noise_cv, exploring_confidence(plan))


def exploring_confidence(plan: Plan | None) -> float:
    """Return the confidence for judging exploring trials, so that their result holds however often one looks.

    A race looks after every block, a model after every trial, and either may stop at any of them; with the error
    shared out over all the looks there may be, the intervals hold together at whichever it stopped (Bonferroni).
    """
    if plan is None or plan.design.stop is Stop.BLOCKS:
        return CONFIDENCE
    looks = plan.design.blocks if plan.design.stop is Stop.RACE else MOST_TRIALS
    return 1 - (1 - CONFIDENCE) / looks


def _all_named(experiment: Experiment, main: MainMeasure) -> Asked:
    """Return the question where all comparisons are named beforehand: by the plan, else by the nearest to the
    defaults."""
    family, plan = experiment.family, experiment.plan
    settings = {m.setting for m in main.measurements}
    baseline = (
        baseline_among(settings, family.parameters, experiment.baseline)
        if plan is None
        else effective_setting(plan.baseline, family.parameters)
    )
    pairs = named_pairs(settings, baseline, family.parameters)
    which = NamedPairs(pairs, family.swept)
    confidence = EXTENDED_CONFIDENCE if plan is not None and plan.design.is_extended else CONFIDENCE
    return Asked(main.metric, main.measurements, which, experiment.minimum_effect, experiment.noise_cv, confidence)


def _against_baseline(experiment: Experiment, main: MainMeasure, plan: Plan) -> tuple[Asked, ...]:
    """Return the questions of exploring trials, then of confirming ones; only the latter carry claims."""
    explored = tuple(m for m in main.measurements if m.phase is Phase.EXPLORE)
    confirmed = tuple(m for m in main.measurements if m.phase is Phase.CONFIRM)
    baseline, effect, noise_cv = plan.baseline, experiment.minimum_effect, experiment.noise_cv
    if baseline not in {m.setting for m in explored}:
        return ()
    confidence = exploring_confidence(plan)
    exploring = Asked(main.metric, explored, Against(baseline), effect, noise_cv, confidence)
    if baseline not in {m.setting for m in confirmed}:
        return (exploring,)
    confirming = Asked(main.metric, confirmed, Against(baseline), effect, noise_cv, exploring=explored)
    return exploring, replace(confirming, most_pairs=plan.design.most_pairs)
