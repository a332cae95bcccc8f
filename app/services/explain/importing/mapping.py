"""The meaning of the columns of somebody's table: a guess, open questions, and the table's values by that mapping.

A table need not have one value in each row. Runs, settings and measures may stand side by side, as may measures or
settings below each other: each value then is of what its column's heading and its row's label say together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
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


# Guessing


def guess_mapping(grid: Grid, families: Families, same: Mapping[str, str] | None = None) -> ColumnMapping:
    """Return a guess at the meaning of a file's columns; one whose meaning would change the result is left UNDECIDED.

    Family, measure and unit are said once where no column says them. The family is the one that has all the parameters
    there are columns for; of several that have them, the one that knows most of the other columns, or else the first.

    Args:
        same: what is known to hold for all rows.
    """
    headings, given, grid = Headings(families), dict(same or {}), grid.thinned(_GUESSED_FROM)
    columns = [_guess_column(heading, grid.texts_of(place), headings) for place, heading in enumerate(grid.headings)]
    columns = _without_twins(columns, grid)
    if VALUE in columns and METRIC in columns:
        by_name = [headings.column_of(heading) == VALUE for heading in grid.headings]
        if any(by_name):
            columns = [UNDECIDED if n == VALUE and not own else n for n, own in zip(columns, by_name, strict=True)]
        else:
            columns = [LABEL if name == METRIC else name for name in columns]
    if VALUE not in columns:
        open_ones = [p for p, n in enumerate(columns) if n == UNDECIDED and "(" not in grid.headings[p]]
        numeric = [place for place in open_ones if are_numbers(grid.texts_of(place))]
        columns = [VALUE if [place] == numeric else name for place, name in enumerate(columns)]
    rows_of, columns_of = headings.corner(grid.headings[0]) if VALUE in columns or len(columns) > 1 else ("", "")
    if rows_of and sum(map(is_number_like, grid.headings)) > 1:
        columns = [rows_of, *(VALUE if is_number_like(text) else LEFT_OUT for text in grid.headings[1:])]
        given |= {PARAMETER: columns_of}
    columns = _without_computed(columns, grid, headings)
    mapping = ColumnMapping(tuple(columns)).also(given)
    family = given.get(FAMILY) or _likely_family(mapping, grid, headings, families)
    mapping = mapping.also({FAMILY: family} if family and FAMILY not in columns else {})
    mapping = replace(mapping, columns=tuple(_with_conditions(mapping, grid, headings)))
    mapping = mapping.also(_agreed(mapping, grid, headings, families.get(family or "")))
    is_said = any(map(_says_measure, _said_by_values(mapping, grid, headings).values())) or METRIC in {*columns, *given}
    if family in families and len(families[family].metrics) == 1 and not is_said:
        mapping = mapping.also({METRIC: families[family].metrics[0].name})
    return mapping


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


def _without_twins(columns: Sequence[str], grid: Grid) -> list[str]:
    """Return columns where of two that mean the same the second is open."""
    many = (VALUE, LABEL, LEFT_OUT)
    return [UNDECIDED if name not in many and name in columns[:place] else name for place, name in enumerate(columns)]


def _without_computed(columns: Sequence[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns with statistics of others beside them left out."""
    places = [place for place, name in enumerate(columns) if name == VALUE]
    dropped = {places[at] for at in computed_among([headings.says(grid.headings[place]) for place in places])}
    return [LEFT_OUT if place in dropped else name for place, name in enumerate(columns)]


def _with_conditions(mapping: ColumnMapping, grid: Grid, headings: Headings) -> Iterator[str]:
    """Yield columns where one of unknown meaning is a condition, if settings were compared alike in it, or left out."""
    known = headings.known.parameters
    varied = [place for place, name in enumerate(mapping.columns) if name in known or name == LABEL]
    is_wide = sum(name == VALUE for name in mapping.columns) > 1
    for place, name in enumerate(mapping.columns):
        if name != UNDECIDED:
            yield name
            continue
        heading = grid.headings[place]
        texts = set(grid.texts_of(place))
        settings: dict[str, set[tuple[str, ...]]] = {}
        for _line, cells in grid.rows:
            settings.setdefault(cells[place], set()).add(tuple(cells[at] for at in varied))
        compared = is_wide or any(len(found) > 1 for found in settings.values())
        is_value_missing = VALUE not in mapping.columns and are_numbers(grid.texts_of(place))
        if is_value_missing or is_near_to_needed(heading, mapping, headings):
            yield UNDECIDED
        else:
            yield CONDITION if heading and 1 < len(texts) <= _FEW and compared else LEFT_OUT


def is_near_to_needed(heading: str, mapping: ColumnMapping, headings: Headings) -> bool:
    """Tell whether a heading may be meant as the value or the parameter that no other column holds."""
    has_parameter = not headings.known.parameters.keys().isdisjoint(mapping.columns) or LABEL in mapping.columns
    missing = ([] if VALUE in mapping.columns else [VALUE]) + ([] if has_parameter else [*headings.known.parameters])
    return bool(missing) and bool(nearest(heading, missing, _ALIKE))


def _likely_family(mapping: ColumnMapping, grid: Grid, headings: Headings, families: Families) -> str:
    said = [*_said_by_values(mapping, grid, headings).values(), *_labels(mapping, grid, headings)]
    named = {*mapping.columns, *(name for one in said for name in one), mapping.common_value(PARAMETER)}
    factors = named & headings.known.parameters.keys()
    metrics = {one[METRIC] for one in said if METRIC in one} | {mapping.common_value(METRIC)} - {""}
    fitting = [family for family in families.values() if factors and all(map(family.parameter, factors))]
    scores = [
        (
            sum(family.metric(metric) is not None for metric in metrics) + any(metric_of(s, family) for s in said),
            sum(family.condition(name) is not None for name in named),
        )
        for family in fitting
    ]
    return fitting[scores.index(max(scores))].family if fitting else ""


def _said_by_values(mapping: ColumnMapping, grid: Grid, headings: Headings) -> dict[int, Said]:
    """Return the meaning of the heading of each column of values, by its place."""
    parameter = mapping.common_value(PARAMETER)
    return {
        place: {parameter: grid.headings[place]}
        if parameter and is_number_like(grid.headings[place])
        else dict(headings.says(grid.headings[place]))
        for place, name in enumerate(mapping.columns)
        if name == VALUE
    }


def _agreed(mapping: ColumnMapping, grid: Grid, headings: Headings, family: FamilyColumns | None) -> Said:
    """Return measure and unit where the headings of all values say the same and nothing else does."""
    labels = _resolved_labels(mapping, grid, headings, family)[0].values()
    every = [_resolved(said, family) for said in _said_by_values(mapping, grid, headings).values()]
    open_ones = [name for name in (METRIC, UNIT) if name not in mapping.columns and not mapping.common_value(name)]
    return {
        name: texts.pop()
        for name in open_ones
        if len(texts := {said.get(name, "") for said in every}) == 1
        and texts != {""}
        and not any(name in said for said in labels)
    }


def _says_measure(said: Said) -> bool:
    return not said.keys().isdisjoint((METRIC, UNIT, TIME))


def _labels(mapping: ColumnMapping, grid: Grid, headings: Headings) -> list[Said]:
    texts = dict.fromkeys(t for p, name in enumerate(mapping.columns) if name == LABEL for t in grid.texts_of(p))
    return [headings.says(text) for text in texts]


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
    headings = Headings(families)
    present = quoted(map(quotable, grid.headings[:12])) + (", …" if len(grid.headings) > 12 else "")
    said = _said_by_values(mapping, grid, headings)
    names = {*mapping.columns, *(n for one in (*said.values(), *_labels(mapping, grid, headings)) for n in one)}
    is_varied = bool((names | {mapping.common_value(PARAMETER)}) & headings.known.parameters.keys())
    near = next(filter(None, (nearest(h, headings.known.parameters, _ALIKE) for h in grid.headings)), "")
    known = quoted(list(headings.known.parameters)[:_NAMED]) + ", …"
    numbers = "" if is_varied or near else unjudged(grid, headings)
    if numbers:
        yield _("{numbers}. Advice is given on parameters such as {known}").format(numbers=numbers, known=known), None
        return
    if VALUE not in mapping.columns:
        meant = nearest(VALUE, [h for h, n in zip(grid.headings, mapping.columns, strict=True) if n == UNDECIDED])
        hint = _(' (is "{heading}" meant to be it?)').format(heading=quotable(meant)) if meant else ""
        yield _("no column holds measured values{hint}; present: {present}").format(hint=hint, present=present), None
    if not is_varied:
        hint = _(' (did you mean "{name}"?)').format(name=near) if near else ""
        sentence = _("no column holds a parameter that was varied{hint}, such as {known}; present: {present}")
        yield sentence.format(hint=hint, known=known, present=present), None
    for problem in _undecided_or_twice(mapping, grid):
        yield problem, None
    if FAMILY not in mapping.columns and not mapping.common_value(FAMILY):
        choices = ((family, _("experiment family")) for family in families)
        yield _("which experiment was measured is not said"), question_on(FAMILY, _("Experiment"), choices)
    family = families.get(mapping.common_value(FAMILY))
    if family is None or METRIC in mapping.columns or mapping.common_value(METRIC) or VALUE not in mapping.columns:
        return
    labels = [one for one in _labels(mapping, grid, headings) if one]
    is_told = all(metric_of(one, family) for one in said.values()) or any(metric_of(one, family) for one in labels)
    if not is_told:
        count = sum(bool(cells[place]) for _line, cells in grid.rows for place in said)
        sentence = _("{count} values were found, and what they are is not said").format(count=count)
        offered = family.metrics if len(family.metrics) > 1 else family.judged_by
        yield sentence, question_on(METRIC, _("Measured"), ((metric.name, metric.title) for metric in offered))


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
    headings, family = Headings(families), families.get(mapping.common_value(FAMILY))
    conditions = _conditions_of_all(mapping, grid, headings)
    same = {n: mapping.common_value(n) for n in COMMON_VALUES if mapping.common_value(n)} | conditions
    values = {place: _resolved(said, family) for place, said in _said_by_values(mapping, grid, headings).items()}
    labels, unknown = _resolved_labels(mapping, grid, headings, family)
    places = {
        grid.headings[place] if name == CONDITION else name: place
        for place, name in enumerate(mapping.columns)
        if name not in (LEFT_OUT, UNDECIDED, LABEL, VALUE)
    }
    own = tuple(grid.headings[place] for place, name in enumerate(mapping.columns) if name == CONDITION)
    said_names = dict.fromkeys(n for one in (*values.values(), *labels.values()) for n in one)
    blank = dict.fromkeys(said_names, "") | same
    label_places = [place for place, name in enumerate(mapping.columns) if name == LABEL]
    rows: list[Row] = []
    summed: list[int] = []
    for number, cells in grid.rows:
        if not SUMMARIES.isdisjoint(cells):
            summed.append(number)
            continue
        if label_places and any(cells[place] in unknown for place in label_places):
            continue
        base = blank | {name: cells[place] for name, place in places.items()}
        for place in label_places:
            base |= labels.get(cells[place], {})
        rows += [
            Row(number, base | said | same | {VALUE: cells[place]}, place)
            for place, said in values.items()
            if len(values) == 1 or cells[place]
        ]
    table_columns = (*places, *said_names, *same, VALUE)
    return Table(
        grid,
        dict.fromkeys(table_columns, -1) | places | ({VALUE: next(iter(values))} if len(values) == 1 else {}),
        tuple(rows),
        own=own,
        notes=tuple(_notes(mapping, grid, headings, families, (unknown, summed))),
    )


def _conditions_of_all(mapping: ColumnMapping, grid: Grid, headings: Headings) -> Said:
    """Return the conditions that were given for all rows, by their names; a column goes first.

    Raises:
        BadInput: there is no such condition.
    """
    given = {n.removeprefix(CONDITION_OF): text for n, text in mapping.same if n.startswith(CONDITION_OF)}
    known = {name: headings.parameter_called(name) for name in given}
    for name, condition in known.items():
        if condition not in headings.known.conditions:
            names = tuple(headings.known.conditions)
            sentence = _('there is no condition "{name}"{hint}; known are {known}')
            raise grid.source.refusal(sentence, name=name, hint=did_you_mean(name, names), known=quoted(names))
    return {known[name]: text for name, text in given.items() if known[name] not in mapping.columns}


def _resolved(said: Said, family: FamilyColumns | None) -> Said:
    """Return the meaning of a heading by the names of columns: a unit, or a word for time, tells the measure."""
    metric = metric_of(said, family) if family is not None else None
    kept = {name: text for name, text in said.items() if name not in (STATISTIC, TIME, METRIC)}
    return kept | ({METRIC: metric.name} if metric is not None else {})


def _resolved_labels(
    mapping: ColumnMapping, grid: Grid, headings: Headings, family: FamilyColumns | None
) -> tuple[dict[str, Said], set[str]]:
    """Return the meaning of each label, and the labels without one that is known, or with a statistic of others."""
    texts = dict.fromkeys(t for p, name in enumerate(mapping.columns) if name == LABEL for t in grid.texts_of(p))
    said = {text: headings.says(text) for text in texts}
    listed = list(said)
    computed = {listed[at] for at in computed_among([said[text] for text in listed])}
    resolved = {text: _resolved(one, family) for text, one in said.items()}
    return resolved, {text for text, one in resolved.items() if not one or text in computed}


def _notes(
    mapping: ColumnMapping, grid: Grid, headings: Headings, families: Families, rows: tuple[set[str], list[int]]
) -> Iterator[str]:
    """Yield how the table was understood where that could be doubted, and what of it is not read."""
    file, (unknown, summed) = grid.source.name, rows
    left_out = [h for h, n in zip(grid.headings, mapping.columns, strict=True) if n == LEFT_OUT and h.strip()]
    computed = [heading for heading in left_out if statistic_of(headings.says(heading))]
    others = [heading for heading in left_out if heading not in computed]
    told = (
        (computed, _("{file}: columns that are worked out from others are left out: {names}")),
        (others, _("{file}: columns that are not read: {names}")),
        (list(unknown), _("{file}: rows that are not read: {names}")),
    )
    for names, sentence in told:
        if names:
            more = ", …" if len(names) > _NAMED else ""
            yield sentence.format(file=file, names=quoted(map(quotable, names[:_NAMED])) + more)
    if summed:
        sentence = _("{place}: rows that are worked out from others are left out: {count}")
        yield sentence.format(place=f"{file}, {grid.source.row_name(summed[0])}", count=len(summed))
    for heading, name in zip(grid.headings, mapping.columns, strict=True):
        if name == CONDITION:
            sentence = _('{file}: "{heading}" was taken for a condition: only values alike in it are compared')
            yield sentence.format(file=file, heading=quotable(heading))
    statistics = dict.fromkeys(
        headings.says(heading)[STATISTIC]
        for heading, name in zip(grid.headings, mapping.columns, strict=True)
        if name == VALUE and STATISTIC in headings.says(heading)
    )
    if statistics:
        sentence = _("{file}: values are a {statistic} of runs or samples nobody counts; each is taken for one run")
        yield sentence.format(file=file, statistic=", ".join(statistics))


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
