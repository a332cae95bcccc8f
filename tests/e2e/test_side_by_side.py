"""Experiments of the demonstration run side by side: the same file as one after the other, and a clean end."""

import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.events import RunEvent, RunFinished, RunStatus, SamplesTaken, StepStarted, TrialFinished
from app.domain.family import DemoRun
from app.foundation.own_process import processors
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.demonstration import demo_runs
from app.services.run import side_by_side
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.side_by_side import run_demonstration
from app.services.workplace import open_workplace
from app.store import SessionHeader, open_for_reading
from tests.e2e.program import interrupt, spawn
from tests.patience import PATIENCE_S, PAUSE_S

# Three experiments with changes in each, whose settings, streams and statements are partly the same.
FAMILIES = ("commit_mode", "seeding")
SESSION = re.compile(r"S\d{8}-\d{6}-[0-9a-f]{6}")
# When something happened by this computer's own clock.
BY_OUR_CLOCK = {"recorded_utc", "offset_s of event", "created_utc"}


@dataclass
class Ran:
    """What a demonstration came to."""

    folder: Path
    session_id: str
    outcomes: list[RunOutcome]
    told: list[RunEvent]

    @property
    def file(self) -> Path:
        """Its session file."""
        return self.folder / "session.replitune"


def runs_of(*families: str) -> tuple[DemoRun, ...]:
    """Return what the demonstration runs of some families."""
    return demo_runs(build_program().families, families, 1)


def ran(folder: Path, runs: Sequence[DemoRun], workers: int, control: RunControl | None = None) -> Ran:
    """Run experiments into a folder."""
    program, told = build_program(), list[RunEvent]()
    place = open_workplace(folder)
    with GuidedSession(place, folder / "undo.journal", program.parts.open_target, title="Demonstration") as session:
        made = Ran(folder, session.session_id, [], told)
        made.outcomes = run_demonstration(
            runs, program, session, 1, control or RunControl(), told.append, workers=workers
        )
    return made


def content(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table, in order, but for the session's own id and our clock."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: rows_of(connection, table) for table in tables}


def rows_of(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """Return the rows of a table in the order of its key."""
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    kept = [name for _id, name, *_rest in columns if not {name, f"{name} of {table}"} & BY_OUR_CLOCK]
    keys = [str(number) for number, (*_rest, place) in enumerate(columns, 1) if place]
    rows = connection.execute(f"SELECT {', '.join(kept)} FROM {table} ORDER BY {', '.join(keys)}")
    return [tuple(SESSION.sub("S", cell) if isinstance(cell, str) else cell for cell in row) for row in rows]


@pytest.fixture(scope="module")
def one_after_the_other(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The demonstration of two families in this process alone."""
    return ran(tmp_path_factory.mktemp("serial"), runs_of(*FAMILIES), 1)


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The same by two processes."""
    return ran(tmp_path_factory.mktemp("together"), runs_of(*FAMILIES), 2)


def test_the_file_holds_what_it_would_hold_one_after_the_other(one_after_the_other: Ran, together: Ran) -> None:
    """Every row of every table with its key: settings shared, changes counted on, environments in their place."""
    expected, made = content(one_after_the_other.file), content(together.file)
    assert len(expected["run"]) == 3
    assert len(expected["change"]) > 0
    assert len(expected["sample"]) > 10_000
    for table, rows in expected.items():
        assert made[table] == rows, table
    assert together.outcomes == one_after_the_other.outcomes


def test_what_is_told_comes_in_the_order_of_the_experiments(one_after_the_other: Ran, together: Ran) -> None:
    """The same events but for those of every second, one experiment after the other."""

    def lasting(events: Sequence[RunEvent]) -> list[tuple[str, str]]:
        return [
            (
                type(e).__name__,
                SESSION.sub("S", str(replace(e.trial, samples=()))) if isinstance(e, TrialFinished) else "",
            )
            for e in events
            if not isinstance(e, SamplesTaken | StepStarted)
        ]

    assert lasting(together.told) == lasting(one_after_the_other.told)
    assert [e.run_id for e in together.told if isinstance(e, RunFinished)] == ["E1", "E2", "E3"]
    assert any(isinstance(event, SamplesTaken) for event in together.told)


def test_times_since_the_start_are_those_of_one_file(together: Ran) -> None:
    """Between two events of different experiments as much time passed as between the times of day they were kept at."""
    with closing(sqlite3.connect(together.file)) as connection:
        rows = connection.execute("SELECT recorded_utc, offset_s FROM event").fetchall()
    (first_utc, first_s), *others = [(datetime.fromisoformat(utc), offset_s) for utc, offset_s in rows]
    assert first_s > 0
    assert [offset_s - first_s for _utc, offset_s in others] == pytest.approx(
        [(utc - first_utc).total_seconds() for utc, _offset_s in others], abs=0.5
    )


def test_no_part_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process writes below a folder for what is temporary, which is empty again."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    ran(tmp_path / "out", runs_of("commit_mode"), 2)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_part_waits_for_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its process changes ends with it: nothing of a part is written for one that comes later."""
    program, waited = build_program(), list[int]()
    (planned, *_others) = runs_of("commit_mode")
    monkeypatch.setattr(os, "fsync", waited.append)
    with (
        GuidedSession(
            open_workplace(tmp_path),
            tmp_path / "undo.journal",
            program.parts.open_target,
            part_of=SessionHeader("S20260105-080000-0a1b2c", "", "", "", datetime(2026, 1, 5, 8, tzinfo=UTC), "1"),
        ) as session,
        closing(session.open_target(planned.target, 1)) as target,
    ):
        prepared = prepare_run(planned.plan, program.families["commit_mode"], target, "the demonstration")
        assert session.run(prepared, target, RunControl(), []).status is RunStatus.SUCCEEDED
        written = sorted(file.name for file in tmp_path.iterdir())
    assert waited == []
    assert [name for name in written if name.startswith(("rollback", "undo"))] == ["undo.journal"]


def test_an_experiment_that_cannot_be_run_says_why_and_the_ones_before_it_are_kept(tmp_path: Path) -> None:
    """As one after the other: its own sentence, and the file with what was finished before."""
    first, second = runs_of("commit_mode")
    with pytest.raises(BadInput, match="no-such-lab"):
        ran(tmp_path, (first, replace(second, target="lab:no-such-lab")), 2)
    with open_for_reading(tmp_path / "session.replitune") as reader:
        assert [run.status for run in reader.read_session().runs] == [RunStatus.SUCCEEDED]


def test_a_process_that_ends_by_itself_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for it for ever."""
    monkeypatch.setattr(side_by_side, "COMMAND", "--version")
    with pytest.raises(RuntimeError, match="ended"):
        ran(tmp_path, runs_of("commit_mode"), 2)


def test_a_process_that_ends_before_it_is_given_work_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy computer the end of a process may be seen before the first order is written."""
    give = side_by_side._Helper.give

    def give_late(helper: side_by_side._Helper, order: side_by_side._Order) -> None:
        helper._listener.join(timeout=PATIENCE_S)
        give(helper, order)

    monkeypatch.setattr(side_by_side, "COMMAND", "--version")
    monkeypatch.setattr(side_by_side._Helper, "give", give_late)
    with pytest.raises(RuntimeError, match="ended"):
        ran(tmp_path, runs_of("commit_mode"), 2)


def test_a_cancel_puts_back_all_that_had_begun(tmp_path: Path) -> None:
    """Both experiments end cancelled with every change undone, and no further one begins."""
    control, told = RunControl(), list[RunEvent]()
    program = build_program()
    runs = runs_of("wan_delivery", "commit_mode")

    def watch(event: RunEvent) -> None:
        told.append(event)
        if isinstance(event, TrialFinished):
            control.cancel()

    with GuidedSession(open_workplace(tmp_path), tmp_path / "j", program.parts.open_target, title="x") as session:
        outcomes = run_demonstration(runs, program, session, 1, control, watch, workers=2)
    assert {outcome.status for outcome in outcomes} <= {RunStatus.CANCELLED, RunStatus.SUCCEEDED}
    assert outcomes[0].status is RunStatus.CANCELLED
    assert len(outcomes) < len(runs)
    assert all(outcome.not_restored == () for outcome in outcomes)
    with closing(sqlite3.connect(tmp_path / "session.replitune")) as connection:
        states = connection.execute("SELECT DISTINCT state FROM change").fetchall()
    assert states == [("restored",)]


def test_the_longest_begin_early_and_a_cancel_keeps_what_had_begun(tmp_path: Path) -> None:
    """The first, and the longest of the others; the one between them never began and is not in the file."""
    control, program = RunControl(), build_program()
    runs = (*runs_of("commit_mode"), *runs_of("wan_delivery")[:1])

    def watch(event: RunEvent) -> None:
        if isinstance(event, TrialFinished):
            control.cancel()

    with GuidedSession(open_workplace(tmp_path), tmp_path / "j", program.parts.open_target, title="x") as session:
        outcomes = run_demonstration(runs, program, session, 1, control, watch, workers=2)
    with open_for_reading(tmp_path / "session.replitune") as reader:
        kept = {run.run_id: run.status for run in reader.read_session().runs}
    assert list(kept) == ["E1", "E3"]
    assert [outcome.status for outcome in outcomes] == list(kept.values())
    assert kept["E1"] is RunStatus.CANCELLED


@pytest.mark.skipif(processors() < 2, reason="one processor runs one after the other")
@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for in /proc")
def test_ctrl_c_ends_all_processes_with_exit_code_130(tmp_path: Path) -> None:
    """Those that were started are gone, their folder too, and the file holds what was cancelled."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # all families: a slow computer has not run them by the time it is told of the cancel
    with spawn("demo", "--out", tmp_path / "out", environment={"TMPDIR": str(temporary)}) as process:
        while len(list(temporary.glob("*/*/session.replitune"))) < 2:
            assert process.poll() is None
            time.sleep(PAUSE_S)
        interrupt(process)
        _out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert [entry.name for entry in temporary.iterdir() if entry.name.startswith("replitune-demo-")] == []
    assert _children_with(str(temporary)) == []
    with open_for_reading(tmp_path / "out" / "session.replitune") as reader:
        statuses = {run.status for run in reader.read_session().runs}
    assert RunStatus.CANCELLED in statuses <= {RunStatus.CANCELLED, RunStatus.SUCCEEDED}


def _children_with(temporary: str) -> list[str]:
    """Return the commands of processes that were given this folder for what is temporary."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        try:
            if entry.name.isdigit() and f"TMPDIR={temporary}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_text())
        except OSError:  # it ended meanwhile
            continue
    return found
