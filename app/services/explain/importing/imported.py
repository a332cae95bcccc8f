"""What comes out of a measurement file."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.measurement import Measurement
from app.services.explain.importing.columns import ColumnRole


@dataclass(frozen=True)
class ColumnUse:
    """How one column of a file was understood.

    Attributes:
        heading: as in the file.
        name: the column it was taken for; for a factor the vendor's parameter name.
        unit: what its numbers count; empty for texts, and for `value`, whose unit stands in each row.
        first: its first content, empty where the whole column is.
        distinct: how many different contents it has; None for a column whose contents are counted by nobody.
    """

    heading: str
    role: ColumnRole
    name: str
    unit: str
    first: str
    distinct: int | None


@dataclass(frozen=True)
class FileLayout:
    """How a file is written.

    Attributes:
        kind: "CSV" or "JSON".
        encoding: name of the text encoding.
        delimiter: between fields, empty for JSON.
        decimal_mark: "." or ",".
    """

    kind: str
    encoding: str
    delimiter: str
    decimal_mark: str


@dataclass(frozen=True)
class ImportedFile:
    """Measurements made elsewhere, as one file holds them.

    Attributes:
        path: of the file.
        measurements: in the file's order; each with all its factors in `setting`, values in the metric's unit.
        notes: what a reader of the results must know, one sentence each.
        columns: how each column was understood, in the file's order.
        sources: distinct contents of the column `source`.
        layout: how the file is written.
    """

    path: Path
    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...]
    columns: tuple[ColumnUse, ...]
    sources: tuple[str, ...]
    layout: FileLayout
