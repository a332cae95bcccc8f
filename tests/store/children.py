"""Programs that are killed while they write, run as processes of their own: `python -m tests.store.children …`."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

from app.domain.events import RunStarted, SamplesTaken, TrialFinished, TrialStarted
from app.store.connection import connect, read_number
from app.store.journal import UndoJournalFile
from app.store.schema import SESSION_FILE, create_or_upgrade
from app.store.session_file import create_session_file
from tests.dying import die
from tests.forked import start_python
from tests.store.sample import HEADER, PLAN, SESSION_ID, START, TARGET, make_change, make_spec, make_trial


def start_child(*arguments: str) -> "subprocess.Popen[str]":
    """Start one of the programs below; its acknowledgements come line by line on `stdout`."""
    return start_python("-m", "tests.store.children", *arguments, stdin=subprocess.PIPE)


def write_trials(path: Path) -> None:
    """Write trials for ever, and print each id once its event was taken as written."""
    store = create_session_file(path)
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    number = 0
    while True:
        number += 1
        trial = make_trial(number, samples=1500)
        recorder.record(TrialStarted("E1", make_spec(trial), 99))
        for begin in (0, 700, 1400):
            recorder.record(SamplesTaken("E1", trial.trial_id, trial.samples[begin : begin + 700], 0.5))
        recorder.record(TrialFinished("E1", trial))
        print(trial.trial_id, flush=True)


def write_journal_then_die(path: Path, writes: int) -> None:
    """Make `writes` journal writes and kill this process straight after the last one."""
    journal = UndoJournalFile(path)
    done = 0
    for number in (1, 2):
        entry_id = 0
        for step in ("intent", "applied", "problem", "restored"):
            match step:
                case "intent":
                    entry_id = journal.record_intent(SESSION_ID, TARGET, make_change(number))
                case "applied":
                    journal.mark_applied(entry_id)
                case "problem":
                    journal.mark_problem(entry_id, "login refused")
                case "restored":
                    journal.mark_restored(entry_id)
            done += 1
            if done == writes:
                die()


def hold_session(path: Path) -> None:
    """Keep a session file open for writing until stdin ends."""
    with create_session_file(path):
        print("open", flush=True)
        sys.stdin.read()


def hold_transaction(path: Path) -> None:
    """Keep a database locked by a transaction until stdin ends."""
    connection = connect(path, "mode=rw")
    connection.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    sys.stdin.read()
    connection.close()


def die_in_migration(path: Path) -> None:
    """Create or upgrade a session file and die inside the last step, with pages of it on the disk."""
    connection = connect(path, "mode=rwc")
    connection.execute("PRAGMA cache_size = 1")
    connection.create_function("die", 0, die)
    fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
    step = ("CREATE TABLE extra (x)", f"{fill} INSERT INTO extra SELECT zeroblob(1000) FROM n", "SELECT die()")
    version = read_number(connection, "PRAGMA user_version")
    steps = (*SESSION_FILE.steps, step) if version else ((*SESSION_FILE.steps[0], *step),)
    create_or_upgrade(connection, dataclasses.replace(SESSION_FILE, steps=steps), path)


def fill_disk(path: Path, limit_bytes: int) -> None:
    """Write trials with a limit on the size of files; print how many were taken, then what was said."""
    import resource

    from app.domain.errors import StoreError

    store = create_session_file(path)
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    taken = 0
    try:
        while True:
            recorder.record(TrialFinished("E1", make_trial(taken + 1, samples=500)))
            taken += 1
    except StoreError as error:
        print(taken, flush=True)
        print(error, flush=True)
    os._exit(0)


def main(name: str, path: str, *numbers: str) -> None:
    """Run the program of that name."""
    programs = {
        "write_trials": write_trials,
        "write_journal_then_die": write_journal_then_die,
        "hold_session": hold_session,
        "hold_transaction": hold_transaction,
        "die_in_migration": die_in_migration,
        "fill_disk": fill_disk,
    }
    programs[name](Path(path), *(int(number) for number in numbers))  # type: ignore[operator]  # each takes its own numbers


if __name__ == "__main__":
    main(*sys.argv[1:])
