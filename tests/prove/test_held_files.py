"""Files that another program holds for a moment, a thousand times: nothing ends by it, nothing is lost."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.domain.change import EntryState
from app.services.run.undo_tools import undo_tools
from app.store import JournalWithScript, UndoJournalFile
from app.store.rollback import rollback_script, script_bytes
from tests.e2e.program import call, write
from tests.held_files import Holder, PassingClock, hold, names_in
from tests.patience import PATIENCE_S, PAUSE_S
from tests.prove.shares import Share
from tests.store.sample import SESSION_ID, TARGET, make_change

PLAN = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n'
HOLDS = 1_000


@pytest.mark.prove
def test_a_script_held_a_thousand_times_is_as_new_as_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: Share
) -> None:
    """Every write of the script finds it held at random; each change is journalled, scripted and closed."""
    holder = Holder(PassingClock(), share=0.7)
    hold(monkeypatch, holder)
    script = tmp_path / "rollback.sql"
    with UndoJournalFile(tmp_path / "undo.sqlite") as file:
        journal = JournalWithScript(file, script, SESSION_ID, undo_tools())
        number = 0
        while holder.holds < HOLDS // share.parts:
            number += 1
            entry_id = journal.record_intent(SESSION_ID, TARGET, make_change(number % 10))
            journal.mark_applied(entry_id)
            if number % 5:
                journal.mark_restored(entry_id)
        entries = file.entries_of(SESSION_ID)
        assert len(entries) == number
        assert sum(entry.state is EntryState.APPLIED for entry in entries) == number // 5
        assert script.read_bytes() == script_bytes(rollback_script(file.open_entries(), undo_tools()))
        assert not journal.script_problem
    assert names_in(tmp_path) == ["rollback.sql", "undo.sqlite", "undo.sqlite.open"]  # the journal and its witness
    print(f"{holder.holds} holds at {number} changes: 0 entries lost, 0 problems")


@contextmanager
def databases_held(folder: Path) -> Iterator[list[int]]:
    """Hold journal and session file below a folder again and again, as long as the block lasts; give the count."""
    is_over, count = threading.Event(), [0]

    def run() -> None:
        while not is_over.wait(PAUSE_S):
            for path in filter(Path.is_file, (folder / "undo.journal", folder / "session.replitune")):
                with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE_S)) as other:
                    try:
                        other.execute("BEGIN EXCLUSIVE")
                    except sqlite3.OperationalError:
                        continue  # the program has it just now
                    count[0] += 1
                    is_over.wait(PAUSE_S)
                    other.execute("ROLLBACK")

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield count
    finally:
        is_over.set()
        thread.join()


@pytest.mark.prove
def test_a_run_whose_files_are_held_goes_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Script and report by what replaces them, journal and session file by a lock: the run says the same as another."""
    write(tmp_path / "plan.toml", PLAN)
    order = ("run", tmp_path / "plan.toml", "--target", "lab", "--json", "--seed", 3)
    free = call(*order, "--out", tmp_path / "free", "--journal", tmp_path / "free.journal")
    assert free.code == 0, free
    holder = Holder(PassingClock(), share=0.8)
    hold(monkeypatch, holder)
    journal = tmp_path / "held" / "undo.journal"
    with databases_held(tmp_path / "held") as count:
        held = call(*order, "--out", tmp_path / "held", "--journal", journal)
    assert held.code == 0, held
    assert held.json()["comparisons"] == free.json()["comparisons"]
    with UndoJournalFile(journal) as file:
        assert not file.open_entries()
    assert holder.holds > 20
    print(f"replaced while held {holder.holds} times, locked {count[0]} times: the same comparisons, nothing open")
