"""Titles of tables below each other under equal headings.

Two such tables are seldom repeats of one experiment: "Before" and "After", or "1 stream" and "8 streams", are
conditions or settings, whose values must not be averaged. Their titles become a column; where nothing tells the tables
apart, their numbers do.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from app.services.explain.importing.table import HEADINGS_JOINED, TITLE, Grid

_PAGE: Final = re.compile(r"\b(?:page|seite)\W+\d|^\W*\d+\W+(?:of|von)\W+\d+\W*$", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(
    r"\*(?!\*)|†|\(?\d\)|(?:notes?|hinweise?|anm\w*|sources?|quellen?|legend\w*)\b", re.IGNORECASE
)
_MARKUP: Final = " \t#*_=:-"


class Titles:
    """The lines between the rows of a table, one after the other.

    Args:
        above: lines above its headings.

    Attributes:
        are_open: something was said since the last row.
        remarks, others: the texts, and the lines without one.
    """

    def __init__(self, above: Sequence[tuple[int, str]]) -> None:
        self._lines = list(above)
        self._is_again = False
        self._begun: list[tuple[int, str]] = []
        self.are_open = True
        self.remarks: list[str] = []
        self.others: list[int] = []

    def take(self, line: int, text: str, *, is_again: bool) -> None:
        """Take a line that is no row: a text, the headings once more, or something a tool writes."""
        if text:
            self._lines.append((line, text))
            self.remarks.append(text)
        else:
            self.others.append(line)
        self._is_again = self._is_again or is_again
        self.are_open = self.are_open or is_again or bool(text)

    def go_on(self, row: int) -> None:
        """Take the number of the next row; it begins another table where a title or headings stand before it."""
        title = _title_of(self._lines)
        is_page = any(_PAGE.search(text) for _line, text in self._lines)
        is_same = is_page and bool(self._begun) and title in ("", self._begun[-1][1])
        if not self._begun or ((title or self._is_again) and not is_same):
            self._begun.append((row, title))
        self._lines, self._is_again, self.are_open = [], False, False

    def in_column(self, grid: Grid) -> Grid:
        """Return the table with a column of the titles, as it is where it is one table."""
        if len(self._begun) < 2:
            return grid
        begins, named = map(list, zip(*self._begun, strict=True))
        if len(set(named)) < 2:
            named = list(map(str, range(1, len(named) + 1)))
        rows = tuple(
            (line, (*cells, name))
            for name, (begin, end) in zip(named, pairwise([*begins, len(grid.rows)]), strict=True)
            for line, cells in grid.rows[begin:end]
        )
        said = {line for name in named for line in name.split(HEADINGS_JOINED)}
        notes = tuple(note for note in grid.notes if note.strip(_MARKUP) not in said)
        return replace(grid, headings=(*grid.headings, TITLE), rows=rows, notes=notes, has_titles=True)


def _title_of(lines: Sequence[tuple[int, str]]) -> str:
    """Return the title that lines above a table end with, up to an empty line; "" for none."""
    said = [(line, text) for line, text in lines if not _PAGE.search(text) and not _FOOTNOTE.match(text)]
    begin = next((at for at in range(len(said) - 1, 0, -1) if said[at][0] > said[at - 1][0] + 1), 0)
    return HEADINGS_JOINED.join(text.strip(_MARKUP) for _line, text in said[begin:])
