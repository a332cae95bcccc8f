"""Writing to a session file, as functions of a connection; the caller wraps them in a transaction."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from app.domain.change import JournalEntry
from app.domain.events import RunFinished, RunStarted, RunStatus
from app.domain.session import Environment
from app.domain.statement import StatementRecord
from app.foundation.codec import dump_json, utc_text
from app.store.change_row import CHANGE_COLUMNS, change_values
from app.store.environment_body import body_of
from app.store.lookup import SharedRows
from app.store.overview import RecordedEvent, SessionHeader, StoredTexts


def insert_session(connection: sqlite3.Connection, header: SessionHeader) -> int:
    """Write a new session and return its key."""
    return insert_row(
        connection,
        "INSERT INTO session (session_id, title, client, consultant, created_utc, app_version)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            header.session_id,
            header.title,
            header.client,
            header.consultant,
            utc_text(header.created_utc),
            header.app_version,
        ),
    )


def update_session(connection: sqlite3.Connection, session_key: int, title: str, client: str, consultant: str) -> None:
    """Write the texts of the report's cover."""
    connection.execute(
        "UPDATE session SET title = ?, client = ?, consultant = ? WHERE session_key = ?",
        (title, client, consultant, session_key),
    )


def put_environment(connection: sqlite3.Connection, session_key: int, environment: Environment) -> None:
    """Write an environment, in place of the one the session has for that target."""
    connection.execute(
        "INSERT INTO environment (session_key, target, body) VALUES (?, ?, ?)"
        " ON CONFLICT (session_key, target) DO UPDATE SET body = excluded.body",
        (session_key, environment.target, body_of(environment)),
    )


def insert_notes(connection: sqlite3.Connection, session_key: int, notes: Iterable[str]) -> None:
    """Write notes, after those already there."""
    connection.executemany(
        "INSERT INTO note (session_key, text) VALUES (?, ?)", ((session_key, text) for text in notes)
    )


def insert_events(connection: sqlite3.Connection, session_key: int, events: Iterable[RecordedEvent]) -> None:
    """Write moments of a run."""
    connection.executemany(
        "INSERT INTO event (session_key, run_id, kind, text, recorded_utc, offset_s) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (session_key, event.run_id, event.kind, event.text, utc_text(event.recorded_utc), event.offset_s)
            for event in events
        ),
    )


def start_run(connection: sqlite3.Connection, session_key: int, event: RunStarted) -> None:
    """Write a new run, or open a known one again where the event says `resumed`."""
    connection.execute(
        "INSERT INTO run (session_key, run_id, family, plan, target, status, reason, started_utc, by_hand)"
        " VALUES (?, ?, ?, ?, ?, ?, '', ?, ?)"
        + (
            " ON CONFLICT (session_key, run_id) DO UPDATE SET plan = excluded.plan, target = excluded.target,"
            " status = excluded.status, reason = '', finished_utc = NULL, by_hand = excluded.by_hand"
            if event.resumed
            else ""
        ),
        (
            session_key,
            event.run_id,
            event.plan.family,
            dump_json(event.plan),
            event.target,
            RunStatus.RUNNING.value,
            utc_text(event.at_utc),
            int(event.by_hand),
        ),
    )


def keep_stored(connection: sqlite3.Connection, session_key: int, texts: StoredTexts) -> None:
    """Put plans and environments in place as another file holds them, whatever this program would write."""
    connection.executemany(
        "UPDATE run SET plan = ? WHERE session_key = ? AND run_id = ?",
        ((text, session_key, run_id) for run_id, text in texts.plans.items()),
    )
    connection.executemany(
        "UPDATE environment SET body = ? WHERE session_key = ? AND target = ?",
        ((text, session_key, target) for target, text in texts.environments.items()),
    )


def finish_run(connection: sqlite3.Connection, session_key: int, event: RunFinished) -> None:
    """Write how a run ended."""
    end_run(connection, find_run(connection, session_key, event.run_id), event.status, event.reason, event.at_utc)


def end_run(
    connection: sqlite3.Connection, run_key: int, status: RunStatus, reason: str, finished_utc: datetime | None
) -> None:
    """Set a run's status, reason and end."""
    connection.execute(
        "UPDATE run SET status = ?, reason = ?, finished_utc = ? WHERE run_key = ?",
        (status.value, reason, None if finished_utc is None else utc_text(finished_utc), run_key),
    )


def interrupt_running(connection: sqlite3.Connection, reason: str) -> None:
    """Mark runs that were still going when their program died; they can be resumed."""
    connection.execute(
        "UPDATE run SET status = ?, reason = ? WHERE status = ?",
        (RunStatus.INTERRUPTED.value, reason, RunStatus.RUNNING.value),
    )


def find_run(connection: sqlite3.Connection, session_key: int, run_id: str) -> int:
    """Return the key of a run; raises LookupError where none was started under that id."""
    row = connection.execute(
        "SELECT run_key FROM run WHERE session_key = ? AND run_id = ?", (session_key, run_id)
    ).fetchone()
    if row is None:
        raise LookupError(f"run {run_id} was never started")
    return int(row[0])


def has_run(connection: sqlite3.Connection, session_key: int, run_id: str) -> bool:
    """Tell whether a session has a run of that id."""
    row = connection.execute("SELECT 1 FROM run WHERE session_key = ? AND run_id = ?", (session_key, run_id)).fetchone()
    return row is not None


def insert_statements(connection: sqlite3.Connection, session_key: int, statements: Iterable[StatementRecord]) -> None:
    """Write statements as they were sent."""
    shared = SharedRows(connection)
    connection.executemany(
        "INSERT INTO statement (session_key, text_key, server, parameters, sent_utc, duration_ms, rows, error)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                session_key,
                shared.text_key(record),
                record.server,
                record.parameters,
                utc_text(record.sent_utc),
                record.duration_ms,
                record.rows,
                record.error,
            )
            for record in statements
        ),
    )


def put_changes(connection: sqlite3.Connection, session_key: int, entries: Iterable[JournalEntry]) -> None:
    """Copy entries of the undo journal; one that is there already takes what may have changed.

    An entry is known by its id and time: a session resumed on another laptop has entries of two journals.
    """
    connection.executemany(
        f"INSERT INTO change (session_key, entry_id, target, {CHANGE_COLUMNS}, state, recorded_utc, problem)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session_key, entry_id, recorded_utc)"
        " DO UPDATE SET state = excluded.state, problem = excluded.problem, details = excluded.details",
        (
            (
                session_key,
                entry.entry_id,
                entry.target,
                *change_values(entry.change),
                entry.state.value,
                utc_text(entry.recorded_utc),
                entry.problem,
            )
            for entry in entries
        ),
    )


def insert_row(connection: sqlite3.Connection, sql: str, values: tuple[str | int | None, ...]) -> int:
    """Insert one row and return its key."""
    key = connection.execute(sql, values).lastrowid
    if key is None:
        raise AssertionError("SQLite gave no key for a row it inserted")
    return key
