"""From the rows of a file to measurements of runs with names of their own."""

import math
from typing import Final

from app.domain.errors import BadInput
from app.domain.measurement import Measurement, is_measurable
from app.domain.units import convert
from app.foundation.texts import _
from app.services.explain.importing.cells import Point, PointReader
from app.services.explain.importing.columns import BLOCK, NOTE, REPORTED_ELSEWHERE, REPORTED_WHERE, RUN, SOURCE, VALUE
from app.services.explain.importing.disagreements import MOST_NOTES, ReportedElsewhere
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

# Without names of runs a row may be a repeat that gave the same value, or the same row pasted twice. Among few repeats
# the second is likelier; among many, equal values must come up.
MOST_TOLD_APART: Final = 20


class RowReader:
    """Reads all rows of one table.

    Rows of one family, run, setting and conditions are one run and may differ in the metric only. A name that stands
    for several settings, as where repeats are numbered 1, 2, 3 within each setting, is made unique by the setting.

    Args:
        table: to read.
        points: reads what was measured where.
        style: how numbers are written.

    Attributes:
        measurements: in the file's order.
        second_values: what the column `reported_elsewhere` holds.
        notes: texts of the column `note` and remarks about the reading, each once.
    """

    def __init__(self, table: Table, points: PointReader, style: NumberStyle) -> None:
        self._table = table
        self._points = points
        self._style = style
        self.measurements: list[Measurement] = []
        self.second_values: list[ReportedElsewhere] = []
        self.notes: dict[str, None] = {}
        self._groups_noted = False
        self._place_of_run: dict[tuple[str, str], tuple[object, object]] = {}
        self._shared_names: dict[str, None] = {}
        self._repeated_rows: list[tuple[int, int, Point]] = []

    def read(self) -> None:
        """Read all rows.

        Raises:
            BadInput: a row cannot be read, or says what another one said.
        """
        if self._style.is_assumed:
            self._note(
                self._style.settled_at,
                _('"{cell}" and all numbers like it were read with "{mark}" as decimal mark').format(
                    cell=self._style.settled_by, mark=self._style.mark
                ),
            )
        for row in self._table.rows:
            point, unit = self._points.read(row)
            value = self._value(row, VALUE, point, unit)
            point.repeats += 1
            block = self._block(row)
            run = self._name_of_run(row, block, value, point)
            self.measurements.append(
                Measurement(
                    family=point.family.family,
                    trial_id=run,
                    block=block,
                    metric=point.metric.name,
                    value=value,
                    unit=point.metric.unit,
                    setting=point.setting,
                    conditions=point.conditions,
                    phase=point.phase,
                )
            )
            self._remark(row, point, unit)
        for number, first, point in self._repeated_rows:
            if point.repeats <= MOST_TOLD_APART:
                raise self._twice(number, first, "", point)
        self._note_shared_names()

    def _value(self, row: Row, name: str, point: Point, unit: str) -> float:
        """Return the number of a cell in the metric's unit, finite and greater than zero, or zero where it may be."""
        text = row.cells[name]
        if not text:
            raise self._table.refusal(row, name, _("the value is missing; fill it or remove the row"))
        written = self._points.number(row, name, text)
        value = convert(written, unit, point.metric.unit)
        if not (0.0 < value < math.inf or (value == 0.0 and point.metric in point.family.others)):
            sentence = _('"{cell}" must be a finite number greater than zero; correct or remove the row')
            raise self._table.refusal(row, name, sentence.format(cell=quotable(text)))
        if not is_measurable(value):
            sentence = _('"{cell}" is too large or too small to have been measured; correct or remove the row')
            raise self._table.refusal(row, name, sentence.format(cell=quotable(text)))
        if self._style.has_groups(text) and not self._groups_noted:  # one such note tells the convention
            self._groups_noted = True
            self._note(
                row.number,
                _('"{cell}" was read as {value:.15g}, with a thousands separator').format(cell=text, value=written),
            )
        return value

    def _block(self, row: Row) -> int:
        """Return a block number, 0 where there is none."""
        text = row.cells.get(BLOCK, "")
        if not text:
            return 0
        number = self._style.parse(text)
        if number is not None and 1 <= number < 1e9 and number.is_integer():
            return int(number)
        sentence = _('"{cell}" must be a whole number, 1 or more').format(cell=quotable(text))
        raise self._table.refusal(row, BLOCK, sentence)

    def _name_of_run(self, row: Row, block: int, value: float, point: Point) -> str:
        """Return an identifier unique to the run within its family.

        Raises:
            BadInput: the row stands in the file twice, or the run has two values.
        """
        run = row.cells.get(RUN, "")
        is_named = bool(run or block)
        if is_named or point.repeats <= MOST_TOLD_APART:
            first = point.row_by_run.setdefault(run or f"{block}: {value!r}", row.number)
            if first != row.number and is_named:
                raise self._twice(row.number, first, run, point)
            if first != row.number:
                self._repeated_rows.append((row.number, first, point))
        if not run:
            return self._table.source.row_name(row.number)
        if self._place_of_run.setdefault((point.family.family, run), point.within_run) == point.within_run:
            return run
        self._shared_names.setdefault(run)
        return f"{run} ({point.label})"

    def _twice(self, row: int, first: int, run: str, point: Point) -> BadInput:
        sentence = (
            _('run "{run}" already has a {metric} for {what} in {first}; remove one, or give each run its own name')
            if run
            else _('this repeats {first} (same {metric}, {what}); remove one, or tell them apart in a column "run"')
        )
        source = self._table.source
        metric, what = point.metric.name, point.setting.label()
        return source.refusal(
            sentence.format(run=quotable(run), metric=metric, what=what, first=source.row_name(first)), row
        )

    def _remark(self, row: Row, point: Point, unit: str) -> None:
        """Keep what a row says besides its measurement."""
        note = self._text(row, NOTE)
        if note and len(self.notes) < MOST_NOTES:
            self.notes.setdefault(note)
        if self._text(row, REPORTED_ELSEWHERE):
            self.second_values.append(
                ReportedElsewhere(
                    at=self._table.place(row.number),
                    first=self.measurements[-1],
                    value=self._value(row, REPORTED_ELSEWHERE, point, unit),
                    source=self._text(row, SOURCE),
                    where=self._text(row, REPORTED_WHERE),
                )
            )

    @staticmethod
    def _text(row: Row, name: str) -> str:
        return " ".join(row.cells.get(name, "").split())

    def _note(self, row: int, sentence: str) -> None:
        self.notes.setdefault(f"{self._table.place(row)}: {sentence}")

    def _note_shared_names(self) -> None:
        """Say where names of runs were made unique."""
        if not self._shared_names:
            return
        sentence = (
            _('{file}: the run "{run}" stands for several settings; each setting was taken as a run of its own')
            if len(self._shared_names) == 1
            else _(
                '{file}: {count} names of runs, such as "{run}", stand for several settings; '
                "each setting was taken as a run of its own"
            )
        )
        first = quotable(next(iter(self._shared_names)))
        self.notes.setdefault(sentence.format(file=self._table.source.name, count=len(self._shared_names), run=first))
