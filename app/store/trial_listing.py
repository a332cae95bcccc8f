"""Lists of trials that come at once, and the time series of one trial, for a browser of runs."""

import math
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache, partial

from app.domain.measurement import Sample, TrialStatus
from app.domain.plan import Phase
from app.domain.session import TrialOverview
from app.foundation.codec import known, load_json, utc_time_or_none
from app.store.happenings import read_happenings
from app.store.reading import read_settings, row_at


def list_trials(
    connection: sqlite3.Connection, session_key: int, metrics: Sequence[str], run_id: str | None = None
) -> tuple[TrialOverview, ...]:
    """Return the finished trials of a session, or of one of its runs, in the order they were run."""
    settings = read_settings(connection)
    measured = dict(_measured(connection, session_key, metrics, run_id))
    happenings = read_happenings(connection, session_key)
    none: tuple[float | None, ...] = (None,) * len(metrics)
    status_of, phase_of = cache(partial(known, TrialStatus)), cache(partial(known, Phase))  # the few there are
    rows = connection.execute(
        "SELECT trial_key, run_id, trial_id, family, block, phase, setting_key, trial.status, failed_checks,"
        " trial.started_utc, trial.finished_utc,"
        " EXISTS (SELECT 1 FROM sample WHERE sample.trial_key = trial.trial_key)"
        " FROM trial JOIN run USING (run_key) WHERE session_key = ?1 AND (?2 IS NULL OR run_id = ?2)"
        " AND trial.status <> 'started' ORDER BY trial_key",
        (session_key, run_id),
    )
    return tuple(
        TrialOverview(
            run_id=run_id,
            trial_id=trial_id,
            family=family,
            block=block,
            phase=phase_of(phase),
            setting=row_at(settings, setting_key),
            status=status_of(status),
            failed_checks=() if checks == "[]" else load_json(tuple[str, ...], checks),
            measured=measured.get(key, none),
            started_utc=utc_time_or_none(started),
            finished_utc=utc_time_or_none(finished),
            has_samples=bool(has_samples),
            happenings=happenings.get(key, ()),
        )
        for (
            key,
            run_id,
            trial_id,
            family,
            block,
            phase,
            setting_key,
            status,
            checks,
            started,
            finished,
            has_samples,
        ) in rows
    )


def _measured(
    connection: sqlite3.Connection, session_key: int, metrics: Sequence[str], run_id: str | None
) -> Iterator[tuple[int, tuple[float | None, ...]]]:
    if not metrics:
        return
    columns = ", ".join("max(CASE metric WHEN ? THEN value END)" for _metric in metrics)
    rows = connection.execute(
        f"SELECT trial_key, {columns} FROM measurement JOIN trial USING (trial_key) JOIN run USING (run_key)"
        " WHERE session_key = ? AND (? IS NULL OR run_id = ?) GROUP BY trial_key",
        (*metrics, session_key, run_id, run_id),
    )
    for key, *values in rows:
        yield key, tuple(values)


def read_samples(connection: sqlite3.Connection, session_key: int, run_id: str, trial_id: str) -> tuple[Sample, ...]:
    """Return the time series of one trial, in the order they were taken."""
    rows = connection.execute(
        "SELECT name, offset_s, value, unit FROM run JOIN trial USING (run_key)"
        " JOIN sample USING (trial_key) JOIN stream USING (stream_key)"
        " WHERE session_key = ? AND run_id = ? AND trial_id = ? ORDER BY position",
        (session_key, run_id, trial_id),
    )
    return tuple(Sample(name, at_s, math.nan if value is None else value, unit) for name, at_s, value, unit in rows)
