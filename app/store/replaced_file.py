"""A session file that another program replaces or removes while it is written: put back in its place, at once.

A program that synchronises folders moves its own copy over a file, also over one that is open. What is written then
goes on to a file without a name and is lost with its last handle, so the place is looked at before each write.
"""

import contextlib
import itertools
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.foundation.texts import _

_Identity = tuple[int, int] | None

_COMPANIONS: Final = ("-wal", "-shm")


class KeptPlace:
    """Watches over the place of an open session file, which has its own content there whenever it is asked.

    Attributes:
        told: one sentence on the newest time it had to be put back, "" where it never was.
    """

    def __init__(self, path: Path, reopen: Callable[[], sqlite3.Connection]) -> None:
        """Watch over a file that is about to be opened.

        Args:
            reopen: opens a connection to what then stands there.
        """
        self.told = ""
        self._path = path.resolve()
        self._reopen = reopen
        self._identity: _Identity = None

    def opened(self) -> None:
        """Note the file now in its place as the one being written."""
        self._identity = self._look()

    @property
    def is_lost(self) -> bool:
        """Whether something else stands there now, or nothing."""
        return self._identity is not None and self._look() != self._identity

    def kept(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """Return the connection to write to: the one there is, or a new one where the file had to be put back.

        Raises:
            StoreError: it cannot be put back, and the connection stays open; says where a copy of all so far lies.
        """
        if not self.is_lost:
            return connection
        copy = self._path.with_name(f"{self._path.name}.kept")
        where = ""
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)  # the folder may be gone with it
            copy.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(copy)) as target:
                connection.backup(target)
            where = _("; what was measured so far is in {copy}").format(copy=copy)
            other = self._move_aside()
            copy.replace(self._path)
            new = self._reopen()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                _(
                    "{path} was replaced or removed by another program while it was in use, and cannot be put back "
                    "({why})"
                ).format(path=self._path, why=error)
                + where
            ) from error
        connection.close()
        self.opened()
        self.told = self._sentence(other)
        return new

    def _move_aside(self) -> Path | None:
        """Rename the file now in its place and return its new path; None where there is none."""
        other = self._free_name() if self._path.exists() else None
        if other is not None:
            self._path.replace(other)
        for ending in _COMPANIONS:  # of the file that is written: SQLite would take them for those of the next one
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        return other

    def _free_name(self) -> Path:
        names = (f"{self._path.stem}-replaced-{number}{self._path.suffix}" for number in itertools.count(1))
        return next(path for path in map(self._path.with_name, names) if not path.exists())

    def _look(self) -> _Identity:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _sentence(self, other: Path | None) -> str:
        if other is None:
            return _(
                "{path} was removed by another program while it was written, such as one that synchronises the folder; "
                "it is there again with everything measured so far, and goes on"
            ).format(path=self._path)
        return _(
            "{path} was replaced by another program while it was written, such as one that synchronises the folder; it "
            "is there again with everything measured so far, and goes on; what it was replaced by is {other}"
        ).format(path=self._path, other=other)
