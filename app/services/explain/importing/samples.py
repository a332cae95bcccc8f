"""Rows that may be samples of one run rather than runs.

Many values of one setting that follow each other say how it went, once. Values a second apart hang together, so that
judging them as runs finds differences where there are none: of two equal settings, 300 such values each, one came out
5 % better with p below 0.0001.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from statistics import fmean
from typing import Final

from app.domain.setting import value_text
from app.domain.units import units_like
from app.foundation.texts import _
from app.services.explain.importing.cells import Point, ReadRow
from app.services.explain.importing.columns import VALUE, Families
from app.services.explain.importing.questions import (
    N_COUNTS,
    ROWS_ARE,
    SD_HOLDS,
    SHARES_ARE,
    UNIT,
    Answers,
    Asked,
    Question,
)
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Table

MOST_TOLD_APART: Final = 20
"""Rows of one setting without names of runs: nobody repeats an experiment more often, and a log has hundreds."""

DIGITS_TOLD_APART: Final = 4
"""Without names of runs a row may be a repeat that gave the same value, or the same row pasted twice. Of values with so
many digits the second is likelier; whole minutes must come up again."""

SAMPLED_WITHIN_S: Final = 60.0
"""Between two readings of one run; a run of a minute or less is too short for what it would say."""

MOST_LIKELY_SHARE: Final = 2.0
"""A share is at most 1; what several sessions wait for one may add up to a little more."""

MOST_LIKELY_RUNS: Final = 50
"""Behind one published mean; what counts more of them counts transactions or samples."""


def settled(table: Table, read: Sequence[ReadRow], answers: Answers, families: Families) -> list[ReadRow]:
    """Return rows of runs: samples averaged, and means of samples taken for the one run they are of.

    Raises:
        Asked: it is open whether rows, or what `n` counts, are samples; a standard deviation is above its mean, or a
            share far above 1.
    """
    read = _of_whole(table, _without_means(read), answers)
    return _checked_sd(table, _of_runs(table, _averaged(table, read, answers, families), answers), answers)


def _without_means(read: Sequence[ReadRow]) -> list[ReadRow]:
    """Return rows without those that are the mean of the rows of their point before them, to all their digits."""
    before: dict[Point, list[float]] = {}
    rows_of = Counter(entry.point for entry in read)
    kept: list[ReadRow] = []
    for entry in read:
        others = before.setdefault(entry.point, [])
        is_last = len(others) + 1 == rows_of[entry.point]
        if is_last and len(others) > 1 and not entry.measured.trial_id and _is_mean(entry, others):
            continue
        others.append(entry.measured.value)
        kept.append(entry)
    return kept


def _is_mean(entry: ReadRow, others: Sequence[float]) -> bool:
    """Tell whether a value of four digits or more is the mean of others, which runs hit in one of thousands."""
    digits, value = digits_of(entry.row.cells[VALUE]), entry.measured.value
    is_fine = digits >= DIGITS_TOLD_APART and len(set(others)) > 1
    return is_fine and f"{fmean(others):.{digits}g}" == f"{value:.{digits}g}"


def digits_of(text: str) -> int:
    """Return how many digits a number is written with, without zeros that only tell its size."""
    return len(re.sub(r"\D", "", text).strip("0"))


def _averaged(table: Table, read: Sequence[ReadRow], answers: Answers, families: Families) -> list[ReadRow]:
    """Return one row for each run and point; rows without a name of a run are samples where that was said."""
    if ROWS_ARE.name not in answers:
        _ask_of_series(table, read, families)
    are_samples = answers.get(ROWS_ARE.name) == "samples"
    groups: dict[tuple[Point, object, int], list[ReadRow]] = {}
    for entry in read:
        m = entry.measured
        run: object = m.trial_id or ("" if are_samples else entry.row.number)
        groups.setdefault((entry.point, run, m.block), []).append(entry)
    return [entry for group in groups.values() for entry in (_mean(group) if _is_sampled(group) else group)]


def _is_sampled(group: Sequence[ReadRow]) -> bool:
    """Tell whether rows of one run and point are single values, which may be averaged; two equal ones are one twice."""
    is_twice = len(group) == 2 and group[0].measured.value == group[1].measured.value
    return len(group) > 1 and not is_twice and all(e.measured.runs == 1 and not e.measured.half_range for e in group)


def _mean(group: Sequence[ReadRow]) -> list[ReadRow]:
    first = group[0]
    mean = fmean(entry.measured.value for entry in group)
    return [first._replace(measured=replace(first.measured, value=mean), samples=len(group))]


def _ask_of_series(table: Table, read: Iterable[ReadRow], families: Families) -> None:
    """Raise Asked where rows without names of runs are too many for runs, or hold a zero, which no run comes to."""
    rows_of: dict[Point, list[ReadRow]] = {}
    for entry in read:
        if not (entry.measured.trial_id or entry.measured.block):
            rows_of.setdefault(entry.point, []).append(entry)
    moments = _moments(table) if rows_of else {}
    for rows in rows_of.values():
        first = rows[0].measured
        is_zero = len(rows) > 1 and is_main(rows[0], families) and any(not e.measured.value for e in rows)
        if len(rows) > MOST_TOLD_APART or is_zero or _are_close(rows, moments):
            sentence = _("{count} values of {metric} for {what} without names of runs look like samples of one run")
            told = sentence.format(count=value_text(len(rows)), metric=first.metric, what=first.setting.text())
            raise Asked(f"{table.source.at()}: {told}", ROWS_ARE)


def _moments(table: Table) -> dict[int, datetime]:
    """Return when the rows were written, by their numbers, where a column says it to the second."""
    first = table.grid.rows[0][1] if table.grid.rows else ()
    place = next((place for place, text in enumerate(first) if _moment(text) is not None), None)
    found = ((line, _moment(cells[place])) for line, cells in table.grid.rows) if place is not None else ()
    return {line: moment for line, moment in found if moment is not None}


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None) if text.count(":") > 1 else None
    except ValueError:
        return None


def _are_close(rows: Sequence[ReadRow], moments: Mapping[int, datetime]) -> bool:
    """Tell whether rows that are no times themselves follow each other faster than anyone repeats a run."""
    told = sorted(moments[entry.row.number] for entry in rows if entry.row.number in moments)
    gaps = [(after - before).total_seconds() for before, after in pairwise(told)]
    is_time = rows[0].measured.unit in units_like("s")
    return len(gaps) > 1 and len(told) == len(rows) and not is_time and max(gaps) <= SAMPLED_WITHIN_S


def is_main(entry: ReadRow, families: Families) -> bool:
    """Tell whether a row is of a measure that settings are compared by."""
    return families[entry.measured.family].compares_by(entry.measured.metric)


def _of_runs(table: Table, read: Sequence[ReadRow], answers: Answers) -> list[ReadRow]:
    """Return rows whose `n` counts runs; a mean of samples is one run."""
    many = next((entry for entry in read if entry.measured.runs > MOST_LIKELY_RUNS), None)
    if many is None:
        return list(read)
    _ask(table, many, N_COUNTS, answers, _("n {count:,} is more runs than anyone makes"), count=many.measured.runs)
    if answers[N_COUNTS.name] == "runs":
        return list(read)
    return [entry._replace(measured=replace(entry.measured, runs=1, sd=0.0)) for entry in read]


def _of_whole(table: Table, read: Sequence[ReadRow], answers: Answers) -> Sequence[ReadRow]:
    """Return rows whose shares are shares; 70 may be meant as per cent."""
    shares = [entry for entry in read if entry.row.cells.get(UNIT) == "share"]
    beyond = next((entry for entry in shares if entry.measured.value > MOST_LIKELY_SHARE), None)
    if beyond is None:
        return read
    m, sentence = beyond.measured, _("a share of {value:g} is more than there is of {metric}")
    _ask(table, beyond, SHARES_ARE, answers, sentence, value=m.value, metric=m.metric)
    if answers[SHARES_ARE.name] == "shares":
        return read
    return [_of_percent(entry) if entry.row.cells.get(UNIT) == "share" else entry for entry in read]


def _of_percent(entry: ReadRow) -> ReadRow:
    m = entry.measured
    return entry._replace(measured=replace(m, value=m.value / 100, sd=m.sd / 100, half_range=m.half_range / 100))


def _checked_sd(table: Table, read: list[ReadRow], answers: Answers) -> list[ReadRow]:
    wide = next((entry for entry in read if entry.measured.sd > entry.measured.value), None)
    if wide is not None:
        m = wide.measured
        sentence = _(
            "the standard deviation {sd:.4g} {unit} is larger than the mean {value:.4g} {unit}; correct the cell if "
            "one of the two is wrong"
        )
        _ask(table, wide, SD_HOLDS, answers, sentence, sd=m.sd, value=m.value, unit=m.unit)
    return read


def _ask(table: Table, entry: ReadRow, question: Question, answers: Answers, sentence: str, /, **words: object) -> None:
    if question.name not in answers:
        raise Asked(str(table.source.refusal(sentence, entry.row.number, **words)), question)


def sampled_note(table: Table, read: Iterable[ReadRow]) -> list[str]:
    """Return the note on runs whose samples were averaged, [] where there are none."""
    sampled = [entry for entry in read if entry.samples > 1]
    if not sampled:
        return []
    sentence = _("{file}: samples averaged: {rows:,} values of {runs:,} runs, such as {what}")
    first = sampled[0]
    what = quotable(first.measured.trial_id) or first.measured.setting.text()
    return [
        sentence.format(
            file=table.source.name, rows=sum(entry.samples for entry in sampled), runs=len(sampled), what=what
        )
    ]
