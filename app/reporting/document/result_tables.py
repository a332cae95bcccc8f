"""Tables of results, broken up so that each fits a page."""

import math
from collections.abc import Sequence
from typing import Final

from app.domain.table import ResultTable
from app.reporting.blocks import Block, Heading
from app.reporting.printed import printed
from app.reporting.tables.measured import LABELS, measured_table

# A value takes about an eighth of the page's width, with its ends on a line of their own below it.
_VALUES_PER_TABLE: Final = 5


def table_blocks(tables: Sequence[ResultTable]) -> list[Block]:
    """Return every table with a heading, in parts of a few columns; the names of rows are repeated in every part."""
    blocks: list[Block] = []
    for table in tables:
        blocks.append(Heading(table.title, minor=True))
        content = measured_table(table)
        values = range(LABELS, len(table.columns))
        count = max(1, math.ceil(len(values) / _VALUES_PER_TABLE))
        each = max(1, math.ceil(len(values) / count))  # no part of one column behind a full one
        parts = [values[i : i + each] for i in range(0, len(values), each)]
        for part in parts:
            note = table.note if part is parts[-1] else ""
            blocks.append(printed(content.at([*range(LABELS), *part]), note))
    return blocks
