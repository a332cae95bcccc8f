"""An effect is told as a person says it, and its interval in the same terms."""

from math import inf

import pytest

from app.domain.effect import effect_interval, effect_words, power_sentence


@pytest.mark.parametrize(
    ("ratio", "low", "high", "words", "interval"),
    [
        (0.57, 0.53, 0.61, "43 % less run time", "39–47 %"),
        (1.12, 1.01, 1.25, "12 % more run time", "1–25 %"),
        (0.96, 0.86, 1.06, "4 % less run time", "−14 % to +6 %"),
        (7.7, 6.4, 9.4, "7.7 times the run time", "6.4–9.4"),
        (1.0001, 0.98, 1.03, "the same run time", "−2 % to +3 %"),
        (0.57, 0.0, inf, "43 % less run time", ""),
    ],
)
def test_an_effect_and_its_interval(ratio: float, low: float, high: float, words: str, interval: str) -> None:
    """Less or more of the measure, from the double on a multiple; the interval signed where it holds no change."""
    assert effect_words(ratio, "run time").replace("\u00a0", " ") == words
    assert effect_interval(ratio, low, high).replace("\u00a0", " ") == interval


@pytest.mark.parametrize(
    ("ratio", "low", "high", "is_duration", "words", "interval"),
    [
        (1 / 81, 1 / 96, 1 / 69, True, "81 times the speed", "69–96"),
        (1 / 81, 1 / 96, 1 / 69, False, "1/81 of the run time", "1/69–1/96"),
        (0.099, 0.08, 0.11, True, "10 times the speed", "9.1–12"),
        (0.1, 0.09, 0.11, True, "90 % less run time", "89–91 %"),
    ],
)
def test_below_a_tenth_an_effect_is_a_multiple(
    ratio: float, low: float, high: float, is_duration: bool, words: str, interval: str
) -> None:
    """ "99 % less (99–99 %)" hides what 69 and 96 times tell."""
    assert effect_words(ratio, "run time", is_duration=is_duration).replace("\u00a0", " ") == words
    assert effect_interval(ratio, low, high, is_duration=is_duration).replace("\u00a0", " ") == interval


def test_what_trials_could_have_shown_is_a_number_only_where_it_tells_something() -> None:
    """Nobody plans with "a change of 972.7 % or more": beyond the double the trials show nothing that matters."""
    assert power_sentence(0.141).replace("\u00a0", " ") == (
        "These trials would show a change of 14 % or more in four of five experiments."
    )
    assert power_sentence(1.0).replace("\u00a0", " ").startswith("These trials would show a change of 100 % or more")
    assert "%" not in power_sentence(9.727)
