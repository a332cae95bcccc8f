"""What every connection to a file holds to, whoever wrote the file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.store.connection import MOST_TEXT_BYTES, connect
from app.store.session_file import create_session_file


@pytest.mark.parametrize("query", ["mode=ro", "mode=rw", "mode=rwc"])
@pytest.mark.parametrize(("promise", "value"), [("foreign_keys", 1), ("trusted_schema", 0), ("cell_size_check", 1)])
def test_every_connection_makes_its_promises(tmp_path: Path, query: str, promise: str, value: int) -> None:
    """SQLite leaves each of them to the connection (https://www.sqlite.org/security.html)."""
    path = tmp_path / "client.replitune"
    create_session_file(path).close()
    with closing(connect(path, query)) as connection:
        assert connection.execute(f"PRAGMA {promise}").fetchone() == (value,)


def test_a_text_beyond_all_measure_is_refused(tmp_path: Path) -> None:
    """And so is one statement that would be, before it is read."""
    with closing(connect(tmp_path / "client.replitune", "mode=rwc")) as connection:
        assert connection.execute(f"SELECT length(zeroblob({MOST_TEXT_BYTES}))").fetchone() == (MOST_TEXT_BYTES,)
        with pytest.raises(sqlite3.DataError, match="too big"):
            connection.execute(f"SELECT zeroblob({MOST_TEXT_BYTES + 1})").fetchone()
        with pytest.raises(sqlite3.DataError, match="too large"):
            connection.execute(f"SELECT 1 -- {'-' * 100_000}")
