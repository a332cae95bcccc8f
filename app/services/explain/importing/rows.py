"""From the rows of a file to measurements of runs with names of their own.

Rows of one family, run, setting and conditions are one run and may differ in the metric only. A name that stands for
several settings, as where repeats are numbered 1, 2, 3 within each setting, is made unique by the setting.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.setting import value_text
from app.foundation.texts import _
from app.services.explain.importing.cells import CellReader, Point, ReadRow
from app.services.explain.importing.columns import NOTE, RUN, VALUE, Families
from app.services.explain.importing.disagreements import MOST_NOTES, point_label
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.quantity_text import is_bound
from app.services.explain.importing.questions import Answers, Asked
from app.services.explain.importing.samples import (
    DIGITS_TOLD_APART,
    MOST_TOLD_APART,
    digits_of,
    is_main,
    sampled_note,
    settled,
)
from app.services.explain.importing.source_text import SourceText, quotable
from app.services.explain.importing.table import Row, Table, is_no_value

MOST_SUMMED_UP: Final = 1_000_000
"""Runs behind all means of a file together: as many as the rows of the largest file."""

MOST_TOLD: Final = 20
"""Sentences on what is wrong in a file; a person who mended so many looks again."""


class RowsRefused(BadInput):
    """Rows of a file cannot be read; as a text it is the first of its sentences.

    Attributes:
        sentences: what is wrong, each once, in the file's order.
    """

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(sentences[0])
        self.sentences = sentences


def read_rows(table: Table, cells: CellReader, answers: Answers, families: Families) -> list[ReadRow]:
    """Return the rows of a table, samples of a run averaged; those worked out from others are checked and left out.

    Raises:
        RowsRefused: rows cannot be read, stand in the file twice, or give a run a second value.
        Asked: it is open what rows are.
        BadInput: there is none.
    """
    read: list[ReadRow] = []
    refused: list[tuple[int, str]] = []
    for row in table.rows:
        if _is_empty(row):
            continue
        try:
            entry = cells.read(row.without(VALUE) if row.says_nothing else row)
        except Asked:
            raise
        except BadInput as error:
            refused += [(row.number, str(error)), *_refused_value(row, cells)]
        else:
            read += [] if entry is None else [entry]
    if not refused:
        _check_summed_up(table, read)
        read = settled(table, read, answers, families)
    refused += _repeats(table.source, read)
    refused += _zeros(table, read, families)
    if refused:
        raise RowsRefused(_told_once(table.source, refused))
    if not read:
        raise table.source.unusable(
            _("{file} holds headings but no measurements; add at least one row for each of two settings")
        )
    return read


def _check_summed_up(table: Table, read: Iterable[ReadRow]) -> None:
    summed_up = sum(entry.measured.runs for entry in read if entry.measured.runs > 1)
    if summed_up > MOST_SUMMED_UP:
        sentence = _("the means of this file sum up {count:,} runs; at most {most:,} can be judged, so leave some out")
        raise table.source.refusal(sentence, count=summed_up, most=MOST_SUMMED_UP)


def _refused_value(row: Row, cells: CellReader) -> Iterator[tuple[int, str]]:
    try:
        cells.check_value(row)
    except BadInput as error:
        yield row.number, str(error)


def _zeros(table: Table, read: Iterable[ReadRow], families: Families) -> Iterator[tuple[int, str]]:
    """Yield each run that came to nothing, which no ratio can be made of."""
    sentence = _('"{cell}" must be a finite number greater than zero; a run that came to nothing failed')
    for entry in read:
        if not entry.measured.value and is_main(entry, families):
            yield entry.row.number, str(table.refusal(entry.row, VALUE, sentence))


def _repeats(source: SourceText, read: Sequence[ReadRow]) -> Iterator[tuple[int, str]]:
    """Yield each row that repeats another, with the reason to refuse it."""
    repeats = Counter(entry.point for entry in read)
    first_rows: dict[tuple[Point, object], int] = {}
    for entry in read:
        row, m = entry.row.number, entry.measured
        is_coarse = digits_of(entry.row.cells[VALUE]) < DIGITS_TOLD_APART
        if not (m.trial_id or m.block) and (is_coarse or repeats[entry.point] > MOST_TOLD_APART):
            continue
        first = first_rows.setdefault((entry.point, m.trial_id or (m.block, m.value)), row)
        if first == row:
            continue
        sentence = (
            _('run "{run}" already has a {metric} for {what} in {first}; remove one, or give each run its own name')
            if m.trial_id
            else _('this repeats {first} (same {metric}, {what}); remove one, or tell them apart in a column "run"')
        )
        words = {"run": quotable(m.trial_id), "metric": m.metric, "what": m.setting.text()}
        yield row, str(source.refusal(sentence, row, first=source.row_name(first), **words))


def _told_once(source: SourceText, refused: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """Return the reasons for refusing rows; one that many share is given once."""
    alike: dict[str, list[str]] = {}
    for row, sentence in dict.fromkeys(refused):
        alike.setdefault(sentence.replace(f" {source.row_name(row)}", "", 1), []).append(sentence)
    return tuple(first + _more(len(others)) for first, *others in list(alike.values())[:MOST_TOLD])


def _more(rows: int) -> str:
    """Return how many rows are wrong in the same way, "" for none."""
    if not rows:
        return ""
    return _(" (1 more row alike)") if rows == 1 else _(" ({count} more rows alike)").format(count=value_text(rows))


def measurements_of(table: Table, read: Sequence[ReadRow], families: Families) -> list[Measurement]:
    """Return the measurements of rows.

    All rows are one block where some say none: a repeat's number says nothing of when it ran, and rows sorted by value
    would make blocks that explain what never was (17 to 52 % false claims, by simulation).
    """
    has_blocks = all(entry.measured.block for entry in read)
    return [
        entry.measured
        if has_blocks and name == entry.measured.trial_id
        else replace(entry.measured, trial_id=name, block=entry.measured.block if has_blocks else 1)
        for entry, name in zip(read, _names_of_runs(table, read, families), strict=True)
    ]


def notes_on_runs(table: Table, read: Sequence[ReadRow], measurements: Iterable[Measurement]) -> Iterator[str]:
    """Yield the information on runs and their order that the file lacks; `measurements` are those of the rows."""
    file = table.source.name
    yield from sampled_note(table, read)
    has_blocks = all(entry.measured.block for entry in read)
    if not has_blocks and len({entry.point for entry in read}) < sum(entry.measured.runs for entry in read):
        yield _(
            "{file}: no column says in which block each run was made, so what drifted between runs is not taken out"
        ).format(file=file)
    if table.columns.get(RUN, -1) < 0:  # runs side by side have their settings below each other
        return
    named = ((entry.measured.trial_id, m.trial_id) for entry, m in zip(read, measurements, strict=True))
    yield from _shared_runs(file, list(dict.fromkeys(run for run, name in named if run not in ("", name))))


def _shared_runs(file: str, shared: Sequence[str]) -> Iterator[str]:
    """Yield that names of runs cover several settings."""
    if shared:
        sentence = (
            _('{file}: the run "{run}" covers several settings; each setting was taken as a run of its own')
            if len(shared) == 1
            else _(
                '{file}: {count} names of runs, such as "{run}", cover several settings; each setting was taken '
                "as a run of its own"
            )
        )
        yield sentence.format(file=file, run=quotable(shared[0]), count=len(shared))


def _names_of_runs(table: Table, read: Iterable[ReadRow], families: Families) -> list[str]:
    """Return an identifier of each row's run that is unique within its family."""
    names: list[str] = []
    first_places: dict[tuple[str, str], object] = {}
    places: dict[Point, object] = {}
    for entry in read:
        m, family = entry.measured, families[entry.measured.family]
        place = places.setdefault(entry.point, (m.setting, m.conditions.without(family.swept)))
        run = m.trial_id or table.source.row_name(entry.row.number)
        first = first_places.setdefault((m.family, run), place)
        is_first = first is place or first == place
        names.append(run if is_first else f"{run} ({point_label(m.setting, m.conditions, family)})")
    return names


def remarks(table: Table, read: Sequence[ReadRow], style: NumberStyle) -> Iterator[str]:
    """Yield how rows were read where that could be doubted, and the texts of the column `note`, each once."""
    yield from islice(_grouped(table, style), 1)  # one such note tells the convention
    ranges = [entry for entry in read if entry.measured.half_range]
    if ranges:
        sentence = _(
            'values given as ranges: {count}, such as "{cell}"; the middle, {value:.15g} {unit}, is compared, and '
            "intervals are wider by half the range"
        )
        row, first, cell = ranges[0].row, ranges[0].measured, ranges[0].row.cells[VALUE]
        told = sentence.format(count=value_text(len(ranges)), cell=cell, value=first.value, unit=first.unit)
        yield f"{table.place(row.number)}: {told}"
    empty = [row.number for row in table.rows if _is_empty(row)]
    yield from _left_out(table, empty)
    left_out = len(table.rows) - len(empty) - sum(entry.samples for entry in read)
    if left_out:
        sentence = _(
            "{file}: values worked out from others: {count}; they are no evidence of their own and are left out"
        )
        yield sentence.format(file=table.source.name, count=value_text(left_out))
    notes = dict.fromkeys(entry.row.line_of(NOTE) for entry in read)
    yield from [note for note in notes if note][:MOST_NOTES]


def _grouped(table: Table, style: NumberStyle) -> Iterator[str]:
    """Yield each value that was read with a thousands separator."""
    sentence = _('"{cell}" was read as {value:.15g}, with a thousands separator')
    for row in table.rows:
        text = row.cells[VALUE]
        if style.has_groups(text) and (value := style.parse(text)) is not None:
            yield f"{table.place(row.number)}: {sentence.format(cell=text, value=value)}"


def _left_out(table: Table, empty: Sequence[int]) -> Iterator[str]:
    """Yield which lines hold no measurement: without a value, or written by a tool below or above its rows."""
    if empty:
        sentence = _("{place}: rows without a value are left out: {count}")
        yield sentence.format(place=table.place(empty[0]), count=value_text(len(empty)))
    lines = table.grid.left_out
    if lines:
        sentence = _("{place}: lines that hold no measurement are left out: {count}")
        yield sentence.format(place=table.place(lines[0]), count=value_text(len(lines)))


def _is_empty(row: Row) -> bool:
    """Tell whether a row has no value, or only a bound of one."""
    return is_no_value(row.cells[VALUE]) or is_bound(row.cells[VALUE])
