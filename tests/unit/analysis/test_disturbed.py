"""Trials that stand out: the worked example, and what must not be flagged."""

import math
from itertools import combinations

import pytest

from app.analysis.disturbed import Undisturbed, farthest, undisturbed
from app.analysis.estimate import estimate
from app.analysis.winner import winner_of
from app.domain.measurement import Better, Measurement
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
    assert [(m.setting, m.block) for m in read.own] == [(level(4), 2)]
    assert read.noise is not None
    assert (round(read.noise.log_sd, 4), read.noise.degrees_of_freedom) == (0.0158, 7)


def test_a_setting_that_is_slow_every_time_is_not_disturbed() -> None:
    """What a setting does in every block is its effect."""
    assert undisturbed(table({1: (100, 103, 101), 2: (200, 204, 203), 4: (80, 82, 79)})).disturbed == ()


def test_two_settings_in_three_blocks_flag_nothing() -> None:
    """Two degrees of freedom tell nothing apart."""
    assert undisturbed(table({1: (100, 103, 101), 2: (80, 160, 79)})).disturbed == ()


SERVER = ((300, 297, 262, 303, 299), (306, 296, 255, 291, 302), (295, 304, 259, 300, 305))
STREAMS = (1, 2, 4, 8, 16)
PLACES = tuple((block, arm) for block in range(3) for arm in range(5))
OF_TWO_SETTINGS = [pair for pair in combinations(PLACES, 2) if pair[0][1] != pair[1][1]]


def _with_slow(*places: tuple[int, int]) -> tuple[Measurement, ...]:
    """Return the trials of a server on which 4 streams take 13 % less, those at these places slowed down."""
    slowed = dict(zip(places, (1.7, 1.6, 1.8), strict=False))
    return table(
        {
            streams: [SERVER[block][arm] * slowed.get((block, arm), 1) for block in range(3)]
            for arm, streams in enumerate(STREAMS)
        }
    )


def _found(read: Undisturbed) -> set[tuple[int, int]]:
    return {(m.block - 1, STREAMS.index(int(m.setting["SubscriptionStreams"]))) for m in read.disturbed}


def test_two_disturbed_trials_do_not_hide_each_other() -> None:
    """Wherever two settings have one each both are found, and the noise is what it is without them."""
    for pair in OF_TWO_SETTINGS:
        read = undisturbed(_with_slow(*pair))
        assert set(pair) <= _found(read), pair
        assert len(read.disturbed) <= 3, pair
        assert read.noise is not None
        assert read.noise.cv < 0.02, pair


def test_what_was_disturbed_does_not_choose() -> None:
    """The setting that takes 13 % less goes on, whichever two trials of different settings were slowed down."""
    chosen = [winner_of(_with_slow(*pair), Better.LOWER, level(1)) for pair in OF_TWO_SETTINGS]
    assert set(chosen) == {level(4)}


def test_trials_that_hide_nothing_are_not_flagged() -> None:
    """What was taken away in looking for more comes back where nothing stood out behind it."""
    read = undisturbed(_with_slow())
    assert (read.disturbed, read.clear) == ((), _with_slow())
    assert read.noise == estimate(_with_slow()).noise


@pytest.mark.parametrize("factor", [1.5, 2.0, 8.0])
def test_no_more_than_a_fifth_is_flagged(factor: float) -> None:
    """Where more of the trials stand out the server is like that."""
    values: dict[Value, list[float]] = {
        arm: [100 * math.exp(0.01 * ((7 * arm + 3 * b) % 5)) for b in range(3)] for arm in (1, 2, 4, 8, 16)
    }
    values[1][0] *= factor
    values[4][1] *= factor
    values[16][2] *= factor
    values[2][0] *= factor
    assert len(undisturbed(table(values)).disturbed) <= 3
