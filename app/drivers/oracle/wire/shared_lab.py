"""One lab for several connections: one statement at a time, and time that runs by itself."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_clock import WAIT_STATEMENT
from app.drivers.oracle.lab_marks import SessionMarks
from app.drivers.oracle.session import End
from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

_LOOK_EVERY_S: Final = 0.02
_TICK_S: Final = 0.25


class Watch(Protocol):
    """Waits for a client to give its request up."""

    def __call__(self, wait_s: float) -> None:
        """Wait so many real seconds at most; raises the error that ends the request."""
        ...


class ServedLab(Protocol):
    """Two simulated databases that can stand on a port."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
        """Run a statement of the catalogue; raises OracleError."""
        ...

    def database_name(self, end: End) -> str:
        """Return the global name of a database, which is its service, too."""
        ...

    def version(self, end: End) -> str:
        """Return the release of a database, such as 12.1.0.2.0."""
        ...

    def has_open_transaction(self) -> bool:
        """Tell whether the load has written rows that are neither committed nor rolled back."""
        ...

    def roll_back(self) -> None:
        """Roll back the load's uncommitted rows."""
        ...

    def now_s(self) -> float:
        """Return seconds of virtual time."""
        ...

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        ...


class SharedLab:
    """The lab and its clock.

    Args:
        speed: virtual seconds that pass in a real one; None lets time pass by what moves the lab itself alone.
        leaps: what a client lets pass with `lab_wait` passes at once, else in its time.
    """

    def __init__(self, lab: ServedLab, speed: float | None, *, leaps: bool = False) -> None:
        self.lab = lab
        self._speed = speed
        self._leaps = leaps
        self.marks = SessionMarks()
        self._turn = threading.Lock()
        self._started_s = time.perf_counter()
        self._first_s = lab.now_s()

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement in its turn and return its rows.

        Raises:
            OracleError: what the lab reports.
            Exception: what `watch` raises; the statement has run then, or it has not.
        """
        with self._in_turn(watch):
            self._catch_up()
            rows = self.lab.run(statement, end, binds)
            ahead_s = self._ahead_s()
            if self._leaps and statement.name == WAIT_STATEMENT:
                self._first_s += ahead_s
                ahead_s = 0.0
        # A statement that took virtual time takes the client real time, too, where time runs by itself.
        if self._speed is not None and ahead_s > 0:
            watch(ahead_s / self._speed)
        return rows

    def login_problem(self, end: End) -> tuple[int, str] | None:
        """Return code and text of the reason to refuse the right password at a database, None for none."""
        del end
        return None

    def has_open_transaction(self) -> bool:
        """Tell whether the load has written rows that are neither committed nor rolled back."""
        with self._turn:
            return self.lab.has_open_transaction()

    def roll_back(self) -> None:
        """Roll back the load's uncommitted rows."""
        with self._turn:
            self.lab.roll_back()

    def run_clock(self) -> None:
        """Let time pass for ever, for a thread of its own; returns at once where it does not run by itself."""
        while self._speed is not None:
            time.sleep(_TICK_S)
            with self._turn:
                self._catch_up()

    @contextmanager
    def _in_turn(self, watch: Watch) -> Iterator[None]:
        while not self._turn.acquire(timeout=_LOOK_EVERY_S):
            watch(0.0)
        try:
            yield
        finally:
            self._turn.release()

    def _ahead_s(self) -> float:
        if self._speed is None:
            return 0.0
        return self.lab.now_s() - self._first_s - (time.perf_counter() - self._started_s) * self._speed

    def _catch_up(self) -> None:
        ahead_s = self._ahead_s()
        if ahead_s < 0:
            self.lab.advance(-ahead_s)
