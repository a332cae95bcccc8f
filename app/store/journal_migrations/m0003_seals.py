"""A checksum for each entry, chained to the one before, and a record of the newest; see `app/store/journal_seals.py`.

Entries of before have none: what they say cannot be checked.
"""

from typing import Final

STATEMENTS: Final = (
    "ALTER TABLE entry ADD COLUMN previous TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE entry ADD COLUMN link TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE entry ADD COLUMN seal TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE place ADD COLUMN seal TEXT NOT NULL DEFAULT ''",
    """
    CREATE TABLE head (
        head_id   INTEGER PRIMARY KEY CHECK (head_id = 1),
        version   INTEGER NOT NULL,  -- of the program's journals, as user_version
        newest    INTEGER NOT NULL,  -- entry_id of the newest entry, 0 for none
        link      TEXT NOT NULL,     -- its link
        end_known INTEGER NOT NULL CHECK (end_known IN (0, 1)),  -- 0 where later entries may have been lost
        seal      TEXT NOT NULL
    ) STRICT
    """,
    # An index that is damaged would hide entries; the journal is small enough to be read whole.
    "DROP INDEX entry_open",
    "DROP INDEX entry_by_session",
)
