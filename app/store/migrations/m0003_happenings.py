"""Other work on the servers while a trial was measured."""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE happening (
        trial_key INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
        position  INTEGER NOT NULL,
        work      TEXT NOT NULL,
        server    TEXT NOT NULL,
        subject   TEXT NOT NULL,  -- '' where the server did not say
        PRIMARY KEY (trial_key, position)
    ) STRICT, WITHOUT ROWID
    """,
)
