"""Trials as plain data: the table of all of them, and one with its measures and readings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Sample
from app.domain.session import SessionRecord
from app.domain.view import Column, Row, TableContent, text_cell
from app.flows.shell.start_view import time_at
from app.foundation.texts import _, in_its_words
from app.reporting.numbers import duration
from app.reporting.tables import trials
from app.reporting.tables.trials import ListedTrial, measured_cell, phase_in_words, status_in_words, trials_of
from app.reporting.wording import Vocabulary

_SHOWN: Final = (
    *("trial", "family", "setting", "block", "phase", "status", "measured", "failed_checks", "happenings", "under"),
)


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


@in_its_words
def trials_table(session: SessionRecord, words: Vocabulary) -> TableContent:
    """Return every trial of a session, used or not."""
    listed = list(trials_of(session, words.listed_metrics))
    return trials.trials_table(
        listed,
        _SHOWN,
        row_keys=[trial.key for trial in listed],
        metrics=words.listed_metrics,
        families=words.family,
        under=[words.conditions(trial.conditions) for trial in listed],
    )


@in_its_words
def trial_detail(session: SessionRecord, key: str, words: Vocabulary) -> TrialDetail | None:
    """Return one trial with everything measured, None where the session has no such trial."""
    trial_of_key = next((trial for trial in trials_of(session) if trial.key == key), None)
    if trial_of_key is None:
        return None
    own = trial_of_key.own
    return TrialDetail(
        title=_("Trial {trial}").format(trial=trial_of_key.trial_id),
        facts=_facts(session, trial_of_key, words),
        problems=_happened(trial_of_key),
        measures=_measures(trial_of_key, words),
        samples=() if own is None else own.samples,
        no_samples=_no_samples(trial_of_key),
    )


def _happened(trial: ListedTrial) -> tuple[str, ...]:
    return (*trial.failed_checks, *(happening.text for happening in trial.happenings))


def _no_samples(trial: ListedTrial) -> str:
    if trial.own is None:
        return _("Measured elsewhere: the file holds no readings over time.")
    return "" if trial.own.samples else _("The trial ended before its first reading.")


def _facts(session: SessionRecord, trial: ListedTrial, words: Vocabulary) -> tuple[tuple[str, str], ...]:
    pairs = [
        (_("Experiment"), words.family(trial.family)),
        (_("Setting"), words.setting(trial.family, trial.setting)),
        (_("Conditions"), words.conditions(trial.conditions)),
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
        (_("Started"), time_at(trial.run.target, trial.own.started_utc)),
        (_("Took"), duration(seconds)),
    )


def _measures(trial: ListedTrial, words: Vocabulary) -> TableContent:
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
