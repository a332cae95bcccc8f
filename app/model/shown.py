"""Tables of records: a field that declares its title is a column, wherever its record is listed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from app.domain.units import convert_known
from app.domain.view import EVERYWHERE, Cell, Column, Row, TableContent, View, number_cell, text_cell
from app.foundation.texts import _
from app.model.reading import fields_of, unit_of

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Shown:
    """A field's title above its column, and the form of its values.

    Attributes:
        unit: of a number, where it is not the one the field's name ends with; decimals: how exactly it is told.
        width, views: as of `Column`.
        text: returns the words for a value that is no number; without it a text stands as it is.
        before: field whose column it stands before; "" for the order of the fields, which is that of files.
    """

    title: str
    unit: str = ""
    decimals: int = 0
    width: float = 0
    views: frozenset[View] = EVERYWHERE
    text: Callable[[Any], str] | None = None
    before: str = ""

    def cell(self, value: Any, own_unit: str) -> Cell:
        """Return the cell of a value that is in the unit of its field."""
        if self.text is not None:
            return text_cell(self.text(value))
        if isinstance(value, bool):
            return text_cell(_("yes") if value else _("no"))
        if isinstance(value, str):
            return text_cell(value)
        return number_cell(convert_known(value, own_unit, self.unit or own_unit), self.decimals)


def table_of(record: Any, items: Iterable[_Item], key: Callable[[_Item], str]) -> TableContent:
    """Return a table with a column for each field of a record that declares how it is shown.

    Args:
        key: returns that of an item's row, unique in the table.
    """
    shown = _columns_of(record)
    columns = tuple(
        Column(name, mark.title, mark.unit or unit_of(name), is_number, width=mark.width, views=mark.views)
        for name, mark, is_number in shown
    )
    rows = (
        Row(key(item), tuple(mark.cell(getattr(item, name), unit_of(name)) for name, mark, _is_number in shown))
        for item in items
    )
    return TableContent(columns, tuple(rows))


def _columns_of(record: Any) -> list[tuple[str, Shown, bool]]:
    columns = [(f.name, mark, f.is_number) for f in fields_of(record) for mark in f.marks if isinstance(mark, Shown)]
    for column in [column for column in columns if column[1].before]:
        columns.remove(column)
        columns.insert([name for name, _mark, _is_number in columns].index(column[1].before), column)
    return columns


def with_column(
    table: TableContent, column: Column, cells: Iterable[Cell], *, place: int | None = None
) -> TableContent:
    """Return a table with one more column, at its end where no place is named."""
    at = len(table.columns) if place is None else place
    rows = (Row(row.key, (*row.cells[:at], cell, *row.cells[at:])) for row, cell in zip(table.rows, cells, strict=True))
    return TableContent((*table.columns[:at], column, *table.columns[at:]), tuple(rows))
