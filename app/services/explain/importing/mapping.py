"""The meaning of the columns of somebody's table: a guess, open questions, and the table's values by that mapping.

A table need not have one value in each row. Runs, settings and measures may stand side by side, as may measures or
settings below each other: each value then is of what its column's heading and its row's label say together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.domain.setting import value_text
from app.foundation.spreadsheet import csv_text
from app.foundation.texts import _, local_number
from app.services.explain.importing.columns import (
    BLOCK,
    NEEDED,
    OPTIONAL,
    RUN,
    VALUE,
    Families,
    FamilyColumns,
    KnownColumns,
    did_you_mean,
    nearest,
    quoted,
)
from app.services.explain.importing.headings import (
    STATISTIC,
    TIME,
    Headings,
    Said,
    are_numbers,
    but_for_statistic,
    computed_among,
    metric_of,
    statistic_of,
)
from app.services.explain.importing.questions import (
    CONDITION_OF,
    FAMILY,
    METRIC,
    PARAMETER,
    SHEET,
    UNIT,
    Asked,
    Question,
    question_on,
)
from app.services.explain.importing.source_text import quotable, read_source
from app.services.explain.importing.table import SUMMARIES, Grid, Row, Table, is_number_like, read_grid
from app.services.explain.importing.unjudged import unjudged

LEFT_OUT: Final = ""
"""Stands in a mapping for a column that is not read."""

UNDECIDED: Final = "?"
"""Stands in a mapping for a column whose meaning nobody has said yet."""

LABEL: Final = "="
"""Stands in a mapping for a column whose texts say setting or measure, such as "4 threads" or "p50 latency"."""

CONDITION: Final = "*"
"""Stands in a mapping for a column that is a condition by its own name: only values alike in it are compared."""

COMMON_VALUES: Final = (FAMILY, METRIC, UNIT)
"""What need not be a column: it may be said once for all rows."""

_GUESSED_FROM: Final = 5_000  # rows
_ALIKE: Final = 0.8  # from which on a heading is likely a parameter's name with a slip in it
_FEW: Final = 12  # different values of a column that may be a condition
_NAMED: Final = 6  # columns or rows in one note


@dataclass(frozen=True)
class ColumnMapping:
    """The meaning of each column of a file.

    Attributes:
        columns: in the file's order, the name of the column each stands for, LEFT_OUT, UNDECIDED, LABEL or CONDITION;
            several may hold values.
        same: what holds for all rows, by its name: one of COMMON_VALUES, SHEET, PARAMETER (whose levels the headings
            are), a condition, or an answer to a question; what a column says comes first.
    """

    columns: tuple[str, ...]
    same: tuple[tuple[str, str], ...] = ()

    def common_value(self, name: str) -> str:
        """Return the value that holds for all rows, "" where none is given or a column holds it."""
        return "" if name in self.columns else dict(self.same).get(name, "")

    def also(self, said: Mapping[str, str]) -> "ColumnMapping":
        """Return the mapping with more that holds for all rows."""
        return replace(self, same=tuple((dict(self.same) | dict(said)).items()))


def read_raw(path: Path, families: Families, sheet: str = "") -> Grid:
    """Return a file as it is written, whatever its headings are called.

    Args:
        families: whose columns tell headings from a title above them.
        sheet: of a workbook, "" for the first that holds a table.

    Raises:
        BadInput: it cannot be split into columns; the sentence says where and why.
    """
    return read_grid(read_source(path), Headings(families).known_in, sheet)


@dataclass(frozen=True)
class _Meant:
    """A table whose columns mean what a mapping says."""

    grid: Grid
    mapping: ColumnMapping
    headings: Headings

    def places_of(self, *names: str) -> list[int]:
        """Return the places of the columns that hold one of these."""
        return [place for place, name in enumerate(self.mapping.columns) if name in names]

    def headings_of(self, name: str) -> list[str]:
        """Return the headings of the columns that hold this."""
        return [self.grid.headings[place] for place in self.places_of(name)]

    @cached_property
    def places(self) -> dict[str, int]:
        """The columns with the same meaning for all values, by their names, conditions of its own by their headings."""
        return {
            heading if name == CONDITION else name: place
            for place, (name, heading) in enumerate(zip(self.mapping.columns, self.grid.headings, strict=True))
            if name not in (LEFT_OUT, UNDECIDED, LABEL, VALUE)
        }

    def tells(self, name: str) -> bool:
        """Tell whether a column or a common value says this of all rows."""
        return name in self.mapping.columns or bool(self.mapping.common_value(name))

    def also(self, said: Mapping[str, str]) -> "_Meant":
        """Return the table with more that holds for all rows."""
        return replace(self, mapping=self.mapping.also(said))

    @cached_property
    def values(self) -> dict[int, Said]:
        """The meaning of the heading of each column of values, by its place."""
        parameter = self.mapping.common_value(PARAMETER)
        return {
            place: {parameter: heading} if parameter and is_number_like(heading) else dict(self.headings.says(heading))
            for place, heading in zip(self.places_of(VALUE), self.headings_of(VALUE), strict=True)
        }

    @cached_property
    def labels(self) -> dict[str, Said]:
        """The meaning of each label."""
        texts = dict.fromkeys(text for place in self.places_of(LABEL) for text in self.grid.texts_of(place))
        return {text: self.headings.says(text) for text in texts}

    @cached_property
    def named(self) -> set[str]:
        """All that columns, headings and labels say something of."""
        said = _names_in(*self.values.values(), *self.labels.values())
        return {*self.mapping.columns, self.mapping.common_value(PARAMETER), *said}

    @property
    def factors(self) -> set[str]:
        """The parameters among them."""
        return self.named & self.headings.known.parameters.keys()


def _names_in(*said: Said) -> dict[str, str]:
    """Return a blank for each name that something is said of."""
    return {name: "" for one in said for name in one}


# Guessing


def guess_mapping(grid: Grid, families: Families, same: Mapping[str, str] | None = None) -> ColumnMapping:
    """Return a guess at the meaning of a file's columns; one whose meaning would change the result is left UNDECIDED.

    Family, measure and unit are said once where no column says them. The family is the one that has all the parameters
    there are columns for; of several that have them, the one that knows most of the other columns, or else the first.

    Args:
        same: what is known to hold for all rows.
    """
    headings, grid = Headings(families), grid.thinned(_GUESSED_FROM)
    columns = [_guess_column(heading, grid.texts_of(place), headings) for place, heading in enumerate(grid.headings)]
    columns = _without_twins(columns)
    columns = _with_values(columns, grid, headings) if VALUE in columns else _with_numbers(columns, grid)
    columns, across = _with_levels_across(columns, grid, headings)
    columns = _without_computed(columns, grid, headings)
    meant = _Meant(grid, ColumnMapping(tuple(columns)).also({**(same or {}), **across}), headings)
    family = dict(meant.mapping.same).get(FAMILY) or _likely_family(meant, families)
    meant = meant.also({FAMILY: family} if family and FAMILY not in columns else {})
    meant = replace(meant, mapping=replace(meant.mapping, columns=tuple(_with_conditions(meant))))
    return meant.mapping.also(_only_measure(meant, families.get(family)) or _agreed(meant, families.get(family)))


def _guess_column(heading: str, texts: Sequence[str], headings: Headings) -> str:
    name = headings.column_of(heading) or headings.parameter_called(heading)
    if name:
        return name
    said = headings.says(heading)
    if not texts:
        return LEFT_OUT
    if said.keys() == {RUN} or (said and are_numbers(texts)):
        return VALUE
    labels = [headings.says(text) for text in dict.fromkeys(texts)]
    if 2 * sum(map(bool, labels)) >= len(labels) and not all(map(str.isdecimal, texts)):
        return LABEL
    return UNDECIDED


def _without_twins(columns: Sequence[str]) -> list[str]:
    """Return columns where of two that mean the same the second is open."""
    many = (VALUE, LABEL, LEFT_OUT)
    return [UNDECIDED if name not in many and name in columns[:place] else name for place, name in enumerate(columns)]


def _with_values(columns: list[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns where beside one of measures only those called so hold values; without one it holds labels."""
    if METRIC not in columns:
        return columns
    by_name = [headings.column_of(heading) == VALUE for heading in grid.headings]
    if not any(by_name):
        return [LABEL if name == METRIC else name for name in columns]
    return [UNDECIDED if name == VALUE and not own else name for name, own in zip(columns, by_name, strict=True)]


def _with_numbers(columns: Sequence[str], grid: Grid) -> list[str]:
    """Return columns without values where the only one of numbers that nothing is known of holds them."""
    open_ones = [p for p, name in enumerate(columns) if name == UNDECIDED and "(" not in grid.headings[p]]
    numeric = [place for place in open_ones if are_numbers(grid.texts_of(place))]
    return [VALUE if [place] == numeric else name for place, name in enumerate(columns)]


def _with_levels_across(columns: list[str], grid: Grid, headings: Headings) -> tuple[list[str], Said]:
    """Return columns, and the parameter whose levels head those of values, where the corner of a grid names it."""
    rows_of, columns_of = headings.corner(grid.headings[0]) if VALUE in columns or len(columns) > 1 else ("", "")
    if not rows_of or sum(map(is_number_like, grid.headings)) < 2:
        return columns, {}
    values = [VALUE if is_number_like(text) else LEFT_OUT for text in grid.headings[1:]]
    return [rows_of, *values], {PARAMETER: columns_of}


def _without_computed(columns: Sequence[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns with statistics of others beside them left out."""
    places = [place for place, name in enumerate(columns) if name == VALUE]
    dropped = {places[at] for at in computed_among([headings.says(grid.headings[place]) for place in places])}
    return [LEFT_OUT if place in dropped else name for place, name in enumerate(columns)]


def _with_conditions(meant: _Meant) -> Iterator[str]:
    """Yield columns where one of unknown meaning is a condition, if settings were compared alike in it, or left out."""
    for place, name in enumerate(meant.mapping.columns):
        yield _guess_unknown(meant, place) if name == UNDECIDED else name


def _guess_unknown(meant: _Meant, place: int) -> str:
    heading, texts = meant.grid.headings[place], meant.grid.texts_of(place)
    is_value_missing = VALUE not in meant.mapping.columns and are_numbers(texts)
    if is_value_missing or _is_near_to_needed(heading, meant):
        return UNDECIDED
    is_condition = heading and 1 < len(set(texts)) <= _FEW and _are_compared_alike_in(meant, place)
    return CONDITION if is_condition else LEFT_OUT


def _are_compared_alike_in(meant: _Meant, place: int) -> bool:
    """Tell whether several settings have one text in a column."""
    if len(meant.places_of(VALUE)) > 1:
        return True
    varied = meant.places_of(LABEL, *meant.headings.known.parameters)
    settings: dict[str, set[tuple[str, ...]]] = {}
    for _line, cells in meant.grid.rows:
        settings.setdefault(cells[place], set()).add(tuple(cells[at] for at in varied))
    return any(len(found) > 1 for found in settings.values())


def _is_near_to_needed(heading: str, meant: _Meant) -> bool:
    """Tell whether a heading may be meant as the value or the parameter that no other column holds."""
    parameters = meant.headings.known.parameters
    missing = [] if meant.places_of(VALUE) else [VALUE]
    missing += [] if meant.places_of(LABEL, *parameters) else parameters
    return bool(missing) and bool(nearest(heading, missing, _ALIKE))


def _likely_family(meant: _Meant, families: Families) -> str:
    said = [*meant.values.values(), *meant.labels.values()]
    metrics = {one[METRIC] for one in said if METRIC in one} | {meant.mapping.common_value(METRIC)}

    def known(family: FamilyColumns) -> tuple[int, int]:
        """Return how many of the measures and of the columns it knows."""
        measures = sum(family.metric(metric) is not None for metric in metrics)
        measures += any(metric_of(one, family) for one in said)
        return measures, sum(family.condition(name) is not None for name in meant.named)

    fitting = [family for family in families.values() if all(map(family.parameter, meant.factors))]
    return max(fitting, key=known).family if fitting and meant.factors else ""


def _only_measure(meant: _Meant, family: FamilyColumns | None) -> Said:
    """Return a family's measure where it has one only and nothing tells another."""
    is_said = meant.tells(METRIC) or any({METRIC, UNIT, TIME} & said.keys() for said in meant.values.values())
    return {} if is_said or family is None or len(family.metrics) > 1 else {METRIC: family.metrics[0].name}


def _agreed(meant: _Meant, family: FamilyColumns | None) -> Said:
    """Return measure and unit where the headings of all values say the same and nothing else does."""
    by_labels = _names_in(*_resolved_labels(meant, family)[0].values())
    every = [_resolved(said, family) for said in meant.values.values()]
    open_ones = [name for name in (METRIC, UNIT) if not meant.tells(name) and name not in by_labels]
    told = {name: {said.get(name, "") for said in every} for name in open_ones}
    return {name: text for name, texts in told.items() if len(texts) == 1 for text in texts if text}


# What is still missing, and what may be chosen


def mapping_problems(mapping: ColumnMapping, grid: Grid, families: Families) -> tuple[str, ...]:
    """Return all that keeps a file from being read by a mapping, one sentence each; nothing where it can be read."""
    return tuple(str(problem) for problem, _question in _problems(mapping, grid, families))


def check_mapping(mapping: ColumnMapping, grid: Grid, families: Families) -> None:
    """Raise the first problem of a mapping: a question where there are answers to choose from.

    Raises:
        Asked: a sheet, family or measure is to be chosen.
        BadInput: something else keeps the file from being read.
    """
    if len(grid.sheets) > 1 and not mapping.common_value(SHEET):
        question = question_on(SHEET, _("Sheet"), ((name, _("the table there")) for name in grid.sheets))
        raise Asked(grid.source.at() + ": " + _("several sheets hold a table"), question)
    for problem, asked in _problems(mapping, grid, families):
        sentence = f"{grid.source.at()}: {problem}"
        raise BadInput(sentence) if asked is None else Asked(sentence, asked)


def _problems(mapping: ColumnMapping, grid: Grid, families: Families) -> Iterator[tuple[str, Question | None]]:
    meant = _Meant(grid, mapping, Headings(families))
    parameters = meant.headings.known.parameters
    known = quoted(list(parameters)[:_NAMED]) + ", …"
    near = next(filter(None, (nearest(heading, parameters, _ALIKE) for heading in grid.headings)), "")
    numbers = "" if meant.factors or near else unjudged(grid, meant.headings)
    if numbers:
        yield _("{numbers}. Advice is given on parameters such as {known}").format(numbers=numbers, known=known), None
        return
    for problem in (*_missing(meant, near, known), *_undecided_or_twice(mapping, grid)):
        yield problem, None
    yield from _open_questions(meant, families)


def _open_questions(meant: _Meant, families: Families) -> Iterator[tuple[str, Question]]:
    """Yield that family or measure is not said, with the ones to choose among."""
    if not meant.tells(FAMILY):
        choices = ((family, _("experiment family")) for family in families)
        yield _("which experiment was measured is not said"), question_on(FAMILY, _("Experiment"), choices)
    family = families.get(meant.mapping.common_value(FAMILY))
    if family is not None and meant.values and not _is_measure_told(meant, family):
        count = sum(bool(cells[place]) for _line, cells in meant.grid.rows for place in meant.values)
        sentence = _("{count} values were found, and what they are is not said").format(count=value_text(count))
        offered = family.metrics if len(family.metrics) > 1 else family.judged_by
        yield sentence, question_on(METRIC, _("Measured"), ((metric.name, metric.title) for metric in offered))


def _missing(meant: _Meant, near: str, known: str) -> Iterator[str]:
    """Yield that no column holds values, or none a parameter; `near` is one that a heading nearly names."""
    headings = meant.grid.headings
    present = quoted(map(quotable, headings[:12])) + (", …" if len(headings) > 12 else "")
    if VALUE not in meant.mapping.columns:
        heading = nearest(VALUE, meant.headings_of(UNDECIDED))
        hint = _(' (is "{heading}" meant to be it?)').format(heading=quotable(heading)) if heading else ""
        yield _("no column holds measured values{hint}; present: {present}").format(hint=hint, present=present)
    if not meant.factors:
        hint = _(' (did you mean "{name}"?)').format(name=near) if near else ""
        sentence = _("no column holds a parameter that was varied{hint}, such as {known}; present: {present}")
        yield sentence.format(hint=hint, known=known, present=present)


def _is_measure_told(meant: _Meant, family: FamilyColumns) -> bool:
    """Tell whether it is known of all values which measure of a family they are of."""
    by_headings = all(metric_of(said, family) for said in meant.values.values())
    return meant.tells(METRIC) or by_headings or any(metric_of(said, family) for said in meant.labels.values() if said)


def _undecided_or_twice(mapping: ColumnMapping, grid: Grid) -> Iterator[str]:
    for place, (name, heading) in enumerate(zip(mapping.columns, grid.headings, strict=True), start=1):
        if name == UNDECIDED:
            shown = heading or _("number {place}, without a heading").format(place=place)
            yield _('say what the column "{heading}" holds, or leave it out').format(heading=shown)
    for name in dict.fromkeys(mapping.columns):
        twice = [heading for said, heading in zip(mapping.columns, grid.headings, strict=True) if said == name]
        if len(twice) > 1 and name not in (LEFT_OUT, UNDECIDED, VALUE, LABEL, CONDITION):
            sentence = _('the columns "{first}" and "{second}" mean the same; leave one out')
            yield sentence.format(first=twice[0], second=twice[1])


def column_choices(families: Families) -> tuple[tuple[str, str], ...]:
    """Return the possible meanings of a column, in the order of the list: name, and content in words."""
    known = KnownColumns(families)
    standard = {**NEEDED, **OPTIONAL}
    return (
        *((name, meaning[:1].upper() + meaning[1:]) for name, meaning in standard.items()),
        (LABEL, _("Setting or measure, in words")),
        (CONDITION, _("Condition by its own name")),
        *((name, _("Parameter {name}").format(name=name)) for name in known.parameters),
        *((name, _("Condition {name}").format(name=name)) for name in known.conditions),
    )


# Reading


def read_mapped(grid: Grid, mapping: ColumnMapping, families: Families) -> Table:
    """Return the values of a table, each in a row of its own; errors go on naming the file's own headings.

    Raises:
        BadInput: the mapping lacks something, or has a column twice.
    """
    meant, family = _Meant(grid, mapping, Headings(families)), families.get(mapping.common_value(FAMILY))
    same = _said_of_all(meant)
    values = {place: _resolved(said, family) | same for place, said in meant.values.items()}
    labels, unknown = _resolved_labels(meant, family)
    places = meant.places
    summed = [number for number, cells in grid.rows if not SUMMARIES.isdisjoint(cells)]
    blank = _names_in(*values.values(), *labels.values()) | same
    label_places, rows = meant.places_of(LABEL), list[Row]()
    for number, cells in grid.rows:
        told = [cells[place] for place in label_places]
        if SUMMARIES.isdisjoint(cells) and unknown.isdisjoint(told):
            base = blank | {name: cells[place] for name, place in places.items()}
            for text in told:
                base |= labels.get(text, {})
            rows += _values_of(number, cells, base, values)
    place = next(iter(values)) if len(values) == 1 else -1
    return Table(
        grid,
        dict.fromkeys((*places, *blank), -1) | places | {VALUE: place},
        tuple(rows),
        own=tuple(meant.headings_of(CONDITION)),
        notes=tuple(_notes(meant, unknown, summed)),
    )


def _values_of(number: int, cells: Sequence[str], base: Said, values: Mapping[int, Said]) -> Iterator[Row]:
    """Yield a row for each value that stands side by side with others in one; one alone may be missing."""
    for place, said in values.items():
        if len(values) == 1 or cells[place]:
            yield Row(number, base | said | {VALUE: cells[place]}, place)


def _said_of_all(meant: _Meant) -> Said:
    """Return what holds for all values: common values, and conditions that were given; a column goes first.

    Raises:
        BadInput: there is no such condition.
    """
    mapping, conditions = meant.mapping, meant.headings.known.conditions
    same = {name: mapping.common_value(name) for name in COMMON_VALUES if mapping.common_value(name)}
    for given, text in mapping.same:
        if given.startswith(CONDITION_OF):
            condition = meant.headings.parameter_called(given.removeprefix(CONDITION_OF))
            if condition not in conditions:
                name, known = given.removeprefix(CONDITION_OF), tuple(conditions)
                sentence = _('there is no condition "{name}"{hint}; known are {known}')
                hint = did_you_mean(name, known)
                raise meant.grid.source.refusal(sentence, name=name, hint=hint, known=quoted(known))
            same |= {} if condition in mapping.columns else {condition: text}
    return same


def _resolved(said: Said, family: FamilyColumns | None) -> Said:
    """Return the meaning of a heading by the names of columns: a unit, or a word for time, tells the measure."""
    metric = metric_of(said, family) if family is not None else None
    kept = {name: text for name, text in said.items() if name not in (STATISTIC, TIME, METRIC)}
    return kept | ({METRIC: metric.name} if metric is not None else {})


def _resolved_labels(meant: _Meant, family: FamilyColumns | None) -> tuple[dict[str, Said], set[str]]:
    """Return the meaning of each label, and the labels without one that is known, or with a statistic of others."""
    listed = list(meant.labels)
    computed = {listed[at] for at in computed_among(list(meant.labels.values()))}
    resolved = {text: _resolved(said, family) for text, said in meant.labels.items()}
    return resolved, {text for text, said in resolved.items() if not said or text in computed}


def _notes(meant: _Meant, unknown: Iterable[str], summed: Sequence[int]) -> Iterator[str]:
    """Yield how the table was understood where that could be doubted, and what of it is not read."""
    source, headings = meant.grid.source, meant.headings
    file, left_out = source.name, [heading for heading in meant.headings_of(LEFT_OUT) if heading.strip()]
    computed = [heading for heading in left_out if statistic_of(headings.says(heading))]
    others = [heading for heading in left_out if heading not in computed]
    yield from _named(_("{file}: columns that are worked out from others are left out: {names}"), file, computed)
    yield from _named(_("{file}: columns that are not read: {names}"), file, others)
    yield from _named(_("{file}: rows that are not read: {names}"), file, list(unknown))
    if summed:
        sentence = _("{place}: rows that are worked out from others are left out: {count}")
        yield sentence.format(place=f"{file}, {source.row_name(summed[0])}", count=value_text(len(summed)))
    for heading in meant.headings_of(CONDITION):
        sentence = _('{file}: "{heading}" was taken for a condition: only values alike in it are compared')
        yield sentence.format(file=file, heading=quotable(heading))
    said = [headings.says(heading) for heading in meant.headings_of(VALUE)]
    statistics = dict.fromkeys(one[STATISTIC] for one in said if STATISTIC in one)
    if statistics:
        sentence = _("{file}: values are a {statistic} of runs or samples nobody counts; each is taken for one run")
        yield sentence.format(file=file, statistic=", ".join(statistics))


def _named(sentence: str, file: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the sentence with the first of these names, nothing where there are none."""
    if names:
        more = ", …" if len(names) > _NAMED else ""
        yield sentence.format(file=file, names=quoted(map(quotable, names[:_NAMED])) + more)


def statistics_beside(
    grid: Grid, mapping: ColumnMapping, families: Families
) -> Iterator[tuple[int, tuple[int, ...], str]]:
    """Yield the place of each mean, median, minimum or maximum that is left out, those of its values, and its kind."""
    headings = Headings(families)
    for place, (heading, name) in enumerate(zip(grid.headings, mapping.columns, strict=True)):
        kind, measure = statistic_of(headings.says(heading)), but_for_statistic(headings.says(heading))
        if name == LEFT_OUT and kind in ("mean", "median", "min", "max"):
            values = [at for at, value in enumerate(mapping.columns) if value == VALUE]
            beside = [at for at in values if but_for_statistic(headings.says(grid.headings[at])) == measure]
            yield place, tuple(beside), kind


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
