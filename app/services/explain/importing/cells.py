"""From the texts of a row to the point it was measured at: family, metric, setting and conditions."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import BadInput
from app.domain.measurement import Metric
from app.domain.plan import Phase
from app.domain.setting import Setting, Value
from app.domain.units import convert, known_units
from app.foundation.texts import _
from app.services.explain.importing.columns import (
    FAMILY,
    METRIC,
    UNIT,
    ColumnRole,
    ConditionColumn,
    FamilyColumns,
    plain,
    quoted,
)
from app.services.explain.importing.headings import Column, did_you_mean
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.table import Table, quotable

# "5-10", "5 – 10" or "5..10" commands per transaction.
_RANGE: Final = re.compile(r"\s*([\d.,]+?)\s*(?:-|–|\.\.)\s*([\d.,]+)\s*")


@dataclass(frozen=True)
class Place:
    """What one run may be said to have been: one setting of one family under its conditions.

    Attributes:
        family: id of the family.
        setting: values of all parameters given.
        conditions: values of all conditions given.
    """

    family: str
    setting: Setting
    conditions: Setting

    def within_run(self, swept: Collection[str]) -> "Place":
        """Return the place without the conditions that vary within one run."""
        if not swept:
            return self
        kept = {name: value for name, value in self.conditions.items() if name not in swept}
        return Place(self.family, self.setting, Setting.from_mapping(kept))


@dataclass(slots=True)
class Point:
    """One metric at one place, and what was read for it.

    Attributes:
        family: id of the family.
        metric: of the values.
        place: one object for all metrics measured there.
        phase: of the rows.
        repeats: rows read so far.
        row_by_run: row of each run read so far; without a run, of each (block, value).
    """

    family: str
    metric: Metric
    place: Place
    phase: Phase = Phase.EXPLORE
    repeats: int = 0
    row_by_run: dict[str, int] = field(default_factory=dict)


class PointReader:
    """Reads the cells of a row that say what was measured where.

    Args:
        table: for places in sentences.
        columns: of the table.
        families: what each family accepts.
        style: how numbers are written.
    """

    def __init__(
        self,
        table: Table,
        columns: Sequence[Column],
        families: Mapping[str, FamilyColumns],
        style: NumberStyle,
    ) -> None:
        self._table = table
        self._by_name = {column.name: column for column in columns}
        self._factors = [column for column in columns if column.role is ColumnRole.FACTOR]
        self._conditions = [column for column in columns if column.role is ColumnRole.CONDITION]
        self._families = families
        self._style = style

    def read(self, row: int, cells: Sequence[str]) -> tuple[Place, Metric, str]:
        """Return the place, the metric and the unit as written of a row.

        Raises:
            BadInput: one of them is unknown, missing, outside its limits, or cannot be compared with the metric.
        """
        family = self._family(row, cells)
        metric = self._metric(row, cells, family)
        unit = self._unit(row, cells, metric)
        setting = self._setting(row, cells, family)
        conditions = Setting.from_mapping(
            {
                column.name: self._condition(row, column, cells[column.position].strip(), family)
                for column in self._filled(self._conditions, cells)
            }
        )
        return Place(family.family, setting, conditions), metric, unit

    def _filled(self, columns: Iterable[Column], cells: Sequence[str]) -> list[Column]:
        return [column for column in columns if cells[column.position].strip()]

    def _cell(self, row: int, cells: Sequence[str], name: str) -> tuple[str, str]:
        """Return the text of a cell that may not be empty, and where it stands."""
        position = self._by_name[name].position
        at, text = self._table.at(row, position), cells[position].strip()
        if not text:
            raise BadInput(_("{at}: this is empty; fill it").format(at=at))
        return text, at

    def _family(self, row: int, cells: Sequence[str]) -> FamilyColumns:
        text, at = self._cell(row, cells, FAMILY)
        for name, family in self._families.items():
            if plain(name) == plain(text):
                return family
        raise BadInput(
            _('{at}: the experiment family "{name}" is not known{hint}; known are {known}').format(
                at=at,
                name=quotable(text),
                hint=did_you_mean(text, tuple(self._families)),
                known=quoted(self._families),
            )
        )

    def _metric(self, row: int, cells: Sequence[str], family: FamilyColumns) -> Metric:
        text, at = self._cell(row, cells, METRIC)
        metric = family.metric(text)
        if metric:
            return metric
        names = tuple(known.name for known in family.metrics)
        raise BadInput(
            _('{at}: the family "{family}" does not take the metric "{name}"{hint}; it takes {known}').format(
                at=at, family=family.family, name=quotable(text), hint=did_you_mean(text, names), known=quoted(names)
            )
        )

    def _unit(self, row: int, cells: Sequence[str], metric: Metric) -> str:
        text, at = self._cell(row, cells, UNIT)
        if text not in known_units():
            raise BadInput(
                _(
                    '{at}: the unit "{unit}" does not exist; {metric} is given in {wanted}, known units are {known}'
                ).format(
                    at=at, unit=quotable(text), metric=metric.name, wanted=metric.unit, known=", ".join(known_units())
                )
            )
        try:
            convert(1.0, text, metric.unit)
        except BadInput as error:
            raise BadInput(
                _('{at}: "{unit}" cannot be compared with the unit of {metric}, which is {wanted}; convert it').format(
                    at=at, unit=text, metric=metric.name, wanted=metric.unit
                )
            ) from error
        return text

    def _setting(self, row: int, cells: Sequence[str], family: FamilyColumns) -> Setting:
        values: dict[str, Value] = {}
        for column in self._filled(self._factors, cells):
            at = self._table.at(row, column.position)
            knob = family.knob(column.name)
            if knob is None:
                raise BadInput(
                    _('{at}: the family "{family}" has no parameter {name}; leave the cell empty').format(
                        at=at, family=family.family, name=column.name
                    )
                )
            text = cells[column.position]
            value = text.strip().casefold() if knob.choices else _whole(self._number(text, at), text)
            values[knob.name] = knob.check(value, at)
        if values:
            return Setting.from_mapping(values)
        raise BadInput(
            _("{at}: no parameter has a value; fill at least one of {names}").format(
                at=self._table.at_row(row), names=quoted(column.heading for column in self._factors)
            )
        )

    def _condition(self, row: int, column: Column, text: str, family: FamilyColumns) -> Value:
        at = self._table.at(row, column.position)
        condition = family.condition(column.name)
        if condition is None:
            raise BadInput(
                _('{at}: the family "{family}" has no condition {name}; leave the cell empty').format(
                    at=at, family=family.family, name=column.name
                )
            )
        if condition.unit:
            return self._quantity(text, condition, at)
        if not condition.choices:
            return text
        if text.casefold() in condition.choices:
            return text.casefold()
        raise BadInput(
            _('{at}: "{text}" is not known{hint}; write one of {known}').format(
                at=at,
                text=quotable(text),
                hint=did_you_mean(text, condition.choices),
                known=quoted(condition.choices),
            )
        )

    def _quantity(self, text: str, condition: ConditionColumn, at: str) -> int | float:
        """Return the number of a condition, for a range the mean of its ends."""
        ends = _RANGE.fullmatch(text) if condition.may_be_range else None
        if ends:
            low, high = (self._number(end, at) for end in ends.groups())
            number = (low + high) / 2
        else:
            number = self._number(text, at)
        if not math.isfinite(number) or number < 0 or (number == 0 and not condition.may_be_zero):
            least = _("zero or more") if condition.may_be_zero else _("greater than zero")
            raise BadInput(
                _('{at}: "{text}" must be a number of {unit}, {least}').format(
                    at=at, text=quotable(text), unit=condition.unit, least=least
                )
            )
        return int(number) if number.is_integer() else number

    def _number(self, text: str, at: str) -> float:
        number = self._style.parse(text)
        if number is None:
            raise BadInput(f"{at}: {self._style.why_not(text)}")
        return number


def _whole(number: float, text: str) -> Value:
    """Return a whole number as an int, and the text itself where it is none, for the parameter's own refusal."""
    return int(number) if math.isfinite(number) and number.is_integer() else quotable(text)
