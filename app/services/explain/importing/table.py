"""A file as headings and rows of texts, whatever it is: CSV, columns of blanks, a list "name : value", JSON, a sheet.

People and tools write more than a table: titles above it, lines of dashes, "(6 rows affected)", footnotes, headings in
two rows. What is no row of the table becomes a note, or a line that is left out.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, islice
from statistics import mode
from typing import Any, Final, NamedTuple, TypeAlias

from app.domain.errors import BadInput
from app.foundation.spreadsheet import as_given
from app.foundation.texts import _
from app.services.explain.importing.source_text import Cells, SourceText, quotable

# Excel writes this first line so that it opens the file again with the same separator; PowerShell writes the other.
_FIRST_LINE: Final = re.compile(r'"?sep=[,;\t]"?|#TYPE .*')
_DELIMITERS: Final = ",;\t|"
_ENTRIES: Final = "measurements"
_NOTES: Final = "notes"
_DASHES: Final = re.compile(r"[\s:+|-]*[-=]{2,}[\s:+|=-]*")
# What tools write around the rows of a table.
_TOOL_LINE: Final = re.compile(
    _DASHES.pattern + r"|"
    r"\(?\d+ (?:rows?|zeilen?)(?: (?:affected|selected|in set|betroffen|ausgewählt).*)?\.?\)?|"
    r"(?:completion time|abschlusszeit|elapsed|abgelaufen): .*",
    re.IGNORECASE,
)
_RULER: Final = re.compile(r"^[ \t]*-{2,}(?: +-{2,})+[ \t]*$", re.MULTILINE)
_PAIR: Final = re.compile(r"\s*(\S.*?)\s*(?::|=)(?:\s+(.*)|)")
_PAIRS: Final = re.compile(r"([^\W\d][\w %/.()]*?)\s*[:=]\s+([^,;]+)")
_NUMBER_BEGINS: Final = re.compile(r"(?:[~≈<>≤≥=+-]*\s*[.,]?|PT?)\d")
# What a row of means is called where it holds nothing else.
_SUMMARY: Final = ("average", "avg", "mean", "median", "mittel", "mittelwert", "durchschnitt", "total", "sum", "summe")
SUMMARIES: Final = frozenset(
    spelt + end for word in _SUMMARY for spelt in (word, word.upper(), word.capitalize()) for end in ("", ":")
)
"""Cells that name a row which is worked out from others."""
# Words for "no value" that databases and spreadsheets write.
_NO_VALUE: Final = frozenset({"null", "(null)", "n/a", "#n/a", "#div/0!", "na", "-", "–", "—"})
_AS_WRITTEN: Final = frozenset(spelt for word in _NO_VALUE for spelt in (word, word.upper(), word.capitalize()))
_MOST_TITLE_LINES: Final = 30
_SAMPLED: Final = 200
HEADINGS_JOINED: Final = " · "
"""Between the upper and the lower heading of one column."""

Record: TypeAlias = tuple[int, Sequence[str]]
"""A line, and its fields."""

KnownIn: TypeAlias = Callable[[Sequence[str]], int]
"""Returns how many fields name a column."""


class Row(NamedTuple):
    """One row: its line (CSV) or entry (JSON) from 1, the text in each column, "" where it is empty, and the place of
    the value's column in the file."""

    number: int
    cells: dict[str, str]
    place: int = -1

    @property
    def says_nothing(self) -> bool:
        """Tell whether any of its cells says that there is no value."""
        return not _AS_WRITTEN.isdisjoint(self.cells.values())

    def without(self, kept: str) -> "Row":
        """Return the row with cells that say so emptied, but for one."""
        return self._replace(cells={n: "" if n != kept and is_no_value(c) else c for n, c in self.cells.items()})

    def line_of(self, column: str) -> str:
        """Return a text of the row on one line, "" where there is none."""
        return " ".join(self.cells.get(column, "").split())


@dataclass(frozen=True)
class Grid:
    """The table of a file as it is written.

    Attributes:
        source: of the rows.
        headings: of all columns; of two rows of headings joined.
        rows: each with its line and a text for each heading.
        delimiter: between the fields of a CSV file; empty for anything else.
        notes: what the file says about itself as a whole, and what stands around the table.
        left_out: lines that are no rows, such as what a tool writes below a table.
        sheet, sheets: of a workbook, the one that was read, and all that hold a table.
    """

    source: SourceText
    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    delimiter: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()

    @property
    def holds_table(self) -> bool:
        """Tell whether it has several columns, and a number in any of them."""
        return len(self.headings) > 1 and any(_has_number(texts) for _line, texts in self.rows)

    def thinned(self, most: int) -> "Grid":
        """Return the table with so many rows that stand evenly through it, or all."""
        return replace(self, rows=self.rows[:: max(1, len(self.rows) // most)])

    def texts_of(self, place: int) -> list[str]:
        """Return the cells of a column that hold something."""
        return [cells[place] for _line, cells in self.rows if cells[place] and not is_no_value(cells[place])]


@dataclass(frozen=True)
class Table:
    """The values of a file, one in each row.

    Attributes:
        grid: it was made of.
        columns: names of the columns each row has a cell for, each with its place in the file, -1 where no column or
            several hold it.
        rows: in the file's order.
        own: columns that are conditions by their own names.
        notes: how the table was understood, one sentence each.
    """

    grid: Grid
    columns: dict[str, int]
    rows: tuple[Row, ...]
    own: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def source(self) -> SourceText:
        """Of the rows."""
        return self.grid.source

    def heading_of(self, row: Row, column: str) -> str:
        """Return the heading of a cell, as the file has it."""
        place = self.columns.get(column, -1)
        place = row.place if place < 0 else place
        return self.grid.headings[place] if place >= 0 else column

    def at(self, row: Row, column: str) -> str:
        """Return where a cell stands, as errors say it."""
        return self.source.at(row.number, self.heading_of(row, column))

    def refusal(self, row: Row, column: str, sentence: str, /, **words: object) -> BadInput:
        """Return an error on a cell; `{cell}` in the sentence is its text."""
        words.setdefault("cell", quotable(row.cells[column]))
        return self.source.refusal(sentence, row.number, self.heading_of(row, column), **words)

    def place(self, row: int) -> str:
        """Return where a row stands, as notes say it."""
        return f"{self.source.name}, {self.source.row_name(row)}"


def is_no_value(text: str) -> bool:
    """Tell whether a cell says that there is no value, as NULL does."""
    return text in _AS_WRITTEN


def is_number_like(text: str) -> bool:
    """Tell whether a text begins as a number or a time does."""
    return _NUMBER_BEGINS.match(text) is not None


def read_grid(source: SourceText, known_in: KnownIn, sheet: str = "") -> Grid:
    """Return the table of a file.

    Args:
        known_in: tells headings from what stands above them.
        sheet: of a workbook, "" for the first that holds a table.

    Raises:
        BadInput: there is none, or a row has more or fewer fields than there are headings.
    """
    if source.sheets:
        return _read_workbook(source, known_in, sheet)
    if source.is_json:
        return _read_json(source)
    delimiter, split = _splitter(source, known_in)
    if delimiter == ":":
        return _grid_of_entries(source, _listed(source.text))
    return _grid(source, split(source.text), known_in, delimiter)


# Text


def _splitter(source: SourceText, known_in: KnownIn) -> tuple[str, Callable[[str], Iterator[Record]]]:
    """Return the way to split a text that makes most of a table of it, with the delimiter, " " for blanks."""
    head = "".join(islice(io.StringIO(source.text, newline=""), _SAMPLED))
    ways: list[tuple[str, Callable[[str], Iterator[Record]]]] = [
        (mark, partial(_by_delimiter, source, mark)) for mark in _DELIMITERS
    ]
    ruler = _RULER.search(head)
    if ruler is not None:
        begins = [found.start() for found in re.finditer(r"-+", ruler.group())]
        ways.append((" ", lambda text: _by_place(text, begins)))
    ways += [(" ", lambda text: _by_blanks(text, r"\s{2,}|\t")), (" ", lambda text: _by_blanks(text, r"\s+"))]
    scores = [_score(way, head, known_in) for _mark, way in ways]
    scores[-1] = 0, *scores[-1][1:]  # single blanks also cut headings of several words
    best = max(scores)
    if best[0] < 2 and _is_list(head):
        return ":", ways[0][1]
    return ways[scores.index(best)]


def _score(split: Callable[[str], Iterator[Record]], head: str, known_in: KnownIn) -> tuple[int, float, int]:
    """Return how many known headings a way of splitting finds, and how many lines it cuts alike and cleanly."""
    try:
        records = [cells for _line, cells in split(head) if not _DASHES.fullmatch("".join(cells))]
    except BadInput:
        records = []
    named = max((known_in([cell.strip() for cell in cells]) for cells in records[:_MOST_TITLE_LINES]), default=0)
    blocks = [(width, list(block)) for width, block in groupby(records, len) if width > 1]
    width, block = max(blocks, key=lambda found: len(found[1]), default=(0, []))
    fields = [cell for cells in block for cell in cells]
    clean = sum(not re.search(r"[;|\t]|,(?! |\d)|\d,\d+,(?!\d{3})|\s{3,}", cell.strip()) for cell in fields)
    return (named if named > 1 else 0), len(block) * clean / max(1, len(fields)), width


def _by_delimiter(source: SourceText, delimiter: str, text: str) -> Iterator[Record]:
    """Yield each record that holds more than spaces and delimiters, with the line it begins on."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t"
    )
    line = 1
    try:
        for cells in reader:
            if delimiter == "|" and len(cells) > 2 and not cells[0].strip():  # Markdown begins lines with a delimiter
                cells = cells[1 : None if cells[-1].strip() else -1]
            if any(map(str.strip, cells)):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        sentence = _("the fields cannot be told apart ({reason}); check the quotes there")
        raise source.refusal(sentence, line, reason=error) from error


def _by_blanks(text: str, gap: str) -> Iterator[Record]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, re.split(gap, line.strip())


def _by_place(text: str, begins: Sequence[int]) -> Iterator[Record]:
    """Yield lines of fixed width: a field begins where a dash of the ruler below the headings does."""
    ends = [*begins[1:], None]
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, [line[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]


def _is_list(head: str) -> bool:
    """Tell whether nearly all lines are "name : value", as PowerShell's Format-List writes them, or several such."""
    lines = [line for line in head.splitlines() if line.strip()]
    pairs = sum(_PAIR.fullmatch(line) is not None and not line.lstrip()[0].isdigit() for line in lines)
    return len(lines) > 1 and pairs >= 0.8 * len(lines)


def _listed(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the entries of such a list: each line that holds several pairs, else each block of lines."""
    entries: list[tuple[int, dict[str, Any]]] = []
    entry: dict[str, Any] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        several, one = _PAIRS.findall(line), _PAIR.fullmatch(line)
        if len(several) > 1:
            entries.append((number, {name.strip(): value.strip() for name, value in several}))
        elif one is None:
            entry = None
        else:
            if entry is None or one[1] in entry:
                entry = {}
                entries.append((number, entry))
            entry[one[1]] = (one[2] or "").strip()
    return entries


def _grid(source: SourceText, records: Iterable[Record], known_in: KnownIn, delimiter: str = "") -> Grid:
    """Return the table among the records of a text or a sheet."""
    every = iter(records)
    head = list(islice(every, _SAMPLED))
    if not head:
        raise source.unusable(_("{file} holds no headings; its first line must name the columns"))
    title, count = _headings_at(head, known_in)
    first, *lower = (cells for _line, cells in head[title : title + count])
    headings = _headings_of(first, *lower)
    if not any(headings):
        raise source.unusable(_("{file} holds no headings; its first line must name the columns"))
    notes, left_out = _around(head[:title])
    rows = []
    given = as_given if source.sheets or "'" in source.text else str
    for number, cells in chain(head[title + count :], every):
        if _is_row(cells, headings, first):
            _check_width(source, number, cells, len(headings), len(first))
            rows.append((number, tuple(map(given, map(str.strip, cells[: len(headings)])))))
        elif _is_remark(cells):
            notes.append(_on_one_line(cells))
        else:
            left_out.append(number)
    return Grid(source, headings, tuple(rows), delimiter, tuple(filter(None, notes)), tuple(left_out))


def _around(above: Sequence[Record]) -> tuple[list[str], list[int]]:
    """Return what the records above the headings say, and which of them are lines of dashes."""
    notes = [_on_one_line(cells) for _line, cells in above if not _FIRST_LINE.fullmatch(",".join(cells).strip())]
    return notes, [number for number, cells in above if _DASHES.fullmatch("".join(cells))]


def _headings_of(upper: Sequence[str], *lower: Sequence[str]) -> tuple[str, ...]:
    """Return the headings that one row has, or two have together."""
    headings, *below = ([as_given(cell.strip()) for cell in cells] for cells in (upper, *lower))
    if below:
        return _joined(headings, *below)
    while headings and not headings[-1]:
        headings.pop()  # a delimiter at the end of every line
    return tuple(headings)


def _headings_at(head: Sequence[Record], known_in: KnownIn) -> tuple[int, int]:
    """Return where the headings begin, and how many rows of them there are: one, or two where the upper one has gaps.

    They are the first row that names two known columns; else the last rows without a number above the first block of
    rows of one width, or its first row where every heading is a number.
    """
    rows = [[cell.strip() for cell in cells] for _line, cells in head]
    title = next((at for at, cells in enumerate(rows[:_MOST_TITLE_LINES]) if known_in(cells) > 1), None)
    if title is None:
        title = _above_block(rows)
    is_second = any(_are_second(rows[title], below) for below in rows[title + 1 : title + 2])
    return title, 2 if is_second else 1


def _above_block(rows: Sequence[Sequence[str]]) -> int:
    """Return where the headings of the rows of the usual width are, which may be fewer than these have fields."""
    width = mode([len(cells) for cells in rows if _filled(cells) > 1] or [1])
    first = next((at for at, cells in enumerate(rows) if len(cells) >= width and _filled(cells) > 1), 0)
    is_shorter = first > 0 and len(rows[first - 1]) < width and _may_be_headings(rows[first - 1])
    return first - 1 if is_shorter else first  # a delimiter may end every row


def _may_be_headings(cells: Sequence[str]) -> bool:
    return _filled(cells) > 1 and not _has_number(cells)


def _are_second(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Tell whether a row goes on with the headings above it."""
    is_alike = len(lower) == len(upper) and _may_be_headings(lower) and not _DASHES.fullmatch("".join(lower))
    return is_alike and _has_gaps(upper, lower)


def _has_gaps(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Tell whether a heading of the upper row stands for several columns of the lower one, or names only units."""
    below = zip(upper, upper[1:], lower[1:], strict=False)
    alike = any(two and (not one or one == before) for before, one, two in below)
    return alike or all(re.fullmatch(r"\(.*\)|\[.*\]|", two) for two in lower)


def _joined(upper: Sequence[str], lower: Sequence[str]) -> tuple[str, ...]:
    """Return one heading for each column; an upper heading holds as far as the lower row has headings below nothing."""
    headings, before = [], ""
    for one, two in zip(upper, lower, strict=True):
        before = one or (before if two else "")
        headings.append(HEADINGS_JOINED.join(dict.fromkeys(filter(None, (before, two)))))
    return tuple(headings)


def _filled(cells: Sequence[str]) -> int:
    """Return how many different texts a row holds; a title over merged cells is one."""
    return len({cell for cell in cells if cell})


def _has_number(cells: Iterable[str]) -> bool:
    return any(map(is_number_like, cells))


def _is_row(cells: Sequence[str], headings: Sequence[str], first: Sequence[str]) -> bool:
    """Tell whether a record is a row of the table, and no footnote, repeated heading or tool's line."""
    if len(cells) == len(headings) and cells[0][:1].isalnum() and all(cells[:2]) and cells[0] != first[0]:
        return True  # as nearly every record is
    texts = list(map(str.strip, cells))
    line = " ".join(filter(None, texts))
    if _TOOL_LINE.fullmatch(line) or list(cells) == list(first):
        return False
    if _filled(texts) < 2 < len(headings):
        return is_number_like(line) and line not in SUMMARIES
    return len(cells) == len(headings) or _has_number(texts)


def _is_remark(cells: Sequence[str]) -> bool:
    line = " ".join(filter(None, map(str.strip, cells)))
    is_said = any(map(str.isalpha, line)) and not _TOOL_LINE.fullmatch(line) and line not in SUMMARIES
    return is_said and _filled(cells) == 1


def _on_one_line(cells: Iterable[str]) -> str:
    return as_given(", ".join(dict.fromkeys(filter(None, map(str.strip, cells)))))


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


# Workbooks


def _read_workbook(source: SourceText, known_in: KnownIn, wanted: str) -> Grid:
    grids: dict[str, Grid] = {}
    for name, cells in source.sheets:
        try:
            grid = _grid(source, _records_of(cells), known_in)
        except BadInput:
            continue
        if grid.holds_table:
            grids[name] = grid
    if not grids:
        raise source.unusable(_("{file} holds no table with headings and numbers in any of its sheets"))
    if wanted and wanted not in grids:
        sentence = _('{file} has no sheet "{wanted}" with a table; sheets with one are {known}')
        raise source.unusable(sentence, wanted=quotable(wanted), known=", ".join(f'"{name}"' for name in grids))
    sheet = wanted or next(iter(grids))
    return replace(grids[sheet], sheet=sheet, sheets=tuple(grids))


def _records_of(cells: Cells) -> Iterator[Record]:
    """Yield the rows of a sheet that hold something, without empty columns at their left and right."""
    filled = [place for row in cells for place, cell in enumerate(row) if cell]
    left, right = min(filled, default=0), max(filled, default=0) + 1
    for number, row in enumerate(cells, start=1):
        if any(row):
            yield number, row[left:right]


# JSON


class _RepeatedKey(ValueError):
    """An object of the file has the same key twice, which would silently hide the first value."""


def _read_json(source: SourceText) -> Grid:
    document = _parse(source)
    if isinstance(document, list):
        document = {_ENTRIES: document}
    entries = document.get(_ENTRIES) if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise source.unusable(
            _('{file} has another shape: a JSON file of measurements is {{"measurements": [{{…}}, …]}}')
        )
    _check_shape(source, document, entries)
    grid = _grid_of_entries(source, list(enumerate(entries, start=1)))
    return replace(grid, notes=tuple(document.get(_NOTES, [])))


def _grid_of_entries(source: SourceText, entries: Sequence[tuple[int, Mapping[str, Any]]]) -> Grid:
    headings = tuple(dict.fromkeys(key for _number, entry in entries for key in entry))
    rows = tuple(
        (number, tuple(_cell(source, number, key, entry.get(key)) for key in headings)) for number, entry in entries
    )
    return Grid(source, headings, rows)


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
    """Return a document of JSON; objects on lines of their own are a list."""
    try:
        try:
            return json.loads(source.text, object_pairs_hook=_without_repeats)
        except json.JSONDecodeError as error:
            lines = [line for line in source.text.splitlines() if line.strip()]
            if error.msg != "Extra data" or len(lines) < 2:
                raise
            return [json.loads(line, object_pairs_hook=_without_repeats) for line in lines]
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
