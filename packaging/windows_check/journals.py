"""What stands in an undo journal, read by another program than the one that writes it."""

import sqlite3
from contextlib import closing
from pathlib import Path


def entries_in(journal: Path) -> dict[str, int]:
    """Return how many entries of an undo journal stand in each state."""
    with closing(sqlite3.connect(journal)) as connection:
        return dict(connection.execute("SELECT state, count(*) FROM entry GROUP BY state").fetchall())


def changes_in(journal: Path) -> int:
    """Return how many changes stand by an undo journal that another program writes to; 0 while it cannot be read."""
    if not journal.is_file():
        return 0
    # Wine's locks are none of this system: the file is read as it is, and may be in mid-write.
    try:
        with closing(sqlite3.connect(f"file:{journal}?immutable=1", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM entry WHERE state = 'applied'").fetchone()[0])
    except sqlite3.Error:
        return 0
