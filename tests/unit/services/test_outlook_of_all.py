"""The outlook of a plan whose comparisons are all named beforehand."""

from dataclasses import replace

import pytest

from app.services.plan.plan_outlook import plan_outlook
from app.systems.availability_groups.families.commit_mode import FAMILY
from tests.unit.runner.commit_runs import commit_plan


def test_trials_are_settings_times_blocks_and_nothing_is_confirmed_afterwards() -> None:
    """Three arms in three blocks are nine trials."""
    outlook = plan_outlook(commit_plan(blocks=3), FAMILY)
    assert (outlook.settings, outlook.trials, outlook.is_most) == (3, 9, False)
    assert outlook.duration_s == pytest.approx(9 * outlook.trial_s)


def test_more_blocks_show_less_and_more_comparisons_show_more() -> None:
    """What can be shown shrinks with blocks, and grows with the shapes and arms compared together."""
    few, many = (plan_outlook(commit_plan(blocks=n), FAMILY).shown_effect for n in (3, 12))
    assert few is not None
    assert many is not None
    assert many < few
    one = plan_outlook(commit_plan(blocks=3, inserts=(1,)), FAMILY).shown_effect
    assert one is not None
    assert one < few


def test_a_single_block_shows_nothing_unless_the_noise_is_given() -> None:
    """Noise must be known from somewhere."""
    single = commit_plan(blocks=1)
    assert plan_outlook(single, FAMILY).shown_effect is None
    given = replace(single, design=replace(single.design, noise_cv=0.03))
    assert plan_outlook(given, FAMILY).shown_effect is not None
    assert plan_outlook(single, FAMILY).confirm_blocks_needed is not None
