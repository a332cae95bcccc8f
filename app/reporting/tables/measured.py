"""Tables of results as the field prints them: values with their intervals, units in the headings."""

from typing import Final

from app.domain.setting import label_text
from app.domain.table import ResultTable, TableCell
from app.domain.view import Cell, Column, Row, TableContent, typed_cell
from app.foundation.texts import _, local_number
from app.reporting.numbers import number

LABELS = 2
"""Columns that say what a row is; the others take what is left of the page's width."""

_NO_BREAK: Final = "\u00a0"


def measured_table(table: ResultTable, *, fits: bool = True) -> TableContent:
    """Return a table of measures beyond the comparisons.

    Args:
        fits: medians have room for their lowest and highest, which stand in the full text of a cell otherwise.
    """
    texts = {place for place in range(len(table.columns)) if any(isinstance(row[place], str) for row in table.rows)}
    numbers = {place for row in table.rows for place, cell in enumerate(row) if isinstance(cell, TableCell)}
    columns = tuple(
        Column(
            column.key,
            column.title,
            column.unit,
            is_number=place in numbers or place not in texts,
            width=0 if place < LABELS else 1,
        )
        for place, column in enumerate(table.columns)
    )
    rows = (tuple(_cell(cell, fits=fits) for cell in row) for row in table.rows)
    return TableContent(columns, tuple(Row(f"{n}", row) for n, row in enumerate(rows)))


def _cell(cell: TableCell | str, *, fits: bool) -> Cell:
    """Return a value with its ends behind it, which go on a line of their own together where a column is narrow."""
    if isinstance(cell, str):
        return typed_cell(label_text(cell), cell)  # a row is named by a setting, or in words
    if cell.low is None or cell.high is None:
        return Cell(_number(cell.value, abs(cell.value)), cell.value, local_number(f"{cell.value:.10g}"))
    # One number of decimals within a cell: that of the largest value, so that its ends compare at a glance.
    size = max(map(abs, (cell.value, cell.low, cell.high)))
    value, low, high = (_number(shown, size) for shown in (cell.value, cell.low, cell.high))
    ends = _("({low} to {high})").format(low=low, high=high).replace(" ", _NO_BREAK)
    text = f"{value} {ends}" if fits or not cell.is_range else value
    return Cell(text, cell.value, f"{value} {ends}".replace(_NO_BREAK, " "))


def _number(value: float, size: float) -> str:
    if size >= 100:
        return number(round(value))
    return number(round(float(value), 2 if size >= 1 else 3))
