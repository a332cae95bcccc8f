"""Files somebody else made: nothing beside them is followed, no schema but ours is used, and reading has an end."""

import os
import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.store import UndoJournalFile, budget, create_session_file, open_for_reading, open_for_writing
from app.store.sibling_files import COMPANIONS
from tests.store.foreign_files import BESIDE, SCHEMAS, changed, journal_file, rollback_journal, session_file
from tests.store.sample import FILES, FIXTURES, SESSION_ID, TARGET, make_change, make_record
from tests.store.test_fuzz import read_everything

SESSION_WAYS: dict[str, Callable[[Path], object]] = {
    "read": read_everything,
    "written": lambda path: open_for_writing(path).close(),
    "added to": lambda path: create_session_file(path).close(),
}
JOURNAL_WAYS: dict[str, Callable[[Path], object]] = {
    "restored": lambda path: UndoJournalFile(path, create=False).close(),
    "gone on with": lambda path: UndoJournalFile(path).close(),
}
WAYS = [(session_file, "session", way) for way in SESSION_WAYS.values()]
WAYS += [(journal_file, "entry", way) for way in JOURNAL_WAYS.values()]
ways = pytest.mark.parametrize(("make", "table", "use"), WAYS, ids=[*SESSION_WAYS, *JOURNAL_WAYS])
posix = pytest.mark.skipif(os.name == "nt", reason="a link needs a right there that few have")


@posix
@pytest.mark.parametrize("beside", BESIDE)
@ways
def test_what_lies_beside_a_file_is_not_followed(
    tmp_path: Path, beside: str, make: Callable[[Path], Path], table: str, use: Callable[[Path], object]
) -> None:
    """A file the user needs is neither deleted nor written over, whatever a given file brings along."""
    path = make(tmp_path / "given")
    victim = tmp_path / "needed.docx"
    victim.write_bytes(b"needed " * 1_000)
    BESIDE[beside](path, victim)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="move it away") as caught:
        use(path)
    assert "\n" not in str(caught.value)
    assert victim.read_bytes() == b"needed " * 1_000
    assert path.read_bytes() == before, table
    assert caught.value.exit_code == (4 if make is journal_file else 2), "whether changes are open is not known"


@posix
def test_beside_what_is_no_journal_nothing_can_be_open(tmp_path: Path) -> None:
    """Exit code 2: another file was named as the undo journal."""
    path = session_file(tmp_path / "given")
    rollback_journal(path, super_journal=tmp_path / "needed.docx")
    with pytest.raises(StoreError, match="move it away") as caught:
        UndoJournalFile(path, create=False)
    assert caught.value.exit_code == 2


@posix
@pytest.mark.parametrize("suffix", [".lock", ".v1.bak.partial"])
def test_what_is_written_beside_a_file_follows_no_link(tmp_path: Path, suffix: str) -> None:
    """The program's own files beside a given one are made anew, and never written through a link."""
    path = tmp_path / "given"
    shutil.copyfile(FIXTURES / "v1.replitune", path)
    victim = tmp_path / "needed.docx"
    victim.write_bytes(b"needed")
    Path(f"{path}{suffix}").symlink_to(victim)
    with suppress(StoreError):
        open_for_writing(path).close()
    assert victim.read_bytes() == b"needed"


@ways
def test_a_rollback_journal_of_ours_is_still_played_back(
    tmp_path: Path, make: Callable[[Path], Path], table: str, use: Callable[[Path], object]
) -> None:
    """What a crash left beside a file is no reason to refuse it; reading it leaves both as they are."""
    path = make(tmp_path / "given")
    journal = rollback_journal(path)
    use(path)
    assert journal.exists() == (use is read_everything), table


def test_a_file_its_writer_left_is_read_in_a_folder_of_our_own(tmp_path: Path) -> None:
    """With a write-ahead log beside it all is read, and nothing is made or changed in its folder."""
    path = tmp_path / "given"
    with create_session_file(tmp_path / "here") as store:
        store.add_session(make_record())
        for suffix in ("", "-wal"):
            shutil.copyfile(tmp_path / f"here{suffix}", f"{path}{suffix}")
    before = {found.name: found.read_bytes() for found in tmp_path.iterdir()}
    with open_for_reading(path) as reader:
        assert reader.read_session() == make_record()
    assert {found.name: found.read_bytes() for found in tmp_path.iterdir()} == before
    assert set(before) == {"here", "given", "given-wal"}


@pytest.mark.parametrize("schema", SCHEMAS)
@ways
def test_a_schema_that_is_not_ours_is_refused(
    tmp_path: Path, schema: str, make: Callable[[Path], Path], table: str, use: Callable[[Path], object]
) -> None:
    """Whatever a schema says beyond ours is said to be damage, before any of it is worked out.

    Of a journal the entries that vouch for themselves are read from the bytes, and the file is kept beside.
    """
    path = make(tmp_path / "given")
    SCHEMAS[schema](path, table)
    if make is session_file:
        with pytest.raises(StoreError, match=r"damaged|far more"):
            use(path)
        return
    with UndoJournalFile(path, create=False) as journal:
        assert len(journal.open_entries()) == 1
    connection = sqlite3.connect(path)
    assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name LIKE 'more%'").fetchall()
    connection.close()
    assert path.with_name("given.damaged-1").is_file()


_TEXT = "printf('%.*c', 300000, 'x')"
_BEGIN = "WITH RECURSIVE number(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM number WHERE n < 1400)"
_MANY = f"""
{_BEGIN} INSERT INTO sample SELECT trial_key, n, stream_key, n, n
 FROM number, (SELECT min(trial_key) AS trial_key FROM trial), (SELECT min(stream_key) AS stream_key FROM stream);
{_BEGIN} INSERT INTO trial SELECT n, run_key, 't' || n, block, phase, setting_key, status, failed_checks, started_utc,
 finished_utc FROM number, trial WHERE trial_key = (SELECT min(trial_key) FROM trial);
{_BEGIN} INSERT INTO measurement SELECT n, trial_key, family, trial_id, block, metric, value, unit, setting_key,
 conditions_key, phase FROM number, measurement WHERE measurement_key = (SELECT min(measurement_key) FROM measurement);
"""
# The tables without their types, changed, and with them again: a type is looked at when a value is written only.
_UNTYPED = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')');"
_TYPED = """PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = CASE WHEN sql LIKE '%WITHOUT ROWID'
 THEN replace(sql, '), WITHOUT', ') STRICT, WITHOUT') ELSE sql || ' STRICT' END WHERE type = 'table';"""
SHARED = {
    "a setting of many trials": (
        f"UPDATE setting SET body = '[[\"a\",\"' || {_TEXT} || '\"]]' WHERE setting_key = 1;"
        " UPDATE measurement SET setting_key = 1;",
    ),
    "a stream of many samples": (f"UPDATE stream SET name = {_TEXT} || stream_key;",),
    "a run of many trials": (f"UPDATE run SET run_id = {_TEXT} || run_key;",),
    "bytes in place of a name": (_UNTYPED, f"UPDATE run SET run_id = CAST({_TEXT} || run_key AS BLOB);", _TYPED),
}


def read_all_samples(path: Path) -> None:
    """Read the samples of each trial as the window does, one trial at a time."""
    with open_for_reading(path) as reader:
        for trial in reader.list_trials(()):
            reader.read_samples(trial.run_id, trial.trial_id)


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("use", [read_everything, read_all_samples])
def test_reading_has_an_end(tmp_path: Path, shared: str, use: Callable[[Path], None]) -> None:
    """A text that many rows share is read as often as in a file of ours, or the file is refused; memory stays small."""
    path = session_file(tmp_path / "given")
    for script in (_MANY, *SHARED[shared]):
        changed(path, script)
    tracemalloc.start()
    try:
        with suppress(StoreError):
            use(path)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_what_damaged_entries_share_has_an_end(tmp_path: Path) -> None:
    """Entries of a damaged journal that share one long text are not read again and again; the way on is told."""
    path = journal_file(tmp_path / "given")
    with UndoJournalFile(path) as journal:
        entry = journal.record_intent(SESSION_ID, TARGET, replace(make_change(1), undo_sql="x" * 500_000))
    raw = bytearray(path.read_bytes())
    leaf = next(at for at in range(0, len(raw), 4096) if raw[at] == 13 and raw[at : at + 4096].count(b"x") > 100)
    raw += b"".join(bytes(raw[leaf : leaf + 4096]) for _copy in range(400))
    raw[100:108] = bytes(8)  # no SQLite reads it
    path.write_bytes(raw)
    tracemalloc.start()
    try:
        with pytest.raises(StoreError, match="gives far more to read than any of its size") as caught:
            UndoJournalFile(path, create=False)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()
    assert (caught.value.exit_code, entry) == (4, 2)
    assert path.read_bytes() == raw


@pytest.mark.parametrize("use", JOURNAL_WAYS)
def test_a_journal_that_goes_on_and_on_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: str) -> None:
    """As a session file."""
    path = journal_file(tmp_path / "given")
    monkeypatch.setattr(budget, "_STEPS_FOR_ANY", 0)
    monkeypatch.setattr(budget, "_STEPS_FOR_A_BYTE", 0)
    monkeypatch.setattr(budget, "_STEPS_AT_A_TIME", 10)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="gives far more to read than any of its size") as caught:
        JOURNAL_WAYS[use](path)
    assert caught.value.exit_code == 4
    assert path.read_bytes() == before


def test_a_file_that_is_too_large_for_a_copy_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was not closed is never played back where it lies, however large it is."""
    path = session_file(tmp_path / "given")
    rollback_journal(path)
    free = shutil.disk_usage(tmp_path)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: free)
    before = path.read_bytes()
    with pytest.raises(
        StoreError, match=r"was not closed by what wrote it.* has no room for its \d+ MB; free some"
    ) as caught:
        read_everything(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_reading_that_goes_on_and_on_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of SQLite's instructions than a file of this size needs end the reading in one sentence."""
    path = session_file(tmp_path / "given")
    monkeypatch.setattr(budget, "_STEPS_FOR_ANY", 0)
    monkeypatch.setattr(budget, "_STEPS_FOR_A_BYTE", 0)
    monkeypatch.setattr(budget, "_STEPS_AT_A_TIME", 100)
    with pytest.raises(StoreError, match="gives far more to read than any of its size"):
        read_everything(path)


def test_what_the_program_wrote_takes_a_fraction_of_what_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own files stay far from the bound, whichever version wrote them, without what any file may take."""
    monkeypatch.setattr(budget, "_BYTES_FOR_ANY", 0)
    monkeypatch.setattr(budget, "_BYTES_FOR_A_BYTE", budget._BYTES_FOR_A_BYTE / 4)
    monkeypatch.setattr(budget, "_STEPS_FOR_ANY", 0)
    monkeypatch.setattr(budget, "_STEPS_FOR_A_BYTE", budget._STEPS_FOR_A_BYTE / 4)
    monkeypatch.setattr(budget, "_STEPS_AT_A_TIME", 1_000)
    for path in (*FIXTURES.glob("*.replitune"), *FILES.glob("*.replitune")):
        read_everything(path)


def test_the_companions_are_those_sqlite_uses() -> None:
    """A database, its journal, its log and the log's index: https://www.sqlite.org/tempfiles.html."""
    assert COMPANIONS == ("-journal", "-wal", "-shm")
