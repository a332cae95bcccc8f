"""From the rows of a file to measurements of runs with names of their own.

Rows of one family, run, setting and conditions are one run and may differ in the metric only. A name that stands for
several settings, as where repeats are numbered 1, 2, 3 within each setting, is made unique by the setting.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.foundation.texts import _
from app.services.explain.importing.cells import CellReader, Point
from app.services.explain.importing.columns import NOTE, REPORTED_ELSEWHERE, REPORTED_WHERE, RUN, SOURCE, VALUE
from app.services.explain.importing.disagreements import MOST_NOTES, ReportedElsewhere
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.refusals import Refusals
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

# Without names of runs a row may be a repeat that gave the same value, or the same row pasted twice. Among few repeats
# the second is likelier; among many, equal values must come up.
MOST_TOLD_APART: Final = 20

MOST_SUMMED_UP: Final = 1_000_000
"""Runs behind all means of a file together: as many as the rows of the largest file."""


class ReadRow(NamedTuple):
    """A row whose cells were read.

    Attributes:
        row: with its texts.
        point: what was measured where.
        value: in the metric's unit; of a range its middle.
        half_range: half the width of that range, 0.0 for none.
        runs, sd: how many runs the value is the mean of, and their standard deviation.
        second_value: what the document says elsewhere, None where it does not.
        block: 0 where there is none.
        run: as the file names it, "" where it does not.
    """

    row: Row
    point: Point
    value: float
    half_range: float
    runs: int
    sd: float
    second_value: float | None
    block: int
    run: str

    def text(self, column: str) -> str:
        """Return a text of the row on one line, "" where there is none."""
        return " ".join(self.row.cells.get(column, "").split())


def read_rows(table: Table, cells: CellReader) -> list[ReadRow]:
    """Return the rows of a table; those worked out from others are checked and left out, being no evidence.

    Raises:
        RowsRefused: rows cannot be read, stand in the file twice, or give a run a second value.
        BadInput: there is none.
    """
    refused = Refusals(table.source)
    read: list[ReadRow] = []
    for row in table.rows:
        try:
            entry = _read_row(row, cells)
        except BadInput as error:
            refused.add(row.number, error)
            _check_value(row, cells, refused)
        else:
            read += [] if entry is None else [entry]
    _check_repeats(table, read, refused)
    refused.tell()
    if not read:
        raise BadInput(
            _("{file} holds headings but no measurements; add at least one row for each of two settings").format(
                file=table.source.file
            )
        )
    summed_up = sum(entry.runs for entry in read if entry.runs > 1)
    if summed_up > MOST_SUMMED_UP:
        sentence = _("the means of this file sum up {count:,} runs; at most {most:,} can be judged, so leave some out")
        raise table.source.refusal(sentence.format(count=summed_up, most=MOST_SUMMED_UP))
    return read


def _read_row(row: Row, cells: CellReader) -> ReadRow | None:
    """Return a row with its cells read, None where it was worked out from others; raises BadInput."""
    point, unit = cells.point(row)
    low, high = cells.ends(row, point, unit)
    runs, sd = cells.summed_up(row, point.metric, unit)
    other = row.cells.get(REPORTED_ELSEWHERE, "")
    second_value = cells.value(row, REPORTED_ELSEWHERE, point, unit, other) if other else None
    value = low if low == high else (low + high) / 2
    block, run = cells.block(row), row.cells.get(RUN, "")
    if cells.is_computed(row):
        return None
    return ReadRow(row, point, value, (high - low) / 2, runs, sd, second_value, block, run)


def _check_value(row: Row, cells: CellReader, refused: Refusals) -> None:
    try:
        cells.check_value(row)
    except BadInput as error:
        refused.add(row.number, error)


def measurements_of(table: Table, read: Sequence[ReadRow]) -> tuple[tuple[Measurement, ...], list[str]]:
    """Return the measurements of rows, and notes on what the file does not say of its runs and their order.

    All rows are one block where some say none: a repeat's number says nothing of when it ran, and rows sorted by value
    would make blocks that explain what never was (17 to 52 % false claims, by simulation).
    """
    has_blocks = all(entry.block for entry in read)
    shared_names: dict[str, None] = {}
    measurements = tuple(
        Measurement(
            family=entry.point.family.family,
            trial_id=name,
            block=entry.block if has_blocks else 1,
            metric=entry.point.metric.name,
            value=entry.value,
            unit=entry.point.metric.unit,
            setting=entry.point.setting,
            conditions=entry.point.conditions,
            phase=entry.point.phase,
            runs=entry.runs,
            sd=entry.sd,
            half_range=entry.half_range,
        )
        for entry, name in zip(read, _names_of_runs(table, read, shared_names), strict=True)
    )
    notes: list[str] = []
    if not has_blocks and len({entry.point for entry in read}) < sum(entry.runs for entry in read):
        notes.append(
            _("{file}: no column says in which block each run was made, so what drifted between runs is not taken out")
        )
    if shared_names:
        notes.append(
            _('{file}: the run "{run}" covers several settings; each setting was taken as a run of its own')
            if len(shared_names) == 1
            else _(
                '{file}: {count} names of runs, such as "{run}", cover several settings; each setting was taken '
                "as a run of its own"
            )
        )
    first = quotable(next(iter(shared_names), ""))
    return measurements, [note.format(file=table.source.name, run=first, count=len(shared_names)) for note in notes]


def second_values(table: Table, read: Iterable[ReadRow], found: Iterable[Measurement]) -> list[ReportedElsewhere]:
    """Return what the same document gives for points of these measurements elsewhere."""
    return [
        ReportedElsewhere(
            at=table.place(entry.row.number),
            first=measurement,
            value=entry.second_value,
            source=entry.text(SOURCE),
            where=entry.text(REPORTED_WHERE),
        )
        for entry, measurement in zip(read, found, strict=True)
        if entry.second_value is not None
    ]


def remarks(table: Table, read: Sequence[ReadRow], style: NumberStyle) -> Iterator[str]:
    """Yield how rows were read where that could be doubted, and what the column `note` says, each once."""
    if style.is_assumed:
        sentence = _('"{cell}" and all numbers like it were read with "{mark}" as decimal mark')
        yield f"{table.place(style.settled_at)}: {sentence.format(cell=style.settled_by, mark=style.mark)}"
    for row in table.rows:
        text = row.cells[VALUE]
        if style.has_groups(text):
            sentence = _('"{cell}" was read as {value:.15g}, with a thousands separator')
            yield f"{table.place(row.number)}: {sentence.format(cell=text, value=style.parse(text))}"
            break  # one such note tells the convention
    ranges = [entry for entry in read if entry.half_range]
    if ranges:
        sentence = _(
            'values given as ranges: {count}, such as "{cell}"; the middle, {value:.15g} {unit}, is compared, and '
            "intervals are wider by half the range"
        )
        first = ranges[0]
        told = sentence.format(
            count=len(ranges), cell=first.row.cells[VALUE], value=first.value, unit=first.point.metric.unit
        )
        yield f"{table.place(first.row.number)}: {told}"
    if len(read) < len(table.rows):
        sentence = _(
            "{file}: values worked out from others: {count}; they are no evidence of their own and are left out"
        )
        yield sentence.format(file=table.source.name, count=len(table.rows) - len(read))
    notes = dict.fromkeys(entry.text(NOTE) for entry in read)
    yield from [note for note in notes if note][:MOST_NOTES]


def _check_repeats(table: Table, read: Iterable[ReadRow], refused: Refusals) -> None:
    repeats = Counter(entry.point for entry in read)
    first_rows: dict[tuple[Point, object], int] = {}
    for entry in read:
        if not (entry.run or entry.block) and repeats[entry.point] > MOST_TOLD_APART:
            continue
        first = first_rows.setdefault((entry.point, entry.run or (entry.block, entry.value)), entry.row.number)
        if first == entry.row.number:
            continue
        sentence = (
            _('run "{run}" already has a {metric} for {what} in {first}; remove one, or give each run its own name')
            if entry.run
            else _('this repeats {first} (same {metric}, {what}); remove one, or tell them apart in a column "run"')
        ).format(
            run=quotable(entry.run),
            metric=entry.point.metric.name,
            what=entry.point.setting.label(),
            first=table.source.row_name(first),
        )
        refused.add(entry.row.number, table.source.refusal(sentence, entry.row.number))


def _names_of_runs(table: Table, read: Iterable[ReadRow], shared_names: dict[str, None]) -> Iterator[str]:
    """Yield an identifier of each row's run that is unique within its family; note names that were not."""
    first_places: dict[tuple[str, str], object] = {}
    for entry in read:
        place = entry.point.within_run
        if not entry.run:
            yield table.source.row_name(entry.row.number)
        elif first_places.setdefault((entry.point.family.family, entry.run), place) == place:
            yield entry.run
        else:
            shared_names.setdefault(entry.run)
            yield f"{entry.run} ({entry.point.label})"
