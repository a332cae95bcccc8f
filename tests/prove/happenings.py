"""What others do to the servers while a session runs: at each of its statements, on a lab of this process."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol

from app.domain.errors import ReplituneError
from app.domain.events import RunEvent, RunFinished, RunStatus, TrialFinished, TrialStarted
from app.domain.measurement import TrialStatus
from app.domain.ports import StatementSink
from app.domain.statement import Access
from app.domain.target import Target
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import open_changes
from app.services.run.resuming import find_interrupted
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.labs import FAMILIES
from tests.prove.branching import CAN_BRANCH, Branches, Failed, attempt
from tests.prove.group_session import Call

MARKED_WITHIN_S: Final = 180.0
"""Of virtual time: a tick takes some seconds, a batch in hand, a process that stops or a failover some minutes."""

MOST_CALLS: Final = 3
"""Of a statement sent more often at one place, about this many calls are struck: one is like the next."""


@dataclass(frozen=True)
class Strike:
    """What happens to a lab before the n-th statement, from 1."""

    at: int
    happen: Callable[[Any], None]

    def is_due(self, number: int) -> bool:
        """Tell whether it happens before a statement."""
        return number == self.at


class Struck(Protocol):
    """What happens to a lab before some statement, as a `Strike` does."""

    @property
    def happen(self) -> Callable[[Any], None]:
        """Do it to a lab."""
        ...

    def is_due(self, number: int) -> bool:
        """Tell whether it happens before a statement, from 1; asked once of each."""
        ...


class StruckLab(Protocol):
    """A lab of this process that lets something happen before one of its statements.

    Attributes:
        calls: the statements it was sent. strike: what happens, and before which of them.
        struck_at: when it happened, by the lab's time of day; None before.
    """

    calls: Sequence[Call]
    strike: Struck | None
    struck_at: datetime | None

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        ...

    def truth(self) -> Any:
        """Return everything a session could leave changed; a dataclass that compares."""
        ...


@dataclass(frozen=True)
class Happening:
    """Something others do.

    Attributes:
        strike: does it to a lab.
        theirs: fields of the lab's truth that are as they made them, and not as they were.
        settle_s: how long it may take until the servers stand still afterwards.
        lasts_s: how long it lasts by the clock that trials are dated by.
    """

    name: str
    strike: Callable[[Any], None]
    theirs: frozenset[str] = frozenset()
    settle_s: float = 0.0
    lasts_s: float = 0.0


@dataclass(frozen=True, eq=False)
class Ground:
    """One kind of lab, and the sessions run on it.

    Attributes:
        plans: text by name.
        make_lab: builds a lab that stands as long as its context. open: opens a target on it.
    """

    plans: dict[str, str]
    make_lab: Callable[[], AbstractContextManager[Any]]
    open: Callable[[Any, StatementSink], Target]
    key: str


@dataclass(frozen=True)
class Case:
    """Something that happens before one statement of a session."""

    ground: Ground
    plan: str
    happening: Happening
    number: int
    call: Call

    def __str__(self) -> str:
        return f"{self.plan}: {self.happening.name} before statement {self.number} ({self.call.name})"


def stratum_of(case: Case) -> tuple[str, bool, str]:
    """Return what the parts hold an equal share of: happenings, changes and readings, each statement."""
    return case.happening.name, case.call.access is Access.READ, case.call.name


@dataclass(frozen=True)
class Ended:
    """How a session ended, and what it said on the way."""

    finished: RunFinished | None
    problem: str
    events: tuple[RunEvent, ...]

    @property
    def trials(self) -> tuple[TrialFinished, ...]:
        """The trials that came to an end."""
        return tuple(event for event in self.events if isinstance(event, TrialFinished))


def run_session(
    ground: Ground,
    lab: Any,
    plan: str,
    folder: Path,
    on_event: Callable[[RunEvent], None] = lambda _event: None,
    *,
    control: RunControl | None = None,
    goes_on: bool = False,
) -> Ended:
    """Run one plan as the program does, or go on with the run in the folder; `on_event` is told events as they come."""
    events: list[RunEvent] = []
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.toml"
    path.write_text(ground.plans[plan], encoding="utf-8")
    loaded = load_plan(path, dict(FAMILIES))

    def opening(_target: str, _seed: int, on_statement: StatementSink) -> Target:
        return ground.open(lab, on_statement)

    try:
        place = open_workplace(folder)
        kept = find_interrupted(place).run if goes_on else None
        with GuidedSession(place, folder / "undo.journal", opening, title="others", resume=goes_on) as session:
            opened = session.open_target(ground.key, 1)
            try:
                prepared = prepare_run(loaded, FAMILIES[loaded.family], opened, str(path))
                session.run(
                    prepared,
                    opened,
                    control or RunControl(),
                    [events.append, on_event],
                    run_id=kept.run_id if kept else "",
                    done=kept.trials if kept else (),
                )
            finally:
                opened.close()
    except ReplituneError as error:
        return Ended(None, str(error), tuple(events))
    end = events[-1]
    assert isinstance(end, RunFinished)
    return Ended(end, end.reason, tuple(events))


def cases_of(ground: Ground, plan: str, happenings: Sequence[Happening]) -> list[Case]:
    """Return a case for each happening before each statement of a session that nothing happens in."""
    calls = _calls_of(ground, plan)
    numbers: dict[Call, list[int]] = {}
    for number, call in enumerate(calls, 1):
        numbers.setdefault(call, []).append(number)
    return [
        Case(ground, plan, happening, number, calls[number - 1])
        for number in sorted(number for sent in numbers.values() for number in _spread(sent))
        for happening in happenings
    ]


@cache
def _calls_of(ground: Ground, plan: str) -> Sequence[Call]:
    """Return the statements of a session that nothing happens in: the same each time, and so found out once."""
    with ground.make_lab() as lab, TemporaryDirectory() as folder:
        before = lab.truth()
        ended = run_session(ground, lab, plan, Path(folder))
        assert ended.finished is not None, ended.problem
        assert ended.finished.status is RunStatus.SUCCEEDED, ended.problem
        assert lab.truth() == before
        return tuple(lab.calls)


def _spread(numbers: Sequence[int]) -> set[int]:
    """Return the first and the last call of a statement, and some in between."""
    step = max(1, len(numbers) // (MOST_CALLS - 1))
    return {*numbers[::step], numbers[-1]}


@dataclass(frozen=True)
class Count:
    """Whether one session marked a trial, went on to its end, and told what is not put back."""

    marked: bool
    went_on: bool
    told: bool


@dataclass(frozen=True)
class Tally:
    """How many cases there were, how they ended, and what failed."""

    cases: int
    marked: int
    went_on: int
    told: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.cases} cases, {self.marked} trials marked, {self.went_on} sessions went on to their end, "
            f"{self.told} told what is not put back, {len(self.failures)} failures"
        )


def run_cases(cases: Sequence[Case], folder: Path) -> Tally:
    """Run every case on a lab of its own and keep what failed."""

    def count(case: Case) -> Count:
        return _count(run_case(case, folder / f"{case.happening.name.replace(' ', '-')}-{case.number}"))

    return _tally([(case, attempt(partial(count, case))) for case in cases])


class _Branching:
    """In each branch of a session what happens in its own case, in the session itself nothing."""

    def __init__(self, branches: "Branches[Case, Count]") -> None:
        self._branches = branches

    @property
    def happen(self) -> Callable[[Any], None]:
        """Do to a lab what happens in this branch."""
        assert self._branches.mine is not None
        return self._branches.mine.happening.strike

    def is_due(self, number: int) -> bool:
        """Let the branches at a statement begin; tell whether this process is one of them."""
        return self._branches.reach(number)


def run_in_branches(cases: Sequence[Case], folder: Path) -> Tally:
    """Run all cases of one session as its branches, one after the other where no process can be forked."""
    if not CAN_BRANCH:
        return run_cases(cases, folder)
    ground, plan, out = cases[0].ground, cases[0].plan, folder / "branches"
    branches: Branches[Case, Count] = Branches(out, [(case.number, case) for case in cases])

    def live() -> Count:
        with ground.make_lab() as lab:
            before = lab.truth()
            lab.strike = _Branching(branches)
            ended = run_session(ground, lab, plan, out)
            if (case := branches.mine) is None:
                assert lab.truth() == before
            else:
                _check(case, ended, lab, before, out)
            return _count(ended)

    itself, outcomes = branches.grow(live)
    assert itself == Count(marked=False, went_on=True, told=False), "the session that they branch off did not go well"
    return _tally(outcomes)


def run_case(case: Case, out: Path) -> Ended:
    """Run a session into what happens; return how it ended."""
    with case.ground.make_lab() as lab:
        before = lab.truth()
        lab.strike = Strike(case.number, case.happening.strike)
        ended = run_session(case.ground, lab, case.plan, out)
        _check(case, ended, lab, before, out)
    return ended


def _count(ended: Ended) -> Count:
    finished = ended.finished
    return Count(
        marked=any(event.trial.status is not TrialStatus.USED for event in ended.trials),
        went_on=finished is not None and finished.status is RunStatus.SUCCEEDED,
        told=finished is not None and bool(finished.not_restored),
    )


def _tally(outcomes: Sequence[tuple[Case, Count | Failed]]) -> Tally:
    counts = [outcome for _case, outcome in outcomes if not isinstance(outcome, Failed)]
    return Tally(
        cases=len(outcomes),
        marked=sum(count.marked for count in counts),
        went_on=sum(count.went_on for count in counts),
        told=sum(count.told for count in counts),
        failures=tuple(f"{case}: {outcome.why}" for case, outcome in outcomes if isinstance(outcome, Failed)),
    )


def _check(case: Case, ended: Ended, lab: StruckLab, before: Any, out: Path) -> None:
    struck_at = lab.struck_at
    assert struck_at is not None, "nothing happened"
    lab.settle(case.happening.settle_s)
    after = lab.truth()
    assert ended.problem.strip(), "not a word on how it ended"
    _check_trials(case, ended, struck_at)
    _check_servers(case, ended, before, after, out)
    _check_kept(ended, out)


def _check_trials(case: Case, ended: Ended, struck: datetime) -> None:
    """The trial something happened in is marked, or over, within moments; a marked one says what happened."""
    started = [event.spec.trial_id for event in ended.events if isinstance(event, TrialStarted)]
    finished = [event.trial.trial_id for event in ended.trials]
    assert started == finished, "a trial has no end"
    for event in ended.trials:
        trial = event.trial
        assert trial.status is TrialStatus.USED or all(trial.failed_checks), trial
        assert trial.status is TrialStatus.USED or trial.failed_checks, trial
        assert trial.finished_utc >= trial.started_utc, trial
        if trial.started_utc <= struck <= trial.finished_utc:
            late_s = (trial.finished_utc - struck).total_seconds()
            is_clear = trial.status is TrialStatus.USED or late_s <= MARKED_WITHIN_S + case.happening.lasts_s
            assert is_clear, f"marked {late_s:.0f} s after it happened: {trial.failed_checks}"


def _check_servers(case: Case, ended: Ended, before: Any, after: Any, out: Path) -> None:
    """Everything is as it was or as others made it; what is not is told and stays in the journal."""
    changed = {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}
    not_restored = ended.finished.not_restored if ended.finished else ()
    is_open = (out / "undo.journal").exists() and bool(open_changes(out / "undo.journal"))
    assert is_open == bool(not_restored), (is_open, not_restored)
    unreported = {name: (getattr(before, name), getattr(after, name)) for name in changed - case.happening.theirs}
    assert not unreported or is_open, f"left changed and not reported: {unreported}"


def _check_kept(ended: Ended, out: Path) -> None:
    """Every trial that came to an end stands in the session file."""
    if ended.finished is None:
        return
    with open_for_reading(open_workplace(out).session_file) as reader:
        header = reader.list_sessions()[0].header
        kept = [trial.trial_id for run in reader.read_session(header.session_id).runs for trial in run.trials]
    assert kept == [event.trial.trial_id for event in ended.trials]
