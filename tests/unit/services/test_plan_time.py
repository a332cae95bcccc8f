"""The designs that tell most in the time there is."""

from dataclasses import replace

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain.family import ExperimentFamily
from app.domain.plan import MOST_WINDOW_PAIRS, Factor, Plan, Stop
from app.services.plan.plan_outlook import plan_outlook
from app.services.plan.plan_time import Instead, TimedPlan, plans_for_time, plans_otherwise
from tests.contract.families.lab_runs import FAMILIES, small_plan

HOUR_S = 3_600.0
DELIVERY = FAMILIES["distribution_agent"]
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def plan_of(family: ExperimentFamily) -> Plan:
    """Return a plan with the usual numbers of blocks."""
    plan = small_plan(family)
    return replace(plan, design=replace(plan.design, blocks=3, confirm_blocks=3, further_blocks=3, minimum_effect=0.05))


def five_values() -> Plan:
    """Return a plan of which a value can be left out."""
    return replace(plan_of(DELIVERY), factors=(Factor("SubscriptionStreams", (1, 2, 4, 8, 16)),))


def shown(timed: TimedPlan) -> float:
    """Return what a design shows, infinite for nothing."""
    effect = timed.outlook.shown_effect
    return float("inf") if effect is None else effect


@every_family
@pytest.mark.parametrize("hours", [0.1, 0.5, 1.5, 4.0, 40.0])
def test_what_fits_ends_in_time_and_what_does_not_says_so(family: ExperimentFamily, hours: float) -> None:
    """Every block that may be added is counted; only the blocks of the plan are changed, or one value left out."""
    plan = plan_of(family)
    timed = plans_for_time(plan, family, hours * HOUR_S)
    assert len(timed.designs) <= 4
    for one in timed.designs:
        assert one.fits
        assert one.outlook.duration_s <= one.all_s <= hours * HOUR_S
        given = plan.design
        same = replace(
            one.plan.design,
            blocks=given.blocks,
            confirm_blocks=given.confirm_blocks,
            settling_trials=given.settling_trials,
            most_pairs=given.most_pairs,
        )
        in_time = replace(plan, limits=plan.limits.but(run_duration_s=hours * HOUR_S))
        assert replace(one.plan, design=same, factors=plan.factors) == in_time
        assert one.outlook.longest_s <= hours * HOUR_S
        assert (one.plan.factors == plan.factors) is not bool(one.without)
    if not timed.designs:
        assert timed.shortest.all_s > hours * HOUR_S


@every_family
def test_more_time_shows_no_less(family: ExperimentFamily) -> None:
    """What is shown only shrinks as time grows, until it is as small as the plan asks for; then no time is wasted."""
    plan = plan_of(family)
    timed = [plans_for_time(plan, family, hours * HOUR_S).designs for hours in (0.5, 1, 2, 4, 8, 16, 1_000)]
    best = [shown(designs[0]) for designs in timed if designs]
    assert best
    assert best == sorted(best, reverse=True) or max(best) <= plan.design.minimum_effect
    assert best[-1] <= plan.design.minimum_effect or timed[-1][0].plan.design.most_pairs == MOST_WINDOW_PAIRS
    assert timed[-1][0].all_s < 1_000 * HOUR_S


def test_exploring_gives_way_where_the_claim_needs_the_time() -> None:
    """With little time fewer blocks explore, so that enough of them confirm."""
    plan = plan_of(DELIVERY)
    trial_s = plan_outlook(plan, DELIVERY).trial_s
    long, short = (plans_for_time(plan, DELIVERY, trials * trial_s).designs[0].plan.design for trials in (60, 20))
    assert long.blocks == plan.design.blocks
    assert short.blocks < plan.design.blocks
    assert plans_for_time(plan, DELIVERY, trial_s).designs == ()


@every_family
@pytest.mark.parametrize("trials", [16, 20, 24, 40, 100])
def test_the_one_that_tells_most_comes_first_and_each_is_another(family: ExperimentFamily, trials: int) -> None:
    """By what they show, less than the smallest effect worth no more; none is shown twice."""
    plan = plan_of(family)
    designs = plans_for_time(plan, family, trials * plan_outlook(plan, family).trial_s).designs
    worth = [max(shown(one), plan.design.minimum_effect) for one in designs]
    assert worth == sorted(worth)
    assert len({(one.plan.design.blocks, one.without) for one in designs}) == len(designs)


def test_a_value_is_left_out_only_where_that_tells_more() -> None:
    """One between two neighbours, neither an end nor the baseline; with enough time every value is tried."""
    plan = five_values()
    trial_s = plan_outlook(plan, DELIVERY).trial_s
    little = plans_for_time(plan, DELIVERY, 18 * trial_s).designs
    (left_out,) = {value for one in little for value in one.without.values()}
    assert left_out in (2, 4, 8)
    whole = min(shown(one) for one in little if not one.without)
    assert all(shown(one) < whole for one in little if one.without)
    for one in little:
        settings = plan_settings(one.plan, DELIVERY.parameters)
        assert len(settings) == one.outlook.settings == 5 - bool(one.without)
        assert plan.baseline in settings
    assert not any(one.without for one in plans_for_time(plan, DELIVERY, 100 * trial_s).designs)


def test_the_time_that_shows_the_smallest_effect_is_enough() -> None:
    """Where no design that fits shows it, the one named does, and in that time it is offered."""
    plan = five_values()
    trial_s = plan_outlook(plan, DELIVERY).trial_s
    enough = plans_for_time(plan, DELIVERY, 20 * trial_s).enough
    assert enough is not None
    assert shown(enough) <= plan.design.minimum_effect
    then = plans_for_time(plan, DELIVERY, enough.all_s + 1.0)
    assert then.enough is None
    assert shown(then.designs[0]) <= plan.design.minimum_effect


def test_an_effect_no_number_of_trials_shows_has_no_time() -> None:
    """Nobody is told to take weeks."""
    plan = five_values()
    tiny = replace(plan, design=replace(plan.design, minimum_effect=0.0001))
    timed = plans_for_time(tiny, DELIVERY, 40 * HOUR_S)
    assert timed.designs
    assert timed.enough is None


def test_a_model_explores_as_often_as_it_may_at_most() -> None:
    """Thirty exploring trials at most, however many settings there are: what is left of the time confirms."""
    plan = replace(five_values(), factors=(Factor("SubscriptionStreams", tuple(range(1, 25))),))
    guided = replace(plan, design=replace(plan.design, stop=Stop.MODEL))
    trial_s = plan_outlook(plan, DELIVERY).trial_s
    in_blocks, by_model = (plans_for_time(each, DELIVERY, 60 * trial_s).designs[0] for each in (plan, guided))
    assert by_model.plan.design.confirm_blocks > in_blocks.plan.design.confirm_blocks
    assert by_model.outlook.trials - 2 * by_model.plan.design.confirm_blocks == 30
    exploring = {
        (one.outlook.trials, one.plan.design.confirm_blocks)
        for one in plans_for_time(guided, DELIVERY, 60 * trial_s).designs
    }
    assert len(exploring) == len(plans_for_time(guided, DELIVERY, 60 * trial_s).designs)


def test_a_dead_end_offers_what_fits() -> None:
    """Where no design fits, a model that guides it and a smaller workload do; each says so and ends in time."""
    plan = replace(five_values(), load=DELIVERY.default_plan().load)
    assert plans_for_time(plan, DELIVERY, 1.5 * HOUR_S).designs == ()
    offered = plans_otherwise(plan, DELIVERY, 1.5 * HOUR_S)
    assert Instead.SMALLER in dict(offered)
    for instead, one in offered:
        assert one.fits
        assert one.all_s <= 1.5 * HOUR_S
        assert (one.plan.design.stop is Stop.MODEL) is (instead is not Instead.SMALLER)
        assert (one.plan.load == plan.load) is (instead is Instead.MODEL)
