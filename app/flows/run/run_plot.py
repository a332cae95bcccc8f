"""The measure by setting while a run goes on, drawn as it will be in the findings."""

from collections.abc import Sequence
from dataclasses import replace

from app.analysis.claim import Claim
from app.analysis.compare import best_position
from app.analysis.estimate import estimate
from app.analysis.figures import setting_plot
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Measurement
from app.domain.plan import Phase, Plan
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import EMPTY_SETTING
from app.foundation.texts import _


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
    return None if spec is None else _with_confirming(spec, [m for m in main if m.phase is Phase.CONFIRM])


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


def _with_confirming(spec: PlotSpec, fresh: Sequence[Measurement]) -> PlotSpec:
    """Return the plot with the fresh trials of winner and baseline as points of their own."""
    place = {text: x for x, text in spec.x_ticks}
    points = [(place[tick], m.value) for m in fresh if (tick := _tick(m)) in place]
    if not points:
        return spec
    x, y = zip(*points, strict=True)
    return replace(spec, series=(*spec.series, Series(_("confirming trials"), Mark.POINTS, x, y)))


def _tick(measurement: Measurement) -> str:
    """Return how the axis names a setting, as `analysis.figures` does."""
    values = measurement.setting.values()
    return " × ".join(f"{value:g}" if isinstance(value, int | float) else str(value) for value in values)
