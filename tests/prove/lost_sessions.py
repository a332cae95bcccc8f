"""A session that was lost, or could not put everything back, and whoever comes next with another undo journal."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.domain.statement import Access
from app.services.run.restoring import open_changes, restore_all
from tests.prove.group_faults import SETTLE_S, Case, differences
from tests.prove.group_session import Bench, DisturbedLab, Kind, Mishap, run_session
from tests.prove.second_laptop import LEFT

KINDS: Final = (Kind.STAYS_LOST, Kind.STAYS_DENIED)
"""The line is gone for good; or one statement is refused for good, so that all but its change is put back."""


def is_change(case: Case) -> bool:
    """Return whether a case is at a statement that changes something other than rows of the test table."""
    return case.call.access is Access.CHANGE and case.call.name not in ("insert_load", "update_load", "commit_load")


def statement_of(case: Case) -> str:
    """Return the statement of a case: those of one trial are like those of the next."""
    return case.call.name


def run_lost_case(case: Case, out: Path, open_next: Callable[[DisturbedLab], Bench]) -> tuple[bool, bool]:
    """Lose a session and send another one after it; return whether the second one ran, and whether it was refused.

    The second one is told what the first one left and takes none of it for an original; afterwards the first one's
    journal puts everything back.

    Args:
        open_next: how the second one reaches the lab.
    """
    bench = case.make_bench()
    before = bench.lab.truth()
    bench.lab.mishap = Mishap(case.number, case.kind)
    run_session(bench, case.plan, out / "first")
    bench.lab.mishap = None
    bench.lab.settle(SETTLE_S)
    left = bench.lab.truth()
    second = run_session(open_next(bench.lab), case.plan, out / "second")
    is_refused = LEFT in second.problem
    if left != before:
        assert is_refused, f"{differences(before, left)} was taken for the original: {second}"
    if is_refused:
        assert second.status is None, second
        after = bench.lab.truth()
        assert after == left, f"the second one changed something: {differences(left, after)}"
    journal = out / "first" / "undo.journal"
    if journal.exists() and open_changes(journal):
        outcome = restore_all(journal, bench.open, lambda _change: None)
        assert outcome.problems == (), outcome
        bench.lab.settle(SETTLE_S)
    assert bench.lab.truth() == before, f"after restore: {differences(before, bench.lab.truth())}"
    return not is_refused, is_refused
