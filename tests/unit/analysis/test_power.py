"""Trials needed and smallest effects."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.analysis.power import MOST_TRIALS, Question, smallest_effect, trials_needed
from tests.unit.analysis.making import CALM

KNOWN = Question(settings=2, comparisons=1, borrowed_degrees=10_000_000, noise_is_given=True)


@pytest.mark.parametrize(("effect", "expected"), [(0.10, 2), (0.07, 4), (0.05, 6), (0.02, 37), (0.01, 143)])
def test_trials_needed_at_known_noise_are_the_textbook_numbers(effect: float, expected: int) -> None:
    """At 3 % noise known for certain: 2 (1.960 + 0.842)² σ² / ln(1 + effect)², rounded up."""
    by_hand = math.ceil(2 * (1.959964 + 0.841621) ** 2 * 0.03**2 / math.log1p(effect) ** 2)
    assert trials_needed(math.log1p(effect), 0.03, KNOWN) == by_hand == expected


@CALM
@given(
    st.floats(0.005, 0.5),
    st.floats(0.01, 0.2),
    st.integers(2, 8),
    st.integers(1, 28),
    st.sampled_from([(0, False), (8, False), (7, True)]),
)
def test_trials_needed_is_the_smallest_number_that_shows_the_effect(
    effect: float, log_sd: float, settings: int, comparisons: int, known: tuple[int, bool]
) -> None:
    """With n trials the effect reaches t₁₋α/₂ + t₀.₈ standard errors, with n − 1 it does not."""
    question = Question(settings, comparisons, 0.95, *known)

    def shows(trials: int) -> bool:
        degrees = question.degrees_after(trials)
        if degrees < 1:
            return False
        quantiles = stats.t.ppf(1 - 0.025 / comparisons, degrees) + stats.t.ppf(0.8, degrees)
        return bool(quantiles * log_sd * math.sqrt(2 / trials) <= effect)

    found = trials_needed(effect, log_sd, question)
    assert found == MOST_TRIALS or shows(found)
    assert found == 1 or not shows(found - 1)


def test_trials_needed_has_an_end() -> None:
    """An effect nobody could show gives the largest number, not an endless search."""
    assert trials_needed(1e-12, 0.1, KNOWN) == MOST_TRIALS


def test_degrees_of_freedom_grow_with_blocks_unless_the_noise_is_given() -> None:
    """n blocks of k settings leave (k − 1)(n − 1), beside what is borrowed."""
    assert Question(5, 4).degrees_after(3) == 8
    assert Question(2, 1, borrowed_degrees=8).degrees_after(3) == 10
    assert Question(5, 4, borrowed_degrees=7, noise_is_given=True).degrees_after(3) == 7


def test_smallest_effect_shrinks_with_the_standard_error() -> None:
    """(2.365 + 0.896) standard errors at 7 degrees of freedom; a share, not a log."""
    question = Question(2, 1)
    assert smallest_effect(0.03, 7, question) == pytest.approx(math.expm1(3.260654 * 0.03), rel=1e-5)
    assert smallest_effect(0.01, 7, question) < smallest_effect(0.03, 7, question)
