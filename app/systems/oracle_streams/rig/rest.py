"""What is left of the client's own backlog, applied with the setting that was confirmed."""

from dataclasses import dataclass
from typing import Final

from app.domain.limits import TRIAL_DURATION
from app.foundation.texts import _
from app.runner.bench.rig import BenchStep, StepRig
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.window import IDLE_READINGS, is_empty, watch_own_work

_TICK_S: Final = 10.0


@dataclass(frozen=True)
class WaitForRest(BenchStep[StreamsPath]):
    """Wait until nothing waits in front of the apply process; the plan's limits hold meanwhile."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until nothing waits for the apply process any more")

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Wait; raises LimitExceeded, and Disturbed where somebody else stopped a process of the path."""
        watch = watch_own_work(rig, is_held=False, is_stopped=False)
        watch.limits = [limit for limit in watch.limits if limit.name != TRIAL_DURATION.name]  # it is no trial
        before, quiet = watch.take(), 0
        while quiet < IDLE_READINGS:
            now = watch.read_after(_TICK_S, lambda _now: 0.0)
            quiet = quiet + 1 if is_empty(now) or _is_fresh(before, now) else 0
            before = now


def _is_fresh(before: StreamsSample, now: StreamsSample) -> bool:
    """Tell whether what is applied by now was committed since the reading before: only what keeps coming waits then."""
    return now.applied > before.applied and now.latency_s is not None and now.latency_s <= _TICK_S
