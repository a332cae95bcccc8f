"""Keeping what a run confirmed, at a client who agreed to it, and undoing that again.

A run undoes everything at its end. What it confirmed is kept by an act of its own: `find_to_keep` says whether a
session has something to keep, `KeepJob` keeps it on a thread (`GuidedSession.keep` in the calling one), and
`undo_kept` undoes it as long as it still is what was set.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.change import Change, Keep
from app.domain.errors import BadInput
from app.domain.events import RunEvent
from app.domain.family import ExperimentFamily
from app.domain.limits import RESTORED_BY
from app.domain.plan import Plan
from app.domain.plan_field import time_text
from app.domain.session import RunRecord
from app.domain.setting import Setting
from app.domain.target import Target
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.runner.control import RunControl
from app.runner.keeping import KeepEnded
from app.services.plan.checking import check_run
from app.services.ports import TargetOpener
from app.services.run.guided_session import GuidedSession
from app.services.run.journal_words import kept_sentences
from app.services.run.restoring import RestoreOutcome, RestoreWay, read_journal_state, restore_all
from app.services.run.run_sink import Observer
from app.services.run.session_job import SessionJob
from app.services.run.shown_better import shown_better
from app.services.target.answers import Answers
from app.services.target.target_spec import is_lab_of_this_process
from app.services.workplace import Workplace
from app.store import open_for_reading


@dataclass(frozen=True)
class Keepable:
    """A setting that the newest run of a session confirmed.

    Attributes:
        instead: the setting it was shown to be better than.
        hows: for how long it can be kept, the shortest first.
    """

    session_id: str
    run: RunRecord
    family: ExperimentFamily
    setting: Setting
    instead: Setting
    hows: tuple[Keep, ...]

    def why_not(self, how: Keep) -> str:
        """Return why it cannot be kept for so long, "" where it can."""
        if how in self.hows:
            return ""
        if how is Keep.UNTIL_CAUGHT_UP:
            return endless_text()
        return _("{setting} cannot be kept like that here").format(setting=self.setting.text())

    def consent(self, how: Keep) -> str:
        """Return the sentence that is agreed to."""
        by = self.run.plan.limits.get(RESTORED_BY.name)
        if how is Keep.FOR_GOOD:
            words = _(
                "{setting} instead of {baseline} stays on {target} until somebody undoes it (replitune undo {session})"
            )
        elif by is None:
            words = _(
                "{setting} instead of {baseline} on {target} until the backlog is processed, then everything is undone"
            )
        else:
            words = _(
                "{setting} instead of {baseline} on {target} until the backlog is processed, at the latest until "
                "{time}, then everything is undone"
            )
        agreed = words.format(
            setting=self.setting.text(),
            baseline=self.instead.text(),
            target=self.run.target,
            time="" if by is None else time_text(int(by)),
            session=self.session_id,
        )
        risk = self.family.kept_risk(self.run.plan, self.setting)
        return f"{agreed}. {risk}" if risk else agreed


def endless_text() -> str:
    """Return why something is not kept until a backlog is processed where none is worked off."""
    return _("there is no backlog to catch up here, so a setting can only be kept until it is undone")


def refuse_endless(family: ExperimentFamily, plan: Plan, how: Keep | None) -> None:
    """Refuse to keep what a plan may confirm until a backlog is processed, where its work is none.

    Raises:
        BadInput: it would never end.
    """
    if how is not Keep.UNTIL_CAUGHT_UP or family.rest_steps(plan):
        return
    if family.keep_steps(plan, plan.baseline):
        raise BadInput(endless_text())


def find_to_keep(place: Workplace, families: Mapping[str, ExperimentFamily], session_id: str | None = None) -> Keepable:
    """Return the setting that the newest run of a session confirmed, for None of the newest session.

    Raises:
        StoreError: the session file cannot be used, or holds no such session.
        BadInput: there is nothing to keep; the sentence says why.
    """
    with open_for_reading(place.session_file) as reader:
        session = reader.read_session(session_id, with_samples=False)
    if not session.runs:
        raise BadInput(_("nothing is kept: {file} holds no run").format(file=place.session_file))
    run = session.runs[-1]
    family = families.get(run.plan.family)
    if family is None:
        raise BadInput(_("nothing is kept: this installation does not know {family}").format(family=run.plan.family))
    better = shown_better(session, run, family)
    if better is None:
        raise BadInput(_("nothing is kept: run {run} confirmed no better setting").format(run=run.run_id))
    setting, instead = better
    if not family.keep_steps(run.plan, setting):
        raise BadInput(
            _("nothing is kept: run {run} was not made on the client's own work; use the scripts it hands over").format(
                run=run.run_id
            )
        )
    hows = (
        *((Keep.UNTIL_CAUGHT_UP,) if family.rest_steps(run.plan) else ()),
        *(() if is_lab_of_this_process(run.target) else (Keep.FOR_GOOD,)),  # which ends with it
    )
    return Keepable(session.session_id, run, family, setting, instead, hows)


def keep_found(
    found: Keepable,
    how: Keep,
    session: GuidedSession,
    target: Target,
    control: RunControl,
    observers: Sequence[Observer],
    desk: HandDesk | None = None,
) -> KeepEnded:
    """Keep a confirmed setting in the calling thread, as it was agreed to; arguments as of `GuidedSession.keep`.

    Raises:
        BadInput: it cannot be kept so; what the run needs is no longer there.
        NotRestored: something is kept, or left, there already.
    """
    if why_not := found.why_not(how):
        raise BadInput(why_not)
    prepared = check_run(found.run.plan, found.family, target, str(session.workplace.session_file))
    return session.keep(prepared, target, found.run.run_id, found.setting, how, control, observers, desk=desk)


@dataclass(frozen=True)
class KeepJobEnded:
    """The end of a keep, told once, from its thread; `ended` is None where it never began, with the problem."""

    ended: KeepEnded | None
    problem: str
    error: BaseException | None = None


class KeepJob(SessionJob[KeepEnded]):
    """Keeps a setting on a thread of its own; cancelled, it undoes what is not kept for good."""

    def __init__(
        self,
        found: Keepable,
        how: Keep,
        place: Workplace,
        journal_path: Path,
        open_target: TargetOpener,
        on_event: Callable[[RunEvent], None],
        on_end: Callable[[KeepJobEnded], None],
        *,
        guided: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """Prepare the job.

        Args:
            how: as it was agreed to (`Keepable.consent`).
            on_event, on_end: called on the thread; they must only hand on what they are told.
            guided: the client's DBA makes the changes.
            clock: of this computer, for `answers`; None for its own.
        """
        super().__init__(f"keep-{found.run.run_id}", place, guided=guided)
        self.found = found
        self.how = how
        self._journal_path = journal_path
        self.answers = Answers(open_target, clock)
        self._on_event = on_event
        self._on_end = on_end

    @property
    def _broken(self) -> str:
        return _("keeping stopped because of a mistake in the program")

    def _end(self, done: KeepEnded | None, problem: str, error: BaseException | None) -> None:
        self._on_end(KeepJobEnded(done, problem, error))

    def _work(self) -> KeepEnded:
        found = self.found
        with GuidedSession(
            self.place, self._journal_path, self.answers.open, resume=True, session_id=found.session_id
        ) as session:
            target = session.open_target(found.run.target, found.run.plan.design.seed)
            try:
                return keep_found(found, self.how, session, target, self.control, [self._on_event], self.desk)
            finally:
                target.close()


def undo_kept(
    journal_path: Path,
    session_id: str,
    open_target: TargetOpener,
    on_restored: Callable[[Change], None],
    on_left: Callable[[Change, str], None],
    way: RestoreWay,
) -> RestoreOutcome:
    """Undo what a session set and the client keeps; what somebody else changed since stays so and is told.

    Raises:
        StoreError: the journal cannot be used.
        BadInput: that session keeps nothing.
    """
    state = read_journal_state(journal_path)
    if session_id not in {entry.session_id for entry in (*state.kept, *state.entries)}:
        there = kept_sentences(state.kept)
        words = (
            _("session {session} keeps nothing on any server; there is: {others}")
            if there
            else _("session {session} keeps nothing on any server, nor does any other in {journal}")
        )
        raise BadInput(words.format(session=session_id, others="; ".join(there), journal=journal_path))
    return restore_all(journal_path, open_target, on_restored, on_left, replace(way, session_id=session_id))
