"""Reading files somebody gave: regular ones only, never more than fits, nested no deeper than any of ours.

What does not fit is told as the system tells what it cannot read, an `OSError` whose `strerror` says why; each reader
puts it into its own sentence.
"""

import errno
import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

from app.foundation.texts import _

MOST_TEXT_BYTES: Final = 1_000_000
"""Of a plan, scenario, rule pack, style sheet or list of settings; the longest shipped one has a twentieth of it."""
_DEEPEST: Final = 50
_MOST_DOTS: Final = 200  # in a line of TOML
_CHUNK_BYTES: Final = 1 << 20
_MOST_BITS: Final = 1_000  # of a whole number, so that it can be printed and divided (sys.int_info, float)


class UnfitFile(OSError):
    """A file of a kind the program does not read; `strerror` says why."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(errno.EINVAL, why, str(path))


def read_bytes(path: Path, most_bytes: int = MOST_TEXT_BYTES) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it cannot be read; an UnfitFile where it is a device or a pipe, or holds more than `most_bytes`.
        ValueError: `path` is the name of no file (NUL).
    """
    # not blocking: a pipe nobody writes to would never open
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except PermissionError as error:
        if path.is_dir():  # Windows opens no folder, and calls that a missing right
            raise _folder(path) from error
        raise
    with os.fdopen(descriptor, "rb") as stream:
        _check(path, os.fstat(descriptor), most_bytes)
        content = bytearray()
        # a file may hold more than its entry says (/proc), and grow while it is read
        while chunk := stream.read(_CHUNK_BYTES):
            content += chunk
            if len(content) > most_bytes:
                raise _too_large(path, most_bytes)
    return bytes(content)


def read_text(path: Path, most_bytes: int = MOST_TEXT_BYTES) -> str:
    """Return the content of a text file in UTF-8, with or without a byte order mark.

    Raises:
        OSError, ValueError: as `read_bytes`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return read_bytes(path, most_bytes).decode("utf-8-sig")


def check_input(path: Path, most_bytes: int) -> None:
    """Check a file that a library is about to open by its path.

    Raises:
        OSError: as `read_bytes`.
    """
    _check(path, os.stat(path), most_bytes)


def toml_of(text: str) -> dict[str, Any]:
    """Return the content of a TOML document.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML, nested too deeply, or holds a number too large to be one of ours.
    """
    try:
        _check_dots(text)
        content = tomllib.loads(text)
        _check_values(content)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise tomllib.TOMLDecodeError(_reason(error)) from error
    return content


def json_of(text: str | bytes) -> Any:
    """Return the content of a JSON document.

    Raises:
        json.JSONDecodeError: it is no JSON, nested too deeply, or holds a number of too many digits.
        UnicodeDecodeError: it is no text.
    """
    try:
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(_reason(error), "", 0) from error


def _folder(path: Path) -> IsADirectoryError:
    return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def _check(path: Path, status: os.stat_result, most_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise _folder(path)
    if not stat.S_ISREG(status.st_mode):
        raise UnfitFile(path, _("it is a device or a pipe, not a file"))
    if status.st_size > most_bytes:
        raise _too_large(path, most_bytes)


def _too_large(path: Path, most_bytes: int) -> UnfitFile:
    return UnfitFile(path, _("it holds more than {most:,.0f} MB").format(most=most_bytes / 1e6))


def _check_dots(text: str) -> None:
    """Raise RecursionError where a key has far too many parts: tomllib takes time with the square of their number."""
    if any(line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#") for line in text.splitlines()):
        raise RecursionError


def _check_values(content: object) -> None:
    """Raise ValueError where values are nested too deeply, or a whole number is larger than any of ours."""
    level, depth = [content], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise RecursionError
        if any(isinstance(value, int) and value.bit_length() > _MOST_BITS for value in level):
            raise ValueError
        level = [inner for value in level if isinstance(value, (dict, list)) for inner in _inner(value)]


def _inner(value: dict[str, object] | list[object]) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else value


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return _("it is nested too deeply")
    return _("a number in it has too many digits")
