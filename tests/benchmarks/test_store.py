"""How quickly a session file takes samples and shows what it holds."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.events import RunStarted, RunStatus, SamplesTaken, TrialStarted
from app.domain.measurement import Sample
from app.domain.session import RunRecord, SessionRecord
from app.store import create_session_file, open_for_reading
from app.store.connection import atomic, connect
from tests.benchmarks.figures import print_ratio
from tests.store.sample import HEADER, PLAN, START, TARGET, make_spec, make_trial

pytestmark = pytest.mark.bench

ROUNDS = 7
TICKS = 10_000
STREAMS = tuple((f"stream {number}", "commands") for number in range(5))
RAW_BATCH_ROWS = 50
RUNS = 10_000
TRIALS_PER_RUN = 21  # five levels in three blocks, and three blocks of winner against baseline
# Times fetching the same columns: the trials of each run are counted, too, which is most of it.
LIST_BUDGET = 10.0


def _ticks() -> list[tuple[Sample, ...]]:
    """Return the readings of a trial: as many streams to a tick as one Distribution Agent has."""
    return [tuple(Sample(name, float(tick), tick + 0.5, unit) for name, unit in STREAMS) for tick in range(TICKS)]


def _record_s(path: Path, ticks: Sequence[tuple[Sample, ...]]) -> float:
    """Hand every tick to a recorder, as a run does, and return the seconds until all of them are in the file."""
    spec = make_spec(make_trial(1))
    store = create_session_file(path)
    try:
        recorder = store.start_session(HEADER)
        recorder.record(RunStarted("E1", PLAN, TARGET, START))
        recorder.record(TrialStarted("E1", spec, 1))
        began_s = time.perf_counter()
        for samples in ticks:
            recorder.record(SamplesTaken("E1", spec.trial_id, samples, 0.5))
        recorder.flush()
        return time.perf_counter() - began_s
    finally:
        store.close()


def _raw_s(path: Path, rows: Sequence[tuple[int, int, int, float, float]]) -> float:
    """Insert the same rows into an equal table with `sqlite3` alone, fifty to a transaction."""
    connection = connect(path, "mode=rwc")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE trial (trial_key INTEGER PRIMARY KEY) STRICT")
        connection.execute("CREATE TABLE stream (stream_key INTEGER PRIMARY KEY) STRICT")
        connection.execute("INSERT INTO trial VALUES (1)")
        connection.executemany("INSERT INTO stream VALUES (?)", [(key,) for key in range(1, len(STREAMS) + 1)])
        connection.execute(
            "CREATE TABLE sample (trial_key INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,"
            " position INTEGER NOT NULL, stream_key INTEGER NOT NULL REFERENCES stream, offset_s REAL NOT NULL,"
            " value REAL, PRIMARY KEY (trial_key, position)) STRICT, WITHOUT ROWID"
        )
        began_s = time.perf_counter()
        for first in range(0, len(rows), RAW_BATCH_ROWS):
            with atomic(connection):
                connection.executemany(
                    "INSERT INTO sample VALUES (?, ?, ?, ?, ?)", rows[first : first + RAW_BATCH_ROWS]
                )
        return time.perf_counter() - began_s
    finally:
        connection.close()


def test_samples_are_taken_nearly_as_fast_as_sqlite_takes_them(tmp_path: Path) -> None:
    """Samples go through the recorder at 80 % or more of the rate of raw `sqlite3` in 50-row batches, interleaved."""
    ticks = _ticks()
    rows = [
        (1, position, position % len(STREAMS) + 1, sample.offset_s, sample.value)
        for position, sample in enumerate(sample for samples in ticks for sample in samples)
    ]
    recorded, raw = [], []
    for number in range(ROUNDS):
        recorded.append(_record_s(tmp_path / f"{number}.replitune", ticks))
        raw.append(_raw_s(tmp_path / f"{number}.sqlite", rows))
    ratio = print_ratio(f"{len(rows):,} samples through the recorder", recorded, raw, "≤ 1.25 (80 % of the rate)")
    print(f"  {len(rows) / min(recorded):,.0f} samples/s at best, {1 / ratio:.0%} of the raw rate")
    assert ratio <= 1 / 0.8


def large_session() -> SessionRecord:
    """Return a session of ten thousand runs."""
    trials = tuple(replace(make_trial(number), samples=(), measurements=()) for number in range(1, TRIALS_PER_RUN + 1))
    first = RunRecord("E1", PLAN, TARGET, RunStatus.SUCCEEDED, "complete", START, START + timedelta(hours=1), trials)
    runs = tuple(replace(first, run_id=f"E{number}") for number in range(1, RUNS + 1))
    return SessionRecord(
        HEADER.session_id,
        HEADER.title,
        HEADER.client,
        HEADER.consultant,
        HEADER.created_utc,
        HEADER.app_version,
        environments=(),
        runs=runs,
    )


def _list_s(path: Path) -> float:
    """Open the file and read what the lists show."""
    began_s = time.process_time()
    with open_for_reading(path) as reader:
        sessions = reader.list_sessions()
        runs = reader.list_runs()
    elapsed_s = time.process_time() - began_s
    assert sessions[0].run_count == len(runs) == RUNS
    assert runs[-1].finished_trials == TRIALS_PER_RUN
    return elapsed_s


def _raw_list_s(path: Path) -> float:
    """Open the file and fetch the same columns of the runs with `sqlite3` alone, without counting trials."""
    began_s = time.process_time()
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute(
            "SELECT run_id, family, target, status, reason, started_utc, finished_utc FROM run ORDER BY run_key"
        ).fetchall()
    finally:
        connection.close()
    assert len(rows) == RUNS
    return time.process_time() - began_s


def test_an_engagement_of_ten_thousand_runs_opens_at_once(tmp_path: Path) -> None:
    """From opening the file to the lists of sessions and runs it takes a few times what `sqlite3` alone does."""
    path = tmp_path / "large.replitune"
    store = create_session_file(path)
    try:
        store.add_session(large_session())
    finally:
        store.close()
    listed, raw = [], []
    for _round in range(ROUNDS):
        listed.append(_list_s(path))
        raw.append(_raw_list_s(path))
    name = f"opening {RUNS:,} runs of {TRIALS_PER_RUN} trials, {path.stat().st_size / 1e6:.0f} MB"
    assert print_ratio(name, listed, raw, f"≤ {LIST_BUDGET:.0f}") <= LIST_BUDGET
