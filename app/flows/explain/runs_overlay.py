"""Two runs, or two trials, laid over each other: plots as data."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from statistics import fmean
from typing import Final

from app.analysis.settings_order import setting_key
from app.analysis.thinning import outline, spread_by_rank
from app.domain.measurement import Metric, Sample, TrialStatus
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.domain.units import unit_word
from app.flows.explain.runs_view import BrowsedRuns, key_of, run_status_text
from app.flows.shell.start_view import local_time
from app.foundation.texts import _, in_words_of
from app.services.hand_over.past_sessions import RunKey, RunTrials

_VARIES: Final = 2  # different values
_ASIDE: Final = 0.14  # of the distance between two settings, between the two runs
_MOST_SETTINGS: Final = 40  # more cannot be told apart on a screen
_MOST_POINTS: Final = 50_000  # of one line: those in sight are thinned again while they are drawn, peaks kept


def run_labels(browsed: BrowsedRuns, keys: Sequence[RunKey]) -> tuple[str, ...]:
    """Return each run's label in a legend: its id, with time, end and place where several share it."""
    runs = {key_of(run): run for run in browsed.listed.runs if key_of(run) in keys}
    further: tuple[Callable[[RunKey], str], ...] = (
        lambda key: local_time(browsed.began_utc(runs[key])),
        lambda key: run_status_text(runs[key], browsed),
        lambda key: f"({keys.index(key) + 1})",
    )
    labels = [key.run_id for key in keys]
    for tell in further:
        labels = [
            text if labels.count(text) == 1 else f"{text}, {tell(key)}" for text, key in zip(labels, keys, strict=True)
        ]
    return tuple(labels)


def compared_metrics(runs: Sequence[RunTrials]) -> tuple[Metric, ...]:
    """Return the measures at least one trial of the runs has."""
    trials = [trial for run in runs for trial in run.trials if trial.status is TrialStatus.USED]
    metrics = runs[0].metrics if runs else ()
    return tuple(
        metric for place, metric in enumerate(metrics) if any(trial.measured[place] is not None for trial in trials)
    )


def overlay_runs(metric: Metric, runs: Sequence[tuple[str, RunTrials]]) -> PlotSpec | None:
    """Return one measure by setting, of one run or of two beside each other; None where no trial has it.

    It shows what was measured and claims nothing: means with the lowest and the highest trial. What may be claimed
    stands among the findings.

    Args:
        runs: label and trials of each.
    """
    values = [(label, _by_setting(metric, run)) for label, run in runs]
    sizes: Counter[Setting] = Counter()
    for _label, values_by_setting in values:
        sizes.update({setting: len(measured) for setting, measured in values_by_setting.items()})
    if not sizes:
        return None
    with in_words_of(next((run for _label, run in runs if not run.is_windowed), runs[0][1])):
        return _overlay(metric, values, sizes)


def _overlay(
    metric: Metric, values: Sequence[tuple[str, dict[Setting, list[float]]]], sizes: Counter[Setting]
) -> PlotSpec:
    settings = sorted(sizes, key=setting_key)
    shown = [settings[place] for place in spread_by_rank([float(sizes[s]) for s in settings], _MOST_SETTINGS)]
    series = tuple(
        _run_series(label, values_by_setting, shown, (place - (len(values) - 1) / 2) * _ASIDE, is_first=place == 0)
        for place, (label, values_by_setting) in enumerate(values)
        if values_by_setting
    )
    labels = _(" and ").join(label for label, _found in values)
    title = _("{metric} by setting").format(metric=metric.title)
    return PlotSpec(
        plot_id="runs/by-setting",
        title=title,
        alt=_("{title}, of {runs}: mean, lowest and highest of the used trials of each setting.").format(
            title=title, runs=labels
        ),
        x_label=_("Setting"),
        y_label=f"{metric.title} ({unit_word(metric.unit)})",
        series=series,
        x_ticks=tuple((float(place), setting.values_text()) for place, setting in enumerate(shown)),
    )


def _by_setting(metric: Metric, run: RunTrials) -> dict[Setting, list[float]]:
    place = run.metrics.index(metric)
    values_by_setting: dict[Setting, list[float]] = {}
    for trial in run.trials:
        value = trial.measured[place]
        if trial.status is TrialStatus.USED and value is not None and math.isfinite(value):
            values_by_setting.setdefault(trial.setting, []).append(value)
    return values_by_setting


def _run_series(
    label: str, values_by_setting: dict[Setting, list[float]], shown: Sequence[Setting], aside: float, *, is_first: bool
) -> Series:
    points = [
        (place + aside, values_by_setting[setting])
        for place, setting in enumerate(shown)
        if setting in values_by_setting
    ]
    return Series(
        _("{run}: mean, lowest and highest trial").format(run=label),
        Mark.INTERVALS,
        tuple(at for at, _values in points),
        tuple(fmean(values) for _at, values in points),
        tuple(min(values) for _at, values in points),
        tuple(max(values) for _at, values in points),
        emphasised=is_first,
    )


def no_runs_text(runs: int) -> str:
    """Return why no measure is shown of so many runs."""
    if runs:
        return _("No trial of what is chosen can be used.")
    return _("Choose one run in the table, or two with Ctrl, to see their measures beside each other.")


def no_series_text(trials: int) -> str:
    """Return why no time series is shown of so many trials."""
    if trials:
        return _("No time series was kept of what is chosen.")
    return _("Choose one trial in the table, or two with Ctrl, to see their time series over each other.")


def stream_names(series: Sequence[Sequence[Sample]]) -> tuple[str, ...]:
    """Return the streams that can be shown, each once: those that vary first, for one that does not tells little."""
    values: dict[str, set[float]] = {}
    for sample in chain.from_iterable(series):
        values.setdefault(sample.stream, set()).add(sample.value)
    return tuple(sorted(values, key=lambda name: len(values[name]) < _VARIES))


def overlay_plot(stream: str, trials: Sequence[tuple[str, Sequence[Sample]]], title: str = "") -> PlotSpec | None:
    """Return one stream of several trials over the time since measuring began; None where none has it.

    Args:
        trials: label and time series of each.
        title: what the stream is called, "" for its own name.
    """
    drawn: list[Series] = []
    unit = ""
    for label, samples in trials:
        sampled = [s for s in samples if s.stream == stream]
        unit = sampled[0].unit if sampled else unit
        points = [(s.offset_s, s.value) for s in sampled if math.isfinite(s.value)]
        if points:
            x, y = zip(*(points[place] for place in outline([y for _x, y in points], _MOST_POINTS)), strict=True)
            drawn.append(Series(label, Mark.LINE, x, y, emphasised=not drawn))
    if not drawn:
        return None
    labels = _(" and ").join(series.label for series in drawn)
    title = title or stream
    return PlotSpec(
        plot_id="runs/overlay",
        title=title,
        alt=_("{stream} of {labels} over the time since measuring began.").format(stream=title, labels=labels),
        x_label=_("Time since measuring began (s)"),
        y_label=unit_word(unit) or title,
        series=tuple(drawn),
    )
