"""Run sheet, decisions and data of a session as one workbook (.xlsx), to fill in and to filter; needs no Excel."""

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.foundation.spreadsheet import as_given
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.reporting.blocks import Attachment, Bullets, Cell, Column, Paragraph, Section, Table
from app.reporting.decision_card import decision_card
from app.reporting.document.attachments import build_attachments
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.document.whole import page_one
from app.reporting.numbers import number
from app.reporting.render.characters import office_text
from app.reporting.render.prepared import with_names_shown
from app.reporting.request import Paper, ReportRequest
from app.reporting.wording import Vocabulary

# https://support.microsoft.com/en-us/office/excel-specifications-and-limits: rows of a sheet, characters of a cell.
_MOST_ROWS: Final = 1_048_576
_MOST_CHARACTERS: Final = 32_767
_PAPER_SIZE: Final = {Paper.A4: 9, Paper.LETTER: 1}
# Fifteen digits are what a cell keeps of a whole number; a longer one, or one that begins with 0, is a name.
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_WIDTH_OF_SHARE: Final = 18
_NARROWEST: Final = 4
_HEIGHT_OF_LINE: Final = 15  # points, of the face of 11 points that a workbook begins with
_LONGEST_WORD: Final = 6  # that moves to the next line and leaves its place empty, as most do
_OF_CONTENTS: Final = (24, 90)
_WIDTH_OF_DATA: Final = (8, 40)
_LOOKED_AT: Final = 200


@dataclass(frozen=True)
class _Data:
    """One CSV of a report as rows, with how many of them its sheet holds, the heading among them."""

    name: str
    description: str
    rows: list[list[str]]

    @property
    def kept(self) -> list[list[str]]:
        return self.rows[:_MOST_ROWS]


def render_workbook(request: ReportRequest) -> bytes:
    """Return the workbook: contents, run sheet where something is to be changed, decisions, and each CSV of the report.

    A table that is longer than a sheet is cut, and the contents say so. Texts are texts: none is taken for a formula.
    """
    request = with_names_shown(request)
    data = [_data_of(one) for one in build_attachments(request) if one.mime == "text/csv"]
    made = io.BytesIO()
    writer = _Writer(request, made)
    writer.contents(data)
    writer.run_sheet()
    writer.decisions()
    for one in data:
        writer.data(one)
    writer.close()
    return made.getvalue()


def _data_of(attachment: Attachment) -> _Data:
    rows = list(csv.reader(io.StringIO(attachment.content.decode("utf-8-sig"), newline="")))
    return _Data(attachment.name.removesuffix(".csv"), attachment.description, rows)


class _Writer:
    """Writes the sheets of one workbook."""

    def __init__(self, request: ReportRequest, made: io.BytesIO) -> None:
        from xlsxwriter import Workbook  # a large import, which only this format needs

        self._request, self._words = request, Vocabulary(request.families)
        self._book = Workbook(made, {"in_memory": True})
        cover, _page = page_one(request)
        self._cover = cover
        issued = request.issued_utc.replace(tzinfo=None)
        self._book.set_properties(
            {"title": office_text(cover.title), "created": issued, "comments": f"Replitune {VERSION}"}
        )
        self._head = self._book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 2})
        self._text = self._book.add_format({"text_wrap": True, "valign": "top"})
        self._boxed = self._book.add_format({"text_wrap": True, "valign": "top", "border": 1})
        self._title = self._book.add_format({"bold": True, "font_size": 14})

    def contents(self, data: Sequence[_Data]) -> None:
        """Write what the workbook is of, and what each sheet of data holds."""
        sheet = self._sheet(_("Contents"))
        for column, width in enumerate(_OF_CONTENTS):
            sheet.set_column(column, column, width)
        self._put(sheet, 0, 0, self._cover.title, self._title)
        rows = [*self._cover.pairs]
        rows += [("", self._cover.notice)] if self._cover.notice else []
        rows += [("", ""), *((one.name, _description(one)) for one in data)]
        for place, row in enumerate(rows, start=2):
            self._row(sheet, place, row, _OF_CONTENTS, self._text)

    def run_sheet(self) -> None:
        """Write the run sheet with boxes to sign in, nothing where nothing is to be changed."""
        decisions = self._request.advice.decisions
        scripts = Scripts(self._request.session, self._words, decisions)
        section = run_sheet_section(decisions, scripts, is_redacted=self._request.is_redacted)
        table = next((block for block in section.blocks if isinstance(block, Table)), None)
        if table is None:
            return
        sheet = self._sheet(section.title)
        for column, own in enumerate(table.columns):
            sheet.set_column(column, column, _width(own))
            self._put(sheet, 0, column, own.title, self._head)
        sheet.freeze_panes(1, 0)
        sheet.repeat_rows(0)
        for place, row in enumerate(table.rows, start=1):
            texts = [cell.text if isinstance(cell, Cell) else cell for cell in row]
            self._row(sheet, place, texts, [_width(own) for own in table.columns], self._boxed)
        for place, text in enumerate(_around(section), start=len(table.rows) + 2):
            sheet.merge_range(place, 0, place, len(table.columns) - 1, "", self._text)
            self._put(sheet, place, 0, text, self._text)
            sheet.set_row(place, _HEIGHT_OF_LINE * _lines(text, sum(map(_width, table.columns))))

    def decisions(self) -> None:
        """Write every decision with its effect and interval."""
        sheet = self._sheet(_("Decisions"))
        titles = ("", _("Decision"), _("What"), _("Where"), _("Effect"), _("95 % interval"), _("Why"))
        widths = (4, 16, 50, 36, 12, 18, 80)
        for column, (title, width) in enumerate(zip(titles, widths, strict=True)):
            sheet.set_column(column, column, width)
            self._put(sheet, 0, column, title, self._head)
        sheet.freeze_panes(1, 0)
        cards = [decision_card(decision, self._words) for decision in self._request.advice.decisions]
        for place, card in enumerate(cards, start=1):
            told = ("", card.kind_text, card.headline, card.where, card.effect, card.interval, card.lead)
            self._row(sheet, place, told, widths, self._text)
            sheet.write_number(place, 0, card.number, self._text)

    def data(self, one: _Data) -> None:
        """Write one table of data, its numbers as numbers, with a filter on its heading."""
        sheet = self._sheet(one.name)
        rows = one.kept
        for place, row in enumerate(rows):
            for column, text in enumerate(row):
                if place and _NUMBER.fullmatch(text):
                    sheet.write_number(place, column, float(text))
                elif text:
                    self._put(sheet, place, column, as_given(text), self._head if place == 0 else None)
        for column in range(len(rows[0])):
            longest = max(len(row[column]) for row in rows[:_LOOKED_AT] if column < len(row))
            sheet.set_column(column, column, min(max(longest + 2, _WIDTH_OF_DATA[0]), _WIDTH_OF_DATA[1]))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(rows) - 1, len(rows[0]) - 1)

    def close(self) -> None:
        """Write the file."""
        self._book.close()

    def _sheet(self, name: str) -> Any:
        sheet = self._book.add_worksheet(name)
        sheet.set_paper(_PAPER_SIZE[self._request.paper])
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        return sheet

    def _row(self, sheet: Any, row: int, texts: Sequence[str], widths: Sequence[float], style: Any) -> None:
        """Write a row of texts as high as they need: only Excel finds that out by itself."""
        sheet.set_row(row, _HEIGHT_OF_LINE * max(map(_lines, texts, widths)))
        for column, text in enumerate(texts):
            self._put(sheet, row, column, text, style)

    def _put(self, sheet: Any, row: int, column: int, text: str, style: Any) -> None:
        told = office_text(text)
        cut = told if len(told) <= _MOST_CHARACTERS else f"{told[: _MOST_CHARACTERS - 1]}…"
        sheet.write_string(row, column, cut, style)


def _width(column: Column) -> float:
    return _WIDTH_OF_SHARE * column.width or _NARROWEST


def _lines(text: str, width: float) -> int:
    """Return how many lines a text takes in a column of a width, counted in characters, words kept whole."""
    return sum(math.ceil((len(line) + _LONGEST_WORD) / width) if len(line) > width else 1 for line in text.split("\n"))


def _description(one: _Data) -> str:
    if len(one.rows) <= _MOST_ROWS:
        return one.description
    text = _("{what} A sheet holds the first {count} rows; all of them are attached to the PDF.")
    return text.format(what=one.description, count=number(_MOST_ROWS - 1))


def _around(section: Section) -> list[str]:
    """Return the texts of a section that stand around its table."""
    texts: list[str] = []
    for block in section.blocks:
        texts += [block.text] if isinstance(block, Paragraph) else []
        texts += block.items if isinstance(block, Bullets) else []
    return texts
