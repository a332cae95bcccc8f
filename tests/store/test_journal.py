"""The undo journal: on disk when it says so, whatever happens next."""

import os
import shutil
import sqlite3
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.change import EntryState, JournalEntry
from app.domain.errors import StoreError
from app.domain.ports import UndoJournal
from app.foundation.codec import utc_text
from app.store.change_row import CHANGE_COLUMNS, change_values
from app.store.connection import atomic, connect, read_number
from app.store.journal import UndoJournalFile
from app.store.journal_opening import JournalDamaged, read_head, write_head
from app.store.journal_seals import JournalDamage
from app.store.journal_witness import SessionPlace
from app.store.schema import UNDO_JOURNAL, create_or_upgrade
from tests.dying import is_killed
from tests.patience import PATIENCE_S
from tests.store.children import start_child
from tests.store.sample import SESSION_ID, START, TARGET, make_change

STATES = ("intent", "applied", "applied", "restored")
PROBLEMS = ("", "", "login refused", "")


def test_an_entry_lives_from_intent_to_restored(tmp_path: Path) -> None:
    """Each step of a change is on record, and a restored one is no longer open."""
    with UndoJournalFile(tmp_path / "new" / "undo.sqlite") as journal:
        port: UndoJournal = journal
        first = port.record_intent(SESSION_ID, TARGET, make_change(1))
        second = port.record_intent(SESSION_ID, "lab:wan", make_change(2))
        other = port.record_intent("another session", TARGET, make_change(3))
        assert [entry.entry_id for entry in port.open_entries()] == [other, second, first]
        assert [entry.entry_id for entry in port.open_entries(TARGET)] == [other, first]
        port.mark_applied(first)
        port.mark_problem(first, "login refused")
        entry = port.entries_of(SESSION_ID)[0]
        assert (entry.state, entry.problem, entry.change) == (EntryState.APPLIED, "login refused", make_change(1))
        port.mark_restored(first)
        port.mark_applied(first)
        assert port.entries_of(SESSION_ID)[0].state is EntryState.RESTORED
        assert port.entries_of(SESSION_ID)[0].problem == ""
        assert [entry.entry_id for entry in port.open_entries()] == [other, second]
        assert [entry.entry_id for entry in port.entries_of(SESSION_ID)] == [first, second]


def test_what_only_making_a_change_showed_takes_the_place_of_the_plan(tmp_path: Path) -> None:
    """Such as an id the server gives: it is on disk with the entry, and nothing else of the change moves."""
    planned = make_change(1)
    made = replace(planned, details=(*planned.details, ("tracer_id", -7)), undo_sql="exactly that one\nGO\n")
    with UndoJournalFile(tmp_path / "undo.sqlite") as journal:
        first = journal.record_intent(SESSION_ID, TARGET, planned)
        second = journal.record_intent(SESSION_ID, TARGET, planned)
        journal.mark_applied(first, replace(made, subject="not written", apply_sql="not written"))
        journal.mark_applied(second)
    with UndoJournalFile(tmp_path / "undo.sqlite", create=False) as journal:
        assert [entry.change for entry in journal.entries_of(SESSION_ID)] == [made, planned]


def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    """A journal opened by another program shows the same entries."""
    with UndoJournalFile(tmp_path / "undo.sqlite") as journal:
        journal.record_intent(SESSION_ID, TARGET, make_change())
        before = journal.open_entries()
    with UndoJournalFile(tmp_path / "undo.sqlite", create=False) as journal:
        assert journal.open_entries() == before


def test_the_one_file_holds_everything_at_any_moment(tmp_path: Path) -> None:
    """A copy of it, without what only shows that it is not new, can be restored from on another laptop."""
    path = tmp_path / "undo.sqlite"
    journal = UndoJournalFile(path)
    journal.record_intent(SESSION_ID, TARGET, make_change(1))
    journal.mark_applied(journal.record_intent(SESSION_ID, TARGET, make_change(2)))
    assert {file.name for file in tmp_path.iterdir()} == {"undo.sqlite", "undo.sqlite.open"}
    shutil.copyfile(path, tmp_path / "copy.sqlite")
    with UndoJournalFile(tmp_path / "copy.sqlite", create=False) as copy:
        assert copy.open_entries() == journal.open_entries()
        assert len(copy.open_entries()) == 2
    journal.close()


def test_writes_reach_the_disk_before_they_are_acknowledged(tmp_path: Path) -> None:
    """The journal uses a rollback journal and the strictest synchronisation SQLite has."""
    with UndoJournalFile(tmp_path / "undo.sqlite") as journal:
        connection = journal._connection
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert read_number(connection, "PRAGMA synchronous") == 3
    with UndoJournalFile(tmp_path / "of a part", is_lasting=False) as journal:
        assert read_number(journal._connection, "PRAGMA synchronous") == 0


@pytest.mark.parametrize("writes", range(1, 9))
def test_a_program_killed_after_any_write_leaves_that_write(tmp_path: Path, writes: int) -> None:
    """Whatever a killed program was told to be on disk is on disk, and nothing else."""
    path = tmp_path / "undo.sqlite"
    child = start_child("write_journal_then_die", str(path), str(writes))
    child.communicate(timeout=PATIENCE_S)
    assert is_killed(child.returncode)
    with UndoJournalFile(path, create=False) as journal:
        entries = journal.entries_of(SESSION_ID)
    expected = [(STATES[min(3, writes - 1)], PROBLEMS[min(3, writes - 1)])]
    if writes > 4:
        expected.append((STATES[writes - 5], PROBLEMS[writes - 5]))
    assert [(entry.state.value, entry.problem) for entry in entries] == expected
    assert [entry.change for entry in entries] == [make_change(1), make_change(2)][: len(entries)]


def test_several_threads_may_write(tmp_path: Path) -> None:
    """Threads that write at the same time get entries of their own."""
    with UndoJournalFile(tmp_path / "undo.sqlite") as journal:
        ids: list[int] = []

        def write(number: int) -> None:
            for _attempt in range(5):
                ids.append(journal.record_intent(SESSION_ID, TARGET, make_change(number)))

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(ids) == list(range(1, 21))
        assert len(journal.open_entries()) == 20


def test_an_entry_of_another_journal_is_not_marked(tmp_path: Path) -> None:
    """Marking an entry the file does not have says so."""
    with UndoJournalFile(tmp_path / "undo.sqlite") as journal:
        for mark in (journal.mark_applied, journal.mark_restored):
            with pytest.raises(StoreError, match="no entry 7"):
                mark(7)
        with pytest.raises(StoreError, match="no entry 7"):
            journal.mark_problem(7, "why")


def write_entries(path: Path, count: int) -> tuple[JournalEntry, ...]:
    """Make a journal with some entries."""
    with UndoJournalFile(path) as journal:
        for number in range(count):
            journal.record_intent(SESSION_ID, TARGET, make_change(number))
        return journal.open_entries()


def test_a_path_of_another_system_is_no_place_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal copied from Windows names a file that must not be looked for in the folder one happens to be in."""
    monkeypatch.chdir(tmp_path)
    elsewhere = ("/home/a.replitune",) if os.name == "nt" else (r"C:\Work\a.replitune", r"\\server\share\a.replitune")
    for name in (*elsewhere, "a.replitune"):
        with suppress(OSError):
            Path(name).touch()
        assert not SessionPlace(Path(name), Path("rollback.sql")).is_here
    assert SessionPlace(tmp_path / "a.replitune", tmp_path / "rollback.sql").is_here


def test_a_journal_knows_where_its_sessions_lie(tmp_path: Path) -> None:
    """The place noted last counts; a journal of an earlier program knows none, and is upgraded."""
    path = tmp_path / "undo.sqlite"
    with UndoJournalFile(path) as journal:
        journal.keep_place("S1", SessionPlace(tmp_path / "a.replitune", tmp_path / "rollback.sql"))
        moved = SessionPlace(tmp_path / "b" / "a.replitune", tmp_path / "b" / "rollback.sql")
        journal.keep_place("S1", moved)
        assert journal.place_of("S1") == moved
        assert journal.place_of("S2") is None
        assert journal.sessions_behind() == ("S1",)
        journal.mark_synced("S1")
        assert journal.sessions_behind() == ()
        journal.keep_place("S1", moved)
        assert journal.sessions_behind() == ("S1",)
    path = write_old_journal(tmp_path / "old.sqlite", version=1)
    with UndoJournalFile(path) as journal:
        assert journal.place_of("S1") is None
        journal.keep_place("S1", moved)
        assert journal.place_of("S1") == moved


def write_old_journal(path: Path, *, version: int, entries: int = 0) -> Path:
    """Make a journal as a program without checksums wrote it; each entry is applied."""
    connection = connect(path, "mode=rwc")
    create_or_upgrade(connection, replace(UNDO_JOURNAL, steps=UNDO_JOURNAL.steps[:version]), path)
    with atomic(connection):
        for number in range(1, entries + 1):
            connection.execute(
                f"INSERT INTO entry (session_id, target, {CHANGE_COLUMNS}, state, recorded_utc)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'applied', ?)",
                (SESSION_ID, TARGET, *change_values(make_change(number)), utc_text(START)),
            )
    connection.close()
    return path


def test_a_journal_without_checksums_opens_and_says_so(tmp_path: Path) -> None:
    """Its entries are read as they stand; those written from now on are chained behind them."""
    path = write_old_journal(tmp_path / "old.sqlite", version=2, entries=3)
    with UndoJournalFile(path) as journal:
        assert [entry.change for entry in journal.open_entries()] == [make_change(n) for n in (3, 2, 1)]
        assert journal.damage == JournalDamage(unchecked=(1, 2, 3))
        journal.mark_restored(3)
        journal.mark_applied(journal.record_intent(SESSION_ID, TARGET, make_change(4)))
    with UndoJournalFile(path, create=False) as journal:
        assert [entry.entry_id for entry in journal.open_entries()] == [4, 2, 1]
        assert journal.damage == JournalDamage(unchecked=(1, 2))


def test_a_missing_journal_is_not_made_where_one_is_to_be_read(tmp_path: Path) -> None:
    """Restoring from a journal that is not there is an error, not an empty list."""
    with pytest.raises(StoreError, match="does not exist"):
        UndoJournalFile(tmp_path / "undo.sqlite", create=False)
    assert not (tmp_path / "undo.sqlite").exists()


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("content", [b"hello", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 4000])
def test_another_file_is_neither_read_nor_overwritten(tmp_path: Path, content: bytes, create: bool) -> None:
    """A file that is no journal is refused and left as it was."""
    path = tmp_path / "undo.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is no undo journal of Replitune"):
        UndoJournalFile(path, create=create)
    assert path.read_bytes() == content


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    """Another program's SQLite file is not taken for a journal."""
    path = tmp_path / "undo.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="is no undo journal"):
        UndoJournalFile(path)


def test_a_newer_journal_is_refused(tmp_path: Path) -> None:
    """A journal of a later version is left to that version; one whose number alone is damaged is not one."""
    path = tmp_path / "undo.sqlite"
    before = write_entries(path, 1)
    connection = connect(path, "mode=rw")
    connection.execute("PRAGMA user_version = 99")
    head = read_head(connection)
    assert head is not None
    connection.close()
    shutil.copyfile(path, tmp_path / "damaged.sqlite")
    with UndoJournalFile(tmp_path / "damaged.sqlite") as journal:
        assert journal.open_entries() == before
    connection = connect(path, "mode=rw")
    write_head(connection, head._replace(version=99))
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        UndoJournalFile(path)


def test_a_damaged_journal_is_reported(tmp_path: Path) -> None:
    """Where pages are overwritten, each entry is read or told to be gone, and the damaged file is kept as it was."""
    path = tmp_path / "undo.sqlite"
    before = write_entries(path, 40)
    content = bytearray(path.read_bytes())
    content[4096 + 4 : -2000] = b"\x5a" * (len(content) - 4096 - 4 - 2000)
    path.write_bytes(bytes(content))
    with UndoJournalFile(path) as journal:
        read = journal.open_entries()
        assert set(read) <= set(before)
        last = max(entry.entry_id for entry in read)
        gone = set(range(1, last)) - {entry.entry_id for entry in read}
        assert gone == {*journal.damage.missing, *(entry.entry_id for entry in journal.damage.damaged)}
        assert gone
        assert not journal.damage.end_known, "the record of the newest entry was overwritten, too"
        assert journal.damage.kept is not None
        assert journal.damage.kept.read_bytes() == content


def test_nothing_is_left_of_a_journal(tmp_path: Path) -> None:
    """It is told as what it is: whatever it held open may still be changed."""
    path = tmp_path / "undo.sqlite"
    write_entries(path, 4)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\x5a" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(JournalDamaged, match="none of its entries can be read") as damaged:
        UndoJournalFile(path)
    assert damaged.value.exit_code == 4
    assert path.read_bytes() == content


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder's name in place of a file's is one sentence."""
    with pytest.raises(StoreError, match="is a folder"):
        UndoJournalFile(tmp_path)


def test_a_locked_journal_is_reported_before_anything_is_planned(tmp_path: Path) -> None:
    """A journal another process is writing is refused after a short wait."""
    path = tmp_path / "undo.sqlite"
    write_entries(path, 1)
    child = start_child("hold_transaction", str(path))
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "locked\n"
        with pytest.raises(StoreError, match="open elsewhere"):
            UndoJournalFile(path, busy_timeout_s=0.01)
    finally:
        child.communicate("")
    assert len(write_entries(path, 1)) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no file that is open")
def test_what_is_open_and_in_no_file_goes_into_a_new_one(tmp_path: Path) -> None:
    """A journal that was removed in mid-run lists again what could not be put back; what was is not listed."""
    path = tmp_path / "undo.sqlite"
    with UndoJournalFile(path) as journal:
        first = journal.record_intent(SESSION_ID, TARGET, make_change(1))
        second = journal.record_intent(SESSION_ID, TARGET, make_change(2))
        path.unlink()
        journal.mark_restored(second)
        journal.mark_problem(first, "login refused")
        assert "was removed or replaced" in journal.trouble
        with pytest.raises(StoreError, match="was removed or replaced"):
            journal.record_intent(SESSION_ID, TARGET, make_change(3))
    with UndoJournalFile(path, create=False) as journal:
        (entry,) = journal.open_entries()
        assert (entry.change, entry.problem) == (make_change(1), "login refused")
