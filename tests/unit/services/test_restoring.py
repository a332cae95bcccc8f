"""Restoring what a journal holds: what it cannot vouch for is told as that, and never taken for somebody else's."""

import os
import sqlite3
from pathlib import Path

import pytest

from app.domain.errors import ReplituneError
from app.domain.target import Offer, Target
from app.services.run.restoring import count_open, read_journal_state, restore_all
from app.store import JournalDamaged, SessionPlace, UndoJournalFile
from tests.labs import MemoryConnection
from tests.unit.runner.memory import MemoryClock, MemoryServer, change

SCRIPT = str(Path("/home/dba/rollback.sql"))


def _write(path: Path, *, is_restored: bool = False) -> None:
    """A value that a session set twice."""
    with UndoJournalFile(path) as journal:
        journal.keep_place("S1", SessionPlace(Path("/home/dba/s.replitune"), Path(SCRIPT)))
        for before, after in (("1", "2"), ("2", "3")):
            entry_id = journal.record_intent("S1", "memory", change("a", before, after))
            journal.mark_applied(entry_id)
        for entry in journal.open_entries() if is_restored else ():
            journal.mark_restored(entry.entry_id)


def _restore(path: Path, server: MemoryServer, *, keeps_others: bool) -> tuple[tuple[str, ...], list[str]]:
    target = Target(MemoryConnection(MemoryClock()), {"memory": Offer(frozenset(), None, server, frozenset({"value"}))})
    left: list[str] = []
    outcome = restore_all(
        path,
        lambda _key, _seed, _sink: target,
        lambda _change: None,
        (lambda _change, why: left.append(why)) if keeps_others else None,
    )
    return outcome.problems, left


@pytest.mark.parametrize("keeps_others", [False, True])
@pytest.mark.parametrize(
    "damage", ["UPDATE entry SET new = '9' WHERE entry_id = 2", "DELETE FROM entry WHERE entry_id = 2"]
)
def test_what_a_damaged_entry_set_is_not_told_to_be_somebody_elses(
    tmp_path: Path, damage: str, keeps_others: bool
) -> None:
    """The entry before it finds a third value, which this program set: it stays open until the original is back."""
    path = tmp_path / "undo.sqlite"
    _write(path)
    connection = sqlite3.connect(path)
    connection.execute(damage)
    connection.commit()
    connection.close()
    server = MemoryServer(a="3")
    problems, left = _restore(path, server, keeps_others=keeps_others)
    assert left == []
    assert server.values == {"a": "3"}
    assert "later entries are damaged or missing (2)" in problems[0]
    assert "this program may have set it as well as somebody else: have it set to 1 by hand" in problems[0]
    server.values["a"] = "1"
    problems, _left = _restore(path, server, keeps_others=keeps_others)
    assert not any("later entries" in problem for problem in problems)
    with UndoJournalFile(path, create=False) as journal:
        assert journal.open_entries() == ()


def test_an_emptied_journal_with_open_changes_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    """Neither by a restore nor by the next run, and the script that undoes the changes is named."""
    path = tmp_path / "undo.sqlite"
    _write(path)
    os.truncate(path, 0)
    assert count_open(path) == 1
    (problem,) = read_journal_state(path).problems
    assert "is empty, but changes were open in it" in problem
    assert SCRIPT in problem
    with pytest.raises(JournalDamaged) as refused:
        UndoJournalFile(path)
    assert refused.value.exit_code == 4
    with pytest.raises(ReplituneError):
        restore_all(path, lambda *_asked: pytest.fail("opened"), lambda _change: None)
    (tmp_path / "undo.sqlite.open").unlink()
    UndoJournalFile(path).close()


def test_an_emptied_journal_of_which_all_was_put_back_is_a_new_one(tmp_path: Path) -> None:
    """Nothing is lost with it; nor with one that was moved aside, as its sentences ask for."""
    path = tmp_path / "undo.sqlite"
    _write(path, is_restored=True)
    assert [file.name for file in tmp_path.iterdir()] == ["undo.sqlite"]
    os.truncate(path, 0)
    UndoJournalFile(path).close()
    _write(path)
    path.rename(tmp_path / "aside")
    UndoJournalFile(path).close()
