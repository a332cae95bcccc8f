"""Runs that other processes wrote to files of their own stand in the session's file as if they were written there."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from app.domain.change import EntryState, JournalEntry
from app.domain.events import (
    ChangeApplied,
    Note,
    RunFinished,
    RunStarted,
    RunStatus,
    SamplesTaken,
    TrialFinished,
    TrialStarted,
)
from app.domain.happening import Happening, Work
from app.domain.measurement import TrialResult
from app.domain.session import Environment
from app.store.recorder import SessionRecorder
from app.store.session_file import create_session_file, open_for_writing
from tests.store.sample import (
    ENVIRONMENT,
    HEADER,
    PLAN,
    SESSION_ID,
    START,
    TARGET,
    make_change,
    make_spec,
    make_statement,
    make_trial,
)
from tests.unit.runner.memory import MemoryClock

LATER_S, OPENED_S = 90.0, 0.5
ENVIRONMENTS = (ENVIRONMENT, replace(ENVIRONMENT, facts=(("rtt_ms", "0.9", "ms"),)), Environment("lab:wan"))
TARGETS = (TARGET, TARGET, "lab:wan")
RUNS = ("E1", "E2", "E3")


def _trial(number: int) -> TrialResult:
    """Return the one trial of a run; settings and series are partly those of others."""
    trial = make_trial(1 + number % 2, samples=4 + number)
    ran = (Happening(Work.JOB, "DIST1", f"clean up {number}"), Happening(Work.OTHER_PROGRAMS, "PUB1", share=0.4))
    return replace(trial, happenings=ran)


def _write_run(recorder: SessionRecorder, number: int, clock: MemoryClock) -> None:
    """Let a run happen as it does everywhere, with one change; its clock goes on meanwhile."""
    run_id, trial = RUNS[number], _trial(number)
    recorder.save_environment(ENVIRONMENTS[number])
    recorder.record(RunStarted(run_id, PLAN, TARGETS[number], START + timedelta(hours=number)))
    clock.sleep(1.25)
    recorder.record(ChangeApplied(run_id, make_change(number)))
    recorder.add_statement(make_statement(number))
    recorder.add_statement(make_statement(number + 1))
    recorder.record(TrialStarted(run_id, make_spec(trial), 1))
    recorder.record(SamplesTaken(run_id, trial.trial_id, trial.samples, 1.0))
    clock.sleep(2.5)
    recorder.record(TrialFinished(run_id, trial))
    recorder.record(Note(run_id, f"a note of {run_id}"))
    recorder.record(RunFinished(run_id, RunStatus.SUCCEEDED, "all trials done", START + timedelta(hours=number + 1)))


def _entries(numbers: Sequence[int]) -> list[JournalEntry]:
    """Return the changes of some runs as a journal of their own counts them."""
    return [
        JournalEntry(place, SESSION_ID, TARGET, make_change(number), EntryState.RESTORED, START)
        for place, number in enumerate(numbers, start=1)
    ]


def _written(path: Path, numbers: Sequence[int]) -> Path:
    """Write runs to a file of their own, each at its time of day."""
    clock = MemoryClock()
    clock.sleep(LATER_S * numbers[0])
    with create_session_file(path, clock=clock) as store:
        recorder = store.start_session(HEADER)
        for number in numbers:
            clock.slept_s = LATER_S * number + OPENED_S
            _write_run(recorder, number, clock)
            recorder.save_changes(_entries([other for other in numbers if other <= number]))
    return path


def _rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table, in the order of its key."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}


def test_a_file_of_parts_is_that_of_one_run_after_the_other(tmp_path: Path) -> None:
    """Every row with its key: settings and texts shared, changes counted on, the newest environment of each target,
    times since the first began."""
    expected = _rows(_written(tmp_path / "whole.replitune", range(len(RUNS))))
    joined = tmp_path / "joined.replitune"
    with create_session_file(joined) as store:
        recorder = store.start_session(HEADER)
        for number in range(len(RUNS)):
            recorder.take_over(_written(tmp_path / f"{number}.replitune", [number]))
    made = _rows(joined)
    written = {table for table, rows in expected.items() if rows}
    assert written >= {"run", "trial", "measurement", "sample", "happening", "event", "statement", "change", "setting"}
    for table, rows in expected.items():
        assert made[table] == rows, table


def test_a_part_nothing_ran_in_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """A process may end before its first run begins."""
    file = _written(tmp_path / "whole.replitune", [0])
    before = _rows(file)
    with create_session_file(tmp_path / "empty.replitune") as store:
        store.start_session(HEADER)
    with open_for_writing(file) as store:
        store.resume_session().take_over(tmp_path / "empty.replitune")
    assert _rows(file) == before
