"""The matrix of lost journals: whatever becomes of the file in mid-run, the servers come out as they were."""

from pathlib import Path

import pytest

from tests.prove.journal_loss import Loss, cases_of, run_cases, writes_of
from tests.prove.killing import FAMILIES, lab_server, write_plan
from tests.prove.shares import Share


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_journal_lost_before_any_write_leaves_nothing_changed(tmp_path: Path, family: str, share: Share) -> None:
    """Everything is put back from memory, the loss is told, and nothing is called open that is not."""
    plan = write_plan(tmp_path, family)
    with lab_server() as target:
        writes = writes_of(plan, target, tmp_path / "whole")
        cases = [
            case
            for turn, loss in enumerate(Loss)
            for case in share.of(cases_of(writes, [loss]), lambda case: case.write, turn)
        ]
        tally = run_cases(cases, plan, target, tmp_path)
    print(f"{family}, {share}: {tally}")
    assert tally.failures == ()
