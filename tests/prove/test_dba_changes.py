"""A DBA at every change of a session over TDS: before it is sent, and after it was made."""

from pathlib import Path

import pytest

from tests.prove.dba_changes import Moment, receive, stratum_of, visits_of
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.shares import Share


@pytest.mark.prove
@pytest.mark.parametrize("moment", list(Moment), ids=lambda moment: moment.name.lower())
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_what_a_dba_set_is_told_and_stays(tmp_path: Path, family: str, moment: Moment, share: Share) -> None:
    """Nothing of theirs is overwritten, and nothing of the session's own is left."""
    visits = visits_of(write_plan(tmp_path, family), [moment], tmp_path)
    assert visits
    tally = receive(share.of(visits, stratum_of, list(Moment).index(moment)), tmp_path)
    print(f"{family}, {moment.value}, {share}: {tally}")
    assert tally.failures == ()
