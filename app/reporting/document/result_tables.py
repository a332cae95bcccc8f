"""Tables of results, broken up so that each fits a page."""

from collections.abc import Sequence
from typing import Final

from app.domain.table import ResultTable
from app.reporting.blocks import Block, Heading
from app.reporting.printed import printed
from app.reporting.tables.measured import LABELS, measured_table

# A value with its interval takes about a sixth of the page's width.
_VALUES_PER_TABLE: Final = 4


def table_blocks(tables: Sequence[ResultTable]) -> list[Block]:
    """Return every table with a heading, in parts of a few columns; the names of rows are repeated in every part."""
    blocks: list[Block] = []
    for table in tables:
        blocks.append(Heading(table.title, minor=True))
        content = measured_table(table)
        values = range(LABELS, len(table.columns))
        parts = [values[i : i + _VALUES_PER_TABLE] for i in range(0, len(values), _VALUES_PER_TABLE)]
        for part in parts:
            note = table.note if part is parts[-1] else ""
            blocks.append(printed(content.at([*range(LABELS), *part]), note))
    return blocks
