"""A measurement file as rows of texts by column, whether it is CSV or JSON.

CSV has commas, semicolons, tabs or pipes, quoted fields, and the habits of spreadsheets and of tools that print tables:
a title above the headings, a line of dashes below them, "(6 rows affected)" at the end. JSON is
`{"measurements": [{…}], "notes": [...]}` with the same keys as the columns of a CSV file, or its list alone.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from app.domain.errors import BadInput
from app.foundation.spreadsheet import as_given
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText, quotable

_LINE_WITH_WORDS: Final = re.compile(r"[^\r\n]*\w[^\r\n]*")
# Excel writes this first line so that it opens the file again with the same separator.
_SEPARATOR_LINE: Final = re.compile(r'"?sep=[,;\t]"?')
_DELIMITERS: Final = ",;\t|"
_ENTRIES: Final = "measurements"
_NOTES: Final = "notes"

# What tools write below a table.
_TOOL_LINE: Final = re.compile(
    r"\(?\d+ (?:rows?|zeilen?) (?:affected|selected|betroffen|ausgewählt)\.?\)?|(?:completion time|abschlusszeit): .*",
    re.IGNORECASE,
)
_DASHES: Final = re.compile(r":?-{2,}:?")
# What a row of means is called where it holds nothing else.
_SUMMARY: Final = frozenset(
    {"average", "avg", "mean", "median", "mittel", "mittelwert", "durchschnitt", "total", "sum"}
)
# Words for "no value" that databases and spreadsheets write.
_NO_VALUE: Final = frozenset({"null", "(null)", "n/a", "#n/a", "na", "-", "–"})
_AS_WRITTEN: Final = frozenset(spelt for word in _NO_VALUE for spelt in (word, word.upper(), word.capitalize()))
_MOST_TITLE_LINES: Final = 10

IsHeading: TypeAlias = Callable[[Sequence[str]], bool]
"""Tells whether fields name columns."""

NamesOf: TypeAlias = Callable[[SourceText, Sequence[str], int], dict[str, str]]
"""Returns the headings of a file, which stand in a line (0 for keys of JSON), by the names of their columns; raises
BadInput where one cannot be used."""


class Row(NamedTuple):
    """One row: its line (CSV) or entry (JSON) from 1, and the text in each column, "" where it is empty."""

    number: int
    cells: dict[str, str]

    @property
    def says_nothing(self) -> bool:
        """Tell whether any of its cells says that there is no value."""
        return not _AS_WRITTEN.isdisjoint(self.cells.values())

    def without(self, kept: str) -> "Row":
        """Return the row with cells that say so emptied, but for one."""
        return Row(self.number, {n: "" if n != kept and is_no_value(c) else c for n, c in self.cells.items()})

    def line_of(self, column: str) -> str:
        """Return a text of the row on one line, "" where there is none."""
        return " ".join(self.cells.get(column, "").split())


@dataclass(frozen=True)
class Table:
    """The rows of a file.

    Attributes:
        source: of the rows.
        headings: as in the file, by the name of the column each was taken for, in the file's order.
        rows: each with a cell for every column.
        delimiter: between the fields of a CSV file; empty for JSON.
        notes: what the file says about itself as a whole.
        left_out: lines (CSV) that are no rows, such as what a tool writes below a table.
    """

    source: SourceText
    headings: dict[str, str]
    rows: tuple[Row, ...]
    delimiter: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()

    def at(self, row: Row, column: str) -> str:
        """Return where a cell stands, as errors say it."""
        return self.source.at(row.number, self.headings[column])

    def refusal(self, row: Row, column: str, sentence: str, /, **words: object) -> BadInput:
        """Return an error on a cell; `{cell}` in the sentence is its text."""
        words.setdefault("cell", quotable(row.cells[column]))
        return self.source.refusal(sentence, row.number, self.headings[column], **words)

    def place(self, row: int) -> str:
        """Return where a row stands, as notes say it."""
        return f"{self.source.name}, {self.source.row_name(row)}"


def is_no_value(text: str) -> bool:
    """Tell whether a cell says that there is no value, as NULL does."""
    return text in _AS_WRITTEN


def _anything(_fields: Sequence[str]) -> bool:
    return True


def read_table(source: SourceText, names_of: NamesOf, is_heading: IsHeading = _anything) -> Table:
    """Return a file as a table.

    Args:
        is_heading: finds the headings below a title of a few lines.

    Raises:
        BadInput: it cannot be split into columns, or a heading cannot be used.
    """
    return _read_json(source, names_of) if source.is_json else _read_csv(source, names_of, is_heading)


# CSV


def _read_csv(source: SourceText, names_of: NamesOf, is_heading: IsHeading) -> Table:
    delimiter, title = _beginning(source, is_heading)
    records = _records(source, delimiter)
    notes = tuple(as_given(", ".join(filter(None, map(str.strip, f)))) for _line, f in islice(records, title))
    heading_line, fields = next(records, (0, []))
    width = len(fields)
    while width and not fields[width - 1].strip():
        width -= 1  # a delimiter at the end of every line
    if not width:
        raise source.unusable(_("{file} holds no headings; its first line must name the columns"))
    first = 1 if delimiter == "|" and not fields[0].strip() else 0  # Markdown begins its lines with a delimiter
    headings = names_of(source, [as_given(field.strip()) for field in fields[first:width]], heading_line)
    rows, left_out = _rows(source, records, headings, (first, width, len(fields)))
    return Table(source, headings, tuple(rows), delimiter, notes, tuple(left_out))


def _rows(
    source: SourceText, records: Iterator[tuple[int, list[str]]], headings: Iterable[str], shape: tuple[int, int, int]
) -> tuple[list[Row], list[int]]:
    """Return rows, and the lines that are none; `shape` is where the fields begin and end, and how many there are."""
    first, width, count = shape
    names = tuple(headings)
    rows: list[Row] = []
    left_out: list[int] = []
    for number, cells in records:
        if _is_no_row(cells, width):
            left_out.append(number)
            continue
        _check_width(source, number, cells, width, count)
        rows.append(Row(number, dict(zip(names, (as_given(cell.strip()) for cell in cells[first:]), strict=False))))
    return rows, left_out


def _beginning(source: SourceText, is_heading: IsHeading) -> tuple[str, int]:
    """Return the delimiter of a file, and how many records stand above its headings."""
    line = _LINE_WITH_WORDS.search(source.text)  # Excel's own line is one as well
    delimiter = max(_DELIMITERS, key=line.group().count if line else source.text.count)
    for other in dict.fromkeys((delimiter, *_DELIMITERS)):
        try:
            head = list(islice(_records(source, other), _MOST_TITLE_LINES))
        except BadInput:
            continue
        title = next((n for n, (_line, fields) in enumerate(head) if is_heading([f.strip() for f in fields])), None)
        if title is not None:
            return other, title
    return delimiter, 0


def _is_no_row(cells: Sequence[str], width: int) -> bool:
    """Tell whether a record is a line of dashes, a tool's line below a table, or the name of a row of means."""
    if len(cells) == width and cells[0][:1].isalnum() and all(cells[:2]):
        return False  # as nearly every record is
    filled = [cell.strip() for cell in cells if cell.strip()]
    if all(map(_DASHES.fullmatch, filled)):
        return True
    is_tools = _TOOL_LINE.fullmatch(" ".join(filled)) is not None
    return is_tools or (len(filled) == 1 < width and filled[0].casefold() in _SUMMARY)


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
        sentence = _("the fields cannot be told apart ({reason}); check the quotes there")
        raise source.refusal(sentence, line, reason=error) from error


def _check_width(source: SourceText, line: int, cells: Sequence[str], headings: int, fields: int) -> None:
    """Raise BadInput where a row has more or fewer fields than the headings, or holds something below none of them."""
    if len(cells) not in (headings, fields):
        sentence = _(
            "there are {found} fields but {wanted} headings; check the delimiters "
            "(a number with a decimal comma needs quotes, or semicolons between the fields)"
        )
        raise source.refusal(sentence, line, found=len(cells), wanted=headings)
    if any(map(str.strip, cells[headings:])):
        sentence = _("field {field} has no heading; name the column or empty the field")
        raise source.refusal(sentence, line, field=headings + 1)


# JSON


class _RepeatedKey(ValueError):
    """An object of the file has the same key twice, which would silently hide the first value."""


def _read_json(source: SourceText, names_of: NamesOf) -> Table:
    document = _parse(source)
    if isinstance(document, list):
        document = {_ENTRIES: document}
    entries = document.get(_ENTRIES) if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise source.unusable(
            _('{file} has another shape: a JSON file of measurements is {{"measurements": [{{…}}, …]}}')
        )
    _check_shape(source, document, entries)
    headings = names_of(source, tuple(dict.fromkeys(key for entry in entries for key in entry)), 0)
    rows = tuple(
        Row(number, {name: _cell(source, number, key, entry.get(key)) for name, key in headings.items()})
        for number, entry in enumerate(entries, start=1)
    )
    return Table(source, headings, rows, notes=tuple(document.get(_NOTES, [])))


def _check_shape(source: SourceText, document: Mapping[str, object], entries: Sequence[object]) -> None:
    """Refuse other keys than the two, a measurement that is no object, and notes that are no texts."""
    for key in document:
        if key not in (_ENTRIES, _NOTES):
            sentence = _('the key "{key}" is not known at the top; known are "measurements" and "notes"')
            raise source.refusal(sentence, key=quotable(key))
    if not entries:
        raise source.unusable(_('{file} holds no measurements; fill the list "measurements"'))
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise source.refusal(_("a measurement must be an object of keys and values"), number)
    notes = document.get(_NOTES, [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise source.refusal(_('"notes" must be a list of texts'))


def _parse(source: SourceText) -> Any:
    try:
        return json.loads(source.text, object_pairs_hook=_without_repeats)
    except _RepeatedKey as error:
        raise source.refusal(_('the key "{key}" occurs twice in one object; keep one'), key=error) from error
    except json.JSONDecodeError as error:
        sentence = _("{file}, line {line}, column {column}: this is no JSON ({reason}); correct it there")
        raise source.unusable(sentence, line=error.lineno, column=error.colno, reason=error.msg) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets nested thousands deep
        sentence = _("{file} cannot be read as JSON: a number is too long or brackets are nested too deep")
        raise source.unusable(sentence) from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value_by_key: dict[str, Any] = {}
    for key, value in pairs:
        if key in value_by_key:
            raise _RepeatedKey(quotable(key))
        value_by_key[key] = value
    return value_by_key


def _cell(source: SourceText, number: int, key: str, value: Any) -> str:
    """Return a JSON value as a cell of a CSV file with decimal points would hold it."""
    match value:
        case None:
            return ""
        case str():
            return value.strip()
        case int() | float():  # True and False become words, which no number column takes
            return repr(value)
        case [int() | float() as low, int() | float() as high]:  # as plans give commands_per_transaction
            return f"{low!r}-{high!r}"
    raise source.refusal(_("a list or an object is not allowed here; give a number or a text"), number, key)
