"""A guided session: plans run on targets, kept in a session file, put back, and explained."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from app.domain.change import Keep
from app.domain.errors import NotRestored, StoreError
from app.domain.events import HandConfirmed, HandRequested, Note, RunEvent, RunStatus
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.rights import Mode
from app.domain.session import Environment
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.domain.system import system_of
from app.domain.target import Target
from app.foundation.awake import kept_awake
from app.foundation.clock import SystemClock
from app.foundation.ids import new_session_id
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.runner.asking import HandDesk, HandRequest
from app.runner.by_hand import by_hand
from app.runner.control import RunControl
from app.runner.keeping import KeepEnded, KeepOrder, execute_keep
from app.runner.run import RunOrder, execute
from app.runner.time_agreed import Waits
from app.runner.undo import restore_entries
from app.services.plan.checking import PreparedRun, refuse_leftovers
from app.services.plan.modes import refuse_not_guided
from app.services.ports import TargetOpener
from app.services.run.continued_run import refuse_other_servers, set_otherwise
from app.services.run.environment import read_environment, with_reading_cost
from app.services.run.forecast_check import ForecastCheck, ended_in_windows
from app.services.run.journal_words import damage_sentences, doubt_of, kept_sentences
from app.services.run.login_rights import read_lacking
from app.services.run.run_sink import BegunSession, Observer, RunSink
from app.services.run.running_mark import hold_target, refuse_marked
from app.services.run.second_source import WithSessionFiles, unknown_entries
from app.services.run.undo_tools import undo_tools
from app.services.target.target_spec import is_lab, is_lab_of_this_process, name_of_lab, server_of
from app.services.workplace import Workplace, refuse_hand_over_of_another
from app.store import (
    JournalWithScript,
    SessionHeader,
    SessionPlace,
    SessionRecorder,
    UndoJournalFile,
    create_session_file,
    open_for_writing,
)


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended."""

    run_id: str
    status: RunStatus
    reason: str
    not_restored: tuple[str, ...]


class GuidedSession:
    """One session of an engagement file, open for work; a context manager.

    A new session is written with its first run, so that a plan that does not fit leaves the file, and the
    `rollback.sql` beside it, as they were.
    """

    def __init__(
        self,
        workplace: Workplace,
        journal_path: Path,
        open_target: TargetOpener,
        *,
        title: str = "",
        resume: bool = False,
        session_id: str | None = None,
        part_of: SessionHeader | None = None,
        runs_before: int = 0,
    ) -> None:
        """Open the file for a new session, or take up one in it where `resume`.

        Args:
            title: of a new session, "" for its first experiment and its target, by the name it is saved under if it is.
            session_id: which one is taken up, None for the newest.
            part_of: the session that will `take_over` what is run here, on labs of this process; None for one of its
                own. Nobody undoes anything of a part once its process has ended: nothing of it waits for the disk.
            runs_before: how many runs that session has before the first of these.

        Raises:
            StoreError: the session file or the journal cannot be used.
            BadInput: the folder holds the hand-over of a session that is kept elsewhere.
            NotRestored: rollback.sql in the folder undoes changes of another session which are still open, or the
                journal is damaged and may hide such changes.
        """
        self.workplace = workplace
        self._open_target = open_target
        self._journal_path = journal_path
        self._is_part = part_of is not None
        self._journal_file = UndoJournalFile(journal_path, is_lasting=not self._is_part)
        self._is_new_file = not workplace.session_file.exists()
        try:
            if not resume:
                self._refuse_to_lose("")
                self._refuse_unknown()
                refuse_hand_over_of_another(workplace)
            if resume:
                self._store = open_for_writing(workplace.session_file)
            else:
                self._store = create_session_file(workplace.session_file, is_lasting=not self._is_part)
        except BaseException:
            self._journal_file.close()
            raise
        now_utc = SystemClock().now_utc()
        self._header = part_of or SessionHeader(new_session_id(now_utc), title, "", "", now_utc, VERSION)
        self._early: list[StatementRecord] = []
        self._begun: BegunSession | None = None
        self._runs = runs_before
        if resume:
            try:
                self._begun = self._with_journal(self._store.resume_session(session_id), is_resumed=True)
                with self._store.reader() as reader:
                    self._runs = len(reader.list_runs(self.session_id))
            except BaseException:
                self.close()
                raise

    def _begin(self) -> BegunSession:
        if self._begun is None:
            self._begun = self._with_journal(self._store.start_session(self._header))
            for statement in self._early:
                self._begun.recorder.add_statement(statement)
        return self._begun

    def _with_journal(self, recorder: SessionRecorder, *, is_resumed: bool = False) -> BegunSession:
        session_id = recorder.session_id
        self._refuse_to_lose(session_id)
        self._keep_place(session_id)
        script = None if self._is_part else self.workplace.rollback_script
        # what is open by the file of a session that goes on, and not in the journal, such as one of another computer
        lost = unknown_entries(self._place, session_id, self._journal_file) if is_resumed else ()
        journal = WithSessionFiles(self._journal_file, lost) if lost else self._journal_file
        return BegunSession(recorder, JournalWithScript(journal, script, session_id, undo_tools()))

    @property
    def _place(self) -> SessionPlace:
        return SessionPlace(self.workplace.session_file.resolve(), self.workplace.rollback_script.resolve())

    def _keep_place(self, session_id: str) -> None:
        """Note where the session lies before anything is changed: a restore by another program tells it the rest."""
        self._journal_file.keep_place(session_id, self._place)

    def _refuse_to_lose(self, session_id: str) -> None:
        """Refuse to write over a rollback.sql that undoes changes of another session which are still open.

        Where the journal is damaged any of them may be, on any server.
        """
        if self._journal_file.damage.hides_changes:
            raise NotRestored(damage_sentences(self._journal_file)[0])
        script = self.workplace.rollback_script.resolve()
        for entry in self._journal_file.open_entries():
            if entry.session_id == session_id or is_lab_of_this_process(entry.target):
                continue
            other = self._journal_file.place_of(entry.session_id)
            if other is not None and other.rollback_script == script:
                if entry.is_kept:
                    raise NotRestored(
                        _("{script} undoes what is kept: {kept}; or work in another folder").format(
                            script=script, kept=kept_sentences([entry])[0]
                        )
                    )
                raise NotRestored(
                    _(
                        "{script} undoes changes of an earlier run that are still open (such as {subject} on "
                        "{target}); undo them with `replitune restore`, or work in another folder"
                    ).format(script=script, subject=entry.change.subject, target=entry.target)
                )

    def _refuse_unknown(self) -> None:
        """Refuse to begin where the last session left changes by its file that the undo journal does not know."""
        unknown = () if self._is_part or self._is_new_file else unknown_entries(self._place, None, self._journal_file)
        for entry in unknown:
            if not is_lab_of_this_process(entry.target):
                raise NotRestored(
                    _(
                        "{file} holds changes of its last session that are still open and not in the undo journal "
                        "{journal}, such as {subject} on {target}; resume that run, which undoes them first, or work "
                        "in another folder"
                    ).format(
                        file=self.workplace.session_file,
                        journal=self._journal_path,
                        subject=entry.change.subject,
                        target=entry.target,
                    )
                )

    @property
    def header(self) -> SessionHeader:
        """Return the header of a new session, also before it has begun."""
        return self._header

    @property
    def session_id(self) -> str:
        """Id of the session written to."""
        return self._header.session_id if self._begun is None else self._begun.recorder.session_id

    def open_target(self, target: str, seed: int) -> Target:
        """Open a target whose every statement is kept with the session.

        Raises:
            BadInput, TargetError: there is no such target, or it cannot be reached.
            NotRestored: an earlier session left changes there that are still open.
        """
        opened = self._open_target(target, seed, self._keep_statement)
        try:
            self._settle_earlier_changes(opened, target)
        except BaseException:
            opened.close()
            raise
        return opened

    def add_remark(self, text: str, run_id: str) -> None:
        """Keep a person's note on a run of the session; any thread. Raises StoreError."""
        self._store.add_remark(text, self.session_id, run_id)

    def _keep_statement(self, statement: StatementRecord) -> None:
        if self._begun is None:
            self._early.append(statement)
        else:
            self._begun.recorder.add_statement(statement)

    def _settle_earlier_changes(self, opened: Target, target: str) -> None:
        """Refuse a target that is not as it was found; a lab of this process came fresh, so its entries are closed."""
        server = server_of(opened.key)
        refuse_marked(self._journal_path, opened)
        earlier = [
            entry
            for entry in self._journal_file.open_entries()
            if server_of(entry.target) == server and entry.session_id != self.session_id
        ]
        if not earlier:
            return
        if is_lab_of_this_process(opened.key):
            restore_entries(opened, self._journal_file, earlier, lambda _change: None)
            return
        if kept := kept_sentences(earlier):
            raise NotRestored(kept[0])
        raise NotRestored(
            _(
                "{target} still has changes of an earlier run ({count}, such as {subject}); undo them with "
                "`replitune restore` first"
            ).format(target=target, count=len(earlier), subject=earlier[0].change.subject)
        )

    def run(
        self,
        prepared: PreparedRun,
        target: Target,
        control: RunControl,
        observers: Sequence[Observer],
        *,
        run_id: str = "",
        done: tuple[TrialResult, ...] = (),
        least_confirm_blocks: int = 0,
        desk: HandDesk | None = None,
    ) -> RunOutcome:
        """Run a prepared plan; the target is restored when this returns.

        Meanwhile other windows and commands can tell that what is changed is this run's own to put back.

        Args:
            observers: told every event after it is on disk.
            run_id, done: of an earlier run that goes on.
            least_confirm_blocks: as in `RunOrder`.
            desk: for guided mode: every change is asked of the client's DBA there; None lets the program make it.
        """
        if desk is not None:
            refuse_not_guided(prepared.family, target.key)
        lacking = read_lacking(prepared, target, Mode.HANDS_ON if desk is None else Mode.GUIDED)
        lacking.refuse()
        is_resumed = bool(run_id)
        if not is_resumed:
            self._runs += 1
            run_id = f"E{self._runs}"
        system = system_of(prepared.family)
        environment = read_environment(target, prepared.site, system)
        not_alike = self._since_the_kept_trials(prepared, environment) if is_resumed else ""
        self._give_title(prepared, target)
        begun = self._begin()
        self._keep_place(self.session_id)
        begun.recorder.save_environment(environment)
        sink = RunSink(begun, run_id, observers)
        for told in filter(None, (lacking.sentence, not_alike)):
            sink(Note(run_id, told))
        waits = Waits(target.clock)
        if desk is not None:
            target = _at_desk(prepared, target, desk, control, sink, run_id, waits)
        finished = tuple(trial for trial in done if trial.status is not TrialStatus.ABORTED)
        order = RunOrder(
            session_id=self.session_id,
            run_id=run_id,
            plan=prepared.plan,
            family=prepared.family,
            site=prepared.site,
            target=target,
            journal=begun.journal,
            control=control,
            sink=sink,
            resumed=is_resumed,
            least_confirm_blocks=least_confirm_blocks,
            by_hand=desk is not None,
            done=finished,
            waited_s=waits.total_s,
        )
        with hold_target(self._journal_path, target), _kept_awake(target):
            refuse_leftovers(prepared.family, target, prepared.site)
            status = execute(order)
        begun.recorder.save_environment(with_reading_cost(environment, target, status))
        self._save_changes()
        self._journal_file.mark_synced(self.session_id)
        sink.tell_of_journal()
        reason = sink.ended[-1].reason
        if came := self._ended_in_windows(prepared, run_id):
            sink(Note(run_id, came))
            reason = f"{reason}; {came}"
        return RunOutcome(run_id, status, reason, sink.ended[-1].not_restored)

    def _give_title(self, prepared: PreparedRun, target: Target) -> None:
        """Name a session that has no title after its first run."""
        if not self._header.title:
            place = target.saved_as or (name_of_lab(target.key) if is_lab(target.key) else target.label)
            title = _("{family} on {target}").format(family=prepared.family.title, target=place)
            self._header = replace(self._header, title=title)

    def _ended_in_windows(self, prepared: PreparedRun, run_id: str) -> str:
        """Return the forecast of a run beside the time its backlog took, as `ended_in_windows`.

        A file that cannot be read back spoils no run that has ended: then nothing is told.
        """
        if not prepared.plan.design.is_windowed:
            return ""
        try:
            with self._store.reader() as reader:
                runs = reader.read_session(self.session_id, with_samples=False).runs
        except StoreError:
            return ""
        return ended_in_windows(next(run for run in runs if run.run_id == run_id), prepared.family)

    def keep(
        self,
        prepared: PreparedRun,
        target: Target,
        run_id: str,
        setting: Setting,
        how: Keep,
        control: RunControl,
        observers: Sequence[Observer],
        *,
        desk: HandDesk | None = None,
    ) -> KeepEnded:
        """Put a setting that a run of this session confirmed into effect, and keep it as was agreed to.

        Until the backlog is processed this takes as long as that, and everything is undone when it returns.

        Args:
            prepared: the plan of that run, prepared anew.
            desk: for guided mode, as for `run`.

        Raises:
            NotRestored: something of this session is kept already, or left at the target by another one.
            BadInput: the family cannot be guided here.
        """
        self._refuse_kept(target)
        if desk is not None:
            refuse_not_guided(prepared.family, target.key)
        read_lacking(prepared, target, Mode.HANDS_ON if desk is None else Mode.GUIDED).refuse()
        begun = self._begin()
        self._keep_place(self.session_id)
        sink = RunSink(begun, run_id, observers)
        waits = Waits(target.clock)
        if desk is not None:
            target = _at_desk(prepared, target, desk, control, sink, run_id, waits)
        checked = self._forecast_check(prepared, run_id, setting, target)
        watch = _teller(observers)

        def tell(event: RunEvent) -> None:
            checked.take(event)
            watch(event)

        order = KeepOrder(
            session_id=self.session_id,
            run_id=run_id,
            plan=prepared.plan,
            family=prepared.family,
            site=prepared.site,
            target=target,
            journal=begun.journal,
            control=control,
            sink=sink,
            watch=tell,
            on_kept=self._save_changes,
            setting=setting,
            how=how,
            by_hand=desk is not None,
            waited_s=waits.total_s,
        )
        with hold_target(self._journal_path, target), _kept_awake(target):
            refuse_leftovers(prepared.family, target, prepared.site)
            ended = execute_keep(order)
        if ended.is_complete and not ended.is_kept and (came := checked.sentence()):
            ended = replace(ended, reason=f"{ended.reason}; {came}")
            sink(Note(run_id, came))
        self._save_changes()
        self._journal_file.mark_synced(self.session_id)
        sink.tell_of_journal()
        return ended

    def _forecast_check(self, prepared: PreparedRun, run_id: str, setting: Setting, target: Target) -> ForecastCheck:
        """Return the check of the forecast by a run's windows."""
        with self._store.reader() as reader:
            runs = reader.read_session(self.session_id, with_samples=False).runs
        trials = next((run.trials for run in runs if run.run_id == run_id), ())
        metric = prepared.family.main_metric(prepared.plan).name
        baseline, uncounted = prepared.plan.baseline, prepared.family.backlog_uncounted
        return ForecastCheck(metric, trials, baseline, setting, target.clock, uncounted)

    def _save_changes(self) -> None:
        begun = self._begin()
        begun.recorder.save_changes(begun.journal.entries_of(self.session_id))

    def _refuse_kept(self, target: Target) -> None:
        """Refuse to change anything else while something that this session set is kept."""
        own = [e for e in self._journal_file.open_entries(target.key) if e.session_id == self.session_id]
        if kept := kept_sentences(own):
            raise NotRestored(kept[0])

    def _since_the_kept_trials(self, prepared: PreparedRun, now: Environment) -> str:
        """Return the settings changed since, "" for none; raises BadInput where these are no longer the servers."""
        with self._store.reader() as reader:
            kept = reader.read_session(self.session_id, with_samples=False).environments
        system, subject = system_of(prepared.family), prepared.family.subject
        told = []
        for before in (one for one in kept if one.target == now.target):
            refuse_other_servers(before, prepared.site, prepared.plan, system, subject)
            told.append(set_otherwise(before, now, system))
        return "".join(told)

    def take_over(self, part: Path) -> None:
        """Take over the runs of a part of this session that was run in a file of its own.

        Raises:
            StoreError: a file cannot be read or written.
        """
        self._runs += 1
        self._begin().recorder.take_over(part)

    def restore_open(
        self,
        target: Target,
        family: ExperimentFamily,
        control: RunControl,
        observers: Sequence[Observer],
        desk: HandDesk | None = None,
    ) -> None:
        """Undo changes that an interruption of this session left on a target, before it goes on.

        Args:
            observers: told what is asked for at the desk.
            desk: for guided mode, as for `run`.

        Raises:
            NotRestored: something could not be put back; nothing else is changed then.
        """
        self._refuse_kept(target)
        journal = self._begin().journal
        entries = [e for e in journal.open_entries(target.key) if e.session_id == self.session_id]
        if desk is not None:
            run_id = f"E{self._runs}"
            tell = _teller(observers)
            desk.attach(
                lambda asked: tell(_requested(run_id, asked)), lambda asked: tell(HandConfirmed(run_id, asked.number))
            )
            target = by_hand(target, [system_of(family)], desk, control, target.label, loads=False)
        with hold_target(self._journal_path, target):
            doubt = doubt_of(self._journal_file.damage)
            problems = restore_entries(target, journal, entries, lambda _change: None, doubt=doubt)
        self._save_changes()
        if problems:
            raise NotRestored(
                _("the interrupted run left changes that cannot be undone: {problem}").format(problem=problems[0])
            )

    def has_left_changes(self) -> bool:
        """Tell whether changes of this session are to be undone, also where that cannot be read."""
        try:
            entries = self._journal_file.open_entries()
            return any(entry.session_id == self.session_id and not entry.is_kept for entry in entries)
        except Exception:  # noqa: BLE001 - such as a disk that is gone, or no memory left
            return True

    def close(self) -> None:
        """Write all pending rows and close session file and journal; an unused file is not left behind."""
        try:
            self._store.close()
            if self._begun is None and self._is_new_file:
                self.workplace.session_file.unlink(missing_ok=True)
        finally:
            self._journal_file.close()

    def __enter__(self) -> "GuidedSession":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _kept_awake(target: Target) -> AbstractContextManager[None]:
    """Keep this computer awake as long as servers are changed; those of a lab can wait."""
    if target.is_lab:
        return nullcontext()
    return kept_awake(_("changes on {target} are undone before this ends").format(target=target.label))


def _at_desk(
    prepared: PreparedRun,
    target: Target,
    desk: HandDesk,
    control: RunControl,
    sink: Observer,
    run_id: str,
    waits: Waits,
) -> Target:
    """Return a target whose changes are asked of the client's DBA, told as events of the run."""
    system = system_of(prepared.family)

    def ask(asked: HandRequest) -> None:
        waits.begin()
        sink(_requested(run_id, asked))

    def confirm(asked: HandRequest) -> None:
        waits.end()
        sink(HandConfirmed(run_id, asked.number))

    desk.attach(ask, confirm)
    return by_hand(target, [system], desk, control, system.place_of_scripts(prepared.site, target.label))


def _teller(observers: Sequence[Observer]) -> Observer:
    def tell(event: RunEvent) -> None:
        for observe in observers:
            observe(event)

    return tell


def _requested(run_id: str, asked: HandRequest) -> HandRequested:
    return HandRequested(run_id, asked.number, asked.title, asked.server, asked.script, asked.is_undo)
