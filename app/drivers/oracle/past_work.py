"""Other work of databases and their hosts: read once before a time and once at its end."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.domain.happening import Happening, PastReadings, Work, by_other_programs
from app.drivers.oracle.session import End, Session

_PROCESSORS: Final = "processor_time"


@dataclass(frozen=True)
class _Processors:
    """Totals of a host, seconds of its processors, and of the instance there."""

    host: str
    busy_s: float
    idle_s: float
    own_s: float

    def since(self, before: "_Processors") -> "_Processors":
        """Return the increase."""
        return _Processors(
            self.host, self.busy_s - before.busy_s, self.idle_s - before.idle_s, self.own_s - before.own_s
        )


class PastWork:
    """Other work of a pipeline's databases.

    Two readings of a host's totals tell of the time between them: `begin` makes the first.
    """

    def __init__(self, session: Session, databases: Mapping[End, str]) -> None:
        """Prepare to ask.

        Args:
            databases: each database once, by its end.
        """
        self._session = session
        self._databases = databases
        self._before: Mapping[End, _Processors] = {}

    def begin(self) -> PastReadings:
        """Return the readings before the time that counts; they tell nothing by themselves."""
        return {_PROCESSORS: self._begin}

    def readings(self, elapsed_s: float) -> PastReadings:
        """Return the readings of the databases about the last seconds."""
        asked = {f"past_work {name}": partial(self._past, end, elapsed_s) for end, name in self._databases.items()}
        return {**asked, _PROCESSORS: self._other_programs}

    def _past(self, end: End, elapsed_s: float) -> tuple[Happening, ...]:
        rows = self._session.run("past_work", end, elapsed_s=max(1, round(elapsed_s)))
        return tuple(Happening(Work(row.text("work")), self._databases[end], row.text("subject")) for row in rows)

    def _begin(self) -> tuple[Happening, ...]:
        self._before = {}
        self._before = self._read()
        return ()

    def _other_programs(self) -> tuple[Happening, ...]:
        """Tell of hosts whose processors others used; both databases of one host are no others to each other."""
        grown = {end: now.since(self._before[end]) for end, now in self._read().items() if end in self._before}
        return tuple(
            told
            for end, one in grown.items()
            for told in by_other_programs(
                self._databases[end],
                _share_of_others(one, sum(other.own_s for other in grown.values() if other.host == one.host)),
            )
        )

    def _read(self) -> Mapping[End, _Processors]:
        rows = {end: self._session.run("processor_time", end)[0] for end in self._databases}
        return {
            end: _Processors(row.text("host_name"), row.number("busy_s"), row.number("idle_s"), row.number("own_s"))
            for end, row in rows.items()
            if not any(row.is_null(column) for column in ("busy_s", "idle_s", "own_s"))
        }


def _share_of_others(grown: _Processors, own_s: float) -> float:
    """Return the share of a host's processors that others used; 0 where its totals began anew."""
    total_s = grown.busy_s + grown.idle_s
    if min(grown.busy_s, grown.idle_s, grown.own_s) < 0 or total_s <= 0:
        return 0.0
    return max(0.0, grown.busy_s - own_s) / total_s
