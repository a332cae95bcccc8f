"""A guided session: plans run on targets, kept in a session file, put back, and explained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType

from app.domain.errors import BadInput, NotRestored
from app.domain.events import RunEvent, RunFinished, RunStatus
from app.domain.family import ExperimentFamily, PreflightCheck, Site
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Plan
from app.domain.ports import Target
from app.foundation.clock import SystemClock
from app.foundation.ids import new_session_id
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.runner.undo import restore_entries
from app.services.plan_file import check_factors
from app.services.ports import TargetOpener
from app.services.site import complete_plan, read_environment, read_site, server_limits
from app.services.workplace import Workplace
from app.store import (
    JournalWithScript,
    SessionHeader,
    SessionRecorder,
    UndoJournalFile,
    create_session_file,
    open_for_writing,
)

Observer = Callable[[RunEvent], None]


@dataclass(frozen=True)
class PreparedRun:
    """A plan that fits its target, before anything is changed."""

    plan: Plan
    family: ExperimentFamily
    site: Site
    checks: tuple[PreflightCheck, ...]


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended."""

    run_id: str
    status: RunStatus
    reason: str
    not_restored: tuple[str, ...]


def prepare_run(plan: Plan, family: ExperimentFamily, target: Target, where: str) -> PreparedRun:
    """Read the target and check that the plan can run there.

    Args:
        where: file or form the plan comes from, for error sentences.

    Raises:
        BadInput: a capability is missing, a value is outside the server's own limits, or a blocking check fails.
    """
    missing = sorted(str(need) for need in family.needs - target.capabilities)
    if missing:
        raise BadInput(
            _("{family} needs {missing}, which {target} does not offer").format(
                family=family.family_id, missing=", ".join(missing), target=target.key
            )
        )
    site = read_site(target, family.agent)
    complete = complete_plan(plan, family, site)
    check_factors(complete, family, server_limits(site), where)
    checks = family.preflight(complete, site)
    for check in checks:
        if check.blocking and not check.passed:
            raise BadInput(f"{where}: {check.title}: {check.remedy}")
    return PreparedRun(complete, family, site, checks)


class GuidedSession:
    """One session of an engagement file, open for work; a context manager."""

    def __init__(
        self, workplace: Workplace, journal_path: Path, open_target: TargetOpener, *, title: str, resume: bool = False
    ) -> None:
        """Begin a session, or take up the newest one of the file where `resume`.

        Raises:
            StoreError: the session file or the journal cannot be used.
        """
        self.workplace = workplace
        self._open_target = open_target
        self._journal_file = UndoJournalFile(journal_path)
        try:
            opener = open_for_writing if resume else create_session_file
            self._store = opener(workplace.session_file)
        except BaseException:
            self._journal_file.close()
            raise
        try:
            self._recorder = self._begin(title, resume=resume)
            self.journal = JournalWithScript(self._journal_file, workplace.rollback_script, self.session_id)
            with self._store.reader() as reader:
                self._runs = len(reader.list_runs(self.session_id))
        except BaseException:
            self.close()
            raise

    def _begin(self, title: str, *, resume: bool) -> SessionRecorder:
        if resume:
            return self._store.resume_session()
        now_utc: datetime = SystemClock().now_utc()
        header = SessionHeader(new_session_id(now_utc), title, "", "", now_utc, VERSION)
        return self._store.start_session(header)

    @property
    def session_id(self) -> str:
        """Id of the session written to."""
        return self._recorder.session_id

    @property
    def recorder(self) -> SessionRecorder:
        """What writes the session."""
        return self._recorder

    def open_target(self, target: str, seed: int) -> Target:
        """Open a target whose every statement is kept with the session."""
        return self._open_target(target, seed, self._recorder.add_statement)

    def run(
        self,
        prepared: PreparedRun,
        target: Target,
        control: RunControl,
        observers: Sequence[Observer],
        *,
        run_id: str = "",
        done: tuple[TrialResult, ...] = (),
    ) -> RunOutcome:
        """Run a prepared plan; the target is restored when this returns.

        Args:
            observers: told every event after it is on disk.
            run_id, done: of an interrupted run that goes on.
        """
        if not run_id:
            self._runs += 1
            run_id = f"E{self._runs}"
        self._recorder.save_environment(read_environment(target, prepared.site))
        ended: list[RunFinished] = []

        def sink(event: RunEvent) -> None:
            self._recorder.record(event)
            if isinstance(event, RunFinished):
                ended.append(event)
            for observer in observers:
                observer(event)

        finished = tuple(trial for trial in done if trial.status is not TrialStatus.ABORTED)
        order = RunOrder(
            session_id=self.session_id,
            run_id=run_id,
            plan=prepared.plan,
            family=prepared.family,
            site=prepared.site,
            target=target,
            journal=self.journal,
            control=control,
            sink=sink,
            done=finished,
        )
        status = execute(order)
        self._recorder.save_changes(self.journal.entries_of(self.session_id))
        return RunOutcome(run_id, status, ended[-1].reason, ended[-1].not_restored)

    def restore_open(self, target: Target) -> None:
        """Undo what an interruption of this session left changed on a target, before it goes on.

        Raises:
            NotRestored: something could not be put back; nothing else is changed then.
        """
        entries = [e for e in self.journal.open_entries(target.key) if e.session_id == self.session_id]
        problems = restore_entries(target, self.journal, entries, lambda _change: None)
        if problems:
            raise NotRestored(
                _("the interrupted run left changes that cannot be put back: {problem}").format(problem=problems[0])
            )

    def close(self) -> None:
        """Write what is left and close session file and journal."""
        try:
            self._store.close()
        finally:
            self._journal_file.close()

    def __enter__(self) -> "GuidedSession":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
