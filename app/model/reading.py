"""Readings, declared once: frozen dataclasses whose annotated fields say how each is read and shown.

    free_disk_mb: Annotated[float | None, Column("free_disk_bytes"), Gauge(_("free disk"), "GB"), Limited(FREE_DISK)]

A field is read from the column of its name, or the one that `Column` or an `Enumeration` names, and converted from the
unit the statement's header declares to the one its own name ends with. What else is written beside it is all that
curves and limits know of it. A record may hold a tuple of other records, one for each server, say; the first field of
those tells them apart. Where the title of a curve names that field, as "{server}", each has one of its own, else the
largest counts.

A contract test holds each record against its statement's header, which alone says type, NULL, unit and whose word a
text is.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Final, Protocol, TypeVar, get_args, get_origin, get_type_hints

from app.domain.limits import LimitField
from app.domain.measurement import Metric, Sample
from app.domain.units import convert, convert_known
from app.foundation.enumeration import Enumeration
from app.foundation.rows import Columns, Row

_UNITS: Final = {
    "_kb_per_s": "KiB/s",  # SQL Server's KB are 1,024 bytes
    "_kb": "KiB",
    "_mb": "MB",
    "_gb": "GB",
    "_bytes": "bytes",
    "_us": "us",
    "_ms": "ms",
    "_s": "s",
    "_percent": "%",
    "_share": "share",
}


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


class Reading(_Dataclass, Protocol):
    """A record of one moment."""

    @property
    def at(self) -> datetime:
        """When it was read, by the server's clock."""
        ...


Record = TypeVar("Record", bound=_Dataclass)
R = TypeVar("R", bound=Reading)


@dataclass(frozen=True)
class Column:
    """The column a field is read from, where that has another name."""

    name: str


@dataclass(frozen=True)
class Limited:
    """The limit a field is held against: its value, the growth per second of a `Counter`, or a `Mean`."""

    by: LimitField


@dataclass(frozen=True)
class Gauge:
    """A present value, shown as a curve."""

    title: str
    unit: str

    def level(self, _before: object, after: object, name: str, _elapsed_s: float) -> float | None:
        """Return the value of a field in the unit it is shown in, None where it is not known."""
        return convert_known(getattr(after, name), unit_of(name) or self.unit, self.unit)


@dataclass(frozen=True)
class Counter:
    """A total since the server started, of which only the growth says something.

    Attributes:
        title: of the curve of its growth per second, "" for none.
        unit: of that growth: "share" of a time, "MB/s" or "Mbps" of a size.
        among: field with the number it is shared among, such as processors; such a share is at most 1.
        since: field with the start it counts from, where the record tells it: a total of another start has not grown.
    """

    title: str = ""
    unit: str = ""
    among: str = ""
    since: str = ""

    def level(self, before: object, after: object, name: str, elapsed_s: float) -> float | None:
        """Return the growth per second; 0 where no time has passed."""
        grown = grown_by(before, after, name)
        if grown is None or (self.among and elapsed_s <= 0):
            return None
        per_s, unit = grown / elapsed_s if elapsed_s > 0 else 0.0, unit_of(name)
        if self.unit == "share":
            share = convert(per_s, unit, "s")
            return min(1.0, share / getattr(after, self.among)) if self.among else share
        return convert(convert(per_s, unit, "MB"), "MB/s", self.unit)


@dataclass(frozen=True)
class Mean:
    """A total spread over the count of another one, such as waits over commits; shown as a curve.

    Attributes:
        per: field that counts.
    """

    title: str
    unit: str
    per: str

    def level(self, before: object, after: object, name: str, _elapsed_s: float) -> float | None:
        """Return the mean between two readings, 0 where the count did not grow."""
        grown, counted = grown_by(before, after, name), grown_by(before, after, self.per)
        if grown is None or counted is None:
            return None
        return convert(grown / counted if counted > 0 else 0.0, unit_of(name), self.unit)


_Curve = Gauge | Counter | Mean


@dataclass(frozen=True)
class Measured:
    """The measure of a trial that a field makes: the largest of its readings, in the unit of the measure.

    Attributes:
        is_rise: only what came on top of the first reading of a stretch of time counts.
    """

    by: Metric
    is_rise: bool = False


@dataclass(frozen=True)
class _Field:
    """One field as it is declared."""

    name: str
    hint: Any
    marks: tuple[object, ...]

    @cached_property
    def words(self) -> Enumeration | None:
        return next((mark for mark in self.marks if isinstance(mark, Enumeration)), None)

    @cached_property
    def column(self) -> str:
        own = self.name if self.words is None else self.words.column
        return next((mark.name for mark in self.marks if isinstance(mark, Column)), own)

    @cached_property
    def inner(self) -> Any:
        """The record it holds several of, None where it holds a value."""
        of = get_args(self.hint)[:1] if get_origin(self.hint) is tuple else ()
        return next((hint for hint in of if dataclasses.is_dataclass(hint)), None)

    @cached_property
    def is_number(self) -> bool:
        return self.hint in (int, int | None, float, float | None)

    @cached_property
    def curves(self) -> tuple[_Curve, ...]:
        return tuple(mark for mark in self.marks if isinstance(mark, _Curve) and mark.title)

    @cached_property
    def limits(self) -> tuple[LimitField, ...]:
        return tuple(mark.by for mark in self.marks if isinstance(mark, Limited))

    @cached_property
    def held(self) -> tuple[tuple[str, _Curve], ...]:
        """The key of each of its limits with what makes the figure held against it."""
        total = next((mark for mark in self.marks if isinstance(mark, Counter | Mean)), None)
        return tuple((limit.name, total or Gauge("", limit.unit)) for limit in self.limits)

    @cached_property
    def unit(self) -> str:
        """The unit at the end of its name."""
        return unit_of(self.name)

    @cached_property
    def is_total(self) -> bool:
        return any(isinstance(mark, Counter | Mean) for mark in self.marks)

    def read(self, row: Row) -> object:
        """Return its value in a row, in the unit its name ends with; the word for it where it is one of a few."""
        read, _write = self.accessors(row.columns)
        return read(row, self.column)

    def written(self, value: Any, columns: Columns) -> Any:
        """Return a value as its column holds it: in its unit, or the vendor's value of a word."""
        _read, write = self.accessors(columns)
        return value if write is None else write(value)

    def accessors(self, columns: Columns) -> tuple[Callable[[Row, str], object], Callable[[Any], Any] | None]:
        """Return how its value is read from its column and written to it, None where that is as it is."""
        words, have, wanted = self.words, columns.units.get(self.column, ""), self.unit
        if words is not None:
            return lambda row, _column: words.of(row), words.value
        read = _KINDS[self.hint]
        if not (have and wanted) or have == wanted:
            return read, None
        return (
            lambda row, column: _converted(read(row, column), have, wanted),
            lambda value: _converted(value, wanted, have),
        )


def _converted(value: Any, unit: str, wanted: str) -> Any:
    return convert(value, unit, wanted) if isinstance(value, float) else value


_KINDS: Final[Mapping[Any, Callable[[Row, str], object]]] = {
    str: Row.text,
    str | None: lambda row, column: None if row.is_null(column) else row.text(column),
    bool: lambda row, column: row.whole_or(column, 0) == 1,
    bool | None: lambda row, column: None if row.is_null(column) else row.whole(column) == 1,
    int: Row.whole,
    int | None: lambda row, column: None if row.is_null(column) else row.whole(column),
    float: Row.number,
    float | None: Row.number_or_none,
    datetime: Row.moment_utc,
    datetime | None: Row.moment_or_none,
}


@cache
def fields_of(record: type[Any]) -> tuple[_Field, ...]:
    """Return the fields of a record as they are declared; worked out once, as that takes time."""
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        _Field(field.name, hint.__origin__, hint.__metadata__)
        if get_origin(hint := hints[field.name]) is Annotated
        else _Field(field.name, hint, ())
        for field in dataclasses.fields(record)
    )


@cache
def unit_of(name: str) -> str:
    """Return the unit the name of a field ends with, "" where it has none."""
    return next((unit for ending, unit in _UNITS.items() if name.endswith(ending)), "")


def read_as(record: type[Record], *rows: Row, **given: object) -> Record:
    """Return a record with each field from the first row that has it, but for the fields given.

    Raises:
        TypeError: a column holds another type, or NULL where the field takes none: a fault of the program.
    """
    values = dict(given)
    if len(rows) == 1:
        [row] = rows
        for name, column, read, _write in plan_of(record, row.columns):
            if name not in given:
                values[name] = read(row, column)
        return record(**values)
    for field in fields_of(record):
        having = [row for row in rows if field.column in row.columns]
        if having and field.name not in given:
            values[field.name] = field.read(next((row for row in having if not row.is_null(field.column)), having[0]))
    return record(**values)


def plan_of(record: Any, columns: Columns) -> tuple[tuple[str, str, Any, Any], ...]:
    """Return name, column, reader and writer of each field that has a column among these; None writes it as it is."""
    if record not in columns.plans:
        columns.plans[record] = tuple(
            (field.name, field.column, *field.accessors(columns))
            for field in fields_of(record)
            if field.column in columns
        )
    return columns.plans[record]


def written_to(columns: Columns, *records: _Dataclass) -> dict[str, Any]:
    """Return the cells of a row that these records would be read from, in the units of its columns."""
    cells: dict[str, Any] = {}
    for record in records:
        for name, column, _read, write in plan_of(type(record), columns):
            value = getattr(record, name)
            cells[column] = value if write is None else write(value)
    return cells


def cells_of(columns: Columns, record: Any, **values: Any) -> dict[str, Any]:
    """Return the cells of a row that these fields of a record would be read from, in the units of its columns."""
    fields = {field.name: field for field in fields_of(record)}
    return {fields[name].column: fields[name].written(value, columns) for name, value in values.items()}


def over_time(record: type[Record], readings: Sequence[object], **given: object) -> Record:
    """Return one record of all readings of one thing, oldest first: fields `longest_…` of all, the rest of the
    newest."""
    values = dict(given)
    for name in (field.name for field in fields_of(record) if field.name not in given):
        longest = name.removeprefix("longest_")
        values[name] = getattr(readings[-1], name) if longest == name else largest_known(_all(readings, longest))
    return record(**values)


def _all(readings: Sequence[object], name: str) -> Iterator[float | None]:
    return (getattr(reading, name) for reading in readings)


def elapsed_s(before: Reading, after: Reading) -> float:
    """Return the seconds between two readings, 0 where the server's clock went back."""
    return max(0.0, (after.at - before.at).total_seconds())


def grown_by(before: object, after: object, name: str) -> float | None:
    """Return the growth of a total, None where it is not known; one that was reset has not grown."""
    earlier, later = getattr(before, name, None), getattr(after, name)
    return None if earlier is None or later is None else max(0.0, later - earlier)


def growth(before: R, after: R) -> R:
    """Return the later of two readings with the growth of its totals in place of them."""
    return growth_over([(before, after)])


def growth_over(spans: Sequence[tuple[R, R]]) -> R:
    """Return the last of several pairs of readings with the growth of its totals over all of them in place of them."""
    last = spans[-1][1]
    totals = [field.name for field in fields_of(type(last)) if field.is_total]
    return dataclasses.replace(last, **{name: _grown_over(spans, name) for name in totals})


def _grown_over(spans: Sequence[tuple[object, object]], name: str) -> float | None:
    known = [grown for before, after in spans if (grown := grown_by(before, after, name)) is not None]
    return sum(known) if len(known) == len(spans) else None


@cache
def totals_by_start(record: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the totals of a record that fall to 0 together, by the field with their start; one without is alone."""
    counted = [(f.name, mark) for f in fields_of(record) for mark in f.marks if isinstance(mark, Counter)]
    starts = dict.fromkeys(mark.since or name for name, mark in counted)
    together = {start: tuple(name for name, mark in counted if start in (mark.since, name)) for start in starts}
    return tuple(("" if names == (start,) else start, names) for start, names in together.items())


def curves(before: R, after: R, offset_s: float) -> tuple[Sample, ...]:
    """Return a point of each declared curve that is known; `before` is the reading before, or the same at first."""
    shown = _levels(before, after, elapsed_s(before, after))
    return tuple(Sample(title, offset_s, value, unit) for title, value, unit in shown if value is not None)


def _levels(before: object, after: _Dataclass, elapsed: float) -> Iterator[tuple[str, float | None, str]]:
    for field in _shown_fields(type(after)):
        if field.inner is not None:
            yield from _inner_levels(field.inner, _pairs(before, after, field), elapsed)
        for curve in field.curves:
            yield curve.title, curve.level(before, after, field.name, elapsed), curve.unit


@cache
def _shown_fields(record: Any) -> tuple[_Field, ...]:
    return tuple(f for f in fields_of(record) if f.curves or (f.inner is not None and _shown_fields(f.inner)))


@cache
def _limited_fields(record: Any) -> tuple[_Field, ...]:
    return tuple(f for f in fields_of(record) if f.limits or (f.inner is not None and limits_of(f.inner)))


def _inner_levels(
    record: Any, pairs: list[tuple[str, object, object]], elapsed: float
) -> Iterator[tuple[str, float | None, str]]:
    apart = fields_of(record)[0].name
    for field in _shown_fields(record):
        for curve in field.curves:
            levels = [(key, curve.level(before, after, field.name, elapsed)) for key, before, after in pairs]
            if f"{{{apart}}}" in curve.title:
                yield from ((curve.title.format(**{apart: key}), level, curve.unit) for key, level in levels)
            else:
                yield curve.title, largest_known(level for _key, level in levels), curve.unit


def _pairs(before: object, after: object, field: _Field) -> list[tuple[str, object, Any]]:
    """Return each inner record by its first field, as it was and as it is; None where it was not there before."""
    apart = fields_of(field.inner)[0].name
    earlier = {getattr(one, apart): one for one in getattr(before, field.name)}
    later = {getattr(one, apart): one for one in getattr(after, field.name)}
    return [(key, earlier.get(key), one) for key, one in later.items()]


def limit_readings(before: R, after: R) -> dict[str, float | None]:
    """Return the worst that is held against each declared limit, by its key and in its unit; None where nothing is."""
    held: dict[str, list[float]] = {}
    record: Any = type(after)
    worst = _worst_of(record)
    for name, value in _held(before, after, elapsed_s(before, after)):
        if value is not None:
            held.setdefault(name, []).append(value)
    return {name: choose(held[name]) if name in held else None for name, choose in worst.items()}


@cache
def _worst_of(record: Any) -> Mapping[str, Callable[[list[float]], float]]:
    return {limit.name: min if limit.is_least else max for limit in limits_of(record)}


def _held(before: object, after: _Dataclass, elapsed: float) -> Iterator[tuple[str, float | None]]:
    for field in _limited_fields(type(after)):
        if field.inner is not None:
            for _key, earlier, later in _pairs(before, after, field):
                yield from _held(earlier, later, elapsed)
        for limit, mark in field.held:
            yield limit, mark.level(before, after, field.name, elapsed)


def measured(record: Any, stretches: Sequence[Sequence[Sequence[object]]]) -> dict[Metric, float | None]:
    """Return the metrics that a record's fields make of a trial's readings; None where a value is not known.

    Args:
        stretches: each with its moments, oldest first, and those with the records that were read.
    """
    return {
        mark.by: convert_known(
            largest_known(_most(field.name, s, mark) for s in stretches), field.unit or mark.by.unit, mark.by.unit
        )
        for field in fields_of(record)
        for mark in field.marks
        if isinstance(mark, Measured)
    }


def _most(name: str, moments: Sequence[Sequence[object]], mark: Measured) -> float | None:
    levels = [largest_known(_all(records, name)) for records in moments]
    most = largest_known(levels)
    if most is None or not mark.is_rise:
        return most
    return None if levels[0] is None else most - levels[0]


def limits_of(record: Any) -> tuple[LimitField, ...]:
    """Return the limits a record's fields are held against, each once, in order."""
    inner = {field.name: limits_of(field.inner) for field in fields_of(record) if field.inner is not None}
    named = (limit for field in fields_of(record) for limit in (*field.limits, *inner.get(field.name, ())))
    return tuple({limit.name: limit for limit in named}.values())


def largest_known(values: Iterable[float | None]) -> float | None:
    """Return the largest of the values that are known, None where none is."""
    return max((value for value in values if value is not None), default=None)
