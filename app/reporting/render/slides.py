"""Page 1 of the report as slides (.pptx), for the meeting that decides; needs no PowerPoint.

The first slide is the first decision, with its figure; the others list all of them.
"""

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from app.domain.ports import FigureRenderer
from app.foundation.texts import _
from app.reporting.blocks import Block, Callout, Cell, Column, Cover, FigureBlock, Paragraph, Section, Table, Tiles
from app.reporting.document.whole import page_one
from app.reporting.records import map_texts
from app.reporting.render.characters import clean, office_text
from app.reporting.render.pictures import pictures_of
from app.reporting.render.prepared import with_names_shown
from app.reporting.request import ReportRequest

if TYPE_CHECKING:
    from pptx.dml.color import RGBColor
    from pptx.slide import Slide

_Box = tuple[float, float, float, float]
"""Left, top, width and height in centimetres."""
_Told = tuple[str, str]
"""A label, set bold, "" for none, and a text."""

_SIZE_CM: Final = (33.867, 19.05)
_MARGIN_CM: Final = 1.2
_WIDTH_CM: Final = _SIZE_CM[0] - 2 * _MARGIN_CM
_TITLE: Final = (_MARGIN_CM, 0.7, _WIDTH_CM, 2.3)
_LEAD: Final = (_MARGIN_CM, 3.1, _WIDTH_CM, 2.7)
_TILES_TOP_CM, _TILES_HEIGHT_CM = 5.9, 3.2
_BELOW_CM: Final = 9.4
_HEIGHT_CM: Final = _SIZE_CM[1] - _BELOW_CM - 0.9
_FIGURE: Final = (_MARGIN_CM, _BELOW_CM, 19.0, _HEIGHT_CM)
_ASIDE: Final = (_MARGIN_CM + 19.6, _BELOW_CM, _WIDTH_CM - 19.6, _HEIGHT_CM)
_TABLE: Final = (_MARGIN_CM, 3.3, _WIDTH_CM, 13.0)
_ROWS_EACH: Final = 9
_OF_VALUE, _OF_NUMBER = 0.9, 0.4
_LARGEST_PT, _SMALLEST_PT = 24, 7
# Of a face such as Calibri a letter is half as wide as it is high, a line a fifth higher; of PostScript points.
_LETTER, _LINE, _PT_PER_CM = 0.5, 1.25, 72 / 2.54
_INK, _GOOD, _TINT = (0x22, 0x27, 0x2B), (0x00, 0x68, 0x4C), (0xE9, 0xF6, 0xF2)  # of the report, red, green, blue


def render_slides(request: ReportRequest, renderer: FigureRenderer) -> bytes:
    """Return page 1 as slides; figures are pictures of 200 pixels per inch."""
    request = with_names_shown(request)
    cover, section = page_one(request)
    shown = next((block for block in section.blocks if isinstance(block, FigureBlock)), None)
    picture = b""
    if shown is not None:
        drawn = renderer.render_svg((map_texts(request.advice.plots[shown.index], clean),))
        [picture] = pictures_of(drawn, _FIGURE[2])
    return _Slides(cover, section, request.session.consultant, request.issued_utc).content(shown, picture)


class _Slides:
    """Writes the slides of one page."""

    def __init__(self, cover: Cover, section: Section, author: str, issued: datetime) -> None:
        from pptx import Presentation  # a large import, which only this format needs
        from pptx.util import Cm

        self._cover, self._section = cover, section
        self._made = Presentation()
        self._made.slide_width, self._made.slide_height = (Cm(size) for size in _SIZE_CM)
        self._made.core_properties.title = office_text(cover.title)
        told = self._made.core_properties  # those of the library's template name its author
        told.author, told.last_modified_by, told.created, told.modified = author, "", issued, issued

    def content(self, figure: FigureBlock | None, picture: bytes) -> bytes:
        """Return the file."""
        slide = self._slide(self._section.title)
        lead, aside = _lead_and_aside(self._section.blocks)
        self._say(slide, _LEAD, lead, most_pt=18)
        tiles = next((block for block in self._section.blocks if isinstance(block, Tiles)), None)
        if tiles is not None:
            self._tiles(slide, tiles)
        aside.append(("", _("Files named here are attached to the report.")))
        if self._cover.notice:
            aside.append(("", self._cover.notice))
        if figure is None:
            self._say(slide, (_MARGIN_CM, _BELOW_CM, _WIDTH_CM, _HEIGHT_CM), aside, most_pt=16)
        else:
            self._figure(slide, figure, picture)
            self._say(slide, _ASIDE, aside, most_pt=14)
        for table in (block for block in self._section.blocks if isinstance(block, Table)):
            for begin in range(0, len(table.rows), _ROWS_EACH):
                self._table(replace(table, rows=table.rows[begin : begin + _ROWS_EACH]))
        written = io.BytesIO()
        self._made.save(written)
        return written.getvalue()

    def _slide(self, title: str) -> "Slide":
        from pptx.enum.text import PP_ALIGN
        from pptx.util import Cm, Pt

        slide: Slide = self._made.slides.add_slide(
            self._made.slide_layouts[5]
        )  # "Title Only" of the library's template
        shape = slide.shapes.title
        assert shape is not None  # the layout has one
        shape.left, shape.top, shape.width, shape.height = map(Cm, _TITLE)
        shape.text_frame.word_wrap = True
        shape.text_frame.text = office_text(title)
        paragraph = shape.text_frame.paragraphs[0]
        paragraph.font.size, paragraph.font.bold = Pt(_fitting([("", title)], _TITLE, _LARGEST_PT)), True
        paragraph.alignment = PP_ALIGN.LEFT
        return slide

    def _say(self, slide: "Slide", box: _Box, told: Sequence[_Told], *, most_pt: int) -> None:
        from pptx.util import Cm, Pt

        if not told:
            return
        frame = slide.shapes.add_textbox(*map(Cm, box)).text_frame
        frame.word_wrap = True
        size = Pt(_fitting(told, box, most_pt))
        for place, (label, text) in enumerate(told):
            paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
            paragraph.space_after = Pt(4)
            for part, is_bold in ((f"{label}: " if label else "", True), (text, False)):
                run = paragraph.add_run()
                run.text, run.font.size, run.font.bold = office_text(part), size, is_bold

    def _tiles(self, slide: "Slide", tiles: Tiles) -> None:
        from pptx.enum.shapes import MSO_SHAPE
        from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
        from pptx.util import Cm, Pt

        width = (_WIDTH_CM - 0.4 * (len(tiles.tiles) - 1)) / len(tiles.tiles)
        for place, tile in enumerate(tiles.tiles):
            box = (_MARGIN_CM + place * (width + 0.4), _TILES_TOP_CM, width, _TILES_HEIGHT_CM)
            shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *map(Cm, box))
            shape.fill.solid()
            shape.fill.fore_color.rgb = _colour(_TINT)
            shape.line.fill.background()
            shape.shadow.inherit = False
            frame = shape.text_frame
            frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
            below = _fitting([("", tile.text)], (0, 0, width - 0.5, _TILES_HEIGHT_CM - 1.7), 11)
            parts = (
                (tile.title, 10, _INK),
                (tile.value, 18, _GOOD if tile.is_gain else _INK),
                (tile.text, below, _INK),
            )
            for row, (text, size, colour) in enumerate(parts):
                paragraph = frame.paragraphs[0] if row == 0 else frame.add_paragraph()
                paragraph.alignment = PP_ALIGN.LEFT
                run = paragraph.add_run()
                run.text, run.font.size, run.font.bold = office_text(text), Pt(size), row == 1
                run.font.color.rgb = _colour(colour)

    def _figure(self, slide: "Slide", figure: FigureBlock, picture: bytes) -> None:
        from pptx.util import Cm, Emu

        left, top, width, height = map(Cm, _FIGURE)
        shape = slide.shapes.add_picture(io.BytesIO(picture), left, top)
        scale = min(width / shape.width, height / shape.height)
        shape.width, shape.height = Emu(int(shape.width * scale)), Emu(int(shape.height * scale))
        shape.name = office_text(figure.caption)
        shape._element._nvXxPr.cNvPr.set("descr", office_text(figure.alt))  # for a reader who cannot see it

    def _table(self, table: Table) -> None:
        from pptx.util import Cm, Pt

        slide = self._slide(_("All decisions"))
        rows = [[column.title for column in table.columns], *([_plain(cell) for cell in row] for row in table.rows)]
        shares = [_share(column) for column in table.columns]
        frame = slide.shapes.add_table(len(rows), len(shares), *map(Cm, (*_TABLE[:3], len(rows) * 1.0)))
        for place, share in enumerate(shares):
            frame.table.columns[place].width = Cm(_TABLE[2] * share / sum(shares))
        for place, row in enumerate(rows):
            for cell, text in zip(frame.table.rows[place].cells, row, strict=True):
                cell.text = office_text(text)
                cell.text_frame.paragraphs[0].font.size = Pt(11)
        if table.caption:
            self._say(slide, (_MARGIN_CM, 17.0, _WIDTH_CM, 1.5), [("", table.caption)], most_pt=10)


def _lead_and_aside(blocks: Sequence[Block]) -> tuple[list[_Told], list[_Told]]:
    """Return the sentences on the decision, and what stands below: cautions, validity, the state of the servers."""
    lead: list[_Told] = []
    aside: list[_Told] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            (aside if block.quiet else lead).append((block.label, block.text))
        elif isinstance(block, Callout):
            aside.append((block.title, block.text))
    return lead, aside


def _share(column: Column) -> float:
    """Return a column's share of the width, that of its number or a value where it takes what its content needs."""
    return column.width or (_OF_VALUE if column.title else _OF_NUMBER)


def _colour(rgb: tuple[int, int, int]) -> "RGBColor":
    from pptx.dml.color import RGBColor

    return RGBColor(*rgb)  # type: ignore[no-untyped-call]  # the library leaves this one without types


def _plain(cell: str | Cell) -> str:
    return cell.text if isinstance(cell, Cell) else cell


def _fitting(told: Sequence[_Told], box: _Box, most_pt: int) -> int:
    """Return the largest size of letters, in points, at which texts fit a box; the smallest one where none does."""
    width, height = (box[2] - 0.5) * _PT_PER_CM, (box[3] - 0.3) * _PT_PER_CM
    for size in range(most_pt, _SMALLEST_PT, -1):
        each = max(1.0, width / (_LETTER * size))
        lines = sum(math.ceil(max(1, len(label) + len(text)) / each) for label, text in told)
        if lines * _LINE * size + 4 * len(told) <= height:
            return size
    return _SMALLEST_PT
