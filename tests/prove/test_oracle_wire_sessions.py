"""The published tests of Streams as sessions through a real driver, measured as they are in this process."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.domain.load import Load
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.domain.target import Target
from app.systems.oracle_streams.lab_server import LAB
from app.systems.oracle_streams.lab_server.server import LabClock
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.e2e.oracle_wire import served
from tests.labs import lab_file, oracle_over

FAMILY = FAMILIES["streams_apply"]
SCENARIO = "streams-12c"


def plan_of(levels: Sequence[int], **load: PlanValue) -> Plan:
    """Return a run of the spill threshold over a load."""
    small = small_plan(FAMILY)
    name = "TXN_LCR_SPILL_THRESHOLD"
    return replace(
        small,
        factors=(Factor(name, tuple(levels)),),
        baseline=Setting.from_mapping({name: levels[0]}),
        load=Load.from_mapping({**small.load, **load}),
    )


# Tests 1 and 2, and 3 and 4 as one comparison; May 2009, of 10.2, as far as 12.1 has their parameters.
PUBLISHED = {
    "1": plan_of((100_000, 100_001), rows=1_000_000, rows_per_commit=500),
    "2": plan_of((100_100, 100_101), operation="update", rows=100_000, rows_per_commit=100_000),
    "3 and 4": plan_of((100_100, 500_100), operation="update", rows=300_000, rows_per_commit=300_000),
}


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("test", sorted(PUBLISHED))
def test_a_published_test_gives_over_a_socket_what_it_gives_in_this_process(test: str) -> None:
    """Every measure of every trial to the last digit; verdicts and findings are computed from nothing else."""
    plan = PUBLISHED[test]
    expected = run_on_lab(FAMILY, plan, scenario=SCENARIO, noise=False)
    lab = LAB.build(lab_file(SCENARIO), 1, noise=False)
    with served(lab) as port:
        transport = port.transport()

        def through_driver(_target: Target) -> Target:
            return oracle_over(transport, LabClock(lab))

        measured = run_on_lab(FAMILY, plan, scenario=SCENARIO, noise=False, wrap=through_driver)
        transport.close()
    assert [trial.status for trial in measured.trials] == [TrialStatus.USED] * len(expected.trials)
    assert _measures(measured) == _measures(expected)


def _measures(run: Any) -> list[dict[str, float]]:
    return [{m.metric: m.value for m in trial.measurements} for trial in run.trials]
