"""Numbers as people and spreadsheets write them: decimal point or comma, with or without thousands separators.

One file has one decimal mark. It is settled by the first number that can be read in one way only (`6.86`, `1.234.567`,
`1.234,5`); where there is none, by the delimiter, since Excel writes commas between fields where the decimal mark is a
point and semicolons where it is a comma. What remains, such as `1.234` in a file with semicolons, is refused among few
numbers; among many that all have three digits there, it is the decimal mark of a program, and a note says so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.foundation.texts import _
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Row, Table

_OTHER: Final = {".": ",", ",": "."}
_USUAL: Final = {",": ".", ";": ","}
# So many numbers, all with three digits after their only mark, were written by a program with three decimals.
_ENOUGH_ALIKE: Final = 10
# Thousands separators that are never a decimal mark: spaces, also the unbreakable ones, and apostrophes.
_GAP: Final = " \u00a0\u202f'’"
_INFINITE: Final = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


def _grammar(mark: str) -> re.Pattern[str]:
    """Return what a number looks like with this decimal mark: groups of three, or none and perhaps an exponent."""
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
        is_assumed: nothing settled it; that number could also be read in another way.
    """

    mark: str
    settled_at: int = 0
    settled_by: str = ""
    is_assumed: bool = False

    def parse(self, text: str) -> float | None:
        """Return the number that a stripped text is, None where it is none in this style; may be infinite."""
        if _INFINITE.fullmatch(text):
            return float(text)
        if not _GRAMMARS[self.mark].fullmatch(text) or (self.has_groups(text) and not self.settled_at):
            return None
        for char in _OTHER[self.mark] + _GAP:
            text = text.replace(char, "")
        return float(text.replace(self.mark, "."))

    def has_groups(self, text: str) -> bool:
        """Return whether a number is written with thousands separators that another reader may take as decimal."""
        return _OTHER[self.mark] in text

    def why_not(self, text: str) -> str:
        """Return why a text is no number in this style, as the second half of a sentence."""
        has_other_mark = _marks_of(text) == [_OTHER[self.mark]]
        if not has_other_mark and (self.settled_at or not self.has_groups(text)):
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


def style_of(table: Table, columns: Iterable[str]) -> NumberStyle:
    """Return how a file writes the numbers of the given columns, as far as it has them.

    Raises:
        BadInput: a number can be read in two ways, and neither another number nor the delimiter settles which.
    """
    if table.source.is_json:
        return NumberStyle(".")
    doubtful: list[tuple[Row, str]] = []
    for row, name, marks in _marked(table, [name for name in columns if name in table.headings]):
        if len(marks) == 1:
            return NumberStyle(marks[0], row.number, row.cells[name])
        doubtful.append((row, name))
    written = {"." if "." in row.cells[name] else "," for row, name in doubtful}
    usual = _USUAL.get(table.delimiter)
    if not written or usual in written:  # one written otherwise is refused where it is read
        return NumberStyle(usual or ".")
    row, name = doubtful[0]
    text, mark = row.cells[name], min(written)
    if len(written) == 1 and len(doubtful) >= _ENOUGH_ALIKE:
        return NumberStyle(mark, row.number, text, is_assumed=True)
    sentence = _(
        '"{cell}" can be read as {decimal} or as {whole}; write it without thousands separators, '
        "or with another number of decimals"
    )
    raise table.refusal(row, name, sentence, decimal=re.sub("[.,]", ".", text), whole=re.sub("[.,]", "", text))


def _marked(table: Table, names: Sequence[str]) -> Iterator[tuple[Row, str, list[str]]]:
    """Yield each cell of these columns that is a number with a point or a comma, and what decimal marks it may have."""
    for row in table.rows:
        for name in names:
            if marks := _marks_of(row.cells[name]):
                yield row, name, marks


def _marks_of(text: str) -> list[str]:
    """Return the decimal marks with which a text is a number that holds a point or a comma."""
    if "." not in text and "," not in text:
        return []
    return [mark for mark, grammar in _GRAMMARS.items() if grammar.fullmatch(text)]
