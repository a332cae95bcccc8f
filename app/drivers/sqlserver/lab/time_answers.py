"""The lab's answers about time, and how it passes at its servers."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, Protocol

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.session import Place

EPOCH: Final = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
# The lab's servers stand an hour east of Greenwich: what they stamp with their time of day is no UTC.
_ZONE: Final = timedelta(hours=1)


def local_text(time_s: float) -> str:
    """Return a moment as the servers' time of day, as style 121 of CONVERT writes it."""
    return _text_121(moment_utc(time_s) + _ZONE)


def utc_text(time_s: float) -> str:
    """Return a moment as the servers' UTC, as style 121 of CONVERT writes it."""
    return _text_121(moment_utc(time_s))


def _text_121(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ", "milliseconds")


@lru_cache(maxsize=16)  # what happens at one moment asks for it several times
def moment_utc(time_s: float) -> datetime:
    """Return a moment of the virtual clock as time of day."""
    return EPOCH + timedelta(seconds=time_s)


_DELAY: Final = re.compile(r"(?P<h>\d{1,2}):(?P<m>\d{1,2})(?::(?P<s>\d{1,2})(?:\.(?P<f>\d{1,3}))?)?")


class TimedLab(Protocol):
    """A simulation with a virtual clock."""

    @property
    def now_s(self) -> float:
        """Virtual time in seconds."""
        ...


class TimedState(Protocol):
    """The state of simulated servers."""

    @property
    def lab(self) -> TimedLab:
        """The simulation."""
        ...

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        ...


class TimeAnswers:
    """The time of day, and waiting for it to pass."""

    def __init__(self, state: TimedState) -> None:
        self._state = state

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {"server_time": self._server_time, "local_time": self._local_time, "lab_wait": self._lab_wait}

    def _server_time(self, _place: Place, _values: Parameters) -> Result:
        return [(moment_utc(self._state.lab.now_s),)]

    def _local_time(self, _place: Place, _values: Parameters) -> Result:
        now_s = self._state.lab.now_s
        return [(local_text(now_s), utc_text(now_s))]

    def _lab_wait(self, place: Place, values: Parameters) -> Result:
        self._state.advance(delay_s(str(values["delay"])))
        return self._server_time(place, values)


def delay_s(text: str) -> float:
    """Return the seconds of a WAITFOR DELAY.

    Raises:
        SqlError: it is no time under a day; number 148 as SQL Server reports it.
    """
    match = _DELAY.fullmatch(text.strip())
    if match is not None:
        hours, minutes, seconds = int(match["h"]), int(match["m"]), int(match["s"] or 0)
        if hours < 24 and minutes < 60 and seconds < 60:
            return hours * 3600 + minutes * 60 + seconds + int((match["f"] or "").ljust(3, "0")) / 1000.0
    raise SqlError(148, f"Incorrect time syntax in time string '{text}' used with WAITFOR.", "42000")
