"""Tables in the window: sorting, filtering and copying, over the tables that `domain.view` describes."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.view import (
    NO_VALUE,
    Cell,
    Emphasis,
    LazyRows,
    Row,
    TableContent,
)
from app.foundation.spreadsheet import as_text


def without_constants(content: TableContent) -> tuple[TableContent, str]:
    """Return a table without the columns of words that are the same in every row, and those words, for its heading.

    Columns that stand out stay, those of a table of one row but for circumstances, and a table too long to be looked
    through.
    """
    rows = content.rows
    if not rows or isinstance(rows, LazyRows):
        return content, ""
    columns = [column if len(rows) > 1 or column.is_circumstance else None for column in content.columns]
    words = [place for place, column in enumerate(columns) if place and column and not column.is_number]
    constant = [place for place in words if _says_the_same([row.cells[place] for row in rows])]
    said = [f"{content.columns[place].heading}: {rows[0].cells[place].text}" for place in constant]
    varying = content.at([place for place in range(len(content.columns)) if place not in constant])
    return varying, " · ".join(said)


def _says_the_same(cells: Sequence[Cell]) -> bool:
    first = cells[0]
    plain = bool(first.text) and first.text != NO_VALUE and first.emphasis is not Emphasis.STRONG
    return plain and all(cell.text == first.text and cell.emphasis is first.emphasis for cell in cells)


@dataclass(frozen=True)
class Sort:
    """By which column, by its key, and in which direction."""

    column: str
    descending: bool = False


@dataclass(frozen=True)
class TableLayout:
    """A person's changes to the layout of a table.

    Attributes:
        widths: column keys and their widths in pixels, in the order shown.
        sort: None for the order of the content.
    """

    widths: tuple[tuple[str, int], ...] = ()
    sort: Sort | None = None


def matches(row: Row, wanted: str) -> bool:
    """Tell whether every word of a filter occurs somewhere in a row, as shown or as copied, in any case."""
    words = wanted.casefold().split()
    if not words:
        return True
    haystack = "\n".join(f"{cell.text}\n{cell.copied}" for cell in row.cells).casefold()
    return all(word in haystack for word in words)


def arrange(content: TableContent, sort: Sort | None, wanted: str = "") -> Sequence[int]:
    """Return the positions of the rows to show, in order; equal values keep the order of the content.

    Looks at no row where nothing is sorted or filtered.
    """
    position = column_position(content, sort.column) if sort is not None else None
    if not wanted.split() and position is None:
        return range(len(content.rows))
    shown = [index for index, row in enumerate(content.rows) if matches(row, wanted)]
    if sort is None or position is None:
        return tuple(shown)
    filled = [index for index in shown if content.rows[index].cells[position].value is not None]
    missing = [index for index in shown if content.rows[index].cells[position].value is None]
    filled.sort(key=lambda index: _sort_key(content.rows[index].cells[position].value), reverse=sort.descending)
    return (*filled, *missing)


def column_position(content: TableContent, key: str) -> int | None:
    """Return where a column stands in the content, None where there is no such column."""
    return next((index for index, column in enumerate(content.columns) if column.key == key), None)


def copy_text(content: TableContent, rows: Sequence[int], columns: Sequence[int]) -> str:
    """Return rows as tab-separated lines under their headings, columns in the given order; "" for no rows."""
    if not rows:
        return ""
    lines = [[content.columns[column].heading for column in columns]]
    lines += [[content.rows[row].cells[column].copied for column in columns] for row in rows]
    return "\n".join("\t".join(as_text(_one_line(text)) for text in line) for line in lines) + "\n"


def layout_as_text(layout: TableLayout) -> str:
    """Return a layout as one line, to be kept among the preferences."""
    sort = None if layout.sort is None else [layout.sort.column, layout.sort.descending]
    return json.dumps({"widths": layout.widths, "sort": sort}, ensure_ascii=False)


def layout_from_text(text: str) -> TableLayout:
    """Return the layout kept as text, the default for whatever is unusable."""
    try:
        kept = json.loads(text)
    except ValueError:
        return TableLayout()
    return (
        TableLayout(_widths(kept.get("widths")), _sort(kept.get("sort"))) if isinstance(kept, dict) else TableLayout()
    )


def _widths(kept: object) -> tuple[tuple[str, int], ...]:
    pairs = kept if isinstance(kept, list) else []
    return tuple((pair[0], pair[1]) for pair in pairs if _is_pair(pair, str, int) and pair[1] > 0)


def _sort(kept: object) -> Sort | None:
    return Sort(kept[0], kept[1]) if isinstance(kept, list) and _is_pair(kept, str, bool) else None


def _is_pair(item: object, first: type, second: type) -> bool:
    return isinstance(item, list) and len(item) == 2 and type(item[0]) is first and type(item[1]) is second


_DIGITS: Final = re.compile(r"(\d+)")


def _sort_key(value: float | str | None) -> tuple[int, float, tuple[tuple[int, int, str], ...]]:
    """Order numbers before words, and words with the numbers in them by their size."""
    if not isinstance(value, str):
        return (0, float(value or 0), ())
    parts = _DIGITS.split(value.casefold())
    return (1, 0.0, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part))


def _one_line(text: str) -> str:
    return " ".join(text.split())
