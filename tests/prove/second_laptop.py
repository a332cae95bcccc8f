"""A second laptop comes to a server while a first one experiments on it, or after that one was lost."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

import pytest

from app.domain.errors import ServerBusy
from app.domain.events import RunStatus
from app.domain.statement import Access
from app.runner.control import RunControl
from app.services.run.restoring import open_changes, restore_all
from tests.e2e.posed_lab import Call, Posed, PosedLab, Truth, make_pipe, posed_lab, start_process
from tests.patience import PATIENCE_S, PAUSE_S
from tests.prove.wire_faults import USUAL, installed_drivers
from tests.prove.wire_session import Ended, open_target, run_session, run_when_told

BUSY = "another computer or window of Replitune is changing this server"
LEFT = "is not as an earlier session found it"


class Deed(StrEnum):
    """What the second laptop does, and how the first one is by then."""

    RUNS = "the second one runs, the first one is in the midst"
    CANCELS = "the second one runs and cancels, the first one is in the midst"
    RESTORES = "the second one restores a copy of the first one's journal, the first one is in the midst"
    RUNS_AFTER = "the second one runs, the first one was lost"

    @property
    def is_lost(self) -> bool:
        """Whether the first one does not come back by itself."""
        return self is Deed.RUNS_AFTER


@dataclass(frozen=True)
class Meeting:
    """A second laptop at one statement of a first one's session.

    Attributes:
        number: of the statement, from 1, which the server has run when the second one comes.
    """

    plan: Path
    number: int
    call: Call
    deed: Deed

    def __str__(self) -> str:
        return f"{self.deed.value}, at statement {self.number} ({self.call.name})"


def stratum_of(meeting: Meeting) -> tuple[str, str]:
    """Return what the parts hold an equal share of."""
    return meeting.call.name, meeting.deed.value


def meetings_of(plan: Path, deeds: Sequence[Deed], folder: Path) -> list[Meeting]:
    """Return the meetings at each statement of a session after which something is changed, from its mark on."""
    with posed_lab(USUAL) as lab:
        ended = run_session(plan, lab.key(), folder / "undisturbed")
        assert ended.status is RunStatus.SUCCEEDED, ended
        numbered = list(enumerate(lab.ask(PosedLab.sent), 1))
    return [
        Meeting(plan, number, call, deed)
        for number, call in numbered
        for deed in deeds
        if call.access is Access.CHANGE and call.name != "write_load"
    ]


@dataclass(frozen=True)
class Tally:
    """How many meetings there were, and what failed: something left changed that nobody told, above all."""

    cases: int
    refused: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cases} meetings, {self.refused} refused, {len(self.failures)} left changed or unreported"


def meet(meetings: Sequence[Meeting], folder: Path) -> Tally:
    """Have every meeting on a lab of its own and keep what failed."""
    failures: list[str] = []
    refused = 0
    for meeting in meetings:
        try:
            refused += _meet(meeting, folder / f"{meeting.deed.name}-{meeting.number}")
        except (AssertionError, pytest.fail.Exception) as failed:
            failures.append(f"{meeting}: {failed}")
    return Tally(len(meetings), refused, tuple(failures))


def _halt_at(number: int, process_id: int, how: signal.Signals, lab: PosedLab) -> None:
    """Have a process stand still, or end, when it has sent its n-th statement; asked in the lab's process."""

    def before(posed: PosedLab, _call: Call) -> None:
        if len(posed.calls) + 1 == number:
            os.kill(process_id, how)

    lab.before_call = before


def _meet(meeting: Meeting, out: Path) -> bool:
    """Return whether the second one was refused."""
    first, second = out / "first", out / "second"
    with posed_lab(USUAL) as lab:
        before = lab.ask(PosedLab.truth)
        here, there = make_pipe()
        drivers = installed_drivers()
        process = start_process(
            run_when_told, there, meeting.plan, lab.key(drivers[meeting.number % len(drivers)]), first
        )
        there.close()
        try:
            how = signal.SIGKILL if meeting.deed.is_lost else signal.SIGSTOP
            lab.ask(partial(_halt_at, meeting.number, process.pid, how))
            here.send("go")
            _wait_until(lambda: len(lab.ask(PosedLab.sent)) >= meeting.number)
            if meeting.deed.is_lost:
                process.join()
                return _after_the_loss(meeting, lab, before, first, second)
            is_refused = _in_the_midst(meeting, lab, first, second)
            os.kill(process.pid, signal.SIGCONT)
            ended = here.recv()
            process.join()
            assert ended == Ended(RunStatus.SUCCEEDED, ended.problem), ended
            assert lab.ask(PosedLab.truth) == before
            assert _is_free(lab)
            return is_refused
        finally:
            process.kill()
            process.join()
            here.close()


def _in_the_midst(meeting: Meeting, lab: Posed, first: Path, second: Path) -> bool:
    """The second one is refused in one sentence, changes nothing, and has nothing to put back."""
    before = lab.ask(PosedLab.truth)
    if meeting.deed is Deed.RESTORES:
        second.mkdir(parents=True)
        for path in first.glob("undo.journal*"):
            shutil.copy(path, second / path.name)
        outcome = restore_all(second / "undo.journal", open_target, lambda _change: None)
        assert outcome.restored == ()
        assert len(outcome.problems) == 1, outcome
        assert BUSY in outcome.problems[0], outcome
    else:
        control = RunControl()
        if meeting.deed is Deed.CANCELS:
            control.cancel()
        ended = run_session(meeting.plan, lab.key(), second, control)
        assert ended.status is None, ended
        assert BUSY in ended.problem, ended
        assert not (second / "undo.journal").exists() or open_changes(second / "undo.journal") == ()
    assert lab.ask(PosedLab.truth) == before
    return True


def _after_the_loss(meeting: Meeting, lab: Posed, before: Truth, first: Path, second: Path) -> bool:
    """What the first one left is told, and stays as it is until it is put back; nothing left, the second one runs."""
    _wait_until(lambda: _is_free(lab))
    left = lab.ask(PosedLab.truth)
    ended = run_session(meeting.plan, lab.key(), second)
    if left == before:
        assert lab.ask(PosedLab.truth) == before, ended
    else:
        assert ended.status is None, ended
        assert LEFT in ended.problem, ended
        assert lab.ask(PosedLab.truth) == left
    outcome = restore_all(first / "undo.journal", open_target, lambda _change: None)
    assert outcome.problems == (), outcome
    assert lab.ask(PosedLab.truth) == before
    return left != before


def _is_free(lab: Posed) -> bool:
    """Tell whether the server noticed that the first one's connections are gone."""
    opened = open_target(lab.key(), 1, lambda _record: None)
    try:
        with opened.hold("somebody else"):
            return True
    except ServerBusy:
        return False
    finally:
        opened.close()


def _wait_until(condition: Callable[[], bool]) -> None:
    for _look in range(int(PATIENCE_S / PAUSE_S)):
        if condition():
            return
        time.sleep(PAUSE_S)
    pytest.fail("waited in vain")
