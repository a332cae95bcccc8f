"""Keeping a setting that was confirmed: put into effect anew after its run, and left so on purpose.

A run undoes everything first, so that nothing is kept that nobody agreed to. Until all of a setting is in effect, and
the journal says that it is kept, whatever breaks off leaves changes that are undone like those of a run; from then on
they stand until somebody undoes them (`replitune undo`), or, where they are kept until the backlog is processed, until
that, a cancel, a limit or the plan's deadline.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from app.domain.change import Keep
from app.domain.errors import ReplituneError, StoreError
from app.domain.events import Note, RunEvent, SamplesTaken, StepMoved, StepStarted
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.ports import UndoJournal
from app.domain.rig import LimitExceeded, RigParts, RunCancelled, TrialCall
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.system import system_of
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.announced import AnnouncedChanger
from app.runner.control import RunControl
from app.runner.time_agreed import Deadline, TimeAgreed, no_waits_s

_WATCHED_S: Final = 600.0
"""Expected of steps that end when they end, for the interval of readings."""


@dataclass(frozen=True)
class KeepOrder:
    """Everything that is told before a setting is kept.

    Attributes:
        run_id: of the run that confirmed it.
        sink: told what is changed and undone, and notes, in the thread that keeps.
        watch: told steps and readings, which nobody keeps.
        on_kept: called once the journal says that the setting is kept.
        by_hand, waited_s: as in `RunOrder`.
    """

    session_id: str
    run_id: str
    plan: Plan
    family: ExperimentFamily
    site: Site
    target: Target
    journal: UndoJournal
    control: RunControl
    sink: Callable[[RunEvent], None]
    watch: Callable[[RunEvent], None]
    on_kept: Callable[[], None]
    setting: Setting
    how: Keep
    by_hand: bool = False
    waited_s: Callable[[], float] = no_waits_s


@dataclass(frozen=True)
class KeepEnded:
    """How keeping ended.

    Attributes:
        is_kept: the setting stands on the server, on purpose.
        is_complete: what was agreed to was done to its end.
        is_cancelled: a cancel was asked for.
        reason: one sentence.
        not_restored: one sentence for each change that is to be undone and could not be.
    """

    is_kept: bool
    reason: str
    is_complete: bool = False
    is_cancelled: bool = False
    not_restored: tuple[str, ...] = ()


def execute_keep(order: KeepOrder) -> KeepEnded:
    """Put a setting into effect and keep it; whatever is not kept is undone. Runs in the calling thread."""
    return _Keeping(order).execute()


class _Keeping:
    def __init__(self, order: KeepOrder) -> None:
        self._order = order
        target = order.target
        self._changer = AnnouncedChanger(
            target, order.journal, order.session_id, order.run_id, order.sink, by_hand=order.by_hand
        )
        is_for_good = order.how is Keep.FOR_GOOD
        deadline = None if is_for_good else Deadline.of(order.plan.limits, target.clock, 0.0)
        self._time = TimeAgreed(
            target.clock, None, order.control, order.waited_s, deadline=deadline, asking=target.asking
        )
        target.asking.until(self._time.check)
        self._rig = (
            system_of(order.family)
            .rig_kind(order.family.subject)
            .make(RigParts(target, self._changer, self._time, order.plan, order.site, owner=order.session_id))
        )

    def execute(self) -> KeepEnded:
        order, ended = self._order, KeepEnded(False, _("the program stopped unexpectedly"))
        try:
            with order.control.interrupting(order.target.cancel):
                ended = self._keep()
        finally:
            if not ended.is_kept:
                ended = replace(ended, not_restored=self._undo())
            order.sink(Note(order.run_id, ended.reason))
        return ended

    def _keep(self) -> KeepEnded:
        """Return how it went, with nothing undone yet; only bugs leave as exceptions."""
        order, setting = self._order, self._order.setting.text()
        is_kept = False
        try:
            self._do(order.family.keep_steps(order.plan, order.setting))
            order.control.check()
            self._changer.keep(order.how)
            is_kept = True
            order.on_kept()
            if order.how is Keep.FOR_GOOD:
                return KeepEnded(True, _("{setting} is kept").format(setting=setting), is_complete=True)
            self._do(order.family.rest_steps(order.plan))
        except (RunCancelled, LimitExceeded, ReplituneError) as error:
            is_cancelled = isinstance(error, RunCancelled) or order.control.is_cancelled
            why = _("cancelled on request") if is_cancelled else str(error)
            words = _("{setting} is no longer kept: {why}") if is_kept else _("{setting} is not kept: {why}")
            return KeepEnded(False, words.format(setting=setting, why=why), is_cancelled=is_cancelled)
        words = _("{setting} was kept until the backlog was processed")
        return KeepEnded(False, words.format(setting=setting), is_complete=True)

    def _do(self, steps: tuple[Step, ...]) -> None:
        try:
            self._rig.do(self._call(steps))
        except BaseException:
            self._rig.settle()
            raise

    def _call(self, steps: tuple[Step, ...]) -> TrialCall:
        order = self._order
        return TrialCall(
            steps=steps,
            expected_s=_WATCHED_S,
            seed=0,
            on_step=lambda text: order.watch(StepStarted(order.run_id, text)),
            on_samples=self._tell_samples,
            on_left=lambda left, unit: order.watch(StepMoved(order.run_id, left, unit)),
            on_note=lambda text: order.sink(Note(order.run_id, text)),
        )

    def _tell_samples(self, samples: tuple[Sample, ...], progress: float) -> None:
        self._order.watch(SamplesTaken(self._order.run_id, "", samples, progress))

    def _undo(self) -> tuple[str, ...]:
        """Undo everything; from now on nothing is kept, so that the next restore undoes what breaks off here."""
        try:
            self._changer.keep(None)
        except StoreError as error:
            self._order.sink(Note(self._order.run_id, str(error)))
        return self._changer.restore_announced()
