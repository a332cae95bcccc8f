"""The shared services of every page: the program, the time, background reads, preferences and the running job."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.flows.table_view import layout_as_text, layout_from_text
from app.foundation.clock import Clock, SystemClock
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.services.target.answers import Answers
from app.services.target.target_spec import is_lab_of_this_process
from app.ui.bridge import RunBridge
from app.ui.collector import Collector
from app.ui.server_tasks import ServerTasks
from app.ui.tasks import Tasks

if TYPE_CHECKING:  # these load rules and numeric libraries, which the first page does without
    from app.domain.change import Keep
    from app.services.explain.explaining import Explanations
    from app.services.explain.verdict_counts import VerdictCounter
    from app.services.run.keeping import Keepable, KeepJob, KeepJobEnded
    from app.services.run.run_job import JobEnded, JobOrder, RunJob
    from app.services.workplace import Workplace


class Desk(QObject):
    """Shared by all pages, owned by the main window; lives on the main thread.

    Attributes:
        program: families, advisor, targets, renderer.
        clock: what pages tell the time by.
        tasks: background reads.
        servers: background reads at servers, which may fall silent.
        bridge: events of the run going on.
        job: the run, or the keeping of a setting, that goes on or was the last; None before the first.
        table_layouts: layout of each table by its name; kept among the preferences when the desk is closed.
        window_place: size and place of the window; kept likewise.

    Signals:
        preferences_changed: the new Preferences, already saved.
        resume_requested: the unfinished run of the session at hand is to go on.
        extension_requested: further confirming blocks are wanted for the run of the session at hand.
        job_started: a run has begun.
        keep_ended: KeepJobEnded; job_ended follows.
        job_ended: JobEnded; of a keep without an outcome.
        put_back: what was kept is undone.
        run_told: RunTold, how the run of the window stands, whenever its page draws it; None before it begins.
        trouble: an exception that is a mistake of the program; the window shows a report and goes on.
    """

    preferences_changed = Signal(object)
    resume_requested = Signal()
    extension_requested = Signal()
    job_started = Signal()
    keep_ended = Signal(object)
    job_ended = Signal(object)
    put_back = Signal()
    run_told = Signal(object)
    trouble = Signal(object)

    def __init__(self, program: Program, preference_file: PreferenceFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.program = program
        self.clock: Clock = SystemClock()
        self.tasks = Tasks(self)
        self.servers = ServerTasks(self.tasks, lambda: Answers(self.program.parts.open_target, self.clock), self)
        self.bridge = RunBridge(self)
        self._collector = Collector(self)
        self.job: RunJob | KeepJob | None = None
        self._preference_file = preference_file
        self.preferences = preference_file.load()
        self.table_layouts = {name: layout_from_text(text) for name, text in self.preferences.table_layouts}
        self.window_place = self.preferences.window_place
        self.bridge.run_ended.connect(self._on_run_ended)

    @cached_property
    def explanations(self) -> "Explanations":
        """Return sessions with their advice, computed once."""
        from app.services.explain.explaining import Explanations

        return Explanations(self.program)

    @cached_property
    def verdict_counter(self) -> "VerdictCounter":
        """Return the counter of sessions' verdicts, each counted once."""
        from app.services.explain.verdict_counts import VerdictCounter

        return VerdictCounter(self.program, self.program.parts.journal_path.with_name("verdicts.json"))

    @property
    def is_running(self) -> bool:
        """Whether a run goes on (until its end was delivered)."""
        return self.job is not None and self._going_on

    _going_on = False

    def start_job(self, order: "JobOrder") -> "RunJob":
        """Start a run on its own thread; its events come through the bridge."""
        from app.services.run.run_job import RunJob

        if self.is_running:
            raise RuntimeError("a run goes on already")
        post = self.bridge.post_politely if is_lab_of_this_process(order.target) else self.bridge.post
        job = RunJob(order, self.program.parts.open_target, post, self.bridge.post_end, self.clock)
        self._begin(job)
        return job

    def start_keep(self, found: "Keepable", how: "Keep", place: "Workplace", *, guided: bool) -> None:
        """Keep a setting as it was agreed to, on a thread of its own; told as a run is."""
        from app.services.run.keeping import KeepJob

        if self.is_running:
            raise RuntimeError("a run goes on already")
        parts, bridge = self.program.parts, self.bridge
        opener, journal = parts.open_target, parts.journal_path
        self._begin(
            KeepJob(found, how, place, journal, opener, bridge.post, bridge.post_end, guided=guided, clock=self.clock)
        )

    def _begin(self, job: "RunJob | KeepJob") -> None:
        self.job, self._going_on = job, True
        self.bridge.watch()
        job.start()
        self.job_started.emit()

    def stop_job(self) -> None:
        """Cancel the run that goes on, if any: everything is put back; a DBA is waited for no longer."""
        if self.job is not None:
            self.job.control.cancel()
            if self.job.desk is not None:  # nobody could answer what a window that closes still asks
                self.job.desk.give_up()

    def prefer(self, preferences: Preferences) -> None:
        """Save preferences and tell everyone."""
        self.preferences = preferences
        try:
            self._preference_file.save(preferences)
        except OSError as error:
            self.trouble.emit(error)
        self.preferences_changed.emit(preferences)

    @Slot(object)
    def _on_run_ended(self, end: "JobEnded | KeepJobEnded") -> None:
        from app.services.run.run_job import JobEnded

        if self.job is not None:
            self.job.join()
        self._going_on = False
        if end.error is not None:
            self.trouble.emit(end.error)
        if not isinstance(end, JobEnded):
            self.keep_ended.emit(end)
            end = JobEnded("", None, end.problem)
        self.job_ended.emit(end)

    def close(self) -> None:
        """Wait for background reads and keep how window and tables look; a run must have ended before."""
        self.servers.leave_reads()
        self.tasks.close()
        self._collector.close()
        layouts = tuple(sorted((name, layout_as_text(layout)) for name, layout in self.table_layouts.items()))
        kept = replace(self.preferences, table_layouts=layouts, window_place=self.window_place)
        if kept != self.preferences:
            self.prefer(kept)
