"""Known problems of a file as one sentence each; whatever is not known stays the error it was."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.foundation.codec import CodecError
from app.foundation.file_names import why_not_found
from app.foundation.files import is_held
from app.foundation.texts import _

_LOST: Final = (
    "no such column",
    "no such table",
    "no such collation sequence",
    "no such function",
    "has no column named",
    "malformed database schema",
    "cannot join using column",
    "unsupported file format",
    "duplicate column name",
    "already exists",
)


@contextmanager
def known_problems(path: Path, noun: str) -> Iterator[None]:
    """Raise StoreError in place of the errors a user can cause or cure; let all others pass.

    Args:
        path: the file being worked on, named in the sentence.
        noun: what it is for the user, such as "session file".
    """
    try:
        yield
    except sqlite3.Error as error:
        sentence = sentence_of_sqlite(error, path, noun)
        if sentence is None:
            raise
        raise StoreError(sentence) from error
    except (CodecError, UnicodeDecodeError) as error:  # SQLite's message may quote bytes that are no UTF-8
        raise StoreError(damaged(path, noun)) from error
    except OSError as error:
        raise StoreError(sentence_of_system(error, path)) from error


def sentence_of_sqlite(error: sqlite3.Error, path: Path, noun: str) -> str | None:
    """Return the sentence for an SQLite error, by its primary result code, or None where it is none of the known ones.

    Result codes: https://www.sqlite.org/rescode.html; extended codes begin with the primary one's name.
    """
    name: str = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_NOTADB"):
        return not_sqlite(path, noun)
    # Text that is no UTF-8 is found by Python's module, which sets no result code.
    if name.startswith("SQLITE_CORRUPT") or (not name and str(error).startswith("Could not decode to UTF-8")):
        return damaged(path, noun)
    if name == "SQLITE_INTERRUPT":  # by the budget of a reading, see `app/store/budget.py`
        return too_much(path, noun)
    # The statements are fixed and fit the format the file says it has: what they miss was lost from the file.
    if name.startswith("SQLITE_ERROR") and any(text in str(error) for text in _LOST):
        return damaged(path, noun)
    for code, sentence in _sentences().items():
        if name == code or name.startswith(f"{code}_"):
            return sentence.format(path=path, noun=noun)
    return None


def _sentences() -> dict[str, str]:
    return {
        "SQLITE_TOOBIG": _("{path} holds a text longer than any this program writes; open a copy from before"),
        "SQLITE_READONLY_DBMOVED": _("{path} was removed or replaced while it was in use; start a new one"),
        "SQLITE_FULL": _("{path}: the disk is full; free some space and try again"),
        "SQLITE_READONLY": _("{path} is read-only; copy it to a folder you may write to and use the copy"),
        "SQLITE_BUSY": _("{path} is open elsewhere; close it there and try again"),
        "SQLITE_LOCKED": _("{path} is open elsewhere; close it there and try again"),
        "SQLITE_CANTOPEN": _("{path} cannot be opened; check that the folder exists and that you may write to it"),
        "SQLITE_PERM": _("{path} cannot be opened; check that you may read and write it"),
        "SQLITE_IOERR": _("{path}: reading or writing failed; check the disk, its free space and its connection"),
    }


def sentence_of_system(error: OSError, path: Path) -> str:
    """Return the sentence for an error of the operating system."""
    if error.errno == errno.ENOSPC:
        return _("{path}: the disk is full; free some space and try again").format(path=path)
    if is_held(error, path):
        return _(
            "{path} is held open by another program, such as a virus scanner or one that synchronises the folder; "
            "close it there, or use another folder, and try again"
        ).format(path=path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return _("{path} is read-only; copy it to a folder you may write to and use the copy").format(path=path)
    reason = why_not_found(error, path)
    return _("{path} cannot be used: {reason}; choose another file").format(path=path, reason=reason)


def damaged(path: Path, noun: str) -> str:
    """Return the sentence for a file whose content is broken."""
    return _("{path}: this {noun} is damaged; use a copy of it from before, or start a new one").format(
        path=path, noun=noun
    )


def too_much(path: Path, noun: str) -> str:
    """Return the sentence for a file that would take all memory or all day."""
    return _(
        "{path}: this {noun} gives far more to read than any of its size that Replitune wrote; use a copy of it from "
        "before"
    ).format(path=path, noun=noun)


def not_sqlite(path: Path, noun: str) -> str:
    """Return the sentence for a file of another kind."""
    return _("{path} is no {noun} of Replitune; choose another file").format(path=path, noun=noun)


def newer(path: Path, noun: str) -> str:
    """Return the sentence for a file of a later version of the program."""
    return _("{path}: this {noun} was written by a newer version of Replitune; open it with that version").format(
        path=path, noun=noun
    )


def older(path: Path, noun: str) -> str:
    """Return the sentence for a file that must be upgraded and is only being read."""
    return _(
        "{path}: this {noun} was written by an older version of Replitune; open it once to continue with it"
    ).format(path=path, noun=noun)


def held_by(path: Path, user: str, computer: str, since_utc: datetime | None) -> str:
    """Return the sentence for a file that somebody known is writing."""
    who = _("{user} on {computer}").format(user=user, computer=computer) if user and computer else user or computer
    since = "" if since_utc is None else _(", since {time:%Y-%m-%d %H:%M} UTC").format(time=since_utc)
    return _(
        "{path} is open elsewhere; close it there and try again: {who} has it{since}, and it can only be read meanwhile"
    ).format(path=path, who=who, since=since)


def open_elsewhere(path: Path) -> str:
    """Return the sentence for a file another program, or another part of this one, is writing."""
    return _("{path} is open elsewhere; close it there and try again").format(path=path)
