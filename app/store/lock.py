"""One writer for each session file: a lock the operating system drops when the program dies, however it dies."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

from app.domain.errors import StoreError
from app.store.faults import open_elsewhere, sentence_of_system

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class WriterLock:
    """Exclusive lock on `<session file>.lock`, held from construction until `release`.

    It lies on a file of its own, because SQLite's own locks must let readers in, and because closing a second handle
    of the database would drop them. A file left behind by a killed program holds no lock and is used again.
    """

    def __init__(self, session_path: Path) -> None:
        resolved = session_path.resolve()
        self._path = resolved.with_name(f"{resolved.name}.lock")
        self._stream: BinaryIO | None = self._take(session_path)

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

    def _take(self, session_path: Path) -> BinaryIO:
        try:
            while True:
                stream = self._path.open("ab")
                if not _try_lock(stream):
                    stream.close()
                    raise StoreError(open_elsewhere(session_path))
                if _is_still_at(stream, self._path):
                    return stream
                stream.close()  # its holder removed it between our opening and our locking
        except OSError as error:
            raise StoreError(sentence_of_system(error, session_path)) from error


def _try_lock(stream: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_still_at(stream: BinaryIO, path: Path) -> bool:
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
