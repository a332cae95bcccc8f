"""Mapping the columns of somebody's own file: the file as it is written, a guess, and its reading by a mapping."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from app.domain.setting import plain
from app.domain.units import known_units
from app.foundation.spreadsheet import csv_text
from app.foundation.texts import _, local_number
from app.services.explain.importing.columns import (
    BLOCK,
    FAMILY,
    METRIC,
    NEEDED,
    NOTE,
    OPTIONAL,
    RUN,
    SOURCE,
    UNIT,
    VALUE,
    Families,
    FamilyColumns,
    KnownColumns,
)
from app.services.explain.importing.quantity_text import unit_called
from app.services.explain.importing.source_text import SourceText, read_source
from app.services.explain.importing.table import Row, Table, read_table

LEFT_OUT: Final = ""
"""Stands in a mapping for a column that is not read."""

UNDECIDED: Final = "?"
"""Stands in a mapping for a column whose meaning nobody has said yet."""

COMMON_VALUES: Final = (FAMILY, METRIC, UNIT)
"""What need not be a column: it may be said once for all rows."""

_SHOWN_ROWS: Final = 50

# How people head such columns in English and German beside their own names; spelt as `plain` makes it.
_OFTEN_CALLED: Final = {
    VALUE: [
        "value",
        "result",
        "measured",
        "measurement",
        "time",
        "duration",
        "elapsed",
        "elapsedtime",
        "wert",
        "dauer",
    ],
    UNIT: ["units", "uom", "einheit"],
    METRIC: ["measure", "kpi", "messgröße", "kennzahl"],
    FAMILY: ["experiment"],
    RUN: ["runid", "trial", "test", "lauf", "versuch", "messung"],
    BLOCK: ["round", "runde", "durchgang"],
    SOURCE: ["quelle"],
    NOTE: ["notes", "comment", "remark", "remarks", "bemerkung", "kommentar"],
}
# Runs side by side, each with its values in a column, and what is worked out from them.
_RUN_COLUMN: Final = re.compile(r"(?:run|lauf|trial|test|repeat|versuch|messung)[\s_#-]*\d+", re.IGNORECASE)
_WORKED_OUT: Final = frozenset(
    (
        "median",
        "min",
        "max",
        "mean",
        "average",
        "avg",
        "mittel",
        "mittelwert",
        "minimum",
        "maximum",
        "faster",
        "speedup",
    )
)
_WITH_UNIT: Final = re.compile(r"(.*?\S)[\s_]*(?:\((.+)\)|\[(.+)\]|[\s_]([^\s_]+))")


@dataclass(frozen=True)
class RawFile:
    """A file of measurements as it is written.

    Attributes:
        headings: of all columns.
        rows: the first of them, each with its line and a text for each heading.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ColumnMapping:
    """The meaning of each column of a file.

    Attributes:
        columns: in the file's order, the name of the column each stands for, LEFT_OUT or UNDECIDED; several may hold
            values, each of a run of its own.
        same: what holds for all rows, by its name, one of COMMON_VALUES; what a column says comes first.
    """

    columns: tuple[str, ...]
    same: tuple[tuple[str, str], ...] = ()

    def common_value(self, name: str) -> str:
        """Return the value that holds for all rows, "" where none is given or a column holds it."""
        return "" if name in self.columns else dict(self.same).get(name, "")


def read_raw(path: Path, families: Families) -> RawFile:
    """Return a file as it is written, whatever its headings are called.

    Args:
        families: whose columns tell headings from a title above them.

    Raises:
        BadInput: it cannot be split into columns; the sentence says where and why.
    """
    table = read_table(read_source(path), _by_place, KnownColumns(families).is_heading)
    rows = tuple((row.number, tuple(row.cells.values())) for row in islice(table.rows, _SHOWN_ROWS))
    return RawFile(tuple(table.headings.values()), rows)


def read_mapped(source: SourceText, columns: KnownColumns, mapping: ColumnMapping) -> Table:
    """Return a file as a table whose columns are named by a mapping; errors go on naming the file's own headings.

    Raises:
        BadInput: the file cannot be split into columns, or the mapping lacks one or has one twice.
    """
    table = read_table(source, _by_place, columns.is_heading)
    same = {name: mapping.common_value(name) for name in COMMON_VALUES if mapping.common_value(name)}
    kept = {str(place): name for place, name in enumerate(mapping.columns) if name not in (LEFT_OUT, UNDECIDED)}
    values = [place for place, name in kept.items() if name == VALUE]
    once = {place: name for place, name in kept.items() if name != VALUE or place == values[0]}
    columns.match(source, [*once.values(), *same])
    headings = {name: table.headings[place] for place, name in once.items()}
    if len(values) > 1:
        rows = tuple(_of_each(table, row, once, values) for row in table.rows)
        made = tuple(Row(one.number, one.cells | same) for of_row in rows for one in of_row)
        return replace(table, headings={RUN: RUN} | headings | {name: name for name in same}, rows=made)
    rows_once = (Row(row.number, {name: row.cells[place] for place, name in kept.items()} | same) for row in table.rows)
    return replace(table, headings=headings | {name: name for name in same}, rows=tuple(rows_once))


def _of_each(table: Table, row: Row, once: Mapping[str, str], values: Sequence[str]) -> tuple[Row, ...]:
    """Return a row for each of its values, named by its column: a run, where runs stand side by side."""
    cells = {name: row.cells[place] for place, name in once.items()}
    return tuple(
        Row(row.number, {RUN: table.headings[place]} | cells | {VALUE: row.cells[place]})
        for place in values
        if row.cells[place]
    )


def _by_place(_source: SourceText, headings: Sequence[str], _line: int) -> dict[str, str]:
    """Take every heading, by its place."""
    return {str(place): heading for place, heading in enumerate(headings)}


# Guessing


def guess_mapping(raw: RawFile, families: Families) -> ColumnMapping:
    """Return a guess at the meaning of a file's columns; a likely one is left UNDECIDED.

    A heading that names a measure, with or without a unit ("run_time_s", "Latency (ms)"), heads its values; family,
    measure and unit are then said once. The family is the only one that has all the parameters there are columns for.
    """
    known = KnownColumns(families)
    columns = [_known_name(heading, known) for heading in raw.headings]
    metric = unit = ""
    if VALUE not in columns:
        columns, metric, unit = _with_values(columns, raw.headings, families)
    columns = [
        UNDECIDED if name and name in columns[:place] and not _RUN_COLUMN.fullmatch(heading) else name
        for place, (name, heading) in enumerate(zip(columns, raw.headings, strict=True))
    ]
    family = _only_family([name for name in columns if name in known.parameters], metric, families)
    if family and not metric and len(families[family].metrics) == 1:
        metric = families[family].metrics[0].name
    same = ((FAMILY, family), (METRIC, metric), (UNIT, unit))
    return ColumnMapping(tuple(columns), tuple((name, text) for name, text in same if text and name not in columns))


def _with_values(columns: Sequence[str], headings: Sequence[str], families: Families) -> tuple[list[str], str, str]:
    """Return columns with the first that may hold values as such, and the measure and unit its heading names."""
    for place, (column, heading) in enumerate(zip(columns, headings, strict=True)):
        name, unit = _split_unit(heading)
        metric = _metric_name(name, families.values())
        if column == UNDECIDED and (metric or plain(name) in _OFTEN_CALLED[VALUE]):
            return [*columns[:place], VALUE, *columns[place + 1 :]], metric, unit
    return list(columns), "", ""


def _known_name(heading: str, known: KnownColumns) -> str:
    if _RUN_COLUMN.fullmatch(heading):
        return VALUE
    if plain(heading) in _WORKED_OUT:
        return LEFT_OUT
    name = known.name_of(heading)
    return name or next((often for often, called in _OFTEN_CALLED.items() if plain(heading) in called), UNDECIDED)


def _split_unit(heading: str) -> tuple[str, str]:
    """Return a heading without the unit it ends with, and the unit; "" for none."""
    found = _WITH_UNIT.fullmatch(heading.strip())
    unit = next(filter(None, found.groups()[1:]), "").strip() if found else ""
    unit = unit_called(unit)
    return (found[1], unit) if found and unit in known_units() else (heading, "")


def _metric_name(name: str, families: Iterable[FamilyColumns]) -> str:
    return next((metric.name for family in families if (metric := family.metric(name))), "")


def _only_family(factors: Sequence[str], metric: str, families: Families) -> str:
    fitting = [
        name
        for name, family in families.items()
        if factors and all(map(family.parameter, factors)) and (not metric or family.metric(metric))
    ]
    return fitting[0] if len(fitting) == 1 else ""


# What is still missing, and what may be chosen


def mapping_problems(mapping: ColumnMapping, raw: RawFile, families: Families) -> tuple[str, ...]:
    """Return all that keeps a file from being read by a mapping, one sentence each; nothing where it can be read."""
    problems = [*_undecided(mapping, raw), *_named_twice(mapping, raw)]
    if VALUE not in mapping.columns:
        problems.append(_("Say which column holds the measured value."))
    asked_once = {
        FAMILY: _("Say which experiment was measured."),
        METRIC: _("Say what was measured."),
        UNIT: _("Say in which unit the values are."),
    }
    problems += [
        asked_once[name] for name in COMMON_VALUES if name not in mapping.columns and not mapping.common_value(name)
    ]
    if not set(mapping.columns) & set(KnownColumns(families).parameters):
        problems.append(_("Say which column holds the parameter that was varied."))
    return tuple(problems)


def _undecided(mapping: ColumnMapping, raw: RawFile) -> Iterator[str]:
    for place, (name, heading) in enumerate(zip(mapping.columns, raw.headings, strict=True), start=1):
        if name == UNDECIDED:
            shown = heading or _("number {place}, without a heading").format(place=place)
            yield _('Say what the column "{heading}" holds, or leave it out.').format(heading=shown)


def _named_twice(mapping: ColumnMapping, raw: RawFile) -> Iterator[str]:
    for name in dict.fromkeys(mapping.columns):
        twice = [heading for field, heading in zip(mapping.columns, raw.headings, strict=True) if field == name]
        if len(twice) > 1 and name not in (LEFT_OUT, UNDECIDED, VALUE):
            sentence = _('The columns "{first}" and "{second}" mean the same; leave one out.')
            yield sentence.format(first=twice[0], second=twice[1])


def column_choices(families: Families) -> tuple[tuple[str, str], ...]:
    """Return the possible meanings of a column, in the order of the list: name, and content in words."""
    known = KnownColumns(families)
    standard = {**NEEDED, **OPTIONAL}
    return (
        *((name, meaning[:1].upper() + meaning[1:]) for name, meaning in standard.items()),
        *((name, _("Parameter {name}").format(name=name)) for name in known.parameters),
        *((name, _("Condition {name}").format(name=name)) for name in known.conditions),
    )


def template_text(family: FamilyColumns) -> str:
    """Return a file of measurements that lacks its values only: headings, and a run of each of two settings.

    Fields stand between semicolons where numbers have decimal commas, as a spreadsheet there reads and writes them.
    """
    first, *_others = family.parameters
    metric = family.metrics[0]
    settings = [
        {parameter.name: parameter.default for parameter in family.parameters} | {first.name: level}
        for level in (first.default, next(level for level in first.levels if level != first.default))
    ]
    headings = (RUN, BLOCK, FAMILY, METRIC, VALUE, UNIT, *settings[0], *(column.name for column in family.conditions))
    blank = [""] * len(family.conditions)
    rows = (
        (run, 1, family.family, metric.name, "", metric.unit, *setting.values(), *blank)
        for run, setting in enumerate(settings, start=1)
    )
    return csv_text((headings, *rows), delimiter=";" if local_number("1.5") != "1.5" else ",")
