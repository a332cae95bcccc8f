"""Tables as they are shown, described once: window, report, terminal and CSV each show the columns meant for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, overload

from app.domain.comparison import Verdict
from app.domain.units import is_counted, unit_word
from app.foundation.texts import local_number

NO_VALUE: Final = "–"
"""Shown where a number is not known or does not exist."""


class View(StrEnum):
    """Where people see a table; a file for programs names the columns it holds."""

    WINDOW = "window"
    REPORT = "report"
    TERMINAL = "terminal"


EVERYWHERE: Final = frozenset(View)
ON_TERMINAL: Final = frozenset({View.TERMINAL})
FOR_PROGRAMS: Final[frozenset[View]] = frozenset()
"""Of a column that only files hold."""

SIGNS: Final = {
    Verdict.IMPROVEMENT: "✓",
    Verdict.WORSE: "✗",
    Verdict.NO_DIFFERENCE: "=",
    Verdict.CANNOT_TELL: "…",
}
"""Signs of the verdicts where there is no room for an icon."""


class Emphasis(StrEnum):
    """How a cell stands out: never by colour alone."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: stable name, unique in its table; layouts are kept by it.
        title: heading, without the unit.
        unit: unit of every number in it, "" for none or where units differ by row.
        is_number: right-aligned.
        hint: one sentence on what it shows.
        room_for: a text it is wide enough for, where its contents come later; "" for none.
        width: its share of the free width on paper, 0 takes what the content needs.
        views: where people see it.
        is_interval: the spans of its cells are drawn as bars on one axis, where there is room.
        is_circumstance: it says when a row holds rather than what: above the table where all rows, or the one, say it.
    """

    key: str
    title: str
    unit: str = ""
    is_number: bool = False
    hint: str = ""
    room_for: str = ""
    width: float = 0
    views: frozenset[View] = EVERYWHERE
    is_circumstance: bool = False
    is_interval: bool = False

    @property
    def heading(self) -> str:
        """Title and unit, as shown and copied; the title alone where it names the unit counted."""
        unit = unit_word(self.unit)
        says_unit = is_counted(self.unit) and unit.casefold() in self.title.casefold().split()
        return f"{self.title} ({unit})" if unit and not says_unit else self.title


@dataclass(frozen=True)
class Span:
    """An interval of a ratio, to be drawn: 0.6 for 40 % less; all are positive and finite.

    Attributes:
        least: smallest change worth acting on, as a share, 0 for none.
    """

    low: float
    middle: float
    high: float
    least: float
    verdict: Verdict


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: as shown.
        value: what it is sorted by, and what a file for programs holds; None where there is no value, which is sorted
            last in either direction.
        copied: as put on the clipboard: numbers without grouping, so that a spreadsheet reads them.
        emphasis: how it stands out.
        hint: one sentence for a tool tip, "" for none.
        verdict: the text is this verdict in words, and its sign stands before it.
        span: the interval told by the text, None for none.
    """

    text: str
    value: float | str | None
    copied: str
    emphasis: Emphasis = Emphasis.PLAIN
    hint: str = ""
    verdict: Verdict | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Row:
    """One row: a key that is unique in its table, and one cell for each column."""

    key: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class TableContent:
    """Everything a table shows; many rows may be `LazyRows`."""

    columns: tuple[Column, ...]
    rows: Sequence[Row] = ()

    def key_at(self, place: int) -> str:
        """Return the key of the row at a place, without making the row."""
        return self.rows.keys[place] if isinstance(self.rows, LazyRows) else self.rows[place].key

    def in_view(self, view: View) -> "TableContent":
        """Return the columns and rows shown in a view."""
        return self.at([place for place, column in enumerate(self.columns) if view in column.views])

    def only(self, *keys: str) -> "TableContent":
        """Return the columns of these keys, in this order; one that the table does not have is left out."""
        places = {column.key: place for place, column in enumerate(self.columns)}
        return self.at([places[key] for key in keys if key in places])

    def at(self, places: Sequence[int]) -> "TableContent":
        """Return the columns at these places, in this order."""
        if list(places) == list(range(len(self.columns))):
            return self

        def cut(row: Row) -> Row:
            return Row(row.key, tuple(row.cells[place] for place in places))

        rows = self.rows
        columns = tuple(self.columns[place] for place in places)
        if isinstance(rows, LazyRows):
            return TableContent(columns, LazyRows(rows.keys, lambda place: cut(rows[place])))
        return TableContent(columns, tuple(map(cut, rows)))


class LazyRows(Sequence[Row]):
    """Rows made when they are first looked at: of ten thousand, a table on screen looks at some twenty.

    Attributes:
        keys: of all rows, in order.
    """

    def __init__(self, keys: Sequence[str], make: Callable[[int], Row]) -> None:
        """Prepare the rows.

        Args:
            keys: of all rows, in order.
            make: returns the row at a place, always the same one, with the key of that place.
        """
        self.keys = keys
        self._rows: list[Row | None] = [None] * len(keys)
        self._make = make

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...

    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        row = self._rows[place]
        if row is None:
            row = self._rows[place] = self._make(place % len(self._rows))
        return row


def valued_cell(text: str, value: float | str | None, *, hint: str = "") -> Cell:
    """Return a cell with words for people and a value for programs."""
    return Cell(text, value, text, hint=hint)


def typed_cell(text: str, typed: str, *, hint: str = "") -> Cell:
    """Return a cell whose value is read in groups of three, and copied and kept as it is typed."""
    return Cell(text, typed, typed, hint=hint)


def file_column(key: str) -> Column:
    """Return a column that only files hold."""
    return Column(key, key, views=FOR_PROGRAMS)


def data_cell(value: float | str | None) -> Cell:
    """Return a cell of a column that only programs read."""
    text = "" if value is None else str(value)
    return Cell(text, value, text)


def text_cell(text: str, *, emphasis: Emphasis = Emphasis.PLAIN, hint: str = "") -> Cell:
    """Return a cell of words; sorted as people count ("Sales2" before "Sales10"), an empty one last."""
    return Cell(text, text or None, text, emphasis, hint)


def number_cell(value: float | None, decimals: int = 0, *, emphasis: Emphasis = Emphasis.PLAIN, hint: str = "") -> Cell:
    """Return a cell of a number, in groups of three as shown, without them as copied; None shows that there is none."""
    if value is None:
        return Cell(NO_VALUE, None, "", emphasis, hint)
    return Cell(local_number(f"{value:,.{decimals}f}"), value, local_number(f"{value:.{decimals}f}"), emphasis, hint)
