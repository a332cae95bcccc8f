"""The effect of the leading setting while a run goes on: after each block, with its interval."""

import math
from collections.abc import Callable, Sequence

from app.analysis.compare import against, best_position, compare
from app.analysis.estimate import estimate
from app.domain.comparison import Comparison
from app.domain.family import ExperimentFamily
from app.domain.measurement import Measurement
from app.domain.plan import Phase, Plan
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.foundation.texts import _, in_sentence
from app.reporting.wording import setting_text

Point = tuple[float, Comparison]


def effect_by_block(family: ExperimentFamily, plan: Plan, measurements: Sequence[Measurement]) -> PlotSpec | None:
    """Return how far the leading setting is from the baseline after each block; None before that can be told.

    Exploring trials pick the leading setting; of the confirming ones the interval is computed afresh, as for the claim.
    It is shown as it grows: what is claimed in the end follows from the plan's own rule.
    """
    if family.compares_all:
        return None
    metric = family.main_metric(plan)
    main = [m for m in measurements if m.metric == metric.name]
    explored = [m for m in main if m.phase is Phase.EXPLORE]
    fresh = [m for m in main if m.phase is Phase.CONFIRM]
    if not any(m.setting == plan.baseline for m in explored):
        return None
    fit = estimate(explored)
    leading = fit.settings[best_position(fit, metric.better)]
    if leading == plan.baseline:
        return None

    def compared(those: Sequence[Measurement]) -> Comparison | None:
        if not any(m.setting == plan.baseline for m in those):
            return None
        found = compare(those, against(plan.baseline), metric.better, plan.design.minimum_effect, plan.design.noise_cv)
        return next((one for one in found if one.candidate == leading and math.isfinite(one.high)), None)

    exploring, confirming = _after_each_block(explored, compared), _after_each_block(fresh, compared)
    if not exploring and not confirming:
        return None
    return _plot(metric.title, leading, plan, exploring, confirming)


def _after_each_block(
    measurements: Sequence[Measurement], compared: Callable[[Sequence[Measurement]], Comparison | None]
) -> list[Point]:
    blocks = sorted({m.block for m in measurements})
    found = ((block, compared([m for m in measurements if m.block <= block])) for block in blocks)
    return [(float(block), one) for block, one in found if one is not None]


def _plot(
    title: str, leading: Setting, plan: Plan, exploring: Sequence[Point], confirming: Sequence[Point]
) -> PlotSpec:
    last = (confirming or exploring)[-1][1]
    words = _("{setting} so far: {change} % ({low} to {high} %)")
    if not confirming:
        words = _("{setting} leads so far: {change} % ({low} to {high} %)")
    said = words.format(
        setting=setting_text(leading),
        change=_percent_text(last.ratio),
        low=_percent_text(last.low),
        high=_percent_text(last.high),
    )
    smallest = 100 * plan.design.minimum_effect
    ends = [point[0] for point in (*exploring, *confirming)]
    edges = (min(ends) - 0.5, max(ends) + 0.5)
    series = [
        Series(_("too small to act on"), Mark.BAND, edges, (0.0, 0.0), (-smallest, -smallest), (smallest, smallest)),
        *(_series(_("exploring"), exploring, emphasised=False) if exploring else ()),
        *(_series(_("confirming"), confirming, emphasised=True) if confirming else ()),
    ]
    return PlotSpec(
        plot_id="run/effect",
        title=said,
        alt=said,
        x_label=_("After block"),
        y_label=_("Change of {measure} (%)").format(measure=in_sentence(title)),
        series=tuple(series),
        x_ticks=tuple((end, f"{end:.0f}") for end in sorted(set(ends))),
        reference_y=0.0,
    )


def _series(label: str, points: Sequence[Point], *, emphasised: bool) -> tuple[Series]:
    x, middle, low, high = zip(
        *((at, _percent(one.ratio), _percent(one.low), _percent(one.high)) for at, one in points), strict=True
    )
    return (Series(label, Mark.INTERVALS, x, middle, low, high, emphasised=emphasised),)


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)


def _percent_text(ratio: float) -> str:
    percent = round(_percent(ratio))
    return f"−{-percent}" if percent < 0 else f"+{percent}" if percent > 0 else "0"
