"""What is left of the client's own log, captured with the values that were confirmed."""

from dataclasses import dataclass
from typing import Final

from app.domain.limits import TRIAL_DURATION
from app.foundation.texts import _
from app.model.reading import grown_by
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.control import let_pass
from app.systems.change_data_capture.members import Member, capture_port
from app.systems.change_data_capture.steps import check_runs
from app.systems.change_data_capture.watching import watch_of

_TICK_S: Final = 10.0


@dataclass(frozen=True)
class WaitForRest(BenchStep[Member]):
    """Wait until a scan reaches the end of the log; the plan's limits hold meanwhile."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until the capture job has read the log to its end")

    def do(self, rig: StepRig[Member]) -> None:
        """Wait; raises LimitExceeded, and Disturbed where the job ended."""
        member, port, parts = rig.at.members, capture_port(rig.at.target), rig.parts
        watch = watch_of(rig)
        watch.limits = [limit for limit in watch.limits if limit.name != TRIAL_DURATION.name]  # it is no trial
        first = watch.read(lambda _now: 0.0)
        newest = first.newest_session or 0
        while True:
            let_pass(_TICK_S, parts.target.clock, parts.control)
            now = watch.read(lambda _now: 0.0)
            check_runs(rig)
            maxtrans = port.changes.read_maxtrans(member.place)
            rows = port.sessions(member.database, newest)
            # a scan that is not full, or finds nothing, has left nothing in the log
            if (grown_by(first, now, "empty_scans") or 0) > 0 or any(row.transactions < maxtrans for row in rows):
                return
            newest = max((row.number for row in rows), default=newest)
