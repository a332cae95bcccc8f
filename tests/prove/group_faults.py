"""One thing goes wrong at one statement of a session on groups, and the servers must come out as they were."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

import pytest

from app.domain.errors import NotRestored
from app.domain.events import RunStatus
from app.domain.statement import Access
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import open_changes, restore_all
from app.services.workplace import open_workplace
from tests.e2e.program import write
from tests.prove.branching import CAN_BRANCH, Branches, Failed, attempt
from tests.prove.group_session import (
    PLANS,
    Bench,
    Call,
    Due,
    GroupBench,
    Kind,
    Mishap,
    run_session,
    write_plan,
)
from tests.prove.wire_faults import Called, installed_drivers

# A failover completes in it, redo included.
SETTLE_S = 60.0


@dataclass(frozen=True)
class Case:
    """One fault at one statement of a session.

    Attributes:
        number: of the statement, from 1.
        call: the statement.
        make_bench: makes the lab.
    """

    plan: Path
    number: int
    call: Call
    kind: Kind
    make_bench: Callable[[], Bench] = GroupBench

    def __str__(self) -> str:
        return f"{self.kind.value} at statement {self.number} ({self.call.name})"


def stratum_of(case: Case) -> tuple[bool, str, int]:
    """Return what the parts hold an equal share of: changes and readings, each statement, each driver."""
    return case.call.access is Access.READ, case.call.name, case.number % len(installed_drivers())


def reading_of(case: Case) -> str:
    """Return the statement of a case that changes nothing, and so is sent again and again; "" for a change."""
    return case.call.name if case.call.access is Access.READ else ""


class _At(Protocol):
    @property
    def number(self) -> int: ...

    @property
    def call(self) -> Called: ...


AtStatement = TypeVar("AtStatement", bound=_At)


@dataclass(frozen=True)
class Tally:
    """How many cases there were, how they ended, and what failed."""

    cases: int
    succeeded: int
    left_open: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.cases} cases, {self.succeeded} sessions went on to their end, {self.left_open} left something to "
            f"restore, {len(self.failures)} failures"
        )


@cache
def _calls_of(plan: str, make_bench: Callable[[], Bench] = GroupBench) -> Sequence[Call]:
    """Return the statements of a session nothing goes wrong in, by a plan's text: the same each time, and so kept."""
    bench = make_bench()
    before = bench.lab.truth()
    with TemporaryDirectory() as folder:
        path = write(Path(folder, "plan.toml"), plan)
        ended = run_session(bench, path, Path(folder, "undisturbed"))
    assert ended.status is RunStatus.SUCCEEDED, ended
    assert bench.lab.truth() == before
    return tuple(bench.lab.calls)


def cases_of(
    name: str,
    kinds: Sequence[Kind],
    folder: Path,
    plans: Mapping[str, str] = PLANS,
    make_bench: Callable[[], Bench] = GroupBench,
) -> list[Case]:
    """Return a case for each kind at each statement.

    That a statement has run makes a difference only where it changes something.
    """
    plan = write_plan(folder, name, plans)
    calls = _calls_of(plans[name], make_bench)
    return [
        Case(plan, number, call, kind, make_bench)
        for number, call in enumerate(calls, 1)
        for kind in kinds
        if call.access is Access.CHANGE or not (kind.comes_after or kind.is_late)
    ]


# Of a statement sent more often, this many calls are disturbed: the first and last ones, and some in between.
MOST_CALLS = 24


def thinned(cases: Sequence[AtStatement]) -> list[AtStatement]:
    """Leave out calls in the middle of long waits, where one reading is like the other."""
    numbers: dict[str, list[int]] = {}
    for case in cases:
        if case.number not in numbers.setdefault(case.call.name, []):
            numbers[case.call.name].append(case.number)
    kept = {number for found in numbers.values() for number in _spread(found)}
    return [case for case in cases if case.number in kept]


def _spread(numbers: Sequence[int]) -> Sequence[int]:
    if len(numbers) <= MOST_CALLS:
        return numbers
    end = MOST_CALLS // 3
    middle = numbers[end:-end]
    return (*numbers[:end], *middle[:: -(-len(middle) // end)], *numbers[-end:])


def run_cases(cases: Sequence[Case], folder: Path, check: Callable[[Case, Path], tuple[bool, bool]]) -> Tally:
    """Run every case on a lab of its own and keep what failed."""
    return _tally([(case, attempt(partial(check, case, folder / f"{case.kind.name}-{case.number}"))) for case in cases])


def _tally(outcomes: Sequence[tuple[Case, tuple[bool, bool] | Failed]]) -> Tally:
    ended = [outcome for _case, outcome in outcomes if not isinstance(outcome, Failed)]
    return Tally(
        cases=len(outcomes),
        succeeded=sum(is_whole for is_whole, _is_open in ended),
        left_open=sum(is_open for _is_whole, is_open in ended),
        failures=tuple(f"{case}: {outcome.why}" for case, outcome in outcomes if isinstance(outcome, Failed)),
    )


class _Branching:
    """In each branch of a session the mishap of its own case, in the session itself none."""

    process_id = 0

    def __init__(self, branches: "Branches[Case, tuple[bool, bool]]") -> None:
        self._branches = branches

    @property
    def at(self) -> int:
        """The statement of this branch."""
        return self._mine.at

    @property
    def kind(self) -> Kind:
        """What goes wrong in this branch."""
        return self._mine.kind

    @property
    def _mine(self) -> Mishap:
        case = self._branches.mine
        assert case is not None
        return Mishap(case.number, case.kind)

    def is_due(self, calls: Sequence[Call]) -> bool:
        """Let the branches of the newest call begin; tell whether this process is one in which something goes wrong."""
        self._branches.reach(len(calls))
        case = self._branches.mine
        if case is None or not self._mine.is_due(calls):
            return False
        assert calls[case.number - 1] == case.call, "it goes wrong elsewhere"
        return True


def run_in_branches(cases: Sequence[Case], folder: Path) -> Tally:
    """Run all cases of one session as its branches, one after the other where no process can be forked."""
    if not CAN_BRANCH:
        return run_cases(cases, folder, run_case)
    bench, plan, out = cases[0].make_bench(), cases[0].plan, folder / "branches"
    branches: Branches[Case, tuple[bool, bool]] = Branches(out, [(case.number, case) for case in cases])
    itself, outcomes = branches.grow(lambda: _run(bench, _Branching(branches), plan, out))
    assert itself == (True, False), "the session that they branch off did not go well"
    return _tally(outcomes)


def run_case(case: Case, out: Path) -> tuple[bool, bool]:
    """Run a session into its fault; return whether it went on to its end, and whether anything was left to restore."""
    bench = case.make_bench()
    ended = _run(bench, Mishap(case.number, case.kind), case.plan, out)
    assert bench.lab.calls[case.number - 1 : case.number] == [case.call], "it went wrong elsewhere, or nowhere"
    return ended


def _run(bench: Bench, mishap: Due, plan: Path, out: Path) -> tuple[bool, bool]:
    before = bench.lab.truth()
    bench.lab.mishap = mishap
    ended = run_session(bench, plan, out)
    bench.lab.mishap = None
    assert ended.status is RunStatus.SUCCEEDED or ended.problem.strip(), ended
    bench.lab.settle(SETTLE_S)
    journal = out / "undo.journal"
    is_open = journal.exists() and bool(open_changes(journal))
    # what the program itself says of the end must be true
    assert is_open == bool(ended.not_restored), ended
    is_same = bench.lab.truth() == before
    assert is_same or is_open, f"{differences(before, bench.lab.truth())}, and nothing is listed: {ended}"
    if is_open:
        _restore(bench, before, journal, out)
    return ended.status is RunStatus.SUCCEEDED, is_open


def _restore(bench: Bench, before: Any, journal: Path, out: Path) -> None:
    """The next start lists what is left, `restore` removes it, and a second one finds nothing."""
    with (
        GuidedSession(open_workplace(out / "next"), journal, bench.open, title="next") as session,
        pytest.raises(NotRestored, match="changes of an earlier run"),
    ):
        session.open_target(bench.key, 1)
    outcome = restore_all(journal, bench.open, lambda _change: None)
    assert outcome.problems == (), outcome
    assert outcome.restored
    bench.lab.settle(SETTLE_S)
    assert bench.lab.truth() == before, f"after restore: {differences(before, bench.lab.truth())}"
    assert restore_all(journal, bench.open, lambda _change: None).restored == ()


def differences(before: Any, after: Any) -> str:
    """Return what is not as it was."""
    names = [each.name for each in fields(before)]
    return "; ".join(
        f"{name}: {getattr(before, name)} is now {getattr(after, name)}"
        for name in names
        if getattr(before, name) != getattr(after, name)
    )
