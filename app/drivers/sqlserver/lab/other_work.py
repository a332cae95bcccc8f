"""Other work of the lab's servers beside the measured load: log backups by a job of theirs, and other programs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result
from app.drivers.sqlserver.past_work import COUNTED
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

BACKUP_S: Final = 10.0
"""How long a log backup takes that is let happen."""

PROGRAMS_S: Final = 180.0
"""How long other programs keep a server busy that are let do so."""

_PROGRAMS_PERCENT: Final = 40.0
# Of the processors, what an operating system takes for itself.
_HOUSEKEEPING_PERCENT: Final = 2.0
# A server keeps what its processors did in each of so many minutes.
_MINUTE_S: Final = 60.0
_MINUTES_KEPT: Final = 256

_JOB: Final = "Log backups"
_JOB_ID: Final = "0B5A0C1E-7C55-4E0B-9A0E-6D1C2F3B4A59"

Spans = list[tuple[float, float]]


def _none(_server: str, _from_s: float, _until_s: float) -> Spans:
    return []


@dataclass(frozen=True)
class LogBackup:
    """One log backup at a server, in seconds of the lab's clock."""

    server: str
    began_s: float
    ended_s: float


class OtherWork(Answers):
    """Log backups of the lab's servers: those let happen, and those that run by themselves; and other programs."""

    def __init__(
        self,
        now_s: Callable[[], float],
        database_at: Callable[[str], str],
        own_spans: Callable[[str, float, float], Spans] = _none,
    ) -> None:
        """Prepare the servers.

        Args:
            database_at: returns the database whose log a server backs up.
            own_spans: returns when a server backs up by itself, within a time.
        """
        self._now_s = now_s
        self._database_at = database_at
        self._own_spans = own_spans
        self._begun: list[LogBackup] = []
        self._programs: list[tuple[str, float]] = []

    def begin(self, server: str) -> None:
        """Let a log backup begin."""
        self._begun.append(LogBackup(server, self._now_s(), self._now_s() + BACKUP_S))

    def begin_programs(self, server: str) -> None:
        """Let other programs begin to use a server's processors."""
        self._programs.append((server, self._now_s()))

    def counted(self, server: str) -> dict[str, Cell]:
        """Return the running work by the columns in which the readings of a tick count it."""
        return dict(zip(COUNTED, self.counts(server), strict=True))

    def counts(self, server: str) -> tuple[int, ...]:
        """Return the running work, as the readings of a tick count it."""
        now_s = self._now_s()
        return (0, sum(now_s < one.ended_s for one in self._since(server, now_s)), 0, 0, 0)

    def _other_programs(self, place: Place, values: Parameters) -> Result:
        """Return the mean of the minutes whose larger part lies within the last seconds."""
        now_s = self._now_s()
        last = int(now_s // _MINUTE_S)
        first = math.floor((now_s - int(values["elapsed_s"]) + _MINUTE_S / 2) / _MINUTE_S) + 1
        minutes = range(max(first, last - _MINUTES_KEPT + 1), last + 1)
        used = [self._programs_percent(place.server, minute * _MINUTE_S) for minute in minutes]
        return [(sum(used) / len(used) if used else None, len(used))]

    def _programs_percent(self, server: str, until_s: float) -> float:
        since_s, busy_s = until_s - _MINUTE_S, 0.0
        for name, began_s in self._programs:
            if name == server:
                busy_s += max(0.0, min(until_s, began_s + PROGRAMS_S) - max(since_s, began_s))
        return _HOUSEKEEPING_PERCENT + _PROGRAMS_PERCENT * busy_s / _MINUTE_S

    def _past_work(self, place: Place, values: Parameters) -> Result:
        met = self._since(place.server, self._now_s() - int(values["elapsed_s"]))
        jobs: list[tuple[Cell, ...]] = [("job", _JOB, _JOB_ID)]
        backups: list[tuple[Cell, ...]] = [("log_backup", self._database_at(place.server), None)]
        has_ended = any(one.ended_s <= self._now_s() for one in met)
        return [*(jobs if met else ()), *(backups if has_ended else ())]

    def _since(self, server: str, since_s: float) -> list[LogBackup]:
        """Return the backups of a server that ran at some moment since then."""
        now_s = self._now_s()
        met = [one for one in self._begun if one.server == server]
        met += [LogBackup(server, began_s, ended_s) for began_s, ended_s in self._own_spans(server, since_s, now_s)]
        return [one for one in met if one.began_s <= now_s and one.ended_s >= since_s]
