"""A part of a session, written by another process to a file of its own, copied row by row into the session's file."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from app.foundation.codec import utc_time
from app.store.connection import connect

# What a run writes, each table after those it refers to. Environments are put in place of those of the same target.
_SHARED: Final = ("setting", "stream", "statement_text")
_NUMBERED: Final = ("run", "trial")
_REST: Final = ("measurement", "sample", "happening", "note", "event", "statement", "change")


@dataclass
class _Copy:
    """One copy that goes on.

    Attributes:
        keys: by table, the key in the session's file for each of the part's.
        shifts: by table and column, what is added to each value.
    """

    source: sqlite3.Connection
    target: sqlite3.Connection
    keys: dict[str, Mapping[int, int]] = field(default_factory=dict)
    shifts: dict[tuple[str, str], float] = field(default_factory=dict)

    def shared(self, table: str) -> None:
        """Copy rows that are written once for all who share them."""
        key, columns = self._columns(table)
        names, marks = ", ".join(columns), ", ".join("?" for _column in columns)
        where = " AND ".join(f"{column} = ?" for column in columns)
        keys = {}
        for own, *values in self.source.execute(f"SELECT {key}, {names} FROM {table} ORDER BY {key}"):
            self.target.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", values)
            (keys[own],) = self.target.execute(f"SELECT {key} FROM {table} WHERE {where}", values).fetchone()
        self.keys[table] = keys

    def numbered(self, table: str) -> None:
        """Copy rows others refer to, with keys that follow those there are."""
        key, _others = self._columns(table)
        last = self.target.execute(f"SELECT COALESCE(MAX({key}), 0) FROM {table}").fetchone()[0]
        keys = {own: last + own for (own,) in self.source.execute(f"SELECT {key} FROM {table}")}
        self.keys[table] = keys
        self._rows(table, with_key=key)

    def rest(self, table: str) -> None:
        """Copy rows nobody refers to, in their order."""
        self._rows(table, with_key="")

    def environments(self) -> None:
        """Copy the environment of each target, replacing that of an earlier part."""
        (session_key,) = self.keys["session"].values()
        self.target.executemany(
            "INSERT INTO environment (session_key, target, body) VALUES (?, ?, ?)"
            " ON CONFLICT (session_key, target) DO UPDATE SET body = excluded.body",
            (
                (session_key, *row)
                for row in self.source.execute("SELECT target, body FROM environment ORDER BY environment_key")
            ),
        )

    def _rows(self, table: str, *, with_key: str) -> None:
        key, others = self._columns(table)
        columns = [with_key, *others] if with_key else others
        names, marks = ", ".join(columns), ", ".join("?" for _column in columns)
        order = key or ", ".join(name for name, _place in self._primary(table))
        rows = self.source.execute(f"SELECT {names} FROM {table} ORDER BY {order}")
        self.target.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", self._moved(table, columns, rows))

    def _moved(self, table: str, columns: list[str], rows: Iterator[tuple[Any, ...]]) -> Iterator[list[Any]]:
        """Give rows with their keys and counts as they are in the session's file."""
        refers = {name: to for _id, _seq, to, name, *_rest in self.source.execute(f"PRAGMA foreign_key_list({table})")}
        own = {f"{table}_key": table, **refers}
        keys = [(place, self.keys[own[name]]) for place, name in enumerate(columns) if name in own]
        shifts = [
            (place, self.shifts[table, name]) for place, name in enumerate(columns) if (table, name) in self.shifts
        ]
        for row in rows:
            values = list(row)
            for place, key_of in keys:
                values[place] = key_of[values[place]]
            for place, more in shifts:
                values[place] += more
            yield values

    def _columns(self, table: str) -> tuple[str, list[str]]:
        """Return the column that numbers a table's rows, "" where none does, and the others."""
        names = [row[1] for row in self.source.execute(f"PRAGMA table_info({table})")]
        primary = self._primary(table)
        key = primary[0][0] if len(primary) == 1 else ""
        return key, [name for name in names if name != key]

    def _primary(self, table: str) -> list[tuple[str, int]]:
        rows = self.source.execute(f"PRAGMA table_info({table})")
        return sorted(((row[1], row[5]) for row in rows if row[5]), key=lambda column: column[1])


def copy_part(part: Path, target: sqlite3.Connection, session_key: int) -> None:
    """Copy the runs of a part's one session, as if they had been written to the session's file one after the other.

    Args:
        part: a closed file of this program's own format.
        target: of the session's file, in a transaction.
    """
    with closing(connect(part, "mode=ro")) as source:
        copy = _Copy(source, target)
        copy.keys["session"] = {key: session_key for (key,) in source.execute("SELECT session_key FROM session")}
        (last,) = target.execute(
            "SELECT COALESCE(MAX(entry_id), 0) FROM change WHERE session_key = ?", (session_key,)
        ).fetchone()
        copy.shifts["change", "entry_id"] = last
        copy.shifts["event", "offset_s"] = _offset_between(_first_event(target), _first_event(source))
        copy.environments()
        for table in _SHARED:
            copy.shared(table)
        for table in _NUMBERED:
            copy.numbered(table)
        for table in _REST:
            copy.rest(table)


def _first_event(connection: sqlite3.Connection) -> tuple[datetime, float] | None:
    row = connection.execute("SELECT recorded_utc, offset_s FROM event ORDER BY event_key LIMIT 1").fetchone()
    return None if row is None else (utc_time(row[0]), float(row[1]))


def _offset_between(kept: tuple[datetime, float] | None, new: tuple[datetime, float] | None) -> float:
    """Return the correction of a part's offsets to those of the session, s; the first part begins the session."""
    if kept is None or new is None:
        return 0.0
    return (new[0] - kept[0]).total_seconds() - new[1] + kept[1]
