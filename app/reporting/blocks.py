"""The report as data: sections of blocks, each laid out by the template, none of them markup."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from app.domain.comparison import Verdict

Align = Literal["left", "right"]
Tone = Literal["good", "bad", "warn", "info"]


@dataclass(frozen=True)
class Heading:
    """A heading below the section's own.

    Attributes:
        level: 2, or 3 below another heading of the section; none may be skipped (PDF/UA-1).
        minor: set small, and not in the contents.
        tag: what tells it from another heading of the same text; set quietly after it, in the contents as well.
        anchor: what links lead here, unique in the report; "" for none.
    """

    text: str
    level: int = 2
    minor: bool = False
    tag: str = ""
    new_page: bool = False
    anchor: str = ""
    kind: str = "heading"


@dataclass(frozen=True)
class Paragraph:
    """One paragraph; `label` is set bold before it, and `link` is the anchor that it leads to."""

    text: str
    label: str = ""
    quiet: bool = False
    link: str = ""
    kind: str = "paragraph"


@dataclass(frozen=True)
class Bullets:
    """A list of short texts."""

    items: tuple[str, ...]
    small: bool = False
    kind: str = "bullets"


@dataclass(frozen=True)
class Tile:
    """One of the few figures a manager looks for: its name, its value in large type, its explanation."""

    title: str
    value: str
    text: str
    is_gain: bool = False


@dataclass(frozen=True)
class Tiles:
    """Tiles side by side."""

    tiles: tuple[Tile, ...]
    kind: str = "tiles"


@dataclass(frozen=True)
class Callout:
    """A coloured box for a text that must not be overlooked."""

    tone: Tone
    title: str
    text: str
    kind: str = "callout"


@dataclass(frozen=True)
class VerdictBox:
    """A verdict as icon, word and colour, with the number behind it."""

    verdict: Verdict
    word: str
    text: str
    kind: str = "verdict"


@dataclass(frozen=True)
class Cell:
    """A table cell that is more than plain text: a verdict with its icon, text in the fixed-width font, or a link.

    Attributes:
        link: the anchor that it leads to, "" for none.
    """

    text: str
    verdict: Verdict | None = None
    mono: bool = False
    link: str = ""


@dataclass(frozen=True)
class Column:
    """A table column; `width` is a share of the free width, 0 takes the width of the content."""

    title: str
    align: Align = "left"
    width: float = 0


@dataclass(frozen=True)
class Table:
    """A table; every row has one cell for each column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    caption: str = ""
    small: bool = False
    kind: str = "table"


@dataclass(frozen=True)
class Fields:
    """Pairs of a name and a value, in one or two columns."""

    pairs: tuple[tuple[str, str], ...]
    columns: int = 1
    kind: str = "fields"


def fields(pairs: Iterable[tuple[str, str]], columns: int = 1) -> Fields:
    """Return pairs as fields, the values of one name together."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return Fields(tuple((name, "; ".join(told)) for name, told in values.items()), columns)


@dataclass(frozen=True)
class FigureBlock:
    """A figure by the index of its plot, with the text for a reader who cannot see it; `width` is a share."""

    index: int
    caption: str
    alt: str
    width: float = 1.0
    kind: str = "figure"


@dataclass(frozen=True)
class Code:
    """A script, as it is."""

    text: str
    title: str = ""
    kind: str = "code"


@dataclass(frozen=True)
class Columns:
    """Blocks side by side; `ratios` are the shares of the columns' widths, () for equal ones."""

    columns: tuple[tuple["Block", ...], ...]
    ratios: tuple[float, ...] = ()
    kind: str = "columns"


@dataclass(frozen=True)
class Group:
    """Blocks that stay together on one page."""

    blocks: tuple["Block", ...]
    kind: str = "group"


Block = (
    Heading | Paragraph | Bullets | Tiles | Callout | VerdictBox | Table | Fields | FigureBlock | Code | Columns | Group
)


class Medium(StrEnum):
    """The format of a report, which decides where its attachments are."""

    PDF = "pdf"
    HTML = "html"
    MARKDOWN = "markdown"


# A browser keeps every attachment of a page in memory, and a wiki takes no log of statements of a hundred megabytes:
# larger ones are left to the PDF.
MOST_INLINE_BYTES: Final = 1_000_000


class Start(StrEnum):
    """Where a section begins; one on a new page still follows on a page that is less than half full."""

    NEW_PAGE = "new_page"
    FOLLOWS = "follows"


@dataclass(frozen=True)
class Section:
    """One section, under a heading of its own."""

    title: str
    blocks: tuple[Block, ...]
    start: Start = Start.FOLLOWS


@dataclass(frozen=True)
class Cover:
    """The head of the first page: whose report it is, for whom, of when."""

    title: str
    pairs: tuple[tuple[str, str], ...]
    notice: str = ""


@dataclass(frozen=True)
class Attachment:
    """A file inside the PDF.

    Attributes:
        relation: PDF's AFRelationship: "data", "source" or "supplement".
    """

    name: str
    content: bytes
    mime: str
    description: str
    relation: str = "data"


@dataclass(frozen=True)
class Document:
    """The whole report, before it is set."""

    title: str
    author: str
    header: str
    footer: str
    contents_title: str
    page_word: str
    cover: Cover
    sections: tuple[Section, ...]
