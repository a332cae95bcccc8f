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


@pytest.mark.parametrize("side", [1, -1])
def test_a_gain_goes_on_until_it_is_worth_acting_on(side: int) -> None:
    """Of 12 % three pairs show 2.6 %, four 6.7 %, of rates and of times: a change, not one "if worth it"."""
    better = Better.HIGHER if side > 0 else Better.LOWER
    differences = [side * log for log in (0.10, 0.12, 0.11, 0.10, 0.11)]
    shown = [confirm_windows(differences[:n], Known(), WindowTerms(12, better, 0.05)) for n in (3, 4, 5)]
    assert all(one.reading.claims for one in shown)
    near = [math.exp(abs(one.reading.log_ratio) - one.reading.half_width) for one in shown]
    assert [round(one, 3) for one in near] == [1.026, 1.067, 1.081]
    assert [one.wants_more for one in shown] == [True, False, False]


def test_a_gain_that_is_surely_smaller_ends_it() -> None:
    """Shown, and wholly below what is worth acting on."""
    made = read(*([0.019, 0.021] * 5))
    assert made.reading.claims
    assert made.reading.interval[1] < 1.05
    assert not made.wants_more


def test_a_gain_that_all_pairs_would_hardly_show_to_be_worth_it_ends_it() -> None:
    """5.5 %, shown, of which twelve pairs with this noise would show 3 %."""
    made = read(0.03, 0.08, 0.055, 0.045, 0.065, 0.055, 0.055, 0.04, 0.07)
    assert made.reading.claims
    assert made.reading.interval[1] > 1.05
    assert not made.wants_more


def test_a_loss_that_is_shown_ends_it() -> None:
    """Of whatever size: nothing is changed either way."""
    made = read(-0.10, -0.12, -0.11)
    assert made.reading.claims
    assert not made.wants_more


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
