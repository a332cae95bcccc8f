"""The order of trials within blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.order import block_order
from tests.unit.analysis.making import CALM, level

LEVELS = [level(value) for value in (1, 2, 4, 8, 16)]


@CALM
@given(st.integers(0, 2**31), st.integers(1, 20), st.integers(0, 5))
def test_every_block_runs_every_setting_and_the_baseline_once(seed: int, block: int, count: int) -> None:
    """No setting is left out or run twice, and the baseline is there even when it is not among them."""
    order = block_order(LEVELS[:count], level(64), block, seed)
    assert len(order) == count + 1
    assert set(order) == {*LEVELS[:count], level(64)}


@CALM
@given(st.integers(0, 2**31), st.integers(0, 9))
def test_even_blocks_mirror_the_one_before(seed: int, pair: int) -> None:
    """Over each pair of blocks every setting's places add up to the same, so a steady drift cancels."""
    first = block_order(LEVELS, LEVELS[0], 2 * pair + 1, seed)
    second = block_order(LEVELS, LEVELS[0], 2 * pair + 2, seed)
    assert second == tuple(reversed(first))


def test_two_settings_run_as_abba() -> None:
    """Winner and baseline alternate who goes first: ABBA, or BAAB."""
    first, second = (block_order([level(8)], level(1), block, seed=3) for block in (1, 2))
    sequence = "".join("A" if setting == level(1) else "B" for setting in (*first, *second))
    assert sequence in ("ABBA", "BAAB")


def test_order_depends_on_seed_and_pair_but_not_on_how_it_is_asked() -> None:
    """The same plan gives the same trials; another seed or another pair of blocks gives another order."""
    order = block_order(LEVELS, LEVELS[0], 1, seed=1)
    assert block_order(list(reversed(LEVELS)) + LEVELS, LEVELS[0], 1, seed=1) == order
    assert len({block_order(LEVELS, LEVELS[0], 1, seed) for seed in range(30)}) > 20
    assert len({block_order(LEVELS, LEVELS[0], block, seed=1) for block in range(1, 60, 2)}) > 20


def test_order_is_the_same_on_every_machine() -> None:
    """A seed written into a plan means this order, whatever the machine."""
    assert [s["SubscriptionStreams"] for s in block_order(LEVELS, LEVELS[0], 1, seed=1)] == [2, 16, 8, 4, 1]


def test_setting_that_drops_out_leaves_the_others_in_place() -> None:
    """After an elimination the second block of a pair still mirrors what is left of the first."""
    first = block_order(LEVELS, LEVELS[0], 1, seed=5)
    second = block_order([s for s in LEVELS if s != level(4)], LEVELS[0], 2, seed=5)
    assert second == tuple(setting for setting in reversed(first) if setting != level(4))


def test_every_place_is_taken_by_every_setting_in_turn() -> None:
    """Over many seeds each setting goes first about equally often."""
    firsts = [block_order(LEVELS, LEVELS[0], 1, seed)[0] for seed in range(1_000)]
    assert all(150 < firsts.count(setting) < 250 for setting in LEVELS)


def test_blocks_count_from_one() -> None:
    """Block 0 does not exist."""
    with pytest.raises(ValueError, match="from 1"):
        block_order(LEVELS, LEVELS[0], 0, seed=1)
