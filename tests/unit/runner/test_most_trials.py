"""No run has more trials than were told before it, however it goes: on that rests what is consented to."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.analysis.most_trials import most_trials
from app.domain.family import ExperimentFamily
from app.domain.measurement import Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Plan, Stop, TrialSpec
from app.runner.schedule import schedule_of
from app.services.plan.plan_outlook import plan_outlook
from tests.contract.families.lab_runs import FAMILIES, small_plan

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_EXPLORING = [name for name, family in FAMILIES.items() if not family.compares_all]
_DESIGNS = (
    Design(blocks=2, confirm_blocks=2),
    Design(blocks=2, confirm_blocks=1, further_blocks=5, settling_trials=4),
    Design(blocks=3, confirm_blocks=3, settling_trials=0),
)


@pytest.mark.parametrize("stop", list(Stop))
@pytest.mark.parametrize("family_id", _EXPLORING)
def test_no_run_exceeds_what_was_told(family_id: str, stop: Stop) -> None:
    """With flat, noisy and spoiled trials alike, and as many confirming blocks as anybody asked for."""
    family = FAMILIES[family_id]
    for design in _DESIGNS:
        plan = replace(small_plan(family), design=replace(design, stop=stop))
        told = plan_outlook(plan, family).most_trials
        for done in _played(family, plan):
            assert len(done) <= told
            for kept in range(len(done)):  # what is told of a run that goes on holds, too
                assert len(done) <= most_trials(plan, family.parameters, compares_all=False, done=done[:kept]) <= told


@pytest.mark.parametrize("stop", [Stop.BLOCKS, Stop.RACE])
@pytest.mark.parametrize("settling_trials", [0, 2, 4])
def test_as_many_as_were_told_may_run(stop: Stop, settling_trials: int) -> None:
    """A bound that no run reaches would ask for more consent than is needed; two settings are as good as one another
    here, so that trials settle which is the simpler."""
    family = FAMILIES["distribution_agent"]
    design = Design(blocks=2, confirm_blocks=2, settling_trials=settling_trials, stop=stop)
    plan = replace(small_plan(family), factors=(Factor("SubscriptionStreams", (1, 8, 16)),), design=design)
    told = plan_outlook(plan, family).most_trials
    assert told == 6 + settling_trials + 2 * design.most_confirm_blocks
    assert max(map(len, _played(family, plan, (0.08, 0.1), seeds=8))) == told


def test_where_nothing_is_left_open_nothing_more_may_run() -> None:
    """Where every comparison is named before there are its blocks alone, and where no level costs more none settles."""
    design = Design(blocks=3, confirm_blocks=2, settling_trials=4)
    family = FAMILIES["distribution_agent"]
    plan = replace(small_plan(family), factors=(Factor("SubscriptionStreams", (1, 8, 16)),), design=design)
    assert most_trials(plan, family.parameters, compares_all=True) == 9
    free = [replace(parameter, costly=None) for parameter in family.parameters]
    assert most_trials(plan, free, compares_all=False) == 9 + 2 * design.most_confirm_blocks


def _played(
    family: ExperimentFamily, plan: Plan, spreads: Sequence[float] = (0.0, 0.01, 0.2), seeds: int = 3
) -> Iterator[list[TrialResult]]:
    """Return the trials of sessions with made-up values."""
    metric = family.main_metric(plan)
    for seed in range(seeds):
        for spread in spreads:
            drawn = random.Random(f"{seed}/{spread}")
            schedule, done = schedule_of(plan, "E1", family, least_confirm_blocks=3 * seed), list[TrialResult]()
            while (spec := schedule.next_spec(done)) is not None:
                is_baseline = spec.setting == plan.baseline
                value = 100.0 * (1 + spread * drawn.random()) * (1.1 if is_baseline else 1.0)
                done.append(_result(spec, metric, value, is_used=drawn.random() > spread))
            yield done


def _result(spec: TrialSpec, metric: Metric, value: float, *, is_used: bool) -> TrialResult:
    status = TrialStatus.USED if is_used else TrialStatus.NOT_USED
    measured = Measurement(
        "a family", spec.trial_id, spec.block, metric.name, value, metric.unit, spec.setting, phase=spec.phase
    )
    return TrialResult(spec.trial_id, spec.block, spec.phase, spec.setting, status, (), (measured,), (), _NOW, _NOW)
