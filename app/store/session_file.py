"""Opening session files, `*.replitune`: one writer at a time, any number of readers.

While a file is written it is in WAL mode, so that readers never wait; on closing it goes back to a single file without
anything beside it, which may be copied, mailed or put on a read-only medium.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, TypeVar

from app.domain.errors import StoreError
from app.domain.events import RunStarted
from app.domain.session import SessionRecord
from app.foundation.clock import Clock, SystemClock
from app.foundation.texts import _
from app.store import annotations, trial_writing, writing
from app.store.annotations import Remark, Tag
from app.store.connection import atomic, connect
from app.store.faults import known_problems
from app.store.lock import WriterLock
from app.store.overview import RecordedEvent, SessionHeader, StoredTexts
from app.store.place import check_existing, file_size, on_network, refuse_network
from app.store.reader import SessionReader, require_session
from app.store.reading import find_session
from app.store.recorder import SessionRecorder
from app.store.replaced_file import KeptPlace
from app.store.schema import SESSION_FILE, create_or_upgrade
from app.store.writer import WriterThread

T = TypeVar("T")


def create_session_file(path: Path, *, clock: Clock | None = None, is_lasting: bool = True) -> "SessionStore":
    """Make a session file, or open the one that is there to add to it.

    Args:
        is_lasting: False where the file is worth nothing once the computer fails: no write then waits for the disk.

    Raises:
        StoreError: the folder is missing, another kind of file has that name, open elsewhere, read-only, disk full …
    """
    return SessionStore(path, create=True, clock=clock, is_lasting=is_lasting)


def open_for_writing(path: Path, *, clock: Clock | None = None) -> "SessionStore":
    """Open an existing session file to add to it; runs a dead program left running become interrupted.

    Raises:
        StoreError: missing, not a session file, damaged, newer than the program, open elsewhere, read-only, disk full.
    """
    return SessionStore(path, create=False, clock=clock)


def open_for_reading(path: Path) -> SessionReader:
    """Open an existing session file to read it, also while it is being written.

    Runs of a program that died read as running until the file has been opened for writing once.

    Raises:
        StoreError: missing, a folder, on a network drive, not a session file, damaged, newer than the program.
    """
    return SessionReader(path)


class SessionStore:
    """A session file open for writing; use the functions above to get one, and close it."""

    def __init__(self, path: Path, *, create: bool, clock: Clock | None = None, is_lasting: bool = True) -> None:
        self.path: Final = path
        self._is_lasting = is_lasting
        self._clock = clock or SystemClock()
        self._recorders: list[SessionRecorder] = []
        with known_problems(path, SESSION_FILE.noun):
            if file_size(path, SESSION_FILE.noun) or not create:
                check_existing(path, SESSION_FILE.noun)
            refuse_network(path, SESSION_FILE.noun)
            self._lock = WriterLock(path)
            self._place = KeptPlace(path, lambda: _write_ahead(connect(path, "mode=rw"), path))
            try:
                self._writer = WriterThread(
                    lambda: _open_connection(path, create=create, is_lasting=is_lasting),
                    _close_connection,
                    self._place.kept,
                )
                self._place.opened()
            except BaseException:
                self._lock.release()
                raise

    def start_session(self, header: SessionHeader) -> SessionRecorder:
        """Begin a new session and return its recorder.

        Raises:
            StoreError: the file holds a session of that id already, or cannot be written.
        """
        key = self._run(lambda connection: self._insert_session(connection, header))
        return self._recorder(header.session_id, key)

    def resume_session(self, session_id: str | None = None) -> SessionRecorder:
        """Return the recorder of an existing session, the newest for None.

        Raises:
            StoreError: the file holds no such session.
        """

        def find(connection: sqlite3.Connection) -> tuple[str, int]:
            key = require_session(connection, self.path, session_id)
            row = connection.execute("SELECT session_id FROM session WHERE session_key = ?", (key,)).fetchone()
            return row[0], key

        return self._recorder(*self._run(find))

    def add_session(
        self,
        record: SessionRecord,
        *,
        events: Sequence[RecordedEvent] = (),
        remarks: Sequence[Remark] = (),
        tags: Sequence[Tag] = (),
        as_stored: StoredTexts | None = None,
    ) -> None:
        """Write a complete session at once, such as one read from another file.

        Args:
            as_stored: texts of a copied session as they stood there, so that its fingerprint stays.

        Raises:
            StoreError: the file holds a session of that id already, or cannot be written; nothing is written then.
        """

        def write(connection: sqlite3.Connection) -> None:
            header = SessionHeader(
                record.session_id,
                record.title,
                record.client,
                record.consultant,
                record.created_utc,
                record.app_version,
            )
            key = self._insert_session(connection, header)
            _write_content(connection, key, record)
            if as_stored is not None:
                writing.keep_stored(connection, key, as_stored)
            writing.insert_events(connection, key, events)
            annotations.insert_remarks(connection, key, remarks)
            annotations.put_tags(connection, key, tags)
            annotations.put_own_words(connection, key, record.own_words.by_place())

        self._run(write)

    def add_remark(self, text: str, session_id: str | None = None, run_id: str = "") -> None:
        """Write a note on a session, the newest for None, or on one of its runs.

        Raises:
            StoreError: the file holds no such session or run, or cannot be written.
        """
        remark = Remark(0, run_id, text, self._clock.now_utc())
        self._annotate(session_id, run_id, lambda c, key: annotations.insert_remarks(c, key, [remark]))

    def remove_remark(self, remark_id: int, session_id: str | None = None) -> None:
        """Remove a note of a session.

        Raises:
            StoreError: the session has no such note, or the file cannot be written.
        """

        def remove(connection: sqlite3.Connection, key: int) -> None:
            if not annotations.delete_remark(connection, key, remark_id):
                raise StoreError(
                    _("{path}: the session has no note {number}; list its notes first").format(
                        path=self.path, number=remark_id
                    )
                )

        self._annotate(session_id, "", remove)

    def put_own_words(self, by_place: Mapping[str, str], session_id: str | None = None) -> None:
        """Write a consultant's texts for the report of a session, the newest for None, by place; "" removes one.

        Raises:
            StoreError: the file holds no such session, or cannot be written.
        """
        self._annotate(session_id, "", lambda c, key: annotations.put_own_words(c, key, by_place))

    def add_tags(self, names: Sequence[str], session_id: str | None = None, run_id: str = "") -> None:
        """Put tags on a session, the newest for None, or on one of its runs; one that is there already stays.

        Raises:
            StoreError: the file holds no such session or run, or cannot be written.
        """
        tags = [Tag(run_id, name) for name in names]
        self._annotate(session_id, run_id, lambda c, key: annotations.put_tags(c, key, tags))

    def remove_tags(self, names: Sequence[str], session_id: str | None = None, run_id: str = "") -> None:
        """Take tags from a session, the newest for None, or from one of its runs; one that is not there is no mistake.

        Raises:
            StoreError: the file holds no such session or run, or cannot be written.
        """
        tags = [Tag(run_id, name) for name in names]
        self._annotate(session_id, run_id, lambda c, key: annotations.delete_tags(c, key, tags))

    def reader(self) -> SessionReader:
        """Write everything gathered so far and open the file for reading; for the calling thread only."""
        for recorder in self._recorders:
            recorder.flush()
        return SessionReader(self.path)

    def close(self) -> None:
        """Write everything gathered, close the file and let others write it; does nothing the second time.

        Raises:
            StoreError: the last statements and notes could not be written; the file is closed nonetheless.
        """
        recorders, self._recorders = self._recorders, []
        try:
            for recorder in recorders:
                recorder.flush()
        finally:
            try:
                with known_problems(self.path, SESSION_FILE.noun):
                    self._writer.close()
            finally:
                self._lock.release()

    def __enter__(self) -> "SessionStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(
        self,
        work: Callable[[sqlite3.Connection], T],
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> T:
        with known_problems(self.path, SESSION_FILE.noun):
            return self._writer.run(work, durable=durable and self._is_lasting, committed=committed)

    def _annotate(self, session_id: str | None, run_id: str, write: Callable[[sqlite3.Connection, int], None]) -> None:
        def work(connection: sqlite3.Connection) -> None:
            key = require_session(connection, self.path, session_id)
            if run_id and not writing.has_run(connection, key, run_id):
                raise StoreError(_("{path}: the session has no run {run_id}").format(path=self.path, run_id=run_id))
            write(connection, key)

        self._run(work)

    def _recorder(self, session_id: str, session_key: int) -> SessionRecorder:
        recorder = SessionRecorder(session_id, session_key, self._run, self._clock, self._place)
        self._recorders.append(recorder)
        return recorder

    def _insert_session(self, connection: sqlite3.Connection, header: SessionHeader) -> int:
        if find_session(connection, header.session_id) is not None:
            raise StoreError(
                _("{path} holds session {session_id} already").format(path=self.path, session_id=header.session_id)
            )
        return writing.insert_session(connection, header)


def _write_content(connection: sqlite3.Connection, session_key: int, record: SessionRecord) -> None:
    for environment in record.environments:
        writing.put_environment(connection, session_key, environment)
    for run in record.runs:
        started = RunStarted(run.run_id, run.plan, run.target, run.started_utc, by_hand=run.by_hand)
        writing.start_run(connection, session_key, started)
        run_key = writing.find_run(connection, session_key, run.run_id)
        for trial in run.trials:
            trial_writing.finish_trial(connection, run_key, trial, written=0)
        writing.end_run(connection, run_key, run.status, run.reason, run.finished_utc)
    trial_writing.insert_imported(connection, session_key, record.imported, record.imported_from)
    writing.insert_notes(connection, session_key, record.notes)
    writing.insert_statements(connection, session_key, record.statements)
    writing.put_changes(connection, session_key, record.changes)


def _open_connection(path: Path, *, create: bool, is_lasting: bool) -> sqlite3.Connection:
    connection = connect(path, f"mode={'rwc' if create else 'rw'}")
    try:
        if not is_lasting:
            connection.execute("PRAGMA synchronous = OFF")
        create_or_upgrade(connection, SESSION_FILE, path)
        _write_ahead(connection, path)
        with atomic(connection):
            writing.interrupt_running(connection, _("the program ended before the run did"))
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":  # SQLite keeps the old mode where the file system has no shared memory
        raise StoreError(on_network(path, SESSION_FILE.noun))
    return connection


def _close_connection(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        # A reader is still there: the file stays in WAL mode, complete, and the next writer's end settles it.
        if not getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise
    finally:
        connection.close()
