"""What each way of stopping usually takes is told before a run, and the one with the fewest trials recommended."""

from dataclasses import replace

import pytest

from app.domain.family import ExperimentFamily
from app.domain.plan import Factor, Plan, Stop
from app.domain.setting import Setting
from app.flows.plan.plan_ways_view import ways_sentence
from app.services.plan.plan_outlook import plan_outlook
from app.services.plan.plan_ways import ways_of_stopping
from tests.contract.families.lab_runs import FAMILIES, small_plan

DELIVERY = FAMILIES["distribution_agent"]


def _joint(noise_cv: float | None = None) -> Plan:
    plan = replace(
        small_plan(DELIVERY),
        factors=(
            Factor("CommitBatchSize", (100, 150, 200, 250, 500, 1_000)),
            Factor("SubscriptionStreams", (1, 2, 4, 8, 16)),
        ),
        baseline=Setting.of(CommitBatchSize=100, SubscriptionStreams=1),
    )
    return replace(plan, design=replace(plan.design, blocks=3, confirm_blocks=3, noise_cv=noise_cv))


def test_a_model_is_recommended_where_two_parameters_vary() -> None:
    """Thirty settings: blocks take what the plan says, a race less, a model the least."""
    ways = {way.stop: way for way in ways_of_stopping(_joint(), DELIVERY)}
    assert ways[Stop.BLOCKS].trials == plan_outlook(_joint(), DELIVERY).trials == 96
    assert ways[Stop.MODEL].trials < ways[Stop.RACE].trials < ways[Stop.BLOCKS].trials
    assert [way.stop for way in ways.values() if way.is_recommended] == [Stop.MODEL]
    assert ways_sentence(tuple(ways.values())).endswith("Recommended: a model.")


def test_without_a_curve_a_race_is_recommended() -> None:
    """A Gaussian process alone takes fewer trials and picks a good setting less often."""
    family = FAMILIES["log_reader"]
    ways = ways_of_stopping(family.default_plan(), family)
    assert [way.stop for way in ways if way.is_recommended] == [Stop.RACE]


def test_more_noise_takes_more_trials_and_nothing_takes_more_than_the_most() -> None:
    """Between the noises that were measured it is in between, beyond them no more."""
    takes = [
        next(way.trials for way in ways_of_stopping(_joint(noise), DELIVERY) if way.stop is Stop.MODEL)
        for noise in (0.03, 0.05, 0.08, 0.2)
    ]
    assert takes[0] < takes[1] < takes[2] == takes[3]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
def test_no_way_takes_more_than_its_plan_allows(family: ExperimentFamily) -> None:
    """Of every family: as many trials as its schedule counts at most; none where all settings are compared."""
    plan = small_plan(family)
    ways = ways_of_stopping(plan, family)
    assert bool(ways) is not family.compares_all
    for way in ways:
        stopped = replace(plan, design=replace(plan.design, stop=way.stop))
        assert way.trials <= plan_outlook(stopped, family).trials
    assert bool(ways_sentence(ways)) is bool(ways)
