"""Numbers as people and spreadsheets write them: decimal point or comma, with or without thousands separators.

One file has one decimal mark. It is settled by the first number that can be read in one way only (`6.86`, `1.234.567`,
`1.234,5`); where there is none, by numbers of the same column without any mark (`987` beside `1.012`): one reading
makes a column of one size, the other of two sizes a thousand apart. Else the delimiter tells, since Excel writes commas
between fields where the decimal mark is a point and semicolons where it is a comma. What remains, such as `1.234` in a
file with semicolons, is asked.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.foundation.texts import _
from app.services.explain.importing.questions import DECIMAL_MARK, METRIC, UNIT, Answers, Asked
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

_OTHER: Final = {".": ",", ",": "."}
_USUAL: Final = {",": ".", ";": ","}
# One reading is believed where the other spreads a column so many times as wide: a mark that is taken for the other
# one makes it a thousand.
_CLEARLY: Final = 30
# Thousands separators that are never a decimal mark: spaces, also the unbreakable ones, and apostrophes.
_GAP: Final = " \u00a0\u202f'’"
# The number of a quantity that is written with its unit.
_NUMBER_PART: Final = re.compile(r"[~≈]?\s*([+-]?[\d.,'\u00a0\u202f ]*\d)\s*[A-Za-zµμ%/ ]*")
_INFINITE: Final = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


def _grammar(mark: str) -> re.Pattern[str]:
    """Return the pattern of a number with this decimal mark: groups of three, or none and perhaps an exponent."""
    point, group = re.escape(mark), re.escape(_OTHER[mark])
    grouped = rf"[1-9]\d{{0,2}}(?P<gap>[{group}{_GAP}])\d{{3}}(?:(?P=gap)\d{{3}})*(?:{point}\d*)?"
    return re.compile(rf"[+-]?(?:{grouped}|(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?)")


_GRAMMARS: Final = {mark: _grammar(mark) for mark in _OTHER}


@dataclass(frozen=True)
class NumberStyle:
    """How one file writes its numbers.

    Attributes:
        mark: the decimal mark, "." or ",".
        settled_at, settled_by: line and text of the number that settled it; line 0 where the delimiter did.
        is_given: somebody said so.
    """

    mark: str
    settled_at: int = 0
    settled_by: str = ""
    is_given: bool = False

    def parse(self, text: str) -> float | None:
        """Return the number that a stripped text is, None where it is none in this style; may be infinite."""
        if text.isascii() and text.replace(self.mark, "", 1).isdecimal():  # as nearly every number is
            return float(text.replace(self.mark, "."))
        if _INFINITE.fullmatch(text):
            return float(text)
        if not _GRAMMARS[self.mark].fullmatch(text) or (self.has_groups(text) and not self._is_settled):
            return None
        for char in _OTHER[self.mark] + _GAP:
            text = text.replace(char, "")
        return float(text.replace(self.mark, "."))

    @property
    def _is_settled(self) -> bool:
        return self.is_given or self.settled_at > 0

    def has_groups(self, text: str) -> bool:
        """Return whether a number is written with thousands separators that another reader may take as decimal."""
        return _OTHER[self.mark] in text

    def why_not(self, text: str) -> str:
        """Return why a text is no number in this style, as the second half of a sentence."""
        has_other_mark = _marks_of(text) == [_OTHER[self.mark]]
        if not has_other_mark and (self._is_settled or not self.has_groups(text)):
            sentence = _('"{cell}" is not a number; write digits only, without a unit')
        elif not self.settled_at:
            sentence = _('"{cell}" does not have the decimal mark "{mark}" of the file; write it with that mark only')
        else:
            sentence = _(
                '"{cell}" has another decimal mark than "{first}" in line {row}; '
                "use either the point or the comma throughout"
            )
        return sentence.format(
            cell=quotable(text), mark=self.mark, first=quotable(self.settled_by), row=self.settled_at
        )


def style_of(table: Table, columns: Iterable[str], wholes: Container[str], answers: Answers) -> NumberStyle:
    """Return how a file writes the numbers of the given columns, as far as it has them; some hold whole numbers only.

    Raises:
        Asked: a number can be read in two ways, and neither other numbers nor the delimiter settle which.
    """
    if table.source.has_numbers:
        return NumberStyle(".")
    if DECIMAL_MARK.name in answers:
        return NumberStyle("." if answers[DECIMAL_MARK.name] == "point" else ",", is_given=True)
    doubtful: list[tuple[Row, str]] = []
    for row, name, marks in _marked(table, [name for name in columns if name in table.columns]):
        if len(marks) > 1 and name in wholes:
            marks = [_OTHER[re.sub(r"\d", "", row.cells[name])[0]]]  # nobody writes 1.000 for one
        if len(marks) == 1:
            return NumberStyle(marks[0], row.number, row.cells[name])
        doubtful.append((row, name))
    return _doubtful_style(table, doubtful)


def _doubtful_style(table: Table, doubtful: Sequence[tuple[Row, str]]) -> NumberStyle:
    """Return how numbers are written that may all be read in two ways; raises Asked where nothing settles it."""
    usual = _USUAL.get(table.grid.delimiter, ".")
    if not doubtful:
        return NumberStyle(usual)
    (row, name), told = doubtful[0], _told_by_size(table, doubtful)
    if told is not None:
        return NumberStyle(told, row.number, row.cells[name])
    if table.grid.delimiter in _USUAL and any(usual in row.cells[name] for row, name in doubtful):
        return NumberStyle(usual)  # one written otherwise is refused where it is read
    every = ((line, text) for line, cells in table.grid.rows for text in cells)
    for line, text in every:  # also of columns and rows that are not read
        if len(marks := _marks_of(text)) == 1:
            return NumberStyle(marks[0], line, text)
    raise _asked(table, row, name)


def _asked(table: Table, row: Row, name: str) -> Asked:
    sentence, text = (
        _('"{cell}" can be read as {decimal} or as {whole}, and nothing in the file tells which'),
        row.cells[name],
    )
    refused = table.refusal(row, name, sentence, decimal=re.sub("[.,]", ".", text), whole=re.sub("[.,]", "", text))
    return Asked(str(refused), DECIMAL_MARK)


def _told_by_size(table: Table, doubtful: Sequence[tuple[Row, str]]) -> str | None:
    """Return the decimal mark that makes numbers with and without a mark those of one size, None where none does.

    Only numbers of one column and one measure are held against each other.
    """
    by_column: dict[tuple[str, str, str], list[str]] = {}
    for row, name in doubtful:
        by_column.setdefault((name, *_measure(row)), []).append(row.cells[name])
    told: set[str] = set()
    unmarked = _unmarked(table, by_column) if by_column else {}
    for column, plain in unmarked.items():
        texts = by_column[column]
        wide = {mark: _spread(texts, plain, mark) for mark in _OTHER}
        told |= {mark for mark, other in _OTHER.items() if wide[other] >= _CLEARLY * wide[mark]}
    return told.pop() if len(told) == 1 else None


def _measure(row: Row) -> tuple[str, str]:
    return row.cells.get(METRIC, ""), row.cells.get(UNIT, "")


def _unmarked(table: Table, columns: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str, str], list[float]]:
    """Return the whole numbers without any mark in these columns, by column and measure."""
    found: dict[tuple[str, str, str], list[float]] = {}
    wanted = set(columns)
    names = {name for name, *_measured in wanted}
    for row in table.rows:
        for name in names:
            column = (name, *_measure(row))
            if column in wanted and row.cells[name].isdecimal() and float(row.cells[name]) > 0:
                found.setdefault(column, []).append(float(row.cells[name]))
    return found


def _spread(texts: Sequence[str], plain: Sequence[float], mark: str) -> float:
    """Return how many times the smallest of these numbers the largest is, with this decimal mark."""
    numbers = [float(text.replace(_OTHER[mark], "").replace(mark, ".")) for text in texts]
    every = [abs(number) for number in (*numbers, *plain) if number]
    return max(every) / min(every)


def _marked(table: Table, names: Sequence[str]) -> Iterator[tuple[Row, str, list[str]]]:
    """Yield each cell of these columns that is a number with a point or a comma, and its possible decimal marks."""
    for row in table.rows:
        for name in names:
            if marks := _marks_of(row.cells[name]):
                yield row, name, marks


def _marks_of(text: str) -> list[str]:
    """Return the decimal marks with which a text is a number that holds a point or a comma."""
    if "." not in text and "," not in text:
        return []
    found = _NUMBER_PART.fullmatch(text)
    number = found[1] if found else text
    return [mark for mark, grammar in _GRAMMARS.items() if grammar.fullmatch(number)]
