"""Connections to a database file, and all-or-nothing work on them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from app.store.sibling_files import check_siblings

DEFAULT_BUSY_TIMEOUT_S: Final = 2.0
MOST_TEXT_BYTES: Final = 16_000_000
"""Of one text of a row: more than all that is kept of any site."""
_MOST_SQL_BYTES: Final = 100_000  # of one statement, and of what a schema says of one table


def connect(
    path: Path, query: str, *, busy_timeout_s: float = DEFAULT_BUSY_TIMEOUT_S, any_thread: bool = False
) -> sqlite3.Connection:
    """Open a database file; transactions are begun and ended by `atomic` alone.

    Args:
        path: the file.
        query: SQLite's options for opening it, such as `mode=ro` (https://www.sqlite.org/uri.html).
        busy_timeout_s: how long to wait for another process's lock.
        any_thread: whether threads may share the connection; the caller then lets one in at a time.

    Raises:
        StoreError: beside it lies what SQLite must not use.
    """
    check_siblings(path)
    connection = sqlite3.connect(
        f"{file_uri(path)}?{query}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=not any_thread,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MOST_SQL_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def file_uri(path: Path) -> str:
    """Return the URI of a file as SQLite reads it: an empty authority, also for a network path of Windows."""
    text = path.absolute().as_posix()
    return f"file://{quote(text if text.startswith('/') else '/' + text)}"


@contextmanager
def atomic(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a block as one transaction, or as a savepoint inside one; undone as a whole by any exception.

    The exception that ended the block is the one raised, also where SQLite rolled back by itself (a full disk).
    """
    nested = connection.in_transaction
    connection.execute("SAVEPOINT step" if nested else "BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("RELEASE step" if nested else "COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO step" if nested else "ROLLBACK")
            if nested:
                connection.execute("RELEASE step")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several reads see one and the same state of the file."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def read_number(connection: sqlite3.Connection, sql: str) -> int:
    """Return the one whole number a query gives."""
    row = connection.execute(sql).fetchone()
    return int(row[0])
