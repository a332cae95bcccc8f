"""Reading one file of measurements made elsewhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median
from typing import Final, NamedTuple

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.setting import EMPTY_SETTING, Setting, Value, label_text, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, in_sentence, local_number
from app.services.explain.importing.cells import YES, CellReader
from app.services.explain.importing.columns import COMPUTED, Families, KnownColumns, did_you_mean, quoted
from app.services.explain.importing.disagreements import disagreement_notes, point_label
from app.services.explain.importing.experiments import ImportedExperiment, experiments, lonely_measurements
from app.services.explain.importing.guessing import families_for, family_note, guess_mapping
from app.services.explain.importing.mapped import read_mapped, statistics_beside
from app.services.explain.importing.mapping import check_mapping
from app.services.explain.importing.meaning import CONDITION, LEFT_OUT, MOST_NAMED, ColumnMapping, read_raw
from app.services.explain.importing.number_text import NumberStyle, style_of
from app.services.explain.importing.questions import BASELINE, FAMILY, SHEET, TABLES_ARE, Answers, Asked
from app.services.explain.importing.rows import measurements_of, notes_on_runs, read_rows, remarks
from app.services.explain.importing.source_text import SourceText, quotable
from app.services.explain.importing.table import Grid, Table

_DELIMITERS: Final = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs"), "|": _("pipes")}
_STATISTICS: Final[dict[str, Callable[[list[float]], float]]] = {
    "mean": fmean,
    "median": median,
    "min": min,
    "max": max,
}
_FEWEST: Final = 2  # values that a statistic is checked by
_MARKS: Final = {".": _("decimal point"), ",": _("decimal comma")}


@dataclass(frozen=True)
class ImportedFile:
    """Measurements made elsewhere, as one file holds them.

    Attributes:
        measurements: in the file's order; each with all its factors in `setting`, values in the metric's unit.
        notes: what a reader of the results must know, one sentence each.
        layout: how the file is written, in words: kind and encoding, of CSV also delimiter and decimal mark.
        readings: how the first values were read, with their unit, by the place of their column and their text.
        baseline: what the measurements are to be compared with, as it was given; empty where it was not.
        families: what the families accept by which it was read, with one more for a parameter that none knows.
    """

    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...]
    layout: tuple[str, ...]
    readings: Mapping[tuple[int, str], str] = field(default_factory=dict)
    baseline: Setting = EMPTY_SETTING
    families: Families = field(default_factory=dict)


class Preview(NamedTuple):
    """How a file was understood, in words, for a look before its measurements are used.

    Attributes:
        summary: how many measurements, and how the file is written.
        experiments: one sentence for each experiment found.
        notes: of the file.
        readings: as of `ImportedFile`.
        settings: that were measured, each as a baseline is given.
    """

    summary: str
    experiments: tuple[str, ...]
    notes: tuple[str, ...]
    readings: Mapping[tuple[int, str], str]
    settings: tuple[str, ...]


def read_measurements(
    path: Path, families: Families, mapping: ColumnMapping | None = None, answers: Answers | None = None
) -> ImportedFile:
    """Return the measurements of a file: CSV, JSON, a workbook, or a table as tools print it.

    A tidy file needs no mapping: the columns `family`, `metric`, `value`, `unit`, one column for each parameter, named
    as the parameter, and one for each condition. `run` and `block` may be left out: rows are then named by their line,
    and all of them are one block. So may `phase` (explore or confirm): all rows then explore. A value may be a range,
    "45-50"; `sd` and `n` say that it is the mean of n runs with that standard deviation, `computed` (yes) that it
    was worked out from others. Rows of one run and setting are samples, which are averaged. `source`, `note`,
    `reported_elsewhere` (another value the same document gives for the point) and `reported_where` are optional.
    JSON is `{"measurements": [{…}], "notes": […]}` with the same keys, or its list alone. Of any other table the
    meaning of the columns is guessed (`mapping`); what would change the result is asked.

    Args:
        path: of the file.
        families: what the families accept, by family id.
        mapping: what its columns mean; None for a guess.
        answers: what the file leaves open, and what holds for all rows; a mapping may hold them as well.

    Raises:
        Asked: something is open that is not among them.
        BadInput: the file cannot be used; the sentence names file, line and column, and what to do.
    """
    given = dict(answers or {})
    grid = read_raw(path, families, given.get(SHEET) or (mapping.common_value(SHEET) if mapping else ""))
    families = families_for(grid, families)
    meant = guess_mapping(grid, families, given) if mapping is None else mapping.also(given)
    read = read_measured(grid, families, meant)
    is_guessed = mapping is None and not given.get(FAMILY)
    return replace(read, notes=(*read.notes, *family_note(grid, meant, families))) if is_guessed else read


def read_measured(grid: Grid, families: Families, mapping: ColumnMapping) -> ImportedFile:
    """Return the measurements of a table by a mapping of its columns; errors as of `read_measurements`."""
    check_mapping(mapping, grid, families)
    mapping = _with_tables(mapping, grid)
    table, said, columns = read_mapped(grid, mapping, families), dict(mapping.same), KnownColumns(families)
    style = style_of(table, columns.numbers, columns.parameters, said)
    cells = CellReader(table, columns, families, style, said)
    rows = read_rows(table, cells, said, families)
    measurements = measurements_of(table, rows, families)
    return ImportedFile(
        measurements=tuple(measurements),
        notes=(
            *grid.notes,
            *table.notes,
            *notes_on_runs(table, rows, measurements),
            *disagreement_notes(table, rows, families),
            *_wrong_statistics(grid, mapping, families, style),
            *(f"{grid.source.name}: {remark}" for remark in cells.remarks),
            *remarks(table, rows, style),
            *_check_settings(table, measurements, families),
        ),
        layout=_layout(grid, style.mark),
        readings=cells.readings,
        baseline=_baseline(table, said.get(BASELINE, ""), measurements, families),
        families=families,
    )


def _with_tables(mapping: ColumnMapping, grid: Grid) -> ColumnMapping:
    """Return a mapping where tables below each other are runs of one experiment, or apart, as was said.

    Raises:
        Asked: nothing tells them apart, and it is open what they are.
    """
    if not grid.is_untold or mapping.columns[-1] != CONDITION:
        return mapping
    said = dict(mapping.same).get(TABLES_ARE.name)
    if said is None:
        sentence = _("{count} tables have the same headings, and nothing says what differs between them")
        raise Asked(f"{grid.source.at()}: {sentence.format(count=len(set(grid.texts_of(-1))))}", TABLES_ARE)
    return mapping if said == "conditions" else replace(mapping, columns=(*mapping.columns[:-1], LEFT_OUT))


def _wrong_statistics(grid: Grid, mapping: ColumnMapping, families: Families, style: NumberStyle) -> Iterator[str]:
    """Yield the first cell of each statistic that its values do not give, beyond the rounding of its last digit."""
    for place, beside, kind in statistics_beside(grid, mapping, families):
        for line, cells in grid.rows:
            values = [style.parse(cells[at]) for at in beside if cells[at]]
            given, numbers = style.parse(cells[place]), [value for value in values if value is not None]
            if given is None or len(numbers) < len(values) or len(numbers) < _FEWEST:
                continue
            found = _STATISTICS[kind](numbers)
            decimals = len(cells[place].rpartition(style.mark)[2]) if style.mark in cells[place] else 0
            if abs(given - found) > 0.5001 * 10**-decimals:
                sentence = _('{place}: "{cell}" in column "{heading}" is not {found} as the values beside it give')
                yield sentence.format(
                    place=f"{grid.source.name}, {grid.source.row_name(line)}",
                    cell=cells[place],
                    heading=quotable(grid.headings[place]),
                    found=_number(found),
                )
                break


def _baseline(table: Table, text: str, measurements: Sequence[Measurement], families: Families) -> Setting:
    """Return the setting that somebody gave as the baseline, "name=value" each; a part of a measured one suffices."""
    parameters = KnownColumns(families).parameters
    given: dict[str, Value] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _equals, value = map(str.strip, part.partition("="))
        parameter = parameters.get(name)
        if parameter is None:
            sentence = _('the baseline "{part}" names no parameter{hint}; give it as name=value')
            raise table.source.refusal(sentence, part=part, hint=did_you_mean(name, parameters))
        typed = parameter.choice_called(value) if parameter.choices else int(value) if value.isdecimal() else value
        given[name] = parameter.check(typed, table.source.at())
    if given and not any(all(m.setting.get(n) == v for n, v in given.items()) for m in measurements):
        sentence = _("the baseline {baseline} was not measured; measured are {settings}")
        settings = ", ".join(dict.fromkeys(m.setting.text() for m in measurements[:1_000]))
        raise table.source.refusal(sentence, baseline=Setting.from_mapping(given).text(), settings=settings)
    return Setting.from_mapping(given)


def describe(imported: ImportedFile) -> Preview:
    """Return how a file was understood."""
    settings = dict.fromkeys(m.setting for m in imported.measurements)
    return Preview(
        summary=_("{count} measurements ({how})").format(
            count=value_text(len(imported.measurements)), how=", ".join(imported.layout)
        ),
        experiments=tuple(
            _sentence(experiment, imported.families)
            for experiment in experiments(imported.measurements, imported.families)
        ),
        notes=imported.notes,
        readings=imported.readings,
        settings=tuple(", ".join(f"{name}={value}" for name, value in setting.items()) for setting in settings),
    )


def _layout(grid: Grid, decimal_mark: str) -> tuple[str, ...]:
    if grid.sheets:
        return _("workbook"), _('sheet "{name}"').format(name=grid.sheet)
    if grid.source.is_json:
        return "JSON", grid.source.encoding
    if grid.delimiter not in _DELIMITERS:
        return _("text"), grid.source.encoding, _MARKS[decimal_mark]
    return "CSV", grid.source.encoding, _DELIMITERS[grid.delimiter], _MARKS[decimal_mark]


def _sentence(experiment: ImportedExperiment, families: Families) -> str:
    family = families.get(experiment.family)
    metric = None if family is None else family.metric(experiment.metric)
    where = _(" at {conditions}").format(conditions=experiment.conditions.text()) if experiment.conditions else ""
    values = [m.value for m in experiment.measurements]
    return _(
        "{family} · {metric} by {factor}, {settings} settings, {runs} values, {low} to {high} {unit}{where}"
    ).format(
        low=_number(min(values)),
        high=_number(max(values)),
        unit=unit_word(experiment.unit),
        family=(family.title if family is not None else "") or experiment.family,
        metric=experiment.metric if metric is None else in_sentence(metric.title),
        factor=experiment.factor,
        settings=value_text(len({m.setting for m in experiment.measurements})),
        runs=value_text(len(experiment.measurements)),
        where=where,
    )


def _not_compared(source: SourceText, label: str, others: int) -> str:
    more = _(" and {count} more").format(count=others) if others else ""
    sentence = _(
        "{file}: {label}{more} cannot be compared, because no other setting differs in one parameter only "
        "under equal conditions"
    )
    return sentence.format(file=source.name, label=label, more=more)


def _one_setting_only(table: Table, label: str, families: Families) -> BadInput:
    sentence = _("{file} holds one setting only ({label}); add measurements of at least one other setting")
    computed = _computed(table, families)
    if table.unread:
        sentence = _(
            "{file} holds one setting only ({label}), since rows that say {unread} name no known setting; write these "
            "as name=value"
        )
    if computed:
        sentence = _(
            "{file} holds one measured setting only ({label}), since the value of {computed} is computed and left "
            "out; add measurements of at least one other setting"
        )
    return table.source.unusable(
        sentence, label=label, computed=computed, unread=quoted(map(quotable, table.unread[:MOST_NAMED]))
    )


def _computed(table: Table, families: Families) -> str:
    """Return the setting of the first value that was left out as worked out from others, "" for none."""
    computed = [row for row in table.rows if row.cells.get(COMPUTED, "").casefold() in YES]
    if not computed:
        return ""
    names = [name for name in KnownColumns(families).parameters if computed[0].cells.get(name)]
    return ", ".join(f"{name} {value_text(computed[0].cells[name])}" for name in names)


def _number(value: float) -> str:
    return local_number(f"{value:,.6g}")


def _compared(table: Table, measurements: Sequence[Measurement], families: Families) -> list[Measurement]:
    """Return the measurements that settings are compared by; raises BadInput where there are none."""
    main = {(name, metric.name) for name, family in families.items() for metric in family.metrics}
    compared = [m for m in measurements if (m.family, m.metric) in main]
    compared = compared or [m for m in measurements if families[m.family].compares_by(m.metric)]
    if compared:
        return compared
    family = families[measurements[0].family]
    sentence = _("settings of {family} are compared by {metrics}, and the file holds none of these")
    metrics = quoted(metric.name for metric in family.judged_by)
    raise table.source.refusal(sentence, family=family.family, metrics=metrics)


def _check_settings(table: Table, measurements: Sequence[Measurement], families: Families) -> tuple[str, ...]:
    """Return a note where settings can be compared with no other; raises BadInput where none can."""
    source, compared = table.source, _compared(table, measurements, families)
    lonely = lonely_measurements(compared, families)
    if not lonely:
        return ()
    label = label_text(point_label(lonely[0].setting, lonely[0].conditions, families[lonely[0].family]))
    if experiments(compared, families):
        return (_not_compared(source, label, len(lonely) - 1),)
    if len({m.setting for m in compared}) == 1:
        raise _one_setting_only(table, label, families)
    sentence = _(
        "no two settings differ in one parameter under equal conditions, so nothing can be compared; "
        "add measurements that differ from {label} in one parameter"
    )
    raise source.refusal(sentence, label=label)
