"""Windows on the client's own load: what his commits wait for while a mode is set, by the server's counters.

Nothing is written. His load is not the same all day, so that the modes are compared within minutes of each other.
"""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import TargetError
from app.domain.load import Load
from app.foundation.texts import _
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.bench.watch import SHORTEST_TICK_S
from app.runner.control import let_pass
from app.systems.availability_groups.commit_members import Members, group_site, major_version
from app.systems.availability_groups.commit_trial import CommitObservation, Measuring
from app.systems.availability_groups.groups import CommitMode

WINDOW: Final = "window_s"
USUAL_WINDOW_S: Final = 180.0
"""The key of a load that tells the length of a window, and its length where it does not."""

_OF_TEST_TABLE: Final = ("inserts", "rows_total", "loops", "budget_s")
# Readings of a window.
_READINGS: Final = 60


def window_of(load: Load) -> float:
    """Return the length of a window on the client's own load, seconds."""
    return load.number(WINDOW) if WINDOW in load else USUAL_WINDOW_S


def own_load(load: Load) -> Load:
    """Return a load on the client's own: nothing in it tells of a test table."""
    return load.but(**dict.fromkeys(_OF_TEST_TABLE), **{WINDOW: window_of(load)})


@dataclass(frozen=True)
class MeasureTraffic(BenchStep[Members]):
    """Read the counters of a database for a while, as the client's applications commit in it.

    Attributes:
        window_s: length of the measured part.
        settle_s: what is read before, so that a change of mode or compression is in effect, does not count.
    """

    database: str
    mode: CommitMode
    window_s: float
    settle_s: float

    def describe(self) -> str:
        """Describe the step for a person."""
        return _(
            "Measure the client's own commits in {database} for {seconds:,.0f} s, by the server's counters"
        ).format(database=self.database, seconds=self.window_s)

    def do(self, rig: StepRig[Members]) -> CommitObservation:
        """Read them; raises FailedOver where that is the reason of an error."""
        measuring = Measuring(self.database, rig, rig.at.members.of(self.database))
        watch, clock = measuring.watch, rig.at.target.clock
        tick_s = max(SHORTEST_TICK_S, self.window_s / _READINGS)
        try:
            watch.read(lambda _now: 0.0)
            while watch.elapsed_s < self.settle_s:
                let_pass(min(tick_s, max(SHORTEST_TICK_S, self.settle_s - watch.elapsed_s)), clock, rig.parts.control)
                watch.read(lambda _now: 0.0)
            first, began_s = len(watch.readings) - 1, watch.elapsed_s
            while (left_s := began_s + self.window_s - watch.elapsed_s) > 0:
                let_pass(min(tick_s, max(SHORTEST_TICK_S, left_s)), clock, rig.parts.control)
                watch.read(lambda _now: (watch.elapsed_s - began_s) / self.window_s)
            measuring.tell_past_work()
        except TargetError as error:
            measuring.raise_if_failed_over(error)
            raise
        read = tuple(watch.readings[first:])
        return CommitObservation(
            mode=self.mode,
            major=major_version(group_site(rig.at.site).topology),
            is_synchronized=measuring.is_synchronized(read),
            shapes=(),
            samples=tuple(watch.samples),
            traffic=read,
        )
