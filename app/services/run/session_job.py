"""Work on a session on a thread of its own: started, watched, cancelled, always joined, its end told once."""

import threading
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from app.domain.errors import ReplituneError
from app.runner.asking import HandDesk
from app.runner.control import RunControl
from app.services.workplace import Workplace

T = TypeVar("T")


class SessionJob(ABC, Generic[T]):
    """Works on one session on a thread; any thread may ask it to pause or cancel.

    Attributes:
        place: of the session.
        control: takes what other threads ask for.
        desk: where changes are asked of the client's DBA, None where the program makes them.
    """

    def __init__(self, name: str, place: Workplace, *, guided: bool) -> None:
        """Prepare the job; its thread has this name."""
        self.place = place
        self.control = RunControl()
        self.desk = HandDesk() if guided else None
        # not a daemon: the program must not end while something is to be undone
        self._thread = threading.Thread(target=self._live, name=name, daemon=False)

    def start(self) -> None:
        """Start working."""
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the thread to end."""
        self._thread.join(timeout_s)

    def _live(self) -> None:
        done, problem = None, ""
        error: BaseException | None = None
        try:
            done = self._work()
        except ReplituneError as known:
            problem = str(known)
        except Exception as bug:  # noqa: BLE001 - the end of a thread: told to the window, which shows a report
            problem, error = self._broken, bug
        self._end(done, problem, error)

    @property
    @abstractmethod
    def _broken(self) -> str:
        """The sentence where a mistake of the program ended it."""

    @abstractmethod
    def _work(self) -> T:
        """Do the work, on the thread; restore and close everything, whatever happens."""

    @abstractmethod
    def _end(self, done: T | None, problem: str, error: BaseException | None) -> None:
        """Tell the end, on the thread: what was done, None where it never began or broke off, with the problem."""
