"""The client's own backlog while a run goes on: how it falls, its forecast, and how the windows do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.analysis.backlog_figure import backlog_plot
from app.analysis.own_backlog import CatchingUp, Stretch, catching_up, is_own_backlog, stretch_of, stretches_of
from app.domain.family import ExperimentFamily
from app.domain.measurement import BACKLOG, Sample, TrialResult
from app.domain.plan import Phase, Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.setting import Setting
from app.foundation.texts import _
from app.reporting.catching_up import forecast_sentence

PLOT_ID = "run/backlog"


def local_time(moment: datetime) -> datetime:
    """Return a moment as this computer's clock shows it."""
    return moment.astimezone()


@dataclass(frozen=True)
class _Present:
    """The window that goes on: its readings so far, and when it began."""

    spec: TrialSpec
    since: datetime
    samples: tuple[Sample, ...] = ()


class RunBacklog:
    """Built up from the events of a run on a backlog of the client's; lives on one thread."""

    def __init__(self, metric: str, plan: Plan, began_utc: datetime) -> None:
        self._metric = metric
        self._plan = plan
        self._stretches: list[Stretch] = []
        self._until = began_utc
        self._present: _Present | None = None
        self._notes: list[tuple[int, timedelta]] = []  # place of a stretch, and how far into it

    def note(self) -> None:
        """Stamp the newest reading: somebody writes a note."""
        stretches = self._all()
        into = stretches[-1].at[-1] - stretches[-1].at[0] if stretches else timedelta()
        self._notes.append((max(0, len(stretches) - 1), into))

    def begin(self, spec: TrialSpec) -> None:
        """Take note that a window begins, right after the one before."""
        self._present = _Present(spec, self._until)

    def begin_rest(self, setting: Setting, gap_s: float) -> None:
        """Take note that the rest is delivered with a setting, some time after the last window ended."""
        self._present = _Present(TrialSpec("", 0, 0, Phase.CONFIRM, setting), self._until + timedelta(seconds=gap_s))

    def take(self, samples: Sequence[Sample]) -> None:
        """Take the readings of one tick."""
        told = tuple(sample for sample in samples if sample.stream == BACKLOG)
        if told and self._present is not None:
            present = self._present
            self._present = _Present(present.spec, present.since, (*present.samples, *told))

    def end(self, trial: TrialResult) -> None:
        """Take note of a window that ended; of one that was broken off what was seen stays."""
        self._stretches += stretches_of([trial]) or self._going_on()
        self._until = trial.finished_utc
        self._present = None

    def _going_on(self) -> tuple[Stretch, ...]:
        present = self._present
        if present is None:
            return ()
        found = stretch_of(present.spec.setting, present.spec.phase, present.samples, present.since)
        return () if found is None else (found,)

    def _all(self) -> tuple[Stretch, ...]:
        return (*self._stretches, *self._going_on())

    def ahead(self, trials: Sequence[TrialResult], chosen: Setting | None) -> CatchingUp | None:
        """Return the forecast by the windows so far, None before they tell it."""
        if chosen is None:
            return None
        return catching_up(self._metric, trials, self._all(), self._plan.baseline, chosen)

    def plot(self, trials: Sequence[TrialResult], chosen: Setting | None) -> PlotSpec | None:
        """Return the backlog so far with its forecast, None before a window told it."""
        ahead = self.ahead(trials, chosen)
        said = "" if ahead is None else forecast_sentence(ahead, local_time)
        stretches, baseline, clock_name = self._all(), self._plan.baseline, _("Time of day, by this computer's clock")
        # a window's own beginning is known once it has ended
        notes = [stretches[place].at[0] + into for place, into in self._notes if place < len(stretches)]
        return backlog_plot(PLOT_ID, stretches, baseline, chosen, ahead, local_time, clock_name, said, notes)


def backlog_of(family: ExperimentFamily, plan: Plan, began_utc: datetime) -> RunBacklog | None:
    """Return what watches the backlog of a run, None where that is not the client's own, or nothing counts it."""
    is_told = is_own_backlog(plan) and not family.backlog_uncounted
    return RunBacklog(family.main_metric(plan).name, plan, began_utc) if is_told else None
