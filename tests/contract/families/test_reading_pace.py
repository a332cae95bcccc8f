"""How often servers are read in a trial: as often as its evidence needs, however wrong its estimate is."""

from dataclasses import replace
from itertools import pairwise

import pytest

from app.domain.events import SamplesTaken, TrialFinished
from app.domain.measurement import TrialStatus
from app.runner.bench.watch import SAMPLES_PER_TRIAL
from tests.contract.families.lab_runs import AGENT_FAMILIES, LabRun, run_on_lab, small_plan


def run_over_a_slow_link(scenario: str) -> LabRun:
    """Run a backlog over a link whose trials take many times what is estimated."""
    family = AGENT_FAMILIES["wan_delivery"]
    plan = small_plan(family)
    load = plan.load.but(commands=6_000, commands_per_transaction=(5.0, 10.0))
    factor = replace(plan.factors[0], levels=(1,))
    return run_on_lab(family, replace(plan, factors=(factor,), load=load), scenario=scenario)


@pytest.mark.parametrize("scenario", ["wan-512k", "wan-128k"])
def test_a_trial_that_takes_far_longer_than_estimated_is_read_no_more_often(scenario: str) -> None:
    """At first each second, as estimated; then ever more rarely, and never so that much is seen too late."""
    run = run_over_a_slow_link(scenario)
    trials = [event.trial for event in run.events if isinstance(event, TrialFinished)]
    assert [trial.status for trial in trials] == [TrialStatus.USED]
    taken = [event for event in run.events if isinstance(event, SamplesTaken)]
    offsets_s = [event.samples[0].offset_s for event in taken]
    assert offsets_s[-1] > 3 * SAMPLES_PER_TRIAL
    assert 0.8 * SAMPLES_PER_TRIAL < len(offsets_s) < 1.6 * SAMPLES_PER_TRIAL
    apart_s = [(later - earlier, earlier) for earlier, later in pairwise(offsets_s)]
    assert all(seconds < 1.5 + 2.2 * earlier_s / SAMPLES_PER_TRIAL for seconds, earlier_s in apart_s)
