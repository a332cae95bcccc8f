"""A DBA at some changes of a session over TDS, always the same."""

from pathlib import Path

import pytest

from tests.prove.dba_changes import Moment, receive, visits_of
from tests.prove.killing import FAMILIES, write_plan


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_what_a_dba_set_is_told_and_stays(tmp_path: Path, family: str) -> None:
    """Nothing of theirs is overwritten, nothing of the session's own is left, and a renamed agent is put back."""
    visits = visits_of(write_plan(tmp_path, family), list(Moment), tmp_path)
    first = {(visit.kind, visit.moment): visit for visit in reversed(visits)}
    chosen = list(first.values())[sorted(FAMILIES).index(family) :: 3]
    assert receive(chosen, tmp_path).failures == ()
