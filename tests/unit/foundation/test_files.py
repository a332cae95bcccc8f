"""Files are replaced whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from app.foundation.files import HELD_LIMIT_S, write_atomically
from app.store.faults import sentence_of_system
from tests.held_files import ACCESS_DENIED, SHARING_VIOLATION, Holder, PassingClock, hold, names_in


def test_write_replaces_the_content(tmp_path: Path) -> None:
    """The new content is there, and nothing else beside it."""
    path = tmp_path / "rollback.sql"
    path.write_bytes(b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """Where the target cannot be replaced the old file stays and no temporary file is left."""
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(path, b"new")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("code", [SHARING_VIOLATION, ACCESS_DENIED])
def test_a_file_held_for_a_moment_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """A scanner that lets go within two seconds ends nothing."""
    clock = PassingClock()
    holder = Holder(clock, held_s=1.2)
    holder.code = code
    hold(monkeypatch, holder)
    path = tmp_path / "rollback.sql"
    path.write_bytes(b"old")
    write_atomically(path, b"new", clock)
    assert path.read_bytes() == b"new"
    assert holder.holds == 1
    assert 0 < clock.now_s < HELD_LIMIT_S


def test_a_file_held_for_good_is_told_after_two_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old file stays, nothing is left beside it, and the sentence says who is to blame."""
    clock = PassingClock()
    hold(monkeypatch, Holder(clock, held_s=None))
    path = tmp_path / "rollback.sql"
    path.write_bytes(b"old")
    with pytest.raises(PermissionError) as caught:
        write_atomically(path, b"new", clock)
    assert HELD_LIMIT_S <= clock.now_s < HELD_LIMIT_S + 0.5
    assert "held open by another program" in sentence_of_system(caught.value, path)
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["rollback.sql"]


def test_a_file_that_may_not_be_written_is_not_said_to_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows says the same of a read-only file as of one being deleted; which it is can be looked up."""
    clock = PassingClock()
    holder = Holder(clock, held_s=None)
    holder.code = ACCESS_DENIED
    hold(monkeypatch, holder)
    monkeypatch.setattr("app.foundation.files.os.access", lambda *_arguments: False)
    path = tmp_path / "rollback.sql"
    path.write_bytes(b"old")
    with pytest.raises(PermissionError) as caught:
        write_atomically(path, b"new", clock)
    assert "is read-only" in sentence_of_system(caught.value, path)


def test_what_is_no_hold_is_not_waited_for(tmp_path: Path) -> None:
    """A folder in the place of the file never goes away."""
    clock = PassingClock()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(tmp_path / "folder", b"new", clock)
    assert clock.now_s == 0.0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes among its files")
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A device such as /dev/full stays one, also for who may replace it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileExistsError, match="not a file"):
        write_atomically(pipe, b"x")
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert names_in(tmp_path) == ["pipe"]
