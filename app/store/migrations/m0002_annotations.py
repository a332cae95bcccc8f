"""A consultant's notes and tags on a session or a run.

They order an engagement and are no part of the evidence: the fingerprint of a session leaves them out, so that a
report handed over before still belongs to its session.
"""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE remark (
        remark_key  INTEGER PRIMARY KEY,
        session_key INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        run_id      TEXT NOT NULL,  -- '' where it is on the session itself
        text        TEXT NOT NULL,
        written_utc TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX remark_by_session ON remark (session_key)",
    """
    CREATE TABLE tag (
        session_key INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        run_id      TEXT NOT NULL,  -- '' where it is on the session itself
        name        TEXT NOT NULL COLLATE NOCASE,
        PRIMARY KEY (session_key, run_id, name)
    ) STRICT, WITHOUT ROWID
    """,
)
