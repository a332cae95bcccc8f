"""Tables as text for a spreadsheet: a name that begins like a formula is text there, too.

What a server calls its objects reaches a spreadsheet through files and the clipboard, and a spreadsheet works out what
begins with =, +, - or @, programs to be started included (https://owasp.org/www-community/attacks/CSV_Injection).
Such a text is led by an apostrophe, as typed by hand. Where the computer separates fields with semicolons, a file with
commas falls apart at the semicolons, tabulators and line ends within a text, so that these are looked at as well.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

_NUMBER: Final = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")
_FORMULA: Final = re.compile(r"(?:^|(?<=[;\t\r\n]))(\s*)(?=[=+\-@])")
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")
_BEGIN: Final = re.compile(r"'(?=\s*[=+\-@])")


def as_text(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    return cell if _NUMBER.fullmatch(cell) else _FORMULA.sub(r"'\1", cell)


def as_given(cell: str) -> str:
    """Return a cell's text without the apostrophe that `as_text` put before it."""
    return _BEGIN.sub("", cell, count=1) if cell.startswith("'") else cell


def csv_text(rows: Iterable[Sequence[object]], *, delimiter: str = ",", verbatim: Collection[int] = frozenset()) -> str:
    """Return rows as CSV with line feeds.

    Args:
        verbatim: places of columns whose texts are this program's own; only how they begin is looked at.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerows(
        [
            _cell(value, place in verbatim) if isinstance(value, str) and not value.isalnum() else value
            for place, value in enumerate(row)
        ]
        for row in rows
    )
    return stream.getvalue()


@lru_cache(maxsize=1_000)  # a long series names the same run and trial in each of its rows
def _cell(text: str, is_verbatim: bool) -> str:
    text = _LONE_RETURN.sub("\n", text)  # which the csv module leaves without quotes
    if is_verbatim:
        return f"'{text}" if _FORMULA.match(text) else text
    return as_text(text)
