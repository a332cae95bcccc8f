"""A measurement file as rows of texts by column, whether it was CSV or JSON."""

from dataclasses import dataclass
from typing import NamedTuple

from app.domain.errors import BadInput
from app.services.explain.importing.source_text import SourceText


class Row(NamedTuple):
    """One row: its line (CSV) or entry (JSON) from 1, and the text in each column, "" where it is empty."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class Table:
    """The rows of a file.

    Attributes:
        source: of the rows.
        headings: as in the file, by the name of the column each was taken for, in the file's order.
        rows: each with a cell for every column.
        delimiter: between the fields of a CSV file; empty for JSON.
        notes: what the file says about itself as a whole.
    """

    source: SourceText
    headings: dict[str, str]
    rows: tuple[Row, ...]
    delimiter: str = ""
    notes: tuple[str, ...] = ()

    def at(self, row: Row, column: str) -> str:
        """Return where a cell stands, as errors say it."""
        return self.source.at(row.number, self.headings[column])

    def refusal(self, row: Row, column: str, sentence: str) -> BadInput:
        """Return the error that says what is wrong with a cell."""
        return BadInput(f"{self.at(row, column)}: {sentence}")

    def place(self, row: int) -> str:
        """Return where a row stands, as notes say it."""
        return f"{self.source.name}, {self.source.row_name(row)}"
