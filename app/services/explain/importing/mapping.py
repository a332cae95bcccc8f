"""The gaps of a mapping of columns, the choices for each, and a file that needs none."""

from collections.abc import Iterator

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
    nearest,
    quoted,
)
from app.services.explain.importing.guessing import near_parameter
from app.services.explain.importing.headings import Headings, metric_of, statistic_of
from app.services.explain.importing.meaning import (
    CONDITION,
    LABEL,
    LEFT_OUT,
    MOST_NAMED,
    UNDECIDED,
    ColumnMapping,
    Meant,
)
from app.services.explain.importing.questions import (
    FAMILY,
    METRIC,
    PARAMETER,
    SHEET,
    UNIT,
    Asked,
    Question,
    question_on,
)
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Grid, is_number_like


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
    meant = Meant(grid, mapping, Headings(families))
    parameters = meant.headings.known.parameters
    texts = {text for _line, cells in grid.rows for text in cells}
    known_of = Headings({name: family for name, family in families.items() if name in texts} or families).known
    known = quoted(list(known_of.parameters)[:MOST_NAMED]) + ", …"
    near = near_parameter(meant)
    if VALUE not in mapping.columns and not mapping.common_value(PARAMETER) and grid.has_levels_across:
        levels = quoted(filter(is_number_like, grid.headings[:MOST_NAMED]))
        sentence = _("the columns {levels} are headed by levels, and of which parameter is not said")
        choices = ((name, _("Parameter {name}").format(name=name)) for name in parameters)
        yield sentence.format(levels=levels), question_on(PARAMETER, _("Parameter in the headings"), choices)
        return
    for problem in (*_missing(meant, near, known), *_undecided_or_twice(mapping, grid)):
        yield problem, None
    yield from _open_questions(meant, families)


def _open_questions(meant: Meant, families: Families) -> Iterator[tuple[str, Question]]:
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


def _missing(meant: Meant, near: str, known: str) -> Iterator[str]:
    """Yield that no column holds values, or none a parameter; `near` is one that a heading nearly names."""
    headings = meant.grid.headings
    present = quoted(map(quotable, headings[:12])) + (", …" if len(headings) > 12 else "")
    if VALUE not in meant.mapping.columns:
        heading = nearest(VALUE, meant.headings_of(UNDECIDED))
        hint = _(' (is "{heading}" meant to be it?)').format(heading=quotable(heading)) if heading else ""
        computed = [text for text in meant.headings_of(LEFT_OUT) if statistic_of(meant.headings.says(text))]
        if computed and not hint:
            sentence = _(' ("{heading}" is worked out from others: give the values behind it)')
            hint = sentence.format(heading=quotable(computed[0]))
        yield _("no column holds measured values{hint}; present: {present}").format(hint=hint, present=present)
    if not meant.factors:
        hint = _(' (did you mean "{name}"?)').format(name=near) if near else ""
        sentence = _("no column holds a parameter that was varied{hint}, such as {known}; present: {present}")
        yield sentence.format(hint=hint, known=known, present=present)


def _is_measure_told(meant: Meant, family: FamilyColumns) -> bool:
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
    if RUN in mapping.columns:
        yield from _two_values_of_a_run(mapping, grid)


def _two_values_of_a_run(mapping: ColumnMapping, grid: Grid) -> Iterator[str]:
    """Yield a heading that stands over two columns of other values, where each row is a run, which has one value."""
    seen: dict[str, list[str]] = {}
    for place, (name, heading) in enumerate(zip(mapping.columns, grid.headings, strict=True)):
        if name == VALUE and heading and grid.texts_of(place) != seen.setdefault(heading, grid.texts_of(place)):
            sentence = _('two columns are headed "{heading}", and each row is one run; rename one, or leave it out')
            yield sentence.format(heading=quotable(heading))


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
