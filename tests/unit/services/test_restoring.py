"""Restoring what a journal holds: what it cannot vouch for is told as that, and never taken for somebody else's."""

import os
import re
import sqlite3
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import pytest

from app.domain.change import EntryState
from app.domain.errors import NotRestored, ReplituneError, ServerBusy, StoreError
from app.domain.target import Offer, Target
from app.flows.run.restore_view import restore_result
from app.services.run import restoring
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import (
    JournalState,
    RestoreWay,
    count_open,
    read_journal_state,
    restore_all,
    write_restore_script,
)
from app.services.run.resuming import refuse_open_changes
from app.services.workplace import open_workplace
from app.store import (
    JournalDamaged,
    SessionHeader,
    SessionPlace,
    UndoJournalFile,
    create_session_file,
    open_for_reading,
)
from tests.e2e.program import call
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


class Loss(StrEnum):
    """What becomes of a journal once its program has ended."""

    GONE = "is gone"
    EMPTIED = "is empty"
    OLDER = "lacks its newest entries"


def _lose(path: Path, loss: Loss, older: bytes) -> None:
    match loss:
        case Loss.GONE:
            path.unlink()
        case Loss.EMPTIED:
            os.truncate(path, 0)
        case Loss.OLDER:
            path.write_bytes(older)


def _lost(path: Path, loss: Loss, *, is_restored: bool = False) -> None:
    """A journal whose last session left changes, and that is lost, or replaced by a copy from before that session."""
    UndoJournalFile(path).close()
    older = path.read_bytes()
    _write(path, is_restored=is_restored)
    _lose(path, loss, older)


def _told_by_restore(path: Path) -> tuple[str, ...]:
    try:
        return restore_all(path, lambda *_asked: pytest.fail("opened"), lambda _change: None).problems
    except JournalDamaged as error:
        return (str(error),)


@pytest.mark.parametrize("loss", list(Loss))
def test_a_journal_lost_with_open_changes_is_not_taken_for_a_new_one(tmp_path: Path, loss: Loss) -> None:
    """Neither by a restore nor by the next run, and the script that undoes the changes is named."""
    path = tmp_path / "undo.sqlite"
    _lost(path, loss)
    for _again in range(2):  # also after what a restore does
        assert count_open(path) == 1
        (problem,) = read_journal_state(path).problems
        assert loss in problem
        assert SCRIPT in problem
        with pytest.raises(NotRestored, match=re.escape(SCRIPT)):
            refuse_open_changes(path)
        with pytest.raises(ReplituneError) as refused:
            GuidedSession(open_workplace(tmp_path / "out"), path, lambda *_asked: pytest.fail("opened")).close()
        assert refused.value.exit_code == 4
        assert problem in _told_by_restore(path)
        with pytest.raises(NotRestored, match=re.escape(SCRIPT)):
            write_restore_script(path, tmp_path / "undo.sql")
    (tmp_path / "undo.sqlite.open").unlink()
    UndoJournalFile(path).close()


@pytest.mark.parametrize("loss", list(Loss))
def test_a_journal_lost_after_all_was_put_back_is_a_new_one(tmp_path: Path, loss: Loss) -> None:
    """Nothing is lost with it."""
    path = tmp_path / "undo.sqlite"
    _lost(path, loss, is_restored=True)
    with UndoJournalFile(path) as journal:
        assert not journal.damage.hides_changes
        assert journal.open_entries() == ()


@pytest.mark.parametrize("loss", list(Loss))
def test_what_the_session_files_hold_of_a_lost_journal_is_undone_and_the_rest_told(tmp_path: Path, loss: Loss) -> None:
    """A value the run set twice goes back to what stood there first; the session's file and a script say so, too."""
    path, file = tmp_path / "undo.sqlite", tmp_path / "session.replitune"
    UndoJournalFile(path).close()
    older = path.read_bytes()
    with UndoJournalFile(path) as journal, create_session_file(file) as store:
        recorder = store.start_session(SessionHeader("S1", "", "", "", datetime(2026, 1, 1, tzinfo=UTC), "1"))
        journal.keep_place("S1", SessionPlace(file, Path(SCRIPT)))
        for before, after in (("1", "2"), ("2", "3")):
            journal.mark_applied(journal.record_intent("S1", "memory", change("a", before, after)))
        recorder.save_changes(journal.open_entries())
    _lose(path, loss, older)
    assert len(read_journal_state(path).entries) == 2
    server = MemoryServer(a="3")
    (problem,), _left = _restore(path, server, keeps_others=False)
    assert server.values == {"a": "1"}
    assert loss in problem
    assert SCRIPT in problem
    with open_for_reading(file) as reader:
        assert {entry.state for entry in reader.read_changes()} == {EntryState.RESTORED}
    assert read_journal_state(path) == JournalState((), (problem,))


def test_a_journal_whose_newest_entry_is_not_on_disk_yet_is_whole(tmp_path: Path) -> None:
    """What is known beside it is never ahead of it: killed before that is written, the journal says more."""
    path = tmp_path / "undo.sqlite"
    _write(path)
    witness = (tmp_path / "undo.sqlite.open").read_bytes()
    with UndoJournalFile(path) as journal:
        journal.record_intent("S1", "memory", change("b", "1", "2"))
    (tmp_path / "undo.sqlite.open").write_bytes(witness)
    with UndoJournalFile(path) as journal:
        assert not journal.damage.hides_changes
        assert len(journal.open_entries()) == 3


def test_a_change_is_not_made_where_nothing_can_witness_it(tmp_path: Path) -> None:
    """The journal takes no entry then, or one that is closed."""
    path = tmp_path / "undo.sqlite"
    with UndoJournalFile(path) as journal:
        (tmp_path / "undo.sqlite.open").mkdir()
        with pytest.raises(StoreError):
            journal.record_intent("S1", "memory", change("a", "1", "2"))
        assert journal.open_entries() == ()


def test_a_witness_of_an_earlier_version_is_understood(tmp_path: Path) -> None:
    """It names scripts only, a line each: an emptied journal and one that is gone are told with them."""
    path = tmp_path / "undo.sqlite"
    _write(path)
    (tmp_path / "undo.sqlite.open").write_text(f"{SCRIPT}\n", encoding="utf-8")
    with UndoJournalFile(path) as journal:
        assert not journal.damage.hides_changes
    path.unlink()
    with pytest.raises(JournalDamaged, match=re.escape(SCRIPT)):
        UndoJournalFile(path)


def test_a_restore_that_is_stopped_opens_no_further_server(tmp_path: Path) -> None:
    """What is left of each is told and stays open."""
    path = tmp_path / "undo.sqlite"
    with UndoJournalFile(path) as journal:
        for target in ("one", "two"):
            journal.record_intent("S1", target, change(f"a of {target}", "1", "2"))
    way = RestoreWay(is_stopped=lambda: True)
    outcome = restore_all(path, lambda *_asked: pytest.fail("opened"), lambda _change: None, None, way)
    assert len(outcome.problems) == 2
    assert all("interrupted" in problem for problem in outcome.problems)
    assert count_open(path) == 2


def test_a_new_run_does_not_write_over_what_only_the_session_file_knows(tmp_path: Path) -> None:
    """Its journal is gone with all beside it; the script beside the session is what a DBA has left."""
    path, place = tmp_path / "undo.sqlite", open_workplace(tmp_path / "out")
    place.rollback_script.write_text("of the last session", encoding="utf-8")
    with UndoJournalFile(path) as journal, create_session_file(place.session_file) as store:
        recorder = store.start_session(SessionHeader("S1", "", "", "", datetime(2026, 1, 1, tzinfo=UTC), "1"))
        journal.mark_applied(journal.record_intent("S1", "memory", change("a", "1", "2")))
        recorder.save_changes(journal.open_entries())
    GuidedSession(place, tmp_path / "undo.sqlite", lambda *_asked: pytest.fail("opened")).close()
    with pytest.raises(NotRestored, match="still open and not in the undo journal"):
        GuidedSession(place, tmp_path / "another", lambda *_asked: pytest.fail("opened"))
    assert place.rollback_script.read_text(encoding="utf-8") == "of the last session"


def test_what_a_run_that_goes_on_has_changed_is_left_to_it_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is sent to a script of it; changes are counted, and not the servers they are at."""
    journal = tmp_path / "undo.journal"
    with UndoJournalFile(journal) as opened:
        for name in "abc":
            opened.mark_applied(opened.record_intent("S1", "sqlserver://bob@db1", change(name, "1", "2")))
    monkeypatch.setattr(restoring, "refuse_busy", _busy)
    ended = call("restore", "--journal", journal)
    outcome = restore_all(journal, _nowhere, lambda _change: None)
    assert ended.code == 4
    assert "sqlserver://bob@db1 is busy" in ended.err
    assert "changes left to a run that goes on, which undoes them itself: 3" in ended.err
    assert "--script" not in ended.err
    assert (outcome.open_count, outcome.left_to_runs, len(outcome.problems)) == (3, 3, 1)
    assert "still open: 3" in restore_result(outcome, datetime.now(UTC))


def _busy(_journal: Path, target: str) -> None:
    raise ServerBusy(f"{target} is busy")


def _nowhere(_key: str, _seed: int, _sink: object) -> Target:
    raise AssertionError("a server somebody else changes is not opened")
