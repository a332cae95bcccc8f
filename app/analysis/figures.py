"""Plots of an experiment as data: the same for window and report, shared by the families."""

import math
from collections.abc import Sequence

from app.analysis.agent_facts import baseline_of, exploring, main_metric_of
from app.analysis.compare import best_position
from app.analysis.estimate import Estimate, estimate
from app.analysis.noise import given_noise
from app.analysis.student import simultaneous_quantile
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Measurement, Metric, TrialStatus
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.foundation.texts import _


def plot_id(family: ExperimentFamily, evidence: Evidence, kind: str) -> str:
    """Return the id of one plot of one experiment: family, conditions, kind."""
    factors = "-".join(sorted({name for m in evidence.measurements for name in m.setting}))
    held = "-".join(f"{name}={value}" for name, value in evidence.conditions.values_by_name)
    return "/".join(part for part in (family.family_id, factors, held, kind) if part)


def _factor_label(settings: Sequence[Setting]) -> str:
    return " × ".join(sorted({name for setting in settings for name in setting}))


def _tick(setting: Setting) -> str:
    return " × ".join(f"{value:g}" if isinstance(value, int | float) else str(value) for value in setting.values())


def _held(evidence: Evidence) -> str:
    units = {"rtt_ms": " ms RTT", "network_kbps": " kbps", "commands_per_transaction": " commands per transaction"}
    parts = [
        f"{value:g}{units[name]}"
        for name, value in evidence.conditions.values_by_name
        if name in units and isinstance(value, int | float)
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _mean_intervals(
    fit: Estimate, noise_cv: float | None
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return means and pointwise 95 % intervals of the settings; without a noise level the interval is the mean."""
    noise = given_noise(noise_cv) if noise_cv is not None else fit.noise
    middle = [float(value) for value in fit.log_means]
    if noise is None:
        same = tuple(math.exp(value) for value in middle)
        return same, same, same
    quantile = simultaneous_quantile(0.95, 1, noise.degrees_of_freedom)
    halves = [quantile * noise.log_sd / math.sqrt(len(trials)) for trials in fit.trials]
    return (
        tuple(math.exp(m) for m in middle),
        tuple(math.exp(m - h) for m, h in zip(middle, halves, strict=True)),
        tuple(math.exp(m + h) for m, h in zip(middle, halves, strict=True)),
    )


def setting_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return the main measure by setting: every trial as a point, the mean with its interval."""
    metric = main_metric_of(family, evidence)
    explored = exploring(evidence, metric)
    if not explored:
        return None
    fit = estimate(explored)
    position = {setting: float(index) for index, setting in enumerate(fit.settings)}
    means, lows, highs = _mean_intervals(fit, evidence.noise_cv)
    best = best_position(fit, metric.better)
    others = [i for i in range(len(fit.settings)) if i != best]
    label = _factor_label(fit.settings)
    series = [
        Series(
            _("each trial"), Mark.POINTS, tuple(position[m.setting] for m in explored), tuple(m.value for m in explored)
        ),
        Series(
            _("mean, 95 % interval"),
            Mark.INTERVALS,
            tuple(float(i) for i in others),
            tuple(means[i] for i in others),
            tuple(lows[i] for i in others),
            tuple(highs[i] for i in others),
        ),
        Series(
            _("best mean"),
            Mark.INTERVALS,
            (float(best),),
            (means[best],),
            (lows[best],),
            (highs[best],),
            emphasised=True,
        ),
    ]
    baseline = baseline_of(evidence, family.knobs)
    reference = means[fit.settings.index(baseline)] if baseline in fit.settings else None
    return PlotSpec(
        plot_id=plot_id(family, evidence, "by-setting"),
        title=_("{metric} by {factor}{held}").format(metric=metric.title, factor=label, held=_held(evidence)),
        alt=_setting_alt(metric, label, fit, means, best),
        x_label=label,
        y_label=f"{metric.title} ({metric.unit})",
        series=tuple(series),
        x_ticks=tuple((float(i), _tick(setting)) for i, setting in enumerate(fit.settings)),
        reference_y=reference,
        reference_label=_("baseline {setting}").format(setting=_tick(baseline)) if reference is not None else "",
    )


def _setting_alt(metric: Metric, label: str, fit: Estimate, means: tuple[float, ...], best: int) -> str:
    values = ", ".join(
        f"{_tick(setting)}: {mean:,.4g} {metric.unit}" for setting, mean in zip(fit.settings, means, strict=True)
    )
    return _("Mean {metric} for each {label}: {values}. The best is {best}.").format(
        metric=metric.title.lower(), label=label, values=values, best=_tick(fit.settings[best])
    )


def effect_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return every comparison as a ratio with its simultaneous interval; 1 means no difference."""
    shown = [c for c in evidence.comparisons if c.low > 0 and math.isfinite(c.high)]
    if not shown:
        return None
    metric = main_metric_of(family, evidence)
    ticks, series = [], []
    for phase, name in ((Phase.EXPLORE, _("exploring")), (Phase.CONFIRM, _("confirmation"))):
        rows = [(i, c) for i, c in enumerate(shown) if c.phase is phase]
        if rows:
            series.append(
                Series(
                    name,
                    Mark.INTERVALS,
                    tuple(float(i) for i, _c in rows),
                    tuple(c.ratio for _i, c in rows),
                    tuple(c.low for _i, c in rows),
                    tuple(c.high for _i, c in rows),
                    emphasised=phase is Phase.CONFIRM,
                )
            )
    for index, comparison in enumerate(shown):
        ticks.append((float(index), f"{_tick(comparison.candidate)} : {_tick(comparison.reference)}"))
    described = "; ".join(
        _("{to} against {base}: {ratio:.3f}, {low:.3f} to {high:.3f}").format(
            to=_tick(c.candidate), base=_tick(c.reference), ratio=c.ratio, low=c.low, high=c.high
        )
        for c in shown
    )
    return PlotSpec(
        plot_id=plot_id(family, evidence, "effects"),
        title=_("Effect on {metric}{held}").format(metric=metric.title.lower(), held=_held(evidence)),
        alt=_("Ratios of {metric} with simultaneous 95 % intervals. {rows}.").format(
            metric=metric.title.lower(), rows=described
        ),
        x_label=_("{factor}, compared : reference").format(factor=shown[0].factor),
        y_label=_("Ratio of {metric}").format(metric=metric.title.lower()),
        series=tuple(series),
        x_ticks=tuple(ticks),
        reference_y=1.0,
        reference_label=_("no difference"),
    )


def order_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return the main measure in the order of the trials: drift of the server would show here."""
    metric = main_metric_of(family, evidence)
    used = [t for t in evidence.trials if t.status is TrialStatus.USED]
    rows: list[tuple[int, Measurement]] = []
    for number, trial in enumerate(used, start=1):
        rows += [(number, m) for m in trial.measurements if m.metric == metric.name]
    if len(rows) < 3:
        return None
    baseline = baseline_of(evidence, family.knobs)
    settings = sorted({m.setting for _n, m in rows}, key=lambda s: (s != baseline, _tick(s)))
    series = tuple(
        Series(
            _("{setting} (baseline)").format(setting=_tick(setting)) if setting == baseline else _tick(setting),
            Mark.LINE if setting == baseline else Mark.POINTS,
            tuple(float(n) for n, m in rows if m.setting == setting),
            tuple(m.value for _n, m in rows if m.setting == setting),
            emphasised=setting == baseline,
        )
        for setting in settings
    )
    return PlotSpec(
        plot_id=plot_id(family, evidence, "in-order"),
        title=_("{metric} in the order measured{held}").format(metric=metric.title, held=_held(evidence)),
        alt=_("{metric} of {count} trials in the order they ran; the line joins the baseline's.").format(
            metric=metric.title, count=len(used)
        ),
        x_label=_("Trial"),
        y_label=f"{metric.title} ({metric.unit})",
        series=series,
    )


def rate_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return commands delivered over time, one trial of the baseline against one of the best."""
    metric = main_metric_of(family, evidence)
    explored = exploring(evidence, metric)
    if not explored:
        return None
    fit = estimate(explored)
    best = fit.settings[best_position(fit, metric.better)]
    baseline = baseline_of(evidence, family.knobs)
    series = []
    for setting in dict.fromkeys((baseline, best)):
        trial = next((t for t in evidence.trials if t.setting == setting and t.status is TrialStatus.USED), None)
        points = [s for s in trial.samples if s.unit == "commands" and s.stream.endswith("delivered")] if trial else []
        if points:
            stream = points[0].stream
            points = [s for s in points if s.stream == stream]
            series.append(
                Series(
                    setting.label(),
                    Mark.LINE,
                    tuple(s.offset_s for s in points),
                    tuple(s.value for s in points),
                    emphasised=setting == best,
                )
            )
    if not series:
        return None
    return PlotSpec(
        plot_id=plot_id(family, evidence, "over-time"),
        title=_("Commands delivered over time{held}").format(held=_held(evidence)),
        alt=_("Commands delivered since the start of one trial each of {settings}.").format(
            settings=_(" and ").join(s.label for s in series)
        ),
        x_label=_("Time since measuring began (s)"),
        y_label=_("Delivered (commands)"),
        series=tuple(series),
    )


def catch_up_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return how long a backlog takes at each setting, with its band."""
    shown = [f for f in evidence.forecasts if math.isfinite(f.high_hours)]
    if not shown:
        return None
    return PlotSpec(
        plot_id=plot_id(family, evidence, "catch-up"),
        title=_("Time to deliver a backlog of {backlog:,} commands{held}").format(
            backlog=shown[0].backlog_commands, held=_held(evidence)
        ),
        alt=_("Hours with 95 % band: {rows}.").format(
            rows="; ".join(
                f"{_tick(f.setting)}: {f.hours:.2f} h ({f.low_hours:.2f}–{f.high_hours:.2f} h)" for f in shown
            )
        ),
        x_label=_factor_label([f.setting for f in shown]),
        y_label=_("Time to catch up (h)"),
        series=(
            Series(
                _("forecast, 95 % band"),
                Mark.INTERVALS,
                tuple(float(i) for i in range(len(shown))),
                tuple(f.hours for f in shown),
                tuple(f.low_hours for f in shown),
                tuple(f.high_hours for f in shown),
                emphasised=True,
            ),
        ),
        x_ticks=tuple((float(i), _tick(f.setting)) for i, f in enumerate(shown)),
    )
