"""Kinds of files: how each is recognised, and how an older one becomes a current one."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.foundation.files import move_into_place
from app.foundation.texts import _
from app.store.budget import MOST_OBJECTS, within_objects
from app.store.connection import atomic, connect, read_number
from app.store.faults import damaged, newer, not_sqlite, older
from app.store.journal_migrations import JOURNAL_STEPS
from app.store.migrations import SESSION_STEPS


@dataclass(frozen=True)
class FileKind:
    """One kind of database file.

    Attributes:
        noun: what it is for a user.
        application_id: SQLite's mark in the header, four letters as a number.
        steps: the statements of each migration; the file's `user_version` counts the steps done.
    """

    noun: str
    application_id: int
    steps: tuple[tuple[str, ...], ...]

    @property
    def version(self) -> int:
        """The version this program writes."""
        return len(self.steps)


SESSION_FILE: Final = FileKind(_("session file"), int.from_bytes(b"RPLS", "big"), SESSION_STEPS)
UNDO_JOURNAL: Final = FileKind(_("undo journal"), int.from_bytes(b"RPLJ", "big"), JOURNAL_STEPS)


def read_version(connection: sqlite3.Connection, kind: FileKind, path: Path) -> int:
    """Return the version of a file that holds something.

    Raises:
        StoreError: another kind of database, or a version this program does not know.
    """
    version = read_number(connection, "PRAGMA user_version")
    if read_number(connection, "PRAGMA application_id") != kind.application_id or version < 1:
        raise StoreError(not_sqlite(path, kind.noun))
    if version > kind.version:
        raise StoreError(newer(path, kind.noun))
    return version


def require_current(connection: sqlite3.Connection, kind: FileKind, path: Path) -> None:
    """Check that a file can be read as it is.

    Raises:
        StoreError: another kind of database, or another version.
    """
    if read_version(connection, kind, path) < kind.version:
        raise StoreError(older(path, kind.noun))


def refuse_foreign(connection: sqlite3.Connection, kind: FileKind, path: Path, version: int) -> None:
    """Refuse a file whose tables and indexes are not exactly those its version has.

    SQLite works out what a schema says while it reads: generated columns, checks, indexes over expressions, triggers
    and views would act on whoever opens the file.

    Raises:
        StoreError: there is any other, or one is missing.
        sqlite3.OperationalError: interrupted, since there are far more of them.
    """
    if within_objects(connection, lambda: _objects(connection)) != _own_objects(kind, version):
        raise StoreError(damaged(path, kind.noun))


@cache
def _own_objects(kind: FileKind, version: int) -> list[tuple[object, ...]]:
    """Return the objects in a file of a version of this program, as SQLite keeps them: made once, in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in kind.steps[:version]:
            for statement in step:
                connection.execute(statement)
        return _objects(connection)


def _objects(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?", (MOST_OBJECTS,))
    return sorted(rows, key=repr)


def check_pages(connection: sqlite3.Connection, kind: FileKind, path: Path) -> None:
    """Check the structure of every page (SQLite's `quick_check`; about 1 s for each GB).

    Raises:
        StoreError: the file is damaged.
    """
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise StoreError(damaged(path, kind.noun))


def create_or_upgrade(connection: sqlite3.Connection, kind: FileKind, path: Path) -> None:
    """Bring an empty or older file to the current version, each step in one transaction with its number.

    A file that holds something is copied to `<name>.v<version>.bak` first.

    Raises:
        StoreError: another kind of database, damaged, or newer than the program.
    """
    version = 0
    if not _is_empty(connection):
        version = read_version(connection, kind, path)
        refuse_foreign(connection, kind, path, version)
        check_pages(connection, kind, path)
        if version < kind.version:
            keep_copy(connection, path.with_name(f"{path.name}.v{version}.bak"))
    for number in range(version + 1, kind.version + 1):
        _run_step(connection, kind, number)


def keep_copy(connection: sqlite3.Connection, copy_path: Path) -> None:
    """Write a complete copy of a database, its write-ahead log included; whole or not at all."""
    partial_path = copy_path.with_name(f"{copy_path.name}.partial")
    partial_path.unlink(missing_ok=True)
    copy = connect(partial_path, "mode=rwc")
    try:
        connection.backup(copy)
    finally:
        copy.close()
    move_into_place(partial_path, copy_path)


def _is_empty(connection: sqlite3.Connection) -> bool:
    # Looking at the tables is the first read of the file: here SQLite finds what is no database.
    tables = within_objects(connection, lambda: read_number(connection, "SELECT count(*) FROM sqlite_master"))
    marks = read_number(connection, "PRAGMA application_id") + read_number(connection, "PRAGMA user_version")
    return tables == 0 and marks == 0


def _run_step(connection: sqlite3.Connection, kind: FileKind, number: int) -> None:
    with atomic(connection):
        if read_number(connection, "PRAGMA user_version") >= number:
            return  # another process made the same step while we waited for its lock
        for statement in kind.steps[number - 1]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {kind.application_id}")
        connection.execute(f"PRAGMA user_version = {number}")
