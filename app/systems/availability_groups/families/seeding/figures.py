"""Plots of a seeding experiment: totals, steps, effects, the copy over time, processors, network, trials in order."""

import math
from collections.abc import Mapping, Sequence

from app.analysis.figures import bounded, ordered_series, plot_id, ratio_series, sampled_line, used_trials
from app.domain.comparison import Comparison
from app.domain.measurement import Better, Metric
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, local_number
from app.systems.availability_groups.analysis.penalty import Spread
from app.systems.availability_groups.copies import SeedingMethod
from app.systems.availability_groups.families.seeding import measures
from app.systems.availability_groups.families.seeding.arms import Arms
from app.systems.availability_groups.families.seeding.parameters import DEFAULTS, SEEDING_METHOD
from app.systems.availability_groups.families.seeding.plan import method_of

# As the rig names it.
_WRITTEN = _("written at the secondary")

_METHODS = {
    SeedingMethod.BACKUP_RESTORE: _("backup and restore"),
    SeedingMethod.DIRECT: _("direct seeding"),
    SeedingMethod.DIRECT_COMPRESSED: _("compressed direct seeding"),
}


def method_label(setting: Setting) -> str:
    """Return a setting as a person calls it: "backup and restore, stripes 4"."""
    others = [f"{n} {value_text(v)}" for n, v in setting.items() if n != SEEDING_METHOD.name and v != DEFAULTS.get(n)]
    return ", ".join((_METHODS[method_of(setting)], *others))


def plots_of(arms: Arms) -> tuple[PlotSpec, ...]:
    """Return every plot there is enough evidence for."""
    made = (
        total_plot(arms),
        steps_plot(arms),
        effect_plot(arms),
        copy_plot(arms),
        level_plot(arms, "cpu", _("Processor use while seeding"), _("Processor use (%)"), _CPU, scale=100.0),
        level_plot(arms, "network", _("Network while data is sent"), _("Network (Mbps)"), _NETWORK),
        order_plot(arms),
    )
    return tuple(plot for plot in made if plot is not None)


_CPU: Mapping[str, Metric] = {_("primary"): measures.PRIMARY_CPU, _("secondary"): measures.SECONDARY_CPU}
_NETWORK: Mapping[str, Metric] = {_("sent"): measures.NETWORK_RATE}


def _ticks(settings: Sequence[Setting]) -> tuple[tuple[float, str], ...]:
    return tuple((float(x), method_label(setting)) for x, setting in enumerate(settings))


def _said(label: str, values: Mapping[str, str]) -> str:
    return _("{label}: {values}").format(label=label, values=", ".join(f"{n} {v}" for n, v in values.items()))


def _intervals(label: str, rows: Sequence[tuple[float, Spread]], mark: Mark, *, emphasised: bool = False) -> Series:
    """Return means with their intervals; one that has none is drawn without length."""
    return Series(
        label,
        mark,
        tuple(x for x, _spread in rows),
        tuple(s.value for _x, s in rows),
        tuple(s.value if s.low is None else s.low for _x, s in rows),
        tuple(_top(s) for _x, s in rows),
        emphasised=emphasised,
    )


def _top(spread: Spread) -> float:
    return spread.high if spread.high is not None and math.isfinite(spread.high) else spread.value


def total_plot(arms: Arms) -> PlotSpec | None:
    """Return the measure each method is compared by: every trial as a point, the mean with its interval."""
    measure, unit = arms.metric, unit_word(arms.metric.unit)
    spreads = arms.spreads(measure)
    settings = [setting for setting in arms.settings if setting in spreads]
    if len(settings) < 2:
        return None
    place = {setting: float(x) for x, setting in enumerate(settings)}
    points = [(place[m.setting], m.value) for m in arms.evidence.measurements if m.metric == measure.name]
    x, y = zip(*points, strict=True)
    series = [
        Series(_("each trial"), Mark.POINTS, x, y),
        _intervals(_("mean, 95 % interval"), [(place[s], spreads[s]) for s in settings], Mark.INTERVALS),
    ]
    base = spreads.get(arms.baseline)
    values = {method_label(s): f"{local_number(f'{spreads[s].value:,.0f}')} {unit}" for s in settings}
    is_total = measure == measures.TOTAL_TIME
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "by-setting"),
        title=_("Time until the replica has the database") if is_total else measure.title,
        alt=_said(_("Mean time of each method") if is_total else measure.title, values) + ".",
        x_label=_("Method"),
        y_label=f"{measure.title} ({unit})",
        series=tuple(series),
        x_ticks=_ticks(settings),
        reference_y=None if base is None else base.value,
        reference_label="" if base is None else _("baseline"),
    )


def steps_plot(arms: Arms) -> PlotSpec | None:
    """Return how long each step of each method took, in the order of the steps."""
    places = {setting: float(x) for x, setting in enumerate(arms.settings)}
    series, said = [], []
    for metric in measures.STEP_METRICS:
        spreads = arms.spreads(metric)
        rows = [(x, spreads[setting]) for setting, x in places.items() if setting in spreads]
        if rows:
            series.append(_intervals(metric.title, rows, Mark.BARS))
            values = {method_label(s): local_number(f"{spreads[s].value:,.0f}") + " s" for s in places if s in spreads}
            said.append(_said(metric.title, values))
    if not series:
        return None
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "steps"),
        title=_("Steps of each method"),
        alt=_("Mean duration of each step. {said}.").format(said="; ".join(said)),
        x_label=_("Method"),
        y_label=_("Duration (s)"),
        series=tuple(series),
        x_ticks=_ticks(arms.settings),
    )


def effect_plot(arms: Arms) -> PlotSpec | None:
    """Return every comparison as a ratio of times with its simultaneous interval; 1 means no difference."""
    shown, is_time = bounded(arms.evidence.comparisons), arms.metric.better is Better.LOWER
    if not shown:
        return None
    series = ratio_series(_("ratio, simultaneous 95 % interval"), shown, range(len(shown)), emphasised=True)
    text = _("{place}: {ratio:.2f} ({low:.2f} to {high:.2f})")
    said = "; ".join(text.format(place=_pair_label(c), ratio=c.ratio, low=c.low, high=c.high) for c in shown)
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "effects"),
        title=_("What the method does to the time") if is_time else arms.metric.title,
        alt=_("Ratios with simultaneous 95 % intervals. {said}.").format(said=said),
        x_label=_("Compared : reference"),
        y_label=_("Ratio of times") if is_time else _("Ratio"),
        series=(series,),
        x_ticks=tuple((float(x), _pair_label(c)) for x, c in enumerate(shown)),
        reference_y=1.0,
        reference_label=_("no difference"),
    )


def _pair_label(c: Comparison) -> str:
    """Return a pair as short as an axis has room for: "direct : backup"."""
    return f"{_short(c.candidate)} : {_short(c.reference)}"


def _short(setting: Setting) -> str:
    name = {
        SeedingMethod.BACKUP_RESTORE: _("backup"),
        SeedingMethod.DIRECT: _("direct"),
        SeedingMethod.DIRECT_COMPRESSED: _("compressed"),
    }[method_of(setting)]
    others = [value_text(v) for n, v in setting.items() if n != SEEDING_METHOD.name and v != DEFAULTS.get(n)]
    return " ".join((name, *others))


def copy_plot(arms: Arms) -> PlotSpec | None:
    """Return the volume written at the secondary over time, of the first used trial of each method."""
    first = {t.setting: t for t in reversed(used_trials(arms.evidence))}
    direct = arms.of_method(SeedingMethod.DIRECT)
    lines = (sampled_line(method_label(s), first.get(s), _WRITTEN, emphasised=s == direct) for s in arms.settings)
    series = [line for line in lines if line is not None and len(line.x) > 1]
    if not series:
        return None
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "over-time"),
        title=_("The copy over time"),
        alt=_("Megabytes written at the secondary since the start of one trial each of {methods}.").format(
            methods=_(" and ").join(s.label for s in series)
        ),
        x_label=_("Time since the start (s)"),
        y_label=_("Written at the secondary (MB)"),
        series=tuple(series),
    )


def level_plot(
    arms: Arms, kind: str, title: str, y_label: str, sides: Mapping[str, Metric], scale: float = 1.0
) -> PlotSpec | None:
    """Return the mean level of a resource for each method, one bar for each side."""
    places = {setting: float(x) for x, setting in enumerate(arms.settings)}
    series, said = [], []
    for name, metric in sides.items():
        measured = arms.spreads(metric)
        spreads = {setting: scaled(spread, scale) for setting, spread in measured.items()}
        rows = [(x, spreads[setting]) for setting, x in places.items() if setting in spreads]
        if rows:
            series.append(_intervals(name, rows, Mark.BARS))
            said.append(
                _said(name, {method_label(s): local_number(f"{spreads[s].value:,.0f}") for s in places if s in spreads})
            )
    if not series:
        return None
    return PlotSpec(
        plot_id=plot_id(arms.evidence, kind),
        title=title,
        alt=_("{label} by method. {said}.").format(label=y_label, said="; ".join(said)),
        x_label=_("Method"),
        y_label=y_label,
        series=tuple(series),
        x_ticks=_ticks(arms.settings),
    )


def scaled(spread: Spread, scale: float) -> Spread:
    """Return a spread in another unit."""
    low, high = (None if end is None else end * scale for end in (spread.low, spread.high))
    return Spread(spread.value * scale, low, high)


def order_plot(arms: Arms) -> PlotSpec | None:
    """Return the total time in the order of the trials: drift of the servers would show here."""
    rows: dict[Setting, list[tuple[float, float]]] = {}
    for number, trial in enumerate(used_trials(arms.evidence), start=1):
        for m in trial.measurements:
            if m.metric == measures.TOTAL_TIME.name:
                rows.setdefault(trial.setting, []).append((float(number), m.value))
    count = sum(map(len, rows.values()))
    if count < 3:
        return None
    series = [
        ordered_series(method_label(setting), points, is_baseline=setting == arms.baseline)
        for setting, points in rows.items()
    ]
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "in-order"),
        title=_("Time of each trial in the order measured"),
        alt=_("Time of {count} trials in the order they ran.").format(count=value_text(count)),
        x_label=_("Trial"),
        y_label=f"{measures.TOTAL_TIME.title} (s)",
        series=tuple(series),
    )
