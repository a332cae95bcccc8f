"""How a file was understood, in words, for a look before its measurements are used."""

from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Measurement
from app.foundation.texts import _
from app.services.explain.importing.columns import (
    BLOCK,
    NEEDED,
    NOTE,
    OPTIONAL,
    REPORTED_ELSEWHERE,
    REPORTED_WHERE,
    RUN,
    RUNS,
    SD,
    SOURCE,
    VALUE,
)
from app.services.explain.importing.experiments import Families, ImportedExperiment, experiments
from app.services.explain.importing.headings import KnownColumns
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Table

_DELIMITERS: Final = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs")}
_MARKS: Final = {".": _("decimal point"), ",": _("decimal comma")}
# Columns that may hold something else in every row, so that nobody asks how many contents there are.
_OF_EACH_ROW: Final = (RUN, BLOCK, VALUE, SD, RUNS, SOURCE, NOTE, REPORTED_ELSEWHERE, REPORTED_WHERE)


@dataclass(frozen=True)
class PreviewColumn:
    """One column in words.

    Attributes:
        heading: as in the file.
        meaning: what it was taken for, with its unit.
        content: its first content, and how many different ones there are where that is known.
    """

    heading: str
    meaning: str
    content: str


@dataclass(frozen=True)
class ImportedFile:
    """Measurements made elsewhere, as one file holds them.

    Attributes:
        measurements: in the file's order; each with all its factors in `setting`, values in the metric's unit.
        notes: what a reader of the results must know, one sentence each.
        columns: how each column was understood, in the file's order.
        layout: how the file is written, in words: kind and encoding, of CSV also delimiter and decimal mark.
    """

    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...]
    columns: tuple[PreviewColumn, ...]
    layout: tuple[str, ...]


@dataclass(frozen=True)
class Preview:
    """A file in words.

    Attributes:
        summary: how many measurements, and how the file is written.
        columns: in the file's order.
        experiments: one sentence for each experiment found.
        notes: of the file.
    """

    summary: str
    columns: tuple[PreviewColumn, ...]
    experiments: tuple[str, ...]
    notes: tuple[str, ...]


def describe(imported: ImportedFile, families: Families | None = None) -> Preview:
    """Return how a file was understood; `families` as for `experiments`."""
    return Preview(
        summary=_("{count} measurements ({how})").format(
            count=len(imported.measurements), how=", ".join(imported.layout)
        ),
        columns=imported.columns,
        experiments=tuple(_sentence(experiment) for experiment in experiments(imported.measurements, families)),
        notes=imported.notes,
    )


def layout_in_words(table: Table, decimal_mark: str) -> tuple[str, ...]:
    """Return how a file is written."""
    if table.source.is_json:
        return "JSON", table.source.encoding
    return "CSV", table.source.encoding, _DELIMITERS[table.delimiter], _MARKS[decimal_mark]


def columns_in_words(table: Table, columns: KnownColumns) -> tuple[PreviewColumn, ...]:
    """Return how each column of a file was understood."""
    return tuple(
        PreviewColumn(heading, _meaning(name, columns), _content(name, table))
        for name, heading in table.headings.items()
    )


def _meaning(name: str, columns: KnownColumns) -> str:
    """Return what a column was taken for: one of every file, a condition or a parameter, with its unit."""
    standard = {**NEEDED, **OPTIONAL}
    if name in standard:
        return standard[name]
    condition = columns.conditions.get(name)
    template = _("condition {name}") if condition else _("parameter {name}")
    unit = condition.unit if condition else columns.parameters[name].unit
    return ", ".join(filter(None, (template.format(name=name), unit)))


def _content(name: str, table: Table) -> str:
    if name in _OF_EACH_ROW:
        return quotable(table.rows[0].cells[name])
    texts = dict.fromkeys(row.cells[name] for row in table.rows if row.cells[name])
    first = quotable(next(iter(texts), _("empty")))
    return first if len(texts) < 2 else _("{first} and {count} more").format(first=first, count=len(texts) - 1)


def _sentence(experiment: ImportedExperiment) -> str:
    settings = len({m.setting for m in experiment.measurements})
    where = _(" at {conditions}").format(conditions=experiment.conditions.label()) if experiment.conditions else ""
    return _("{family}: {metric} by {factor}, {settings} settings, {runs} values{where}").format(
        family=experiment.family,
        metric=experiment.metric,
        factor=experiment.factor,
        settings=settings,
        runs=len(experiment.measurements),
        where=where,
    )
