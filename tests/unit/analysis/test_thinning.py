"""Fewer points for plots: bounded, in order, and no extreme lost."""

import math

from hypothesis import given
from hypothesis import strategies as st

from app.analysis.thinning import outline, spread_by_rank
from tests.unit.analysis.making import CALM

VALUES = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=300)


@CALM
@given(values=VALUES, most=st.integers(4, 50))
def test_chosen_points_are_few_ascending_and_keep_the_extremes(values: list[float], most: int) -> None:
    """Whatever the values: no more than asked for, each once, lowest and highest among them."""
    for choose in (spread_by_rank, outline):
        chosen = choose(values, most)
        assert len(chosen) <= most or len(chosen) == len(values) <= most
        assert chosen == sorted(set(chosen))
        assert {min(values), max(values)} <= {values[i] for i in chosen}


def test_few_points_are_all_kept() -> None:
    """Nothing is thinned that has room."""
    assert spread_by_rank([3.0, 1.0, 2.0], 3) == [0, 1, 2]
    assert outline([3.0, 1.0, 2.0, 5.0], 4) == [0, 1, 2, 3]


def test_points_by_rank_keep_the_distribution() -> None:
    """A hundredth of a skewed sample has the same quartiles."""
    values = [math.exp(i / 2_000) for i in range(10_000)]
    kept = sorted(values[i] for i in spread_by_rank(values, 101))
    for share in (0.25, 0.5, 0.75):
        assert abs(kept[round(share * 100)] / values[round(share * 9_999)] - 1) < 0.01


def test_an_outline_keeps_ends_and_spikes() -> None:
    """A single spike in a long flat line survives."""
    values = [1.0] * 5_000
    values[3_210] = 9.0
    kept = outline(values, 100)
    assert {0, 3_210, 4_999} <= set(kept)
    assert len(kept) <= 100
