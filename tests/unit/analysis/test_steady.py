"""Finding the steady part of a continuous run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.steady import truncate_warm_up
from tests.unit.analysis.making import CALM


@pytest.mark.parametrize(
    ("means", "cut"),
    [
        ([10.0, 60.0, 90.0, 100.0, 98.0, 102.0], 3),
        ([50.0, 101.0, 99.0, 101.0, 99.0, 101.0, 100.2, 99.8], 1),  # noise alone is no reason to cut on
    ],
)
def test_mser_follows_its_definition(means: list[float], cut: int) -> None:
    """The cut is the one with the smallest Σ(yᵢ − ȳ)² / m², worked out by hand for batches of five."""
    count = len(means)
    latest = count // 2
    by_hand = [sum((y - np.mean(means[d:])) ** 2 for y in means[d:]) / (count - d) ** 2 for d in range(latest + 1)]
    assert by_hand.index(min(by_hand)) == cut
    assert truncate_warm_up([mean for mean in means for _ in range(5)]) == 5 * cut


@CALM
@given(st.integers(1, 10), st.integers(11, 40), st.floats(0.0, 80.0), st.integers(0, 2**32 - 1))
def test_mser_cuts_a_step(low_batches: int, high_batches: int, low_rate: float, seed: int) -> None:
    """A rate that jumps to its steady level is cut at the jump, give or take what noise does, never before it."""
    noise = np.random.default_rng(seed).normal(0.0, 0.5, 5 * (low_batches + high_batches))
    rates = np.concatenate([np.full(5 * low_batches, low_rate), np.full(5 * high_batches, 100.0)]) + noise
    assert truncate_warm_up(rates.tolist()) >= 5 * low_batches


@CALM
@given(st.integers(1, 10), st.integers(11, 40))
def test_mser_cuts_a_step_without_noise_exactly(low_batches: int, high_batches: int) -> None:
    """Without noise the cut is the jump itself."""
    assert truncate_warm_up([20.0] * 5 * low_batches + [100.0] * 5 * high_batches) == 5 * low_batches


@CALM
@given(st.floats(0.0, 1e6), st.integers(0, 100))
def test_mser_leaves_a_constant_rate_whole(rate: float, count: int) -> None:
    """Nothing is cut from a series that is steady from the start, or too short to tell."""
    assert truncate_warm_up([rate] * count) == 0


@CALM
@given(st.lists(st.floats(0.0, 1e4), max_size=60))
def test_mser_never_cuts_more_than_half(rates: list[float]) -> None:
    """Whatever the readings, at least half of them stay."""
    assert truncate_warm_up(rates) <= len(rates) // 2
