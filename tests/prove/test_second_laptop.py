"""A second laptop at every change of a first one's session over TDS, and after each of them."""

from pathlib import Path

import pytest

from tests.prove.killing import FAMILIES, write_plan
from tests.prove.second_laptop import Deed, meet, meetings_of, stratum_of
from tests.prove.shares import Share


@pytest.mark.prove
@pytest.mark.parametrize("deed", list(Deed), ids=lambda deed: deed.name.lower())
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_two_laptops_leave_nothing_changed_and_untold(tmp_path: Path, family: str, deed: Deed, share: Share) -> None:
    """The second one is refused, or told what the first one left; each server comes out as it was."""
    meetings = meetings_of(write_plan(tmp_path, family), [deed], tmp_path)
    assert len(meetings) > 5
    tally = meet(share.of(meetings, stratum_of, list(Deed).index(deed)), tmp_path)
    print(f"{family}, {deed.value}, {share}: {tally}")
    assert tally.failures == ()
