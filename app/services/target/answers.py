"""Keeps when the servers of one piece of work last answered: the one place that decides whether they are silent."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.ports import StatementSink
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.foundation.clock import Clock, SystemClock
from app.services.ports import TargetOpener

SILENT_FROM_S: Final = 29.0
"""A server answers every second or two while it is read; told within 30 s, with looks that are a second apart."""

_YOUNG_S: Final = 2.0
"""A question as young as that tells nothing, however long nothing was asked before: readings may be a minute apart."""


@dataclass(frozen=True)
class Silence:
    """A server that is asked and does not answer.

    Attributes:
        server: its name, or the target where it is being connected to.
        silent_s: seconds since any server of the work last answered, or since the work began.
        since_utc: that moment.
    """

    server: str
    silent_s: float
    since_utc: datetime


class GivenUp(Exception):
    """Nobody waits for the work any more; no error of a server's, so that nobody on the way makes a reading of it."""


class Answers:
    """Opens targets, and hears what their servers answer; any thread may ask, one alone looks.

    Silence counts from the last answer, not from the question that has none. A statement that failed is no answer.
    """

    def __init__(self, open_target: TargetOpener, clock: Clock | None = None) -> None:
        """Begin to count.

        Args:
            clock: of this computer, None for its own.
        """
        self._open_target = open_target
        self._clock: Clock = SystemClock() if clock is None else clock
        self._target: Target | None = None
        self._opening = self._failed = ""
        self._asked_s: float | None = None
        self._answered_s = self._clock.monotonic_s()
        self._is_given_up = False

    def begin_anew(self) -> None:
        """Count from now on: nothing was asked for a while, as in a pause."""
        self._answered_s = self._clock.monotonic_s()

    def open(self, target: str, seed: int, on_statement: StatementSink, /) -> Target:
        """Open a target; raises as its opener does, and GivenUp once the work is given up."""
        self._end_if_given_up()
        self._opening = target
        try:
            self._target = self._open_target(target, seed, self._noted(on_statement))
        finally:
            self._opening = ""
        return self._target

    def _noted(self, on_statement: StatementSink) -> Callable[[StatementRecord], None]:
        def note(record: StatementRecord) -> None:
            self._failed = record.server if record.error else ""
            if not record.error:
                self._answered_s = self._clock.monotonic_s()
            on_statement(record)
            self._end_if_given_up()

        return note

    @property
    def answered_ago_s(self) -> float:
        """Seconds since a server last answered, or since they are asked."""
        return max(0.0, self._clock.monotonic_s() - self._answered_s)

    @property
    def _asked(self) -> str:
        return self._opening or ("" if self._target is None else self._target.asked.server) or self._failed

    def look(self) -> Silence | None:
        """Return who is silent, None while nobody is or nobody is asked; to be called every second or more often."""
        server = self._asked
        now_s = self._clock.monotonic_s()
        if not server:
            self._asked_s = None
            return None
        if self._asked_s is None or self._asked_s < self._answered_s:
            self._asked_s = now_s
        silent_s = now_s - self._answered_s
        if silent_s < SILENT_FROM_S or now_s - self._asked_s < _YOUNG_S:
            return None
        return Silence(server, silent_s, self._clock.now_utc() - timedelta(seconds=silent_s))

    def give_up(self) -> None:
        """End work that only reads with the statement that runs now; from any thread, again where another one runs."""
        self._is_given_up = True
        self.interrupt()

    def interrupt(self) -> None:
        """End the statement that runs now; the work goes on as it does where a statement was cancelled."""
        if self._target is not None:
            self._target.cancel()

    def _end_if_given_up(self) -> None:
        if self._is_given_up:
            raise GivenUp
