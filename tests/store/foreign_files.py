"""Files as somebody makes them who wants to harm whoever opens them: a database, and what lies beside it."""

import os
import sqlite3
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from app.store import UndoJournalFile, create_session_file
from tests.store.sample import SESSION_ID, TARGET, make_change, make_record

MAGIC: Final = bytes.fromhex("d9d505f920a163d7")


def session_file(path: Path) -> Path:
    """Write a closed session file with one session."""
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


def journal_file(path: Path) -> Path:
    """Write a closed undo journal with one open change."""
    with UndoJournalFile(path, is_lasting=False) as journal:
        journal.record_intent(SESSION_ID, TARGET, make_change())
    return path


def rollback_journal(path: Path, *, super_journal: Path | None = None) -> Path:
    """Write a journal beside a database that SQLite plays back: it changes no page, and may name a super-journal.

    https://www.sqlite.org/fileformat2.html#the_rollback_journal; a super-journal's name stands at the end, with its
    length, the sum of its bytes and the magic (pager.c, `writeSuperJournal`).
    """
    raw = path.read_bytes()
    page_bytes = struct.unpack(">H", raw[16:18])[0]
    header = MAGIC + struct.pack(">IIIII", 0, 0, len(raw) // page_bytes, 512, page_bytes)
    content = header.ljust(512, b"\0")
    if super_journal is not None:
        name = str(super_journal).encode()
        lock_page = (1 << 30) // page_bytes + 1
        content += struct.pack(">I", lock_page) + name + struct.pack(">II", len(name), sum(name)) + MAGIC
    journal = Path(f"{path}-journal")
    journal.write_bytes(content)
    return journal


def changed(path: Path, script: str) -> None:
    """Change a database past all that SQLite lets nobody write by mistake."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(f"PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; {script}")
    connection.close()


def schema_edited(path: Path, old: str, new: str) -> None:
    """Change what a schema says of its tables, their rows left as they are."""
    changed(path, f"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}')")


def _links_to(suffix: str, make: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    return lambda path, victim: make(Path(f"{path}{suffix}"), victim)


BESIDE: Final[Mapping[str, Callable[[Path, Path], object]]] = {
    "a journal that names a super-journal": lambda path, victim: rollback_journal(path, super_journal=victim),
    **{
        f"a {kind} link in place of {suffix}": _links_to(suffix, make)
        for suffix in ("-journal", "-wal", "-shm")
        for kind, make in (
            ("symbolic", lambda beside, victim: beside.symlink_to(victim)),
            ("hard", lambda beside, victim: os.link(victim, beside)),
        )
    },
}
"""What may lie beside a database, made of its path and that of a file somebody needs."""

_LONG: Final = "printf(''%.*c'', 15000000, ''x'')"
SCHEMAS: Final[Mapping[str, Callable[[Path, str], None]]] = {
    "a generated column": lambda path, table: changed(
        path, f"ALTER TABLE {table} ADD COLUMN more TEXT AS (printf('%.*c', 15000000, 'x'))"
    ),
    "a column": lambda path, table: changed(path, f"ALTER TABLE {table} ADD COLUMN more TEXT"),
    "a default that is worked out": lambda path, table: schema_edited(path, "NOT NULL", f"NOT NULL DEFAULT ({_LONG})"),
    "a check": lambda path, table: schema_edited(path, ") STRICT", f", CHECK (length({_LONG}) > 0)) STRICT"),
    "no types": lambda path, table: schema_edited(path, "STRICT", ""),
    "a table": lambda path, _table: changed(path, "CREATE TABLE more (x)"),
    "a virtual table": lambda path, _table: changed(path, "CREATE VIRTUAL TABLE more USING fts5(x)"),
    "an index": lambda path, table: changed(path, f"CREATE INDEX more ON {table} (session_id)"),
    "an index over an expression": lambda path, table: changed(
        path, f"CREATE INDEX more ON {table} (length(printf('%.*c', 1000000, session_id)))"
    ),
    "a view": lambda path, table: changed(path, f"CREATE VIEW more AS SELECT * FROM {table}"),
    "a trigger": lambda path, table: changed(
        path, f"CREATE TRIGGER more AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"
    ),
    "a view in place of a table": lambda path, table: changed(
        path, f"ALTER TABLE {table} RENAME TO more; CREATE VIEW {table} AS SELECT * FROM more"
    ),
    "300 tables": lambda path, _table: changed(path, "".join(f"CREATE TABLE more_{n} (x);" for n in range(300))),
}
"""Schemas that are not ours, made of a file's path and the name of its chief table."""
