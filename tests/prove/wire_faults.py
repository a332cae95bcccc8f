"""One thing goes wrong at one statement of a session over TDS, and the servers must come out as they were."""

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from operator import methodcaller
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest

from app.domain.errors import NotRestored
from app.domain.events import RunStatus
from app.domain.statement import Access
from app.drivers.sqlserver.wire import client_session
from app.lab.held_requests import LATE_BY_S
from app.runner.control import RunControl
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import open_changes, restore_all
from app.services.workplace import open_workplace
from tests.dying import HARDEST
from tests.e2e.posed_lab import Kind, Mishap, Pose, Posed, PosedLab, make_pipe, posed_lab, start_process
from tests.e2e.program import write
from tests.e2e.traces import found_in
from tests.patience import PAUSE_S
from tests.prove.wire_session import Ended, open_target, run_session, run_when_told
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

# The shortest there is: every time-out of the matrix is waited for; longer than a driver is not yet told of a cancel.
LIMIT_S = 1
# For a session that a busy computer kept from its fault, as a statement before it took longer than that.
PATIENT_LIMIT_S = 20
# How the lab's passwords in job steps begin.
STEP_SECRET = "S3cret!"
USUAL = Pose()
# Asked in the lab's process, of a lab of any kind that poses.
TRUTH = methodcaller("truth")
SENT = methodcaller("sent")


def go_wrong(mishap: Mishap | None, lab: Any) -> None:
    """Have something go wrong, or nothing any more; asked in the lab's process."""
    lab.mishap = mishap


def let_all_arrive(lab: Any) -> None:
    """Let so much time pass that what is still to be carried out is; as `go_wrong`."""
    lab.settle(2 * LATE_BY_S)


def set_right(lab: PosedLab) -> Counter[str]:
    """Give the login its password back and return how often another one was tried at each server; as `go_wrong`."""
    client_session.PASSWORD = USUAL.password  # type: ignore[misc]  # as it was changed
    return lab.refused


def installed_drivers() -> list[str]:
    """Return every driver of this computer, as `driver=` takes it."""
    return [value for name, value in sorted(DRIVERS.items()) if has_driver(name)]


class Called(Protocol):
    """A statement that reached a lab."""

    @property
    def name(self) -> str:
        """Its name in the catalogue."""
        ...

    @property
    def access(self) -> Access:
        """Whether it changes anything."""
        ...


@dataclass(frozen=True)
class Case:
    """One fault at one statement of a session.

    Attributes:
        number: of the statement, from 1.
        call: the statement.
    """

    plan: Path
    number: int
    call: Called
    kind: Kind
    driver: str

    def __str__(self) -> str:
        return f"{self.kind.value} statement {self.number} ({self.call.name}) through {Path(self.driver).name}"


def stratum_of(case: Case) -> tuple[bool, str, str]:
    """Return what the parts hold an equal share of: changes and readings, each statement, each driver."""
    return case.call.access is Access.READ, case.call.name, case.driver


def reading_of(case: Case) -> str:
    """Return the statement of a case that changes nothing, and so is sent again and again; "" for a change."""
    return case.call.name if case.call.access is Access.READ else ""


def cases_of(plan: Path, kinds: Sequence[Kind], *, pose: Pose = USUAL, names: Collection[str] = ()) -> list[Case]:
    """Return the cases of each statement of a session nothing goes wrong in, the drivers taking turns.

    That a statement has run makes a difference only where it changes something. A cancel before it has run, which each
    case waits for, is tried at the first and the last call of each statement at each database.

    Args:
        names: the statements looked at; () for all.
    """
    drivers = installed_drivers()
    numbered = list(enumerate(sent_of(plan.read_text(encoding="utf-8"), pose), 1))
    first = {call: number for number, call in reversed(numbered)}
    last = {call: number for number, call in numbered}
    ends = {*first.values(), *last.values()}
    return [
        Case(plan, number, call, kind, drivers[number % len(drivers)])
        for number, call in numbered
        for kind in kinds
        if (not names or call.name in names)
        and (call.access is Access.CHANGE or not (kind.comes_after or kind.is_late))
        and (kind is not Kind.CANCELLED_BEFORE or bool(names) or number in ends)
    ]


@cache
def sent_of(plan: str, pose: Pose, driver: str = "") -> Sequence[Called]:
    """Return the statements of a session nothing goes wrong in, by a plan's text: the same each time, and so kept."""
    with posed_lab(pose) as lab, TemporaryDirectory() as folder:
        path = write(Path(folder, "plan.toml"), plan)
        before = lab.ask(TRUTH)
        ended = run_session(path, lab.key(driver), Path(folder, "undisturbed"))
        assert ended.status is RunStatus.SUCCEEDED, ended
        assert lab.ask(TRUTH) == before
        return tuple(lab.ask(SENT))


@dataclass(frozen=True)
class Tally:
    """How many cases there were, how they ended, and what failed."""

    cases: int
    left_open: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.left_open} left something to restore, {len(self.failures)} failures"


def run_cases(cases: Sequence[Case], folder: Path, pose: Pose = USUAL) -> Tally:
    """Run every case on a lab of its own and keep what failed."""
    failures: list[str] = []
    left_open = 0
    for case in cases:
        try:
            left_open += run_case(case, folder / f"{case.kind.name}-{case.number}", pose)
        except (AssertionError, pytest.fail.Exception) as failed:
            failures.append(f"{case}: {failed}")
    return Tally(len(cases), left_open, tuple(failures))


def run_case(case: Case, out: Path, pose: Pose = USUAL) -> bool:
    """Run a session into its fault; return whether anything was left for `restore`."""
    left_open = _run_once(case, out, pose, LIMIT_S)
    if left_open is None:
        left_open = _run_once(case, out.with_name(f"{out.name}-again"), pose, PATIENT_LIMIT_S)
    assert left_open is not None, "nothing went wrong"
    return left_open


def _run_once(case: Case, out: Path, pose: Pose, limit_s: int) -> bool | None:
    """Return whether anything was left for `restore`, None where the session ended before its fault."""
    with posed_lab(pose) as lab:
        before = lab.ask(TRUTH)
        ended: Ended | None = None
        exit_code = -HARDEST
        if case.kind.kills:
            exit_code = _run_killed(case, lab, out, limit_s)
        else:
            ended = _run_disturbed(case, lab, out, limit_s)
        met = lab.ask(SENT)[case.number - 1 : case.number]
        has_met = bool(met)
        assert not has_met or met == [case.call], f"it went wrong at {met[0].name}"
        assert not has_met or exit_code == -HARDEST, f"the session ended with {exit_code}"
        if case.kind.is_late or case.kind.kills:
            lab.ask(let_all_arrive)
        if case.kind is Kind.PASSWORD:
            refused = lab.ask(set_right)
            assert max(refused.values(), default=0) <= 1, f"failed logins: {refused}"
        is_same = lab.ask(TRUTH) == before
        journal = out / "undo.journal"
        is_open = journal.exists() and bool(open_changes(journal))
        if ended is not None:
            # what the program itself says of the end must be true
            assert is_open == bool(ended.not_restored), ended
        assert is_same or is_open, "the servers are not as they were, and nothing is listed"
        assert found_in(out, STEP_SECRET) == [], "a password of a job step was written"
        lab.ask(partial(go_wrong, None))
        if is_open:
            _restore(lab, before, journal, out)
        return is_open if has_met else None


def _run_disturbed(case: Case, lab: Posed, out: Path, limit_s: int) -> Ended:
    lab.ask(partial(go_wrong, Mishap(case.number, case.kind)))
    if case.kind.cancels:
        ended = _run_cancelled(case, lab, out, limit_s)
    else:
        ended = run_session(case.plan, lab.key(case.driver, limit_s), out)
    assert ended.status is RunStatus.SUCCEEDED or ended.problem.strip(), ended
    return ended


def _run_cancelled(case: Case, lab: Posed, out: Path, limit_s: int) -> Ended:
    """Run a session that is cancelled as soon as its statement has reached the lab, which then lets it last."""
    control, has_ended = RunControl(), threading.Event()

    def cancel() -> None:
        while not has_ended.wait(PAUSE_S):
            if len(lab.ask(SENT)) >= case.number:
                control.cancel()
                return

    watching = threading.Thread(target=cancel)
    watching.start()
    try:
        return run_session(case.plan, lab.key(case.driver, limit_s), out, control)
    finally:
        has_ended.set()
        watching.join()


def _run_killed(case: Case, lab: Posed, out: Path, limit_s: int) -> int:
    here, there = make_pipe()
    process = start_process(run_when_told, there, case.plan, lab.key(case.driver, limit_s), out)
    there.close()
    lab.ask(partial(go_wrong, Mishap(case.number, case.kind, process.pid)))
    here.send("go")
    process.join()
    here.close()
    return int(process.exitcode)


def _restore(lab: Posed, before: object, journal: Path, out: Path) -> None:
    """The next start lists what is left, `restore` removes it, and a second one finds nothing."""
    with (
        GuidedSession(open_workplace(out / "next"), journal, open_target, title="next") as session,
        pytest.raises(NotRestored, match="changes of an earlier run"),
    ):
        session.open_target(lab.key(), 1)
    outcome = restore_all(journal, open_target, lambda _change: None)
    assert outcome.problems == (), outcome
    assert outcome.restored
    after = lab.ask(TRUTH)
    assert after == before, f"after restore:\n{after}\nbefore:\n{before}"
    assert restore_all(journal, open_target, lambda _change: None).restored == ()
