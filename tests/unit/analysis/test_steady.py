"""Finding the steady part of a continuous run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.steady import WarmUp, batch_means, find_warm_up, steady_rate_per_s, truncate_warm_up
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


def test_warm_up_is_found_in_cumulative_deliveries() -> None:
    """A run that fills for 60 s and then delivers 1,000 commands/s is cut at 60 s, at the reading taken then."""
    times = np.arange(0.0, 601.0, 2.0)
    delivered = [(float(t), int(max(0.0, t - 60.0) * 1_000)) for t in times]
    found = find_warm_up(delivered)
    assert (found.index, found.is_steady) == (30, True)
    assert found.seconds == pytest.approx(60.0)
    assert steady_rate_per_s(delivered, 60.0) == pytest.approx(1_000.0)


def test_warm_up_takes_unevenly_spaced_readings() -> None:
    """History rows that come when they like are put on an even grid first."""
    times = np.cumsum(np.random.default_rng(1).uniform(1.0, 20.0, 120))
    delivered = [(float(t), int(max(0.0, t - 100.0) * 500)) for t in times]
    found = find_warm_up(delivered)
    assert found.is_steady
    assert 100.0 <= found.seconds < 200.0
    assert delivered[found.index][0] >= found.seconds > delivered[found.index - 1][0]


def test_run_that_never_settles_is_said_not_to_be_steady() -> None:
    """A rate that rises to the end has no steady part within the first half; nor has a handful of readings."""
    rising = [(float(t), t**2) for t in range(100)]
    assert not find_warm_up(rising).is_steady
    assert find_warm_up([(3.0, 0), (4.0, 10)]) == WarmUp(0, 3.0, is_steady=False)
    assert find_warm_up([]) == WarmUp(0, 0.0, is_steady=False)


def test_steady_rate_interpolates_at_the_cut() -> None:
    """A cut between two readings takes the share of what was delivered after it."""
    delivered = [(0.0, 0), (10.0, 100), (20.0, 300)]
    assert steady_rate_per_s(delivered, 5.0) == pytest.approx(250 / 15)
    assert steady_rate_per_s(delivered) == pytest.approx(15.0)


def test_steady_rate_needs_readings_after_the_cut() -> None:
    """A single reading, or a cut after the last one, is an error."""
    with pytest.raises(ValueError, match="two readings"):
        steady_rate_per_s([(0.0, 0)])
    with pytest.raises(ValueError, match="after 10"):
        steady_rate_per_s([(0.0, 0), (10.0, 100)], 10.0)


def test_batch_means_are_those_of_equal_parts() -> None:
    """Readings that fill no batch are dropped from the start; mean, sd and standard error are of the batch means."""
    found = batch_means([99.0, 1.0, 3.0, 5.0, 7.0, 3.0, 5.0], batches=3)
    assert found.batches == 3
    assert found.mean == pytest.approx(4.0)
    assert found.sd == pytest.approx(2.0)
    assert found.standard_error == pytest.approx(2.0 / 3**0.5)


def test_batch_means_see_through_autocorrelation() -> None:
    """Where readings resemble their neighbours, batches give an honest standard error and single readings do not."""
    random = np.random.default_rng(7)
    errors, honest, naive = [], [], []
    for _run in range(200):
        values = np.zeros(1_000)
        for i, shock in enumerate(random.normal(size=999), start=1):
            values[i] = 0.9 * values[i - 1] + shock
        errors.append(values.mean())
        honest.append(batch_means(values.tolist()).standard_error)
        naive.append(values.std() / 1_000**0.5)
    true_error = float(np.std(errors))
    assert np.mean(honest) == pytest.approx(true_error, rel=0.25)
    assert np.mean(naive) < 0.5 * true_error


def test_batch_means_need_two_batches() -> None:
    """One batch has no scatter; neither have fewer readings than batches."""
    for values, batches in (([1.0, 2.0, 3.0], 1), ([1.0], 2)):
        with pytest.raises(ValueError, match="batches"):
            batch_means(values, batches)
