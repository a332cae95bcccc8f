"""Executing one plan on one target: trials, events, and the server put back whatever happens."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.domain.errors import ReplituneError
from app.domain.events import (
    Note,
    RunEvent,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    RunStatus,
    SamplesTaken,
    StepMoved,
    StepStarted,
    TrialFinished,
    TrialStarted,
)
from app.domain.family import ExperimentFamily, Site
from app.domain.happening import Happening, distinct
from app.domain.measurement import Sample, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan, TrialSpec
from app.domain.ports import UndoJournal
from app.domain.rig import LimitExceeded, RigParts, RunCancelled, TrialCall, WorkDone
from app.domain.setting import effective_setting
from app.domain.system import system_of
from app.domain.target import Target
from app.foundation.suspend_time import suspended_s
from app.foundation.texts import _, in_words_of
from app.runner.announced import AnnouncedChanger
from app.runner.clock_witness import ClockWitness
from app.runner.control import RunControl
from app.runner.ended_settings import ended_settings
from app.runner.limits import longest_beside_baseline, slower_than_baseline
from app.runner.schedule import schedule_of
from app.runner.time_agreed import Deadline, TimeAgreed, no_waits_s

EventSink = Callable[[RunEvent], None]


@dataclass(frozen=True)
class RunOrder:
    """Everything a run is told before it starts.

    Attributes:
        done: trials finished before an interruption; they are kept and not run again.
        resumed: the run was begun before, even if no trial of it was finished.
        least_confirm_blocks: as in `Schedule`, for a complete run that is extended.
        sink: told every event, in order, in the run's own thread; its failure stops the run (the store is in it).
        by_hand: the target's changes are made by the client's DBA.
        suspended_s: returns how long this computer was suspended since an arbitrary moment.
        waited_s: returns how long whoever makes changes by hand was waited for so far, on the target's clock.
    """

    session_id: str
    run_id: str
    plan: Plan
    family: ExperimentFamily
    site: Site
    target: Target
    journal: UndoJournal
    control: RunControl
    sink: EventSink
    done: tuple[TrialResult, ...] = ()
    resumed: bool = False
    least_confirm_blocks: int = 0
    by_hand: bool = False
    suspended_s: Callable[[], float] = suspended_s
    waited_s: Callable[[], float] = no_waits_s


def execute(order: RunOrder) -> RunStatus:
    """Run the plan to its end and restore the target, whatever happens; returns the terminal status.

    Exactly one RunFinished follows the RunStarted. Runs in the calling thread.
    """
    with in_words_of(order.plan.design):
        return _Run(order).execute()


class _Run:
    """One execution; lives in one thread."""

    def __init__(self, order: RunOrder) -> None:
        self._order = order
        self._done = list(order.done)
        self._schedule = schedule_of(order.plan, order.run_id, order.family, order.least_confirm_blocks, order.done)
        self._changer = AnnouncedChanger(
            order.target, order.journal, order.session_id, order.run_id, order.sink, by_hand=order.by_hand
        )
        self._trial_id = ""
        self._marks: list[str] = []
        self._happenings: list[Happening] = []
        self._baseline = effective_setting(order.plan.baseline, order.family.parameters)
        self._longest_s = math.inf
        self._clocks = self._witness()
        self._time = TimeAgreed(
            order.target.clock,
            order.plan.most_s,
            order.control,
            order.waited_s,
            () if order.by_hand else order.done,  # what those took holds the waits for whoever made changes
            Deadline.of(order.plan.limits, order.target.clock, order.family.estimate_trial_s(order.plan)),
            order.target.asking,
        )
        order.target.asking.until(self._time.check)
        self._rig = (
            system_of(order.family)
            .rig_kind(order.family.subject)
            .make(
                RigParts(
                    order.target,
                    self._changer,
                    self._time,
                    order.plan,
                    order.site,
                    owner=order.session_id,
                    kept=order.done,
                )
            )
        )

    def execute(self) -> RunStatus:
        order = self._order
        clocks = self._witness()
        began_utc = clocks.began_utc
        order.sink(RunStarted(order.run_id, order.plan, order.target.key, began_utc, order.resumed, order.by_hand))
        status, reason = RunStatus.FAILED, _("the program stopped unexpectedly")
        try:
            with order.control.interrupting(order.target.cancel):
                status, reason = self._run_trials()
        finally:
            problems = self._restore()
            order.sink(RunFinished(order.run_id, status, reason, clocks.ended_utc(), problems))
        return status

    def _run_trials(self) -> tuple[RunStatus, str]:
        """Return how the trials ended, and why; only bugs leave as exceptions."""
        try:
            while (spec := self._schedule.next_spec(self._done)) is not None:
                if spec.phase is Phase.EXPLORE:
                    self._tell_departure()
                self._pause_if_asked()
                self._order.control.check()
                self._time.begin_trial(spec.setting, self._schedule.most_trials(self._done) - len(self._done))
                try:
                    self._run_trial(spec)
                except BaseException:
                    self._rig.settle()
                    raise
                self._time.end_trial(spec.setting)
        except RunCancelled:
            return RunStatus.CANCELLED, _("cancelled on request")
        except LimitExceeded as limit:
            return RunStatus.ABORTED, str(limit)
        except WorkDone as done:
            self._tell_departure()
            return RunStatus.SUCCEEDED, str(done)
        except ReplituneError as error:
            if self._order.control.is_cancelled:  # the cancel ended the statement that ran
                return RunStatus.CANCELLED, _("cancelled on request")
            return RunStatus.FAILED, str(error)
        self._tell_departure()
        return RunStatus.SUCCEEDED, self._schedule.reason(self._done)

    def _tell_departure(self) -> None:
        if left := self._schedule.departure(self._done):
            self._order.sink(Note(self._order.run_id, left))

    def _run_trial(self, spec: TrialSpec) -> None:
        order = self._order
        self._trial_id, self._marks, self._happenings, self._clocks = spec.trial_id, [], [], self._witness()
        self._longest_s = longest_beside_baseline(order.plan.limits, self._baseline, self._done)
        order.sink(TrialStarted(order.run_id, spec, self._schedule.planned_trials(self._done)))
        started_utc = self._clocks.began_utc
        empty = TrialResult(
            trial_id=spec.trial_id,
            block=spec.block,
            phase=spec.phase,
            setting=spec.setting,
            status=TrialStatus.ABORTED,
            failed_checks=(),
            measurements=(),
            samples=(),
            started_utc=started_utc,
            finished_utc=started_utc,
        )
        try:
            observation = self._rig.run_trial(self._call(spec))
        except (LimitExceeded, WorkDone, RunCancelled, ReplituneError) as early:
            why = str(early) or _("cancelled on request")
            ended_utc = self._clocks.ended_utc()
            order.sink(
                TrialFinished(
                    order.run_id,
                    replace(
                        empty,
                        failed_checks=(why, *self._disturbances()),
                        finished_utc=ended_utc,
                        happenings=distinct(self._happenings),
                    ),
                )
            )
            raise
        failed = (*order.family.failed_checks(order.plan, spec, observation), *self._disturbances())
        result = replace(
            empty,
            status=TrialStatus.NOT_USED if failed else TrialStatus.USED,
            failed_checks=failed,
            measurements=order.family.measure(order.plan, spec, observation, order.site),
            samples=observation.samples,
            finished_utc=self._clocks.ended_utc(),
            happenings=distinct(self._happenings),
        )
        before = ended_settings(self._done)
        self._done.append(result)
        order.sink(TrialFinished(order.run_id, result))
        for setting in ended_settings(self._done) - before:
            words = _("{setting} failed twice in the same way and is not tried again")
            order.sink(Note(order.run_id, words.format(setting=setting.text())))
        if (predicted := self._schedule.predicted(self._done)) is not None:
            order.sink(predicted)

    def _call(self, spec: TrialSpec) -> TrialCall:
        order = self._order
        return TrialCall(
            steps=order.family.trial_steps(order.plan, spec.setting),
            expected_s=order.family.estimate_trial_s(order.plan),
            # every trial has its own draw of the workload, the same when it is run again
            seed=order.plan.design.seed * 10_007 + spec.order,
            on_step=self._announce_step,
            on_samples=self._announce_samples,
            on_left=lambda left, unit: order.sink(StepMoved(order.run_id, left, unit)),
            on_server_time=self._clocks.server_time,
            on_mark=self._marks.append,
            is_spoiled=lambda: bool(self._marks) or self._clocks.has_seen_a_jump,
            on_happening=self._happenings.append,
            on_note=lambda text: order.sink(Note(order.run_id, text)),
            is_confirming=spec.phase is Phase.CONFIRM,
        )

    def _witness(self) -> ClockWitness:
        return ClockWitness(self._order.target.clock, self._order.suspended_s)

    def _disturbances(self) -> tuple[str, ...]:
        """Return one sentence on each thing that happened in the present trial and ended it not, but spoils it."""
        return (*self._marks, *self._clocks.sentences())

    def _announce_step(self, text: str) -> None:
        self._clocks.look()
        self._order.sink(StepStarted(self._order.run_id, text))

    def _announce_samples(self, samples: tuple[Sample, ...], progress: float) -> None:
        self._order.sink(SamplesTaken(self._order.run_id, self._trial_id, samples, progress))
        if too_slow := slower_than_baseline(samples, self._longest_s):
            raise LimitExceeded(too_slow)

    def _pause_if_asked(self) -> None:
        """Honour a pause between trials: the server is restored before anyone waits."""
        control = self._order.control
        if not control.pause_requested:
            return
        problems = self._restore()
        if problems:
            raise ReplituneError(_("the pause could not undo everything: {problem}").format(problem=problems[0]))
        self._order.sink(RunPaused(self._order.run_id))
        self._time.pause(control.wait_while_paused)
        self._order.sink(RunResumed(self._order.run_id))

    def _restore(self) -> tuple[str, ...]:
        problems = self._changer.restore_announced()
        self._rig.forget()
        return problems
