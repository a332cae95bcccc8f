"""The undo journal: every change to a server, on disk before it is sent.

Its own small file in rollback-journal mode with `synchronous=EXTRA`: after each call everything is in the one file, so
that it may be copied to another laptop at any moment, and a loss of power takes back nothing that was acknowledged
(https://www.sqlite.org/pragma.html#pragma_synchronous).

What was read or written stays in memory, so that a lost file keeps nothing from being undone. The journal knows where
its sessions lie, so that a later restore brings their file and `rollback.sql` up to date.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from app.domain.change import Change, EntryState, JournalEntry, Keep
from app.domain.errors import StoreError
from app.foundation.clock import Clock, SystemClock
from app.foundation.codec import dump_json, utc_text
from app.foundation.texts import _
from app.store.change_row import change_values
from app.store.connection import DEFAULT_BUSY_TIMEOUT_S, atomic, read_number
from app.store.faults import damaged, known_problems
from app.store.journal_opening import open_journal, read_head, write_anew, write_head, write_row
from app.store.journal_seals import PLACE_COLUMNS, ROW_COLUMNS, Place, Row, new_row, row_from
from app.store.journal_witness import JournalWitness, SessionPlace, Witnessed
from app.store.schema import UNDO_JOURNAL


class UndoJournalFile:
    """The domain's `UndoJournal` on an SQLite file; any thread may call it, one at a time is let in.

    Two programs may use one journal: each call is a transaction of its own and waits a little for the other's.

    What was written or read stays in memory. A file that is lost, damaged or full afterwards keeps nothing from being
    put back: what it does not say any more is answered from memory, `trouble` says so, and what it could not take is
    written with the next call it takes. Only a new change, and that one was sent, are never held in memory alone.

    Attributes:
        damage: what the file could not vouch for when it was opened.
        trouble: why the file is behind, one sentence, or "".
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        is_lasting: bool = True,
        clock: Clock | None = None,
        busy_timeout_s: float = DEFAULT_BUSY_TIMEOUT_S,
    ) -> None:
        """Open the journal, check every entry, and prove that it can be written.

        Args:
            path: the file.
            create: whether to make the file, and its folder, where there is none; without it a file that can only be
                read is opened, too, since what it holds can be put back.
            is_lasting: False for a new file where all that is changed ends with this process: no call then waits for
                the disk, and nobody else writes what would have to be read again.
            clock: dates the entries; this machine's, unless a test brings its own.
            busy_timeout_s: how long to wait for another program's transaction.

        Raises:
            StoreError: not a journal, damaged as a whole, newer than the program, read-only, in use, or missing.
        """
        self.path: Final = path
        self._clock = clock or SystemClock()
        self._lock = threading.RLock()
        self._noun = UNDO_JOURNAL.noun
        self._rows: dict[int, Row] = {}
        self._behind: set[int] = set()
        self._is_lasting = is_lasting
        self._adopted_version: int | None = None
        self._witness = JournalWitness(path)
        with known_problems(path, self._noun):
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            opened = open_journal(path, create=create, busy_timeout_s=busy_timeout_s, is_lasting=is_lasting)
        self._connection = opened.connection
        self._budget: Final = opened.budget
        self._without_seals: Final = opened.without_seals
        self.damage: Final = opened.damage
        self.trouble = opened.trouble

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change before it is sent; return its entry id, which is on disk now.

        Raises:
            StoreError: the journal cannot be written; the change must not be sent.
        """
        values = (session_id, target, *change_values(change))
        with self._lock:
            with self._transaction():
                head = read_head(self._connection)
                if head is None:
                    raise StoreError(damaged(self.path, self._noun))
                entry_id = head.newest + 1
                while self._row_in_file(entry_id) is not None:
                    entry_id += 1
                row = new_row(entry_id, values, utc_text(self._clock.now_utc()), head.link)
                write_row(self._connection, row)
                write_head(self._connection, head._replace(newest=entry_id, link=row.link))
            self._rows[entry_id] = row
            if self._is_lasting and self.damage.lost is None:  # what is known beside it says more
                self._witness_or_close(entry_id)
        return entry_id

    def _witness_or_close(self, entry_id: int) -> None:
        """Have it known beside the journal that it has this entry; one that cannot be is closed, as nothing was sent.

        Only then is what is known there never ahead of the journal, wherever the program is killed.
        """
        try:
            with known_problems(self.path, self._noun), atomic(self._connection):
                self._write_witness()
        except StoreError:
            self.mark_restored(entry_id)
            raise

    def _write_witness(self) -> None:
        """Write the file's present state to the witness; no other program writes it meanwhile."""
        head = read_head(self._connection)
        if head is None:
            raise StoreError(damaged(self.path, self._noun))
        rows = self._connection.execute(
            "SELECT session_id, max(entry_id) FROM entry NOT INDEXED WHERE state <> 'restored' "
            "GROUP BY session_id ORDER BY session_id"
        ).fetchall()
        newest_of = {str(session_id): int(newest) for session_id, newest in rows}
        places = {session_id: self._place_in_file(session_id) for session_id in newest_of}
        known = {
            session_id: SessionPlace(Path(place.session_file), Path(place.rollback_script))
            for session_id, place in places.items()
            if place is not None
        }
        is_complete = len(known) == len(newest_of)
        self._witness.write(Witnessed(head.newest, head.link, known, (), newest_of, is_complete))

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back; an entry that is restored stays restored.

        Args:
            made: the change with what only making it showed; its details and its undo take the place of the plan's.

        Raises:
            StoreError: the journal cannot be written; that the change was made is known in memory.
        """
        now = utc_text(self._clock.now_utc())

        def applied(row: Row) -> Row:
            row = row._replace(
                state=EntryState.APPLIED.value if row.state == EntryState.INTENT.value else row.state,
                applied_utc=row.applied_utc or now,
            )
            return row if made is None else row._replace(details=dump_json(made.details), undo_sql=made.undo_sql)

        self._mark(entry_id, applied)

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back; the entry is closed."""
        now = utc_text(self._clock.now_utc())
        self._mark_if_possible(
            entry_id,
            lambda row: row._replace(state=EntryState.RESTORED.value, problem="", restored_utc=row.restored_utc or now),
        )

    def mark_left(self, entry_id: int, change: Change) -> None:
        """Record the state in which a changed object is left; held in memory where it cannot be written."""
        self._mark_if_possible(entry_id, lambda row: row._replace(details=dump_json(change.details)))

    def mark_kept(self, entry_ids: Sequence[int], how: Keep | None) -> None:
        """Write in one transaction that these changes are kept on purpose, or no longer.

        Raises:
            StoreError: it cannot be written; they are as before.
        """
        with self._lock:
            for entry_id in entry_ids:
                self._load(entry_id)
            rows, behind = {entry_id: self._rows[entry_id] for entry_id in entry_ids}, set(self._behind)
            for entry_id, row in rows.items():
                details = dump_json(row.entry().change.kept_as(how).details)
                self._rows[entry_id] = row._replace(details=details).sealed()
                self._behind.add(entry_id)
            try:
                with self._transaction():
                    """What is behind is written first in each."""
            except StoreError:
                self._rows.update(rows)
                self._behind = behind
                raise

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Write why undoing failed; the entry stays open."""
        self._mark_if_possible(entry_id, lambda row: row._replace(problem=problem))

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first: the order to undo them in."""
        rows = self._select("WHERE state <> 'restored'", (), lambda row: row.is_open)
        return tuple(row.entry() for row in reversed(rows) if target in (None, row.target))

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session, oldest first."""
        rows = self._select("WHERE session_id = ?", (session_id,), lambda row: row.session_id == session_id)
        return tuple(row.entry() for row in rows)

    def keep_place(self, session_id: str, place: SessionPlace) -> None:
        """Write where a session is kept, replacing an earlier place; its file counts as behind until it has the
        changes.

        Raises:
            StoreError: the journal cannot be written.
        """
        with self._transaction():
            self._write_place(Place(session_id, str(place.session_file), str(place.rollback_script), 1, ""))

    def mark_synced(self, session_id: str) -> None:
        """Record that the session file is up to date. Idempotent."""
        try:
            with self._transaction():
                place = self._place_in_file(session_id)
                if place is not None:
                    self._write_place(place._replace(is_behind=0))
        except StoreError as error:
            self.trouble = str(error)

    def sessions_behind(self) -> tuple[str, ...]:
        """Return the sessions whose files may not hold their last changes."""
        with self._lock, known_problems(self.path, self._noun):
            rows = self._connection.execute(
                "SELECT session_id FROM place WHERE is_behind ORDER BY session_id"
            ).fetchall()
        return tuple(str(row[0]) for row in rows)

    def place_of(self, session_id: str) -> SessionPlace | None:
        """Return where a session was kept when it was written last, None where that was not noted or is damaged."""
        with self._lock, known_problems(self.path, self._noun):
            place = self._place_in_file(session_id)
        return None if place is None else SessionPlace(Path(place.session_file), Path(place.rollback_script))

    def close(self) -> None:
        """Close the file; does nothing the second time. Open entries missing in the file go into a new one."""
        with self._lock:
            self._catch_up_at_last()
            self._connection.close()

    def _catch_up_at_last(self) -> None:
        if not self._behind:
            return
        try:
            with self._transaction():
                """What is behind is written first in each."""
        except StoreError as error:
            self.trouble = str(error)
            if any(row.is_open for row in self._rows.values()):
                write_anew(self.path, self._rows)
            else:
                self._witness.clear()
        self._behind.clear()

    def __enter__(self) -> "UndoJournalFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _mark(self, entry_id: int, changed: Callable[[Row], Row]) -> None:
        with self._lock:
            self._load(entry_id)
            self._rows[entry_id] = changed(self._rows[entry_id]).sealed()
            self._behind.add(entry_id)
            with self._transaction():
                """What is behind is written first in each."""
            if not self._rows[entry_id].is_open:
                self._clear_witness()

    def _load(self, entry_id: int) -> None:
        """Have a row in memory; raises StoreError where there is none."""
        if entry_id not in self._rows:
            with known_problems(self.path, self._noun):
                self._remember(self._read_rows("WHERE entry_id = ?", (entry_id,)))
        if entry_id not in self._rows:
            raise StoreError(self._not_here(entry_id))

    def _clear_witness(self) -> None:
        """Remove the witness once no change is open; no other program writes one meanwhile."""
        if self.damage.lost is not None:
            return  # what this file does not say any more may be open
        with suppress(sqlite3.Error), atomic(self._connection):
            if not self._read_rows("WHERE state <> 'restored' LIMIT 1", ()):
                self._witness.clear()

    def _mark_if_possible(self, entry_id: int, changed: Callable[[Row], Row]) -> None:
        try:
            self._mark(entry_id, changed)
        except StoreError as error:
            if entry_id not in self._rows:
                raise
            self.trouble = str(error)

    def _select(self, condition: str, values: tuple[str, ...], is_meant: Callable[[Row], bool]) -> list[Row]:
        """Return rows that can be trusted, by id; memory stands in for rows the file has lost."""
        with self._lock:
            try:
                if self._is_lasting:
                    with known_problems(self.path, self._noun):
                        self._remember(self._read_rows(condition, values))
                        self._adopt()
            except StoreError as error:
                if not self._rows:
                    raise
                self.trouble = str(error)
            return sorted((row for row in self._rows.values() if is_meant(row)), key=lambda row: row.entry_id)

    def _read_rows(self, condition: str, values: tuple[str | int, ...]) -> list[Row]:
        self._budget.renew()
        sql = f"SELECT {ROW_COLUMNS} FROM entry NOT INDEXED {condition}"
        return [row_from(row) for row in self._connection.execute(sql, values)]

    def _remember(self, rows: list[Row]) -> None:
        for row in rows:
            if row.entry_id not in self._rows and self._is_trusted(row):
                self._rows[row.entry_id] = row

    def _adopt(self) -> None:
        """Take over the rows another program wrote of an entry that is open here.

        `data_version` differs once another connection has written
        (https://www.sqlite.org/pragma.html#pragma_data_version).
        """
        if not self._is_lasting:
            return
        version = read_number(self._connection, "PRAGMA data_version")
        if version != self._adopted_version:
            for row in [row for row in self._rows.values() if row.is_open and row.entry_id not in self._behind]:
                self._adopt_row(row)
            self._adopted_version = version

    def _adopt_row(self, row: Row) -> None:
        theirs = self._row_in_file(row.entry_id)
        if theirs is not None and theirs.link == row.link and self._is_trusted(theirs):
            self._rows[row.entry_id] = theirs
        elif theirs is None or not theirs.is_intact:
            self._behind.add(row.entry_id)

    def _is_trusted(self, row: Row) -> bool:
        return row.is_intact or (row.has_no_seal and row.entry_id in self._without_seals)

    def _not_here(self, entry_id: int) -> str:
        return _("{path} has no entry {entry_id}; it is not the journal this change was written to").format(
            path=self.path, entry_id=entry_id
        )

    def _row_in_file(self, entry_id: int) -> Row | None:
        rows = self._read_rows("WHERE entry_id = ?", (entry_id,))
        return rows[0] if rows else None

    def _place_in_file(self, session_id: str) -> Place | None:
        row = self._connection.execute(
            f"SELECT {PLACE_COLUMNS} FROM place NOT INDEXED WHERE session_id = ?", (session_id,)
        ).fetchone()
        place = None if row is None else Place(*row)
        return place if place is None or place.is_intact or not place.seal else None

    def _write_place(self, place: Place) -> None:
        self._connection.execute(
            f"INSERT OR REPLACE INTO place ({PLACE_COLUMNS}) VALUES (?, ?, ?, ?, ?)", place.sealed()
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Let one call write, after the rows that could not be written before."""
        with self._lock, known_problems(self.path, self._noun):
            self._budget.renew()
            with atomic(self._connection):
                self._settle()
                yield
            self._behind.clear()
            self.trouble = ""

    def _settle(self) -> None:
        """Write rows missing in the file: those it could not take, or all where an older copy took its place."""
        self._adopt()
        head = read_head(self._connection)
        newest = max(self._rows, default=0)
        if head is not None and head.newest < newest:
            self._behind.update(self._rows)
            write_head(self._connection, head._replace(newest=newest, link=self._rows[newest].link or head.link))
        for number in sorted(self._behind):
            self._catch_up(self._rows[number])

    def _catch_up(self, row: Row) -> None:
        theirs = self._row_in_file(row.entry_id)
        if theirs is not None and self._is_trusted(theirs):
            if theirs.link != row.link:
                raise StoreError(self._not_here(row.entry_id))
            if row.is_open and not theirs.is_open:
                self._rows[row.entry_id] = theirs  # another program has put it back
                return
        write_row(self._connection, row)
