"""Plots of an experiment as data: the same for window and report, shared by the families."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.analysis.adjusted_means import adjusted_means
from app.analysis.claim import Claim, baseline_of, main_metric_of
from app.analysis.compare import best_position
from app.analysis.estimate import Estimate
from app.analysis.noise import given_noise
from app.analysis.settings_order import setting_key
from app.analysis.student import CONFIDENCE, simultaneous_quantile
from app.analysis.thinning import MOST_POINTS, outline, spread_by_rank
from app.domain.comparison import Comparison, Forecast
from app.domain.effect import tells_interval
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, in_sentence, local_number

# More categories than this have no room on an axis, and no reader.
MOST_CATEGORIES = 60


def plot_id(evidence: Evidence, kind: str) -> str:
    """Return the id of one plot of one experiment: family, factors, conditions, kind."""
    if evidence.plan is not None:
        names = [factor.name for factor in evidence.plan.factors]
    else:
        names = list(evidence.measurements[0].setting)
    held = "-".join(f"{name}={value}" for name, value in evidence.conditions.values_by_name)
    return "/".join(part for part in (evidence.family, "-".join(sorted(names)), held, kind) if part)


def bounded(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return the comparisons whose intervals are told, and finite: the others would leave the axis to themselves."""
    return [c for c in comparisons if c.low > 0 and math.isfinite(c.high) and tells_interval(c.low, c.high)]


def ratio_series(label: str, comparisons: Sequence[Comparison], at: Iterable[float], *, emphasised: bool) -> Series:
    """Return ratios with their intervals at places on the axis."""
    rows = ((c.ratio, c.low, c.high) for c in comparisons)
    y, low, high = zip(*rows, strict=True)
    return Series(label, Mark.INTERVALS, tuple(map(float, at)), y, low, high, emphasised=emphasised)


def sampled_line(label: str, trial: TrialResult | None, stream: str, *, emphasised: bool) -> Series | None:
    """Return one stream of a trial over time, thinned for a line; None where nothing was sampled."""
    samples = [] if trial is None else [s for s in trial.samples if s.stream == stream]
    if not samples:
        return None
    kept = [samples[i] for i in outline([s.value for s in samples])]
    x, y = zip(*((s.offset_s, s.value) for s in kept), strict=True)
    return Series(label, Mark.LINE, x, y, emphasised=emphasised)


def used_trials(evidence: Evidence) -> list[TrialResult]:
    """Return the trials that count, in the order they ran."""
    return [trial for trial in evidence.trials if trial.status is TrialStatus.USED]


def ordered_series(label: str, points: Sequence[tuple[float, float]], *, is_baseline: bool) -> Series:
    """Return the trials of a setting in the order they ran, (number, value) each; only the baseline's are joined."""
    kept = [points[i] for i in outline([value for _number, value in points])]
    x, y = zip(*kept, strict=True)
    return Series(label, Mark.LINE if is_baseline else Mark.POINTS, x, y, emphasised=is_baseline)


def _factor_label(settings: Sequence[Setting]) -> str:
    return " × ".join(sorted({name for setting in settings for name in setting}))


def tick(setting: Setting) -> str:
    """Return a setting's values as an axis shows them."""
    return setting.values_text()


def held_text(evidence: Evidence) -> str:
    """Return the conditions of an experiment's measurements, in brackets behind a space, "" where there are none."""
    texts = {
        "rtt_ms": _("{value} ms round trip"),
        "network_kbps": "{value} kbps",
        "commands_per_transaction": _("{value} commands per transaction"),
    }
    parts = [
        texts[name].format(value=value_text(value))
        for name, value in evidence.conditions.values_by_name
        if name in texts and isinstance(value, int | float)
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _mean_intervals(
    fit: Estimate, noise_cv: float | None, logs: Mapping[Setting, float]
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return means and pointwise 95 % intervals of the settings; without a noise level the interval is the mean."""
    noise = given_noise(noise_cv) if noise_cv is not None else fit.noise
    middle = [logs[setting] for setting in fit.settings]
    if noise is None:
        same = tuple(math.exp(value) for value in middle)
        return same, same, same
    quantile = simultaneous_quantile(CONFIDENCE, 1, noise.degrees_of_freedom)
    halves = [quantile * noise.log_sd / math.sqrt(len(trials)) for trials in fit.trials]
    return (
        tuple(math.exp(m) for m in middle),
        tuple(math.exp(m - h) for m, h in zip(middle, halves, strict=True)),
        tuple(math.exp(m + h) for m, h in zip(middle, halves, strict=True)),
    )


def setting_plot(family: ExperimentFamily, evidence: Evidence, claim: Claim | None) -> PlotSpec | None:
    """Return the main measure by setting: every trial as a point, the mean with its interval.

    Very many trials or settings are thinned out, extremes kept; the plot then says so.
    """
    if claim is None:
        return None
    fit, metric = claim.fit, claim.metric
    best = best_position(fit, metric.better)
    base = fit.settings.index(claim.baseline) if claim.baseline in fit.settings else None
    marked = _marked(claim, best)
    shown = _shown_positions(fit, [best, marked] if base is None else [best, marked, base])
    compared = [c for c in evidence.comparisons if (c.metric, c.phase) == (metric.name, claim.explored[0].phase)]
    logs = adjusted_means(claim.explored, compared, fit)
    means, lows, highs = _mean_intervals(fit, evidence.noise_cv, logs)
    others = [i for i in shown if i != marked]
    marked_as = _("best mean") if marked == best else _("setting chosen")
    label = _factor_label(fit.settings)
    return PlotSpec(
        plot_id=plot_id(evidence, "by-setting"),
        title=_("{metric} by {factor}{held}").format(metric=metric.title, factor=label, held=held_text(evidence)),
        alt=_setting_alt(claim, label, means, shown),
        x_label=label,
        y_label=f"{metric.title} ({unit_word(metric.unit)})",
        series=(
            _trial_points(claim, shown),
            _intervals(_("mean, 95 % interval"), [shown.index(i) for i in others], others, (means, lows, highs)),
            _intervals(marked_as, [shown.index(marked)], [marked], (means, lows, highs), emphasised=True),
        ),
        x_ticks=tuple((float(x), tick(fit.settings[i])) for x, i in enumerate(shown)),
        reference_y=None if base is None else means[base],
        reference_label="" if base is None else _("baseline {setting}").format(setting=tick(claim.baseline)),
    )


def _marked(claim: Claim, best: int) -> int:
    """Return the setting that decisions speak of, which may be a simpler one than that with the best mean."""
    return claim.fit.settings.index(claim.best) if claim.best in claim.fit.settings else best


def _shown_positions(fit: Estimate, wanted: Sequence[int]) -> list[int]:
    """Return the settings there is room for, ascending: evenly by mean, with the ends of the sweep and `wanted`."""
    count = len(fit.settings)
    if count <= MOST_CATEGORIES:
        return list(range(count))
    kept = {0, count - 1, *wanted}
    return sorted(kept | set(spread_by_rank(fit.log_means.tolist(), MOST_CATEGORIES - len(kept))))


def _trial_points(claim: Claim, shown: Sequence[int]) -> Series:
    """Return the trials of the shown settings, of each setting not more than its share of the points there may be."""
    place = {claim.fit.settings[i]: float(x) for x, i in enumerate(shown)}
    values: dict[Setting, list[float]] = {setting: [] for setting in place}
    for m in claim.explored:
        if m.setting in values:
            values[m.setting].append(m.value)
    share = MOST_POINTS // len(place)
    points = [
        (place[setting], measured[i]) for setting, measured in values.items() for i in spread_by_rank(measured, share)
    ]
    count, of_all = len(points), len(claim.explored)
    one = _("each trial")
    label = one if count == of_all else _("{count:,} of {all:,} trials").format(count=count, all=of_all)
    x, y = zip(*points, strict=True)
    return Series(label, Mark.POINTS, x, y)


def _intervals(
    label: str,
    at: Sequence[float],
    positions: Sequence[int],
    columns: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]],
    *,
    emphasised: bool = False,
) -> Series:
    """Return the chosen rows of (middle, low, high) at places on the axis."""
    y, low, high = (tuple(column[i] for i in positions) for column in columns)
    return Series(label, Mark.INTERVALS, tuple(map(float, at)), y, low, high, emphasised=emphasised)


def _setting_alt(claim: Claim, label: str, means: tuple[float, ...], shown: Sequence[int]) -> str:
    fit, metric = claim.fit, claim.metric
    values = ", ".join(
        f"{tick(fit.settings[i])}: {local_number(f'{means[i]:,.4g}')} {unit_word(metric.unit)}" for i in shown
    )
    best = fit.settings[best_position(fit, metric.better)]
    text = _("Mean {metric} for each {label}: {values}. The best is {best}.").format(
        metric=in_sentence(metric.title), label=label, values=values, best=tick(best)
    )
    if claim.best != best:
        text += " " + _("The setting chosen is {chosen}.").format(chosen=tick(claim.best))
    thinned = []
    if len(shown) < len(fit.settings):
        thinned.append(_("Of {all:,} settings {count:,} are shown.").format(all=len(fit.settings), count=len(shown)))
    if len(claim.explored) > MOST_POINTS:
        thinned.append(_("Of very many trials only some are drawn, the lowest and the highest of each among them."))
    return " ".join([text, *thinned])


def effect_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return every comparison as a ratio with its simultaneous interval; 1 means no difference."""
    drawable = bounded(evidence.comparisons)
    if not drawable:
        return None
    shown = [drawable[i] for i in spread_by_rank([c.ratio for c in drawable], MOST_CATEGORIES)]
    measure = in_sentence(main_metric_of(family, evidence).title)
    rows_said = "; ".join(
        _("{to} against {base}: {ratio:.3f}, {low:.3f} to {high:.3f}").format(
            to=tick(c.candidate), base=tick(c.reference), ratio=c.ratio, low=c.low, high=c.high
        )
        for c in shown
    )
    alt = _("Ratios of {metric} with simultaneous 95 % intervals. {rows}.").format(metric=measure, rows=rows_said)
    if len(shown) < len(drawable):
        more = _("Of {all:,} comparisons {count:,} are shown, the smallest and the largest ratio among them.")
        alt += " " + more.format(all=len(drawable), count=len(shown))
    return PlotSpec(
        plot_id=plot_id(evidence, "effects"),
        title=_("Effect on {metric}{held}").format(metric=measure, held=held_text(evidence)),
        alt=alt,
        x_label=_("{factor}, compared : reference").format(factor=shown[0].factor),
        y_label=_("Ratio of {metric}").format(metric=measure),
        series=tuple(_ratios_by_phase(shown)),
        x_ticks=tuple((float(i), f"{tick(c.candidate)} : {tick(c.reference)}") for i, c in enumerate(shown)),
        reference_y=1.0,
        reference_label=_("no difference"),
    )


def _ratios_by_phase(shown: Sequence[Comparison]) -> Iterator[Series]:
    for phase, name in ((Phase.EXPLORE, _("exploring")), (Phase.CONFIRM, _("confirmation"))):
        of_phase = {i: c for i, c in enumerate(shown) if c.phase is phase}
        if of_phase:
            yield ratio_series(name, tuple(of_phase.values()), of_phase, emphasised=phase is Phase.CONFIRM)


def order_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return the main measure in the order of the trials: drift of the server would show here."""
    metric = main_metric_of(family, evidence)
    rows: dict[Setting, list[tuple[float, float]]] = {}
    used = used_trials(evidence)
    for number, trial in enumerate(used, start=1):
        measured = [(float(number), m.value) for m in trial.measurements if m.metric == metric.name]
        rows.setdefault(trial.setting, []).extend(measured)
    if sum(map(len, rows.values())) < 3:
        return None
    baseline = baseline_of(evidence, family.parameters)
    series = []
    for setting in sorted(rows, key=lambda s: (s != baseline, setting_key(s))):
        if rows[setting]:
            label = _("{setting} (baseline)") if setting == baseline else "{setting}"
            text = label.format(setting=tick(setting))
            series.append(ordered_series(text, rows[setting], is_baseline=setting == baseline))
    return PlotSpec(
        plot_id=plot_id(evidence, "in-order"),
        title=_("{metric} in the order measured{held}").format(metric=metric.title, held=held_text(evidence)),
        alt=_("{metric} of {count} trials in the order they ran; the line joins the baseline's.").format(
            metric=metric.title, count=value_text(len(used))
        ),
        x_label=_("Trial"),
        y_label=f"{metric.title} ({unit_word(metric.unit)})",
        series=tuple(series),
    )


def catch_up_plot(evidence: Evidence) -> PlotSpec | None:
    """Return how long a backlog takes at each setting, with its band."""
    ending = [f for f in evidence.forecasts if f.low_hours > 0 and math.isfinite(f.high_hours)]
    if not ending:
        return None
    shown = [ending[i] for i in spread_by_rank([f.hours for f in ending], MOST_CATEGORIES)]
    hours, low_hours, high_hours = zip(*((f.hours, f.low_hours, f.high_hours) for f in shown), strict=True)
    places = range(len(shown))
    return PlotSpec(
        plot_id=plot_id(evidence, "catch-up"),
        title=_("Time to deliver a backlog of {backlog:,} commands{held}").format(
            backlog=shown[0].backlog_commands, held=held_text(evidence)
        ),
        alt=_catch_up_text(shown, len(ending)),
        x_label=_factor_label([f.setting for f in shown]),
        y_label=_("Time to catch up (h)"),
        series=(_intervals(_("forecast, 95 % band"), places, places, (hours, low_hours, high_hours), emphasised=True),),
        x_ticks=tuple((float(i), tick(f.setting)) for i, f in enumerate(shown)),
    )


def _catch_up_text(shown: Sequence[Forecast], count: int) -> str:
    """Return the forecasts shown in words, and of how many settings they are."""
    rows = "; ".join(
        f"{tick(f.setting)}: " + local_number(f"{f.hours:.2f} h ({f.low_hours:.2f}–{f.high_hours:.2f} h)")
        for f in shown
    )
    text = _("Hours with 95 % band: {rows}.").format(rows=rows)
    if len(shown) < count:
        more = _("Of {all:,} settings {count:,} are shown, the fastest and the slowest among them.")
        text += " " + more.format(all=count, count=len(shown))
    return text
