"""The report as Markdown, for a wiki or a repository; figures and data lie in a folder beside it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from app.domain.ports import FigureRenderer
from app.reporting.blocks import (
    MOST_INLINE_BYTES,
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    Columns,
    Document,
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
from app.reporting.render.branding import check_template, read_settable_logo
from app.reporting.render.characters import clean
from app.reporting.render.prepared import prepare
from app.reporting.request import ReportRequest

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$!&])")
_LINE_START: Final = re.compile(r"^(\s*)([-+=]|\d+[.)])(?=\s|$|[-+=])")
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'()|\\]+")


@dataclass(frozen=True)
class MarkdownReport:
    """A report and the files its links lead to.

    Attributes:
        files: name and content of each; they belong into the folder the report was made for.
    """

    text: bytes
    files: tuple[tuple[str, bytes], ...]


def render_markdown(request: ReportRequest, renderer: FigureRenderer, folder: str) -> MarkdownReport:
    """Return the report as CommonMark with tables; the same request gives the same bytes.

    Args:
        folder: name of the folder beside the report that its files will lie in.

    Raises:
        BadInput: the logo or template cannot be used.
    """
    check_template(request)
    logo = read_settable_logo(request)
    prepared = prepare(request, Medium.MARKDOWN, renderer, lambda plot: map_texts(plot, clean))
    files = [(f"figure-{number}.svg", svg) for number, svg in enumerate(prepared.figures)]
    files += [(a.name, a.content) for a in prepared.attachments if len(a.content) <= MOST_INLINE_BYTES]
    if logo is not None:
        files.append((logo.name, logo.content))
    writer = _Writer(quote(folder), {name for name, _content in files})
    text = writer.document(prepared.document, logo.name if logo else "")
    return MarkdownReport(text.encode("utf-8", "replace"), tuple(files))


class _Writer:
    """Writes one document."""

    def __init__(self, folder: str, names: set[str]) -> None:
        self._folder, self._names = folder, names

    def document(self, document: Document, logo: str) -> str:
        cover = document.cover
        parts = [f"![{_inline(document.author)}]({self._folder}/{logo})"] if logo else []
        parts += [f"# {_inline(cover.title)}"]
        parts.append("\n".join(f"- {_inline(name)}: {_inline(value)}" for name, value in cover.pairs))
        parts += [f"> **{_inline(cover.notice)}**"] if cover.notice else []
        for section in document.sections:
            parts.append(f"## {_inline(section.title)}")
            parts += self.blocks(section.blocks)
        return "\n\n".join(part for part in parts if part) + "\n"

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        return [part for block in blocks for part in self.block(block)]

    def block(self, block: Block) -> list[str]:
        match block:
            case Columns():
                return [part for column in block.columns for part in self.blocks(column)]
            case Group():
                return self.blocks(block.blocks)
            case Table():
                return self._table(block)
            case FigureBlock():
                alt = _inline(block.alt or block.caption)
                return [f"![{alt}]({self._folder}/figure-{block.index}.svg)", f"*{_inline(block.caption)}*"]
            case _:
                return _words(block)

    def _table(self, block: Table) -> list[str]:
        heads = " | ".join(_inline(column.title) or " " for column in block.columns)
        aligns = " | ".join("---:" if column.align == "right" else "---" for column in block.columns)
        rows = [" | ".join(self._cell(cell) for cell in row) for row in block.rows]
        table = "\n".join(f"| {line} |" for line in (heads, aligns, *rows))
        return [table, f"*{_inline(block.caption)}*"] if block.caption else [table]

    def _cell(self, cell: str | Cell) -> str:
        text = cell if isinstance(cell, str) else cell.text
        if isinstance(cell, Cell) and cell.mono and cell.text in self._names:
            return f"[{_inline(text)}]({self._folder}/{quote(text)})"
        return f"<{text}>" if _ADDRESS.fullmatch(text) else _inline(text)


def _words(block: Heading | Paragraph | Bullets | Tiles | Callout | VerdictBox | Fields | Code) -> list[str]:
    match block:
        case Heading():
            tag = f" · {_inline(block.tag)}" if block.tag else ""
            return [f"{'#' * (block.level + 1)} {_inline(block.text)}{tag}"]
        case Paragraph():
            label = f"**{_inline(block.label)}** " if block.label else ""
            return [label + "  \n".join(_start(_inline(line)) for line in block.text.split("\n"))]
        case Bullets():
            return ["\n".join(f"- {_inline(item)}" for item in block.items)]
        case Tiles():
            return ["\n".join(f"- {_inline(t.title)}: **{_inline(t.value)}** {_inline(t.text)}" for t in block.tiles)]
        case Callout():
            return [f"> **{_inline(block.title)}.** {_inline(block.text)}"]
        case VerdictBox():
            return [f"> **{_inline(block.word)}.** {_inline(block.text)}"]
        case Fields():
            return ["\n".join(f"- {_inline(name)}: {_inline(value)}" for name, value in block.pairs)]
        case Code():
            return ([_inline(block.title)] if block.title else []) + [_fenced(block.text)]


def _inline(text: str) -> str:
    """Return a text on one line in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(clean(text).split()))


def _start(text: str) -> str:
    """Return a line whose beginning makes no list of it."""
    return _LINE_START.sub(lambda m: f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", text)


def _fenced(text: str) -> str:
    """Return a script in a fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}sql\n{clean(text)}\n{fence}"
