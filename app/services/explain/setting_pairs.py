"""Which settings of a run, or of measurements made elsewhere, are compared with which."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from app.analysis.claim import exploring_confidence
from app.analysis.compare import against, compare
from app.analysis.estimate import estimate
from app.analysis.swept import baseline_among, compare_swept, fit_swept, named_pairs
from app.domain.comparison import Comparison
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase, Plan
from app.domain.setting import Setting, effective_setting


def own_comparisons(main: Sequence[Measurement], plan: Plan, family: ExperimentFamily) -> tuple[Comparison, ...]:
    """Compare the trials of one run.

    Where a winner is picked: exploring trials with the baseline, then the confirming ones, whose means stand alone:
    those of the exploring trials made the winner, so they flatter it. Where every comparison is named beforehand: all
    of them together.

    Args:
        main: measurements of the plan's main metric.
    """
    if family.compares_all:
        baseline = effective_setting(plan.baseline, family.knobs)
        return _named(
            main, family, family.main_metric(plan), baseline, plan.design.minimum_effect, plan.design.noise_cv
        )
    return _picked(main, plan, family.main_metric(plan))


def _picked(main: Sequence[Measurement], plan: Plan, metric: Metric) -> tuple[Comparison, ...]:
    baseline, effect, noise_cv = plan.baseline, plan.design.minimum_effect, plan.design.noise_cv
    explored = [m for m in main if m.phase is Phase.EXPLORE]
    confirmed = [m for m in main if m.phase is Phase.CONFIRM]
    if baseline not in {m.setting for m in explored}:
        return ()
    confidence = exploring_confidence(plan)
    made = compare(explored, against(baseline), metric.better, effect, noise_cv, confidence)
    if baseline in {m.setting for m in confirmed}:
        noise = estimate(explored).noise
        made += compare(confirmed, against(baseline), metric.better, effect, noise_cv, exploring_noise=noise)
    return made


def _named(
    main: Sequence[Measurement],
    family: ExperimentFamily,
    metric: Metric,
    baseline: Setting,
    minimum_effect: float,
    noise_cv: float | None,
) -> tuple[Comparison, ...]:
    if not main:
        return ()
    found = fit_swept(main, [condition.name for condition in family.swept], noise_cv)
    pairs = named_pairs(found.settings, baseline, family.knobs)
    return compare_swept(found, pairs, metric.better, minimum_effect, noise_is_given=noise_cv is not None)


def shared_conditions(conditions: Setting, family: ExperimentFamily) -> Setting:
    """Return the conditions that all measurements of a run share: those that are not swept within trials."""
    swept = {condition.name for condition in family.swept}
    return Setting.from_mapping({name: value for name, value in conditions.items() if name not in swept})


def named_evidence(
    measurements: Iterable[Measurement],
    families: Mapping[str, ExperimentFamily],
    noise_cv: float | None,
    minimum_effect: float,
) -> Iterator[Evidence]:
    """Yield the evidence of measurements made elsewhere, of families whose comparisons are named beforehand.

    One piece for each family and set of conditions, whatever is swept; settings that do the same are one setting.
    """
    groups: dict[tuple[str, Setting], list[Measurement]] = {}
    for m in measurements:
        family = families[m.family]
        kept = replace(m, setting=effective_setting(m.setting, family.knobs))
        groups.setdefault((m.family, shared_conditions(m.conditions, family)), []).append(kept)
    for (family_id, conditions), found in groups.items():
        family = families[family_id]
        names = {m.metric for m in found}
        metric = next((metric for metric in family.main_metrics if metric.name in names), None)
        if metric is None:
            continue
        main = [m for m in found if m.metric == metric.name]
        baseline = baseline_among((m.setting for m in main), family.knobs)
        yield Evidence(
            family=family_id,
            conditions=conditions,
            plan=None,
            site=None,
            measurements=tuple(found),
            comparisons=_named(main, family, metric, baseline, minimum_effect, noise_cv),
            forecasts=(),
            trials=(),
            minimum_effect=minimum_effect,
            noise_cv=noise_cv,
        )
