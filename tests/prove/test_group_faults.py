"""The fault matrix on availability groups: at every statement of a session, one at a time, all that can go wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.statement import Access
from tests.prove.group_faults import cases_of, reading_of, run_cases, run_in_branches, run_killed_case, stratum_of
from tests.prove.group_session import PLANS, Kind
from tests.prove.shares import Share

IN_PROCESS = [kind for kind in Kind if not kind.kills]
KILLS = [kind for kind in Kind if kind.kills]

Record = Callable[[str, object], None]


@pytest.mark.prove
@pytest.mark.parametrize("kind", IN_PROCESS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("family", sorted(PLANS))
def test_at_every_statement_the_servers_come_out_as_they_were(
    tmp_path: Path, family: str, kind: Kind, share: Share, record_property: Record
) -> None:
    """The state afterwards equals the one before, or the difference is listed at next start and `restore` undoes it."""
    cases = cases_of(family, [kind], tmp_path)
    assert len(cases) > 20
    tally = run_in_branches(share.of(cases, stratum_of, IN_PROCESS.index(kind), repeats=reading_of), tmp_path)
    print(f"{family}, {kind.value}, {share}: {tally}")
    record_property(f"{family}, {kind.value}", str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize("family", sorted(PLANS))
def test_at_every_change_the_servers_come_out_as_they_were(tmp_path: Path, family: str) -> None:
    """The same at every changing statement, the kinds taking turns."""
    kinds = IN_PROCESS
    all_cases = cases_of(family, kinds, tmp_path)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    chosen = {(number, kinds[turn % len(kinds)]) for turn, number in enumerate(changing)}
    cases = [case for case in all_cases if (case.number, case.kind) in chosen]
    tally = run_in_branches(cases, tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(changing) > 20


@pytest.mark.prove
@pytest.mark.parametrize("kind", KILLS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("family", sorted(PLANS))
def test_killed_at_every_statement_the_servers_are_restored(
    tmp_path: Path, family: str, kind: Kind, share: Share, record_property: Record
) -> None:
    """Signal 9 at every statement, the lab in a process of its own: `restore` finds and removes what is left."""
    cases = share.of(cases_of(family, [kind], tmp_path), stratum_of, KILLS.index(kind), repeats=reading_of)
    tally = run_cases(cases, tmp_path, run_killed_case)
    print(f"{family}, {kind.value}, {share}: {tally}")
    record_property(f"{family}, {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.left_open * share.parts > 10


@pytest.mark.parametrize("family", sorted(PLANS))
def test_killed_in_mid_run_the_servers_are_restored(tmp_path: Path, family: str) -> None:
    """The same at a few statements: early, in the middle, and while restoring."""
    cases = cases_of(family, [Kind.KILLED_AFTER], tmp_path)
    chosen = [cases[int(len(cases) * share)] for share in (0.1, 0.5, 0.9)]
    tally = run_cases(chosen, tmp_path, run_killed_case)
    assert tally.failures == ()
    assert tally.left_open == len(chosen)
