"""How a run stands: built up from its events, cheap for each, bounded however long it goes on."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.analysis.leading import leading_setting
from app.analysis.own_backlog import CatchingUp, backlog_uncounted
from app.analysis.plan_settings import setting_places
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
from app.domain.measurement import BACKLOG, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.setting import Setting
from app.domain.system import system_of
from app.flows.open_changes import OpenChanges
from app.flows.run.live_series import LiveSeries
from app.flows.run.run_backlog import RunBacklog, backlog_of
from app.flows.run.run_clock import RunClock
from app.flows.run.run_effect import effect_by_block
from app.flows.run.run_log import RunLog
from app.flows.run.run_plot import plot_by_setting
from app.flows.run.run_pulse import RunPulse
from app.flows.shell.wizard import RunEnd
from app.flows.system_views import views_of
from app.foundation.texts import _, in_words_of
from app.services.run.run_job import JobEnded
from app.services.target.answers import Silence
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
    KEEPING = "keeping"
    ENDED = "ended"


GOING_ON: Final = frozenset(Stage) - {Stage.IDLE, Stage.ENDED}
"""Stages in which a worker thread runs."""


class RunState:
    """The state of one run; lives on one thread, which tells it the events and asks for the picture to show.

    Attributes:
        stage: how the run stands.
        target: where it runs.
        run_id: its name in its session, "" before it began.
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
        beside: what else ran on the servers, each with the trials it ran beside, the newest last.
        pulse: what moves.
    """

    def __init__(self, families: Families) -> None:
        self._families = families
        self.stage = Stage.IDLE
        self.plan: Plan | None = None
        self._places: Mapping[Setting, int] = {}
        self.run_id = ""
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
        self.beside: dict[str, list[str]] = {}
        self._changes = OpenChanges()
        self._trials: list[TrialResult] = []
        self._predicted: Predicted | None = None
        self._server_time: deque[datetime] = deque(maxlen=2)
        self._clock = RunClock()
        self._kept_s: list[float] = []
        self._is_guided = False
        self._backlog: RunBacklog | None = None
        self.pulse = RunPulse()
        self._answered_ago_s: float | None = None
        self._silence: Silence | None = None

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
            self.pulse.note(event, now_s)
            self._take_one(event)
            if not isinstance(event, SamplesTaken):  # which come in thousands, and have no line
                with in_words_of(self):
                    self.log.note(event, at)

    def write_note(self, text: str, at: datetime) -> None:
        """Take note of a person's note: a line of the log, and a mark over the readings."""
        if self._backlog is not None:
            self._backlog.note()
        self.log.tell(_("Note {number}: {text}").format(number=self.series.stamp(), text=text), at)
        self.version += 1

    def hear(self, answered_ago_s: float, silence: Silence | None) -> None:
        """Take note of when a server last answered, seconds ago, and of one that is silent."""
        self._answered_ago_s, self._silence = answered_ago_s, silence

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

    def begin_keep(self, setting: Setting, now_s: float) -> None:
        """Take note that a confirmed setting is put into effect, to be kept."""
        gap_s = max(0.0, now_s - self._clock.now_s)
        if self._backlog is not None:
            self._backlog.begin_rest(setting, gap_s)
        self.series.begin_trial("", setting.values_text(), from_empty=False)
        self.tick(now_s)
        self._to(Stage.KEEPING)

    def end_keep(self, reason: str, not_restored: tuple[str, ...], at: datetime, now_s: float) -> None:
        """Take note that the keeping is over: the setting stands for good, or everything is undone."""
        self.tick(now_s)
        self.reason, self.not_restored, self.request, self.step = reason, not_restored, None, ""
        if not self.is_changed:
            self.log.tell_restored(at)
        self._to(Stage.ENDED)

    def show_end(self, end: RunEnd) -> None:
        """Take over how a run ended whose events were not seen."""
        self.status, self.reason, self.not_restored = RunStatus(end.status), end.reason, end.not_restored
        self.has_begun = True
        self._to(Stage.ENDED)

    def restored(self, problems: tuple[str, ...], at: datetime, count: int = 0) -> None:
        """Take note that `count` changes were undone after the run and read back, and everything but `problems`."""
        if not problems:
            self.log.tell_restored(at, count)
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
        with in_words_of(self):
            return plot_by_setting(self._families[self.plan.family], self.plan, used)

    @property
    def trials(self) -> Sequence[TrialResult]:
        """Return the trials that ended, in order."""
        return self._trials

    @property
    def answered_ago_s(self) -> float | None:
        """Seconds since a server last answered, None while none is asked."""
        return self._answered_ago_s if self._is_asking else None

    @property
    def silence(self) -> Silence | None:
        """A server that is asked and does not answer, None while there is none."""
        return self._silence if self._is_asking else None

    @property
    def still_s(self) -> float:
        """Seconds since anything moved in the present step, 0 where it does, and while a person is waited for."""
        return self.pulse.still_s(self._clock.now_s) if self._is_asking and self.request is None else 0.0

    @property
    def _is_asking(self) -> bool:
        return self.stage in GOING_ON and self.stage is not Stage.PAUSED

    @property
    def is_windowed(self) -> bool:
        """Whether its trials are windows on the client's own work."""
        return self.plan is not None and self.plan.design.is_windowed

    @property
    def has_backlog(self) -> bool:
        """Whether it eats on in a backlog of the client's."""
        return self._backlog is not None

    def backlog(self) -> PlotSpec | None:
        """Return the client's backlog with its forecast, None before a window told it, and for other work."""
        return None if self._backlog is None else self._backlog.plot(self._trials, self._leading())

    def ahead(self) -> CatchingUp | None:
        """Return the forecast of the client's backlog, None before windows tell it, and for other work."""
        return None if self._backlog is None else self._backlog.ahead(self._trials, self._leading())

    @property
    def uncounted(self) -> str:
        """Return why no end of the client's backlog can be forecast, "" where it can, and for other work."""
        family = None if self.plan is None else self._families.get(self.plan.family)
        return "" if self.plan is None or family is None else backlog_uncounted(family, self.plan)

    def _leading(self) -> Setting | None:
        """Return the setting that is best so far, or was confirmed."""
        family = None if self.plan is None else self._families.get(self.plan.family)
        if self.plan is None or family is None or family.compares_all:
            return None
        return leading_setting(family.main_metric(self.plan), self._trials, self.plan.baseline)

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
                self._read(event)
            case TrialFinished() | Predicted():
                self._learn(event)
            case ChangeApplied() | ChangeRestored():
                self._note_change(event)
            case RunPaused() | RunResumed():
                self._wait(is_waiting=isinstance(event, RunPaused))
            case HandRequested() | HandConfirmed():
                self._wait_for_hand(event if isinstance(event, HandRequested) else None)
            case RunFinished():
                self.request = None
                self.status, self.reason, self.not_restored = event.status, event.reason, event.not_restored
                self.spec, self.step, self.trial_progress = None, "", 0.0

    def _read(self, event: SamplesTaken) -> None:
        self.trial_progress = event.progress
        self.series.add(event.samples)
        if self._backlog is not None:
            self._backlog.take(event.samples)
        self._look_what_moves(event)

    def _look_what_moves(self, event: SamplesTaken) -> None:
        """Hold the reading against the one before: the backlog in a window, the work done in a trial.

        A window with no work before it may well stand still.
        """
        now_s = self._clock.now_s
        left = next((sample for sample in event.samples if sample.stream == BACKLOG), None)
        if left is not None and left.value > 0:
            self.pulse.count_down(left.value, left.unit, now_s)
        elif not self.is_windowed:
            total = self.series.total
            self.pulse.look(event.progress if total is None else total.value, now_s)

    def _begin(self, event: RunStarted) -> None:
        self.plan, self.target, self.has_begun = event.plan, event.target, True
        self.run_id = event.run_id
        self._is_guided = event.by_hand
        family = self._families.get(event.plan.family)
        self._places = setting_places(event.plan, () if family is None else family.parameters)
        self.compares_all = self.log.compares_all = family is not None and family.compares_all
        if family is not None:
            self.series.views = views_of(system_of(family))
            self.log.titles = {metric.name: metric.brief for metric in family.metrics}
            self._backlog = backlog_of(family, event.plan, event.at_utc)
        for trial in self._trials:
            if self._backlog is not None:
                self._backlog.end(trial)
        self._server_time.append(event.at_utc)
        if self.stage in (Stage.IDLE, Stage.STARTING):
            self.stage = Stage.RUNNING

    def _begin_trial(self, event: TrialStarted) -> None:
        self.spec, self.planned_trials, self.trial_progress = event.spec, event.planned_trials, 0.0
        if self._backlog is not None:
            self._backlog.begin(event.spec)
        views = self.series.views
        from_empty = self.plan is not None and views is not None and views.begins_at_rest(self.plan)
        label = event.spec.setting.values_text()
        place = self._places.get(event.spec.setting)
        self.series.begin_trial(event.spec.trial_id, label, from_empty=from_empty, block=event.spec.block, place=place)

    def _learn(self, event: TrialFinished | Predicted) -> None:
        if isinstance(event, Predicted):
            self._predicted = event
            self.measured_version += 1
            return
        trial = event.trial
        self._count(trial)
        if self._backlog is not None:
            self._backlog.end(trial)
        if trial.phase is Phase.CONFIRM:
            self._predicted = None  # what is measured now counts
        self.spec, self.trial_progress = None, 0.0
        for happening in trial.happenings:
            concerned = self.beside.pop(happening.text, [])
            self.beside[happening.text] = [*dict.fromkeys((*concerned, trial.trial_id))]
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

    def _wait_for_hand(self, request: HandRequested | None) -> None:
        """A person is asked to run something, whose time tells nothing of the trials to come, or has done it."""
        self.request = request
        if request is not None:
            self._clock.pause()
        elif self.stage is not Stage.PAUSED:
            self._clock.go_on(self._clock.now_s)

    def _wait(self, *, is_waiting: bool) -> None:
        """The run begins to wait between two trials, with everything put back, or goes on after it."""
        self.step = ""
        if is_waiting and self.stage in (Stage.RUNNING, Stage.PAUSING):
            self.stage = Stage.PAUSED
            self._clock.pause()
        elif not is_waiting and self.stage is Stage.PAUSED:
            self.stage = Stage.RUNNING
            self._clock.go_on(self._clock.now_s)
