"""The fault matrix on Oracle Streams: at every statement of a session, at either database, all that can go wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.statement import Access
from tests.prove.group_faults import cases_of, run_case, run_cases, thinned
from tests.prove.group_session import Kind
from tests.prove.streams_session import KINDS, PLANS, StreamsBench

Record = Callable[[str, object], None]


@pytest.mark.prove
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("plan", sorted(PLANS))
def test_at_every_statement_the_databases_come_out_as_they_were(
    tmp_path: Path, plan: str, kind: Kind, record_property: Record
) -> None:
    """Both databases equal their state before, or the difference is listed and `restore` removes it."""
    tally = run_cases(thinned(cases_of(plan, [kind], tmp_path, PLANS, StreamsBench)), tmp_path, run_case)
    print(f"streams_apply ({plan}), {kind.value}: {tally}")
    record_property(f"streams_apply ({plan}), {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.cases > 20


@pytest.mark.parametrize("plan", sorted(PLANS))
def test_at_every_change_the_databases_come_out_as_they_were(tmp_path: Path, plan: str) -> None:
    """The same at every changing statement, the kinds taking turns."""
    all_cases = cases_of(plan, KINDS, tmp_path, PLANS, StreamsBench)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    chosen = {(number, KINDS[turn % len(KINDS)]) for turn, number in enumerate(changing)}
    cases = [case for case in all_cases if (case.number, case.kind) in chosen]
    tally = run_cases(cases, tmp_path, run_case)
    assert tally.failures == ()
    assert tally.cases == len(changing) > 10
