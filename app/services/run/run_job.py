"""One run on a worker thread of its own: started, watched, paused, cancelled, and always joined."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import StoreError
from app.domain.events import RunEvent
from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.services.plan.checking import prepare_run
from app.services.ports import TargetOpener
from app.services.run.extending import find_to_extend
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.resuming import find_interrupted
from app.services.run.session_job import SessionJob
from app.services.target.answers import Answers
from app.services.workplace import Workplace


@dataclass(frozen=True)
class JobEnded:
    """The end of a job, told once, from the worker thread, after everything is restored and closed.

    Attributes:
        session_id: "" where no session was begun.
        outcome: None where the run never started.
        problem: one sentence where it never started or broke off, else "".
        error: the exception behind a problem that is a mistake of the program, else None.
    """

    session_id: str
    outcome: RunOutcome | None
    problem: str
    error: BaseException | None = None


@dataclass(frozen=True)
class JobOrder:
    """An order for a run: plan, target, and where to keep it.

    Attributes:
        guided: every change is asked of the client's DBA, at the job's `desk`.
        resumes: id of the session whose last run goes on, "" for a new session.
        least_confirm_blocks: as in `RunOrder`: the run that goes on is complete and is extended; 0 for one that is not.
        agreed_s: how long it may take at most, as it was agreed to; None for what is known when it starts.
    """

    target: str
    plan: Plan
    family: ExperimentFamily
    place: Workplace
    journal_path: Path
    seed: int = 1
    guided: bool = False
    resumes: str = ""
    least_confirm_blocks: int = 0
    agreed_s: float | None = None


class RunJob(SessionJob[RunOutcome]):
    """Runs one plan on a thread; any thread may ask it to pause or cancel.

    Attributes:
        answers: when servers last answered.
    """

    def __init__(
        self,
        order: JobOrder,
        open_target: TargetOpener,
        on_event: Callable[[RunEvent], None],
        on_end: Callable[[JobEnded], None],
        clock: Clock | None = None,
    ) -> None:
        """Prepare the job.

        Args:
            on_event, on_end: called on the worker thread; they must only hand on what they are told.
            clock: of this computer, for `answers`; None for its own.
        """
        super().__init__(f"run-{order.plan.family}", order.place, guided=order.guided)
        self.order = order
        self.answers = Answers(open_target, clock)
        self._on_event = on_event
        self._on_end = on_end
        self._session_id = ""
        self._session: GuidedSession | None = None

    def note(self, text: str, run_id: str) -> None:
        """Keep a person's note on the run that goes on; any thread.

        Raises:
            StoreError: the session file cannot be written, or no session is open.
        """
        session = self._session
        if session is None:
            raise StoreError(_("the session is closed: a note can be written in the client's file"))
        session.add_remark(text, run_id)

    @property
    def _broken(self) -> str:
        return _("the run stopped because of a mistake in the program")

    def _end(self, done: RunOutcome | None, problem: str, error: BaseException | None) -> None:
        self._on_end(JobEnded(self._session_id, done, problem, error))

    def _work(self) -> RunOutcome:
        return self._go_on() if self.order.resumes else self._run_anew()

    def _go_on(self) -> RunOutcome:
        """Resume the last run of a session: its trials are kept, changes left open are undone first."""
        order, self._session_id = self.order, self.order.resumes
        families = {order.plan.family: order.family}
        if order.least_confirm_blocks:
            earlier = find_to_extend(order.place, families, order.resumes).run
        else:
            earlier = find_interrupted(order.place, order.resumes).run
        with GuidedSession(
            order.place, order.journal_path, self.answers.open, resume=True, session_id=order.resumes
        ) as session:
            target = session.open_target(order.target, order.seed)
            self._session = session
            try:
                session.restore_open(target, order.family, self.control, [self._on_event], self.desk)
                prepared = prepare_run(
                    order.plan,
                    order.family,
                    target,
                    order.target,
                    kept=earlier.trials,
                    agreed_s=order.agreed_s,
                )
                return session.run(
                    prepared,
                    target,
                    self.control,
                    [self._on_event],
                    desk=self.desk,
                    run_id=earlier.run_id,
                    done=earlier.trials,
                    least_confirm_blocks=order.least_confirm_blocks,
                )
            finally:
                self._session = None
                target.close()

    def _run_anew(self) -> RunOutcome:
        order = self.order
        with GuidedSession(order.place, order.journal_path, self.answers.open) as session:
            target = session.open_target(order.target, order.seed)
            self._session = session
            try:
                prepared = prepare_run(order.plan, order.family, target, order.target, agreed_s=order.agreed_s)
                # from here on the session is in its file, also where a mistake of the program ends the run
                self._session_id = session.session_id
                return session.run(prepared, target, self.control, [self._on_event], desk=self.desk)
            finally:
                self._session = None
                target.close()
