"""Reading a session file, also while it is being written, and also from a medium that cannot be written."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, TypeVar

from app.domain.change import JournalEntry
from app.domain.errors import StoreError
from app.domain.measurement import Sample
from app.domain.own_words import OwnWords, own_words
from app.domain.session import Environment, SessionRecord, TrialOverview
from app.domain.statement import StatementRecord
from app.foundation.texts import _
from app.store import annotations, reading, trial_listing
from app.store.annotations import Annotations, Remark, SearchedText, Tag
from app.store.budget import ReadingBudget
from app.store.connection import connect, file_uri, snapshot
from app.store.faults import known_problems
from app.store.integrity import hash_session
from app.store.overview import RecordedEvent, RunOverview, SessionOverview, StoredTexts
from app.store.place import check_existing, read_surroundings, refuse_network
from app.store.schema import SESSION_FILE, check_pages, read_version, refuse_foreign
from app.store.sibling_files import private_copy

T = TypeVar("T")


class SessionReader:
    """A read-only view of a session file; used by the thread that opened it, each thread its own.

    Every call sees what was committed when it began. A session is named by its id, the newest one by None.
    """

    def __init__(self, path: Path, query: str = "") -> None:
        """Open the file.

        Args:
            path: the session file.
            query: SQLite's options for opening it; chosen by looking at the folder where empty.

        Raises:
            StoreError: missing, a folder, on a network drive, not a session file, damaged, newer than the program.
        """
        self.path: Final = path
        self._has_checked_pages = False
        with known_problems(path, SESSION_FILE.noun):
            check_existing(path, SESSION_FILE.noun)
            refuse_network(path, SESSION_FILE.noun)
            with ExitStack() as opened:
                copy = opened.enter_context(private_copy(path))
                self._connection = connect(copy or path, "mode=rw" if copy else query or read_surroundings(path))
                opened.callback(self._connection.close)
                with snapshot(self._connection):
                    # Every step so far only added tables, so that files of all earlier versions are read as they are.
                    self._version = read_version(self._connection, SESSION_FILE, path)
                    refuse_foreign(self._connection, SESSION_FILE, path, self._version)
                self._budget = ReadingBudget(self._connection, path, SESSION_FILE.noun)
                self._opened = opened.pop_all()

    def list_sessions(self) -> tuple[SessionOverview, ...]:
        """Return all sessions of the file, newest first."""
        with self._reading():
            return reading.list_sessions(self._connection)

    def first_session(self) -> str:
        """Return the id of the session that was written to the file first, "" where there is none."""
        with self._reading():
            row = self._connection.execute("SELECT session_id FROM session ORDER BY session_key LIMIT 1").fetchone()
            return "" if row is None else str(row[0])

    def list_runs(self, session_id: str | None = None) -> tuple[RunOverview, ...]:
        """Return the runs of a session, in the order they were started."""
        return self._read(session_id, lambda key: reading.list_runs(self._connection, key))

    def list_all_runs(self) -> tuple[RunOverview, ...]:
        """Return the runs of every session of the file, in the order they were started."""
        with self._reading():
            return reading.list_runs(self._connection, None)

    def list_trials(
        self, metrics: Sequence[str], session_id: str | None = None, run_id: str | None = None
    ) -> tuple[TrialOverview, ...]:
        """Return the finished trials of a session in the order they were run, with the values of some measures.

        Args:
            run_id: the trials of this run only, those of every run for None.
        """
        return self._read(session_id, lambda key: trial_listing.list_trials(self._connection, key, metrics, run_id))

    def read_samples(self, run_id: str, trial_id: str, session_id: str | None = None) -> tuple[Sample, ...]:
        """Return the time series of one trial; empty where there are none, or no such trial."""
        return self._read(session_id, lambda key: trial_listing.read_samples(self._connection, key, run_id, trial_id))

    def read_events(self, session_id: str | None = None) -> tuple[RecordedEvent, ...]:
        """Return the events of a session, oldest first."""
        return self._read(session_id, lambda key: reading.read_events(self._connection, key))

    def read_statements(self, session_id: str | None = None) -> tuple[StatementRecord, ...]:
        """Return every statement sent to a server in a session, oldest first."""
        return self._read(session_id, lambda key: reading.read_statements(self._connection, key))

    def read_changes(self, session_id: str | None = None) -> tuple[JournalEntry, ...]:
        """Return a session's copy of its undo journal, in the order it was saved."""
        return self._read(
            session_id,
            lambda key: reading.read_changes(
                self._connection, key, reading.read_header(self._connection, key)[0].session_id
            ),
        )

    def read_remarks(self, session_id: str | None = None) -> tuple[Remark, ...]:
        """Return the notes a consultant wrote on a session and its runs, oldest first."""
        return self._read(
            session_id, lambda key: annotations.read_remarks(self._connection, key) if self._has_notes else ()
        )

    def read_own_words(self, session_id: str | None = None) -> dict[str, str]:
        """Return a consultant's texts for the report of a session, by place."""
        return self._read(session_id, lambda key: self._own_words(key).by_place())

    def read_tags(self, session_id: str | None = None) -> tuple[Tag, ...]:
        """Return the tags of a session and its runs."""
        return self._read(
            session_id, lambda key: annotations.read_tags(self._connection, key) if self._has_notes else ()
        )

    def read_annotations(self) -> Annotations:
        """Return the notes and tags of every session of the file."""
        with self._reading():
            return annotations.read_all(self._connection) if self._has_notes else Annotations({}, {})

    def read_texts(self, session_id: str | None = None) -> tuple[SearchedText, ...]:
        """Return the texts a search looks through: title, names, notices, notes, tags, runs and settings of a
        session."""
        texts = self._read(session_id, lambda key: annotations.read_texts(self._connection, key))
        notes = (SearchedText("note", remark.run_id, remark.text) for remark in self.read_remarks(session_id))
        tags = (SearchedText("tag", tag.run_id, tag.name) for tag in self.read_tags(session_id))
        return (*texts, *notes, *tags)

    def write_copy(self, copy_path: Path) -> None:
        """Write the file's present state to a new file, without deleted rows.

        Raises:
            StoreError: damaged, or the copy cannot be written.
        """
        self._check_pages_once()
        with known_problems(copy_path, SESSION_FILE.noun):
            self._connection.execute("VACUUM INTO ?", (file_uri(copy_path),))

    def _own_words(self, session_key: int) -> OwnWords:
        has_words = self._version >= annotations.OWN_WORDS_SINCE_VERSION
        by_place = annotations.read_own_words(self._connection, session_key) if has_words else {}
        remarks = annotations.read_remarks(self._connection, session_key) if self._has_notes else ()
        return own_words(by_place, tuple(remark.text for remark in remarks))

    @property
    def _has_notes(self) -> bool:
        return self._version >= annotations.SINCE_VERSION

    def read_session(
        self,
        session_id: str | None = None,
        *,
        with_samples: bool = True,
        opening: Iterable[Callable[[Environment], object]] = (),
    ) -> SessionRecord:
        """Return everything of a session; trials that were going on are left out.

        Args:
            session_id: which; None is the newest.
            with_samples: whether to read all of the trials' time series, the bulk of a file; those of windows, on which
                claims rest, are read in any case.
            opening: each opens what a system keeps in an environment; what it cannot open is damaged.

        Raises:
            StoreError: no such session, or the file is damaged.
        """
        self._check_pages_once()

        def read(key: int) -> SessionRecord:
            record = self._record(key, with_samples=with_samples)
            for open_kept in opening:
                for environment in record.environments:
                    open_kept(environment)
            return record

        return self._read(session_id, read)

    def read_stored_texts(self, session_id: str | None = None) -> StoredTexts:
        """Return plans and environments of a session as they stand in the file, for a copy of the same fingerprint."""
        return self._read(session_id, lambda key: reading.read_stored_texts(self._connection, key))

    def session_hash(self, session_id: str | None = None) -> str:
        """Return the SHA-256 of a session's content, the same in every file that holds it."""
        return self._read(session_id, lambda key: hash_session(self._connection, key))

    def close(self) -> None:
        """Close the file; does nothing the second time."""
        self._opened.close()

    def __enter__(self) -> "SessionReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, session_id: str | None, read: Callable[[int], T]) -> T:
        with self._reading():
            return read(require_session(self._connection, self.path, session_id))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Let several reads see one state of the file, and take no more than a file of ours gives."""
        with known_problems(self.path, SESSION_FILE.noun), snapshot(self._connection):
            self._budget.renew()
            yield

    def _check_pages_once(self) -> None:
        """Look at every page before claims are made from them; not for lists, which must come at once."""
        if not self._has_checked_pages:
            with known_problems(self.path, SESSION_FILE.noun):
                self._budget.renew()
                check_pages(self._connection, SESSION_FILE, self.path)
                self._budget.pages_are_checked()
            self._has_checked_pages = True

    def _record(self, session_key: int, *, with_samples: bool) -> SessionRecord:
        header, imported_from = reading.read_header(self._connection, session_key)
        return SessionRecord(
            session_id=header.session_id,
            title=header.title,
            client=header.client,
            consultant=header.consultant,
            created_utc=header.created_utc,
            app_version=header.app_version,
            environments=reading.read_environments(self._connection, session_key),
            runs=reading.read_runs(self._connection, session_key, with_samples=with_samples),
            imported=reading.read_imported(self._connection, session_key),
            imported_from=imported_from,
            notes=reading.read_notes(self._connection, session_key),
            statements=reading.read_statements(self._connection, session_key),
            own_words=self._own_words(session_key),
            changes=reading.read_changes(self._connection, session_key, header.session_id),
        )


def require_session(connection: sqlite3.Connection, path: Path, session_id: str | None) -> int:
    """Return the key of a session, of the newest for None.

    Raises:
        StoreError: the file holds no such session.
    """
    session_key = reading.find_session(connection, session_id)
    if session_key is not None:
        return session_key
    if session_id is None:
        raise StoreError(_("{path} holds no session yet").format(path=path))
    raise StoreError(
        _("{path} holds no session {session_id}; leave the id out for the newest one").format(
            path=path, session_id=session_id
        )
    )
