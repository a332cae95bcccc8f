"""From the texts of a row to the measurement it states."""

import math
import re
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from app.domain.condition import Condition
from app.domain.errors import BadInput
from app.domain.measurement import MOST_RUNS, Measurement, Metric, is_measurable
from app.domain.plan import Phase
from app.domain.setting import Setting, Value, plain
from app.domain.units import convert, known_units, unit_word, units_like
from app.foundation.texts import _, local_number
from app.services.explain.importing.columns import (
    BLOCK,
    COMPUTED,
    PHASE,
    REPORTED_ELSEWHERE,
    RUN,
    RUNS,
    SD,
    VALUE,
    Families,
    FamilyColumns,
    KnownColumns,
    did_you_mean,
    quoted,
)
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.quantity_text import (
    CLOCK_FORMAT,
    ROWS_PER_S,
    WrittenQuantity,
    bytes_in,
    quantity_in,
    unit_called,
)
from app.services.explain.importing.questions import (
    FAMILY,
    METRIC,
    PLAIN_TIMES,
    PLUS_MINUS,
    ROWS_COUNT,
    UNIT,
    Answers,
    Asked,
)
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

# "5-10", "5 – 10" or "5..10" commands per transaction.
_END = r"([\d.,]+?(?:[eE][+-]?\d+)?)"
_RANGE: Final = re.compile(rf"{_END}\s*(?:-|–|\.\.)\s*{_END}\s*([A-Za-zµ%][A-Za-zµ%/ ]*)?")
_PLAIN_UNITS: Final = {"days": "d", "seconds": "s", "minutes": "min"}
_MOST_TYPED: Final = 4  # decimals of a time; a spreadsheet writes its part of a day with more
_MOST_READINGS: Final = 1_000  # more than anyone looks at
YES: Final = frozenset({"yes", "true", "1", "x"})
_DEFAULT: Final = frozenset({"default", "standard", "(default)"})
_NO: Final = frozenset({"no", "false", "0", ""})

Point: TypeAlias = int
"""Stands for what values are repeats of: one metric of a family, at one setting, under its conditions, in one phase."""


class ReadRow(NamedTuple):
    """A row whose cells were read.

    Attributes:
        row: with its texts.
        measured: as the row alone says it: no block is 0, and a run the file does not name has no name.
        second_value: what the document says elsewhere, in the same unit; None where it does not.
        point: at which the value was measured.
        samples: how many values of one run it is the mean of.
    """

    row: Row
    measured: Measurement
    second_value: float | None
    point: Point
    samples: int = 1


class _At(NamedTuple):
    """The setting and conditions of a measured value, and the unit it is written in."""

    family: FamilyColumns
    metric: Metric
    setting: Setting
    conditions: Setting
    phase: Phase
    unit: str
    point: Point


class _Clock(NamedTuple):
    """The meaning of numbers below a heading such as "Duration (hh:mm:ss)".

    Attributes:
        plain_unit: of plain numbers, "" for that of their measure.
        seconds: that the last part of "12:31" counts.
    """

    plain_unit: str
    seconds: int


class CellReader:
    """Reads the rows of one table.

    Args:
        table: to read.
        columns: of all families.
        families: what each family accepts.
        style: how numbers are written.
        answers: to what the file leaves open.

    Attributes:
        remarks: how words were read that stand for numbers, a sentence each.
        readings: how the first cells of each column of values were read, by its place and their text.
    """

    def __init__(
        self, table: Table, columns: KnownColumns, families: Families, style: NumberStyle, answers: Answers
    ) -> None:
        self._table = table
        self._families = families
        self._style = style
        self._answers = answers
        self.remarks: dict[str, None] = {}
        self.readings: dict[tuple[int, str], str] = {}
        self._factors = [name for name in table.columns if name in columns.parameters]
        self._conditions = [n for n in table.columns if n in columns.conditions or n in table.own]
        names = (FAMILY, METRIC, UNIT, PHASE, *self._factors, *self._conditions)
        self._texts_of = itemgetter(*(name for name in names if name in table.columns))
        self._clocks: dict[int, _Clock] = {}
        self._points: dict[tuple[str, str, Setting, Setting, Phase], Point] = {}
        self._at_by_texts: dict[object, _At] = {}

    def read(self, row: Row) -> ReadRow | None:
        """Return a row's reading, None where the row was derived from others.

        Raises:
            BadInput: a cell cannot be used.
        """
        at = self._at(row)
        low, high = self._ends(row, at)
        runs, sd = self._summed_up(row, at)
        other = row.cells.get(REPORTED_ELSEWHERE, "")
        second_value = self._value(row, REPORTED_ELSEWHERE, at, other) if other else None
        measured = Measurement(
            family=at.family.family,
            trial_id=row.cells.get(RUN, ""),
            block=self._whole(row, BLOCK, 10**9 - 1),
            metric=at.metric.name,
            value=low if low == high else (low + high) / 2,
            unit=at.metric.unit,
            setting=at.setting,
            conditions=at.conditions,
            phase=at.phase,
            runs=runs,
            sd=sd,
            half_range=(high - low) / 2,
        )
        if len(self.readings) < _MOST_READINGS:
            self.readings[row.place, row.cells[VALUE]] = (
                f"{local_number(f'{measured.value:,.6g}')} {unit_word(measured.unit)}"
            )
        return None if self._is_computed(row) else ReadRow(row, measured, second_value, at.point)

    def check_value(self, row: Row) -> None:
        """Check the number of a value alone, in a row that may be refused for its other cells.

        Raises:
            BadInput: it is none.
        """
        for end in _ends_of(row.cells[VALUE] or "0"):
            if quantity_in(end, self._style) is None:
                self._number(row, VALUE, end)

    def _at(self, row: Row) -> _At:
        """Return the setting and conditions of a row: one object for all rows in the same words."""
        texts = self._texts_of(row.cells)
        if texts not in self._at_by_texts:
            family = self._family(row)
            metric = self._metric(row, family)
            setting = self._setting(row, family)
            given = [name for name in self._conditions if row.cells[name]]
            conditions = Setting.from_mapping({name: self._condition(row, name, family) for name in given})
            phase = self._phase(row)
            unit = self._unit(row, metric)
            key = family.family, metric.name, setting, conditions, phase
            point = self._points.setdefault(key, len(self._points))
            self._at_by_texts[texts] = _At(family, metric, setting, conditions, phase, unit, point)
        return self._at_by_texts[texts]

    def _value(self, row: Row, column: str, at: _At, text: str) -> float:
        """Return a number of a cell in the metric's unit, finite and not negative; samples of a run may be zero."""
        if not text:
            raise self._table.refusal(row, column, _("the value is missing; fill it in or remove the row"))
        value = self._quantity(row, column, at, text)
        if not 0.0 <= value < math.inf:
            sentence = _('"{cell}" must be a finite number greater than zero; correct it')
        elif not is_measurable(value):
            sentence = _('"{cell}" is too large or too small to have been measured; correct it')
        else:
            return value
        raise self._table.refusal(row, column, sentence)

    def _quantity(self, row: Row, column: str, at: _At, text: str) -> float:
        """Return a number of a cell in the metric's unit; a unit it is written with goes before that of its column."""
        text = self._before_plus_minus(row, column, text) if "±" in text else text
        number = self._style.parse(text)
        if number is not None:
            return convert(number, self._plain_unit(row, at), at.metric.unit)
        written = self._written(row, text)
        if written is None:
            return convert(self._number(row, column, text), at.unit, at.metric.unit)
        unit = self._counted(row, written.unit or at.unit, at.metric)
        if unit not in units_like(at.metric.unit):
            return convert(self._number(row, column, text), at.unit, at.metric.unit)
        is_own = bool(written.unit) and not written.is_clock
        if is_own and unit != at.unit and self._has_unit_column:
            sentence = _('"{cell}" has another unit than its column, {unit}; correct one of them')
            raise self._table.refusal(row, column, sentence, unit=at.unit)
        return convert(written.value, unit, at.metric.unit)

    def _plain_unit(self, row: Row, at: _At) -> str:
        return self._clock_of(row).plain_unit or at.unit

    def _written(self, row: Row, text: str) -> WrittenQuantity | None:
        """Return the quantity of a cell, None for none; "12:31" is of hours where its heading says so."""
        written = quantity_in(text, self._style)
        if written is None or not written.is_clock or text.count(":") != 1:
            return written
        return written._replace(value=written.value * self._clock_of(row).seconds)

    def _clock_of(self, row: Row) -> _Clock:
        """Return the meaning of plain numbers and clocks below the heading of a row's value."""
        place = max(row.place, self._table.columns[VALUE])
        if place not in self._clocks:
            told = CLOCK_FORMAT.search(self._table.grid.headings[place]) if place >= 0 else None
            has_seconds = told is None or "ss" in told.group().casefold()
            self._clocks[place] = _Clock(self._unit_of_plain(row, place) if told else "", 1 if has_seconds else 60)
        return self._clocks[place]

    def _unit_of_plain(self, row: Row, place: int) -> str:
        """Return the unit of plain numbers below "hh:mm:ss": with many decimals these are days, as spreadsheets keep
        times; raises Asked where that is open."""
        texts = [text for text in self._table.grid.texts_of(place) if self._style.parse(text) is not None]
        heading = quotable(self._table.grid.headings[place])
        decimals = [text.partition(self._style.mark)[2] for text in texts]
        said = self._answers.get(PLAIN_TIMES.name, "days" if any(len(d) > _MOST_TYPED for d in decimals) else "")
        if texts and not said:
            sentence = _(
                '"{cell}" below "{heading}" is no time of hours, minutes and seconds, and its unit is not said'
            )
            refused = self._table.source.refusal(sentence, row.number, cell=quotable(texts[0]), heading=heading)
            raise Asked(str(refused), PLAIN_TIMES)
        if texts and said == "days":
            sentence = _('numbers below "{heading}" are parts of a day: "{cell}" is {seconds} s')
            seconds = local_number(f"{convert(self._style.parse(texts[0]) or 0, 'd', 's'):,.6g}")
            self.remarks[sentence.format(heading=heading, cell=texts[0], seconds=seconds)] = None
        return _PLAIN_UNITS.get(said, "")

    @cached_property
    def _has_unit_column(self) -> bool:
        """Tell whether a column says the unit of any value."""
        return self._table.columns.get(UNIT, -1) >= 0 and any(row.cells[UNIT] for row in self._table.rows)

    def _before_plus_minus(self, row: Row, column: str, text: str) -> str:
        """Return the value before ±; raises Asked where the meaning of the number behind it is open."""
        if PLUS_MINUS.name not in self._answers:
            sentence = _(
                'what stands behind ± in "{cell}" (standard deviation, standard error, interval), and of how many '
                'runs, is not said; a standard deviation and its runs stand in columns "sd" and "n"'
            )
            raise Asked(str(self._table.refusal(row, column, sentence)), PLUS_MINUS)
        return text.partition("±")[0].strip()

    def _counted(self, row: Row, unit: str, metric: Metric) -> str:
        """Return a unit; raises Asked where rows are counted, and whether each is a command was not said."""
        if unit != ROWS_PER_S or metric.unit != "commands/s":
            return unit
        if ROWS_COUNT.name not in self._answers:
            sentence = _("{metric} is given in rows/s: whether each row is a command is not said")
            raise Asked(str(self._table.source.refusal(sentence, row.number, metric=metric.name)), ROWS_COUNT)
        return metric.unit

    def _ends(self, row: Row, at: _At) -> tuple[float, float]:
        """Return the value of a row as a range in the metric's unit; both ends are one where it is no range."""
        values = [self._value(row, VALUE, at, end) for end in _ends_of(row.cells[VALUE])]
        low, high = values[0], values[-1]
        if len(values) > 1 and not low:
            sentence = _('"{cell}" must be a finite number greater than zero; correct it')
            raise self._table.refusal(row, VALUE, sentence)
        if len(values) > 1 and low > high:
            sentence = _('"{cell}" is no range of measured values; write its lower end first, greater than zero')
            raise self._table.refusal(row, VALUE, sentence)
        return low, high

    def _summed_up(self, row: Row, at: _At) -> tuple[int, float]:
        """Return how many runs a value is the mean of, and their standard deviation in the metric's unit."""
        runs, text = self._whole(row, RUNS, MOST_RUNS) or 1, row.cells.get(SD, "")
        if bool(text) != (runs > 1):
            sentence = _(
                'a mean is judged by its standard deviation "sd" and its number of runs "n", 2 or more; give both or '
                "leave both empty"
            )
            raise self._table.refusal(row, SD if SD in row.cells else RUNS, sentence)
        sd = convert(self._number(row, SD, text), at.unit, at.metric.unit) if text else 0.0
        if not (0 <= sd < math.inf and is_measurable(sd)):
            raise self._table.refusal(row, SD, _('"{cell}" must be a finite number, zero or more'))
        return runs, sd

    def _is_computed(self, row: Row) -> bool:
        """Tell whether a value was worked out from others."""
        text = row.cells.get(COMPUTED, "").casefold()
        if text in YES | _NO:
            return text in YES
        raise self._table.refusal(row, COMPUTED, _('"{cell}" must be yes or no, or empty'))

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
        raise self._table.refusal(row, column, sentence, most=most)

    def _unknown(self, row: Row, column: str, names: Iterable[str], sentence: str, **words: object) -> BadInput:
        """Return the refusal of a word, with the known one it is most like and with all that are."""
        text = row.cells[column]
        hint, known = did_you_mean(text, names), quoted(names)
        return self._table.refusal(row, column, sentence, name=quotable(text), hint=hint, known=known, **words)

    def _needed(self, row: Row, column: str) -> str:
        if row.cells[column]:
            return row.cells[column]
        raise self._table.refusal(row, column, _("this is empty; fill it in"))

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
        if not row.cells.get(UNIT) and not self._has_unit_column:
            if metric.unit and self._style.parse(row.cells[VALUE]) is not None:
                sentence = _("no unit of {metric} is given; its values were taken as {unit}")
                self.remarks[sentence.format(metric=metric.name, unit=unit_word(metric.unit))] = None
            return metric.unit
        text = self._needed(row, UNIT)
        # "NOPM", as both the measure and its unit are called
        is_own = text not in known_units() and plain(text) in map(plain, (metric.unit, *metric.called))
        unit = metric.unit if is_own else self._counted(row, unit_called(text), metric)
        if unit in units_like(metric.unit):
            return unit
        known = known_units()
        sentence = (
            _('"{unit}" cannot be compared with the unit of {metric}, which is {wanted}; convert it')
            if unit in known
            else _('the unit "{unit}" does not exist; {metric} is given in {wanted}, known units are {known}')
        )
        words = {"unit": quotable(unit), "metric": metric.name, "wanted": metric.unit, "known": ", ".join(known)}
        raise self._table.refusal(row, UNIT, sentence, **words)

    def _setting(self, row: Row, family: FamilyColumns) -> Setting:
        given = [name for name in self._factors if row.cells[name]]
        if not given:
            names = quoted(self._table.heading_of(row, name) for name in self._factors)
            sentence = _("no parameter has a value; fill at least one of {names}")
            raise self._table.source.refusal(sentence, row.number, names=names)
        return Setting.from_mapping({name: self._level(row, name, family) for name in given})

    def _level(self, row: Row, name: str, family: FamilyColumns) -> Value:
        parameter = family.parameter(name)
        if parameter is None:
            sentence = _('the family "{family}" has no parameter {name}; leave the cell empty')
            raise self._table.refusal(row, name, sentence, family=family.family, name=name)
        text = row.cells[name]
        if parameter.choices:
            return parameter.check(parameter.choice_called(text), self._table.at(row, name))
        if text.casefold() in _DEFAULT:
            sentence = _('"{text}" of {name} was read as {value:,}')
            self.remarks[sentence.format(text=text, name=name, value=parameter.default)] = None
            return parameter.default
        text = text[:-1].strip() if text[-1] in "xX×" else text  # "4x"
        size = bytes_in(text, self._style) if parameter.unit == "bytes" else None
        number = self._number(row, name, text) if size is None else float(size)
        # What is no whole number is handed on as it is written, for the parameter's own refusal.
        return parameter.check(int(number) if number.is_integer() else quotable(text), self._table.at(row, name))

    def _condition(self, row: Row, name: str, family: FamilyColumns) -> Value:
        text, condition = row.cells[name], family.condition(name)
        if name in self._table.own:
            number = self._style.parse(text)
            return text if number is None or not is_measurable(number) else _whole_or_not(number)
        if condition is None:
            sentence = _('the family "{family}" has no condition {name}; leave the cell empty')
            raise self._table.refusal(row, name, sentence, family=family.family, name=name)
        if condition.unit:
            return self._amount(row, condition)
        if condition.choices and text.casefold() not in condition.choices:
            sentence = _('"{name}" is not known{hint}; write one of {known}')
            raise self._unknown(row, name, condition.choices, sentence)
        return text.casefold() if condition.choices else text

    def _amount(self, row: Row, condition: Condition) -> int | float:
        """Return the number of a condition, for a range the mean of its ends."""
        text = row.cells[condition.name]
        ends = _ends_of(text) if condition.may_be_range else (text,)
        numbers = [self._number(row, condition.name, end) for end in ends]
        number = sum(numbers) / len(numbers)
        if not ((number > 0 or (number == 0 and condition.may_be_zero)) and is_measurable(number)):
            least = _("zero or more") if condition.may_be_zero else _("greater than zero")
            sentence = _('"{text}" must be a number of {unit}, {least}')
            raise self._table.refusal(
                row, condition.name, sentence, text=quotable(text), unit=condition.unit, least=least
            )
        return _whole_or_not(number)

    def _phase(self, row: Row) -> Phase:
        """Return whether a row was measured to explore or to confirm; exploring where the file does not say."""
        text = row.cells.get(PHASE, "")
        try:
            return Phase(text.lower() or Phase.EXPLORE)
        except ValueError as error:
            sentence = _('"{cell}" must be {known}, or empty')
            raise self._table.refusal(row, PHASE, sentence, known=_(" or ").join(Phase)) from error

    def _number(self, row: Row, column: str, text: str) -> float:
        number = self._style.parse(text)
        if number is None:
            raise self._table.refusal(row, column, "{why}", why=self._style.why_not(text))
        return number


def _whole_or_not(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _ends_of(text: str) -> tuple[str, ...]:
    """Return the lower and the upper end of a range, the text alone where it is none."""
    ends = _RANGE.fullmatch(text)
    return tuple(f"{end} {ends[3] or ''}".strip() for end in ends.groups()[:2]) if ends else (text,)
