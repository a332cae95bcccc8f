"""Files beside a database file: SQLite uses them unasked, so those it must not use are refused before.

A rollback journal may name a "super-journal", a file that SQLite deletes once it has played the journal back
(https://www.sqlite.org/fileformat2.html#the_rollback_journal, https://www.sqlite.org/atomiccommit.html, section 5); a
file of this program is changed alone and never has one. A link leads to a file that is not the database's own, which
would be written over.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.domain.units import convert
from app.foundation.texts import _
from app.store.lock import read_lock_holder


class ForeignSiblings(StoreError):
    """A file beside the database would harm whoever opens it; the database itself may be sound."""


COMPANIONS: Final = ("-journal", "-wal", "-shm")
_SPARE_BYTES: Final = 50_000_000
"""What a copy leaves free of the disk that it is made on."""

# The end of a journal that names a super-journal: length of the name, checksum, magic.
_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_END_BYTES: Final = 16


def check_siblings(path: Path) -> None:
    """Check the files beside a database file, before SQLite opens it.

    Raises:
        ForeignSiblings: a link or no file at all, or a journal that names a file to delete.
        OSError: it cannot be looked at.
    """
    for companion in (Path(f"{path}{suffix}") for suffix in COMPANIONS):
        status = _status_of(companion)
        if status is None:
            continue
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise ForeignSiblings(
                _("{path} is a link or no file, and SQLite would write there; move it away and try again").format(
                    path=companion
                )
            )
        if companion.name.endswith("-journal") and _names_another(companion, status.st_size):
            raise ForeignSiblings(
                _(
                    "{path} is not of Replitune: it names another file, which SQLite would delete; move it away and "
                    "use a copy of {file} from before"
                ).format(path=companion, file=path)
            )


@contextmanager
def private_copy(path: Path) -> Iterator[Path | None]:
    """Give a copy of a file that was not closed, for reading; None for one that is closed, or being written.

    Its writer died, or somebody else sent what lies beside it: SQLite plays that back, and does so in a folder of our
    own. The copy goes with the context.

    Raises:
        StoreError, OSError: as `check_siblings`, or it cannot be copied, as where the disk has no room for it.
    """
    check_siblings(path)
    if not _is_left_open(path):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="replitune-copy-") as folder:
        _check_room(path, Path(folder))
        copy = Path(folder) / path.name
        for suffix in ("", "-journal", "-wal"):
            if _status_of(Path(f"{path}{suffix}")) is not None:
                shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        # who began to write it meanwhile may have changed it half-way
        yield copy if _is_left_open(path) else None


def _check_room(path: Path, folder: Path) -> None:
    """Raise StoreError where a disk has no room for a copy of a file and of those beside it."""
    needed = sum(_size_of(Path(f"{path}{suffix}")) for suffix in ("", "-journal", "-wal"))
    if needed + _SPARE_BYTES > shutil.disk_usage(folder).free:
        raise StoreError(
            _(
                "{path} was not closed by what wrote it, so that a copy of it is read, and {folder} has no room for "
                "its {size:,.0f} MB; free some space there and try again"
            ).format(path=path, folder=folder.parent, size=convert(needed, "bytes", "MB"))
        )


def _is_left_open(path: Path) -> bool:
    left = [_size_of(Path(f"{path}{suffix}")) for suffix in ("-journal", "-wal")]
    return any(left) and read_lock_holder(path) is None


def _size_of(path: Path) -> int:
    status = _status_of(path)
    return 0 if status is None else status.st_size


def _status_of(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _names_another(journal: Path, size_bytes: int) -> bool:
    if size_bytes < _END_BYTES:
        return False
    with journal.open("rb") as stream:
        stream.seek(-_END_BYTES, os.SEEK_END)
        end = stream.read(_END_BYTES)
    return end.endswith(_MAGIC) and any(end[:4])
