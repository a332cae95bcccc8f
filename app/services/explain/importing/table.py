"""A table as headings and rows of texts, and its values, one in each row."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText, quotable

_NUMBER_BEGINS: Final = re.compile(r"(?:[~≈<>≤≥=+-]*\s*[.,]?|PT?)\d")
TITLE: Final = _("Table")
"""Names what tells tables, or groups of columns, with equal headings apart."""
# What a row of means is called where it holds nothing else.
_SUMMARY: Final = (
    *("average", "avg", "mean", "median", "mittel", "mittelwert", "durchschnitt", "total", "sum", "summe"),
    *("grand total", "grand average", "gesamt", "gesamtergebnis", "gesamtmittelwert", "moyenne", "total général"),
)
_SUBTOTAL: Final = re.compile(
    r"(\S.*)\s(?:average|mean|median|total|sum|mittelwert|durchschnitt|ergebnis|summe|moyenne)", re.IGNORECASE
)
SUMMARIES: Final = frozenset(
    spelt + end
    for word in _SUMMARY
    for spelt in (word, word.upper(), word.capitalize(), word.title())
    for end in ("", ":")
)
"""Cells that name a row which is worked out from others."""
_OF_ALL: Final = re.compile(
    rf"(?:{'|'.join(_SUMMARY)})(?:[\s:(]+(?:of|over|über|von|all|alles|aller?|overall|gesamt|total|the|runs?|läufe?)\b)+\)?",
    re.IGNORECASE,
)
# Words for "no value" that databases and spreadsheets write.
_NO_VALUE: Final = frozenset({"null", "(null)", "n/a", "#n/a", "#div/0!", "na", "-", "–", "—"})
_AS_WRITTEN: Final = frozenset(spelt for word in _NO_VALUE for spelt in (word, word.upper(), word.capitalize()))
HEADINGS_JOINED: Final = " · "
"""Between the upper and the lower heading of one column."""


class Row(NamedTuple):
    """One row: its line (CSV) or entry (JSON) from 1, the text in each column, "" where it is empty, and the place of
    the value's column in the file."""

    number: int
    cells: dict[str, str]
    place: int = -1

    @property
    def says_nothing(self) -> bool:
        """Tell whether any of its cells says that there is no value."""
        return not _AS_WRITTEN.isdisjoint(self.cells.values())

    def without(self, kept: str) -> "Row":
        """Return the row with cells that say so emptied, but for one."""
        return self._replace(cells={n: "" if n != kept and is_no_value(c) else c for n, c in self.cells.items()})

    def line_of(self, column: str) -> str:
        """Return a text of the row on one line, "" where there is none."""
        return " ".join(self.cells.get(column, "").split())


@dataclass(frozen=True)
class Grid:
    """The table of a file as it is written.

    Attributes:
        source: of the rows.
        headings: of all columns; of two rows of headings joined.
        rows: each with its line and a text for each heading.
        delimiter: between the fields of a CSV file; empty for anything else.
        notes: what the file says about itself as a whole, and what stands around the table.
        left_out: lines that are no rows, such as what a tool writes below a table.
        sheet, sheets: of a workbook, the one that was read, and all that hold a table.
        has_titles: several tables with the same headings stand below each other, and the last column holds their titles
            or numbers.
    """

    source: SourceText
    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    delimiter: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    has_titles: bool = False

    @property
    def is_untold(self) -> bool:
        """Tell whether it is made of tables that nothing tells apart but their numbers."""
        return self.has_titles and not any(cells[-1].strip("0123456789") for _line, cells in self.rows)

    @property
    def holds_table(self) -> bool:
        """Tell whether it has several columns, and a number in any of them."""
        return len(self.headings) > 1 and any(has_number(texts) for _line, texts in self.rows)

    @property
    def has_levels_across(self) -> bool:
        """Tell whether headings are levels of a parameter that stands elsewhere."""
        return sum(map(is_number_like, self.headings)) > 1

    def thinned(self, most: int) -> "Grid":
        """Return the table with so many rows that stand evenly through it, or all."""
        return replace(self, rows=self.rows[:: max(1, len(self.rows) // most)])

    def texts_of(self, place: int) -> list[str]:
        """Return the cells of a column that hold something."""
        return [cells[place] for _line, cells in self.rows if cells[place] and not is_no_value(cells[place])]


@dataclass(frozen=True)
class Table:
    """The values of a file, one in each row.

    Attributes:
        grid: it was made of.
        columns: names of the columns each row has a cell for, each with its place in the file, -1 where no column or
            several hold it.
        rows: in the file's order.
        own: columns that are conditions by their own names.
        notes: how the table was understood, one sentence each.
        unread: labels of rows that say nothing that is known.
    """

    grid: Grid
    columns: dict[str, int]
    rows: tuple[Row, ...]
    own: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def source(self) -> SourceText:
        """Of the rows."""
        return self.grid.source

    def heading_of(self, row: Row, column: str) -> str:
        """Return the heading of a cell, as the file has it."""
        place = self.columns.get(column, -1)
        place = row.place if place < 0 else place
        return self.grid.headings[place] if place >= 0 else column

    def at(self, row: Row, column: str) -> str:
        """Return where a cell stands, as errors say it."""
        return self.source.at(row.number, self.heading_of(row, column))

    def refusal(self, row: Row, column: str, sentence: str, /, **words: object) -> BadInput:
        """Return an error on a cell; `{cell}` in the sentence is its text."""
        words.setdefault("cell", quotable(row.cells[column]))
        return self.source.refusal(sentence, row.number, self.heading_of(row, column), **words)

    def place(self, row: int) -> str:
        """Return where a row stands, as notes say it."""
        return f"{self.source.name}, {self.source.row_name(row)}"


def is_summary(cells: Sequence[str]) -> bool:
    """Tell whether a row is worked out from others, as a cell or the first of them says."""
    return not SUMMARIES.isdisjoint(cells) or _OF_ALL.fullmatch(cells[0]) is not None


def is_subtotal(cells: Sequence[str], groups: Container[str]) -> bool:
    """Tell whether a row sums up one of the groups that first cells name, as "sync Average" does."""
    found = _SUBTOTAL.fullmatch(cells[0]) if " " in cells[0] else None
    return found is not None and found[1] in groups


def is_no_value(text: str) -> bool:
    """Tell whether a cell says that there is no value, as NULL does."""
    return text in _AS_WRITTEN


def is_number_like(text: str) -> bool:
    """Tell whether a text begins as a number or a time does."""
    return _NUMBER_BEGINS.match(text) is not None


def has_number(cells: Iterable[str]) -> bool:
    """Tell whether any cell begins as a number does."""
    return any(map(is_number_like, cells))
