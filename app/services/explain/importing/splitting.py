"""A file as headings and rows of texts, whatever it is: CSV, columns of blanks, a list "name : value", JSON, a sheet.

People and tools write more than a table: titles above it, lines of dashes, "(6 rows affected)", footnotes, headings in
two rows. What is no row of the table becomes a note, or a line that is left out.
"""

import csv
import io
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, dropwhile, groupby, islice, pairwise
from statistics import mode
from typing import Final, TypeAlias

from app.domain.errors import BadInput
from app.domain.units import known_units
from app.foundation.spreadsheet import as_given
from app.foundation.texts import _
from app.services.explain.importing.entries import grid_of_entries, is_list, listed, read_json
from app.services.explain.importing.markup import markup_rows
from app.services.explain.importing.printed import printed_runs
from app.services.explain.importing.quantity_text import written_quantity
from app.services.explain.importing.source_text import Cells, SourceText, numbered_lines, quotable
from app.services.explain.importing.table import HEADINGS_JOINED, SUMMARIES, Grid, has_number, is_number_like
from app.services.explain.importing.titles import Titles

# Excel writes this first line so that it opens the file again with the same separator; PowerShell writes the other.
_FIRST_LINE: Final = re.compile(r'"?sep=[,;\t]"?|#TYPE .*')
_DELIMITERS: Final = ",;\t|"
_DASHES: Final = re.compile(r"[\s:+|-]*[-=]{2,}[\s:+|=-]*")
# What tools write around the rows of a table.
_TOOL_LINE: Final = re.compile(
    _DASHES.pattern + r"|"
    r"\(?\d+ (?:rows?|zeilen?)(?: (?:affected|selected|in set|betroffen|ausgewählt).*)?\.?\)?|"
    r"(?:completion time|abschlusszeit|elapsed|abgelaufen): .*|(?:SQL|mysql|MariaDB.*|\w+=[#>]|\d+)> .*",
    re.IGNORECASE,
)
_RULER: Final = re.compile(r"^[ \t]*-{2,}(?: +-{2,})+[ \t]*$", re.MULTILINE)
_UNITS: Final = frozenset(known_units())
_COUNTER: Final = re.compile(r"\\\\.*[\\:]")  # server, object and instance before a counter of Performance Monitor
_MOST_TITLE_LINES: Final = 30
_SAMPLED: Final = 200

Record: TypeAlias = tuple[int, Sequence[str]]
"""A line, and its fields."""

KnownIn: TypeAlias = Callable[[Sequence[str]], int]
"""Returns how many fields name a column."""


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
        return read_json(source)
    marked_up = markup_rows(source.text)
    if marked_up is not None:
        return _grid(source, marked_up, known_in)
    delimiter, split = _splitter(source, known_in)
    if delimiter == ":":
        runs = printed_runs(source.text, known_in)
        return grid_of_entries(replace(source, has_points=bool(runs)), runs or listed(source.text))
    return _upright(_grid(source, split(source.text), known_in, delimiter), known_in)


def _upright(grid: Grid, known_in: KnownIn) -> Grid:
    """Return a table with the names in its first column as headings, where these are parameters and none of its own is.

    So does a sheet with a column for each setting.
    """
    names = tuple(cells[0].lstrip("-") for _line, cells in grid.rows)
    if known_in(grid.headings) or not known_in(names) or not 1 < len(set(names)) == len(names):
        return grid
    across = zip(*(cells for _line, cells in grid.rows), strict=True)
    rows = tuple((at, (heading, *cells)) for at, (heading, cells) in enumerate(zip(grid.headings, across, strict=True)))
    return replace(grid, headings=("", *names), rows=rows[1:])


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
    if best[0] < 2 and (is_list(head) or printed_runs(source.text, known_in)):
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
            if delimiter == "|" and len(cells) > 4 and not any(map(str.strip, (cells[0], *cells[1::2]))):
                cells = cells[2:-1:2]  # a wiki writes two delimiters between headings
            elif delimiter == "|" and len(cells) > 2 and not cells[0].strip():  # Markdown begins lines with a delimiter
                cells = cells[1 : None if cells[-1].strip() else -1]
            if any(map(str.strip, cells)):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        sentence = _("the fields cannot be told apart ({reason}); check the quotes there")
        raise source.refusal(sentence, line, reason=error) from error


def _by_blanks(text: str, gap: str) -> Iterator[Record]:
    for number, line in numbered_lines(text):
        if line.strip():
            yield number, re.split(gap, line.strip())


def _by_place(text: str, begins: Sequence[int]) -> Iterator[Record]:
    """Yield lines of fixed width: a field begins where a dash of the ruler below the headings does."""
    ends = [*begins[1:], None]
    for number, line in numbered_lines(text.expandtabs()):
        if any(line[begin - 1 : begin].strip() for begin in begins[1:]):  # no line of the table
            yield number, [line.strip(), *[""] * (len(ends) - 1)]
        elif line.strip():
            yield number, [line[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]


def _grid(source: SourceText, records: Iterable[Record], known_in: KnownIn, delimiter: str = "") -> Grid:
    """Return the table among the records of a text or a sheet."""
    every = iter(records)
    head = list(islice(every, _SAMPLED))
    title, count = _headings_at(head, known_in)
    headings = _headings_of(source, head[title : title + count])
    blocks = _blocks_of(list(map(str.strip, head[title + count - 1][1])))
    if blocks:
        return _grid(source, _below_each_other(blocks, [*head, *every], title, count), known_in, delimiter)
    first = head[title][1]
    notes, left_out, titles = _around(head[:title])
    rows = list[tuple[int, tuple[str, ...]]]()
    given = as_given if source.sheets or "'" in source.text else str
    below = source.within_bounds(chain(head[title + count :], every))
    for number, cells in _until_another(source, below, first, known_in, notes):
        if not _is_row(cells, headings, first):
            titles.take(number, _on_one_line(cells) if _is_remark(cells) else "", is_again=_are_alike(cells, first))
            continue
        _check_width(source, number, cells, len(headings), len(first))
        if titles.are_open:
            titles.go_on(len(rows))
        rows.append((number, tuple(map(given, map(str.strip, cells[: len(headings)])))))
    notes += titles.remarks
    left_out += titles.others
    grid = Grid(source, headings, tuple(rows), delimiter, tuple(filter(None, notes)), tuple(left_out))
    return titles.in_column(grid)


def _blocks_of(headings: Sequence[str]) -> list[slice]:
    """Return the places of tables that stand side by side under equal headings, [] for one table."""
    first = next(filter(None, headings), "")
    begins = [place for place, heading in enumerate(headings) if first and heading == first]
    tables = [headings[begin:end] for begin, end in pairwise([*begins, len(headings)])]
    filled = [[*dropwhile(operator.not_, reversed(table))][::-1] for table in tables]
    are_alike = len(filled) > 1 and len(set(filled[0]) - {""}) > 1 and all(table == filled[0] for table in filled)
    return [slice(begin, begin + len(filled[0])) for begin in begins] if are_alike else []


def _below_each_other(blocks: Sequence[slice], records: Sequence[Record], title: int, count: int) -> Iterator[Record]:
    """Yield tables that stand side by side below each other, each with its part of the line above them as its title."""
    at = title + count - 1
    has_titles = at > 0 and _filled(records[at - 1][1]) > 1 and not _is_ruler(records[at - 1][1])
    yield from records[: at - has_titles]
    for block in blocks:
        if has_titles:
            yield records[at - 1][0], [_on_one_line(records[at - 1][1][block])]
        yield from ((line, cells[block]) for line, cells in records[at:] if any(map(str.strip, cells[block])))


def _around(above: Sequence[Record]) -> tuple[list[str], list[int], Titles]:
    """Return the texts above the headings, which of them are lines of dashes, and the others as titles."""
    said = [(line, _on_one_line(cells)) for line, cells in above if not _FIRST_LINE.fullmatch(",".join(cells).strip())]
    dashes = [line for line, cells in above if _is_ruler(cells)]
    return [text for _line, text in said], dashes, Titles([one for one in said if one[0] not in dashes])


def _headings_of(source: SourceText, head: Sequence[Record]) -> tuple[str, ...]:
    """Return the headings that one row has, or two have together; raises BadInput where there are none."""
    rows = [[_COUNTER.sub("", as_given(cell.strip())) for cell in cells] for _line, cells in head]
    headings = list(_joined(*rows) if len(rows) > 1 else rows[0] if rows else ())
    while len(rows) == 1 and headings and not headings[-1]:
        headings.pop()  # a delimiter at the end of every line
    if not any(headings):
        raise source.unusable(_("{file} holds no headings; its first line must name the columns"))
    return tuple(headings)


def _headings_at(head: Sequence[Record], known_in: KnownIn) -> tuple[int, int]:
    """Return where the headings begin, and how many rows of them there are: one, or two where the upper one has gaps.

    They are the first row that names two known columns; else the last rows without a number above the first block of
    rows of one width, or its first row where every heading is a number.
    """
    rows = [[cell.strip() for cell in cells] for _line, cells in head]
    title = next((at for at, cells in enumerate(rows[:_MOST_TITLE_LINES]) if known_in(cells) > 1), None)
    if title is None:
        title = _above_ruler(rows)
    if title is None:
        title = _above_block(rows)
    is_second = any(_are_second(rows[title], below) for below in rows[title + 1 : title + 2])
    return title, 2 if is_second else 1


def _above_ruler(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the row with a line of dashes below it, None for none."""
    pairs = enumerate(pairwise(rows[:_MOST_TITLE_LINES]))
    return next((at for at, (upper, lower) in pairs if _may_be_headings(upper) and _is_ruler(lower)), None)


def _is_ruler(cells: Sequence[str]) -> bool:
    return _DASHES.fullmatch("".join(cells)) is not None


def _above_block(rows: Sequence[Sequence[str]]) -> int:
    """Return where the headings of the rows of the usual width are, which may be fewer than these have fields."""
    width = mode([len(cells) for cells in rows if _filled(cells) > 1] or [1])
    wide = (at for at, cells in enumerate(rows) if len(cells) >= width and _filled(cells) > 1 and not _is_ruler(cells))
    first = next(wide, 0)
    first += _is_title_of(rows[first : first + 2])
    is_shorter = first > 0 and len(rows[first - 1]) < width and _may_be_headings(rows[first - 1])
    return first - 1 if is_shorter else first  # a delimiter may end every row


def _is_title_of(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of two rows is a title with a delimiter in it, above headings."""
    return len(rows) > 1 and has_number(rows[0]) and _may_be_headings(rows[1])


def _may_be_headings(cells: Sequence[str]) -> bool:
    return _filled(cells) > 1 and not has_number(cells)


def _are_second(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Tell whether a row goes on with the headings above it."""
    is_alike = len(lower) == len(upper) and _may_be_headings(lower) and not _DASHES.fullmatch("".join(lower))
    return is_alike and _has_gaps(upper, lower)


def _has_gaps(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Tell whether a heading of the upper row stands for several columns of the lower one, or names only units."""
    below = zip(upper, upper[1:], lower[1:], strict=False)
    alike = any(two and (not one or one == before) for before, one, two in below)
    units = sum(two in _UNITS for two in lower)
    is_repeated = not upper[0] and _filled(lower) < sum(map(bool, lower))
    return (
        alike
        or is_repeated
        or 2 * units >= _filled(lower)
        or all(re.fullmatch(r"\(.*\)|\[.*\]|", two) for two in lower)
    )


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


def _until_another(
    source: SourceText, records: Iterable[Record], first: Sequence[str], known_in: KnownIn, notes: list[str]
) -> Iterator[Record]:
    """Yield records up to the headings of a further table; a note says that it is not read.

    A title above the same headings may hold a delimiter.
    """
    before: Record | None = None
    for number, cells in records:
        is_text = not cells[-1][:1].isdigit() and cells[0][:1].isalpha() and not has_number(cells)
        if is_text and not _are_alike(cells, first) and known_in(list(map(str.strip, cells))) > 1:
            sentence = _("{place}: another table begins there and is not read; give it in a file of its own")
            notes.append(sentence.format(place=f"{source.name}, {source.row_name(number)}"))
            break
        if before is not None:
            yield _as_title(before, first) if _are_alike(cells, first) else before
        before = number, cells
    if before is not None:
        yield before


def _as_title(record: Record, first: Sequence[str]) -> Record:
    """Return what stands right above headings as one text, where it may be a title with a delimiter in it."""
    line, cells = record
    is_title = len(cells) != len(first) or _filled(cells) == 1 or not has_number(map(str.strip, cells))
    return (line, [_on_one_line(cells)]) if is_title else record


def _are_alike(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Tell whether a record holds the headings once more."""
    return cells[0].strip() == first[0].strip() and list(map(str.strip, cells)) == list(map(str.strip, first))


def _is_row(cells: Sequence[str], headings: Sequence[str], first: Sequence[str]) -> bool:
    """Tell whether a record is a row of the table, and no footnote, repeated heading or tool's line."""
    if len(cells) == len(headings) and cells[0][:1].isalnum() and all(cells[:2]) and cells[0] != first[0]:
        return True  # as nearly every record is
    texts = list(map(str.strip, cells))
    line = " ".join(filter(None, texts))
    if _TOOL_LINE.fullmatch(line) or _are_alike(cells, first):
        return False
    if _filled(texts) < 2 <= len(headings):
        return _is_number_alone(line, texts[0])
    return len(cells) == len(headings) or has_number(texts)


def _is_number_alone(line: str, first: str) -> bool:
    """Tell whether the only text of a row is a number, perhaps with its unit, and no title such as "8 streams"."""
    written = written_quantity(first) if any(map(str.isalpha, first)) else None
    is_title = first and written is None and any(map(str.isalpha, first))
    return is_number_like(line) and not is_title and (written is None or written.unit in _UNITS)


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
            grid = _upright(_grid(source, _records_of(cells), known_in), known_in)
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
