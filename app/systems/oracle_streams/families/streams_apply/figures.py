"""Plots of a Streams experiment beyond the common ones: pauses and spills, redo, stages over time, progress."""

from collections.abc import Sequence

from app.analysis.by_setting import by_setting_tables
from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, plot_id
from app.analysis.measured_facts import medians
from app.analysis.thinning import outline, spread_by_rank
from app.domain.family import Evidence
from app.domain.measurement import Metric, TrialResult, TrialStatus
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.domain.table import ResultTable
from app.foundation.texts import _, local_number
from app.systems.oracle_streams import metrics
from app.systems.oracle_streams.analysis import samples as streams
from app.systems.oracle_streams.readings import APPLIED

_COLUMNS = (
    metrics.RUN_TIME,
    metrics.MESSAGE_RATE,
    metrics.CAPTURE_PAUSE,
    metrics.SPILLED_SOURCE,
    metrics.SPILLED_DESTINATION,
    metrics.STAGED_MESSAGES,
    metrics.SOURCE_REDO,
    metrics.DESTINATION_REDO,
)

_COLUMNS_OF_WINDOWS = (
    metrics.MESSAGE_RATE,
    metrics.TRANSACTION_SIZE,
    metrics.SOURCE_POOL,
    metrics.DESTINATION_POOL,
)

_STAGES = {
    streams.CAPTURE_BUSY: _("capture at work"),
    streams.CAPTURE_HELD: _("capture held back"),
    streams.PROPAGATION_BUSY: _("propagation at work"),
    streams.READER_BUSY: _("apply reader at work"),
    streams.SERVERS_BUSY: _("apply servers at work"),
}


def streams_plots(evidence: Evidence, claim: Claim | None) -> tuple[PlotSpec, ...]:
    """Return every plot there is enough evidence for."""
    if claim is None:
        return ()
    made = (
        spill_plot(evidence, claim),
        pause_plot(evidence, claim),
        redo_plot(evidence, claim),
        progress_plot(evidence, claim),
        stage_plot(evidence, claim.baseline, "stages", _("Baseline: what each stage did over time")),
        None
        if claim.best == claim.baseline
        else stage_plot(evidence, claim.best, "stages-best", _("Best setting: what each stage did over time")),
    )
    return tuple(plot for plot in made if plot is not None)


def spill_plot(evidence: Evidence, claim: Claim) -> PlotSpec | None:
    """Return messages spilled at either end, and staged, by setting."""
    return _by_setting(
        evidence,
        claim,
        (metrics.SPILLED_SOURCE, metrics.SPILLED_DESTINATION, metrics.STAGED_MESSAGES),
        ("spills", _("Messages spilled and staged, by setting"), _("Messages")),
    )


def pause_plot(evidence: Evidence, claim: Claim) -> PlotSpec | None:
    """Return how long capture was paused, beside the run time, by setting."""
    return _by_setting(
        evidence,
        claim,
        (metrics.RUN_TIME, metrics.CAPTURE_PAUSE),
        ("pauses", _("Run time, and capture paused for flow control in it"), _("Time (s)")),
    )


def redo_plot(evidence: Evidence, claim: Claim) -> PlotSpec | None:
    """Return the redo written at both ends, by setting: the price of spilling and staging."""
    return _by_setting(
        evidence,
        claim,
        (metrics.SOURCE_REDO, metrics.DESTINATION_REDO),
        ("redo", _("Redo written at both databases, by setting"), _("Redo (MB)")),
    )


def _median_points(evidence: Evidence, settings: Sequence[Setting], metric: Metric) -> Series | None:
    """Return the median of a measure at each setting that has one, None where none has."""
    middle = medians(evidence, [(metric, setting) for setting in settings])
    points = [(float(x), middle[metric.name, s]) for x, s in enumerate(settings) if (metric.name, s) in middle]
    if not points:
        return None
    x, y = zip(*points, strict=True)
    return Series(metric.title, Mark.POINTS, x, y)


def _by_setting(
    evidence: Evidence, claim: Claim, wanted: Sequence[Metric], words: tuple[str, str, str]
) -> PlotSpec | None:
    """Return medians of several measures by setting; `words` are the plot's kind, title and axis."""
    settings = [claim.fit.settings[i] for i in spread_by_rank(claim.fit.log_means.tolist(), MOST_CATEGORIES)]
    series = [line for metric in wanted if (line := _median_points(evidence, settings, metric)) is not None]
    if not series:
        return None
    kind, title, label = words
    said = "; ".join(f"{s.label}: {', '.join(local_number(f'{value:,.4g}') for value in s.y)}" for s in series)
    return PlotSpec(
        plot_id=plot_id(evidence, kind),
        title=title,
        alt=_("Medians for {settings}. {said}.").format(settings=", ".join(map(_tick, settings)), said=said),
        x_label=" × ".join(sorted({name for setting in settings for name in setting})),
        y_label=label,
        series=tuple(series),
        x_ticks=tuple((float(x), _tick(setting)) for x, setting in enumerate(settings)),
    )


def progress_plot(evidence: Evidence, claim: Claim) -> PlotSpec | None:
    """Return messages applied over time, one trial each of the baseline, the best and the largest setting."""
    series = []
    for setting in dict.fromkeys((claim.baseline, claim.best, claim.fit.settings[-1])):
        line = _line(_trial_of(evidence, setting), APPLIED)
        if line:
            label = _("{setting} (baseline)") if setting == claim.baseline else "{setting}"
            x, y = zip(*line, strict=True)
            emphasised = setting == claim.best
            series.append(Series(label.format(setting=setting.text()), Mark.LINE, x, y, emphasised=emphasised))
    if not series:
        return None
    return PlotSpec(
        plot_id=plot_id(evidence, "over-time"),
        title=_("Messages applied over time"),
        alt=_("Messages applied since the first row was written, one trial each of {settings}.").format(
            settings=_(" and ").join(s.label for s in series)
        ),
        x_label=_("Time since measuring began (s)"),
        y_label=_("Applied (messages)"),
        series=tuple(series),
    )


def stage_plot(evidence: Evidence, setting: Setting, kind: str, title: str) -> PlotSpec | None:
    """Return how busy each stage was over time in one trial of a setting."""
    trial = _trial_of(evidence, setting)
    series = []
    for stream in streams.BUSY:
        line = _line(trial, stream)
        if line:
            x, y = zip(*line, strict=True)
            is_held = stream == streams.CAPTURE_HELD
            series.append(Series(_STAGES[stream], Mark.LINE, x, y, emphasised=is_held))
    if trial is None or not series:
        return None
    means = ", ".join(f"{s.label} {100 * sum(s.y) / len(s.y):.0f}\u00a0%" for s in series)
    return PlotSpec(
        plot_id=plot_id(evidence, kind),
        title=title,
        alt=_("Share of the time each stage worked, over trial {trial} with {setting}; means: {means}.").format(
            trial=trial.trial_id, setting=setting.text(), means=means
        ),
        x_label=_("Time since measuring began (s)"),
        y_label=_("Share of the time"),
        series=tuple(series),
    )


def streams_tables(evidence: Evidence, claim: Claim | None, uncounted: str) -> tuple[ResultTable, ...]:
    """Return every measure of the load by setting, as the field prints them.

    Args:
        uncounted: of the client's backlog, why no end of it is forecast; "" for other work.
    """
    if uncounted:
        return by_setting_tables(evidence, claim, _COLUMNS_OF_WINDOWS, uncounted)
    note = _("Spilled messages left a queue's memory; staged ones wait in a table.")
    return by_setting_tables(evidence, claim, _COLUMNS, note)


def _trial_of(evidence: Evidence, setting: Setting) -> TrialResult | None:
    used = [trial for trial in evidence.trials if trial.status is TrialStatus.USED and trial.setting == setting]
    return next(iter(used), None)


def _line(trial: TrialResult | None, stream: str) -> list[tuple[float, float]]:
    points = [] if trial is None else [sample for sample in trial.samples if sample.stream == stream]
    return [(points[i].offset_s, points[i].value) for i in outline([point.value for point in points])]


def _tick(setting: Setting) -> str:
    return setting.values_text()
