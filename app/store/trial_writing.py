"""Trials and measurements, written to a session file as functions of a connection, in the caller's transaction."""

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain, count, repeat
from operator import attrgetter
from typing import Final

from app.domain.measurement import Measurement, Sample, TrialResult, TrialStatus
from app.domain.plan import TrialSpec
from app.foundation.codec import dump_json, utc_text
from app.store.happenings import insert_happenings
from app.store.lookup import SharedRows
from app.store.writing import insert_row

STARTED: Final = "started"
"""Status of a trial that has not finished; such a trial is never part of a session as it is read."""

_MEASUREMENT_COLUMNS: Final = "family, trial_id, block, metric, value, unit, setting_key, conditions_key, phase"

_ROWS_AT_ONCE: Final = 100
"""Samples of one statement: a row takes about half as long as alone (50,000 rows in a file in memory; as with 50)."""

_COLUMNS: Final = 5
_STREAM: Final = attrgetter("stream", "unit")
_OFFSET_S: Final = attrgetter("offset_s")
_VALUE: Final = attrgetter("value")


def insert_imported(
    connection: sqlite3.Connection, session_key: int, measurements: Iterable[Measurement], imported_from: str
) -> None:
    """Write measurements made elsewhere, after those already there."""
    shared = SharedRows(connection)
    connection.executemany(
        f"INSERT INTO imported (session_key, {_MEASUREMENT_COLUMNS}, runs, sd, half_range)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((session_key, *_measurement_values(shared, m), m.runs, m.sd, m.half_range) for m in measurements),
    )
    connection.execute("UPDATE session SET imported_from = ? WHERE session_key = ?", (imported_from, session_key))


def start_trial(connection: sqlite3.Connection, run_key: int, spec: TrialSpec) -> None:
    """Write a trial that begins; one of the same id that was not used gives way to it.

    Raises:
        ValueError: a used trial has that id already.
    """
    _drop_unused(connection, run_key, spec.trial_id)
    connection.execute(
        "INSERT INTO trial (run_key, trial_id, block, phase, setting_key, status) VALUES (?, ?, ?, ?, ?, ?)",
        (
            run_key,
            spec.trial_id,
            spec.block,
            spec.phase.value,
            SharedRows(connection).setting_key(spec.setting),
            STARTED,
        ),
    )


def add_samples(
    connection: sqlite3.Connection, run_key: int, trial_id: str, samples: Sequence[Sample], first_position: int
) -> None:
    """Write samples of a trial that is going on; raises LookupError where it never began."""
    row = connection.execute(
        "SELECT trial_key FROM trial WHERE run_key = ? AND trial_id = ? AND status = ?", (run_key, trial_id, STARTED)
    ).fetchone()
    if row is None:
        raise LookupError(f"trial {trial_id} was never started")
    _insert_samples(connection, int(row[0]), samples, first_position)


def finish_trial(connection: sqlite3.Connection, run_key: int, trial: TrialResult, written: int) -> None:
    """Write a finished trial with its measurements and samples.

    Args:
        connection: in a transaction.
        run_key: its run.
        trial: the whole result. Where it has no samples, those written while it ran stay.
        written: how many of `trial.samples`, from the first, are in the file already; 0 writes them all anew.

    Raises:
        ValueError: a used trial has that id already.
    """
    shared = SharedRows(connection)
    trial_key = _finished_row(connection, run_key, trial, shared)
    if trial.samples and not written:
        connection.execute("DELETE FROM sample WHERE trial_key = ?", (trial_key,))
    _insert_samples(connection, trial_key, trial.samples[written:], written)
    insert_happenings(connection, trial_key, trial.happenings)
    connection.executemany(
        f"INSERT INTO measurement (trial_key, {_MEASUREMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(trial_key, *_measurement_values(shared, measurement)) for measurement in trial.measurements],
    )


def _finished_row(connection: sqlite3.Connection, run_key: int, trial: TrialResult, shared: SharedRows) -> int:
    """Turn the row of the started trial into a finished one, or make it; return its key."""
    row = connection.execute(
        "SELECT trial_key FROM trial WHERE run_key = ? AND trial_id = ? AND status = ?",
        (run_key, trial.trial_id, STARTED),
    ).fetchone()
    if row is None:
        _drop_unused(connection, run_key, trial.trial_id)
    values = (
        trial.block,
        trial.phase.value,
        shared.setting_key(trial.setting),
        trial.status.value,
        dump_json(trial.failed_checks),
        utc_text(trial.started_utc),
        utc_text(trial.finished_utc),
        run_key,
        trial.trial_id,
    )
    if row is None:
        return insert_row(
            connection,
            "INSERT INTO trial (block, phase, setting_key, status, failed_checks, started_utc, finished_utc, run_key,"
            " trial_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
    connection.execute(
        "UPDATE trial SET block = ?, phase = ?, setting_key = ?, status = ?, failed_checks = ?, started_utc = ?,"
        " finished_utc = ? WHERE run_key = ? AND trial_id = ?",
        values,
    )
    return int(row[0])


def _drop_unused(connection: sqlite3.Connection, run_key: int, trial_id: str) -> None:
    row = connection.execute(
        "SELECT status FROM trial WHERE run_key = ? AND trial_id = ?", (run_key, trial_id)
    ).fetchone()
    if row is not None and row[0] == TrialStatus.USED.value:
        raise ValueError(f"trial {trial_id} is on record already and was used")
    connection.execute("DELETE FROM trial WHERE run_key = ? AND trial_id = ?", (run_key, trial_id))


def _insert_samples(
    connection: sqlite3.Connection, trial_key: int, samples: Sequence[Sample], first_position: int
) -> None:
    streams = list(map(_STREAM, samples))
    keys = SharedRows(connection).stream_keys(set(streams))
    columns = (count(first_position), map(keys.__getitem__, streams), map(_OFFSET_S, samples), map(_VALUE, samples))
    # SQLite stores NaN as NULL by itself, and reading gives NaN back.
    values = tuple(chain.from_iterable(zip(repeat(trial_key), *columns, strict=False)))
    whole = len(samples) // _ROWS_AT_ONCE
    size = _ROWS_AT_ONCE * _COLUMNS
    connection.executemany(
        _samples_sql(_ROWS_AT_ONCE), [values[part * size : (part + 1) * size] for part in range(whole)]
    )
    if rest := values[whole * size :]:
        connection.execute(_samples_sql(len(rest) // _COLUMNS), rest)


def _samples_sql(rows: int) -> str:
    row = f"({', '.join('?' * _COLUMNS)})"
    return f"INSERT INTO sample (trial_key, position, stream_key, offset_s, value) VALUES {', '.join([row] * rows)}"


def _measurement_values(shared: SharedRows, measurement: Measurement) -> tuple[str | int | float, ...]:
    return (
        measurement.family,
        measurement.trial_id,
        measurement.block,
        measurement.metric,
        measurement.value,
        measurement.unit,
        shared.setting_key(measurement.setting),
        shared.setting_key(measurement.conditions),
        measurement.phase.value,
    )
