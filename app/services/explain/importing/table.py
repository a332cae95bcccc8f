"""A measurement file as rows of texts, whether it was CSV or JSON."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.foundation.texts import _

Row = tuple[int, list[str]]

# Longer cells are cut where a sentence quotes them.
_QUOTED_LENGTH = 40


@dataclass(frozen=True)
class Table:
    """The rows of a file, each with as many cells as there are headings.

    Attributes:
        file: the path as the user gave it.
        headings: as in the file.
        heading_line: line of the headings; 0 where they are keys of JSON.
        delimiter: between the fields of a CSV file; empty for JSON.
        encoding: of the text.
        rows: gives each row with its line (CSV) or entry number from 1 (JSON); may be called more than once.
        notes: what the file says about itself as a whole.
    """

    file: str
    headings: tuple[str, ...]
    heading_line: int
    delimiter: str
    encoding: str
    rows: Callable[[], Iterator[Row]]
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return Path(self.file).name

    def at_row(self, row: int) -> str:
        """Return where a row stands, as errors say it."""
        if self.delimiter:
            return _("{file}, line {row}").format(file=self.file, row=row)
        return _("{file}, entry {row}").format(file=self.file, row=row)

    def at_row_of_name(self, row: int) -> str:
        """Return where a row stands, as notes say it: without folders, because notes are printed in reports."""
        template = _("{name}, line {row}") if self.delimiter else _("{name}, entry {row}")
        return template.format(name=self.name, row=row)

    def at(self, row: int, column: int) -> str:
        """Return where a cell stands, as errors say it."""
        heading = quotable(self.headings[column])
        if self.delimiter:
            return _('{file}, line {row}, column "{heading}"').format(file=self.file, row=row, heading=heading)
        return _('{file}, entry {row}, key "{heading}"').format(file=self.file, row=row, heading=heading)

    def at_headings(self) -> str:
        """Return where the headings stand, as errors say it."""
        return self.at_row(self.heading_line) if self.delimiter else self.file


def quotable(text: str) -> str:
    """Return a text of the file on one line and cut to a length that a sentence can hold."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_LENGTH else line[: _QUOTED_LENGTH - 1] + "…"
