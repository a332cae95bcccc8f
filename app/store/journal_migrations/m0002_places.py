"""Where each session's file and script lie, so that a later restore is recorded there, too."""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE place (
        session_id      TEXT PRIMARY KEY,
        session_file    TEXT NOT NULL,
        rollback_script TEXT NOT NULL,
        is_behind       INTEGER NOT NULL CHECK (is_behind IN (0, 1))  -- 1 while the file may not hold the last changes
    ) STRICT
    """,
)
