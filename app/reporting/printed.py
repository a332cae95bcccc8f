"""Tables on paper: a table of `domain.view` as a block of a report."""

from app.domain import view
from app.reporting.blocks import Cell, Column, Table


def printed(content: view.TableContent, caption: str = "") -> Table:
    """Return a table as a report shows it."""
    shown = content.in_view(view.View.REPORT)
    columns = tuple(
        Column(column.heading, "right" if column.is_number else "left", column.width) for column in shown.columns
    )
    rows = tuple(tuple(map(_cell, row.cells)) for row in shown.rows)
    return Table(columns, rows, caption=caption, small=True)


def _cell(cell: view.Cell) -> str | Cell:
    return cell.text if cell.verdict is None else Cell(cell.text, verdict=cell.verdict)
