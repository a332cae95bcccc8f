"""The length of windows: longer where seconds make the noise, shorter where starts do, and why."""

import math

import numpy as np
import pytest

from app.analysis.window_length import LONGEST_S, SHORTEST_S, window_length


def fifths(spread: float, level: float = 1_000.0) -> list[float]:
    """Return rates of five parts that scatter by a share, in a fixed pattern of unit variance."""
    pattern = np.array([-1.2, 0.4, 1.2, -0.8, 0.4])
    return [float(rate) for rate in level * np.exp(spread * pattern / pattern.std(ddof=1))]


def test_even_seconds_make_short_windows() -> None:
    """Where a second tells as much as a minute, a start costs all there is to lose."""
    assert window_length(fifths(0.01), fifths(0.01), fifth_s=12, switch_s=30).seconds == SHORTEST_S


def test_uneven_seconds_make_long_windows() -> None:
    """√(30 s × 0.3² × 12 s / (3/4 × 5 %²)) = 131 s, to five seconds."""
    made = window_length(fifths(0.3), fifths(0.3), fifth_s=12, switch_s=30)
    assert made.seconds == pytest.approx(5 * round(math.sqrt(30 * 0.09 * 12 / (0.75 * 0.0025)) / 5))
    assert made.reason.startswith("130 s windows, because")


def test_starts_that_differ_make_them_shorter() -> None:
    """What each start brings along is not averaged out by seconds."""
    alike, apart = (window_length(fifths(0.3), fifths(0.3, level), 12, 30).seconds for level in (1_000, 1_500))
    assert apart < alike


@pytest.mark.parametrize("parts", [[], [0.0] * 5, [5.0]])
def test_too_little_to_tell_takes_the_longest(parts: list[float]) -> None:
    """A trickle shows no noise within half a minute."""
    assert window_length(parts, fifths(0.1), 12, 30).seconds == LONGEST_S


def test_it_is_held() -> None:
    """Whatever the noise."""
    assert window_length(fifths(3.0), fifths(3.0), 12, 60).seconds == LONGEST_S
