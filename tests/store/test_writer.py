"""The writer's thread and its transactions."""

import os
import re
import sqlite3
import threading
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from app.store.connection import atomic, connect, file_uri, read_number
from app.store.writer import WriterThread


def open_table(path: Path) -> sqlite3.Connection:
    """Open a database with one table of unique numbers."""
    connection = connect(path, "mode=rwc")
    connection.execute("CREATE TABLE IF NOT EXISTS t (x INTEGER UNIQUE)")
    return connection


def insert(connection: sqlite3.Connection, number: int) -> None:
    """Write one number."""
    connection.execute("INSERT INTO t VALUES (?)", (number,))


def insert_both(connection: sqlite3.Connection, first: int, second: int) -> None:
    """Write two numbers or none."""
    with atomic(connection):
        insert(connection, first)
        insert(connection, second)


def roll_back_and_fail(connection: sqlite3.Connection) -> None:
    """Fail inside two blocks whose transaction is gone already, as after a full disk."""
    with atomic(connection), atomic(connection):
        insert(connection, 1)
        connection.execute("ROLLBACK")
        raise ValueError("mine")


def numbers(connection: sqlite3.Connection) -> list[int]:
    """Return the numbers there are."""
    return [row[0] for row in connection.execute("SELECT x FROM t ORDER BY x")]


def make_writer(path: Path) -> WriterThread:
    """Return a writer on a new table."""
    return WriterThread(lambda: open_table(path), sqlite3.Connection.close)


def test_the_connection_to_use_from_then_on_is_asked_for_at_the_end_too(tmp_path: Path) -> None:
    """What moved away behind the last work is closed where it stands then."""
    opened, closed = list[sqlite3.Connection](), list[sqlite3.Connection]()
    open_table(tmp_path / "a").close()

    def open_another() -> sqlite3.Connection:
        opened.append(connect(tmp_path / "a", "mode=rw", any_thread=True))
        return opened[-1]

    writer = WriterThread(open_another, closed.append, lambda _connection: open_another())
    writer.submit(partial(insert, number=1)).result()
    writer.close()
    assert len(opened) == 3  # at the start, for the work, and at the end
    assert closed == opened[-1:]
    for connection in opened:
        connection.close()


def test_work_runs_in_order_and_is_drained_on_closing(tmp_path: Path) -> None:
    """Work handed over before closing is done, in its order, on one thread."""
    writer = make_writer(tmp_path / "a")
    gate = threading.Event()
    threads: set[str] = set()

    def wait(connection: sqlite3.Connection) -> None:
        gate.wait()

    def note_thread(connection: sqlite3.Connection, number: int) -> int:
        threads.add(threading.current_thread().name)
        insert(connection, number)
        return number

    writer.submit(wait)
    futures: list[Future[int]] = [writer.submit(lambda c, n=n: note_thread(c, n)) for n in range(50)]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    assert not any(future.done() for future in futures)
    gate.set()
    writer.close()
    assert [future.result(timeout=0) for future in futures] == list(range(50))
    assert threads == {"store-writer"}
    connection = open_table(tmp_path / "a")
    assert numbers(connection) == list(range(50))
    connection.close()


def test_failed_work_is_undone_and_told_to_its_caller_only(tmp_path: Path) -> None:
    """An exception undoes its own work as a whole; the next work is not concerned."""
    writer = make_writer(tmp_path / "a")

    def fail(connection: sqlite3.Connection) -> None:
        insert(connection, 1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        writer.run(fail)
    writer.run(lambda connection: insert(connection, 2))
    assert writer.run(numbers) == [2]
    writer.close()
    with pytest.raises(RuntimeError, match="closed"):
        writer.submit(numbers)


def test_cancelled_work_is_not_done(tmp_path: Path) -> None:
    """Work taken back before its turn is left out, and the thread goes on."""
    writer = make_writer(tmp_path / "a")
    gate = threading.Event()

    def wait(connection: sqlite3.Connection) -> None:
        gate.wait()

    writer.submit(wait)
    cancelled = writer.submit(lambda connection: insert(connection, 1))
    assert cancelled.cancel()
    gate.set()
    assert writer.run(numbers) == []
    writer.close()


def test_a_failed_start_is_told_to_the_caller(tmp_path: Path) -> None:
    """What keeps the connection from opening is raised where the writer is made."""
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        WriterThread(lambda: connect(tmp_path / "no" / "a", "mode=rw"), sqlite3.Connection.close)


def test_a_failed_end_is_told_to_the_caller(tmp_path: Path) -> None:
    """What goes wrong while closing is raised by `close`."""

    def close(connection: sqlite3.Connection) -> None:
        connection.close()
        raise OSError("late")

    writer = WriterThread(lambda: open_table(tmp_path / "a"), close)
    with pytest.raises(OSError, match="late"):
        writer.close()


def test_work_cannot_wait_for_itself(tmp_path: Path) -> None:
    """Work handed over from the writer's thread is refused instead of hanging."""
    writer = make_writer(tmp_path / "a")
    with pytest.raises(RuntimeError, match="wait for itself"):
        writer.run(lambda _connection: writer.run(numbers))
    writer.close()


def test_a_nested_block_is_undone_alone(tmp_path: Path) -> None:
    """An inner failure that is handled leaves the outer work in place."""
    connection = open_table(tmp_path / "a")
    with atomic(connection):
        insert(connection, 1)
        with pytest.raises(sqlite3.IntegrityError):
            insert_both(connection, 2, 1)
        with atomic(connection):
            insert(connection, 3)
    assert numbers(connection) == [1, 3]
    connection.close()


def test_the_first_error_is_the_one_told(tmp_path: Path) -> None:
    """Where SQLite has rolled back by itself, the block's own exception is still the one raised."""
    connection = open_table(tmp_path / "a")
    with pytest.raises(ValueError, match="mine"):
        roll_back_and_fail(connection)
    assert numbers(connection) == []
    connection.close()


def test_odd_file_names_are_opened_as_they_are(tmp_path: Path) -> None:
    """Question marks, hashes and per cent signs in a name are not taken for options."""
    path = tmp_path / ("50% of #1 yes.db" if os.name == "nt" else "50% of #1? yes.db")
    connection = open_table(path)
    assert path.exists()
    assert read_number(connection, "SELECT count(*) FROM t") == 0
    connection.close()
    assert re.fullmatch(r"file:///([A-Z]%3A/)?a%20b", file_uri(Path("/a b")))


def test_what_holds_is_told_on_the_writers_thread(tmp_path: Path) -> None:
    """The caller's bookkeeping follows the commit, not the caller, and is left out where the work failed."""
    writer = make_writer(tmp_path / "a")
    done: list[int] = []
    writer.submit(lambda connection: insert(connection, 1), committed=lambda: done.append(1))
    writer.submit(lambda connection: insert(connection, 1), committed=lambda: done.append(2))
    writer.close()
    assert done == [1]
