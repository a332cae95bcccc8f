"""The effect of the leading setting while a run goes on: after each block, with its interval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.analysis.comparing.evidence import answered
from app.analysis.comparing.experiment import Declared, MeasuredRun, experiment_of
from app.analysis.comparing.policy import asked_of
from app.analysis.leading import leading_setting
from app.domain.comparison import Comparison
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialResult
from app.domain.plan import Phase, Plan
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.foundation.texts import _, in_sentence
from app.reporting.wording import setting_text

Point = tuple[float, Comparison]


def effect_by_block(family: ExperimentFamily, plan: Plan, trials: Sequence[TrialResult]) -> PlotSpec | None:
    """Return how far the leading setting is from the baseline after each block; None before that can be told.

    Exploring trials pick the leading setting, until one is confirmed. Each block is answered as the findings would
    answer a run that ended with it, so the last interval is the one that is claimed.

    Args:
        trials: those that ended, in order, used or not.
    """
    if family.compares_all:
        return None
    leading = leading_setting(family.main_metric(plan), trials, plan.baseline)
    if leading is None or leading == plan.baseline:
        return None
    run = MeasuredRun(Declared.by(family), family.main_metric(plan), plan, tuple(trials), None)
    by_phase: dict[Phase, list[Point]] = {Phase.EXPLORE: [], Phase.CONFIRM: []}
    blocks = {trial.block: trial.phase for trial in trials}
    if plan.design.is_windowed:
        blocks = _pairs(blocks)
    for pair, (block, phase) in enumerate(blocks.items(), start=1):
        comparison = _after_block(run, block, phase, leading)
        if comparison is not None:
            by_phase[phase].append((float(pair if plan.design.is_windowed else block), comparison))
    if not any(by_phase.values()):
        return None
    return _plot(run.metric.title, leading, plan, by_phase[Phase.EXPLORE], by_phase[Phase.CONFIRM])


def _pairs(blocks: Mapping[int, Phase]) -> dict[int, Phase]:
    """Return the blocks that confirm: of windows, pairs alone say how far apart two settings are."""
    return {block: phase for block, phase in blocks.items() if phase is Phase.CONFIRM}


def _after_block(run: MeasuredRun, block: int, phase: Phase, leading: Setting) -> Comparison | None:
    """Return the effect of the leading setting after the trials up to a block, None where they do not show one yet."""
    experiment = experiment_of(replace(run, trials=tuple(trial for trial in run.trials if trial.block <= block)))
    if experiment is None:
        return None
    said = (
        comparison
        for asked in asked_of(experiment, experiment.main[0])
        if asked.measurements[0].phase is phase
        for comparison in answered(asked)
    )
    return next((one for one in said if one.candidate == leading and math.isfinite(one.high)), None)


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
        x_label=_("After pair") if plan.design.is_windowed else _("After block"),
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
