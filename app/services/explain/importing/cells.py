"""From the texts of a row to what they say: the point it was measured at, its value and its block."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Final

from app.domain.condition import Condition
from app.domain.errors import BadInput
from app.domain.measurement import MOST_RUNS, Metric, is_measurable
from app.domain.plan import Phase
from app.domain.setting import Setting, Value
from app.domain.units import convert, known_units
from app.foundation.texts import _
from app.services.explain.importing.columns import (
    BLOCK,
    COMPUTED,
    FAMILY,
    METRIC,
    PHASE,
    RUNS,
    SD,
    UNIT,
    VALUE,
    FamilyColumns,
    plain,
    quoted,
)
from app.services.explain.importing.disagreements import point_label
from app.services.explain.importing.experiments import Families
from app.services.explain.importing.headings import KnownColumns, did_you_mean
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

# "5-10", "5 – 10" or "5..10" commands per transaction.
_END = r"([\d.,]+?(?:[eE][+-]?\d+)?)"
_RANGE: Final = re.compile(rf"{_END}\s*(?:-|–|\.\.)\s*{_END}")
_YES: Final = frozenset({"yes", "true", "1", "x"})
_NO: Final = frozenset({"no", "false", "0", ""})


@dataclass(eq=False)
class Point:
    """One metric at one setting under its conditions; one object for all rows of it.

    Attributes:
        family, metric: of the values.
        setting: values of all parameters given.
        conditions: values of all conditions given.
        phase: of the rows.
    """

    family: FamilyColumns
    metric: Metric
    setting: Setting
    conditions: Setting
    phase: Phase

    @property
    def label(self) -> str:
        """Setting and conditions as a person writes them."""
        return point_label(self.setting, self.conditions, self.family)

    @cached_property
    def within_run(self) -> tuple[Setting, Setting]:
        """Setting and conditions without those that vary within one run."""
        return self.setting, self.conditions.without(self.family.swept)


class CellReader:
    """Reads the cells of one table; each method raises BadInput where a cell cannot be used.

    Args:
        table: to read.
        columns: of all families.
        families: what each family accepts.
        style: how numbers are written.
    """

    def __init__(self, table: Table, columns: KnownColumns, families: Families, style: NumberStyle) -> None:
        self._table = table
        self._families = families
        self._style = style
        self._factors = [name for name in table.headings if name in columns.parameters]
        self._conditions = [name for name in table.headings if name in columns.conditions]
        phase = [PHASE] if PHASE in table.headings else []
        described_by = (FAMILY, METRIC, UNIT, *phase, *self._factors, *self._conditions)
        self._texts_of = itemgetter(*described_by)
        self._by_texts: dict[tuple[str, ...], tuple[Point, str]] = {}
        self._points: dict[tuple[object, ...], Point] = {}

    def point(self, row: Row) -> tuple[Point, str]:
        """Return what a row was measured at, and the unit of its value; rows with equal texts are read once."""
        texts = self._texts_of(row.cells)
        if texts not in self._by_texts:
            family = self._family(row)
            metric = self._metric(row, family)
            setting = self._setting(row, family)
            given = [name for name in self._conditions if row.cells[name]]
            conditions = Setting.from_mapping({name: self._condition(row, name, family) for name in given})
            phase = self._phase(row)
            key = (family.family, metric.name, setting, conditions, phase)
            point = self._points.setdefault(key, Point(family, metric, setting, conditions, phase))
            self._by_texts[texts] = point, self._unit(row, metric)
        return self._by_texts[texts]

    def value(self, row: Row, column: str, point: Point, unit: str, text: str) -> float:
        """Return a number of a cell in the metric's unit, finite and greater than zero, or zero where it may be."""
        if not text:
            raise self._refusal(row, column, _("the value is missing; fill it in or remove the row"))
        value = convert(self._number(row, column, text), unit, point.metric.unit)
        if not (0.0 < value < math.inf or (value == 0.0 and point.metric in point.family.others)):
            sentence = _('"{cell}" must be a finite number greater than zero; correct or remove the row')
        elif not is_measurable(value):
            sentence = _('"{cell}" is too large or too small to have been measured; correct or remove the row')
        else:
            return value
        raise self._refusal(row, column, sentence)

    def ends(self, row: Row, point: Point, unit: str) -> tuple[float, float]:
        """Return the value of a row as a range in the metric's unit; both ends are one where it is no range."""
        text = row.cells[VALUE]
        parts = _RANGE.fullmatch(text)
        if not parts:
            value = self.value(row, VALUE, point, unit, text)
            return value, value
        low, high = (self.value(row, VALUE, point, unit, part) for part in parts.groups())
        if not 0 < low <= high:
            sentence = _('"{cell}" is no range of measured values; write its lower end first, greater than zero')
            raise self._refusal(row, VALUE, sentence)
        return low, high

    def summed_up(self, row: Row, metric: Metric, unit: str) -> tuple[int, float]:
        """Return how many runs a value is the mean of, and their standard deviation in the metric's unit."""
        runs, text = self._whole(row, RUNS, MOST_RUNS) or 1, row.cells.get(SD, "")
        if bool(text) != (runs > 1):
            sentence = _(
                'a mean is judged by its standard deviation "sd" and its number of runs "n", 2 or more; give both or '
                "leave both empty"
            )
            raise self._refusal(row, SD if SD in row.cells else RUNS, sentence)
        sd = convert(self._number(row, SD, text), unit, metric.unit) if text else 0.0
        if not (0 <= sd < math.inf and is_measurable(sd)):
            raise self._refusal(row, SD, _('"{cell}" must be a finite number, zero or more'))
        return runs, sd

    def check_value(self, row: Row) -> None:
        """Look at the number of a value alone, of a row that may be refused for what stands before it."""
        text = row.cells[VALUE]
        ends = _RANGE.fullmatch(text)
        for part in ends.groups() if ends else (text or "0",):
            self._number(row, VALUE, part)

    def is_computed(self, row: Row) -> bool:
        """Tell whether a value was worked out from others."""
        text = row.cells.get(COMPUTED, "").casefold()
        if text in _YES | _NO:
            return text in _YES
        raise self._refusal(row, COMPUTED, _('"{cell}" must be yes or no, or empty'))

    def block(self, row: Row) -> int:
        """Return a block number, 0 where there is none."""
        return self._whole(row, BLOCK, 10**9 - 1)

    def _whole(self, row: Row, column: str, most: int) -> int:
        """Return a whole number from 1 on, 0 where the cell is empty."""
        text = row.cells.get(column, "")
        number = self._style.parse(text) if text else 0.0
        if not text or (number is not None and 1 <= number <= most and number.is_integer()):
            return int(number or 0)
        sentence = (
            _('"{cell}" must be a whole number, 1 or more')
            if number is None or number <= most
            else _('"{cell}" must be a whole number, 1 to {most:,}')
        )
        raise self._refusal(row, column, sentence, most=most)

    def _refusal(self, row: Row, column: str, sentence: str, **words: object) -> BadInput:
        """Return the error about a cell; `{cell}` in the sentence is its text."""
        return self._table.refusal(row, column, sentence.format(cell=quotable(row.cells[column]), **words))

    def _unknown(self, row: Row, column: str, names: Iterable[str], sentence: str, **words: object) -> BadInput:
        """Return the refusal of a word, with the known one it is most like and with all that are."""
        text = row.cells[column]
        hint, known = did_you_mean(text, names), quoted(names)
        return self._refusal(row, column, sentence, name=quotable(text), hint=hint, known=known, **words)

    def _needed(self, row: Row, column: str) -> str:
        if row.cells[column]:
            return row.cells[column]
        raise self._refusal(row, column, _("this is empty; fill it in"))

    def _family(self, row: Row) -> FamilyColumns:
        text = self._needed(row, FAMILY)
        family = next((family for name, family in self._families.items() if plain(name) == plain(text)), None)
        if family is None:
            sentence = _('the experiment family "{name}" is not known{hint}; known are {known}')
            raise self._unknown(row, FAMILY, tuple(self._families), sentence)
        return family

    def _metric(self, row: Row, family: FamilyColumns) -> Metric:
        metric = family.metric(self._needed(row, METRIC))
        if metric is None:
            sentence = _('the family "{family}" does not take the metric "{name}"{hint}; it takes {known}')
            names = tuple(accepted.name for accepted in family.metrics)
            raise self._unknown(row, METRIC, names, sentence, family=family.family)
        return metric

    def _unit(self, row: Row, metric: Metric) -> str:
        unit = self._needed(row, UNIT)
        if unit not in (*known_units(), metric.unit):
            sentence = _('the unit "{unit}" does not exist; {metric} is given in {wanted}, known units are {known}')
        elif not _can_be(unit, metric.unit):
            sentence = _('"{unit}" cannot be compared with the unit of {metric}, which is {wanted}; convert it')
        else:
            return unit
        known = ", ".join(known_units())
        raise self._refusal(
            row, UNIT, sentence, unit=quotable(unit), metric=metric.name, wanted=metric.unit, known=known
        )

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
            raise self._refusal(row, name, sentence, family=family.family, name=name)
        text = row.cells[name]
        if parameter.choices:
            known = {choice.casefold(): choice for choice in parameter.choices}
            return parameter.check(known.get(text.casefold(), text), self._table.at(row, name))
        number = self._number(row, name, text)
        # What is no whole number is handed on as it is written, for the parameter's own refusal.
        return parameter.check(int(number) if number.is_integer() else quotable(text), self._table.at(row, name))

    def _condition(self, row: Row, name: str, family: FamilyColumns) -> Value:
        text, condition = row.cells[name], family.condition(name)
        if condition is None:
            sentence = _('the family "{family}" has no condition {name}; leave the cell empty')
            raise self._refusal(row, name, sentence, family=family.family, name=name)
        if condition.unit:
            return self._quantity(row, condition)
        if condition.choices and text.casefold() not in condition.choices:
            sentence = _('"{name}" is not known{hint}; write one of {known}')
            raise self._unknown(row, name, condition.choices, sentence)
        return text.casefold() if condition.choices else text

    def _quantity(self, row: Row, condition: Condition) -> int | float:
        """Return the number of a condition, for a range the mean of its ends."""
        text = row.cells[condition.name]
        ends = _RANGE.fullmatch(text) if condition.may_be_range else None
        numbers = [self._number(row, condition.name, end) for end in (ends.groups() if ends else (text,))]
        number = sum(numbers) / len(numbers)
        if not ((number > 0 or (number == 0 and condition.may_be_zero)) and is_measurable(number)):
            least = _("zero or more") if condition.may_be_zero else _("greater than zero")
            sentence = _('"{text}" must be a number of {unit}, {least}')
            raise self._refusal(row, condition.name, sentence, text=quotable(text), unit=condition.unit, least=least)
        return int(number) if number.is_integer() else number

    def _phase(self, row: Row) -> Phase:
        """Return whether a row was measured to explore or to confirm; exploring where the file does not say."""
        text = row.cells.get(PHASE, "")
        try:
            return Phase(text.lower() or Phase.EXPLORE)
        except ValueError as error:
            sentence = _('"{cell}" must be {known}, or empty')
            raise self._refusal(row, PHASE, sentence, known=_(" or ").join(Phase)) from error

    def _number(self, row: Row, column: str, text: str) -> float:
        number = self._style.parse(text)
        if number is None:
            raise self._table.refusal(row, column, self._style.why_not(text))
        return number


def _can_be(unit: str, wanted: str) -> bool:
    """Return whether a known unit can be converted into another."""
    try:
        convert(1.0, unit, wanted)
    except BadInput:
        return False
    return True
