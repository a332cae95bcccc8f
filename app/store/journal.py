"""The undo journal: every change to a server, on disk before it is sent.

Its own small file in rollback-journal mode with `synchronous=EXTRA`: after each call everything is in the one file, so
that it may be copied to another laptop at any moment, and a loss of power takes back nothing that was acknowledged
(https://www.sqlite.org/pragma.html#pragma_synchronous).
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.errors import StoreError
from app.foundation.clock import Clock, SystemClock
from app.foundation.codec import dump_json, utc_text
from app.foundation.texts import _
from app.store.change_row import CHANGE_COLUMNS, ENTRY_COLUMNS, change_values, entry_from
from app.store.connection import DEFAULT_BUSY_TIMEOUT_S, atomic, connect
from app.store.faults import known_problems
from app.store.place import check_existing, file_size
from app.store.schema import UNDO_JOURNAL, create_or_upgrade


@dataclass(frozen=True)
class SessionPlace:
    """Where a session's records and the script that undoes its open changes lie, on this computer."""

    session_file: Path
    rollback_script: Path


class UndoJournalFile:
    """The domain's `UndoJournal` on an SQLite file; any thread may call it, one at a time is let in.

    Two programs may use one journal: each call is a transaction of its own and waits a little for the other's.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        clock: Clock | None = None,
        busy_timeout_s: float = DEFAULT_BUSY_TIMEOUT_S,
    ) -> None:
        """Open the journal and prove that it can be written.

        Args:
            path: the file.
            create: whether to make the file, and its folder, where there is none.
            clock: dates the entries; this machine's, unless a test brings its own.
            busy_timeout_s: how long to wait for another program's transaction.

        Raises:
            StoreError: not a journal, damaged, newer than the program, read-only, in use, or missing.
        """
        self.path: Final = path
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._noun = UNDO_JOURNAL.noun
        with known_problems(path, self._noun):
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            if not create or file_size(path, self._noun):
                check_existing(path, self._noun)
            self._connection = connect(
                path, f"mode={'rwc' if create else 'rw'}", busy_timeout_s=busy_timeout_s, any_thread=True
            )
            try:
                _prepare(self._connection, path)
            except BaseException:
                self._connection.close()
                raise

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change before it is sent; return its entry id, which is on disk now.

        Raises:
            StoreError: the journal cannot be written; the change must not be sent.
        """
        values = (
            session_id,
            target,
            *change_values(change),
            EntryState.INTENT.value,
            utc_text(self._clock.now_utc()),
        )
        with self._transaction():
            cursor = self._connection.execute(
                f"INSERT INTO entry (session_id, target, {CHANGE_COLUMNS}, state, recorded_utc)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            entry_id = cursor.lastrowid
        if entry_id is None:
            raise AssertionError("SQLite gave no id for a row it inserted")
        return entry_id

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back; an entry that is restored stays restored.

        Args:
            made: the change with what only making it showed; its details and its undo take the place of the plan's.
        """
        details, undo_sql = (None, None) if made is None else (dump_json(made.details), made.undo_sql)
        self._mark(
            "UPDATE entry SET state = CASE state WHEN 'intent' THEN 'applied' ELSE state END,"
            " applied_utc = coalesce(applied_utc, ?), details = coalesce(?, details), undo_sql = coalesce(?, undo_sql)"
            " WHERE entry_id = ?",
            (utc_text(self._clock.now_utc()), details, undo_sql, entry_id),
        )

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back; the entry is closed."""
        self._mark(
            "UPDATE entry SET state = 'restored', problem = '', restored_utc = coalesce(restored_utc, ?)"
            " WHERE entry_id = ?",
            (utc_text(self._clock.now_utc()), entry_id),
        )

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Write why undoing failed; the entry stays open."""
        self._mark("UPDATE entry SET problem = ? WHERE entry_id = ?", (problem, entry_id))

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first: the order to undo them in."""
        return self._select(
            "WHERE state <> 'restored' AND (?1 IS NULL OR target = ?1) ORDER BY entry_id DESC", (target,)
        )

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session, oldest first."""
        return self._select("WHERE session_id = ? ORDER BY entry_id", (session_id,))

    def keep_place(self, session_id: str, place: SessionPlace) -> None:
        """Write where a session is kept, in place of what was known; its file is behind until it is told the changes.

        Raises:
            StoreError: the journal cannot be written.
        """
        with self._transaction():
            self._connection.execute(
                "INSERT INTO place (session_id, session_file, rollback_script, is_behind) VALUES (?, ?, ?, 1)"
                " ON CONFLICT (session_id) DO UPDATE"
                " SET session_file = excluded.session_file, rollback_script = excluded.rollback_script, is_behind = 1",
                (session_id, str(place.session_file), str(place.rollback_script)),
            )

    def mark_told(self, session_id: str) -> None:
        """Write that a session's file holds all its changes as they stand now."""
        with self._transaction():
            self._connection.execute("UPDATE place SET is_behind = 0 WHERE session_id = ?", (session_id,))

    def sessions_behind(self) -> tuple[str, ...]:
        """Return the sessions whose files may not hold their last changes."""
        with self._lock, known_problems(self.path, self._noun):
            rows = self._connection.execute(
                "SELECT session_id FROM place WHERE is_behind ORDER BY session_id"
            ).fetchall()
        return tuple(str(row[0]) for row in rows)

    def place_of(self, session_id: str) -> SessionPlace | None:
        """Return where a session was kept when it was written last, None where that was not noted."""
        with self._lock, known_problems(self.path, self._noun):
            row = self._connection.execute(
                "SELECT session_file, rollback_script FROM place WHERE session_id = ?", (session_id,)
            ).fetchone()
        return None if row is None else SessionPlace(Path(row[0]), Path(row[1]))

    def close(self) -> None:
        """Close the file; does nothing the second time."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> "UndoJournalFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _mark(self, sql: str, values: tuple[str | int | None, ...]) -> None:
        with self._transaction():
            changed = self._connection.execute(sql, values).rowcount
            if changed != 1:
                raise StoreError(
                    _("{path} has no entry {entry_id}; it is not the journal this change was written to").format(
                        path=self.path, entry_id=values[-1]
                    )
                )

    def _select(self, condition: str, values: tuple[str | None, ...]) -> tuple[JournalEntry, ...]:
        with self._lock, known_problems(self.path, self._noun):
            rows = self._connection.execute(
                f"SELECT {ENTRY_COLUMNS}, session_id FROM entry {condition}", values
            ).fetchall()
            return tuple(entry_from(row[:-1], row[-1]) for row in rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, known_problems(self.path, self._noun), atomic(self._connection):
            yield


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA synchronous = EXTRA")
    create_or_upgrade(connection, UNDO_JOURNAL, path)
    connection.execute("PRAGMA journal_mode = DELETE")
    # One real write, so that a read-only file, folder or a full disk is found before a change is even planned.
    with atomic(connection):
        connection.execute(f"PRAGMA user_version = {UNDO_JOURNAL.version}")
