"""The trials of one run, or of two laid beside each other, as a table."""

import math
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from app.domain.measurement import Metric, TrialStatus
from app.domain.metrics import listed_metrics
from app.domain.plan import Phase
from app.domain.units import unit_word
from app.flows.explain.runs_view import COMPARED, row_key, run_of
from app.flows.shell.start_view import local_time
from app.flows.table_view import Cell, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _
from app.services.hand_over.past_sessions import RunKey, RunTrials
from app.store import TrialOverview


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


def trial_key(run: RunKey, trial_id: str) -> str:
    """Return the key of a trial's row: unique in its file."""
    return f"{row_key(run)}|{trial_id}"


def trial_of(key: str) -> tuple[RunKey, str]:
    """Return run and id of the trial of a row."""
    run, _bar, trial_id = key.partition("|")
    return run_of(run), trial_id


def trials_columns(metrics: Sequence[Metric]) -> tuple[Column, ...]:
    """Return the columns of the table, one for each measure; its hint says what a short heading leaves out."""
    measures = (
        Column(metric.name, metric.brief, unit_word(metric.unit), is_number=True, hint=metric.title)
        for metric in metrics
    )
    return (
        Column("trial", _("Trial"), hint=_("The run it belongs to and its number")),
        Column("setting", _("Setting")),
        Column("block", _("Block"), is_number=True, hint=_("Trials of one block were run close together")),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim")),
        Column("status", _("Status")),
        *measures,
        Column("took", _("Took"), "s", is_number=True, hint=_("By the clock of the server")),
        Column("started", _("Started")),
        Column("checks", _("What happened"), hint=_("Why it was not used, and what else ran on the servers")),
    )


def trials_table(runs: Sequence[RunTrials]) -> TableContent:
    """Return the trials of the runs chosen, run after run, in the order they were made."""
    cells = _SharedCells()
    rows = (Row(trial_key(run.key, trial.trial_id), cells.of(trial)) for run in runs for trial in run.trials)
    metrics = runs[0].metrics if runs else listed_metrics(())
    return TableContent(trials_columns(metrics), tuple(rows))


class _SharedCells:
    """Makes the cells of rows; thousands of rows hold few different ones, which are made once and shared."""

    def __init__(self) -> None:
        self._phases = {phase: text_cell(phase_in_words(phase)) for phase in Phase}
        self._statuses = {status: _status_cell(status) for status in TrialStatus}
        self._setting = cache(lambda setting: text_cell(setting.label()))
        self._block = cache(number_cell)
        self._time = cache(lambda minute: text_cell(local_time(minute)))
        self._number = cache(lambda value: number_cell(value, _decimals(value)))
        self._none, self._empty = number_cell(None), text_cell("")

    def of(self, trial: TrialOverview) -> tuple[Cell, ...]:
        """Return the cells of a trial's row, in the order of `trials_columns`."""
        started, finished = trial.started_utc, trial.finished_utc
        checks = (*trial.failed_checks, *(happening.text for happening in trial.happenings))
        return (
            text_cell(trial.trial_id),
            self._setting(trial.setting),
            self._block(trial.block),
            self._phases[trial.phase],
            self._statuses[trial.status],
            *(self._none if value is None else self._number(value) for value in trial.measured),
            _took(started, finished),
            self._empty if started is None else self._time(started.replace(second=0, microsecond=0)),
            text_cell("; ".join(checks), hint="; ".join(checks)) if checks else self._empty,
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


def trials_hint(selected: int) -> str:
    """Return what is shown of the trials chosen, "" where there is nothing to explain."""
    if selected > COMPARED:
        return _("{count} trials are chosen; the first two are shown.").format(count=selected)
    return _("Choose a second one with Ctrl to lay it over the first.") if selected == 1 else ""
