"""A limit on all that is read of a file: somebody else may have made it, and a few bytes can be made to give gigabytes.

A file of this program gives each of its texts a few times at most, and each row in some tens of SQLite's instructions.
A file made by hand may have thousands of rows that share one long text, or name each other without an end.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from app.domain.errors import StoreError
from app.store.faults import damaged, too_much

MOST_OBJECTS: Final = 200
"""Tables and indexes that are looked at before a file is known to be ours; a session file has some thirty."""

_STEPS_AT_A_TIME: Final = 100_000
_STEPS_FOR_ANY: Final = 50_000_000
_STEPS_FOR_A_BYTE: Final = 20
_BYTES_FOR_ANY: Final = 16_000_000
_BYTES_FOR_A_BYTE: Final = 8
_STEPS_FOR_AN_OBJECT: Final = 100


def most_bytes(size_bytes: int) -> int:
    """Return how many bytes of text one reading of a file of this size may give."""
    return _BYTES_FOR_ANY + size_bytes * _BYTES_FOR_A_BYTE


class ReadingBudget:
    """Limits for one reading of a file: bytes of text, and instructions of SQLite, which stand for rows and time.

    Both follow from the size of the file and not from this computer, so that a file is read everywhere or nowhere.

    Args:
        decode: makes a text of its bytes.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, noun: str, decode: Callable[[bytes], str] = bytes.decode
    ) -> None:
        self._connection = connection
        self._path = path
        self._noun = noun
        self._decode = decode
        self._bytes_left = 0
        self._steps_left = 0
        self.renew()
        connection.text_factory = self._text
        connection.row_factory = self._row
        connection.set_progress_handler(self._step, _STEPS_AT_A_TIME)

    def renew(self) -> None:
        """Begin another reading."""
        size = _size_of(self._path) + _size_of(Path(f"{self._path}-wal"))
        self._bytes_left = most_bytes(size)
        self._steps_left = _STEPS_FOR_ANY + size * _STEPS_FOR_A_BYTE

    def pages_are_checked(self) -> None:
        """Look at single rows no more: SQLite has found the type of each value as its column says."""
        self._connection.row_factory = None

    def _text(self, raw: bytes) -> str:
        self._bytes_left -= len(raw)
        if self._bytes_left < 0:
            raise StoreError(too_much(self._path, self._noun))
        return self._decode(raw)

    def _row(self, _cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Refuse bytes in place of a text, which are counted nowhere: no table of ours has a column for them."""
        if bytes in map(type, row):
            raise StoreError(damaged(self._path, self._noun))
        return row

    def _step(self) -> int:
        self._steps_left -= _STEPS_AT_A_TIME
        return int(self._steps_left < 0)


def within_objects(connection: sqlite3.Connection, read: Callable[[], Any]) -> Any:
    """Return the result of reading the schema; interrupted where there are far more objects than ours."""
    connection.set_progress_handler(lambda: 1, MOST_OBJECTS * _STEPS_FOR_AN_OBJECT)
    try:
        return read()
    finally:
        connection.set_progress_handler(None, 0)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
