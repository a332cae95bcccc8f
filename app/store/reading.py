"""Reading of a session file, as functions of a connection; the caller holds one state of the file."""

import math
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from typing import Any, TypeVar

from app.domain.change import JournalEntry
from app.domain.events import RunStatus
from app.domain.measurement import (
    BACKLOG,
    MOST_RUNS,
    WINDOW_RATE,
    Measurement,
    Sample,
    TrialResult,
    TrialStatus,
    is_measurable,
)
from app.domain.plan import Phase
from app.domain.session import Environment, RunRecord
from app.domain.setting import Setting
from app.domain.statement import Access, StatementRecord
from app.foundation.codec import CodecError, known, load_json, utc_time, utc_time_or_none
from app.store.change_row import ENTRY_COLUMNS, entry_from
from app.store.connection import read_number
from app.store.environment_body import environment_from
from app.store.happenings import read_happenings
from app.store.overview import RecordedEvent, RunOverview, SessionHeader, SessionOverview, StoredTexts
from app.store.plan_text import read_plan

T = TypeVar("T")

_HEADER_COLUMNS = "session_id, title, client, consultant, created_utc, app_version"
_MEANS_SINCE_VERSION = 6
_BY_HAND_SINCE_VERSION = 7
_MEASUREMENT_COLUMNS = "family, trial_id, block, metric, value, unit, setting_key, conditions_key, phase"


def find_session(connection: sqlite3.Connection, session_id: str | None) -> int | None:
    """Return the key of a session, of the newest one for None; None where there is no such session."""
    row = connection.execute(
        "SELECT session_key FROM session WHERE ?1 IS NULL OR session_id = ?1"
        " ORDER BY created_utc DESC, session_key DESC LIMIT 1",
        (session_id,),
    ).fetchone()
    return None if row is None else int(row[0])


def list_sessions(connection: sqlite3.Connection) -> tuple[SessionOverview, ...]:
    """Return all sessions, newest first."""
    rows = connection.execute(
        f"SELECT {_HEADER_COLUMNS}, imported_from,"
        " (SELECT count(*) FROM run WHERE run.session_key = session.session_key)"
        " FROM session ORDER BY created_utc DESC, session_key DESC"
    ).fetchall()
    return tuple(SessionOverview(_header(row[:6]), row[7], row[6]) for row in rows)


def list_runs(connection: sqlite3.Connection, session_key: int | None) -> tuple[RunOverview, ...]:
    """Return the runs of a session, of all sessions for None, in the order they were started."""
    rows = connection.execute(
        # begun trials are counted in their index, once for both sums; only the few that are not used are looked at
        "SELECT run_id, family, target, run.status, reason, started_utc, finished_utc,"
        " (SELECT count(*) FROM trial WHERE trial.run_key = run.run_key), ifnull(going_on, 0), ifnull(not_used, 0),"
        " session_id, plan FROM run JOIN session USING (session_key) LEFT JOIN ("
        " SELECT run_key, count(*) FILTER (WHERE status = 'started') AS going_on, count(*) AS not_used"
        " FROM trial NOT INDEXED WHERE status <> 'used' GROUP BY run_key"
        ") USING (run_key) WHERE ?1 IS NULL OR session_key = ?1 ORDER BY run_key",
        (session_key,),
    ).fetchall()
    run_status = cache(partial(known, RunStatus))  # the few there are, made once
    return tuple(
        RunOverview(
            run_id=row[0],
            family=row[1],
            target=row[2],
            status=run_status(row[3]),
            reason=row[4],
            started_utc=utc_time(row[5]),
            finished_utc=utc_time_or_none(row[6]),
            finished_trials=row[7] - row[8],
            used_trials=row[7] - row[9],
            session_id=row[10],
            plan_text=row[11],
        )
        for row in rows
    )


def read_header(connection: sqlite3.Connection, session_key: int) -> tuple[SessionHeader, str]:
    """Return a session's header and where its imported measurements came from."""
    row = connection.execute(
        f"SELECT {_HEADER_COLUMNS}, imported_from FROM session WHERE session_key = ?", (session_key,)
    ).fetchone()
    return _header(row[:6]), row[6]


def read_environments(connection: sqlite3.Connection, session_key: int) -> tuple[Environment, ...]:
    """Return the environments of a session in the order they were first saved."""
    rows = connection.execute(
        "SELECT body FROM environment WHERE session_key = ? ORDER BY environment_key", (session_key,)
    ).fetchall()
    return tuple(environment_from(body) for (body,) in rows)


def read_runs(connection: sqlite3.Connection, session_key: int, *, with_samples: bool) -> tuple[RunRecord, ...]:
    """Return the runs of a session with their finished trials."""
    settings = read_settings(connection)
    measurements = _read_measurements(connection, session_key, settings)
    samples = _read_samples(connection, session_key, None if with_samples else (WINDOW_RATE, BACKLOG))
    happenings = read_happenings(connection, session_key)
    trials: dict[int, list[TrialResult]] = {}
    for row in connection.execute(
        "SELECT run_key, trial_key, trial_id, block, phase, setting_key, trial.status, failed_checks,"
        " trial.started_utc, trial.finished_utc FROM trial JOIN run USING (run_key)"
        " WHERE session_key = ? AND trial.status <> 'started' ORDER BY trial_key",
        (session_key,),
    ):
        run_key, trial_key, trial_id, block, phase, setting_key, status, checks, started, finished = row
        trials.setdefault(run_key, []).append(
            TrialResult(
                trial_id=trial_id,
                block=block,
                phase=known(Phase, phase),
                setting=row_at(settings, setting_key),
                status=known(TrialStatus, status),
                failed_checks=load_json(tuple[str, ...], checks),
                measurements=measurements.get(trial_key, ()),
                samples=samples.get(trial_key, ()),
                started_utc=utc_time(started),
                finished_utc=utc_time(finished),
                happenings=happenings.get(trial_key, ()),
            )
        )
    by_hand = "by_hand" if read_number(connection, "PRAGMA user_version") >= _BY_HAND_SINCE_VERSION else "0"
    rows = connection.execute(
        f"SELECT run_key, run_id, plan, target, status, reason, started_utc, finished_utc, {by_hand} FROM run"
        " WHERE session_key = ? ORDER BY run_key",
        (session_key,),
    ).fetchall()
    return tuple(_run(row, trials.get(row[0], [])) for row in rows)


def read_imported(connection: sqlite3.Connection, session_key: int) -> tuple[Measurement, ...]:
    """Return the measurements made elsewhere, in their order."""
    settings = read_settings(connection)
    summed_up = "runs, sd, half_range" if has_published_means(connection) else "1, 0.0, 0.0"
    rows = connection.execute(
        f"SELECT {_MEASUREMENT_COLUMNS}, {summed_up} FROM imported WHERE session_key = ? ORDER BY imported_key",
        (session_key,),
    )
    return tuple(_imported(row, settings) for row in rows)


def has_published_means(connection: sqlite3.Connection) -> bool:
    """Tell whether a file's format keeps the runs behind published means; an older one holds single values."""
    return read_number(connection, "PRAGMA user_version") >= _MEANS_SINCE_VERSION


def _imported(row: tuple[Any, ...], settings: dict[int, Setting]) -> Measurement:
    m, (runs, sd, half_range) = _measurement(row[:-3], settings), row[-3:]
    if not (1 <= runs <= MOST_RUNS and is_measurable(sd) and sd >= 0 and (half_range == 0 or 0 < half_range < m.value)):
        raise CodecError(f"no published mean: {runs!r} runs, {sd!r}, {half_range!r}")
    return replace(m, runs=runs, sd=sd, half_range=half_range) if runs > 1 or half_range else m


def read_notes(connection: sqlite3.Connection, session_key: int) -> tuple[str, ...]:
    """Return the notes of a session, oldest first."""
    rows = connection.execute("SELECT text FROM note WHERE session_key = ? ORDER BY note_key", (session_key,))
    return tuple(text for (text,) in rows)


def read_statements(connection: sqlite3.Connection, session_key: int) -> tuple[StatementRecord, ...]:
    """Return the statements sent in a session, in their order."""
    texts = {
        key: (name, known(Access, access), text)
        for key, name, access, text in connection.execute("SELECT text_key, name, access, text FROM statement_text")
    }
    rows = connection.execute(
        "SELECT text_key, server, parameters, sent_utc, duration_ms, rows, error"
        " FROM statement WHERE session_key = ? ORDER BY statement_key",
        (session_key,),
    )
    return tuple(
        StatementRecord(name, access, server, text, parameters, utc_time(sent), duration, count, error)
        for key, server, parameters, sent, duration, count, error in rows
        for name, access, text in (row_at(texts, key),)  # one object for thousands of rows
    )


def read_changes(connection: sqlite3.Connection, session_key: int, session_id: str) -> tuple[JournalEntry, ...]:
    """Return the copy of the undo journal, in the order it was saved."""
    rows = connection.execute(
        f"SELECT {ENTRY_COLUMNS} FROM change WHERE session_key = ? ORDER BY change_key", (session_key,)
    )
    return tuple(entry_from(row, session_id) for row in rows)


def read_events(connection: sqlite3.Connection, session_key: int) -> tuple[RecordedEvent, ...]:
    """Return the events of a session, oldest first."""
    rows = connection.execute(
        "SELECT run_id, kind, text, recorded_utc, offset_s FROM event WHERE session_key = ? ORDER BY event_key",
        (session_key,),
    )
    return tuple(RecordedEvent(run_id, kind, text, utc_time(at), offset) for run_id, kind, text, at, offset in rows)


def _header(row: Iterable[str]) -> SessionHeader:
    session_id, title, client, consultant, created_utc, app_version = row
    return SessionHeader(session_id, title, client, consultant, utc_time(created_utc), app_version)


def read_stored_texts(connection: sqlite3.Connection, session_key: int) -> StoredTexts:
    """Return plans and environments of a session as they are stored."""
    plans = connection.execute("SELECT run_id, plan FROM run WHERE session_key = ?", (session_key,))
    environments = connection.execute("SELECT target, body FROM environment WHERE session_key = ?", (session_key,))
    return StoredTexts(dict(plans), dict(environments))


def _run(row: tuple[Any, ...], trials: list[TrialResult]) -> RunRecord:
    _key, run_id, plan, target, status, reason, started, finished, by_hand = row
    return RunRecord(
        run_id=run_id,
        plan=read_plan(plan),
        target=target,
        status=known(RunStatus, status),
        reason=reason,
        started_utc=utc_time(started),
        finished_utc=utc_time_or_none(finished),
        trials=tuple(trials),
        by_hand=bool(by_hand),
    )


def read_settings(connection: sqlite3.Connection) -> dict[int, Setting]:
    """Return all settings of a file by their keys."""
    rows = connection.execute("SELECT setting_key, body FROM setting")
    return {key: load_json(Setting, body) for key, body in rows}


def row_at(rows: dict[int, T], key: int) -> T:
    """Return the row under a key that another row refers to; raises CodecError where there is none."""
    try:
        return rows[key]
    except KeyError as error:
        raise CodecError(f"nothing stands under {key!r}") from error


def _measurement(row: tuple[Any, ...], settings: dict[int, Setting]) -> Measurement:
    family, trial_id, block, metric, value, unit, setting_key, conditions_key, phase = row
    if not is_measurable(value):
        raise CodecError(f"no measured value: {value!r}")
    return Measurement(
        family,
        trial_id,
        block,
        metric,
        value,
        unit,
        row_at(settings, setting_key),
        row_at(settings, conditions_key),
        known(Phase, phase),
    )


def _read_measurements(
    connection: sqlite3.Connection, session_key: int, settings: dict[int, Setting]
) -> dict[int, tuple[Measurement, ...]]:
    columns = ", ".join(f"measurement.{column}" for column in _MEASUREMENT_COLUMNS.split(", "))
    rows = connection.execute(
        f"SELECT trial_key, {columns} FROM measurement JOIN trial USING (trial_key) JOIN run USING (run_key)"
        " WHERE session_key = ? ORDER BY trial_key, measurement_key",
        (session_key,),
    )
    return {key: tuple(_measurement(row[1:], settings) for row in group) for key, group in _by_trial(rows)}


def _sampled(value: float) -> float:
    """Return a number of a sample; raises CodecError where a finite one cannot have been measured."""
    if math.isfinite(value) and not is_measurable(value):
        raise CodecError(f"no sampled value: {value!r}")
    return value


def _read_samples(
    connection: sqlite3.Connection, session_key: int, only: tuple[str, ...] | None
) -> dict[int, tuple[Sample, ...]]:
    """Return the time series of a session's trials, or those of some names."""
    streams = {key: (name, unit) for key, name, unit in connection.execute("SELECT stream_key, name, unit FROM stream")}
    wanted = [key for key, (name, _unit) in streams.items() if only is None or name in only]
    if not wanted:
        return {}
    of_streams = "" if only is None else f" AND stream_key IN ({', '.join('?' * len(wanted))})"
    rows = connection.execute(
        "SELECT trial_key, stream_key, offset_s, value FROM run JOIN trial USING (run_key)"
        f" JOIN sample USING (trial_key) WHERE session_key = ?{of_streams} ORDER BY trial_key, position",
        (session_key, *([] if only is None else wanted)),
    )
    return {
        key: tuple(
            Sample(name, _sampled(offset_s), math.nan if value is None else _sampled(value), unit)
            for _key, stream_key, offset_s, value in group
            for name, unit in (row_at(streams, stream_key),)
        )
        for key, group in _by_trial(rows)
    }


def _by_trial(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, Iterator[tuple[Any, ...]]]]:
    return groupby(rows, key=lambda row: int(row[0]))
