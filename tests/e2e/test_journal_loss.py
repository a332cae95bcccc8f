"""A journal that is lost or damaged, as a person meets it; some cases of the matrix, the same ones every time."""

import os
import sqlite3
from pathlib import Path

import pytest

from app.domain.change import EntryState
from app.store import UndoJournalFile, open_for_reading
from tests.abilities import forks, full_disk
from tests.dying import die, is_killed
from tests.e2e.program import Ended, call
from tests.prove.journal_loss import Loss, cases_of, counted_writes, run_cases, writes_of
from tests.prove.killing import ServerState, lab_server, read_state, write_plan
from tests.prove.wire_session import run_session

# The fourth change is made then, and not yet marked as made.
KILLED_BEFORE = 10

pytestmark = forks


def test_a_journal_lost_in_mid_run_leaves_nothing_changed(tmp_path: Path) -> None:
    """Every other kind of loss, each before another write."""
    plan = write_plan(tmp_path, "distribution_agent")
    with lab_server() as target:
        writes = writes_of(plan, target, tmp_path / "whole")
        chosen = [
            cases_of(writes, [loss])[2 + 3 * number % (len(writes) - 3)] for number, loss in enumerate(list(Loss)[::2])
        ]
        tally = run_cases(chosen, plan, target, tmp_path)
    assert tally.failures == ()


def killed_in_mid_run(folder: Path, target: str, at: int = KILLED_BEFORE) -> Path:
    """Kill a session while its changes are in effect; return its journal."""
    plan = write_plan(folder, "distribution_agent")
    child = os.fork()
    if child == 0:
        with counted_writes(lambda _journal, number: die() if number == at else None):
            run_session(plan, target, folder / "out")
        os._exit(0)
    assert is_killed(os.waitpid(child, 0)[1])
    return folder / "out" / "undo.journal"


def alter(journal: Path, statement: str) -> None:
    """Change a journal behind its back; the file stays sound for SQLite."""
    connection = sqlite3.connect(journal)
    assert connection.execute(statement).rowcount == 1
    connection.commit()
    connection.close()


def restore(journal: Path, *options: object) -> Ended:
    """Call the command as a person does."""
    return call("restore", "--journal", journal, *options)


def changed(before: ServerState, after: ServerState) -> set[str]:
    """Return what kinds of things differ."""
    return {kind for kind in ("parameters", "profiles", "running") if getattr(before, kind) != getattr(after, kind)}


def test_a_damaged_entry_is_refused_and_every_other_one_restored(tmp_path: Path) -> None:
    """One other digit in what is to be undone: it is never set; what is known of it and the way on are told."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target)
        script_before = (tmp_path / "out" / "rollback.sql").read_text()
        (ids,) = (
            sqlite3.connect(journal).execute("SELECT max(entry_id) FROM entry WHERE state <> 'restored'").fetchall()
        )
        number = ids[0]
        alter(journal, f"UPDATE entry SET details = replace(details, '1', '2') WHERE entry_id = {number}")
        meanwhile = read_state(target)
        assert meanwhile != original
        ended = restore(journal)
        assert ended.code == 4, ended
        assert f"not restored: entry {number} of the undo journal {journal} is damaged and was not used" in ended.err
        assert str(tmp_path / "out" / "rollback.sql") in ended.err
        assert str(tmp_path / "out" / "session.replitune") in ended.err
        # the entry before it set the same token, which no longer holds what that one left: it stays and is told, and so
        # do the stop of the agent that is started with it and the profile by which others see that something is changed
        assert ended.out.count("undone: ") == number - 4
        assert "changes still open: 4" in ended.err
        assert "it runs again, with what could not be undone" in ended.err
        left = read_state(target)
        assert changed(original, left) < changed(original, meanwhile), (original, left)
        assert (tmp_path / "out" / "rollback.sql").read_text() == script_before, "it undoes what no entry tells of"
        script = restore(journal, "--script", tmp_path / "all.sql")
        assert script.code == 4
        assert "is damaged and was not used" in script.err
        again = call(
            "run",
            tmp_path / "distribution_agent.toml",
            "--target",
            target,
            "--journal",
            journal,
            "--out",
            tmp_path / "next",
        )
        assert again.code == 4
        assert "is damaged and was not used" in again.err
        assert read_state(target) == left


def test_a_file_that_sqlite_cannot_read_gives_up_its_intact_entries(tmp_path: Path) -> None:
    """Everything is restored, so that the exit code is 0; that the file was damaged is told, and it is kept."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target)
        raw = journal.read_bytes()
        journal.write_bytes(b"\0" * 100 + raw[100:])
        ended = restore(journal)
        assert (ended.code, read_state(target)) == (0, original), ended
        kept = journal.with_name("undo.journal.damaged-1")
        assert str(kept) in ended.err
        assert kept.read_bytes()[100:] == raw[100:]
        assert "Nothing to restore." in restore(journal).out


def test_a_journal_of_before_checksums_is_restored_and_says_so(tmp_path: Path) -> None:
    """What cannot be checked in it is told."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target)
        connection = sqlite3.connect(journal)
        for table, column in (("entry", "previous"), ("entry", "link"), ("entry", "seal"), ("place", "seal")):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.executescript(
            "DROP TABLE head; CREATE INDEX entry_by_session ON entry (session_id);"
            "CREATE INDEX entry_open ON entry (entry_id) WHERE state <> 'restored'; PRAGMA user_version = 2"
        )
        connection.close()
        ended = restore(journal)
        assert (ended.code, read_state(target)) == (0, original), ended
        assert "have no checksum (1, 2, 3, 4)" in ended.err


def test_a_journal_that_can_only_be_read_is_restored_from(tmp_path: Path) -> None:
    """On a disk that takes nothing more; that the journal still lists what was put back is told."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target)
        with full_disk():
            ended = restore(journal)
        assert (ended.code, read_state(target)) == (0, original), ended
        assert "lacks what was done last" in ended.err


@pytest.mark.parametrize(
    "loss", [pytest.param("gone", marks=pytest.mark.prove), pytest.param("emptied", marks=pytest.mark.prove), "older"]
)
def test_a_journal_lost_after_a_kill_is_told_and_what_the_session_file_holds_undone(tmp_path: Path, loss: str) -> None:
    """A run that goes on asks for it, exit code 4; a restore undoes what the session's file holds, and that is all."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target, at=KILLED_BEFORE + 1)
        assert read_state(target) != original
        lose_at_rest(journal, loss)
        again = call("run", "--resume", "--out", tmp_path / "out", "--journal", journal)
        assert_lost(again, tmp_path / "out")
        assert read_state(target) != original
        ended = restore(journal)
        assert (ended.code, read_state(target)) == (0, original), ended
        assert f"{journal}: this undo journal was gone, empty or an older copy" in ended.err
        assert "Nothing to undo." in (tmp_path / "out" / "rollback.sql").read_text()
        assert not Path(f"{journal}.open").exists()
        assert restore(journal).code == (0 if loss == "older" else 2)
        assert call("run", "--resume", "--out", tmp_path / "out", "--journal", journal).code == 0
        assert read_state(target) == original


@pytest.mark.parametrize("loss", ["gone", pytest.param("older", marks=pytest.mark.prove)])
def test_a_change_its_session_file_may_not_hold_keeps_a_lost_journal_told(tmp_path: Path, loss: str) -> None:
    """Killed between the journal and the session's file: what is known is undone, and exit code 4 stays."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target)
        lose_at_rest(journal, loss)
        script = (tmp_path / "out" / "rollback.sql").read_text()
        for _again in range(2):
            assert_lost(restore(journal), tmp_path / "out")
            assert (tmp_path / "out" / "rollback.sql").read_text() == script
        assert Path(f"{journal}.open").exists()
        assert changed(original, read_state(target)) <= {"parameters"}


def test_a_session_that_goes_on_without_its_journal_undoes_what_its_file_holds(tmp_path: Path) -> None:
    """As on another computer that has no other file of it: all is put back first, and the run completes."""
    with lab_server() as target:
        original = read_state(target)
        journal = killed_in_mid_run(tmp_path, target, at=KILLED_BEFORE + 1)
        journal.unlink()
        Path(f"{journal}.open").unlink()
        ended = call("run", "--resume", "--out", tmp_path / "out", "--journal", tmp_path / "another.journal")
        assert ended.code == 0, ended
        assert read_state(target) == original
        with open_for_reading(tmp_path / "out" / "session.replitune") as reader:
            assert {entry.state for entry in reader.read_changes()} == {EntryState.RESTORED}


def lose_at_rest(journal: Path, loss: str) -> None:
    """Lose a journal nobody uses; the copy is from before the session changed anything."""
    if loss == "emptied":
        os.truncate(journal, 0)
        return
    journal.unlink()
    if loss == "older":
        witness = Path(f"{journal}.open")
        kept = witness.read_bytes()
        witness.unlink()
        UndoJournalFile(journal).close()
        witness.write_bytes(kept)


def assert_lost(ended: Ended, out: Path) -> None:
    """Check that the loss was told with the way on."""
    assert ended.code == 4, ended
    assert str(out / "rollback.sql") in ended.err
    assert "Traceback" not in ended.err
