"""Session files spoiled at random: read, or refused in one sentence; never a crash, never a changed file."""

import contextlib
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store import open_for_reading, open_for_writing
from tests.fuzzing import SPOILS, Spoil, check_many, refusal, spoiled
from tests.prove.shares import PARTS
from tests.store.sample import FIXTURES

FILE = FIXTURES / "v2.replitune"
TABLES = (
    "session", "environment", "run", "setting", "trial", "measurement", "imported", "stream", "sample", "note", "event",
    "statement_text", "statement", "change", "remark", "tag",
)  # fmt: skip


def read_everything(path: Path) -> None:
    """Read all a file says, as reports and lists do."""
    with open_for_reading(path) as reader:
        for overview in reader.list_sessions():
            session_id = overview.header.session_id
            reader.read_session(session_id)
            reader.session_hash(session_id)
            reader.list_runs(session_id)
            reader.list_trials(("run_time",), session_id)
            reader.read_events(session_id)
            reader.read_texts(session_id)
            reader.read_remarks(session_id)
            reader.read_tags(session_id)


def check_spoiled_bytes(spoils: list[Spoil]) -> None:
    """Check that a file with spoiled bytes is read or refused, and not changed by it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "client.replitune"
        path.write_bytes(spoiled(FILE.read_bytes(), spoils))
        before = path.read_bytes()
        sentence = refusal(lambda: read_everything(path))
        assert not sentence or str(path) in sentence
        assert path.read_bytes() == before
        refusal(lambda: open_for_writing(path).close())


def check_spoiled_value(table: str, place: int, value: object) -> None:
    """Check that a well-formed file with a value nobody wrote there is read or refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "client.replitune"
        shutil.copyfile(FILE, path)
        connection = sqlite3.connect(path)
        try:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = columns[place % len(columns)]
            connection.execute(f'UPDATE {table} SET "{column}" = ?', (value,))
            connection.commit()
        except (sqlite3.Error, OverflowError):
            return  # SQLite itself takes no such value there
        finally:
            connection.close()
        refusal(lambda: read_everything(path))


VALUES = st.one_of(
    st.text(max_size=40),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.binary(max_size=20),
    st.none(),
    st.sampled_from(
        ("{}", "[]", "null", '{"values_by_name": 3}', "[" * 5000, '"x"', "2026-01-01", '{"a":{"float":"inf"}}')
    ),
)
FAST = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FAST
@given(SPOILS)
def test_spoiled_bytes(spoils: list[Spoil]) -> None:
    """Whatever bytes are changed."""
    check_spoiled_bytes(spoils)


@pytest.mark.parametrize("content", [b"\x80", b" \x80", b"started_xtc"])
def test_spoiled_schema(tmp_path: Path, content: bytes) -> None:
    """A column whose name was changed, also into what is no text, is damage like any other."""
    path = tmp_path / "client.replitune"
    raw = FILE.read_bytes()
    place = raw.index(b"started_utc", raw.index(b"CREATE TABLE trial"))
    path.write_bytes(raw[:place] + content + raw[place + len(content) :])
    assert "is damaged" in refusal(lambda: read_everything(path))


@pytest.mark.parametrize(
    ("after", "name", "other"),
    [(b"CREATE TABLE tag", b"NOCASE", b"N0CASE"), (b"CREATE TABLE stream", b"stream_key", b"xtream_key")],
)
def test_spoiled_names_of_the_schema(tmp_path: Path, after: bytes, name: bytes, other: bytes) -> None:
    """A collation or a column that two tables share, under another name."""
    path = tmp_path / "client.replitune"
    raw = FILE.read_bytes()
    place = raw.index(name, raw.index(after))
    path.write_bytes(raw[:place] + other + raw[place + len(name) :])
    assert "is damaged" in refusal(lambda: read_everything(path))


def test_a_file_of_an_unknown_schema_format(tmp_path: Path) -> None:
    """Bytes 44 to 47 of the header are the number of the schema format (https://www.sqlite.org/fileformat2.html)."""
    path = tmp_path / "client.replitune"
    raw = FILE.read_bytes()
    path.write_bytes(raw[:44] + b"\0\0\0\x09" + raw[48:])
    for work in (lambda: read_everything(path), lambda: open_for_writing(path).close()):
        assert "is damaged" in refusal(work)


def test_rows_that_lead_nowhere(tmp_path: Path) -> None:
    """A key of another table under which nothing stands is damage, in whichever column it is."""
    with contextlib.closing(sqlite3.connect(FILE)) as connection:
        leads = [(table, row[3]) for table in TABLES for row in connection.execute(f"PRAGMA foreign_key_list({table})")]
    assert {table for table, _column in leads} >= {"run", "trial", "measurement", "sample", "statement"}
    for table, column in leads:
        path = tmp_path / "client.replitune"
        shutil.copyfile(FILE, path)
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = 987654")  # one row where it must be unique
        refusal(partial(read_everything, path))


@FAST
@given(st.sampled_from(TABLES), st.integers(0, 30), VALUES)
def test_spoiled_values(table: str, place: int, value: object) -> None:
    """Whatever stands in a column that the program itself would never have written."""
    check_spoiled_value(table, place, value)


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_spoiled_bytes_at_length(turn: int) -> None:
    """Whatever bytes are changed, many times."""
    check_many(check_spoiled_bytes, turn, SPOILS)


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_spoiled_values_at_length(turn: int) -> None:
    """Whatever stands in a column, many times."""
    check_many(check_spoiled_value, turn, st.sampled_from(TABLES), st.integers(0, 30), VALUES)
