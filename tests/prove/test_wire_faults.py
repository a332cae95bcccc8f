"""The fault matrix over TDS: at every statement of a session, one at a time, everything that can go wrong."""

from pathlib import Path

import pytest

from tests.e2e.posed_lab import Kind
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.shares import Share
from tests.prove.wire_faults import cases_of, reading_of, run_cases, stratum_of


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_at_every_statement_the_servers_come_out_as_they_were(
    tmp_path: Path, family: str, kind: Kind, share: Share
) -> None:
    """The servers are as they were, or the difference is listed at next start and `restore` removes it."""
    cases = cases_of(write_plan(tmp_path, family), [kind])
    assert len(cases) > 15
    tally = run_cases(share.of(cases, stratum_of, list(Kind).index(kind), repeats=reading_of), tmp_path)
    print(f"{family}, {kind.value}, {share}: {tally}")
    assert tally.failures == ()
