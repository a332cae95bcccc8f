"""Trials as a table: purpose, end, measurements, and other work meanwhile."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from app.domain.measurement import Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.session import RunRecord, SessionRecord, TrialOverview
from app.domain.setting import Setting
from app.domain.view import (
    Cell,
    Column,
    Emphasis,
    Row,
    TableContent,
    data_cell,
    file_column,
    number_cell,
    text_cell,
    typed_cell,
    valued_cell,
)
from app.foundation.texts import _
from app.reporting.numbers import moment
from app.reporting.wording import setting_text

IN_FILES: Final = (
    *("run", "trial", "block", "phase", "setting", "status", "failed_checks", "started_utc", "finished_utc"),
    "happenings",
)
"""The columns of trials.csv."""

NOT_USED: Final = ("trial", "setting", "failed_checks")
MET: Final = ("trial", "happenings")
"""The columns of the trials that do not count, and of those that met something."""


@dataclass(frozen=True)
class ListedTrial(TrialOverview):
    """One trial of a session, its own or from elsewhere, with its record.

    Attributes:
        own, run: None where it was made elsewhere.
    """

    measurements: tuple[Measurement, ...] = ()
    own: TrialResult | None = None
    run: RunRecord | None = None

    @property
    def key(self) -> str:
        """Return the row's key in its session."""
        return trial_key(self.family, self.trial_id)

    @property
    def conditions(self) -> Setting:
        """Return the conditions it was measured under."""
        return self.measurements[0].conditions if self.measurements else Setting()


def trial_key(family: str, trial_id: str) -> str:
    """Return the key of a trial: unique in its session, own or from elsewhere."""
    return f"{family}/{trial_id}"


def trials_of(session: SessionRecord, metrics: Sequence[Metric] = ()) -> Iterator[ListedTrial]:
    """Yield every trial of a session, used or not, its own first.

    Args:
        metrics: the measures that have columns.
    """

    yield from own_trials_of(session, metrics)
    grouped: dict[tuple[str, str], list[Measurement]] = {}
    for m in session.imported:
        grouped.setdefault((m.family, m.trial_id), []).append(m)
    for (family, trial_id), found in grouped.items():
        m = found[0]
        yield ListedTrial(
            *("", trial_id, family, m.block, m.phase, m.setting, None, (), _measured(found, metrics)),
            *(None, None, False),
            measurements=tuple(found),
        )


def own_trials_of(session: SessionRecord, metrics: Sequence[Metric] = ()) -> Iterator[ListedTrial]:
    """Yield every trial that this program made in a session, used or not; `metrics` as for `trials_of`."""
    for run in session.runs:
        for t in run.trials:
            yield ListedTrial(
                *(run.run_id, t.trial_id, run.plan.family, t.block, t.phase, t.setting, t.status, t.failed_checks),
                *(_measured(t.measurements, metrics), t.started_utc, t.finished_utc, bool(t.samples), t.happenings),
                *(t.measurements, t, run),
            )


def _measured(measurements: Sequence[Measurement], metrics: Sequence[Metric]) -> tuple[float | None, ...]:
    values = {m.metric: m.value for m in measurements} if metrics else {}
    return tuple(values.get(metric.name) for metric in metrics)


def status_in_words(status: TrialStatus | None) -> str:
    """Return how a trial ended, in a word or two."""
    words = {TrialStatus.USED: _("used"), TrialStatus.NOT_USED: _("not used"), TrialStatus.ABORTED: _("aborted")}
    return _("from elsewhere") if status is None else words[status]


def phase_in_words(phase: Phase) -> str:
    """Return a trial's purpose in words."""
    return {Phase.EXPLORE: _("exploring"), Phase.CONFIRM: _("confirming")}[phase]


def trials_table(
    trials: Sequence[TrialOverview],
    columns: Sequence[str],
    *,
    row_keys: Sequence[str] = (),
    metrics: Sequence[Metric] = (),
    families: Callable[[str], str] = str,
    under: Sequence[str] = (),
    time: Callable[[datetime], str] = moment,
) -> TableContent:
    """Return trials in the order given; only the columns wanted are made, as there may be ten thousand rows.

    Args:
        columns: their keys, in order; "measured" stands for one for each measure.
        row_keys: of each row, their places for ().
        families: what the experiments are called, by the id of their family.
        under: the conditions of each in words, where that column is wanted.
        time: how a time is written.
    """
    described = _columns(metrics)
    makers = _makers(families, under, time)
    wanted = [column for key in columns for column in described[key]]
    makes = [maker for key in columns for maker in (_measures(metrics) if key == "measured" else (makers[key],))]
    keys = row_keys or [f"{place}" for place in range(len(trials))]
    rows = tuple(
        Row(key, tuple(make(place, trial) for make in makes))
        for place, (key, trial) in enumerate(zip(keys, trials, strict=True))
    )
    return TableContent(tuple(wanted), rows)


_Maker = Callable[[int, TrialOverview], Cell]


def _columns(metrics: Sequence[Metric]) -> dict[str, tuple[Column, ...]]:
    alone = (
        Column("trial", _("Trial"), hint=_("The run it belongs to and its number")),
        Column("family", _("Experiment")),
        Column("setting", _("Setting"), width=1),
        Column("block", _("Block"), is_number=True, hint=_("Trials of one block were run close together")),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim")),
        Column("status", _("Status")),
        Column("took", _("Took"), "s", is_number=True, hint=_("By the clock of the server")),
        Column("started_utc", _("Started")),
        Column("failed_checks", _("Not used, because"), width=2),
        Column("happenings", _("What else ran"), width=1, hint=_("On the servers, while it was measured")),
        Column("under", _("Conditions")),
        file_column("run"),
        file_column("finished_utc"),
    )
    measures = tuple(Column(m.name, m.brief, m.unit, is_number=True, hint=m.title) for m in metrics)
    return {**{column.key: (column,) for column in alone}, "measured": measures}


def _makers(families: Callable[[str], str], under: Sequence[str], time: Callable[[datetime], str]) -> dict[str, _Maker]:
    """Return the maker of each column's cells; texts that many trials share are made once."""
    family = cache(lambda family: valued_cell(families(family), family))
    setting = cache(lambda setting: typed_cell(setting_text(setting), setting.label()))
    block = cache(number_cell)
    status = cache(_status_cell)
    phase = cache(lambda phase: valued_cell(phase_in_words(phase), phase.value))
    minute = cache(time)
    return {
        "run": lambda _place, t: data_cell(t.run_id),
        "trial": lambda _place, t: text_cell(t.trial_id),
        "family": lambda _place, t: family(t.family),
        "setting": lambda _place, t: setting(t.setting),
        "block": lambda _place, t: block(t.block),
        "phase": lambda _place, t: _PLAIN if t.status is None else phase(t.phase),
        "status": lambda _place, t: status(t.status),
        "took": lambda _place, t: _took(t.started_utc, t.finished_utc),
        "started_utc": lambda _place, t: _PLAIN if t.started_utc is None else _moment(minute, t.started_utc),
        "finished_utc": lambda _place, t: data_cell(None if t.finished_utc is None else t.finished_utc.isoformat()),
        "failed_checks": lambda _place, t: _why_not_used(t) if t.failed_checks or t.status not in _COUNTING else _PLAIN,
        "happenings": lambda _place, t: _happened_cell(t) if t.happenings else _PLAIN,
        "under": lambda place, _t: text_cell(under[place]),
    }


_PLAIN: Final = text_cell("")
_COUNTING: Final = (TrialStatus.USED, None)


def _moment(minute: Callable[[datetime], str], when: datetime) -> Cell:
    return valued_cell(minute(when.replace(second=0, microsecond=0)), when.isoformat())


def _why_not_used(trial: TrialOverview) -> Cell:
    text = "; ".join(trial.failed_checks) or _("no reason recorded")
    return valued_cell(text, " ".join(trial.failed_checks), hint=text)


def _happened_cell(trial: TrialOverview) -> Cell:
    text = "; ".join(happening.text for happening in trial.happenings)
    return text_cell(text, hint=text)


def _status_cell(status: TrialStatus | None) -> Cell:
    emphasis = Emphasis.PLAIN if status in _COUNTING else Emphasis.QUIET
    text = status_in_words(status)
    return Cell(text, "" if status is None else status.value, text, emphasis)


def _took(started: datetime | None, finished: datetime | None) -> Cell:
    seconds = None if started is None or finished is None else (finished - started).total_seconds()
    return number_cell(seconds, 1)


def _measures(metrics: Sequence[Metric]) -> tuple[_Maker, ...]:
    shared = cache(measured_cell)

    def maker(number: int) -> _Maker:
        return lambda _place, trial: shared(trial.measured[number])

    return tuple(map(maker, range(len(metrics))))


def measured_cell(value: float | None) -> Cell:
    """Return a measured value with four significant digits."""
    if value is None or not math.isfinite(value):
        return number_cell(None)
    decimals = 0 if value >= 1_000 or value == 0 else max(0, 3 - math.floor(math.log10(abs(value))))
    return number_cell(value, min(decimals, 6))
