"""CSV as rows: commas, semicolons or tabs, quoted fields, and the habits of spreadsheets."""

import csv
import re
from collections.abc import Callable, Iterator
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText
from app.services.explain.importing.table import Row, Table

_DELIMITERS: Final = (",", ";", "\t")
# Excel writes this first line so that it opens the file again with the same separator.
_SEPARATOR_LINE: Final = re.compile(r'"?sep=[,;\t]"?')


def open_csv(source: SourceText, is_known: Callable[[str], bool]) -> Table:
    """Return a CSV file as a table.

    Args:
        source: the text.
        is_known: tells whether a heading is one; the delimiter that yields most of them is the file's.

    Raises:
        BadInput: there are no headings, or the first line cannot be split into fields.
    """
    delimiter = _delimiter_of(source, is_known)
    for line, cells in _records(source, delimiter):
        width = len(cells)
        while width and not cells[width - 1].strip():
            width -= 1  # a delimiter at the end of every line
        headings = tuple(cell.strip() for cell in cells[:width])

        def rows(heading_line: int = line, named: int = width, fields: int = len(cells)) -> Iterator[Row]:
            return _rows(source, delimiter, heading_line, named, fields)

        return Table(source.file, headings, line, delimiter, source.encoding, rows)
    raise BadInput(_("{file} holds no headings; its first line must name the columns").format(file=source.file))


def _delimiter_of(source: SourceText, is_known: Callable[[str], bool]) -> str:
    """Return the delimiter that splits the headings into most known names, then into most fields."""

    def score(delimiter: str) -> tuple[int, int]:
        try:
            _line, cells = next(_records(source, delimiter), (0, []))
        except BadInput:
            return 0, 1
        return sum(is_known(cell) for cell in cells), len(cells)

    return max(_DELIMITERS, key=score)


def _records(source: SourceText, delimiter: str) -> Iterator[Row]:
    """Yield each record that holds anything, with the line it begins on."""
    reader = csv.reader(source.lines(), delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t")
    line = 1
    try:
        for cells in reader:
            # The first cell is looked at here because a call for each of a million rows takes long.
            if ((cells and cells[0].strip()) or _holds_anything(cells)) and not (
                line == 1 and _is_separator_line(cells, delimiter)
            ):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(
            _("{file}, line {line}: the fields cannot be told apart ({reason}); check the quotes there").format(
                file=source.file, line=line, reason=error
            )
        ) from error


def _holds_anything(cells: list[str]) -> bool:
    """Return whether a record is more than an empty line or a line of delimiters, which spreadsheets leave behind."""
    return any(cell.strip() for cell in cells)


def _is_separator_line(cells: list[str], delimiter: str) -> bool:
    return _SEPARATOR_LINE.fullmatch(delimiter.join(cells).strip()) is not None


def _rows(source: SourceText, delimiter: str, heading_line: int, named: int, fields: int) -> Iterator[Row]:
    """Yield the rows below the headings, without the cells of unnamed columns at the end, which must be empty."""
    for line, cells in _records(source, delimiter):
        if line <= heading_line:
            continue
        if len(cells) != named:
            _check_width(source.file, line, cells, named, fields)
            cells = cells[:named]
        yield line, cells


def _check_width(file: str, line: int, cells: list[str], named: int, fields: int) -> None:
    """Raise BadInput where a row has more or fewer fields than the headings, or holds something in an unnamed one."""
    if len(cells) not in (named, fields):
        raise BadInput(
            _(
                "{file}, line {line}: there are {found} fields but {wanted} headings; check the delimiters "
                "(a number with a decimal comma needs quotes, or semicolons between the fields)"
            ).format(file=file, line=line, found=len(cells), wanted=named)
        )
    if any(cell.strip() for cell in cells[named:]):
        raise BadInput(
            _("{file}, line {line}: field {field} stands below no heading; name the column or empty it").format(
                file=file, line=line, field=named + 1
            )
        )
