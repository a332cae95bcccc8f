"""One fingerprint of everything a session holds, to tell whether a report belongs to it."""

import hashlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from json.encoder import encode_basestring_ascii
from typing import Any, Final

from app.store.happenings import happening_rows
from app.store.reading import has_published_means

# Content only, in the order it came: no key of a table, so that a copy in another file has the same fingerprint.
_SECTIONS: Final = (
    "SELECT session_id, title, client, consultant, created_utc, app_version, imported_from"
    " FROM session WHERE session_key = ?",
    "SELECT target, body FROM environment WHERE session_key = ? ORDER BY environment_key",
    "SELECT run_id, plan, target, status, reason, started_utc, finished_utc"
    " FROM run WHERE session_key = ? ORDER BY run_key",
    "SELECT run_id, trial_id, block, phase, setting.body, trial.status, failed_checks, trial.started_utc,"
    " trial.finished_utc FROM run JOIN trial USING (run_key) JOIN setting USING (setting_key)"
    " WHERE session_key = ? AND trial.status <> 'started' ORDER BY run_key, trial_key",
    "SELECT run_id, trial.trial_id, measurement.family, measurement.trial_id, measurement.block, metric, value, unit,"
    " setting.body, conditions.body, measurement.phase"
    " FROM run JOIN trial USING (run_key) JOIN measurement USING (trial_key)"
    " JOIN setting ON setting.setting_key = measurement.setting_key"
    " JOIN setting AS conditions ON conditions.setting_key = conditions_key"
    " WHERE session_key = ? ORDER BY run_key, trial_key, measurement_key",
    # The first two columns are keys of what many rows share, see `_SHARED`; what they stand for is hashed instead.
    "SELECT trial_key, stream_key, offset_s, value FROM run JOIN trial USING (run_key) JOIN sample USING (trial_key)"
    " WHERE session_key = ? AND trial.status <> 'started' ORDER BY run_key, trial_key, position",
    "SELECT family, trial_id, block, metric, value, unit, setting.body, conditions.body, phase FROM imported"
    " JOIN setting USING (setting_key) JOIN setting AS conditions ON conditions.setting_key = conditions_key"
    " WHERE session_key = ? ORDER BY imported_key",
    "SELECT text FROM note WHERE session_key = ? ORDER BY note_key",
    "SELECT text_key, server, parameters, sent_utc, duration_ms, rows, error"
    " FROM statement WHERE session_key = ? ORDER BY statement_key",
    "SELECT entry_id, target, kind, subject, original, new, details, apply_sql, undo_sql, needs_consent, state,"
    " recorded_utc, problem FROM change WHERE session_key = ? ORDER BY change_key",
)

# By section: for each key its first columns are, what rows of that key stand for.
_SHARED: Final = {
    5: (
        "SELECT trial_key, run_id, trial_id FROM trial JOIN run USING (run_key)",
        "SELECT stream_key, name, unit FROM stream",
    ),
    8: ("SELECT text_key, name, access, text FROM statement_text",),
}

_PUBLISHED_MEANS: Final = (
    "SELECT trial_id, metric, runs, sd, half_range FROM imported"
    " WHERE session_key = ? AND (runs > 1 OR half_range > 0) ORDER BY imported_key"
)


def hash_session(connection: sqlite3.Connection, session_key: int) -> str:
    """Return the SHA-256 of a session's content, 64 hexadecimal digits.

    Over one line of JSON for each row, section by section; what the program derives (verdicts, findings) and the
    times at which events were recorded are no part of it.
    """
    digest = hashlib.sha256()
    for number, section in enumerate(_SECTIONS):
        digest.update(f"section {number}\n".encode())
        shared = [{key: _cells(row) for key, *row in connection.execute(query)} for query in _SHARED.get(number, ())]
        _add(digest, connection.execute(section, (session_key,)), shared)
    # Without a heading: a session of before, which has neither, keeps its fingerprint.
    _add(digest, happening_rows(connection, session_key))
    if has_published_means(connection):
        _add(digest, connection.execute(_PUBLISHED_MEANS, (session_key,)))
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", rows: Iterable[tuple[Any, ...]], shared: Sequence[Mapping[int, str]] = ()) -> None:
    """Add rows; the first cells of each are keys of the values in `shared`."""
    keys = len(shared)
    for row in rows:
        begun = [written[key] for written, key in zip(shared, row, strict=False)]
        digest.update(f"[{', '.join((*begun, _cells(row[keys:])))}]\n".encode())


def _cells(row: Iterable[object]) -> str:
    return ", ".join([_WRITTEN.get(type(cell), json.dumps)(cell) for cell in row])


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else json.dumps(value)


# A cell as `json.dumps` writes it, without the way there: it is asked for millions of them.
_WRITTEN: Final[Mapping[type, Callable[[Any], str]]] = {
    str: encode_basestring_ascii,
    int: repr,
    float: _float,
}
