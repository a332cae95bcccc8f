"""Files that cannot be used: one sentence each, the file untouched, the lock given back."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.domain.events import Note, RunStarted, TrialFinished
from app.foundation import file_names
from app.store import place
from app.store.faults import known_problems, sentence_of_sqlite, sentence_of_system
from app.store.reader import SessionReader
from app.store.session_file import create_session_file, open_for_reading, open_for_writing
from tests.abilities import limits_files
from tests.patience import PATIENCE_S
from tests.store.children import start_child
from tests.store.sample import HEADER, PLAN, START, TARGET, make_record, make_statement, make_trial

TOO_LONG = "(File name too long|the path is longer than the 259 characters Windows takes)"
OPENERS = (create_session_file, open_for_writing, open_for_reading)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a closed session file with one session."""
    path = tmp_path / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


def expect_refusal(path: Path, sentence: str, openers: tuple[Callable[[Path], object], ...] = OPENERS) -> None:
    """Check that a file is refused by each way of opening it, and left as it was."""
    content = path.read_bytes() if path.is_file() else None
    beside = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    for opener in openers:
        with pytest.raises(StoreError, match=sentence) as caught:
            opener(path)
        assert caught.value.exit_code == 2
        assert "\n" not in str(caught.value)
        assert str(path.parent) in str(caught.value)
    if content is not None:
        assert path.read_bytes() == content
        assert sorted(path.parent.iterdir()) == beside


@pytest.mark.parametrize("content", [b"\n", b"name,value\n1,2\n", b"PK\x03\x04" * 2000, b"\0" * 4096])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    """Text, an archive or zeros are no session file, and are never overwritten."""
    path = tmp_path / "client.replitune"
    path.write_bytes(content)
    expect_refusal(path, "is no session file of Replitune; choose another file")


def test_an_empty_file_is_refused_but_may_be_filled(tmp_path: Path) -> None:
    """An empty file holds no session; making a session file of it loses nothing."""
    path = tmp_path / "client.replitune"
    path.touch()
    expect_refusal(path, "is no session file", (open_for_writing, open_for_reading))
    create_session_file(path).close()
    open_for_reading(path).close()


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    """Another program's SQLite file is recognised by its mark."""
    path = tmp_path / "client.replitune"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE session (x)")
    connection.commit()
    connection.close()
    expect_refusal(path, "is no session file")


def test_a_newer_file_is_refused(path: Path) -> None:
    """A file of a later version is left to that version."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    expect_refusal(path, "written by a newer version of Replitune; open it with that version")


def test_a_missing_file_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    """A name that does not exist is not made up when reading, and folders are not made at all."""
    expect_refusal(tmp_path / "nothing.replitune", "does not exist", (open_for_writing, open_for_reading))
    expect_refusal(tmp_path / "no" / "nothing.replitune", "the folder .*no does not exist; create it")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder's name in place of a file's is one sentence."""
    expect_refusal(tmp_path, "is a folder; name the session file in it")


def test_a_name_the_system_refuses_is_one_sentence(tmp_path: Path) -> None:
    """A name too long for the disk is the user's to change; Windows says of an old file only that there is none."""
    for opener in OPENERS[:1] if os.name == "nt" else OPENERS:
        with pytest.raises(StoreError, match=f"cannot be used: {TOO_LONG}; choose another file"):
            opener(tmp_path / ("x" * 300))


def test_a_path_that_windows_does_not_find_is_told_to_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where paths as a whole are limited the system says that there is no such file."""
    missing = FileNotFoundError(errno.ENOENT, "No such file or directory")
    told = "cannot be used: the path is longer than the 259 characters Windows takes; choose another file"
    monkeypatch.setattr(file_names, "most_path_characters", lambda: 259)
    assert told in sentence_of_system(missing, Path("/" + "x" * 300))
    assert "cannot be used: No such file or directory" in sentence_of_system(missing, Path("/x"))
    monkeypatch.setattr(file_names, "most_path_characters", lambda: None)
    assert "cannot be used: No such file or directory" in sentence_of_system(missing, Path("/" + "x" * 300))


@pytest.mark.parametrize("begin", [0.3, 0.5, 0.7])
def test_overwritten_pages_are_noticed(path: Path, begin: float) -> None:
    """A file with overwritten pages is reported as damaged, not read in part and not as a crash."""
    content = bytearray(path.read_bytes())
    first = int(len(content) * begin) // 4096 * 4096
    content[first : first + 8192] = b"\xa5" * 8192
    path.write_bytes(bytes(content))
    expect_refusal(path, "is damaged", (open_for_writing,))
    with pytest.raises(StoreError, match="is damaged"), open_for_reading(path) as reader:
        reader.read_session()


def test_a_file_cut_short_is_noticed(path: Path) -> None:
    """Half a file, as an interrupted copy leaves it, is reported as damaged."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    expect_refusal(path, "is damaged")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE run SET plan = '{\"family\": 3}'",
        "UPDATE run SET status = 'dancing'",
        "UPDATE trial SET started_utc = 'noon' WHERE status = 'used'",
        "UPDATE setting SET body = '[' || setting_key",
        "UPDATE environment SET body = CAST(x'ff22' AS TEXT)",
        "UPDATE imported SET runs = 0",
        "UPDATE imported SET runs = 1000000000",
        "UPDATE imported SET half_range = value",
        "UPDATE change SET state = 'gone'",
        "DELETE FROM setting",
    ],
)
def test_values_that_make_no_sense_are_damage(path: Path, sql: str) -> None:
    """A sound database with impossible content is reported as damaged, too."""
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="is damaged"), open_for_reading(path) as reader:
        reader.read_session()


@pytest.mark.parametrize("change", ["status = 'dancing'", "phase = 'dancing'", "setting_key = 999"])
def test_a_list_of_trials_notices_damage_too(path: Path, change: str) -> None:
    """A list, which comes without a look at the whole file, is refused with the same sentence."""
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE trial SET {change} WHERE status = 'used'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="is damaged"), open_for_reading(path) as reader:
        reader.list_trials(("run_time",))


def test_a_full_disk_loses_nothing_that_was_written(path: Path) -> None:
    """When no more fits, the trial is refused in one sentence; with room again, the same event goes through."""
    with create_session_file(path) as store:
        recorder = store.start_session(HEADER_2)
        recorder.record(RunStarted("E1", PLAN, TARGET, START))
        limit = "PRAGMA max_page_count = "
        pages = store._writer.run(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
        store._writer.run(lambda connection: connection.execute(f"{limit}{pages + 5}").fetchone())
        recorder.add_statement(make_statement(1))
        recorder.record(Note("E1", "before"))
        trial = make_trial(1, samples=5000)
        with pytest.raises(StoreError, match="the disk is full; free some space and try again"):
            recorder.record(TrialFinished("E1", trial))
        for number in range(2, 1001):
            recorder.add_statement(make_statement(number))
        store._writer.run(lambda connection: connection.execute(f"{limit}100000").fetchone())
        recorder.record(TrialFinished("E1", trial))
        with store.reader() as reader:
            record = reader.read_session("S2")
            kinds = [event.kind for event in reader.read_events("S2")]
    assert record.runs[0].trials == (trial,)
    assert record.statements == tuple(make_statement(number) for number in range(1, 1001))
    assert record.notes == ("before",)
    assert kinds == ["run_started", "note", "trial_finished"]


@limits_files
def test_a_write_the_system_refuses_is_one_sentence(tmp_path: Path) -> None:
    """With a limit on file sizes the program says that writing failed, and what it took before is there."""
    path = tmp_path / "client.replitune"
    output = start_child("fill_disk", str(path), "400000").communicate(timeout=PATIENCE_S)[0].splitlines()
    taken, sentence = int(output[0]), output[1]
    assert taken > 0
    assert "reading or writing failed" in sentence or "the disk is full" in sentence
    with open_for_writing(path) as store, store.reader() as reader:
        assert len(reader.read_session().runs[0].trials) == taken


def test_a_closed_file_on_a_read_only_medium_is_read(path: Path) -> None:
    """With `immutable=1` the file is read without any file being made beside it."""
    with SessionReader(path, "mode=ro&immutable=1") as reader:
        assert reader.read_session() == make_record()
        assert list(path.parent.iterdir()) == [path]


def test_a_file_left_in_wal_mode_is_read_from_a_read_only_medium(path: Path) -> None:
    """Copied from under its writer after a checkpoint, the file alone is still read where nothing may be written."""
    with create_session_file(path) as store:
        store.resume_session().add_note("written late")
        store.reader().close()
        store._writer.submit(lambda connection: None).result()
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(FULL)")
        connection.close()
        copy = path.parent / "medium" / path.name
        copy.parent.mkdir()
        shutil.copyfile(path, copy)
    query = place.reading_query(copy, folder_is_writable=False, pending_bytes=0, has_shared_memory=False)
    with SessionReader(copy, query) as reader:
        assert reader.read_session().notes[-1] == "written late"
    assert list(copy.parent.iterdir()) == [copy]


@pytest.mark.parametrize(
    ("folder_is_writable", "pending_bytes", "has_shared_memory", "expected"),
    [
        (True, 0, False, "mode=ro"),
        (True, 5000, False, "mode=ro"),
        (False, 0, False, "mode=ro&immutable=1"),
        (False, 0, True, "mode=ro&immutable=1"),
        (False, 5000, True, "mode=ro"),
    ],
)
def test_how_a_file_is_read_depends_on_its_folder(
    folder_is_writable: bool, pending_bytes: int, has_shared_memory: bool, expected: str
) -> None:
    """Nothing that waits in the log is ever ignored; without a log a read-only folder is no obstacle."""
    query = place.reading_query(
        Path("x"),
        folder_is_writable=folder_is_writable,
        pending_bytes=pending_bytes,
        has_shared_memory=has_shared_memory,
    )
    assert query == expected


def test_a_log_that_cannot_be_read_is_not_ignored() -> None:
    """A file whose newest trials are in a log on a read-only medium is refused with the way out."""
    with pytest.raises(StoreError, match="copy it with x-wal to a folder of your own"):
        place.reading_query(Path("x"), folder_is_writable=False, pending_bytes=1, has_shared_memory=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\\\server\\share\\a.replitune", True),
        ("\\\\?\\UNC\\server\\share\\a.replitune", True),
        ("\\\\?\\C:\\a.replitune", False),
        ("C:\\a.replitune", False),
        ("/home/a.replitune", False),
    ],
)
def test_network_paths_are_told_by_their_form(text: str, expected: bool) -> None:
    """A path that begins with a server's name is on the network."""
    assert place.is_unc(text) is expected


def test_network_mounts_are_told_by_their_type() -> None:
    """The mount nearest to the file decides."""
    mounts = "/dev/sda / ext4 rw\nnas:/x /mnt/my\\040nas nfs4 rw\n/dev/sdb /mnt/my\\040nas/local xfs rw\nodd\n"
    assert place.is_mounted(Path("/mnt/my nas/a.replitune"), mounts)
    assert not place.is_mounted(Path("/mnt/my nas/local/a.replitune"), mounts)
    assert not place.is_mounted(Path("/mnt/my nasty/a.replitune"), mounts)
    assert not place.is_mounted(Path("/home/a.replitune"), "")


def test_a_network_path_is_refused_with_the_reason(tmp_path: Path) -> None:
    """A session on another computer's share is refused before SQLite touches it."""
    with pytest.raises(StoreError, match="network drive, where no session file is safe; use a folder on this computer"):
        place.refuse_network(Path("\\\\server\\share\\a.replitune"), "session file")
    place.refuse_network(tmp_path, "session file")


def sqlite_error(name: str) -> sqlite3.Error:
    """Return an SQLite error of a given result code."""
    error = sqlite3.OperationalError("text of the library")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SQLITE_FULL", "disk is full"),
        ("SQLITE_READONLY", "read-only"),
        ("SQLITE_READONLY_DIRECTORY", "read-only"),
        ("SQLITE_BUSY", "open elsewhere"),
        ("SQLITE_BUSY_SNAPSHOT", "open elsewhere"),
        ("SQLITE_LOCKED", "open elsewhere"),
        ("SQLITE_CANTOPEN_ISDIR", "cannot be opened"),
        ("SQLITE_PERM", "cannot be opened"),
        ("SQLITE_IOERR_FSYNC", "reading or writing failed"),
        ("SQLITE_CORRUPT_INDEX", "damaged"),
        ("SQLITE_NOTADB", "no session file"),
    ],
)
def test_each_known_result_code_has_its_sentence(name: str, words: str) -> None:
    """What a user can cause or cure is said in the product's words."""
    with pytest.raises(StoreError, match=words), known_problems(Path("a.replitune"), "session file"):
        raise sqlite_error(name)


@pytest.mark.parametrize("name", ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_MISUSE", ""])
def test_other_result_codes_stay_errors_of_the_program(name: str) -> None:
    """A mistake of the program is not dressed up as the user's."""
    error = sqlite_error(name)
    assert sentence_of_sqlite(error, Path("a"), "session file") is None
    with pytest.raises(sqlite3.OperationalError) as caught, known_problems(Path("a"), "session file"):
        raise error
    assert caught.value is error


def test_errors_of_the_system_have_their_sentence() -> None:
    """A full or read-only disk is recognised wherever the system reports it."""
    path = Path("a.replitune")
    assert "disk is full" in sentence_of_system(OSError(errno.ENOSPC, "x"), path)
    assert "read-only" in sentence_of_system(OSError(errno.EROFS, "x"), path)
    assert "odd: choose" not in sentence_of_system(OSError(errno.EIO, "odd"), path)
    assert "cannot be used: odd" in sentence_of_system(OSError(errno.EIO, "odd"), path)


HEADER_2 = type(HEADER)("S2", "t", "", "", START.replace(year=2027), "0.1.0")
