"""The content of a file: a text or a workbook, refused where it is neither, and addressed by line."""

import codecs
import datetime
import io
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum, load_workbook

from app.domain.errors import BadInput
from app.foundation.input_file import read_bytes
from app.foundation.texts import _

_UTF_32: Final = _("UTF-32; save it as UTF-8 and give that file")
# First bytes of what people pick by mistake. UTF-32 stands before UTF-16, whose little-endian mark it begins with.
_OTHER_KINDS: Final = (
    (codecs.BOM_UTF32_LE, _UTF_32),
    (codecs.BOM_UTF32_BE, _UTF_32),
    (b"SQLite format 3\x00", _("a session file or another SQLite database; give a file of measurements")),
    (b"%PDF", _("a PDF; give a file of measurements, or copy the table out of it and paste it")),
)
_WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_UNREADABLE: Final = {
    FileNotFoundError: _("{file} does not exist; check the name of the file and its folder"),
    IsADirectoryError: _("{file} is a folder; give a file of measurements"),
    PermissionError: _("{file} may not be read by this user; change its permissions or copy it"),
}
# A line of a log may begin with a bracket, too, and a table of MediaWiki with a brace.
_JSON_START: Final = re.compile(r"\s*(?:\{(?!\|)|\[\s*[\[{\]]|\[\s*$)")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f]")

STANDARD_INPUT: Final = Path("-")
"""Stands for what is piped into the program."""

MOST_BYTES: Final = 64_000_000
"""Of a measurement file: about a million rows."""

_MOST_ROWS: Final = 1_048_576
"""Of a table: as many as a sheet of Excel holds.

https://support.microsoft.com/en-us/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3
"""

_MOST_CELLS: Final = 10_000_000  # of a sheet; one with a cell in its last corner has thousands of millions
_MOST_UNPACKED_BYTES: Final = 10 * MOST_BYTES  # of a workbook, whose XML shrinks to a tenth when it is packed

# Longer cells are cut where a sentence quotes them.
_QUOTED_LENGTH: Final = 40

_Row = TypeVar("_Row")

Cells: TypeAlias = tuple[tuple[str, ...], ...]
"""The cells of a sheet, row by row."""


@dataclass(frozen=True)
class SourceText:
    """The content of a file of measurements.

    Attributes:
        file: the path as the user gave it, for sentences.
        text: without a byte order mark; "" for a workbook.
        encoding: Python's name of the codec; "" for a workbook.
        is_json: it is meant as JSON; its rows are entries then, and its columns keys.
        sheets: of a workbook, by name, those without a cell left out.
        has_points: a tool printed its numbers, with decimal points.
    """

    file: str
    text: str
    encoding: str
    is_json: bool
    sheets: tuple[tuple[str, Cells], ...] = ()
    has_points: bool = False

    @property
    def name(self) -> str:
        """The file's name without its folder, as notes say it: they are printed in reports."""
        return name_of(Path(self.file))

    @property
    def has_numbers(self) -> bool:
        """Tell whether the decimal mark of its numbers is known."""
        return self.is_json or bool(self.sheets) or self.has_points

    def within_bounds(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """Yield rows of the file, or lines that may be some; raises BadInput where they are too many."""
        for count, row in enumerate(rows):
            if count == _MOST_ROWS:
                sentence = _(
                    "{file} holds more than {most:,} rows; leave out what is not needed, or give means of runs"
                )
                raise self.unusable(sentence, most=_MOST_ROWS)
            yield row

    def row_name(self, row: int) -> str:
        """Return a row's name: "line 2", or "entry 2" of JSON."""
        return f"{_('entry') if self.is_json else _('line')} {row}"

    def at(self, row: int = 0, heading: str = "") -> str:
        """Return where a row, a cell, or without a row the whole file stands, as errors say it."""
        column = f'{_("key") if self.is_json else _("column")} "{quotable(heading)}"'
        return ", ".join((self.file, *([self.row_name(row)] if row else ()), *([column] if heading else ())))

    def refusal(self, sentence: str, row: int = 0, heading: str = "", /, **words: object) -> BadInput:
        """Return an error that names the place in the file and, with these words, the mistake."""
        return BadInput(f"{self.at(row, heading)}: {sentence.format(**words)}")

    def unusable(self, sentence: str, /, **words: object) -> BadInput:
        """Return the error of a whole sentence in which `{file}` is the file."""
        return BadInput(sentence.format(file=self.file, **words))


def name_of(path: Path) -> str:
    """Return a file's name without its folder, in words for standard input."""
    return _("standard input") if path == STANDARD_INPUT else path.name


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, one at a time: millions of them together fill the memory."""
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        yield number, line.rstrip("\n")


def quotable(text: str) -> str:
    """Return a text of the file on one line and cut to a length that a sentence can hold."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_LENGTH else line[: _QUOTED_LENGTH - 1] + "…"


def read_source(path: Path) -> SourceText:
    """Return the content of a file: a workbook, or a text in UTF-8, UTF-16 as Windows tools write it, or the code page
    of Excel's plain "CSV".

    Args:
        path: STANDARD_INPUT for what is piped into the program.

    Raises:
        BadInput: it is missing, a folder, not readable, empty, or none of these.
    """
    content = _read_bytes(path)
    if not content.strip():
        raise BadInput(_("{file} is empty; give a file of measurements").format(file=path))
    for start, kind in _OTHER_KINDS:
        if content.startswith(start):
            raise BadInput(_("{file} is {kind}").format(file=path, kind=kind))
    if content.startswith(_WORKBOOKS):
        return SourceText(str(path), "", "", is_json=False, sheets=_sheets_of(path, content))
    for codec in _codecs_of(content):
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if not _CONTROL.search(text):
            is_json = path.name.casefold().endswith(".json") or _JSON_START.match(text) is not None
            return SourceText(str(path), text, codec, is_json)
    raise BadInput(_("{file} is not a text file, nor a workbook; give a file of measurements").format(file=path))


def _codecs_of(content: bytes) -> tuple[str, ...]:
    if content.startswith(codecs.BOM_UTF8):
        return ("utf-8-sig",)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    if content[1:4:2] == b"\x00\x00":  # two Western letters without a mark before them
        return ("utf-16-le",)
    return "utf-8", "cp1252"


def _read_bytes(path: Path) -> bytes:
    try:
        if path == STANDARD_INPUT:
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise BadInput(
                    _("standard input holds more than {most} MB; give a file").format(most=MOST_BYTES // 10**6)
                )
            return content
        return read_bytes(path, MOST_BYTES)
    except OSError as error:
        sentence = _UNREADABLE.get(type(error), _("{file} cannot be read: {reason}; check the name and the disk"))
        raise BadInput(sentence.format(file=path, reason=error.strerror)) from error
    except ValueError as error:  # a NUL character within the name
        raise BadInput(_("{file} is not the name of a file").format(file=ascii(str(path)))) from error


# Workbooks


def _sheets_of(path: Path, content: bytes) -> tuple[tuple[str, Cells], ...]:
    """Return the cells of each sheet of a workbook (.xlsx, .xlsm, .xlsb, .xls, .ods) as texts."""
    try:
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                if sum(entry.file_size for entry in packed.infolist()) > _MOST_UNPACKED_BYTES:
                    raise ValueError(path)
        with load_workbook(io.BytesIO(content)) as workbook:
            sheets = tuple(
                (sheet.name, _cells_of(workbook, sheet.name))
                for sheet in workbook.sheets_metadata
                if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
            )
    except BaseException as error:  # a damaged file can end the library, which no class of its own tells
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        sentence = _(
            "{file} is no workbook that can be read (.xlsx, .xls or .ods, without a password, of a usual size); save "
            "the sheet as CSV and give that file"
        )
        raise BadInput(sentence.format(file=path)) from error
    filled = tuple((name, cells) for name, cells in sheets if cells)
    if not filled:
        raise BadInput(_("{file} is empty; give a file of measurements").format(file=path))
    return filled


def _cells_of(workbook: CalamineWorkbook, name: str) -> Cells:
    sheet = workbook.get_sheet_by_name(name)
    if sheet.total_height * sheet.total_width > _MOST_CELLS:
        raise ValueError(name)
    cells = [[_text_of(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]
    for (top, left), (bottom, right) in _merged(sheet):
        for row in cells[top : bottom + 1]:
            row[left : right + 1] = [cells[top][left]] * len(row[left : right + 1])
    return tuple(tuple(row) for row in cells)


def _merged(sheet: CalamineSheet) -> Sequence[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the merged cells of a sheet; a kind of workbook that does not tell them has none."""
    return sheet.merged_cell_ranges or ()


def _text_of(value: object) -> str:
    """Return a cell as a text file with decimal points would hold it; a time of day is a duration."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case float():
            return repr(value)
        case datetime.timedelta():
            return clock_text(value.total_seconds())
        case datetime.time():
            return _text_of(
                datetime.timedelta(
                    hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
                )
            )
    return " ".join(str(value).split())


def clock_text(seconds: float) -> str:
    """Return a duration as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds, 6), 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02}:{minutes:02}:{rest:09.6f}".rstrip("0").rstrip(".")
