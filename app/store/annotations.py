"""Notes and tags a consultant puts on sessions and runs, and the texts a search looks through."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.setting import Setting
from app.foundation.codec import load_json, utc_text, utc_time
from app.store.plan_text import read_plan

# The format that first had these tables; an older file holds neither notes nor tags.
SINCE_VERSION: Final = 2
OWN_WORDS_SINCE_VERSION: Final = 4


@dataclass(frozen=True)
class Remark:
    """One note.

    Attributes:
        remark_id: names it within its file.
        run_id: the run it is on, "" for the session itself.
    """

    remark_id: int
    run_id: str
    text: str
    written_utc: datetime


@dataclass(frozen=True)
class Tag:
    """One word by which sessions and runs are found again; `run_id` is "" for the session itself."""

    run_id: str
    name: str


@dataclass(frozen=True)
class Annotations:
    """The notes and tags of every session of a file, by the session's id; a session without any is left out."""

    remarks: Mapping[str, Sequence[Remark]]
    tags: Mapping[str, Sequence[Tag]]


@dataclass(frozen=True)
class SearchedText:
    """One text of a session that a search looks through.

    Attributes:
        kind: `title`, `client`, `consultant`, `source`, `notice` (of the program), `note`, `tag`, `run` or `setting`.
        run_id: "" for a text of the session itself.
    """

    kind: str
    run_id: str
    text: str


def read_remarks(connection: sqlite3.Connection, session_key: int) -> tuple[Remark, ...]:
    """Return the notes on a session and its runs, oldest first."""
    rows = connection.execute(
        "SELECT remark_key, run_id, text, written_utc FROM remark WHERE session_key = ? ORDER BY remark_key",
        (session_key,),
    )
    return tuple(Remark(key, run_id, text, utc_time(written)) for key, run_id, text, written in rows)


def read_tags(connection: sqlite3.Connection, session_key: int) -> tuple[Tag, ...]:
    """Return the tags of a session and its runs, by run and name."""
    rows = connection.execute(
        "SELECT run_id, name FROM tag WHERE session_key = ? ORDER BY run_id, name", (session_key,)
    )
    return tuple(Tag(run_id, name) for run_id, name in rows)


def read_all(connection: sqlite3.Connection) -> Annotations:
    """Return the notes and tags of every session, in the order `read_remarks` and `read_tags` have."""
    remarks: dict[str, list[Remark]] = {}
    for session_id, key, run_id, text, written in connection.execute(
        "SELECT session_id, remark_key, run_id, text, remark.written_utc FROM remark JOIN session USING (session_key)"
        " ORDER BY remark_key"
    ):
        remarks.setdefault(session_id, []).append(Remark(key, run_id, text, utc_time(written)))
    tags: dict[str, list[Tag]] = {}
    for session_id, run_id, name in connection.execute(
        "SELECT session_id, run_id, name FROM tag JOIN session USING (session_key) ORDER BY session_key, run_id, name"
    ):
        tags.setdefault(session_id, []).append(Tag(run_id, name))
    return Annotations(remarks, tags)


def insert_remarks(connection: sqlite3.Connection, session_key: int, remarks: Iterable[Remark]) -> None:
    """Write notes, in their order; their ids are given anew."""
    connection.executemany(
        "INSERT INTO remark (session_key, run_id, text, written_utc) VALUES (?, ?, ?, ?)",
        ((session_key, remark.run_id, remark.text, utc_text(remark.written_utc)) for remark in remarks),
    )


def delete_remark(connection: sqlite3.Connection, session_key: int, remark_id: int) -> bool:
    """Remove a note; tell whether there was one of that id on this session."""
    removed = connection.execute(
        "DELETE FROM remark WHERE session_key = ? AND remark_key = ?", (session_key, remark_id)
    )
    return removed.rowcount > 0


def put_tags(connection: sqlite3.Connection, session_key: int, tags: Iterable[Tag]) -> None:
    """Write tags; one that is there already, in whatever case, stays as it is."""
    connection.executemany(
        "INSERT INTO tag (session_key, run_id, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        ((session_key, tag.run_id, tag.name) for tag in tags),
    )


def delete_tags(connection: sqlite3.Connection, session_key: int, tags: Iterable[Tag]) -> None:
    """Remove tags; one that is not there is no mistake."""
    connection.executemany(
        "DELETE FROM tag WHERE session_key = ? AND run_id = ? AND name = ?",
        ((session_key, tag.run_id, tag.name) for tag in tags),
    )


def put_own_words(connection: sqlite3.Connection, session_key: int, by_place: Mapping[str, str]) -> None:
    """Write a consultant's texts for a report, replacing earlier ones; "" removes one."""
    for place, text in by_place.items():
        connection.execute("DELETE FROM own_words WHERE session_key = ? AND place = ?", (session_key, place))
        if text:
            connection.execute(
                "INSERT INTO own_words (session_key, place, text) VALUES (?, ?, ?)", (session_key, place, text)
            )


def read_own_words(connection: sqlite3.Connection, session_key: int) -> dict[str, str]:
    """Return a consultant's texts for a report, by place."""
    rows = connection.execute("SELECT place, text FROM own_words WHERE session_key = ? ORDER BY place", (session_key,))
    return dict(rows.fetchall())


def read_texts(connection: sqlite3.Connection, session_key: int) -> tuple[SearchedText, ...]:
    """Return the texts of a session for a search: header, the program's notices, runs with their settings."""
    title, client, consultant, source = connection.execute(
        "SELECT title, client, consultant, imported_from FROM session WHERE session_key = ?", (session_key,)
    ).fetchone()
    texts = [("title", title), ("client", client), ("consultant", consultant), ("source", source)]
    texts += [
        ("notice", text)
        for (text,) in connection.execute("SELECT text FROM note WHERE session_key = ?", (session_key,))
    ]
    texts_of_session = [SearchedText(kind, "", text) for kind, text in texts if text]
    for run_id, plan, target, reason in connection.execute(
        "SELECT run_id, plan, target, reason FROM run WHERE session_key = ? ORDER BY run_key", (session_key,)
    ):
        stored = read_plan(plan)
        factors = ", ".join(f"{f.name} {' '.join(map(str, f.levels))}" for f in stored.factors)
        texts_of_session.append(SearchedText("run", run_id, f"{run_id} {stored.family} {target} {reason}".strip()))
        texts_of_session.append(SearchedText("setting", run_id, f"{factors}; {stored.baseline.label()}".strip("; ")))
    rows = connection.execute(
        "SELECT DISTINCT body FROM imported JOIN setting USING (setting_key) WHERE session_key = ?", (session_key,)
    )
    texts_of_session += [SearchedText("setting", "", load_json(Setting, body).label()) for (body,) in rows]
    return tuple(texts_of_session)
