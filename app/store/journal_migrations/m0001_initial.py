"""The undo journal's one table: a row for each change, written before the change is sent."""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE entry (
        entry_id      INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id    TEXT NOT NULL,
        target        TEXT NOT NULL,
        kind          TEXT NOT NULL,
        subject       TEXT NOT NULL,
        original      TEXT NOT NULL,
        new           TEXT NOT NULL,
        details       TEXT NOT NULL,  -- JSON: [[name, value], …]
        apply_sql     TEXT NOT NULL,
        undo_sql      TEXT NOT NULL,
        needs_consent TEXT NOT NULL,
        state         TEXT NOT NULL CHECK (state IN ('intent', 'applied', 'restored')),
        recorded_utc  TEXT NOT NULL,
        applied_utc   TEXT,
        restored_utc  TEXT,
        problem       TEXT NOT NULL DEFAULT ''
    ) STRICT
    """,
    "CREATE INDEX entry_by_session ON entry (session_id)",
    "CREATE INDEX entry_open ON entry (entry_id) WHERE state <> 'restored'",
)
