"""Writing files so that a crash leaves the old content or the new one, never half of it.

On Windows another program that holds a file for a moment (a virus scanner, an indexer, a folder that synchronises)
makes replacing it fail. Whoever replaces a file here waits for such a one.
"""

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from app.foundation.clock import Clock, SystemClock
from app.foundation.texts import _

HELD_LIMIT_S: Final = 2.0
"""How long a file held by another program is waited for; scanners let go after some 30 ms."""
_FIRST_PAUSE_S: Final = 0.01
_LONGEST_PAUSE_S: Final = 0.25

# ERROR_ACCESS_DENIED, which a file that is being deleted gives, too; ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION.
# https://learn.microsoft.com/windows/win32/debug/system-error-codes--0-499-
_ACCESS_DENIED: Final = 5
_HELD: Final = frozenset({32, 33})


def write_atomically(path: Path, content: bytes, clock: Clock | None = None) -> None:
    """Replace the file at `path` by `content` in one step, on disk (fsync) when this returns.

    Args:
        clock: waits while another program holds the file; this machine's where None.

    Raises:
        OSError: the folder cannot be written, or another program does not let go; the old file is then untouched.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    # opened like any new file, so that its permissions are those the user's other files get
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        move_into_place(temporary, path, clock)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def move_into_place(source: Path, target: Path, clock: Clock | None = None) -> None:
    """Put a file or folder where another one stands or none does, waiting while another program holds either.

    Raises:
        OSError: it cannot be moved, a device or a pipe stands there, or the other program did not let go within
            `HELD_LIMIT_S`.
    """
    _refuse_what_is_no_file(source, target)
    when_not_held(lambda: os.replace(source, target), clock)


def _refuse_what_is_no_file(source: Path, target: Path) -> None:
    """Raise OSError where a device, a pipe or a socket stands, or a folder in the place of a file.

    A device would be replaced for the whole computer by whoever may. A folder is refused by Windows with the code of a
    file that is held, and never goes away.
    """
    try:
        mode = target.lstat().st_mode
    except OSError:
        return  # nothing stands there, or what moves the file says why it cannot
    if stat.S_ISDIR(mode) and not source.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        raise FileExistsError(errno.EEXIST, _("there is a device or a pipe, not a file"), str(target))


def when_not_held(act: Callable[[], None], clock: Clock | None = None) -> None:
    """Do something to a file again until no other program holds it, for `HELD_LIMIT_S` at most.

    Raises:
        OSError: what the last attempt raised.
    """
    clock = clock or SystemClock()
    until_s, pause_s = clock.monotonic_s() + HELD_LIMIT_S, _FIRST_PAUSE_S
    while True:
        try:
            act()
            return
        except OSError as error:
            if not _may_be_held(error) or clock.monotonic_s() >= until_s:
                raise
        clock.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def is_held(error: OSError, path: Path) -> bool:
    """Tell whether another program holds a file, rather than that it may not be written at all."""
    code = getattr(error, "winerror", None)
    if code == _ACCESS_DENIED:
        return path.exists() and os.access(path, os.W_OK)
    return code in _HELD or error.errno in (errno.ETXTBSY, errno.EBUSY)


def _may_be_held(error: OSError) -> bool:
    code = getattr(error, "winerror", None)
    return code == _ACCESS_DENIED or code in _HELD or error.errno == errno.EBUSY


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where the system lets a folder be synced (not on Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
