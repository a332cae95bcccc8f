"""Numbers as people and spreadsheets write them: decimal point or comma, with or without thousands separators.

One file has one decimal mark. It is settled by the first number that can be read in one way only (`6.86`, `1.234.567`,
`1.234,5`); where there is none, by the delimiter, since Excel writes commas between fields where the decimal mark is a
point and semicolons where it is a comma. What remains, such as `1.234` in a file with semicolons, is refused among few
numbers; among many that all have three digits there, it is the decimal mark of a program, and a note says so.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.table import Table, quotable

_POINT: Final = "."
_COMMA: Final = ","
# Where no number among so many rows settles the mark and none speaks against the usual one, the usual one it is; a
# later number written otherwise is refused.
_ENOUGH_ROWS: Final = 10_000
# So many numbers, all with three digits after their only mark, were written by a program with three decimals.
_ENOUGH_ALIKE: Final = 10
_OTHER: Final = {_POINT: _COMMA, _COMMA: _POINT}
_MARK_BY_DELIMITER: Final = {",": _POINT, ";": _COMMA, "": _POINT}

# Thousands separators that are never a decimal mark: spaces, also the unbreakable ones, and apostrophes.
_GAP: Final = " \u00a0\u202f'’"
_LIKE_A_NUMBER: Final = re.compile(rf"[+-]?[\d.,{_GAP}]+(?:[eE][+-]?\d+)?", re.ASCII)
_TWO_WAYS: Final = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)


def _grammar(mark: str) -> re.Pattern[str]:
    """Return what a number looks like with this decimal mark: groups of three, or none, one kind of separator."""
    point, group = re.escape(mark), re.escape(_OTHER[mark])
    whole = rf"\d+|[1-9]\d{{0,2}}(?P<gap>[{group}{_GAP}])\d{{3}}(?:(?P=gap)\d{{3}})*"
    return re.compile(rf"[+-]?(?:(?:{whole})(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?", re.ASCII)


_GRAMMARS: Final = {mark: _grammar(mark) for mark in (_POINT, _COMMA)}


def _quick_point(cell: str) -> float:
    # 1_000 is a number to Python only.
    try:
        return float(cell) if "_" not in cell else math.nan
    except ValueError:
        return math.nan


def _quick_comma(cell: str) -> float:
    return math.nan if _POINT in cell else _quick_point(cell.replace(_COMMA, _POINT, 1))


@dataclass(frozen=True)
class NumberStyle:
    """How one file writes its numbers.

    Attributes:
        mark: the decimal mark, "." or ",".
        settled_at, settled_by: line and text of the number that settled it; line 0 where the delimiter did.
        is_assumed: nothing settled it; that number could also be read in another way.
    """

    mark: str
    settled_at: int = 0
    settled_by: str = ""
    is_assumed: bool = False

    def parse(self, cell: str) -> float | None:
        """Return the number a cell holds, None where it holds none in this style; may be infinite."""
        number = self.quick()(cell)
        return number if not math.isnan(number) else self._parse_grouped(cell.strip())

    def quick(self) -> Callable[[str], float]:
        """Return a function that gives the number of most cells, and NaN for those only `parse` can tell."""
        return _quick_point if self.mark == _POINT else _quick_comma

    def has_groups(self, cell: str) -> bool:
        """Return whether a number is written with thousands separators that another reader may take as decimal."""
        return _OTHER[self.mark] in cell

    def why_not(self, cell: str) -> str:
        """Return why a cell holds no number in this style, as the second half of a sentence."""
        text = quotable(cell)
        if shown_mark(cell.strip()) in (None, self.mark) and (self.settled_at or _OTHER[self.mark] not in cell):
            return _('"{cell}" is not a number; write digits only, without a unit').format(cell=text)
        if not self.settled_at:
            return _(
                '"{cell}" does not have the decimal mark "{mark}" of the file; write it with that mark only'
            ).format(cell=text, mark=self.mark)
        return _(
            '"{cell}" has another decimal mark than "{first}" in line {row}; '
            "use either the point or the comma throughout"
        ).format(cell=text, first=quotable(self.settled_by), row=self.settled_at)

    def _parse_grouped(self, text: str) -> float | None:
        if not _GRAMMARS[self.mark].fullmatch(text) or (_OTHER[self.mark] in text and not self.settled_at):
            return None
        for char in _OTHER[self.mark] + _GAP:
            text = text.replace(char, "")
        return float(text.replace(self.mark, _POINT))


def shown_mark(text: str) -> str | None:
    """Return the decimal mark a number shows beyond doubt, None where it shows none or could be read in two ways."""
    points, commas = text.count(_POINT), text.count(_COMMA)
    if not points + commas or not _LIKE_A_NUMBER.fullmatch(text):
        return None
    if points and commas:
        last = max(_POINT, _COMMA, key=text.rfind)
        return last if _GRAMMARS[last].fullmatch(text) else None
    mark = _POINT if points else _COMMA
    if points + commas > 1:
        return _OTHER[mark] if _GRAMMARS[_OTHER[mark]].fullmatch(text) else None
    return None if _TWO_WAYS.fullmatch(text) else mark


def style_of(table: Table, columns: Sequence[int]) -> NumberStyle:
    """Return how a file writes the numbers of the given columns.

    Raises:
        BadInput: a number can be read in two ways, and neither another number nor the delimiter settles which.
    """
    if not table.delimiter:
        return NumberStyle(_POINT)
    doubtful: dict[str, tuple[int, int, str]] = {}
    alike = 0
    usual = _MARK_BY_DELIMITER.get(table.delimiter)
    for count, (row, cells) in enumerate(table.rows()):
        if count >= _ENOUGH_ROWS and usual and set(doubtful) <= {usual}:
            break
        for column, cell in _marked(cells, columns):
            mark = shown_mark(cell)
            if mark:
                return NumberStyle(mark, row, cell)
            if _TWO_WAYS.fullmatch(cell):
                doubtful.setdefault(_POINT if _POINT in cell else _COMMA, (row, column, cell))
                alike += 1
    if len(doubtful) == 1 and usual not in doubtful and alike >= _ENOUGH_ALIKE:
        ((mark, (row, _column, cell)),) = doubtful.items()
        return NumberStyle(mark, row, cell, is_assumed=True)
    for mark, (row, column, cell) in doubtful.items():
        if mark != usual:
            raise BadInput(
                _(
                    '{at}: "{cell}" can be read as {decimal} or as {whole}; write it without thousands separators, '
                    "or with another number of decimals"
                ).format(
                    at=table.at(row, column),
                    cell=cell,
                    decimal=cell.replace(_COMMA, _POINT),
                    whole=_without(cell, mark),
                )
            )
    return NumberStyle(usual or _POINT)


def _marked(cells: Sequence[str], columns: Sequence[int]) -> Iterable[tuple[int, str]]:
    """Yield the cells that hold a point or a comma."""
    for column in columns:
        cell = cells[column]
        if _POINT in cell or _COMMA in cell:
            yield column, cell.strip()


def _without(cell: str, mark: str) -> str:
    return cell.replace(mark, "")
