"""Somebody restarts the agents while a backlog is measured: their sessions count from zero, which ends the trial."""

import pytest

from app.domain.events import SamplesTaken
from app.lab.faults import Fault
from tests.contract.families.lab_runs import AGENT_FAMILIES, run_on_lab, small_plan

LONGEST_TRIAL_S = 600.0
"""A trial of these plans lasts about a minute; one that waits for a session that is over lasts until its limit."""


@pytest.mark.parametrize("statement", ["distributor_sample", "agent_backlog"])
@pytest.mark.parametrize("family_id", ["log_reader", "distribution_agent"])
def test_a_session_that_began_anew_is_noticed_whatever_it_delivered(family_id: str, statement: str) -> None:
    """At every reading of the first trials: also where the new session delivers more by the next one than the old."""
    family = AGENT_FAMILIES[family_id]
    plan = small_plan(family)
    ended = 0
    for call in range(1, 25):
        run = run_on_lab(family, plan, faults=(Fault(statement, call, "agent_restarted"),))
        taken = [sample.offset_s for event in run.events if isinstance(event, SamplesTaken) for sample in event.samples]
        assert max(taken, default=0.0) < LONGEST_TRIAL_S, call
        run.assert_as_found(f"{statement} {call}")
        told = str(run.events)
        ended += "began a new session" in told or "nothing waits for" in told
    assert ended
