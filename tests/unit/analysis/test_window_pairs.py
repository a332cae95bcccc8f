"""Pairs of windows: a look after each from the third on, one interval and the p value that goes with it."""

import math

import pytest

from app.analysis.confirmation import Confirmed, Known
from app.analysis.window_pairs import WindowTerms, confirm_windows, error_in_all, look_error
from app.domain.measurement import Better
from app.domain.plan import MOST_WINDOW_PAIRS


def read(*differences: float, most_pairs: int = 12, resolution: float = 0.0) -> Confirmed:
    """Return what pairs say of rates, of which 5 % count."""
    return confirm_windows(
        differences, Known(resolution=resolution), WindowTerms(most_pairs, Better.HIGHER, minimum_effect=0.05)
    )


def test_two_pairs_are_no_look() -> None:
    """However well they agree: nothing paid for it."""
    read_two = read(0.5, 0.5)
    assert read_two.wants_more
    assert not read_two.reading.claims
    assert read_two.reading.interval == (0.0, math.inf)


def test_a_claim_ends_it_with_one_interval() -> None:
    """t of the third look, 2 degrees of freedom, at 0.93 %: 10.30; a worked example."""
    made = read(0.20, 0.22, 0.21)
    low, high = made.reading.interval
    assert (round(low, 3), round(high, 3)) == (1.134, 1.342)
    assert made.reading.claims
    assert not made.wants_more
    assert made.reading.joint == made.reading.alone
    assert made.reading.p_value < 0.05


def test_no_difference_ends_it_too() -> None:
    """Within five per cent on both sides."""
    made = read(*([0.001, -0.001] * 5))
    assert not made.reading.claims
    assert not made.wants_more


def test_an_open_question_goes_on() -> None:
    """Pairs that scatter."""
    made = read(0.10, -0.05, 0.12, 0.02)
    assert not made.reading.claims
    assert made.wants_more
    assert made.reading.p_value > 0.05


def test_windows_that_agree_to_the_last_digit_have_noise_all_the_same() -> None:
    """One per cent a window: less is luck or a clock."""
    made = read(0.03, 0.03, 0.03)
    assert not made.reading.claims


def test_a_coarse_count_widens_the_interval() -> None:
    """Rounding is not averaged out."""
    assert read(0.2, 0.22, 0.21, resolution=0.2).reading.claims is False


@pytest.mark.parametrize("most_pairs", range(3, MOST_WINDOW_PAIRS + 1))
def test_the_p_value_is_five_per_cent_where_the_interval_just_excludes_one(most_pairs: int) -> None:
    """One procedure: whoever reads the interval and whoever reads the p value come to the same claim."""
    assert error_in_all(look_error(most_pairs), most_pairs) == pytest.approx(0.05)
    values = [error_in_all(10**-k, most_pairs) for k in range(14)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1.0
    assert all(10**-k <= value <= 14.01 * 10**-k for k, value in enumerate(values))


def test_more_looks_cost_more() -> None:
    """The levels of the design: 6, 8, 12 and 16 pairs."""
    assert [look_error(pairs) for pairs in (6, 8, 12, 16)] == [0.0166, 0.0127, 0.0093, 0.0077]
