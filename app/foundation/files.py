"""Writing files so that a crash leaves the old content or the new one, never half of it."""

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path` by `content` in one step, on disk (fsync) when this returns.

    Raises:
        OSError: the folder cannot be written; the old file is then untouched.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    # opened like any new file, so that its permissions are those the user's other files get
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where the system lets a folder be synced (not on Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
