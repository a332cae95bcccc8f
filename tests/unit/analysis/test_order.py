"""The order of trials within blocks."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.order import block_order, pair_order
from tests.unit.analysis.making import CALM, level

LEVELS = [level(value) for value in (1, 2, 4, 8, 16)]


@CALM
@given(st.integers(0, 2**31), st.integers(1, 20), st.integers(0, 5))
def test_every_block_runs_every_setting_and_the_baseline_once(seed: int, block: int, count: int) -> None:
    """No setting is left out or run twice, and the baseline is there even when it is not among them."""
    order = block_order(LEVELS[:count], level(64), block, seed)
    assert len(order) == count + 1
    assert set(order) == {*LEVELS[:count], level(64)}


def test_two_settings_run_in_every_order_but_never_thrice_in_the_same() -> None:
    """Of three pairs each of the six orders that hold both comes up, and those of the first two equally often."""
    orders = Counter(
        tuple(block_order([level(8)], level(1), block, seed)[0] == level(1) for block in (1, 2, 3))
        for seed in range(1_600)
    )
    assert len(orders) == 6
    first_two = Counter(order[:2] for order in orders.elements())
    assert len(first_two) == 4
    assert all(340 < count < 460 for count in first_two.values())
    assert {(True, True, True), (False, False, False)}.isdisjoint(orders)


def test_order_depends_on_seed_and_block_but_not_on_how_it_is_asked() -> None:
    """The same plan gives the same trials; another seed or another block gives another order."""
    order = block_order(LEVELS, LEVELS[0], 1, seed=1)
    assert block_order(list(reversed(LEVELS)) + LEVELS, LEVELS[0], 1, seed=1) == order
    assert len({block_order(LEVELS, LEVELS[0], 1, seed) for seed in range(30)}) > 20
    assert len({block_order(LEVELS, LEVELS[0], block, seed=1) for block in range(1, 31)}) > 20


def test_order_is_the_same_on_every_machine() -> None:
    """A seed written into a plan means this order, whatever the machine."""
    assert [s["SubscriptionStreams"] for s in block_order(LEVELS, LEVELS[0], 1, seed=1)] == [2, 1, 4, 8, 16]


def test_setting_that_drops_out_leaves_the_others_in_place() -> None:
    """After an elimination a block holds what is left in the order it would have had."""
    whole = block_order(LEVELS, LEVELS[0], 2, seed=5)
    left = block_order([s for s in LEVELS if s != level(4)], LEVELS[0], 2, seed=5)
    assert left == tuple(setting for setting in whole if setting != level(4))


def test_every_place_is_taken_by_every_setting_in_turn() -> None:
    """Over many seeds each setting goes first about equally often."""
    firsts = [block_order(LEVELS, LEVELS[0], 1, seed)[0] for seed in range(1_000)]
    assert all(150 < firsts.count(setting) < 250 for setting in LEVELS)


def test_blocks_count_from_one() -> None:
    """Block 0 does not exist."""
    with pytest.raises(ValueError, match="from 1"):
        block_order(LEVELS, LEVELS[0], 0, seed=1)


def test_the_order_of_a_pair_is_drawn_for_it_alone() -> None:
    """Each of the two goes first in half of the pairs, also behind any two alike: nothing is made up for."""
    first = [pair_order(level(8), level(1), pair, seed=4)[0] == level(8) for pair in range(1, 2_001)]
    assert sum(first) == pytest.approx(1_000, abs=70)
    behind = [three for one, two, three in zip(first, first[1:], first[2:], strict=False) if one and two]
    assert sum(behind) / len(behind) == pytest.approx(0.5, abs=0.07)
    assert {*pair_order(level(8), level(1), 1, seed=4)} == {level(8), level(1)}
