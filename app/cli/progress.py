"""Progress on a terminal, and one line for each event elsewhere; always on standard error."""

import sys
from contextlib import suppress
from types import TracebackType
from typing import Final

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from app.cli.safe_console import SafeConsole
from app.domain.events import (
    HandConfirmed,
    HandRequested,
    Note,
    RunEvent,
    RunFinished,
    RunStarted,
    RunStatus,
    SamplesTaken,
    StepStarted,
    TrialFinished,
    TrialStarted,
)
from app.domain.happening import meanwhile
from app.domain.measurement import TrialStatus
from app.foundation.durations import duration_text
from app.foundation.terminal_text import one_line
from app.foundation.texts import _, in_words_of
from app.runner.asking import HandRequest
from app.services.target.target_spec import is_lab_of_this_process

_MANY_PARTS = 100  # of which the work takes seconds: fewer are done before anybody asks

_ENDINGS = {
    RunStatus.SUCCEEDED: _("{run}: {reason}"),
    RunStatus.CANCELLED: _("{run}: {reason}"),
    RunStatus.FAILED: _("{run} failed: {reason}"),
    RunStatus.ABORTED: _("{run} was stopped by a limit of the plan: {reason}"),
}


# What becomes of a terminal that nobody reads, or of a computer without memory, must not end what restores a server.
_NOT_SAID: Final = (OSError, MemoryError)


class RunProgress:
    """Shows a run as it goes on; an observer of its events and a context manager.

    On a terminal: one bar for all trials and what is done right now. Everywhere: a line for each trial that was not
    used, and one for how long a run may take and how it ended.

    Attributes:
        is_windowed: whether the trials of the run are windows on one backlog.
    """

    def __init__(self) -> None:
        self._console = SafeConsole()
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}", style="dim"),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._finished = 0
        self.is_windowed = False

    def __enter__(self) -> "RunProgress":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(*_NOT_SAID):
            self._bars.stop()

    def observe(self, event: RunEvent) -> None:
        """Show one event; a terminal that was closed ends neither a run nor a restore."""
        with suppress(*_NOT_SAID):
            if isinstance(event, RunStarted):
                self.is_windowed = event.plan.design.is_windowed
            with in_words_of(self):
                self._observe(event)

    def _observe(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._start(event)
            case TrialStarted():
                self._show(total=event.planned_trials, doing=event.spec.setting.text())
            case StepStarted():
                self._show(doing=event.text)
            case SamplesTaken():
                self._show(completed=self._finished + event.progress)
            case TrialFinished():
                self._finished += 1
                self._show(completed=self._finished)
                self._tell_trial(event)
            case Note() | HandRequested() | HandConfirmed():
                self._line(_told(event))
            case RunFinished():
                self._end(event)

    def _start(self, event: RunStarted) -> None:
        self._finished = 0
        name = f"{event.run_id} {event.plan.family}"
        self._task = self._bars.add_task(name, total=1, doing=one_line(event.target))
        if event.plan.most_s is not None and not is_lab_of_this_process(event.target):  # whose time is its own
            self._line(
                _("{run} ends after {longest} at the latest, with everything undone.").format(
                    run=event.run_id, longest=duration_text(event.plan.most_s)
                )
            )

    def _show(self, *, total: float | None = None, completed: float | None = None, doing: str | None = None) -> None:
        if self._task is None:
            return
        if doing is None:
            self._bars.update(self._task, total=total, completed=completed)
        else:
            self._bars.update(self._task, total=total, completed=completed, doing=one_line(doing))

    def _tell_trial(self, event: TrialFinished) -> None:
        trial = event.trial
        if ran := meanwhile(trial.trial_id, trial.happenings):
            self._line(ran)
        if trial.status is not TrialStatus.NOT_USED:
            return  # why a trial broke off is why the run ended, which is told then
        self._line(
            _("{trial} ({setting}) was not used: {why}").format(
                trial=trial.trial_id, setting=trial.setting.text(), why="; ".join(trial.failed_checks)
            )
        )

    def _end(self, event: RunFinished) -> None:
        if self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        self._line(_ENDINGS[event.status].format(run=event.run_id, reason=event.reason))
        for problem in event.not_restored:
            self._line(_("NOT UNDONE: {problem}").format(problem=problem))
        if not event.not_restored and event.status is not RunStatus.SUCCEEDED:
            self._line(_("Every change is undone and checked; finished trials are kept."))

    def _line(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


class WorkProgress:
    """Shows how far work of many equal parts is: a bar on a terminal, a line for each tenth of many elsewhere."""

    def __init__(self, what: str) -> None:
        """Show the present work, a few words."""
        self._what = what
        self._console = SafeConsole()
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:.0f} %"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            redirect_stdout=False,  # what is asked for goes there, and to no terminal
            disable=not self._console.is_terminal,
        )
        self._task = self._bars.add_task(what, total=None)

    def __enter__(self) -> "WorkProgress":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(*_NOT_SAID):
            self._bars.stop()

    def tell(self, done: int, total: int) -> None:
        """Show that so many parts are done; a terminal that was closed ends nothing."""
        with suppress(*_NOT_SAID):
            self._bars.update(self._task, completed=done, total=total)
            is_tenth = done * 10 // total > (done - 1) * 10 // total
            if not self._console.is_terminal and total >= _MANY_PARTS and is_tenth:
                self._console.print(f"{self._what}: {done}/{total}", markup=False, highlight=False, soft_wrap=True)


def tell_request(asked: HandRequest) -> None:
    """Print a script somebody is asked to run, where no run tells of it."""
    _write(_told(HandRequested("", asked.number, asked.title, asked.server, asked.script, asked.is_undo)))


def tell_done(asked: HandRequest) -> None:
    """Print that the server shows a script's effect."""
    _write(_told(HandConfirmed("", asked.number)))


def _write(text: str) -> None:
    with suppress(*_NOT_SAID):  # a terminal that was closed ends nothing
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _told(event: Note | HandRequested | HandConfirmed) -> str:
    match event:
        case Note():
            return event.text
        case HandConfirmed():
            return _("    Checked: done.")
    return _(
        "Run this at {server} (request {number}): {title}\n{script}\n    Waiting until the server shows it."
    ).format(server=event.server, number=event.number, title=event.title, script=event.script)
