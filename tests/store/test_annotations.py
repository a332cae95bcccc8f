"""Notes and tags on sessions and runs, and what a search reads."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.store import OpenElsewhere, create_session_file, open_for_reading, open_for_writing, read_lock_holder
from app.store.faults import held_by
from tests.store.sample import SESSION_ID, make_record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a session file with one session of two runs."""
    path = tmp_path / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


def test_notes_and_tags_are_kept_on_sessions_and_runs(path: Path) -> None:
    """Each is read back with what it is on; a tag is one, in whatever case it is given."""
    with open_for_writing(path) as store:
        store.add_remark("call the DBA")
        store.add_remark("night load ran", SESSION_ID, "E1")
        store.add_tags(["Before", "urgent"])
        store.add_tags(["before", "baseline"], run_id="E1")
        store.add_tags(["BEFORE"])
    with open_for_reading(path) as reader:
        assert [(r.run_id, r.text) for r in reader.read_remarks()] == [("", "call the DBA"), ("E1", "night load ran")]
        assert [(t.run_id, t.name) for t in reader.read_tags()] == [
            ("", "Before"),
            ("", "urgent"),
            ("E1", "baseline"),
            ("E1", "before"),
        ]
        everything = reader.read_annotations()
        assert everything.remarks == {SESSION_ID: list(reader.read_remarks())}
        assert everything.tags == {SESSION_ID: list(reader.read_tags())}
    with open_for_writing(path) as store:
        store.remove_remark(1)
        store.remove_tags(["BEFORE", "never there"])
    with open_for_reading(path) as reader:
        assert [r.text for r in reader.read_remarks()] == ["night load ran"]
        assert [t.name for t in reader.read_tags()] == ["urgent", "baseline", "before"]


@pytest.mark.parametrize(
    ("session", "run", "sentence"),
    [("S-none", "", "holds no session S-none"), (None, "E9", "the session has no run E9")],
)
def test_a_session_or_run_that_is_not_there_is_told(path: Path, session: str | None, run: str, sentence: str) -> None:
    """A note or tag on nothing is refused, and nothing is written."""
    with open_for_writing(path) as store:
        with pytest.raises(StoreError, match=sentence):
            store.add_remark("x", session, run)
        with pytest.raises(StoreError, match=sentence):
            store.add_tags(["x"], session, run)
        with pytest.raises(StoreError, match="has no note 7"):
            store.remove_remark(7)
    with open_for_reading(path) as reader:
        assert reader.read_remarks() == ()
        assert reader.read_tags() == ()


def test_a_search_reads_every_kind_of_text(path: Path) -> None:
    """Title, names, source, notices, notes, tags, runs and settings."""
    with open_for_writing(path) as store:
        store.add_remark("night load", run_id="E2")
        store.add_tags(["before"])
    with open_for_reading(path) as reader:
        texts = reader.read_texts()
    kinds = {text.kind for text in texts}
    assert kinds == {"title", "client", "consultant", "source", "notice", "note", "tag", "run", "setting"}
    assert ("setting", "E2") in {(text.kind, text.run_id) for text in texts if "ReadBatchSize 500 5000" in text.text}


def test_a_copy_holds_nothing_that_was_deleted(path: Path, tmp_path: Path) -> None:
    """What was removed from a file is not carried along in its free pages."""
    secret = "zebra-crossing-at-midnight"
    with open_for_writing(path) as store:
        for _number in range(200):
            store.add_remark(secret)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("DELETE FROM remark")
    connection.close()
    assert secret.encode() in path.read_bytes()
    copy = tmp_path / "copy.replitune"
    with open_for_reading(path) as reader:
        reader.write_copy(copy)
    assert secret.encode() not in copy.read_bytes()
    with open_for_reading(copy) as reader:
        assert reader.read_session() == make_record()


def test_a_second_writer_is_told_who_has_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the person and the computer, and so does the lock for who only reads."""
    monkeypatch.setenv("LOGNAME", "ann")
    assert read_lock_holder(path) is None
    with open_for_writing(path):
        with pytest.raises(OpenElsewhere, match=r"close it there and try again: ann on .* has it, since 20") as caught:
            open_for_writing(path)
        holder = read_lock_holder(path)
        assert holder == caught.value.holder
        assert holder is not None
        assert holder.user == "ann"
        with open_for_reading(path) as reader:
            assert len(reader.list_sessions()) == 1
    assert read_lock_holder(path) is None
    assert sorted(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("user", "computer", "since_utc", "told"),
    [
        (
            "ann",
            "LAPTOP-7",
            datetime(2026, 3, 1, 9, 5, tzinfo=UTC),
            "ann on LAPTOP-7 has it, since 2026-03-01 09:05 UTC,",
        ),
        ("ann", "", None, "ann has it, and"),
        ("", "LAPTOP-7", None, "LAPTOP-7 has it, and"),
    ],
)
def test_who_has_a_file_is_told_as_far_as_it_is_known(
    user: str, computer: str, since_utc: datetime | None, told: str
) -> None:
    """A lock may name the person, the computer or its time alone."""
    sentence = held_by(Path("client.replitune"), user, computer, since_utc)
    assert f"close it there and try again: {told}" in sentence


def test_a_lock_without_a_name_is_still_a_lock(path: Path) -> None:
    """What stands in the lock's file is only for the sentence: nonsense in it opens nothing and breaks nothing."""
    with open_for_writing(path):
        path.with_name(f"{path.name}.lock").write_bytes(b"\xff\x00 nonsense")
        with pytest.raises(OpenElsewhere, match=r"is open elsewhere; close it there and try again$") as caught:
            open_for_writing(path)
        assert caught.value.holder is None


def test_own_words_are_kept_beside_the_evidence(path: Path, tmp_path: Path) -> None:
    """Words of a report are replaced and taken away by their place, travel with a copy, and leave the fingerprint."""
    with open_for_reading(path) as reader:
        fingerprint = reader.session_hash()
    with open_for_writing(path) as store:
        store.put_own_words({"foreword": "first", "decision a | b": "prose", "version": "1.0"})
        store.put_own_words({"foreword": "second", "version": ""})
        store.add_remark("call the DBA")
    with open_for_reading(path) as reader:
        record = reader.read_session()
        assert reader.session_hash() == fingerprint
    own = record.own_words
    assert (own.foreword, own.version, own.of("a | b"), own.of("c"), own.notes) == (
        "second", "", "prose", "", ("call the DBA",),
    )  # fmt: skip
    with create_session_file(tmp_path / "copy.replitune") as store:
        store.add_session(record)
    with open_for_reading(tmp_path / "copy.replitune") as reader:
        assert reader.read_own_words() == own.by_place()
