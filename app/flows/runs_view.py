"""The browser of runs as plain data: the table of all trials of a session, and two of them laid over each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain
from pathlib import Path

from app.analysis.thinning import outline
from app.domain.measurement import Sample, TrialStatus
from app.domain.metrics import LATENCY
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.flows.start_view import local_time
from app.flows.table_view import Cell, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.flows.words import counted
from app.foundation.texts import _
from app.services.past_sessions import LISTED_METRICS, TrialList, list_trials
from app.services.program import Program
from app.store import TrialOverview

COMPARED = 2
"""How many trials are laid over each other."""

_VARIES = 2  # different values

ANY_STATUS = ""
"""The choice that shows every trial."""


def status_titles() -> tuple[tuple[str, str], ...]:
    """Return what the table can be narrowed down to, with its title."""
    return ((ANY_STATUS, _("Every trial")), *((status.value, status_in_words(status)) for status in TrialStatus))


def status_in_words(status: TrialStatus) -> str:
    """Return how a trial ended, in a word or two."""
    return {
        TrialStatus.USED: _("used"),
        TrialStatus.NOT_USED: _("not used"),
        TrialStatus.ABORTED: _("aborted"),
    }[status]


def phase_in_words(phase: Phase) -> str:
    """Return what a trial was for."""
    return {Phase.EXPLORE: _("exploring"), Phase.CONFIRM: _("confirming")}[phase]


def row_key(trial: TrialOverview) -> str:
    """Return the key of a trial's row: unique in its session."""
    return f"{trial.run_id}/{trial.trial_id}"


def trial_of(key: str) -> tuple[str, str]:
    """Return the ids of run and trial of a row."""
    run_id, _slash, trial_id = key.partition("/")
    return run_id, trial_id


@dataclass(frozen=True)
class BrowsedRuns:
    """The trials of a session, ready to be shown.

    Attributes:
        titles: family id and what a person calls it.
        table: of every trial.
    """

    listed: TrialList
    titles: tuple[tuple[str, str], ...]
    table: TableContent


def browse_runs(path: Path, session_id: str | None, program: Program) -> BrowsedRuns:
    """Read the trials of a session, the newest of the file for None; for a worker thread.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    listed = list_trials(path, session_id)
    families = program.families if listed.session.families else {}
    titles = {family: families[family].title for family in listed.session.families if family in families}
    return BrowsedRuns(listed, tuple(titles.items()), runs_table(listed, titles))


def session_line(listed: TrialList) -> str:
    """Return what session is shown, in one line."""
    trials = counted(len(listed.trials), _("1 trial"), _("{count} trials"))
    return f"{listed.session.title} · {local_time(listed.session.created_utc)} · {trials}"


def runs_columns() -> tuple[Column, ...]:
    """Return the columns of the table."""
    measures = (
        # the full title of the latency is a sentence of its own; its column says the rest in its hint
        Column(
            metric.name,
            _("Latency") if metric is LATENCY else metric.title,
            metric.unit,
            is_number=True,
            hint=metric.title,
        )
        for metric in LISTED_METRICS
    )
    return (
        Column("trial", _("Trial"), hint=_("The run it belongs to and its number")),
        Column("family", _("Experiment")),
        Column("setting", _("Setting")),
        Column("block", _("Block"), is_number=True, hint=_("Trials of one block were run close together")),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim")),
        Column("status", _("Status")),
        *measures,
        Column("took", _("Took"), "s", is_number=True, hint=_("By the clock of the server")),
        Column("started", _("Started")),
        Column("checks", _("Why it was not used")),
    )


def runs_table(listed: TrialList, titles: dict[str, str], status: str = ANY_STATUS) -> TableContent:
    """Return the trials of a session, those of one status unless `status` is ANY_STATUS.

    Args:
        titles: what a person calls each family, by id.
    """
    cells = _SharedCells(titles)
    shown = (trial for trial in listed.trials if status in (ANY_STATUS, trial.status))
    return TableContent(runs_columns(), tuple(Row(row_key(trial), cells.of(trial)) for trial in shown))


class _SharedCells:
    """Makes the cells of rows; ten thousand rows hold few different ones, which are made once and shared."""

    def __init__(self, titles: dict[str, str]) -> None:
        self._phases = {phase: text_cell(phase_in_words(phase)) for phase in Phase}
        self._statuses = {status: _status_cell(status) for status in TrialStatus}

        def family_cell(family: str) -> Cell:
            return text_cell(titles.get(family, family))

        self._family = cache(family_cell)
        self._setting = cache(lambda setting: text_cell(setting.label()))
        self._block = cache(number_cell)
        self._time = cache(lambda minute: text_cell(local_time(minute)))
        self._number = cache(lambda value: number_cell(value, _decimals(value)))
        self._none, self._empty = number_cell(None), text_cell("")

    def of(self, trial: TrialOverview) -> tuple[Cell, ...]:
        """Return the cells of a trial's row, in the order of `runs_columns`."""
        started, finished, checks = trial.started_utc, trial.finished_utc, trial.failed_checks
        return (
            text_cell(trial.trial_id),
            self._family(trial.family),
            self._setting(trial.setting),
            self._block(trial.block),
            self._phases[trial.phase],
            self._statuses[trial.status],
            *(self._none if value is None else self._number(value) for value in trial.measured),
            _took(started, finished),
            self._empty if started is None else self._time(started.replace(second=0, microsecond=0)),
            text_cell("; ".join(checks)) if checks else self._empty,
        )


def _status_cell(status: TrialStatus) -> Cell:
    emphasis = Emphasis.PLAIN if status is TrialStatus.USED else Emphasis.QUIET
    return text_cell(status_in_words(status), emphasis=emphasis)


def _decimals(value: float) -> int:
    """Return as many decimals as give four significant digits."""
    return max(0, 3 - math.floor(math.log10(value))) if 0 < value < 1000 else 0


def _took(started: datetime | None, finished: datetime | None) -> Cell:
    seconds = None if started is None or finished is None else (finished - started).total_seconds()
    return number_cell(seconds, 1)


def overlay_hint(selected: int) -> str:
    """Return what is shown of the trials chosen, "" where there is nothing to explain."""
    if selected > COMPARED:
        return _("{count} trials are chosen; the first two are shown.").format(count=selected)
    return _("Choose a second one with Ctrl to lay it over the first.") if selected == 1 else ""


def overlay_missing(trials: int) -> str:
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


def overlay_plot(stream: str, trials: Sequence[tuple[str, Sequence[Sample]]]) -> PlotSpec | None:
    """Return one stream of several trials over the time since measuring began; None where none has it.

    Args:
        trials: label and time series of each.
    """
    drawn: list[Series] = []
    unit = ""
    for label, samples in trials:
        points = [(s.offset_s, s.value) for s in samples if s.stream == stream and math.isfinite(s.value)]
        unit = next((s.unit for s in samples if s.stream == stream), unit)
        if points:
            kept = [points[place] for place in outline([value for _at, value in points])]
            x, y = zip(*kept, strict=True)
            drawn.append(Series(label, Mark.LINE, x, y, emphasised=not drawn))
    if not drawn:
        return None
    labels = _(" and ").join(series.label for series in drawn)
    return PlotSpec(
        plot_id="runs/overlay",
        title=stream,
        alt=_("{stream} of {labels} over the time since measuring began.").format(stream=stream, labels=labels),
        x_label=_("Time since measuring began (s)"),
        y_label=f"{stream} ({unit})" if unit else stream,
        series=tuple(drawn),
    )
