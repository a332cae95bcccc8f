"""One writer for each session file: a lock the operating system drops when the program dies, however it dies."""

import errno
import getpass
import json
import os
import platform
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final

from app.domain.errors import StoreError
from app.store.faults import held_by, open_elsewhere, sentence_of_system

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Where Windows locks: far behind the text that says who holds the file, which others then may read.
_LOCKED_BYTE: Final = 1 << 30
_LONGEST_NAME: Final = 64
_MOST_BYTES: Final = 1_024


@dataclass(frozen=True)
class LockHolder:
    """Who has a session file open for writing; texts are "" where they are not known."""

    user: str
    computer: str
    since_utc: datetime | None


class OpenElsewhere(StoreError):
    """A session file that another program is writing; it can still be read.

    Attributes:
        holder: who has it, None where that cannot be told.
    """

    def __init__(self, message: str, holder: LockHolder | None) -> None:
        super().__init__(message)
        self.holder = holder


class WriterLock:
    """Exclusive lock on `<session file>.lock`, held from construction until `release`.

    It lies on a file of its own, because SQLite's own locks must let readers in, and because closing a second handle
    of the database would drop them. A file left behind by a killed program holds no lock and is used again. It says
    who holds it, so that a second person is told whom to ask.
    """

    def __init__(self, session_path: Path) -> None:
        resolved = session_path.resolve()
        self._path = _path_of(resolved)
        self._stream: FileIO | None = self._take(session_path)

    def release(self) -> None:
        """Give the lock back and remove its file; does nothing the second time."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        # Windows cannot remove an open file; elsewhere removing first keeps a newcomer from locking a lost file.
        if sys.platform == "win32":
            stream.close()
            _remove(self._path)
        else:
            _remove(self._path)
            stream.close()

    def _take(self, session_path: Path) -> FileIO:
        try:
            while True:
                stream = _opened(self._path)
                if not _try_lock(stream):
                    stream.close()
                    holder = _read_holder(self._path)
                    raise OpenElsewhere(_sentence(session_path, holder), holder)
                if _is_still_at(stream, self._path):
                    _write_holder(stream)
                    return stream
                stream.close()  # its holder removed it between our opening and our locking
        except OSError as error:
            raise StoreError(sentence_of_system(error, session_path)) from error


def _opened(path: Path) -> FileIO:
    """Open the lock's file, or make it; a link in its place would have another file written over.

    Raises:
        OSError: it cannot be made, or is no file of its own.
    """
    # without a buffer: closing it must not try again what a full disk refused
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    stream = FileIO(path, "ab", opener=lambda name, _flags: os.open(name, flags, 0o666))
    if os.fstat(stream.fileno()).st_nlink > 1:
        stream.close()
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return stream


def read_lock_holder(session_path: Path) -> LockHolder | None:
    """Return who writes a session file now, None where nobody does; takes no lock and changes nothing."""
    path = _path_of(session_path.resolve())
    try:
        if not path.is_file():  # to open a pipe would wait for whoever writes to it
            return None
        stream = path.open("rb")
    except OSError:
        return None
    with stream:
        # A shared probe of the same lock: it succeeds where the file was left behind by a program that died.
        if _try_lock(stream):
            return None
    return _read_holder(path) or LockHolder("", "", None)


def _path_of(resolved: Path) -> Path:
    return resolved.with_name(f"{resolved.name}.lock")


def _sentence(session_path: Path, holder: LockHolder | None) -> str:
    if holder is None or not (holder.user or holder.computer):
        return open_elsewhere(session_path)
    return held_by(session_path, holder.user, holder.computer, holder.since_utc)


def _write_holder(stream: FileIO) -> None:
    """Say in the lock's file who holds it; where that fails the lock is held all the same."""
    content = {
        "user": _user()[:_LONGEST_NAME],
        "computer": platform.node()[:_LONGEST_NAME],
        "since_utc": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        stream.truncate(0)
        stream.write(json.dumps(content).encode())
    except OSError:
        return


def _read_holder(path: Path) -> LockHolder | None:
    try:
        with path.open("rb") as stream:
            content = json.loads(stream.read(_MOST_BYTES))
        since = datetime.fromisoformat(content["since_utc"])
        return LockHolder(_one_line(content["user"]), _one_line(content["computer"]), since)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _one_line(text: object) -> str:
    return "".join(char for char in str(text)[:_LONGEST_NAME] if char.isprintable())


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a service account without a name
        return ""


def _try_lock(stream: BinaryIO | FileIO) -> bool:
    try:
        if sys.platform == "win32":
            stream.seek(_LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_still_at(stream: FileIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        return
    except PermissionError:
        return  # a newcomer on Windows has it open already; it is theirs now
