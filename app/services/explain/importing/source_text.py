"""Getting at the text of a file: encodings with and without a byte order mark, and what is no text at all."""

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _

# Byte order mark -> codec; UTF-32 goes first because its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Without a mark: UTF-8, else the Western code page in which Excel saves plain "CSV".
_UNMARKED: Final = ("utf-8", "cp1252")

# First bytes of files people pick by mistake.
_KNOWN_BINARIES: Final = (
    (b"PK\x03\x04", _("an Excel workbook or a zip archive; save the sheet as CSV and give that file")),
    (b"\xd0\xcf\x11\xe0", _("an old Excel workbook; save the sheet as CSV and give that file")),
    (b"SQLite format 3\x00", _("a session file or another SQLite database; give a CSV or JSON file of measurements")),
    (b"%PDF", _("a PDF; give a CSV or JSON file of measurements")),
)

_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class SourceText:
    """The content of a text file.

    Attributes:
        file: the path as the user gave it, for sentences.
        content: the bytes, with any byte order mark.
        encoding: Python's name of the codec that reads all of them.
    """

    file: str
    content: bytes
    encoding: str

    def text(self) -> str:
        """Return the whole text."""
        return self.content.decode(self.encoding)

    def lines(self) -> Iterator[str]:
        """Return the lines one by one, with their ends, so that a large file is never decoded at once."""
        return iter(io.TextIOWrapper(io.BytesIO(self.content), encoding=self.encoding, newline=""))


def read_source(path: Path) -> SourceText:
    """Return the text of a file.

    Raises:
        BadInput: it is missing, a folder, not readable, empty, or no text.
    """
    content = _read_bytes(path)
    if not content.strip():
        raise BadInput(_("{file} is empty; give a CSV or JSON file of measurements").format(file=path))
    for start, what in _KNOWN_BINARIES:
        if content.startswith(start):
            raise BadInput(_("{file} is not a text file but {what}").format(file=path, what=what))
    encoding = _encoding_of(content)
    if encoding is None:
        raise BadInput(_("{file} is not a text file; give a CSV or JSON file of measurements").format(file=path))
    return SourceText(str(path), content, encoding)


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        sentence = _("{file} does not exist; check the name of the file and its folder")
    except IsADirectoryError:
        sentence = _("{file} is a folder; give a CSV or JSON file of measurements")
    except PermissionError:
        # Windows answers so for a folder as well.
        sentence = (
            _("{file} is a folder; give a CSV or JSON file of measurements")
            if path.is_dir()
            else _("{file} may not be read by this user; change its permissions or copy it")
        )
    except OSError as error:
        raise BadInput(
            _("{file} cannot be read: {reason}; check the name and the disk").format(file=path, reason=error.strerror)
        ) from error
    except ValueError as error:  # a NUL character within the name
        raise BadInput(_("{file} is not the name of a file").format(file=ascii(str(path)))) from error
    raise BadInput(sentence.format(file=path))


def _encoding_of(content: bytes) -> str | None:
    """Return the codec that turns all bytes into text without control characters, None where none does."""
    marked = next((codec for mark, codec in _MARKS if content.startswith(mark)), None)
    for codec in (marked,) if marked else _UNMARKED:
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        return None if _CONTROL.search(text) else codec
    return None
