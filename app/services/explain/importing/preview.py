"""How a file was understood, in words, for a look before its measurements are used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.foundation.texts import _
from app.services.explain.importing.columns import (
    BLOCK,
    FAMILY,
    METRIC,
    NOTE,
    PHASE,
    REPORTED_ELSEWHERE,
    REPORTED_WHERE,
    RUN,
    SOURCE,
    UNIT,
    VALUE,
    ColumnRole,
    FamilyColumns,
)
from app.services.explain.importing.experiments import ImportedExperiment, experiments
from app.services.explain.importing.imported import ColumnUse, ImportedFile

_MEANINGS: Final = {
    FAMILY: _("experiment family"),
    RUN: _("name of the run"),
    BLOCK: _("block of runs taken close together"),
    PHASE: _("exploring or confirming"),
    METRIC: _("what was measured"),
    VALUE: _("measured value"),
    UNIT: _("unit of the value"),
    SOURCE: _("where the value comes from"),
    NOTE: _("remark"),
    REPORTED_ELSEWHERE: _("another value the same document gives"),
    REPORTED_WHERE: _("where it gives that other value"),
}
_DELIMITERS: Final = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs")}
_MARKS: Final = {".": _("decimal point"), ",": _("decimal comma")}


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


def describe(imported: ImportedFile, families: Mapping[str, FamilyColumns] | None = None) -> Preview:
    """Return how a file was understood; `families` as for `experiments`."""
    return Preview(
        summary=_summary(imported),
        columns=tuple(PreviewColumn(use.heading, _meaning(use), _content(use)) for use in imported.columns),
        experiments=tuple(_sentence(found) for found in experiments(imported.measurements, families)),
        notes=imported.notes,
    )


def _summary(imported: ImportedFile) -> str:
    layout = imported.layout
    how = [layout.kind, layout.encoding]
    if layout.delimiter:
        how += [_DELIMITERS[layout.delimiter], _MARKS[layout.decimal_mark]]
    return _("{count} measurements ({how})").format(count=len(imported.measurements), how=", ".join(how))


def _meaning(use: ColumnUse) -> str:
    if use.role is ColumnRole.FACTOR:
        meaning = _("parameter {name}").format(name=use.name)
        return f"{meaning}, {use.unit}" if use.unit else meaning
    if use.role is ColumnRole.CONDITION:
        meaning = _("condition {name}").format(name=use.name)
        return f"{meaning}, {use.unit}" if use.unit else meaning
    return _MEANINGS[use.name]


def _content(use: ColumnUse) -> str:
    if not use.first:
        return _("empty") if use.distinct == 0 else ""
    if use.distinct is None or use.distinct == 1:
        return use.first
    return _("{first} and {count} more").format(first=use.first, count=use.distinct - 1)


def _sentence(found: ImportedExperiment) -> str:
    settings = len({m.setting for m in found.measurements})
    where = _(" at {conditions}").format(conditions=found.conditions.label()) if found.conditions else ""
    return _("{family}: {metric} by {factor}, {settings} settings, {runs} values{where}").format(
        family=found.family,
        metric=found.metric,
        factor=found.factor,
        settings=settings,
        runs=len(found.measurements),
        where=where,
    )
