"""Tables of results as the field prints them, broken up so that each fits a page."""

from collections.abc import Sequence
from typing import Final

from app.domain.table import ResultTable, TableCell, TableColumn
from app.domain.units import unit_word
from app.foundation.texts import _
from app.reporting.blocks import Block, Column, Heading, Table
from app.reporting.numbers import number

# A value with its interval takes about a sixth of the page's width.
_VALUES_PER_TABLE: Final = 4
_LABELS: Final = 2  # columns that say what a row is, repeated in every part


def table_blocks(tables: Sequence[ResultTable]) -> list[Block]:
    """Return every table with a heading, in parts of a few columns."""
    blocks: list[Block] = []
    for table in tables:
        blocks.append(Heading(table.title, minor=True))
        positions = range(_LABELS, len(table.columns))
        parts = [positions[i : i + _VALUES_PER_TABLE] for i in range(0, len(positions), _VALUES_PER_TABLE)]
        for index, part in enumerate(parts):
            is_last = index == len(parts) - 1
            blocks.append(_part(table, [*range(_LABELS), *part], table.note if is_last else ""))
    return blocks


def _part(table: ResultTable, positions: Sequence[int], note: str) -> Table:
    columns = tuple(
        Column(_title(table.columns[p]), "left" if _is_text(table, p) else "right", 0 if p < _LABELS else 1)
        for p in positions
    )
    rows = tuple(tuple(cell_text(row[p]) for p in positions) for row in table.rows)
    return Table(columns, rows, caption=note, small=True)


def _is_text(table: ResultTable, position: int) -> bool:
    return all(isinstance(row[position], str) for row in table.rows)


def _title(column: TableColumn) -> str:
    return f"{column.title} ({unit_word(column.unit)})" if column.unit else column.title


def cell_text(cell: TableCell | str) -> str:
    """Return a value, with its interval in brackets where it has one."""
    if isinstance(cell, str):
        return cell
    if cell.low is None or cell.high is None:
        return _number(cell.value, abs(cell.value))
    # One number of decimals within a cell: that of the largest value, so that its ends compare at a glance.
    size = max(map(abs, (cell.value, cell.low, cell.high)))
    value, low, high = (_number(shown, size) for shown in (cell.value, cell.low, cell.high))
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)


def _number(value: float, size: float) -> str:
    if size >= 100:
        return number(round(value))
    return number(round(float(value), 2 if size >= 1 else 3))
