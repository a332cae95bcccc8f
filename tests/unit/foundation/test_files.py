"""Files are replaced whole or not at all."""

from pathlib import Path

import pytest

from app.foundation.files import write_atomically


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
