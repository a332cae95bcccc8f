"""What else ran on servers during trials, written and read as functions of a connection."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from app.domain.happening import Happening, Work
from app.foundation.codec import known
from app.store.connection import read_number

# The format that first had the table; an older file tells nothing of what else ran.
_SINCE_VERSION: Final = 3

_OF_SESSION: Final = (
    " FROM run JOIN trial USING (run_key) JOIN happening USING (trial_key)"
    " WHERE session_key = ? AND trial.status <> 'started' ORDER BY run_key, trial_key, position"
)


def insert_happenings(connection: sqlite3.Connection, trial_key: int, happenings: Sequence[Happening]) -> None:
    """Write what else ran during a trial, in place of what is there."""
    connection.execute("DELETE FROM happening WHERE trial_key = ?", (trial_key,))
    connection.executemany(
        "INSERT INTO happening (trial_key, position, work, server, subject) VALUES (?, ?, ?, ?, ?)",
        [(trial_key, position, h.work.value, h.server, h.subject) for position, h in enumerate(happenings)],
    )


def read_happenings(connection: sqlite3.Connection, session_key: int) -> Mapping[int, tuple[Happening, ...]]:
    """Return what else ran during the trials of a session, by the trial's key; of trials without it there is none."""
    if not _is_there(connection):
        return {}
    rows = connection.execute(f"SELECT trial_key, work, server, subject{_OF_SESSION}", (session_key,))
    work_of = partial(known, Work)
    return {
        key: tuple(Happening(work_of(work), server, subject) for _key, work, server, subject in of_trial)
        for key, of_trial in groupby(rows, key=lambda row: row[0])
    }


def happening_rows(connection: sqlite3.Connection, session_key: int) -> Iterator[tuple[str, ...]]:
    """Yield the content of a session's happenings in its order, without keys of tables."""
    if _is_there(connection):
        yield from connection.execute(f"SELECT run_id, trial_id, work, server, subject{_OF_SESSION}", (session_key,))


def _is_there(connection: sqlite3.Connection) -> bool:
    return read_number(connection, "PRAGMA user_version") >= _SINCE_VERSION
