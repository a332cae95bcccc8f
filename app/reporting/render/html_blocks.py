"""One function for each kind of block, as HTML; every text is escaped, nothing a user wrote is ever markup."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from app.domain.comparison import Verdict
from app.domain.view import SIGNS
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
    Paragraph,
    Table,
    Tiles,
    VerdictBox,
)
from app.reporting.render.characters import clean

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"']+")


@dataclass(frozen=True)
class HtmlContext:
    """The figures and attachments that blocks refer to.

    Attributes:
        figures: inline SVG of each plot.
        links: address that saves an attachment, by its name.
    """

    figures: Sequence[str]
    links: Mapping[str, str]


def text_html(text: str) -> str:
    """Return a text as HTML; an address that stands alone becomes a link."""
    shown = escape(clean(text))
    return f'<a href="{shown}" rel="noopener">{shown}</a>' if _ADDRESS.fullmatch(text) else shown


def block_html(block: Block, context: HtmlContext, anchors: Mapping[int, str]) -> str:
    """Return one block.

    Args:
        anchors: id of a heading by its `id()`, for those in the contents.
    """
    match block:
        case Heading():
            return _heading(block, anchors.get(id(block), ""))
        case Columns():
            return _columns(block, context, anchors)
        case Group():
            return f'<div class="group">{blocks_html(block.blocks, context, anchors)}</div>'
        case Table():
            return _table(block, context)
        case Tiles():
            return _tiles(block)
        case FigureBlock():
            caption = f"<figcaption>{text_html(block.caption)}</figcaption>"
            return f"<figure>{context.figures[block.index]}{caption}</figure>"
        case _:
            return _words_html(block)


def _words_html(block: Paragraph | Bullets | Callout | VerdictBox | Fields | Code) -> str:
    match block:
        case Paragraph():
            return _paragraph(block)
        case Bullets():
            items = "".join(f"<li>{text_html(item)}</li>" for item in block.items)
            return f"<ul{' class=small' if block.small else ''}>{items}</ul>"
        case Callout():
            title, text = text_html(block.title), text_html(block.text)
            return f'<div class="box {block.tone}" role="note"><b>{title}.</b> {text}</div>'
        case VerdictBox():
            word = _verdict(block.verdict, block.word + ".")
            return f'<div class="box verdict {block.verdict.value}">{word} {text_html(block.text)}</div>'
        case Fields():
            return _fields(block)
        case Code():
            title = f'<p class="small">{text_html(block.title)}</p>' if block.title else ""
            return f'{title}<pre tabindex="0"><code>{escape(clean(block.text))}</code></pre>'


def blocks_html(blocks: Sequence[Block], context: HtmlContext, anchors: Mapping[int, str]) -> str:
    """Return blocks, one below the other."""
    return "\n".join(block_html(block, context, anchors) for block in blocks)


def _heading(block: Heading, anchor: str) -> str:
    level = block.level + 1  # the page's title is the first level, a section's the second
    classes = " ".join(name for name, is_so in (("minor", block.minor), ("page", block.new_page)) if is_so)
    attributes = (f' class="{classes}"' if classes else "") + (f' id="{anchor}"' if anchor else "")
    tag = f' <span class="tag">· {text_html(block.tag)}</span>' if block.tag else ""
    return f"<h{level}{attributes}>{text_html(block.text)}{tag}</h{level}>"


def _paragraph(block: Paragraph) -> str:
    label = f'<span class="label">{text_html(block.label)}</span> ' if block.label else ""
    body = "<br>".join(text_html(line) for line in block.text.split("\n"))
    return f"<p{' class=quiet' if block.quiet else ''}>{label}{_linked(body, block.link)}</p>"


def _linked(shown: str, anchor: str) -> str:
    return f'<a href="#{anchor}">{shown}</a>' if anchor else shown


def _verdict(verdict: Verdict, word: str) -> str:
    return f'<b><span aria-hidden="true">{SIGNS[verdict]}</span> {text_html(word)}</b>'


def _table(block: Table, context: HtmlContext) -> str:
    aligns = [' class="right"' if column.align == "right" else "" for column in block.columns]
    heads = "".join(
        f'<th scope="col"{align}>{text_html(c.title)}</th>' for c, align in zip(block.columns, aligns, strict=True)
    )
    rows = "\n".join(f"<tr>{_row(row, aligns, context)}</tr>" for row in block.rows)
    caption = f"<caption>{text_html(block.caption)}</caption>" if block.caption else ""
    size = ' class="small"' if block.small else ""
    return (
        f'<div class="scroll" tabindex="0"><table{size}>{caption}<thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(row: Sequence[str | Cell], aligns: Sequence[str], context: HtmlContext) -> str:
    return "".join(f"<td{align}>{_cell(cell, context)}</td>" for cell, align in zip(row, aligns, strict=True))


def _cell(cell: str | Cell, context: HtmlContext) -> str:
    if isinstance(cell, str):
        return text_html(cell)
    if cell.verdict is not None:
        return f'<span class="{cell.verdict.value}">{_verdict(cell.verdict, cell.text)}</span>'
    if cell.mono:
        code = f"<code>{escape(clean(cell.text))}</code>"
        link = context.links.get(cell.text)
        return f'<a download="{escape(cell.text)}" href="{escape(link)}">{code}</a>' if link else code
    return _linked(text_html(cell.text), cell.link)


def _tiles(block: Tiles) -> str:
    parts = (
        f'<div class="tile{" good" if tile.is_gain else ""}"><span class="small quiet">{text_html(tile.title)}</span>'
        f'<b>{text_html(tile.value)}</b><span class="small quiet">{text_html(tile.text)}</span></div>'
        for tile in block.tiles
    )
    return f'<div class="tiles">{"".join(parts)}</div>'


def _fields(block: Fields) -> str:
    classes = "small two" if block.columns == 2 else "small"
    pairs = "".join(f"<dt>{text_html(name)}</dt><dd>{text_html(value)}</dd>" for name, value in block.pairs)
    return f'<dl class="{classes}">{pairs}</dl>'


def _columns(block: Columns, context: HtmlContext, anchors: Mapping[int, str]) -> str:
    ratios = block.ratios or (1.0,) * len(block.columns)
    parts = (
        f'<div style="flex: {ratio:g} 1 0">{blocks_html(column, context, anchors)}</div>'
        for column, ratio in zip(block.columns, ratios, strict=True)
    )
    return f'<div class="columns">{"".join(parts)}</div>'
