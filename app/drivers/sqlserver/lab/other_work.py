"""What the lab's servers do besides what is measured: log backups by a job of theirs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

BACKUP_S: Final = 10.0
"""How long a log backup takes that is let happen."""

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


class OtherWork:
    """Log backups of the lab's servers: those let happen, and those that run by themselves."""

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

    def begin(self, server: str) -> None:
        """Let a log backup begin."""
        self._begun.append(LogBackup(server, self._now_s(), self._now_s() + BACKUP_S))

    def counts(self, server: str) -> tuple[int, ...]:
        """Return what runs now, as the readings of a tick count it."""
        now_s = self._now_s()
        return (0, sum(1 for one in self._since(server, now_s) if now_s < one.ended_s), 0, 0, 0)

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {"past_work": self._past_work}

    def _past_work(self, place: Place, values: Parameters) -> Result:
        met = self._since(place.server, self._now_s() - int(values["elapsed_s"]))
        jobs: list[tuple[Cell, ...]] = [("job", _JOB, _JOB_ID)]
        backups: list[tuple[Cell, ...]] = [("log_backup", self._database_at(place.server), None)]
        has_ended = any(one.ended_s <= self._now_s() for one in met)
        return [*(jobs if met else ()), *(backups if has_ended else ())]

    def _since(self, server: str, since_s: float) -> list[LogBackup]:
        """Return the backups of a server that ran at some moment since then."""
        now_s = self._now_s()
        own = (LogBackup(server, began_s, ended_s) for began_s, ended_s in self._own_spans(server, since_s, now_s))
        begun = (one for one in self._begun if one.server == server)
        return [one for one in (*begun, *own) if one.began_s <= now_s and one.ended_s >= since_s]
