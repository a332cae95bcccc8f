"""The numbers of blocks that tell most in the time there is."""

from dataclasses import replace

import pytest

from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.services.plan.plan_outlook import plan_outlook
from app.services.plan.plan_time import plan_for_time
from tests.contract.families.lab_runs import FAMILIES, small_plan

HOUR_S = 3_600.0
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def plan_of(family: ExperimentFamily) -> Plan:
    """Return a plan with the usual numbers of blocks."""
    plan = small_plan(family)
    return replace(plan, design=replace(plan.design, blocks=3, confirm_blocks=3, further_blocks=3, minimum_effect=0.05))


@every_family
@pytest.mark.parametrize("hours", [0.1, 0.5, 1.5, 4.0, 40.0])
def test_what_fits_ends_in_time_and_what_does_not_says_so(family: ExperimentFamily, hours: float) -> None:
    """Every block that may be added is counted; only the blocks of the plan are changed."""
    plan = plan_of(family)
    timed = plan_for_time(plan, family, hours * HOUR_S)
    assert timed.fits is (timed.longest_s <= hours * HOUR_S)
    assert timed.longest_s >= timed.outlook.duration_s
    same = replace(timed.plan.design, blocks=plan.design.blocks, confirm_blocks=plan.design.confirm_blocks)
    assert replace(timed.plan, design=same) == plan


@every_family
def test_more_time_shows_no_less(family: ExperimentFamily) -> None:
    """What is shown only shrinks as time grows, until it is as small as the plan asks for; then no time is wasted."""
    plan = plan_of(family)
    timed = [plan_for_time(plan, family, hours * HOUR_S) for hours in (0.5, 1, 2, 4, 8, 16, 1_000)]
    shown = [one.outlook.shown_effect or float("inf") for one in timed if one.fits]
    assert shown
    assert shown == sorted(shown, reverse=True) or max(shown) <= plan.design.minimum_effect
    assert shown[-1] <= plan.design.minimum_effect
    assert timed[-1].longest_s < 1_000 * HOUR_S


def test_exploring_gives_way_where_the_claim_needs_the_time() -> None:
    """With little time fewer blocks explore, so that enough of them confirm."""
    family = FAMILIES["distribution_agent"]
    plan = plan_of(family)
    trial_s = plan_outlook(plan, family).trial_s
    long, short = (plan_for_time(plan, family, trials * trial_s).plan.design for trials in (60, 20))
    assert long.blocks == plan.design.blocks
    assert short.blocks < plan.design.blocks
    assert not plan_for_time(plan, family, trial_s).fits
