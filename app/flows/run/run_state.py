"""How a run stands: built up from its events, cheap for each, bounded however long it goes on."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.change import Change
from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    HandConfirmed,
    HandRequested,
    Predicted,
    RunEvent,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    RunStatus,
    SamplesTaken,
    StepStarted,
    TrialFinished,
    TrialStarted,
)
from app.domain.family import ExperimentFamily
from app.domain.happening import meanwhile
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Phase, Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.system import system_of
from app.flows.open_changes import OpenChanges
from app.flows.run.live_series import LiveSeries
from app.flows.run.run_clock import RunClock
from app.flows.run.run_effect import effect_by_block
from app.flows.run.run_log import RunLog
from app.flows.run.run_plot import plot_by_setting
from app.flows.shell.wizard import RunEnd
from app.flows.system_views import views_of
from app.services.run.run_job import JobEnded
from app.services.target.target_spec import is_lab

Families = Mapping[str, ExperimentFamily]


class Stage(StrEnum):
    """How the run stands on its page."""

    IDLE = "idle"
    STARTING = "starting"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    CANCELLING = "cancelling"
    ENDED = "ended"


GOING_ON: Final = frozenset({Stage.STARTING, Stage.RUNNING, Stage.PAUSING, Stage.PAUSED, Stage.CANCELLING})
"""Stages in which a worker thread runs."""


class RunState:
    """The state of one run; lives on one thread, which tells it the events and asks for the picture to show.

    Attributes:
        stage: how the run stands.
        target: where it runs.
        spec: the present trial, None between trials.
        planned_trials, finished_trials: as far as they are known.
        trial_progress: share of the present trial done, 0–1.
        step: what the runner does right now.
        status, reason, not_restored: of the end, once there is one.
        log: what happened, with times.
        series: readings over time.
        request: what the client's DBA is asked to run right now, None for nothing.
        compares_all: every comparison is planned; nothing is explored first.
        has_begun: the run got as far as the server.
        version: grows with everything that changes what is shown.
        measured_version: grows with every trial that ended.
        happenings: what else ran on the servers, a sentence for each trial it ran beside, the newest last.
    """

    def __init__(self, families: Families) -> None:
        self._families = families
        self.stage = Stage.IDLE
        self.plan: Plan | None = None
        self.target = ""
        self.spec: TrialSpec | None = None
        self.planned_trials = 0
        self.finished_trials = 0
        self.unused_trials = 0
        self.trial_progress = 0.0
        self.step = ""
        self.status: RunStatus | None = None
        self.reason = ""
        self.not_restored: tuple[str, ...] = ()
        self.log = RunLog()
        self.series = LiveSeries()
        self.request: HandRequested | None = None
        self.compares_all = False
        self.has_begun = False
        self.version = 0
        self.measured_version = 0
        self.happenings: list[str] = []
        self._changes = OpenChanges()
        self._trials: list[TrialResult] = []
        self._predicted: Predicted | None = None
        self._server_time: deque[datetime] = deque(maxlen=2)
        self._clock = RunClock()
        self._kept_s: list[float] = []
        self._is_guided = False

    # What the page tells

    def start(self, now_s: float, earlier: Sequence[TrialResult] = ()) -> None:
        """Take note that the person started the run, or lets one go on that has `earlier` trials."""
        self._clock.start(now_s)
        for trial in earlier:
            self._count(trial)
        self._kept_s = [trial.took_s for trial in earlier if trial.status is not TrialStatus.ABORTED]
        self._to(Stage.STARTING)

    def ask_to_pause(self) -> None:
        """Take note that the person asked for a pause after the present trial."""
        if self.stage in (Stage.STARTING, Stage.RUNNING):
            self._to(Stage.PAUSING)

    def ask_to_resume(self, now_s: float) -> None:
        """Take note that the person let the run go on."""
        if self.stage in (Stage.PAUSING, Stage.PAUSED):
            self._clock.go_on(now_s)
            self._to(Stage.RUNNING)

    def ask_to_cancel(self, now_s: float) -> None:
        """Take note that the person cancelled the run."""
        if self.stage in GOING_ON:
            self._clock.go_on(now_s)
            self._to(Stage.CANCELLING)

    def tick(self, now_s: float) -> None:
        """Let time pass."""
        if self.stage in GOING_ON:
            self._clock.tick(now_s)

    def take(self, events: Iterable[RunEvent], at: datetime, now_s: float) -> None:
        """Take some more events.

        Args:
            at: time of day, for the log.
            now_s: a clock that never runs backwards, seconds.
        """
        self.tick(now_s)
        for event in events:
            self.version += 1
            self._take_one(event)
            self.log.note(event, at)

    def end(self, end: JobEnded, now_s: float) -> None:
        """Take note that the job is over; says so itself where the run never came to an end of its own."""
        self.tick(now_s)
        if end.problem:
            self.status, self.reason = RunStatus.FAILED, end.problem
        elif end.outcome is not None:
            self.status, self.reason = end.outcome.status, end.outcome.reason
            self.not_restored = end.outcome.not_restored
        self.request = None
        self._clock.go_on(now_s)
        self._to(Stage.ENDED)

    def show_end(self, end: RunEnd) -> None:
        """Take over how a run ended whose events were not seen."""
        self.status, self.reason, self.not_restored = RunStatus(end.status), end.reason, end.not_restored
        self.has_begun = True
        self._to(Stage.ENDED)

    def restored(self, problems: tuple[str, ...]) -> None:
        """Take note that everything open was put back after the run, apart from `problems`."""
        self._changes.clear()
        self.not_restored = problems
        self.version += 1

    # What the page asks

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return the present changes on the server, the newest first; chained changes of one object are one line."""
        return self._changes.lines

    @property
    def is_changed(self) -> bool:
        """Whether anything is changed or could not be put back."""
        return bool(self._changes or self.not_restored)

    @property
    def progress(self) -> float:
        """Share of the run done, 0–1."""
        if self.status is RunStatus.SUCCEEDED:
            return 1.0
        if not self.planned_trials:
            return 0.0
        return min(1.0, (self.finished_trials + self.trial_progress) / self.planned_trials)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, pauses included."""
        return self._clock.elapsed_s

    @property
    def left_s(self) -> float | None:
        """Seconds the rest will take at the pace of the trials that ended since the start, None where nobody knows.

        Before one has ended, those of an earlier part tell it, but on a lab, whose time is its own.
        """
        if self.stage not in GOING_ON:
            return None
        ended_here = self.finished_trials - len(self._kept_s)
        if ended_here > 0:
            trial_s = self._clock.worked_s / (ended_here + self.trial_progress)
        elif self._kept_s and self.target and not is_lab(self.target):
            trial_s = sum(self._kept_s) / len(self._kept_s)
        else:
            return None
        left_s = max(0.0, self.planned_trials - self.finished_trials - self.trial_progress) * trial_s
        return left_s if self.most_left_s is None else min(left_s, self.most_left_s)

    @property
    def most_left_s(self) -> float | None:
        """Seconds until the run ends in any case.

        None where that is not known, as on a lab, whose time is its own, or where waits for a DBA do not count.
        """
        is_known = self.stage in GOING_ON and not self._is_guided and not is_lab(self.target)
        if not is_known or self.plan is None or self.plan.most_s is None:
            return None
        return max(0.0, self.plan.most_s - self._clock.worked_s)

    @property
    def server_time_s(self) -> float:
        """Seconds that passed on the server's clock, which is virtual on the lab."""
        if len(self._server_time) < 2:
            return 0.0
        return max(0.0, (self._server_time[1] - self._server_time[0]).total_seconds())

    def by_setting(self) -> PlotSpec | None:
        """Return the measure by setting with its intervals so far, or as a model predicts it; None before a trial."""
        if self.plan is None:
            return None
        if self._predicted is not None:
            return self._predicted.plot
        used = [m for trial in self._trials if trial.status is TrialStatus.USED for m in trial.measurements]
        return plot_by_setting(self._families[self.plan.family], self.plan, used)

    def effect(self) -> PlotSpec | None:
        """Return the leading setting's effect after each block with its interval, None before that can be told."""
        if self.plan is None:
            return None
        return effect_by_block(self._families[self.plan.family], self.plan, self._trials)

    # How events change it

    def _to(self, stage: Stage) -> None:
        self.stage = stage
        self.version += 1

    def _take_one(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._begin(event)
            case TrialStarted():
                self._begin_trial(event)
            case StepStarted():
                self.step = event.text
            case SamplesTaken():
                self.trial_progress = event.progress
                self.series.add(event.samples)
            case TrialFinished() | Predicted():
                self._learn(event)
            case ChangeApplied() | ChangeRestored():
                self._note_change(event)
            case RunPaused() | RunResumed():
                self._wait(is_waiting=isinstance(event, RunPaused))
            case HandRequested() | HandConfirmed():
                self.request = event if isinstance(event, HandRequested) else None
            case RunFinished():
                self.request = None
                self.status, self.reason, self.not_restored = event.status, event.reason, event.not_restored
                self.spec, self.step, self.trial_progress = None, "", 0.0

    def _begin(self, event: RunStarted) -> None:
        self.plan, self.target, self.has_begun = event.plan, event.target, True
        self._is_guided = event.by_hand
        family = self._families.get(event.plan.family)
        self.compares_all = self.log.compares_all = family is not None and family.compares_all
        if family is not None:
            self.series.views = views_of(system_of(family))
            self.log.titles = {metric.name: metric.brief for metric in family.metrics}
        self._server_time.append(event.at_utc)
        if self.stage in (Stage.IDLE, Stage.STARTING):
            self.stage = Stage.RUNNING

    def _begin_trial(self, event: TrialStarted) -> None:
        self.spec, self.planned_trials, self.trial_progress = event.spec, event.planned_trials, 0.0
        views = self.series.views
        from_empty = self.plan is not None and views is not None and views.begins_at_rest(self.plan)
        label = event.spec.setting.values_text()
        is_baseline = self.plan is not None and event.spec.setting == self.plan.baseline
        self.series.begin_trial(
            event.spec.trial_id, label, from_empty=from_empty, block=event.spec.block, is_baseline=is_baseline
        )

    def _learn(self, event: TrialFinished | Predicted) -> None:
        if isinstance(event, Predicted):
            self._predicted = event
            self.measured_version += 1
            return
        trial = event.trial
        self._count(trial)
        if trial.phase is Phase.CONFIRM:
            self._predicted = None  # what is measured now counts
        self.spec, self.trial_progress = None, 0.0
        beside = meanwhile(trial.trial_id, trial.happenings)
        if beside:
            self.happenings.append(beside)
        first = self._server_time[0] if self._server_time else trial.started_utc
        self._server_time = deque((first, trial.finished_utc), maxlen=2)

    def _count(self, trial: TrialResult) -> None:
        if trial.status is not TrialStatus.ABORTED:
            self.finished_trials += 1
        self._trials.append(trial)
        if trial.status is not TrialStatus.USED:
            self.unused_trials += 1
        self.measured_version += 1

    def _note_change(self, event: ChangeApplied | ChangeRestored) -> None:
        if isinstance(event, ChangeApplied):
            self._changes.add(event.change)
        else:
            self._changes.forget(event.change)

    def _wait(self, *, is_waiting: bool) -> None:
        """The run begins to wait between two trials, with everything put back, or goes on after it."""
        self.step = ""
        if is_waiting and self.stage in (Stage.RUNNING, Stage.PAUSING):
            self.stage = Stage.PAUSED
            self._clock.pause()
        elif not is_waiting and self.stage is Stage.PAUSED:
            self.stage = Stage.RUNNING
            self._clock.go_on(self._clock.now_s)
