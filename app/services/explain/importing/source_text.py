"""The text of a file: decoded, refused where it is no text, and addressed by line."""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.input_file import read_bytes
from app.foundation.texts import _

_UTF_32: Final = _("UTF-32; save it as UTF-8 and give that file")
# First bytes of what people pick by mistake. UTF-32 stands before UTF-16, whose little-endian mark it begins with.
_OTHER_KINDS: Final = (
    (codecs.BOM_UTF32_LE, _UTF_32),
    (codecs.BOM_UTF32_BE, _UTF_32),
    (b"PK\x03\x04", _("an Excel workbook or a zip archive; save the sheet as CSV and give that file")),
    (b"\xd0\xcf\x11\xe0", _("an old Excel workbook; save the sheet as CSV and give that file")),
    (b"SQLite format 3\x00", _("a session file or another SQLite database; give a CSV or JSON file of measurements")),
    (b"%PDF", _("a PDF; give a CSV or JSON file of measurements")),
)
_UNREADABLE: Final = {
    FileNotFoundError: _("{file} does not exist; check the name of the file and its folder"),
    IsADirectoryError: _("{file} is a folder; give a CSV or JSON file of measurements"),
    PermissionError: _("{file} may not be read by this user; change its permissions or copy it"),
}
# A line of a log may begin with a bracket, too.
_JSON_START: Final = re.compile(r"\s*(?:\{|\[\s*[\[{\]]|\[\s*$)")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f]")

MOST_BYTES: Final = 64_000_000
"""Of a measurement file: about a million rows."""

# Longer cells are cut where a sentence quotes them.
_QUOTED_LENGTH: Final = 40


@dataclass(frozen=True)
class SourceText:
    """The content of a text file.

    Attributes:
        file: the path as the user gave it, for sentences.
        text: without a byte order mark.
        encoding: Python's name of the codec.
        is_json: it is meant as JSON; its rows are entries then, and its columns keys.
    """

    file: str
    text: str
    encoding: str
    is_json: bool

    @property
    def name(self) -> str:
        """The file's name without its folder, as notes say it: they are printed in reports."""
        return Path(self.file).name

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


def quotable(text: str) -> str:
    """Return a text of the file on one line and cut to a length that a sentence can hold."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_LENGTH else line[: _QUOTED_LENGTH - 1] + "…"


def read_source(path: Path) -> SourceText:
    """Return the text of a file: UTF-8, UTF-16 as Windows tools write it, or the code page of Excel's plain "CSV".

    Raises:
        BadInput: it is missing, a folder, not readable, empty, or no such text.
    """
    content = _read_bytes(path)
    if not content.strip():
        raise BadInput(_("{file} is empty; give a CSV or JSON file of measurements").format(file=path))
    for start, kind in _OTHER_KINDS:
        if content.startswith(start):
            raise BadInput(_("{file} is {kind}").format(file=path, kind=kind))
    for codec in _codecs_of(content):
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if not _CONTROL.search(text):
            is_json = path.name.casefold().endswith(".json") or _JSON_START.match(text) is not None
            return SourceText(str(path), text, codec, is_json)
    raise BadInput(_("{file} is not a text file; give a CSV or JSON file of measurements").format(file=path))


def _codecs_of(content: bytes) -> tuple[str, ...]:
    if content.startswith(codecs.BOM_UTF8):
        return ("utf-8-sig",)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    return "utf-8", "cp1252"


def _read_bytes(path: Path) -> bytes:
    try:
        return read_bytes(path, MOST_BYTES)
    except OSError as error:
        sentence = _UNREADABLE.get(type(error), _("{file} cannot be read: {reason}; check the name and the disk"))
        raise BadInput(sentence.format(file=path, reason=error.strerror)) from error
    except ValueError as error:  # a NUL character within the name
        raise BadInput(_("{file} is not the name of a file").format(file=ascii(str(path)))) from error
