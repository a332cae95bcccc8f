"""Trials that stand out: the worked example, and what must not be flagged."""

import math

import pytest

from app.analysis.disturbed import farthest, undisturbed
from app.analysis.estimate import estimate
from app.domain.setting import Value
from tests.unit.analysis.making import level, table

ROWS = ((100, 80, 79, 81, 90), (103, 82, 160, 80, 93), (101, 79, 80, 83, 91))
EXAMPLE = table({arm: [row[position] for row in ROWS] for position, arm in enumerate((1, 2, 4, 8, 16))})


def test_the_doubled_trial_of_the_example() -> None:
    """One trial of fifteen took twice as long; without it the noise is a tenth."""
    whole = estimate(EXAMPLE).noise
    assert whole is not None
    assert (round(whole.log_sd, 4), whole.degrees_of_freedom) == (0.1774, 8)
    apart = farthest(EXAMPLE, estimate(EXAMPLE), whole, len(EXAMPLE))
    assert ((EXAMPLE[apart.position].setting, EXAMPLE[apart.position].block), round(apart.t, 4)) == (
        (level(4), 2),
        31.7435,
    )
    read = undisturbed(EXAMPLE)
    assert [(m.setting, m.block) for m in read.disturbed] == [(level(4), 2)]
    assert read.noise is not None
    assert (round(read.noise.log_sd, 4), read.noise.degrees_of_freedom) == (0.0158, 7)


def test_a_setting_that_is_slow_every_time_is_not_disturbed() -> None:
    """What a setting does in every block is its effect."""
    assert undisturbed(table({1: (100, 103, 101), 2: (200, 204, 203), 4: (80, 82, 79)})).disturbed == ()


def test_two_settings_in_three_blocks_flag_nothing() -> None:
    """Two degrees of freedom tell nothing apart."""
    assert undisturbed(table({1: (100, 103, 101), 2: (80, 160, 79)})).disturbed == ()


@pytest.mark.parametrize("factor", [1.5, 2.0, 8.0])
def test_no_more_than_fifteen_percent_are_flagged(factor: float) -> None:
    """Where a fifth of the trials stands out the server is like that."""
    values: dict[Value, list[float]] = {
        arm: [100 * math.exp(0.01 * ((7 * arm + 3 * b) % 5)) for b in range(3)] for arm in (1, 2, 4, 8, 16)
    }
    values[1][0] *= factor
    values[4][1] *= factor
    values[16][2] *= factor
    assert len(undisturbed(table(values)).disturbed) <= 2
