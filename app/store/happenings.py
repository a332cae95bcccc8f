"""Other work on servers during trials, written and read as functions of a connection."""

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
# The format that first had the share of processors.
_SHARE_SINCE_VERSION: Final = 5

_OF_SESSION: Final = (
    " FROM run JOIN trial USING (run_key) JOIN happening USING (trial_key)"
    " WHERE session_key = ? AND trial.status <> 'started' ORDER BY run_key, trial_key, position"
)


def insert_happenings(connection: sqlite3.Connection, trial_key: int, happenings: Sequence[Happening]) -> None:
    """Write the other work during a trial, replacing earlier rows."""
    connection.execute("DELETE FROM happening WHERE trial_key = ?", (trial_key,))
    connection.executemany(
        "INSERT INTO happening (trial_key, position, work, server, subject, share) VALUES (?, ?, ?, ?, ?, ?)",
        [(trial_key, position, h.work.value, h.server, h.subject, h.share) for position, h in enumerate(happenings)],
    )


def read_happenings(connection: sqlite3.Connection, session_key: int) -> Mapping[int, tuple[Happening, ...]]:
    """Return the other work during the trials of a session, by the trial's key; trials without any are left out."""
    if not _is_there(connection):
        return {}
    share = _share(connection)
    rows = connection.execute(f"SELECT trial_key, work, server, subject, {share}{_OF_SESSION}", (session_key,))
    work_of = partial(known, Work)
    return {
        key: tuple(Happening(work_of(work), *rest) for _key, work, *rest in of_trial)
        for key, of_trial in groupby(rows, key=lambda row: row[0])
    }


def happening_rows(connection: sqlite3.Connection, session_key: int) -> Iterator[tuple[str | float, ...]]:
    """Yield the content of a session's happenings in its order, without keys of tables.

    A share is part of it where there is one: so a session keeps the fingerprint it had before there were shares.
    """
    if not _is_there(connection):
        return
    columns = f"run_id, trial_id, work, server, subject, {_share(connection)}"
    for *head, share in connection.execute(f"SELECT {columns}{_OF_SESSION}", (session_key,)):
        yield (*head, share) if share else tuple(head)


def _is_there(connection: sqlite3.Connection) -> bool:
    return read_number(connection, "PRAGMA user_version") >= _SINCE_VERSION


def _share(connection: sqlite3.Connection) -> str:
    is_there = read_number(connection, "PRAGMA user_version") >= _SHARE_SINCE_VERSION
    return "share" if is_there else "0.0 AS share"
