"""Tables on a terminal: columns below each other, numbers to the right."""

from collections.abc import Sequence

from app.domain.view import TableContent, View
from app.foundation.terminal_text import for_terminal

_BETWEEN = "  "


def table_lines(content: TableContent, indent: str = "  ") -> list[str]:
    """Return a table under its headings, [] for one without rows."""
    if not content.rows:
        return []
    shown = content.in_view(View.TERMINAL)
    lines = [[column.heading for column in shown.columns]]
    lines += [[for_terminal(" ".join(cell.text.split())) for cell in row.cells] for row in shown.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    is_right = [column.is_number for column in shown.columns]
    return [indent + _line(line, widths, is_right) for line in lines]


def _line(texts: Sequence[str], widths: Sequence[int], is_right: Sequence[bool]) -> str:
    padded = (
        text.rjust(width) if right else text.ljust(width)
        for text, width, right in zip(texts, widths, is_right, strict=True)
    )
    return _BETWEEN.join(padded).rstrip()
