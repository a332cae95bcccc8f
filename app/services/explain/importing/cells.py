"""From the texts of a row to the point it was measured at: family, metric, setting, conditions and phase."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from app.domain.condition import Condition
from app.domain.errors import BadInput
from app.domain.measurement import Metric, is_measurable
from app.domain.plan import Phase
from app.domain.setting import Setting, Value
from app.domain.units import convert, known_units
from app.foundation.texts import _
from app.services.explain.importing.columns import FAMILY, METRIC, PHASE, UNIT, FamilyColumns, plain, quoted
from app.services.explain.importing.disagreements import point_label
from app.services.explain.importing.headings import KnownColumns, did_you_mean
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

# "5-10", "5 – 10" or "5..10" commands per transaction.
_RANGE: Final = re.compile(r"([\d.,]+?)\s*(?:-|–|\.\.)\s*([\d.,]+)")


@dataclass
class Point:
    """One metric at one setting under its conditions, and what was read for it.

    Attributes:
        family, metric: of the values.
        setting: values of all parameters given.
        conditions: values of all conditions given.
        phase: of the rows.
        repeats: rows read so far.
        row_by_run: row of each run read so far; without a run, of each block and value.
    """

    family: FamilyColumns
    metric: Metric
    setting: Setting
    conditions: Setting
    phase: Phase
    repeats: int = 0
    row_by_run: dict[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Setting and conditions as a person writes them."""
        return point_label(self.setting, self.conditions, self.family)

    @property
    def within_run(self) -> tuple[Setting, Setting]:
        """Setting and conditions without those that vary within one run."""
        kept = {name: value for name, value in self.conditions.items() if name not in self.family.swept}
        return self.setting, Setting.from_mapping(kept)


class PointReader:
    """Reads the cells of a row that say what was measured where.

    Args:
        table: to read.
        known: the columns of all families.
        families: what each family accepts.
        style: how numbers are written.
    """

    def __init__(
        self, table: Table, columns: KnownColumns, families: Mapping[str, FamilyColumns], style: NumberStyle
    ) -> None:
        self._table = table
        self._families = families
        self._style = style
        self._factors = [name for name in table.headings if name in columns.factors]
        self._conditions = [name for name in table.headings if name in columns.conditions]
        phase = [PHASE] if PHASE in table.headings else []
        described_by = (FAMILY, METRIC, UNIT, *phase, *self._factors, *self._conditions)
        self._texts_of = itemgetter(*described_by)
        self._by_texts: dict[tuple[str, ...], tuple[Point, str]] = {}
        self._points: dict[tuple[str, str, Setting, Setting, Phase], Point] = {}

    def read(self, row: Row) -> tuple[Point, str]:
        """Return the point of a row, one object for all its rows, and the unit of its value.

        Raises:
            BadInput: a cell is unknown, missing, outside its limits, or the unit cannot be compared with the metric's.
        """
        texts = self._texts_of(row.cells)
        if texts not in self._by_texts:
            self._by_texts[texts] = self._read(row)
        return self._by_texts[texts]

    def _read(self, row: Row) -> tuple[Point, str]:
        family = self._family(row)
        metric = self._metric(row, family)
        unit = self._unit(row, metric)
        setting = self._setting(row, family)
        conditions = Setting.from_mapping(
            {name: self._condition(row, name, family) for name in self._conditions if row.cells[name]}
        )
        phase = self._phase(row)
        key = (family.family, metric.name, setting, conditions, phase)
        return self._points.setdefault(key, Point(family, metric, setting, conditions, phase)), unit

    def _needed(self, row: Row, name: str) -> str:
        if row.cells[name]:
            return row.cells[name]
        raise self._table.refusal(row, name, _("this is empty; fill it"))

    def _family(self, row: Row) -> FamilyColumns:
        text = self._needed(row, FAMILY)
        for name, family in self._families.items():
            if plain(name) == plain(text):
                return family
        sentence = _('the experiment family "{name}" is not known{hint}; known are {known}').format(
            name=quotable(text), hint=did_you_mean(text, self._families), known=quoted(self._families)
        )
        raise self._table.refusal(row, FAMILY, sentence)

    def _metric(self, row: Row, family: FamilyColumns) -> Metric:
        text = self._needed(row, METRIC)
        metric = family.metric(text)
        if metric:
            return metric
        names = [accepted.name for accepted in family.metrics]
        sentence = _('the family "{family}" does not take the metric "{name}"{hint}; it takes {known}').format(
            family=family.family, name=quotable(text), hint=did_you_mean(text, names), known=quoted(names)
        )
        raise self._table.refusal(row, METRIC, sentence)

    def _unit(self, row: Row, metric: Metric) -> str:
        unit = self._needed(row, UNIT)
        if unit not in (*known_units(), metric.unit):
            sentence = _(
                'the unit "{unit}" does not exist; {metric} is given in {wanted}, known units are {known}'
            ).format(unit=quotable(unit), metric=metric.name, wanted=metric.unit, known=", ".join(known_units()))
            raise self._table.refusal(row, UNIT, sentence)
        try:
            convert(1.0, unit, metric.unit)
        except BadInput as error:
            sentence = _('"{unit}" cannot be compared with the unit of {metric}, which is {wanted}; convert it').format(
                unit=unit, metric=metric.name, wanted=metric.unit
            )
            raise self._table.refusal(row, UNIT, sentence) from error
        return unit

    def _setting(self, row: Row, family: FamilyColumns) -> Setting:
        given = [name for name in self._factors if row.cells[name]]
        if not given:
            names = quoted(self._table.headings[name] for name in self._factors)
            sentence = _("no parameter has a value; fill at least one of {names}").format(names=names)
            raise self._table.source.refusal(sentence, row.number)
        return Setting.from_mapping({name: self._level(row, name, family) for name in given})

    def _level(self, row: Row, name: str, family: FamilyColumns) -> Value:
        parameter = family.parameter(name)
        if parameter is None:
            sentence = _('the family "{family}" has no parameter {name}; leave the cell empty')
            raise self._table.refusal(row, name, sentence.format(family=family.family, name=name))
        text = row.cells[name]
        if parameter.choices:
            return parameter.check(text.casefold(), self._table.at(row, name))
        number = self.number(row, name, text)
        # What is no whole number is handed on as it is written, for the parameter's own refusal.
        return parameter.check(int(number) if number.is_integer() else quotable(text), self._table.at(row, name))

    def _condition(self, row: Row, name: str, family: FamilyColumns) -> Value:
        text, condition = row.cells[name], family.condition(name)
        if condition is None:
            sentence = _('the family "{family}" has no condition {name}; leave the cell empty')
            raise self._table.refusal(row, name, sentence.format(family=family.family, name=name))
        if condition.unit:
            return self._quantity(row, condition)
        if condition.choices and text.casefold() not in condition.choices:
            sentence = _('"{text}" is not known{hint}; write one of {known}').format(
                text=quotable(text), hint=did_you_mean(text, condition.choices), known=quoted(condition.choices)
            )
            raise self._table.refusal(row, name, sentence)
        return text.casefold() if condition.choices else text

    def _quantity(self, row: Row, condition: Condition) -> int | float:
        """Return the number of a condition, for a range the mean of its ends."""
        text = row.cells[condition.name]
        ends = _RANGE.fullmatch(text) if condition.may_be_range else None
        numbers = [self.number(row, condition.name, end) for end in (ends.groups() if ends else (text,))]
        number = sum(numbers) / len(numbers)
        if not ((number > 0 or (number == 0 and condition.may_be_zero)) and is_measurable(number)):
            least = _("zero or more") if condition.may_be_zero else _("greater than zero")
            sentence = _('"{text}" must be a number of {unit}, {least}')
            raise self._table.refusal(
                row, condition.name, sentence.format(text=quotable(text), unit=condition.unit, least=least)
            )
        return int(number) if number.is_integer() else number

    def _phase(self, row: Row) -> Phase:
        """Return whether a row was measured to explore or to confirm; exploring where the file does not say."""
        text = row.cells.get(PHASE, "")
        try:
            return Phase(text.lower() or Phase.EXPLORE)
        except ValueError as error:
            sentence = _('"{cell}" must be {known}, or empty').format(cell=quotable(text), known=_(" or ").join(Phase))
            raise self._table.refusal(row, PHASE, sentence) from error

    def number(self, row: Row, name: str, text: str) -> float:
        """Return the number that a text in a cell is; raises BadInput where it is none."""
        number = self._style.parse(text)
        if number is None:
            raise self._table.refusal(row, name, self._style.why_not(text))
        return number
