"""Some cases of the fault matrix over TDS, the same ones every time, quick enough for every test run."""

from pathlib import Path

import pytest

from app.domain.statement import Access
from tests.e2e.posed_lab import Kind
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.wire_faults import cases_of, run_cases

ONE_OF_READINGS = 401


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_at_some_statements_the_servers_come_out_as_they_were(tmp_path: Path, family: str) -> None:
    """The servers are as they were, or the difference is listed at next start and `restore` removes it."""
    cases = cases_of(write_plan(tmp_path, family), list(Kind))
    readings = [case for case in cases if case.call.access is Access.READ]
    chosen = readings[50 :: len(FAMILIES) * ONE_OF_READINGS]
    # every other kind for the one agent, the rest for the other
    for number, kind in list(enumerate(Kind))[sorted(FAMILIES).index(family) :: len(FAMILIES)]:
        changes = [case for case in cases if case.kind is kind and case.call.access is Access.CHANGE]
        chosen.append(changes[2 * number % len(changes)])
    tally = run_cases(chosen, tmp_path)
    assert tally.failures == ()
