"""A session that is run once, and branches wherever something is to happen to it.

What comes before a place is the same for all that may happen there. So the session is run to its end once, as the
trunk, and at each place a forked copy of its process goes on alone with what happens: with the lab of the process as it
stands, and on the session's own files, which are put back before the trunk goes on.
"""

import functools
import gc
import os
import pickle
import sqlite3
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, NoReturn, TypeVar

import pytest

from app.store import session_file
from app.store.writer import run_atomically, settle

P = TypeVar("P")
R = TypeVar("R")

CAN_BRANCH: Final = hasattr(os, "fork")
"""Windows forks no process."""


@dataclass(frozen=True)
class Failed:
    """Why a branch is not as it must be."""

    why: str


def attempt(check: Callable[[], R]) -> R | Failed:
    """Return what a check found, or why it did not hold."""
    try:
        return check()
    except (AssertionError, pytest.fail.Exception) as failed:
        return Failed(str(failed))


class Branches(Generic[P, R]):
    """The branches of one session.

    Attributes:
        mine: what happens in the branch that this process is; None in the trunk.
    """

    def __init__(self, folder: Path, places: Sequence[tuple[int, P]]) -> None:
        """Prepare a session.

        Args:
            folder: where the session keeps all its files, and nobody else any.
            places: numbers of its statements, from 1, and what happens there, each in a branch of its own.
        """
        self.mine: P | None = None
        self._folder = folder
        self._places = places
        self._outcomes: list[tuple[P, R | Failed]] = []
        self._telling = -1

    def reach(self, number: int) -> bool:
        """Branch off where the trunk comes to a statement; return whether this process is such a branch, just begun."""
        if self.mine is not None:
            return False
        for _number, place in (found for found in self._places if found[0] == number):
            self._branch_off(place)
            if self.mine is not None:
                return True
        return False

    def grow(self, live: Callable[[], R]) -> tuple[R, Sequence[tuple[P, R | Failed]]]:
        """Run the session, and return what it came to itself, and what each branch did.

        Args:
            live: runs the session and says what it came to, in the trunk and in each branch; an assertion that does not
                hold is the outcome of a branch, and is raised in the trunk.
        """
        with _writing_in_turn():
            try:
                outcome = live()
            except BaseException as failed:
                if self.mine is not None:
                    self._end(Failed(_why(failed)))
                raise
            if self.mine is not None:
                self._end(outcome)
        assert len(self._outcomes) == len(self._places), "the session ended before all of its branches"
        return outcome, self._outcomes

    def _branch_off(self, place: P) -> None:
        files = _Files(self._folder)
        hearing, telling = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(hearing)
            gc.disable()  # it would write into all memory that is shared with the trunk
            self.mine, self._telling = place, telling
            return
        os.close(telling)
        with os.fdopen(hearing, "rb") as stream:
            told = stream.read()
        _child, status = os.waitpid(child, 0)
        outcome = pickle.loads(told) if told else Failed(f"its process ended with status {status}")
        self._outcomes.append((place, outcome))
        files.put_back()

    def _end(self, outcome: R | Failed) -> NoReturn:
        with os.fdopen(self._telling, "wb") as stream:
            stream.write(pickle.dumps(outcome))
        os._exit(0)


def _why(failed: BaseException) -> str:
    is_expected = isinstance(failed, AssertionError | pytest.fail.Exception)
    return str(failed) if is_expected else "".join(traceback.format_exception(failed))


class _Files:
    """The files of a folder as they are now, to be put back: the same files, which somebody has open, byte for byte.

    Where in a file somebody reads and writes is not put back: SQLite says so each time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._aside = folder.with_name(f"{folder.name}.aside")
        self._aside.mkdir()
        found = list(folder.rglob("*"))
        self._folders = {path for path in found if path.is_dir()}
        self._kept = {path: path.read_bytes() for path in found if path.is_file()}
        for number, path in enumerate(self._kept):
            os.link(path, self._aside / str(number))

    def put_back(self) -> None:
        """Bring the files back as they were, and nothing else."""
        for path in sorted(self._folder.rglob("*"), reverse=True):
            if path.is_file():
                path.unlink()
            elif path not in self._folders:
                path.rmdir()
        for number, (path, content) in enumerate(self._kept.items()):
            os.replace(self._aside / str(number), path)
            if path.read_bytes() != content:
                with path.open("r+b") as stream:
                    stream.write(content)
                    stream.truncate()
        self._aside.rmdir()


class _WriterInTurn:
    """Writes as a `WriterThread` does, on the thread of whoever hands it work: a forked process has no other one."""

    def __init__(
        self,
        open_connection: Callable[[], sqlite3.Connection],
        close_connection: Callable[[sqlite3.Connection], None],
        keep: Callable[[sqlite3.Connection], sqlite3.Connection],
    ) -> None:
        del keep  # nobody replaces the file of a branch
        self._connection = open_connection()
        self._close = [close_connection]

    def submit(
        self,
        work: Callable[[sqlite3.Connection], R],
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> "Future[R]":
        """Do the work at once."""
        del durable  # nobody cuts the power
        future: Future[R] = Future()
        settle(future, functools.partial(run_atomically, self._connection, work, committed))
        return future

    def run(self, work: Callable[[sqlite3.Connection], R], **how: Any) -> R:
        """Do the work and return its result."""
        return self.submit(work, **how).result()

    def close(self) -> None:
        """Close the connection; does nothing the second time."""
        while self._close:
            self._close.pop()(self._connection)


@contextmanager
def _writing_in_turn() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_file, "WriterThread", _WriterInTurn)
        yield
