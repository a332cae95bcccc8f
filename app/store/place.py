"""Whether a path can hold a database at all, and how it may be read, decided before SQLite sees it."""

import os
import sys
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.foundation.texts import _
from app.store.faults import not_sqlite, sentence_of_system

# SQLite's smallest page; a shorter file would be taken for an empty database and overwritten.
SMALLEST_DATABASE_BYTES: Final = 512

# SQLite's write-ahead log needs memory shared by all its users, which no network file system offers
# (https://www.sqlite.org/wal.html, "Disadvantages").
_NETWORK_FILE_SYSTEMS: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "davfs", "fuse.sshfs", "fuse.davfs2"}
)
_DRIVE_REMOTE: Final = 4  # GetDriveTypeW, fileapi.h


def check_existing(path: Path, noun: str) -> None:
    """Check that a path names a file that may be a database.

    Raises:
        StoreError: missing, a folder, something that is no file, empty, or too short.
    """
    size_bytes = file_size(path, noun)
    if size_bytes is None:
        raise StoreError(_("{path} does not exist; check the name").format(path=path))
    if size_bytes < SMALLEST_DATABASE_BYTES:
        raise StoreError(not_sqlite(path, noun))


def file_size(path: Path, noun: str) -> int | None:
    """Return the size in bytes of the file at `path`, None where there is nothing yet.

    Never opens the file: closing it again would drop the locks SQLite holds on it for this process
    (https://www.sqlite.org/howtocorrupt.html, section 2.2).

    Raises:
        StoreError: a folder or something else that is no file, or a folder on the way is missing.
    """
    try:
        if path.is_dir():
            raise StoreError(_("{path} is a folder; name the {noun} in it").format(path=path, noun=noun))
        if not path.parent.is_dir():
            raise StoreError(
                _("the folder {folder} does not exist; create it or choose another").format(folder=path.parent)
            )
        if not path.exists():
            return None
        if not path.is_file():
            raise StoreError(not_sqlite(path, noun))
        return path.stat().st_size
    except OSError as error:
        raise StoreError(sentence_of_system(error, path)) from error


def refuse_network(path: Path, noun: str) -> None:
    """Refuse a path on another computer.

    Raises:
        StoreError: the path is a network path, a mapped network drive, or on a network file system.
    """
    full = path.resolve()
    if is_unc(str(path)) or is_unc(str(full)) or _is_remote_drive(full) or is_mounted(full, _read_mounts()):
        raise StoreError(on_network(path, noun))


def on_network(path: Path, noun: str) -> str:
    """Return the sentence for a path on another computer."""
    return _("{path} is on a network drive, where no {noun} is safe; use a folder on this computer").format(
        path=path, noun=noun
    )


def is_unc(path_text: str) -> bool:
    r"""Tell whether a path text has the form `\\server\share` (or with slashes, on Windows only)."""
    if path_text.startswith("\\\\"):
        return not path_text.startswith(("\\\\?\\", "\\\\.\\")) or path_text.upper().startswith("\\\\?\\UNC\\")
    return sys.platform == "win32" and path_text.startswith("//")


def is_mounted(path: Path, mounts: str) -> bool:
    """Tell whether the mount that holds an absolute path is a network file system.

    Args:
        path: absolute.
        mounts: text of `/proc/mounts`: device, mount point, type, … on each line; "" on other systems.
    """
    best_point, best_type = "", ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= len(best_point):
            best_point, best_type = point, fields[2]
    return best_type in _NETWORK_FILE_SYSTEMS


def reading_query(path: Path, *, folder_is_writable: bool, pending_bytes: int, has_shared_memory: bool) -> str:
    """Return the options a file is opened with for reading.

    A folder that cannot be written (a DVD, a share of the client) needs `immutable=1`, because SQLite may not make its
    shared-memory file there. That option ignores a write-ahead log, so it is not used where one waits.

    Args:
        path: named in the sentence.
        folder_is_writable: whether files can be made beside it.
        pending_bytes: size of the write-ahead log and of the rollback journal beside the file.
        has_shared_memory: whether the log's `-shm` file is there, with which it can be read as it stands.

    Raises:
        StoreError: the newest content is in the log, and the log cannot be read here.
    """
    if folder_is_writable or (pending_bytes and has_shared_memory):
        return "mode=ro"
    if pending_bytes:
        raise StoreError(
            _(
                "{path} was not closed and its folder is read-only; copy it with {path}-wal to a folder of your own"
            ).format(path=path)
        )
    return "mode=ro&immutable=1"


def read_surroundings(path: Path) -> str:
    """Look at the files beside `path` and return `reading_query` for them."""
    return reading_query(
        path,
        folder_is_writable=os.access(path.parent, os.W_OK),
        pending_bytes=_size_of(path, "-wal") + _size_of(path, "-journal"),
        has_shared_memory=Path(f"{path}-shm").exists(),
    )


def _size_of(path: Path, suffix: str) -> int:
    try:
        return Path(f"{path}{suffix}").stat().st_size
    except FileNotFoundError:
        return 0


def _is_remote_drive(path: Path) -> bool:
    if sys.platform == "win32":
        import ctypes

        return ctypes.windll.kernel32.GetDriveTypeW(f"{path.drive}\\") == _DRIVE_REMOTE
    return False


def _read_mounts() -> str:
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
