"""A confirmed comparison: worked examples to four digits, and what no number of blocks can mend."""

import math

import numpy as np
import pytest

from app.analysis.confirmation import Apart, Confirmed, Known, Reading, confirm, flag, set_aside, trials_to_claim
from app.analysis.distributions import t_quantile
from app.analysis.noise import Noise

EXPLORED = Noise(math.sqrt(0.0009), 8)


def rounded(reading: Reading) -> dict[str, float]:
    """Return a reading's numbers to four digits."""
    return {
        "middle": round(reading.log_ratio, 4),
        "joint": round(reading.joint, 4),
        "alone": round(reading.alone, 4),
        "ratio": round(math.exp(reading.log_ratio), 4),
        "low": round(reading.interval[0], 4),
        "high": round(reading.interval[1], 4),
    }


def of(*differences: float, resolution: float = 0.0, explored: Noise | None = EXPLORED, tried: int = 5) -> Confirmed:
    """Return what these pairs say."""
    return confirm(differences, Known(explored, resolution=resolution, tried=tried))


def studentized(apart: Apart | None) -> tuple[int, float, float]:
    """Return which pair lies farthest, its t and its limit, to four digits."""
    assert apart is not None
    return apart.position, round(apart.t, 4), round(apart.limit, 4)


def flagging(*differences: float) -> tuple[int, float, float]:
    """Return what the others and the exploring noise say of the farthest pair."""
    return studentized(flag(np.array(differences), Known(EXPLORED)))


def own_and_freedom(made: Confirmed, *differences: float) -> tuple[float, float]:
    """Return the noise of one trial that pairs show by themselves, and the degrees of freedom J takes."""
    assert made.whole.noise is not None
    return round(float(np.std(differences, ddof=1)) / math.sqrt(2), 4), round(made.whole.noise.degrees_of_freedom, 4)


def test_three_quiet_pairs_claim() -> None:
    """J and C exclude no difference; the wider one is printed. With five trials before them they are enough."""
    made = of(-0.12, -0.09, -0.11)
    assert rounded(made.reading) == {
        "middle": -0.1067, "joint": 0.0505, "alone": 0.0689, "ratio": 0.8988, "low": 0.8390, "high": 0.9629,
    }  # fmt: skip
    assert (made.flagged, made.reading.claims, made.wants_more) == (None, True, False)
    middle, joint = made.reading.log_ratio, made.reading.joint
    assert [round(math.exp(end), 4) for end in (middle - joint, middle + joint)] == [0.8546, 0.9454]
    assert own_and_freedom(made, -0.12, -0.09, -0.11) == (0.0108, 6.0)
    assert flagging(-0.12, -0.09, -0.11) == (1, 0.5361, 5.2474)


@pytest.mark.parametrize(
    ("ratio", "trials"),
    [(0.99, 8), (0.90, 8), (0.80, 8), (0.66, 8), (0.62, 7), (0.60, 6), (0.55, 5), (0.50, 4), (0.40, 2), (0.30, 1)],
)
def test_the_smaller_a_gain_the_more_trials_a_claim_needs(ratio: float, trials: int) -> None:
    """Where a quarter of trials take thrice as long, a gain of a third is gone; of eight none does in 0.75⁸ = 0.10."""
    assert trials_to_claim(math.log(ratio)) == trials_to_claim(-math.log(ratio)) == trials


def test_pairs_that_agree_better_than_exploring_did_are_looked_at_once_more() -> None:
    """An order in step with some load may have made them so; where nothing was explored, nobody knows."""
    assert not of(-0.20, -0.14, -0.17).wants_more
    assert of(-0.170, -0.171, -0.169, explored=Noise(0.04, 8)).wants_more
    assert not of(-0.170, -0.171, -0.169, explored=None).wants_more
    assert not confirm((-0.170, -0.171, -0.169), Known(EXPLORED, stated_cv=0.03)).wants_more


def test_a_small_gain_is_claimed_once_the_candidate_ran_often_enough() -> None:
    """Exploring trials count; a large gain needs none, and a stated noise asks for no further block."""
    quiet = (-0.14, -0.17, -0.20)
    assert of(*quiet, tried=4).wants_more
    assert not of(*quiet, tried=5).wants_more
    assert of(*quiet, *quiet[:1], tried=3).wants_more
    assert not of(*quiet, *quiet[:2], tried=3).wants_more
    assert not of(-1.30, -1.31, -1.29, tried=0).wants_more
    assert not of(-0.01, 0.01, 0.0, tried=0).wants_more
    assert not confirm(quiet, Known(EXPLORED, stated_cv=0.03)).wants_more


def test_a_claim_of_a_setting_that_stood_out_by_itself_takes_every_block() -> None:
    """However large: one of its exploring trials was slow, and none of another setting."""
    large = (-0.60, -0.63, -0.57)
    assert confirm(large * 2, Known(EXPLORED, tried=3, is_in_doubt=True)).wants_more
    assert not confirm(large, Known(EXPLORED, tried=3)).wants_more
    assert not confirm((-0.01, 0.01, 0.0), Known(EXPLORED, is_in_doubt=True)).wants_more


@pytest.mark.parametrize(
    ("orders", "aside"),
    [
        ((), True),
        ((True, True, True, True), True),
        ((True, True, False, False), True),
        ((True, False, True, True), False),
    ],
)
def test_a_pair_that_alone_ran_in_its_order_is_not_set_aside(orders: tuple[bool, ...], aside: bool) -> None:
    """A load that comes every second trial makes the pairs in one order differ from those in the other."""
    made = confirm((-0.10, 0.60, -0.12, -0.11), Known(EXPLORED, tried=5, orders=orders))
    assert (made.flagged, made.is_set_aside, made.wants_more) == (1, aside, not aside)


def test_a_doubled_trial_is_flagged_and_asks_for_one_more_block() -> None:
    """Three pairs cannot show by themselves which one is disturbed."""
    made = of(-0.10, 0.60, -0.12)
    assert rounded(made.reading) == {
        "middle": 0.1267, "joint": 0.9880, "alone": 1.8490, "ratio": 1.1350, "low": 0.4226, "high": 3.0486,
    }  # fmt: skip
    assert (made.flagged, made.is_set_aside, made.reading.claims, made.wants_more) == (1, False, False, True)
    assert own_and_freedom(made, -0.10, 0.60, -0.12) == (0.2899, 2.0428)
    assert flagging(-0.10, 0.60, -0.12) == (1, 15.0689, 5.2474)


def test_four_pairs_set_the_doubled_trial_aside() -> None:
    """The other three decide; the reading with all four stands beside it."""
    made = of(-0.10, 0.60, -0.12, -0.11)
    assert rounded(made.reading) == {
        "middle": -0.1100, "joint": 0.0496, "alone": 0.0638, "ratio": 0.8958, "low": 0.8405, "high": 0.9548,
    }  # fmt: skip
    assert (made.flagged, made.is_set_aside, made.reading.claims, made.wants_more) == (1, True, True, False)
    others = of(-0.10, -0.12, -0.11)
    assert own_and_freedom(others, -0.10, -0.12, -0.11) == (0.0071, 6.0)
    assert made.reading == others.reading
    assert flagging(-0.10, 0.60, -0.12, -0.11) == (1, 17.5085, 4.9807)
    assert studentized(set_aside(np.array([-0.10, 0.60, -0.12, -0.11]))) == (1, 43.4784, 28.2577)
    assert made.whole.pairs == 4
    assert not made.whole.claims


def test_a_doubled_trial_makes_no_claim_where_there_is_nothing() -> None:
    """The same without an effect: one more block, then no claim."""
    three = of(0.01, 0.70, -0.02)
    assert rounded(three.reading)["ratio"] == 1.2586
    assert [round(end, 4) for end in three.reading.interval] == [0.4719, 3.3569]
    assert three.wants_more
    four = of(0.01, 0.70, -0.02, 0.015)
    assert four.is_set_aside
    assert studentized(set_aside(np.array([0.01, 0.70, -0.02, 0.015]))) == (1, 31.9485, 28.2577)
    assert rounded(four.reading)["ratio"] == 1.0017
    assert [round(end, 4) for end in four.reading.interval] == [0.9516, 1.0544]
    assert not four.reading.claims
    assert not four.wants_more


def test_a_clock_of_seconds_claims_nothing_of_one_second() -> None:
    """7 s against 8 s three times: the clock's step is as large as the difference, and more blocks do not mend it."""
    explored = Noise(0.01, 8)
    coarse = of(*[math.log(8 / 7)] * 3, resolution=(1 / 8 + 1 / 7) / 2, explored=explored)
    assert rounded(coarse.reading) == {
        "middle": 0.1335, "joint": 0.1354, "alone": 0.1483, "ratio": 1.1429, "low": 0.9981, "high": 1.3086,
    }  # fmt: skip
    assert (coarse.reading.claims, coarse.wants_more) == (False, False)
    fine = of(*[math.log(8 / 7)] * 3, explored=explored)
    assert (round(fine.reading.joint, 4), round(fine.reading.alone, 4)) == (0.0200, 0.0638)


def test_one_pair_is_no_claim() -> None:
    """Whatever the exploring trials said, one pair alone shows nothing; its interval reaches no difference."""
    made = of(-0.5)
    assert not made.reading.claims
    assert made.reading.interval[1] == 1.0
    assert made.wants_more


def test_nothing_known_says_nothing() -> None:
    """One pair without exploring trials has no noise to be judged by."""
    assert of(-0.5, explored=None).reading.interval == (0.0, math.inf)


def test_the_larger_of_stated_and_observed_noise_counts() -> None:
    """A stated level is believed until the pairs show more; it asks for no further look."""
    quiet = confirm((-0.30, -0.31, -0.29), Known(EXPLORED, stated_cv=0.10))
    assert quiet.reading.noise is not None
    assert quiet.reading.noise.degrees_of_freedom == 7
    loud = confirm((-0.30, -0.80, 0.20), Known(EXPLORED, stated_cv=0.03))
    assert loud.reading.noise is not None
    assert loud.reading.noise.log_sd > 0.2
    assert not loud.wants_more


@pytest.mark.parametrize("pairs", [3, 4, 5, 6])
def test_quantiles_of_the_looks(pairs: int) -> None:
    """The published quantiles at 1.6 % for three to six pairs."""
    expected = {3: 7.8105, 4: 4.9298, 5: 4.0097, 6: 3.5726}[pairs]
    spread = [(-1) ** i * 0.1 for i in range(pairs)]
    made = of(*spread, explored=None)
    own = math.sqrt(sum((d - sum(spread) / pairs) ** 2 for d in spread) / (pairs - 1))
    assert made.whole.alone / (own / math.sqrt(pairs)) == pytest.approx(expected, abs=1e-4)


TWO_SLOW = (-0.10, 0.60, -0.12, -0.11, -0.75, -0.09)


def test_two_disturbed_pairs_hide_each_other_unless_the_server_tells_of_one() -> None:
    """Without the one it tells of, the others show the other; positions are those of all pairs."""
    hidden = confirm(TWO_SLOW, Known(EXPLORED, tried=5))
    assert (hidden.aside, hidden.reading.claims) == (frozenset(), False)
    for told, other in ((1, 4), (4, 1)):
        made = confirm(TWO_SLOW, Known(EXPLORED, tried=5, met=frozenset({0, told})))
        assert (made.told, made.flagged, made.is_set_aside, made.aside) == (told, other, True, frozenset({1, 4}))
        assert made.reading == of(-0.10, -0.12, -0.11, -0.09).reading
        assert made.whole.pairs == 5
        assert made.reading.claims


def test_what_the_server_tells_sets_nothing_aside_that_lies_among_the_others() -> None:
    """Nor where nothing was explored to hold it against, or three pairs would not be left."""
    quiet = (-0.10, -0.09, -0.12, -0.11)
    assert confirm(quiet, Known(EXPLORED, met=frozenset({2}))) == confirm(quiet, Known(EXPLORED))
    slow = (-0.10, 0.60, -0.12, -0.11)
    assert confirm(slow, Known(EXPLORED, met=frozenset({1}))).told == 1
    assert confirm(slow, Known(EXPLORED, met=frozenset({1}))).whole == confirm(slow, Known(EXPLORED)).whole
    assert confirm(slow, Known(None, met=frozenset({1}))).told is None
    assert confirm(slow[:3], Known(EXPLORED, met=frozenset({1}))).told is None


def test_what_is_known_of_the_others_keeps_its_places() -> None:
    """Behind the pair set aside all positions are one less."""
    known = Known(
        EXPLORED,
        outcomes=frozenset({0, 2}),
        own=frozenset({1, 3}),
        met=frozenset({1}),
        tried=3,
        orders=(True, False, True, True),
    )
    left = known.without(1)
    assert (left.outcomes, left.own, left.met, left.tried) == (frozenset({0, 1}), frozenset({2}), frozenset(), 4)
    assert left.orders == (True, True, True)


@pytest.mark.parametrize(
    "differences", [(-0.02, 0.03, -0.05), (-0.06, 0.01, -0.09, 0.02), (0.30, -0.25, 0.02, 0.01, 0.0)]
)
def test_the_p_of_an_open_comparison_is_that_of_its_interval(differences: tuple[float, ...]) -> None:
    """The interval at level 1 - p ends at no difference: one procedure for both."""
    reading = of(*differences).reading
    assert not reading.claims
    assert reading.noise is not None
    t = t_quantile(1 - reading.p_value / 2, reading.noise.degrees_of_freedom)
    half_width = t * reading.noise.log_sd * math.sqrt(2 / reading.pairs)
    assert half_width == pytest.approx(abs(reading.log_ratio), rel=1e-3)
