"""The measure by setting while a run goes on, drawn as it will be in the findings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.analysis.claim import Claim
from app.analysis.compare import best_position
from app.analysis.estimate import estimate
from app.analysis.figures import setting_plot
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase, Plan
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import EMPTY_SETTING
from app.domain.units import unit_word
from app.foundation.texts import _

_TOLD_IN_MINUTES_S: Final = 120.0
_S_PER_MIN: Final = 60.0


def plot_by_setting(family: ExperimentFamily, plan: Plan, measurements: Sequence[Measurement]) -> PlotSpec | None:
    """Return the main measure by setting, from the used trials so far; None before the first."""
    if family.compares_all:
        return _plot_of_all(family, plan, measurements)
    metric = family.main_metric(plan)
    main = [m for m in measurements if m.metric == metric.name]
    explored = tuple(m for m in main if m.phase is Phase.EXPLORE)
    if not explored:
        return None
    fit = estimate(explored)
    best = fit.settings[best_position(fit, metric.better)]
    claim = Claim(metric, explored, fit, plan.baseline, best, best)
    evidence = Evidence(
        family=plan.family,
        conditions=explored[0].conditions,
        plan=plan,
        site=None,
        measurements=explored,
        comparisons=(),
        forecasts=(),
        trials=(),
        minimum_effect=plan.design.minimum_effect,
        noise_cv=plan.design.noise_cv,
    )
    spec = setting_plot(family, evidence, claim)
    if spec is None:
        return None
    label = _("confirming trials")
    return _in_minutes(_with_confirming(spec, [m for m in main if m.phase is Phase.CONFIRM], label), metric)


def _plot_of_all(family: ExperimentFamily, plan: Plan, measurements: Sequence[Measurement]) -> PlotSpec | None:
    """Return the family's own plot by setting: every comparison is planned, so all trials count alike."""
    if not measurements:
        return None
    evidence = Evidence(
        family=plan.family,
        conditions=EMPTY_SETTING,
        plan=plan,
        site=None,
        measurements=tuple(measurements),
        comparisons=(),
        forecasts=(),
        trials=(),
        minimum_effect=plan.design.minimum_effect,
        noise_cv=plan.design.noise_cv,
    )
    return next((plot for plot in family.plots(evidence) if plot.plot_id.endswith("/by-setting")), None)


def _with_confirming(spec: PlotSpec, fresh: Sequence[Measurement], label: str) -> PlotSpec:
    """Return the plot with the fresh trials of winner and baseline as points of their own."""
    place = {text: x for x, text in spec.x_ticks}
    points = [(place[tick], m.value) for m in fresh if (tick := _tick(m)) in place]
    if not points:
        return spec
    x, y = zip(*points, strict=True)
    return replace(spec, series=(*spec.series, Series(label, Mark.POINTS, x, y)))


def _in_minutes(spec: PlotSpec, metric: Metric) -> PlotSpec:
    """Return a plot of times in minutes, where one of them is so long that `reporting.numbers.duration` tells it so."""
    if metric.unit != "s" or max(value for series in spec.series for value in series.y) < _TOLD_IN_MINUTES_S:
        return spec
    return replace(
        spec,
        y_label=f"{metric.title} ({unit_word('min')})",
        series=tuple(
            replace(one, y=_minutes(one.y), low=_minutes(one.low), high=_minutes(one.high)) for one in spec.series
        ),
        reference_y=None if spec.reference_y is None else spec.reference_y / _S_PER_MIN,
    )


def _minutes(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(value / _S_PER_MIN for value in values)


def _tick(measurement: Measurement) -> str:
    """Return how the axis names a setting, as `analysis.figures` does."""
    return measurement.setting.values_text()
