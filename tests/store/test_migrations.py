"""Files of earlier versions: upgraded in place, with a copy kept, or left exactly as they were."""

import dataclasses
import shutil
import sqlite3
from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.domain.session import SessionRecord
from app.store.connection import connect, read_number
from app.store.schema import SESSION_FILE, UNDO_JOURNAL, FileKind, create_or_upgrade, require_current
from app.store.session_file import create_session_file, open_for_reading, open_for_writing
from app.systems.transactional_replication.site import kept_replication
from tests.store.sample import FILES, FIXTURES, make_record

# `vN.replitune` is `make_record()`, written with `SessionStore.add_session` by the program of that format. It stays as
# it is: where the sample grows, the record compared with it must not.
NEXT = dataclasses.replace(
    SESSION_FILE, steps=(*SESSION_FILE.steps, ("ALTER TABLE session ADD COLUMN site TEXT", "CREATE TABLE extra (x)"))
)
BROKEN = dataclasses.replace(SESSION_FILE, steps=(*SESSION_FILE.steps, ("CREATE TABLE extra (x)", "CREATE nonsense")))


def as_read(record: SessionRecord) -> tuple[object, ...]:
    """Return a record with what its environments say: a part that came later is not in an older file's text."""
    said = [kept_replication(one) if dict(one.kept).get("topology") else one for one in record.environments]
    return dataclasses.replace(record, environments=()), said


def read_schema(path: Path) -> list[tuple[str, ...]]:
    """Return every table and index of a file with its definition, spaces evened out."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    connection.close()
    return [(kind, name, " ".join((sql or "").split())) for kind, name, sql in rows]


@pytest.mark.parametrize("old", sorted(FIXTURES.glob("v*.replitune")), ids=lambda path: path.name)
def test_a_file_of_every_released_version_opens(tmp_path: Path, old: Path) -> None:
    """A session written by that version is read whole, and the upgraded file has the tables of a new one."""
    path, fresh = tmp_path / old.name, tmp_path / "fresh.replitune"
    shutil.copyfile(old, path)
    with open_for_writing(path) as store, store.reader() as reader:
        record = reader.read_session()
    assert as_read(record) == as_read(make_record())
    create_session_file(fresh).close()
    assert read_schema(path) == read_schema(fresh)


# Measured on the lab by the program that wrote format 1: what its readers then made of it.
MEASURED = (FILES / "v1-measured.replitune", "9ae0de753f8247035ec6febf76d58b80778938f87fc58418c9699633a2d1ec74")


def test_a_measured_file_of_the_first_version_is_read_as_it_is() -> None:
    """An older file is read without being changed, and its fingerprint is the one its report names."""
    path, fingerprint = MEASURED
    before = path.read_bytes()
    with open_for_reading(path) as reader:
        session = reader.read_session()
        assert reader.session_hash() == fingerprint
        assert (len(session.runs[0].trials), len(session.statements), len(reader.read_events())) == (6, 302, 26)
        assert (reader.read_remarks(), reader.read_tags()) == ((), ())
        assert any("SubscriptionStreams 1 8" in text.text for text in reader.read_texts())
    assert path.read_bytes() == before
    assert sorted(path.parent.glob(f"{path.name}*")) == [path]


def test_an_upgraded_file_keeps_its_fingerprint(tmp_path: Path) -> None:
    """A report handed over before still belongs to its session, also after notes and tags were put on it."""
    path = tmp_path / "client.replitune"
    shutil.copyfile(MEASURED[0], path)
    with open_for_writing(path) as store:
        store.add_remark("asked the DBA about the night load", run_id="E1")
        store.add_tags(["before"])
    with open_for_reading(path) as reader:
        assert reader.session_hash() == MEASURED[1]
        assert [tag.name for tag in reader.read_tags()] == ["before"]
    with open_for_reading(tmp_path / "client.replitune.v1.bak") as kept:
        assert kept.session_hash() == MEASURED[1]


def test_a_file_that_brings_triggers_is_refused(tmp_path: Path) -> None:
    """No file of this program has triggers or views; one that has would act when it is opened."""
    path = tmp_path / "client.replitune"
    shutil.copyfile(MEASURED[0], path)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TRIGGER spy AFTER INSERT ON note BEGIN DELETE FROM change; END")
    connection.commit()
    connection.close()
    for opener in (open_for_reading, open_for_writing):
        with pytest.raises(StoreError, match="damaged"):
            opener(path)


def test_there_is_a_file_of_this_version() -> None:
    """Each version leaves a file behind for the versions after it."""
    assert (FIXTURES / f"v{SESSION_FILE.version}.replitune").is_file()


def upgrade(path: Path, kind: FileKind) -> None:
    """Upgrade a file to a kind's newest version."""
    connection = connect(path, "mode=rw")
    try:
        create_or_upgrade(connection, kind, path)
    finally:
        connection.close()


def test_an_upgrade_keeps_a_copy_of_the_old_file(tmp_path: Path) -> None:
    """After an upgrade the old file lies beside the new one, and nothing is lost in either."""
    path = tmp_path / "client.replitune"
    shutil.copyfile(FIXTURES / "v1.replitune", path)
    upgrade(path, NEXT)
    copy = tmp_path / "client.replitune.v1.bak"
    assert sorted(tmp_path.iterdir()) == [path, copy]
    connection = connect(path, "mode=ro")
    assert read_number(connection, "PRAGMA user_version") == NEXT.version
    assert connection.execute("SELECT site FROM session").fetchall() == [(None,)]
    connection.close()
    with open_for_reading(copy) as reader:
        assert as_read(reader.read_session()) == as_read(make_record())
    upgrade(path, NEXT)
    with pytest.raises(StoreError, match="newer version"):
        open_for_reading(path)


def test_a_failed_upgrade_leaves_the_old_file(tmp_path: Path) -> None:
    """A step that fails half-way is undone together with its number."""
    path = tmp_path / "client.replitune"
    shutil.copyfile(FIXTURES / "v1.replitune", path)
    with pytest.raises(sqlite3.OperationalError):
        upgrade(path, BROKEN)
    with open_for_reading(path) as reader:
        assert as_read(reader.read_session()) == as_read(make_record())


def test_an_old_file_is_not_upgraded_by_reading_it(tmp_path: Path) -> None:
    """Reading never changes a file: the user is told how to upgrade it."""
    path = tmp_path / "client.replitune"
    shutil.copyfile(FIXTURES / "v1.replitune", path)
    connection = connect(path, "mode=ro")
    with pytest.raises(StoreError, match="older version of Replitune; open it once"):
        require_current(connection, NEXT, path)
    connection.close()


def test_the_two_kinds_of_file_are_told_apart(tmp_path: Path) -> None:
    """A session file is not taken for a journal, nor the other way round."""
    path = tmp_path / "client.replitune"
    create_session_file(path).close()
    with pytest.raises(StoreError, match="is no undo journal"):
        upgrade(path, UNDO_JOURNAL)
