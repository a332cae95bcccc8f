"""From the rows of a file to measurements, in one pass that also holds for a million rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.domain.units import convert
from app.foundation.texts import _
from app.services.explain.importing.cells import Place, Point, PointReader
from app.services.explain.importing.columns import (
    BLOCK,
    FAMILY,
    METRIC,
    NOTE,
    PHASE,
    REPORTED_ELSEWHERE,
    REPORTED_WHERE,
    RUN,
    SOURCE,
    UNIT,
    VALUE,
    ColumnRole,
    FamilyColumns,
)
from app.services.explain.importing.disagreements import MOST_NOTES, ReportedElsewhere
from app.services.explain.importing.headings import Column, number_columns
from app.services.explain.importing.number_text import NumberStyle, style_of
from app.services.explain.importing.runs import RunNames
from app.services.explain.importing.table import Table, quotable


@dataclass(frozen=True)
class _Shape:
    """What the rows with the same texts for family, metric, unit, parameters and conditions have in common.

    Attributes:
        parts: the point and what each of its measurements says: family, metric, the metric's unit, setting,
            conditions, phase.
        unit: as written.
        converted: it is not the metric's.
        may_be_zero: the metric only explains.
    """

    parts: tuple[Point, str, str, str, Setting, Setting, Phase]
    unit: str
    converted: bool
    may_be_zero: bool


@dataclass
class RowsRead:
    """What was read from the rows of a file.

    Attributes:
        measurements: in the file's order.
        points: distinct family, metric, setting and conditions.
        second_values: what the column `reported_elsewhere` holds.
        notes: texts of the column `note` and remarks about the reading.
        sources: distinct texts of the column `source`.
        style: how numbers are written.
        texts_by_column: distinct contents of the columns that describe a point, by position.
    """

    style: NumberStyle
    measurements: list[Measurement] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    second_values: list[ReportedElsewhere] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    sources: dict[str, None] = field(default_factory=dict)
    texts_by_column: dict[int, dict[str, None]] = field(default_factory=dict)


class RowReader:
    """Reads all rows of one table.

    Args:
        table: to read.
        columns: of the table.
        families: what each family accepts.
    """

    def __init__(self, table: Table, columns: Sequence[Column], families: Mapping[str, FamilyColumns]) -> None:
        self._table = table
        self._families = families
        self._position = {column.name: column.position for column in columns}
        self._out = RowsRead(style_of(table, number_columns(columns, families)))
        if self._out.style.is_assumed:
            self._note_assumed(self._out.style)
        self._point_reader = PointReader(table, columns, families, self._out.style)
        describing = {FAMILY, METRIC, UNIT, PHASE}
        self._key_columns = tuple(
            column.position
            for column in columns
            if column.name in describing or column.role in (ColumnRole.FACTOR, ColumnRole.CONDITION)
        )
        self._shapes: dict[tuple[str, ...], _Shape] = {}
        self._places: dict[Place, Place] = {}
        self._points: dict[tuple[Place, str, Phase], Point] = {}
        self._runs = RunNames(table, families)
        self._blocks: dict[str, int] = {}
        self._groups_noted = False

    def read(self) -> RowsRead:
        """Return what the rows hold.

        Raises:
            BadInput: a row cannot be read, or says what another one said.
        """
        key_of = itemgetter(*self._key_columns)
        value_at, run_at, block_at = self._position[VALUE], self._position.get(RUN), self._position.get(BLOCK)
        remarked = [self._position[name] for name in (SOURCE, NOTE, REPORTED_ELSEWHERE) if name in self._position]
        quick, shapes, name_run = self._out.style.quick(), self._shapes, self._runs.name
        add, blocks = self._out.measurements.append, self._blocks
        for row, cells in self._table.rows():
            key = key_of(cells)
            shape = shapes.get(key) or self._new_shape(row, cells, key)
            point, family, metric, unit, setting, conditions, phase = shape.parts
            cell = cells[value_at]
            value = quick(cell)
            if shape.converted or not 0.0 < value < math.inf:
                value = self._value(row, cell, value_at, shape)
            point.repeats += 1
            run = "" if run_at is None else cells[run_at].strip()
            block = 0
            if block_at is not None:
                cell = cells[block_at]
                block = blocks.get(cell) or self._block(row, cell, block_at)
            trial_id = name_run(row, run, block, value, point)
            add(Measurement(family, trial_id, block or point.repeats, metric, value, unit, setting, conditions, phase))
            if remarked and any(cells[position] for position in remarked):
                self._remark(row, cells, shape)
        self._runs.refuse_repeated_rows()
        self._out.notes.update(dict.fromkeys(self._runs.notes()))
        return self._out

    def _new_shape(self, row: int, cells: Sequence[str], key: tuple[str, ...]) -> _Shape:
        place, metric, unit = self._point_reader.read(row, cells)
        place = self._places.setdefault(place, place)
        phase = self._phase(row, cells)
        point = self._points.get((place, metric.name, phase))
        if point is None:
            point = self._points[place, metric.name, phase] = Point(place.family, metric, place, phase)
            self._out.points.append(point)
        for position, text in zip(self._key_columns, key, strict=True):
            self._out.texts_by_column.setdefault(position, {}).setdefault(text.strip())
        parts = (point, place.family, metric.name, metric.unit, place.setting, place.conditions, phase)
        may_be_zero = metric in self._families[place.family].others
        shape = self._shapes[key] = _Shape(parts, unit, unit != metric.unit, may_be_zero)
        return shape

    def _phase(self, row: int, cells: Sequence[str]) -> Phase:
        """Return whether a row was measured to explore or to confirm; exploring where the file does not say."""
        text = self._text(cells, PHASE)
        try:
            return Phase(text.lower() or Phase.EXPLORE)
        except ValueError as error:
            raise BadInput(
                _('{at}: "{cell}" must be {known}, or empty').format(
                    at=self._table.at(row, self._position[PHASE]), cell=quotable(text), known=_(" or ").join(Phase)
                )
            ) from error

    def _value(self, row: int, cell: str, position: int, shape: _Shape) -> float:
        """Return the number of a cell in the metric's unit, finite and greater than zero, or zero where it may be."""
        value = self._out.style.parse(cell)
        if value is None:
            raise self._no_number(row, cell, position)
        if shape.converted:
            value = convert(value, shape.unit, shape.parts[0].metric.unit)
        if not (0.0 < value < math.inf or (value == 0.0 and shape.may_be_zero)):
            raise BadInput(
                _('{at}: "{cell}" must be a finite number greater than zero; correct or remove the row').format(
                    at=self._table.at(row, position), cell=quotable(cell)
                )
            )
        if self._out.style.has_groups(cell):
            self._note_grouped(row, cell, position)
        return value

    def _no_number(self, row: int, cell: str, position: int) -> BadInput:
        at = self._table.at(row, position)
        if not cell.strip():
            return BadInput(_("{at}: the value is missing; fill it or remove the row").format(at=at))
        return BadInput(f"{at}: {self._out.style.why_not(cell)}")

    def _block(self, row: int, cell: str, position: int) -> int:
        """Return a block number, 0 where the cell is empty."""
        if not cell.strip():
            return 0
        number = self._out.style.parse(cell)
        if number is not None and 1 <= number < 1e9 and number.is_integer():
            self._blocks[cell] = int(number)
            return int(number)
        raise BadInput(
            _('{at}: "{cell}" must be a whole number, 1 or more').format(
                at=self._table.at(row, position), cell=quotable(cell)
            )
        )

    def _remark(self, row: int, cells: Sequence[str], shape: _Shape) -> None:
        """Keep what a row says besides its measurement."""
        source, note = self._text(cells, SOURCE), self._text(cells, NOTE)
        if source:
            self._out.sources.setdefault(source)
        if note and note not in self._out.notes and len(self._out.notes) < MOST_NOTES:
            self._out.notes[note] = None
        second = self._text(cells, REPORTED_ELSEWHERE)
        if second:
            position = self._position[REPORTED_ELSEWHERE]
            self._out.second_values.append(
                ReportedElsewhere(
                    at=self._table.at_row_of_name(row),
                    index=len(self._out.measurements) - 1,
                    value=self._value(row, second, position, shape),
                    source=source,
                    where=self._text(cells, REPORTED_WHERE),
                )
            )

    def _text(self, cells: Sequence[str], name: str) -> str:
        position = self._position.get(name)
        return "" if position is None else " ".join(cells[position].split())

    def _note_assumed(self, style: NumberStyle) -> None:
        self._out.notes.setdefault(
            _('{at}: "{cell}" and all numbers like it were read with "{mark}" as decimal mark').format(
                at=self._table.at_row_of_name(style.settled_at), cell=style.settled_by, mark=style.mark
            )
        )

    def _note_grouped(self, row: int, cell: str, position: int) -> None:
        """Say of the first value with a thousands separator how it was read; one such note tells the convention."""
        if not self._groups_noted:
            self._groups_noted = True
            self._out.notes.setdefault(
                _('{at}: "{cell}" was read as {value:.15g}, with a thousands separator').format(
                    at=self._table.at_row_of_name(row), cell=cell.strip(), value=self._out.style.parse(cell)
                )
            )
