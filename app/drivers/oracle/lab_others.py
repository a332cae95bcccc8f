"""Other work of a lab's databases and hosts beside the measured load: a backup by RMAN, a job, and other programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_faults import FaultKind
from app.drivers.oracle.session import End
from app.foundation.rows import Cell

LASTS_S: Final = 120.0
"""How long it takes what is let happen."""

_JOB: Final = "STRMADMIN.NIGHTLY_REPORT"
_PROCESSORS: Final = 4.0
# Of the processors: of the instance, of the operating system for itself, and of other programs while they run.
_OWN_SHARE: Final = 0.20
_HOUSEKEEPING_SHARE: Final = 0.02
_PROGRAMS_SHARE: Final = 0.40

_Answered = list[tuple[Cell, ...]]


@dataclass(frozen=True)
class _Begun:
    kind: str
    end: End
    at_s: float


class LabOthers:
    """Other work at a lab's databases; each has a host of its own."""

    def __init__(
        self,
        now_s: Callable[[], float],
        host_name: Callable[[End], str],
        own_spans: Callable[[float, float], list[tuple[float, float]]],
    ) -> None:
        """Prepare the databases.

        Args:
            own_spans: returns when the source backs itself up, within a time.
        """
        self._now_s = now_s
        self._host_name = host_name
        self._own_spans = own_spans
        self._begun: list[_Begun] = []

    def happen(self, kind: str, end: End) -> None:
        """Let something begin at a database, where the kind is one of these."""
        if kind in (FaultKind.BACKUP, FaultKind.OTHER_PROGRAMS):
            self._begun.append(_Begun(kind, end, self._now_s()))

    def answers(self) -> Mapping[str, Callable[[End, Mapping[str, BindValue]], _Answered]]:
        """Return the answer of each statement by name."""
        return {"past_work": self._past_work, "processor_time": self._processor_time}

    def _past_work(self, end: End, binds: Mapping[str, BindValue]) -> _Answered:
        elapsed_s = binds["elapsed_s"]
        assert isinstance(elapsed_s, int)
        now_s = self._now_s()
        since_s = now_s - elapsed_s
        own = self._own_spans(since_s, now_s) if end is End.SOURCE else []
        if not own and not any(one.at_s + LASTS_S >= since_s for one in self._of(FaultKind.BACKUP, end)):
            return []
        return [("backup", None), ("job", _JOB)]

    def _processor_time(self, end: End, _binds: Mapping[str, BindValue]) -> _Answered:
        now_s = self._now_s()
        total_s, own_s = now_s * _PROCESSORS, now_s * _PROCESSORS * _OWN_SHARE
        programs_s = sum(min(now_s - one.at_s, LASTS_S) for one in self._of(FaultKind.OTHER_PROGRAMS, end))
        others_s = (now_s * _HOUSEKEEPING_SHARE + programs_s * _PROGRAMS_SHARE) * _PROCESSORS
        busy_s = own_s + others_s
        return [(self._host_name(end), busy_s, total_s - busy_s, own_s)]

    def _of(self, kind: str, end: End) -> list[_Begun]:
        return [one for one in self._begun if (one.kind, one.end) == (kind, end)]
