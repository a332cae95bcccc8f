"""The report as a Word document (.docx), for editing: headings, tables and figures as Word's own; needs no Word.

What a consultant changes in it is theirs: it holds no attachments, which lie in a folder beside it.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.ports import FigureRenderer
from app.reporting.blocks import (
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    Columns,
    Fields,
    FigureBlock,
    Group,
    Heading,
    Medium,
    Paragraph,
    Table,
    Tiles,
    VerdictBox,
)
from app.reporting.records import map_texts
from app.reporting.render.characters import clean, office_text
from app.reporting.render.pictures import pictures_of
from app.reporting.render.prepared import Prepared, prepare
from app.reporting.request import Paper, ReportRequest

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_WIDTH_CM: Final = 17.0
_SMALL_PT: Final = 8.5
_CELL_PT: Final = 2.0
_CHARACTER_CM: Final = 0.21
"""Width of a character of a table in the widest of the fonts that stand in for Word's own."""
_CELL_CM: Final = 0.45
"""Left free in a cell, on both sides together, and to spare."""
_LONGEST_WORD: Final = 14
"""Characters up to which a word stays whole in its column: what is longer is a name of a file or a command."""
_OF_FIELDS: Final = (1.0, 3.5)
_PAPER_CM: Final = {Paper.A4: (21.0, 29.7), Paper.LETTER: (21.59, 27.94)}


@dataclass(frozen=True)
class WordReport:
    """A report and the files that belong into the folder beside it."""

    content: bytes
    files: tuple[tuple[str, bytes], ...]


def render_word(request: ReportRequest, renderer: FigureRenderer) -> WordReport:
    """Return the report as a Word document, and its attachments.

    Thread and cost: as `render_report`; figures are pictures of 200 pixels per inch.
    """
    prepared = prepare(request, Medium.MARKDOWN, renderer, lambda plot: map_texts(plot, clean))
    files = tuple((one.name, one.content) for one in prepared.attachments)
    return WordReport(_Writer(prepared).content(), files)


class _Writer:
    """Writes a document block by block."""

    def __init__(self, prepared: Prepared) -> None:
        from docx import Document as new_document  # a large import, which only this format needs
        from docx.shared import Cm, Pt

        self._prepared = prepared
        self._word: WordDocument = new_document()
        self._shown = sorted(_figures_in(prepared))
        made = pictures_of([prepared.figures[index] for index in self._shown], _WIDTH_CM)
        self._pictures = dict(zip(self._shown, made, strict=True))
        self._width = Cm(_WIDTH_CM)
        text = self._word.styles["Normal"].font
        text.name, text.size = "Calibri", Pt(10)
        section = self._word.sections[0]
        section.page_width, section.page_height = map(Cm, _PAPER_CM[prepared.request.paper])
        section.left_margin = section.right_margin = Cm(2.0)
        self._writers: dict[str, Callable[..., None]] = {
            "heading": self._heading,
            "paragraph": self._paragraph,
            "bullets": self._bullets,
            "tiles": self._tiles,
            "callout": self._callout,
            "verdict": self._verdict,
            "table": self._table,
            "fields": self._fields,
            "figure": self._figure,
            "code": self._code,
        }

    def content(self) -> bytes:
        """Return the file."""
        document = self._prepared.document
        self._word.core_properties.title = office_text(document.title)
        self._word.core_properties.author = office_text(document.author)
        self._word.sections[0].header.paragraphs[0].text = office_text(document.header)
        self._word.sections[0].footer.paragraphs[0].text = office_text(document.footer)
        self._word.add_heading(office_text(document.cover.title), level=0)
        for name, value in document.cover.pairs:
            self._labelled(name, value)
        if document.cover.notice:
            self._say(document.cover.notice, italic=True)
        for section in document.sections:
            self._word.add_heading(office_text(section.title), level=1)
            for block in section.blocks:
                self._write(block)
        made = io.BytesIO()
        self._word.save(made)
        return made.getvalue()

    def _write(self, block: Block) -> None:
        if isinstance(block, Columns):
            for one in (one for column in block.columns for one in column):
                self._write(one)
        elif isinstance(block, Group):
            for one in block.blocks:
                self._write(one)
        else:
            self._writers[block.kind](block)

    def _say(self, text: str, *, italic: bool = False, style: str | None = None) -> None:
        paragraph = self._word.add_paragraph(style=style)
        paragraph.add_run(office_text(text)).italic = italic

    def _labelled(self, label: str, text: str) -> None:
        paragraph = self._word.add_paragraph()
        paragraph.add_run(f"{office_text(label)}: ").bold = True
        paragraph.add_run(office_text(text))

    def _heading(self, block: Heading) -> None:
        self._word.add_heading(
            office_text(f"{block.text} · {block.tag}" if block.tag else block.text), level=2 + block.minor
        )

    def _paragraph(self, block: Paragraph) -> None:
        paragraph = self._word.add_paragraph()
        if block.label:
            paragraph.add_run(f"{office_text(block.label)} ").bold = True
        paragraph.add_run(office_text(block.text)).italic = block.quiet

    def _bullets(self, block: Bullets) -> None:
        for item in block.items:
            self._say(item, style="List Bullet")

    def _tiles(self, block: Tiles) -> None:
        rows = [[tile.title for tile in block.tiles], [f"{tile.value}\n{tile.text}" for tile in block.tiles]]
        self._grid(rows, [1.0] * len(block.tiles), has_head=True)

    def _callout(self, block: Callout) -> None:
        self._labelled(block.title, block.text)

    def _verdict(self, block: VerdictBox) -> None:
        self._labelled(block.word, block.text)

    def _table(self, block: Table) -> None:
        rows = [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in block.rows]
        titles = [column.title for column in block.columns]
        shares = [column.width or _share(place, (titles, *rows)) for place, column in enumerate(block.columns)]
        self._grid([titles, *rows], shares, has_head=True)
        if block.caption:
            self._say(block.caption, italic=True)

    def _fields(self, block: Fields) -> None:
        self._grid([[name, value] for name, value in block.pairs], _OF_FIELDS, has_head=False)

    def _figure(self, block: FigureBlock) -> None:
        self._word.add_picture(io.BytesIO(self._pictures[block.index]), width=self._width)
        drawn = self._word.inline_shapes[-1]._inline.docPr  # Word's text for a reader who cannot see it
        drawn.set("descr", office_text(block.alt))
        self._say(block.caption, italic=True)

    def _code(self, block: Code) -> None:
        if block.title:
            self._say(block.title, italic=True)
        self._say(block.text, style="No Spacing")

    def _grid(self, rows: Sequence[Sequence[str]], shares: Sequence[float], *, has_head: bool) -> None:
        """Write a table whose columns have these shares of the page's width."""
        from docx.oxml import OxmlElement
        from docx.shared import Cm, Pt

        if not rows:
            return
        table = self._word.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
        table.autofit = False
        widths = [Cm(width) for width in _widths_cm(rows, shares)]
        for column, width in zip(table.columns, widths, strict=True):
            column.width = width
        for place, row in enumerate(rows):
            for cell, text, width in zip(table.add_row().cells, row, widths, strict=True):
                cell.width = width
                paragraph = cell.paragraphs[0]
                paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(_CELL_PT)
                run = paragraph.add_run(office_text(text))
                run.font.size, run.bold = Pt(_SMALL_PT), has_head and place == 0
        if has_head:  # on each page that the table goes on to
            table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        self._word.add_paragraph()


def _share(place: int, rows: Sequence[Sequence[str]]) -> float:
    """Return the share of a column that is as wide as its content: one for each two dozen characters, a little at
    least."""
    return max(0.4, min(2.0, max(len(row[place]) for row in rows) / 24))


def _widths_cm(rows: Sequence[Sequence[str]], shares: Sequence[float]) -> list[float]:
    """Return the widths of columns by their shares, none narrower than its longest word as long as that goes."""
    words = [max(len(word) for row in rows for word in (*row[place].split(), "")) for place in range(len(shares))]
    least = [_CELL_CM + _CHARACTER_CM * min(longest, _LONGEST_WORD) for longest in words]
    if sum(least) >= _WIDTH_CM:
        return [_WIDTH_CM * one / sum(least) for one in least]
    narrow: set[int] = set()
    while True:  # what a narrow column takes, the others lack
        wide = [place for place in range(len(shares)) if place not in narrow]
        a_share = (_WIDTH_CM - sum(least[place] for place in narrow)) / sum(shares[place] for place in wide)
        too_narrow = {place for place in wide if a_share * shares[place] < least[place]}
        if not too_narrow:
            return [least[p] if p in narrow else a_share * share for p, share in enumerate(shares)]
        narrow |= too_narrow


def _figures_in(prepared: Prepared) -> set[int]:
    """Return the numbers of the figures that a document prints."""
    found: set[int] = set()
    left: list[Block] = [block for section in prepared.document.sections for block in section.blocks]
    while left:
        block = left.pop()
        if isinstance(block, FigureBlock):
            found.add(block.index)
        elif isinstance(block, Columns):
            left += [one for column in block.columns for one in column]
        elif isinstance(block, Group):
            left += block.blocks
    return found
