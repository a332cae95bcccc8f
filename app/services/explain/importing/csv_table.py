"""CSV as rows: commas, semicolons or tabs, quoted fields, and the habits of spreadsheets."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.headings import KnownColumns
from app.services.explain.importing.source_text import SourceText
from app.services.explain.importing.table import Row, Table

_LINE_WITH_WORDS: Final = re.compile(r"[^\r\n]*\w[^\r\n]*")
# Excel writes this first line so that it opens the file again with the same separator.
_SEPARATOR_LINE: Final = re.compile(r'"?sep=[,;\t]"?')


def read_csv(source: SourceText, columns: KnownColumns) -> Table:
    """Return a CSV file as a table.

    Raises:
        BadInput: its headings cannot be used, or a line cannot be split into a field for each of them.
    """
    delimiter = _delimiter_of(source.text)
    records = _records(source, delimiter)
    heading_line, fields = next(records, (0, []))
    width = len(fields)
    while width and not fields[width - 1].strip():
        width -= 1  # a delimiter at the end of every line
    if not width:
        raise BadInput(_("{file} holds no headings; its first line must name the columns").format(file=source.file))
    headings = columns.match(source, [field.strip() for field in fields[:width]], heading_line)
    rows: list[Row] = []
    for line, cells in records:
        _check_width(source, line, cells, width, len(fields))
        rows.append(Row(line, dict(zip(headings, map(str.strip, cells), strict=False))))
    return Table(source, headings, tuple(rows), delimiter)


def _delimiter_of(text: str) -> str:
    """Return the delimiter that stands most often in the first line with words, which Excel's own line is as well."""
    line = _LINE_WITH_WORDS.search(text)
    return max(",;\t", key=line.group().count if line else text.count)


def _records(source: SourceText, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that holds more than spaces and delimiters, with the line it begins on."""
    lines = io.StringIO(source.text, newline="")
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t")
    line = 1
    try:
        for cells in reader:
            is_separator_line = line == 1 and _SEPARATOR_LINE.fullmatch(delimiter.join(cells).strip())
            if not is_separator_line and any(map(str.strip, cells)):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        sentence = _("the fields cannot be told apart ({reason}); check the quotes there").format(reason=error)
        raise source.refusal(sentence, line) from error


def _check_width(source: SourceText, line: int, cells: Sequence[str], headings: int, fields: int) -> None:
    """Raise BadInput where a row has more or fewer fields than the headings, or holds something below none of them."""
    if len(cells) not in (headings, fields):
        sentence = _(
            "there are {found} fields but {wanted} headings; check the delimiters "
            "(a number with a decimal comma needs quotes, or semicolons between the fields)"
        )
        raise source.refusal(sentence.format(found=len(cells), wanted=headings), line)
    if any(map(str.strip, cells[headings:])):
        sentence = _("field {field} has no heading; name the column or empty the field")
        raise source.refusal(sentence.format(field=headings + 1), line)
