"""Tables in markup: HTML, as a browser or a program saves a page, and MediaWiki."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from app.services.explain.importing.source_text import numbered_lines

_WIKI: Final = re.compile(r"^\s*\{\|", re.MULTILINE)
_HTML: Final = re.compile(r"<table\b", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(r"""[\w-]+\s*=\s*(?:"[^"]*"|\S+)[^|]*\|(?!\|)""")


def markup_rows(text: str) -> Iterator[tuple[int, list[str]]] | None:
    """Return the rows of the tables of a page, each with the line it begins on, None where it is no markup."""
    if _WIKI.search(text):
        return _wiki_rows(text)
    return iter(_HtmlRows(text).rows) if _HTML.search(text) else None


def _wiki_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    begin, row = 0, list[str]()
    for number, line in ((number, line.strip()) for number, line in numbered_lines(text)):
        if line.startswith(("{|", "|}", "|-", "|+")):
            if row:
                yield begin, row
            begin, row = number + 1, []
            if line.startswith("|+"):
                yield number, [line[2:].strip()]
        elif line.startswith(("|", "!")):
            begin = begin if row else number
            row += [_ATTRIBUTES.sub("", cell, count=1).strip() for cell in re.split(r"\|\||!!", line[1:])]
        elif line:
            yield number, [line]


class _HtmlRows(HTMLParser):
    """The rows of all tables of a page, each table with the text above it in a row of its own.

    A cell over several columns or rows stands in each of them.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[tuple[int, list[str]]] = []
        self._cells: list[tuple[int, list[str]]] = []
        self._below: list[int] = []
        self._held: dict[int, tuple[int, str]] = {}
        self._is_inside = False
        self._above = ""
        self._tag = ""
        self.feed(text)
        self.close()
        self._end_row()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        self._tag = tag
        if tag in ("tr", "table"):
            self._end_row()
            if tag == "tr" and self._above:
                self.rows.append((self.getpos()[0], [self._above]))
                self._above = ""
        elif tag in ("td", "th"):
            across, down = (_span(dict(attrs).get(name)) for name in ("colspan", "rowspan"))
            self._cells.append((across, []))
            self._below.append(down)
        self._is_inside = tag in ("td", "th") or (self._is_inside and tag not in ("tr", "table"))

    def handle_endtag(self, tag: str) -> None:
        """End a row or a cell."""
        self._is_inside = self._is_inside and tag not in ("td", "th")
        if tag in ("tr", "table"):
            self._end_row()

    def handle_data(self, data: str) -> None:
        """Add to the text of a cell."""
        if self._is_inside and self._cells:
            self._cells[-1][1].append(data)
        elif data.strip() and self._tag not in ("script", "style"):
            self._above = " ".join(data.split())

    def _end_row(self) -> None:
        row: list[str] = []
        cells = [
            (down, " ".join(" ".join(texts).split()))
            for (span, texts), down in zip(self._cells, self._below, strict=True)
            for _each in range(span)
        ]
        while cells or (row and len(row) in self._held):
            down, text = self._held.pop(len(row)) if len(row) in self._held else cells.pop(0)
            if down > 1:
                self._held[len(row)] = down - 1, text
            row.append(text)
        if any(row):
            self.rows.append((self.getpos()[0], row))
        self._cells, self._below = [], []


def _span(text: str | None) -> int:
    return min(int(text), 100) if text and text.isdecimal() else 1
