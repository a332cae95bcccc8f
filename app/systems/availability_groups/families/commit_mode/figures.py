"""Plots and tables of a commit-mode experiment: penalty and run time by shape, waits, trials in order."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from app.analysis.figures import bounded, ordered_series, plot_id, ratio_series, used_trials
from app.domain.comparison import Comparison
from app.domain.measurement import Metric
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, value_text
from app.domain.table import ResultTable, TableCell, TableColumn
from app.domain.units import unit_word
from app.foundation.texts import _, in_sentence, local_number
from app.systems.availability_groups import metrics
from app.systems.availability_groups.analysis.penalty import PenaltyRow, Spread, mean_spread, penalty_rows
from app.systems.availability_groups.families.commit_mode.arms import Arms, place_of
from app.systems.availability_groups.families.commit_mode.parameters import (
    GROUP_COMMIT_TIME,
    INSERTS,
    ROWS_PER_INSERT,
    SERVERS_OWN_MS,
)
from app.systems.availability_groups.families.commit_mode.plan import commit_time_of, mode_of
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.readings import LONGEST_UNSENT, REDO_BUILT_UP

_MODES = {
    CommitMode.STANDALONE: _("standalone"),
    CommitMode.ASYNCHRONOUS: _("asynchronous"),
    CommitMode.SYNCHRONOUS: _("synchronous"),
}


def arm_label(arms: Arms, setting: Setting) -> str:
    """Return an arm as a person calls it: "synchronous, log compressed"; without the latter where it is not known."""
    mode = mode_of(setting)
    if mode is CommitMode.STANDALONE:
        return _MODES[mode]
    parts = [_MODES[mode]]
    if arms.tells_compression(setting):
        parts.append(_("log compressed") if arms.compression(setting) == "on" else _("log not compressed"))
    if GROUP_COMMIT_TIME.name in setting:
        parts.append(_("commits grouped for {time} ms").format(time=commit_time_of(setting) or SERVERS_OWN_MS))
    return ", ".join(parts)


def place_label(place: Setting) -> str:
    """Return a shape as a person writes it: "100 × 10,000"."""
    if INSERTS not in place:
        return _("inserts not stated")
    inserts, rows = place[INSERTS], place.get(ROWS_PER_INSERT)
    return local_number(f"{inserts:,}" if rows is None else f"{inserts:,} × {rows:,}")


def plots_of(arms: Arms) -> tuple[PlotSpec, ...]:
    """Return every plot there is enough evidence for."""
    made = (penalty_plot(arms), time_plot(arms), effect_plot(arms), wait_plot(arms), order_plot(arms))
    return tuple(plot for plot in made if plot is not None)


def tables_of(arms: Arms) -> tuple[ResultTable, ...]:
    """Return a table in the form of the published ones for each synchronous arm, and for standalone against both."""
    if arms.metric == metrics.COMMIT_WAIT:
        return _traffic_tables(arms)
    if arms.fit is None or arms.metric != metrics.SHAPE_TIME:
        return ()
    tables = []
    for reference, other in _priced_pairs(arms):
        rows = penalty_rows(arms.fit, arms.compared(reference, other), reference, other)
        if rows:
            tables.append(_table(arms, reference, other, rows))
    return tuple(tables)


_OF_TRAFFIC: Final = (
    *metrics.TRAFFIC_METRICS,
    metrics.LOG_RATE,
    LONGEST_UNSENT,
    REDO_BUILT_UP,
    metrics.FLOW_CONTROL,
    metrics.PRIMARY_CPU,
)


def _traffic_tables(arms: Arms) -> tuple[ResultTable, ...]:
    """Return the mean of every measure of the client's own load, by mode."""
    anywhere = Setting()
    known = [m for m in _OF_TRAFFIC if any(arms.mean(m.name, one, anywhere) is not None for one in arms.settings)]
    if not known:
        return ()
    rows = tuple(
        (arm_label(arms, setting), *(_told(arms.mean(m.name, setting, anywhere)) for m in known))
        for setting in arms.settings
    )
    note = _(
        "Waits are those of all databases of the server; commits are those of the database measured. What his "
        "applications wrote is theirs: a rate that differs may be the time of day."
    )
    columns = (TableColumn("arm", _("Commit mode")), *(TableColumn(m.name, m.title, m.unit) for m in known))
    title = _("What the client's own load showed in each mode")
    return (ResultTable(plot_id(arms.evidence, "traffic-table"), title, columns, rows, note),)


def _told(value: float | None) -> TableCell | str:
    return "–" if value is None else TableCell(value)


def _priced_pairs(arms: Arms) -> list[tuple[Setting, Setting]]:
    """Return (cheaper arm, dearer arm) of every comparison between modes that was made."""
    rank = {CommitMode.STANDALONE: 0, CommitMode.ASYNCHRONOUS: 1, CommitMode.SYNCHRONOUS: 2}
    pairs = dict.fromkeys((c.reference, c.candidate) for c in arms.evidence.comparisons)
    return [(r, c) for r, c in pairs if rank[mode_of(r)] < rank[mode_of(c)]]


def _table(arms: Arms, reference: Setting, other: Setting, rows: Sequence[PenaltyRow]) -> ResultTable:
    first, second = arm_label(arms, reference), arm_label(arms, other)
    columns = (
        TableColumn("inserts", _("Inserts")),
        TableColumn("rows_per_insert", _("Rows per insert")),
        TableColumn("reference_ms", first, "ms"),
        TableColumn("other_ms", second, "ms"),
        TableColumn("penalty_ms", _("Penalty"), "ms"),
        TableColumn("penalty_per_insert_ms", _("Penalty per insert"), "ms"),
        TableColumn("penalty_percent", _("Penalty"), "%"),
        TableColumn("reference_inserts_per_s", first, "inserts/s"),
        TableColumn("other_inserts_per_s", second, "inserts/s"),
        TableColumn("lost_inserts_per_s", _("Lost"), "inserts/s"),
    )
    return ResultTable(
        table_id=plot_id(arms.evidence, f"penalty-{_slug(reference)}-{_slug(other)}"),
        title=_("{other} against {reference}").format(other=second[:1].upper() + second[1:], reference=first),
        columns=columns,
        rows=tuple(_cells(row) for row in rows),
        note=" ".join(part for part in (_interval_note(), _worked_out_note(arms, reference, other)) if part),
    )


def _interval_note() -> str:
    return _(
        "Intervals of penalties hold together for all shapes and arms (95 %); those of times and rates hold each by "
        "itself, with the noise of all shapes and arms taken together."
    )


def _worked_out_note(arms: Arms, reference: Setting, other: Setting) -> str:
    """Return which run times were worked out from how many inserts, "" where all inserts were done."""
    parts = []
    for place in arms.fit.places if arms.fit is not None else ():
        for setting in (reference, other):
            done = arms.mean(metrics.INSERTS_DONE.name, setting, place)
            if done is not None:
                text = _("{shape}, {arm}: {done} inserts done")
                count = local_number(f"{done:,.0f}")
                parts.append(text.format(shape=place_label(place), arm=arm_label(arms, setting), done=count))
    if not parts:
        return ""
    return _("Run times worked out from the inserts done in the time allowed ({shapes}).").format(
        shapes="; ".join(parts)
    )


def _slug(setting: Setting) -> str:
    return "-".join(str(value) for value in setting.values())


def _cells(row: PenaltyRow) -> tuple[TableCell, ...]:
    spreads = (
        row.reference_ms,
        row.other_ms,
        row.penalty_ms,
        row.penalty_per_insert_ms,
        row.penalty_percent,
        row.reference_rate,
        row.other_rate,
        row.lost_rate,
    )
    shape = (TableCell(row.inserts), TableCell(row.rows_per_insert))
    return (*shape, *(TableCell(s.value, s.low, s.high) for s in spreads))


def _ticks(places: Sequence[Setting]) -> tuple[tuple[float, str], ...]:
    return tuple((float(x), place_label(place)) for x, place in enumerate(places))


def penalty_plot(arms: Arms) -> PlotSpec | None:
    """Return the penalty in per cent by shape, with simultaneous intervals, one series for each dearer arm."""
    if arms.metric != metrics.SHAPE_TIME:
        return None
    pairs = [pair for pair in _priced_pairs(arms) if arms.baseline in pair]
    places = arms.fit.places if arms.fit is not None else ()
    series = []
    for number, (reference, other) in enumerate(pairs):
        drawable = bounded(arms.compared(reference, other))
        if drawable:
            label = _("{other} against {reference}").format(
                other=arm_label(arms, other), reference=arm_label(arms, reference)
            )
            series.append(_penalty_series(label, drawable, places, (number - (len(pairs) - 1) / 2) * 0.18))
    if not series:
        return None
    said = "; ".join(
        _("{arm}: {values}").format(
            arm=s.label,
            values=", ".join(
                _("{y:.0f} % ({low:.0f} to {high:.0f})").format(y=y, low=low, high=high)
                for y, low, high in zip(s.y, s.low, s.high, strict=True)
            ),
        )
        for s in series
    )
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "penalty"),
        title=_("What the mode costs, by shape of the workload"),
        alt=_("Penalty in per cent of the run time with simultaneous 95 % intervals. {said}.").format(said=said),
        x_label=_("Inserts × rows per insert"),
        y_label=_("Penalty (%)"),
        series=tuple(series),
        x_ticks=_ticks(places),
        reference_y=0.0,
        reference_label=_("no penalty"),
    )


def _penalty_series(label: str, comparisons: Sequence[Comparison], places: Sequence[Setting], shift: float) -> Series:
    comparisons = sorted(comparisons, key=lambda c: places.index(place_of(c)))
    return Series(
        label,
        Mark.INTERVALS,
        tuple(places.index(place_of(c)) + shift for c in comparisons),
        tuple((c.ratio - 1) * 100 for c in comparisons),
        tuple((c.low - 1) * 100 for c in comparisons),
        tuple((c.high - 1) * 100 for c in comparisons),
        emphasised="sync" in comparisons[0].candidate.values(),
    )


def time_plot(arms: Arms) -> PlotSpec | None:
    """Return the run time, or what else arms are compared by, of every arm and shape, with pointwise intervals."""
    if arms.fit is None or len(arms.settings) < 2:
        return None
    places = arms.fit.places
    series = []
    for number, setting in enumerate(arms.planned):  # an arm has its colour and place before it is measured
        spread_by_place = [(x, mean_spread(arms.fit, setting, place)) for x, place in enumerate(places)]
        spreads = [(x, spread) for x, spread in spread_by_place if spread is not None]
        shift = (number - (len(arms.planned) - 1) / 2) * 0.12
        series.append(_time_series(arm_label(arms, setting), spreads, shift))
    series.sort(key=lambda one: one.label != arm_label(arms, arms.baseline))  # the colours of the other plots
    measure, unit = arms.metric.title, unit_word(arms.metric.unit)
    said = "; ".join(
        f"{s.label}: {', '.join(local_number(f'{y:,.0f}' if y >= 10 else f'{y:.3g}') + f' {unit}' for y in s.y)}"
        for s in series
        if s.y
    )
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "by-setting"),
        title=_("{measure} by shape of the workload").format(measure=measure),
        alt=_("Mean {measure} of each arm by shape, with 95 % intervals. {said}.").format(
            measure=in_sentence(measure), said=said
        ),
        x_label=_("Inserts × rows per insert"),
        y_label=f"{measure} ({unit})",
        series=tuple(series),
        x_ticks=_ticks(places),
        log_y=True,
    )


def _time_series(label: str, spreads: Sequence[tuple[int, Spread]], shift: float) -> Series:
    return Series(
        label,
        Mark.INTERVALS,
        tuple(x + shift for x, _spread in spreads),
        tuple(s.value for _x, s in spreads),
        tuple(s.value if s.low is None else s.low for _x, s in spreads),
        tuple(s.value if s.high is None else s.high for _x, s in spreads),
    )


def effect_plot(arms: Arms) -> PlotSpec | None:
    """Return the effect of compression on the synchronous arm, as a ratio by shape; 1 means no difference."""
    off, on = (arms.with_compression(CommitMode.SYNCHRONOUS, value) for value in ("off", "on"))
    drawable = bounded(arms.compared(off, on))
    if not drawable or arms.fit is None or arms.metric != metrics.SHAPE_TIME:
        return None
    places = arms.fit.places
    shown = sorted(drawable, key=lambda c: places.index(place_of(c)))
    at = [places.index(place_of(c)) for c in shown]
    series = ratio_series(_("compressed against not compressed"), shown, at, emphasised=True)
    said = ", ".join(
        _("{place}: {ratio:.2f} ({low:.2f} to {high:.2f})").format(
            place=place_label(place_of(c)), ratio=c.ratio, low=c.low, high=c.high
        )
        for c in shown
    )
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "effects"),
        title=_("What compression of the log stream does to synchronous commits"),
        alt=_("Ratio of run times, compressed to not compressed, with simultaneous 95 % intervals. {said}.").format(
            said=said
        ),
        x_label=_("Inserts × rows per insert"),
        y_label=_("Ratio of run times"),
        series=(series,),
        x_ticks=_ticks(places),
        reference_y=1.0,
        reference_label=_("no difference"),
    )


_WAITS: Final = ((metrics.SYNC_COMMIT_WAIT, "HADR_SYNC_COMMIT"), (metrics.WRITELOG_WAIT, "WRITELOG"))


def _waited(arms: Arms, setting: Setting, metric: Metric, name: str) -> Series | None:
    """Return a wait of an arm by shape, None where it never waited so; zero has no place on a logarithmic axis."""
    places = arms.fit.places if arms.fit is not None else ()
    means = ((float(x), arms.mean(metric.name, setting, place)) for x, place in enumerate(places))
    points = [(x, y) for x, y in means if y is not None and y > 0]
    if not points:
        return None
    x, y = zip(*points, strict=True)
    return Series(f"{name}, {arm_label(arms, setting)}", Mark.POINTS, x, y)


def wait_plot(arms: Arms) -> PlotSpec | None:
    """Return the waits of an insert of each shape at the primary, of every synchronous arm."""
    if arms.fit is None:
        return None
    places = arms.fit.places
    waits = product(arms.of_mode(CommitMode.SYNCHRONOUS), _WAITS)
    series = [line for setting, (metric, name) in waits if (line := _waited(arms, setting, metric, name)) is not None]
    if not series:
        return None
    said = "; ".join(f"{s.label}: {', '.join(local_number(f'{y:,.3g}') + ' ms' for y in s.y)}" for s in series)
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "waits"),
        title=_("What an insert waits for"),
        alt=_("Mean wait per insert by shape. {said}.").format(said=said),
        x_label=_("Inserts × rows per insert"),
        y_label=_("Wait per insert (ms)"),
        series=tuple(series),
        x_ticks=_ticks(places),
        log_y=True,
    )


def order_plot(arms: Arms) -> PlotSpec | None:
    """Return the time of all shapes together in the order of the trials: drift of the server would show here."""
    rows: dict[Setting, list[tuple[float, float]]] = {}
    for number, trial in enumerate(used_trials(arms.evidence), start=1):
        times = [m.value for m in trial.measurements if m.metric == metrics.SHAPE_TIME.name]
        if times:
            rows.setdefault(trial.setting, []).append((float(number), sum(times) / 1000))
    if sum(map(len, rows.values())) < 3:
        return None
    series = [
        ordered_series(arm_label(arms, setting), points, is_baseline=setting == arms.baseline)
        for setting, points in rows.items()
    ]
    return PlotSpec(
        plot_id=plot_id(arms.evidence, "in-order"),
        title=_("Time of all shapes in the order measured"),
        alt=_("Time of all shapes together of {count} trials in the order they ran.").format(
            count=value_text(sum(map(len, rows.values())))
        ),
        x_label=_("Trial"),
        y_label=_("Time of all shapes (s)"),
        series=tuple(series),
    )
