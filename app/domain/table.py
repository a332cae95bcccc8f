"""Tables of results as data: shown in the report and in the window, and written as JSON, from the same description."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TableColumn:
    """One column.

    Attributes:
        key: its name in JSON. unit: "" where its values are texts or have none.
    """

    key: str
    title: str
    unit: str = ""


@dataclass(frozen=True)
class TableCell:
    """One value with the ends of its 95 % interval, None where there is none.

    Attributes:
        is_range: the ends are those of the values it is the median of, and no interval.
    """

    value: float
    low: float | None = None
    high: float | None = None
    is_range: bool = False


@dataclass(frozen=True)
class ResultTable:
    """A table.

    Attributes:
        table_id: unique within its session; starts with the family id.
        note: what a reader must know of it, one or two sentences, or "".
        rows: as many cells as there are columns; a text for a heading of a row.
    """

    table_id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[TableCell | str, ...], ...]
    note: str = ""
