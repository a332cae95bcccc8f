"""How a file was understood, in words, for a look before its measurements are used."""

from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Measurement
from app.foundation.texts import _
from app.services.explain.importing.experiments import Families, ImportedExperiment, experiments
from app.services.explain.importing.table import Table

_DELIMITERS: Final = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs")}
_MARKS: Final = {".": _("decimal point"), ",": _("decimal comma")}


@dataclass(frozen=True)
class ImportedFile:
    """Measurements made elsewhere, as one file holds them.

    Attributes:
        measurements: in the file's order; each with all its factors in `setting`, values in the metric's unit.
        notes: what a reader of the results must know, one sentence each.
        layout: how the file is written, in words: kind and encoding, of CSV also delimiter and decimal mark.
    """

    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...]
    layout: tuple[str, ...]


@dataclass(frozen=True)
class Preview:
    """A file in words.

    Attributes:
        summary: how many measurements, and how the file is written.
        experiments: one sentence for each experiment found.
        notes: of the file.
    """

    summary: str
    experiments: tuple[str, ...]
    notes: tuple[str, ...]


def describe(imported: ImportedFile, families: Families | None = None) -> Preview:
    """Return how a file was understood; `families` as for `experiments`."""
    return Preview(
        summary=_("{count} measurements ({how})").format(
            count=len(imported.measurements), how=", ".join(imported.layout)
        ),
        experiments=tuple(_sentence(experiment) for experiment in experiments(imported.measurements, families)),
        notes=imported.notes,
    )


def layout_in_words(table: Table, decimal_mark: str) -> tuple[str, ...]:
    """Return how a file is written."""
    if table.source.is_json:
        return "JSON", table.source.encoding
    return "CSV", table.source.encoding, _DELIMITERS[table.delimiter], _MARKS[decimal_mark]


def _sentence(experiment: ImportedExperiment) -> str:
    settings = len({m.setting for m in experiment.measurements})
    where = _(" at {conditions}").format(conditions=experiment.conditions.text()) if experiment.conditions else ""
    return _("{family}: {metric} by {factor}, {settings} settings, {runs} values{where}").format(
        family=experiment.family,
        metric=experiment.metric,
        factor=experiment.factor,
        settings=settings,
        runs=len(experiment.measurements),
        where=where,
    )
