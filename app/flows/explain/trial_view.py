"""Trials as plain data: the table of all of them, and one with its measures and readings."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.measurement import Measurement, Sample, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.session import RunRecord, SessionRecord
from app.domain.setting import Setting
from app.flows.explain.run_trials_view import phase_in_words, status_in_words
from app.flows.table_view import Cell, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _
from app.reporting.numbers import duration, moment
from app.reporting.wording import Vocabulary, setting_text

_SEPARATOR = "/"


def trial_key(family: str, trial_id: str) -> str:
    """Return the key of a trial: unique in its session, own or from elsewhere."""
    return f"{family}{_SEPARATOR}{trial_id}"


@dataclass(frozen=True)
class TrialDetail:
    """One trial with everything that was measured.

    Attributes:
        facts: name and text of what is known about it.
        problems: why it was not used, one sentence each.
        measures: every measure with its unit.
        samples: its readings; none from elsewhere.
        no_samples: what to say where there are none.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    problems: tuple[str, ...]
    measures: TableContent
    samples: tuple[Sample, ...]
    no_samples: str


@dataclass(frozen=True)
class _Trial:
    """One trial, own or from elsewhere."""

    family: str
    trial_id: str
    block: int
    phase: Phase
    setting: Setting
    measurements: tuple[Measurement, ...]
    own: TrialResult | None = None
    run: RunRecord | None = None

    @property
    def conditions(self) -> Setting:
        return self.measurements[0].conditions if self.measurements else Setting()


def _trials(session: SessionRecord) -> Iterator[_Trial]:
    for run in session.runs:
        for trial in run.trials:
            yield _Trial(
                run.plan.family,
                trial.trial_id,
                trial.block,
                trial.phase,
                trial.setting,
                trial.measurements,
                trial,
                run,
            )
    grouped: dict[tuple[str, str], list[Measurement]] = {}
    for m in session.imported:
        grouped.setdefault((m.family, m.trial_id), []).append(m)
    for (family, trial_id), measured in grouped.items():
        first = measured[0]
        yield _Trial(family, trial_id, first.block, first.phase, first.setting, tuple(measured))


def trials_table(session: SessionRecord, words: Vocabulary) -> TableContent:
    """Return every trial of a session, used or not."""
    columns = (
        Column("trial", _("Trial")),
        Column("family", _("Experiment")),
        Column("setting", _("Setting")),
        Column("block", _("Block"), is_number=True, hint=_("Trials of one block were run close together")),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim")),
        Column("status", _("Status")),
        *(Column(m.name, m.title, m.unit, is_number=True, hint=m.title) for m in words.listed_metrics),
        Column("checks", _("What happened"), hint=_("Why it was not used, and what else ran on the servers")),
        Column("conditions", _("Under")),
    )
    return TableContent(columns, tuple(_row(trial, words) for trial in _trials(session)))


def _row(trial: _Trial, words: Vocabulary) -> Row:
    values = {m.metric: m.value for m in trial.measurements}
    unused = trial.own is not None and trial.own.status is not TrialStatus.USED
    checks = "" if trial.own is None else "; ".join(_happened(trial.own))
    cells = (
        text_cell(trial.trial_id),
        text_cell(words.family(trial.family)),
        text_cell(setting_text(trial.setting)),
        number_cell(trial.block),
        text_cell(phase_in_words(trial.phase) if trial.own is not None else ""),
        text_cell(_status(trial), emphasis=Emphasis.QUIET if unused else Emphasis.PLAIN),
        *(measured_cell(values.get(m.name)) for m in words.listed_metrics),
        text_cell(checks, hint=checks),
        text_cell(words.conditions(trial.conditions)),
    )
    return Row(trial_key(trial.family, trial.trial_id), cells)


def _happened(trial: TrialResult) -> tuple[str, ...]:
    return (*trial.failed_checks, *(happening.text for happening in trial.happenings))


def _status(trial: _Trial) -> str:
    return _("from elsewhere") if trial.own is None else status_in_words(trial.own.status)


def measured_cell(value: float | None) -> Cell:
    """Return a measured value with four significant digits."""
    if value is None or not math.isfinite(value):
        return number_cell(None)
    decimals = 0 if value >= 1_000 or value == 0 else max(0, 3 - math.floor(math.log10(abs(value))))
    return number_cell(value, min(decimals, 6))


def trial_detail(session: SessionRecord, key: str, words: Vocabulary) -> TrialDetail | None:
    """Return one trial with everything measured, None where the session has no such trial."""
    trial_of_key = next((trial for trial in _trials(session) if trial_key(trial.family, trial.trial_id) == key), None)
    if trial_of_key is None:
        return None
    own = trial_of_key.own
    return TrialDetail(
        title=_("Trial {trial}").format(trial=trial_of_key.trial_id),
        facts=_facts(session, trial_of_key, words),
        problems=() if own is None else _happened(own),
        measures=_measures(trial_of_key, words),
        samples=() if own is None else own.samples,
        no_samples=_no_samples(trial_of_key),
    )


def _no_samples(trial: _Trial) -> str:
    if trial.own is None:
        return _("Measured elsewhere: the file holds no readings over time.")
    return "" if trial.own.samples else _("The trial ended before its first reading.")


def _facts(session: SessionRecord, trial: _Trial, words: Vocabulary) -> tuple[tuple[str, str], ...]:
    pairs = [
        (_("Experiment"), words.family(trial.family)),
        (_("Setting"), setting_text(trial.setting)),
        (_("Under"), words.conditions(trial.conditions)),
        (_("Block"), f"{trial.block}"),
    ]
    if trial.own is None or trial.run is None:
        return (*pairs, (_("Measured"), _("elsewhere, from {file}").format(file=session.imported_from)))
    seconds = (trial.own.finished_utc - trial.own.started_utc).total_seconds()
    return (
        *pairs,
        (_("Phase"), phase_in_words(trial.phase)),
        (_("Status"), status_in_words(trial.own.status)),
        (_("Target"), trial.run.target),
        (_("Started"), moment(trial.own.started_utc)),
        (_("Took"), duration(seconds)),
    )


def _measures(trial: _Trial, words: Vocabulary) -> TableContent:
    columns = (
        Column("measure", _("Measure")),
        Column("value", _("Value"), is_number=True),
        Column("unit", _("Unit")),
    )
    rows = tuple(
        Row(m.metric, (text_cell(words.metric(m.family, m.metric)), measured_cell(m.value), text_cell(m.unit)))
        for m in trial.measurements
    )
    return TableContent(columns, rows)


def telling_stream(samples: Sequence[Sample]) -> str:
    """Return the stream worth showing first: the one that changes most often, "" where there is none."""
    values: dict[str, list[float]] = {}
    for sample in samples:
        values.setdefault(sample.stream, []).append(sample.value)
    return max(values, key=lambda stream: len(set(values[stream])), default="")
