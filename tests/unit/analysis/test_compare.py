"""Comparisons: ratios, simultaneous intervals, adjusted p, verdicts and what is needed to settle them."""

import math

import numpy as np
import pytest
from scipy import stats

from app.analysis.compare import against, against_best, compare
from app.domain.comparison import Verdict
from app.domain.measurement import Better
from app.domain.setting import Setting, Value
from tests.unit.analysis.making import level, measured, table

TWO: dict[Value, list[float]] = {1: [100.0, 108.0, 104.0, 111.0], 8: [81.0, 89.0, 84.0, 88.0]}


def test_compare_of_two_settings_in_blocks_is_the_paired_t_test() -> None:
    """With two settings, one trial each in every block, p and interval are those of a paired t test on logs."""
    (found,) = compare(table(TWO), against(level(1)), Better.LOWER, 0.05, None)
    paired = stats.ttest_rel(np.log(TWO[8]), np.log(TWO[1]))
    interval = paired.confidence_interval(0.95)
    assert found.p_adjusted == pytest.approx(paired.pvalue)
    assert (found.low, found.high) == pytest.approx((math.exp(interval.low), math.exp(interval.high)))
    assert found.ratio == pytest.approx(stats.gmean(TWO[8]) / stats.gmean(TWO[1]))
    assert found.verdict is Verdict.IMPROVEMENT


def test_compare_of_two_settings_in_one_block_is_the_t_test_of_two_samples() -> None:
    """Without blocks, p and interval are those of Welch's t test on logs."""
    rows = [measured(v, level(a), trial_id=f"{a}-{v}") for a, values in TWO.items() for v in values]
    (found,) = compare(rows, against(level(1)), Better.LOWER, 0.05, None)
    welch = stats.ttest_ind(np.log(TWO[8]), np.log(TWO[1]), equal_var=False)
    assert found.p_adjusted == pytest.approx(welch.pvalue)
    assert found.high == pytest.approx(math.exp(welch.confidence_interval(0.95).high))


def test_compare_with_a_given_noise_has_seven_degrees_of_freedom() -> None:
    """One run each at 3 % noise: log-sd √ln(1 + 0.03²), standard error √2 times that, t with 7 degrees of freedom."""
    (found,) = compare(table({1: 100.0, 8: 90.0}), against(level(1)), Better.LOWER, 0.05, 0.03)
    error = math.sqrt(2 * math.log(1 + 0.03**2))
    assert found.high == pytest.approx(0.9 * math.exp(2.364624 * error), rel=1e-6)
    assert found.p_adjusted == pytest.approx(2 * stats.t.sf(abs(math.log(0.9)) / error, 7))
    assert found.smallest_effect == pytest.approx(math.exp((2.364624 + 0.896030) * error) - 1, rel=1e-5)


def test_compare_takes_a_stated_noise_unless_the_trials_scatter_more() -> None:
    """8 % stated of calm trials counts; 1 % stated of trials that scatter by 10 % does not."""
    calm: dict[Value, list[float]] = {1: [100.0, 100.1, 100.0], 8: [95.0, 95.1, 95.1]}
    (own,) = compare(table(calm), against(level(1)), Better.LOWER, 0.05, None)
    (stated,) = compare(table(calm), against(level(1)), Better.LOWER, 0.05, 0.08)
    assert own.verdict is Verdict.IMPROVEMENT
    assert stated.verdict is Verdict.CANNOT_TELL
    assert stated.ratio == own.ratio
    wild: dict[Value, list[float]] = {1: [100.0, 118.0, 96.0, 104.0], 8: [90.0, 87.0, 101.0, 88.0]}
    (seen,) = compare(table(wild), against(level(1)), Better.LOWER, 0.05, None)
    (understated,) = compare(table(wild), against(level(1)), Better.LOWER, 0.05, 0.01)
    assert (understated.low, understated.high) == (seen.low, seen.high)


def test_each_pair_is_judged_by_its_own_noise() -> None:
    """A wild setting does not become quiet among quiet ones, and widens what is said of them far less than itself."""
    rows = table({1: [100.0, 101.0, 99.0, 100.5], 2: [90.0, 91.0, 89.5, 90.2], 4: [70.0, 140.0, 60.0, 95.0]})
    quiet, wild = compare(rows, against(level(1)), Better.LOWER, 0.05, None)
    assert math.log(wild.high / wild.low) > 1.25 * math.log(quiet.high / quiet.low)
    alone = compare([m for m in rows if m.setting != level(2)], against(level(1)), Better.LOWER, 0.05, None)[0]
    assert alone.verdict is wild.verdict is Verdict.CANNOT_TELL


def test_noise_of_a_pair_is_helped_by_the_other_trials() -> None:
    """The worked formula: own variance with B − 1 degrees of freedom, the rest with up to four."""
    rows = table({1: [100.0, 108.0, 104.0], 2: [81.0, 89.0, 84.0], 4: [70.0, 73.0, 75.0], 8: [60.0, 66.0, 63.0]})
    found = compare(rows, against(level(1)), Better.LOWER, 0.05, None)[0]
    logs = np.log([m.value for m in rows]).reshape(4, 3)
    differences = logs[1] - logs[0]
    own = float(differences.var(ddof=1)) / 2
    residual = logs - logs.mean(axis=1, keepdims=True) - logs.mean(axis=0) + logs.mean()
    rest = max((float((residual**2).sum()) - 2 * own) / 4, 0.01**2)
    lent = min(4.0, 4.0) * min(1.0, rest / max(own, 0.01**2))
    sd = math.sqrt(max((lent * rest + 2 * own) / (lent + 2), 0.01**2))
    half_width = stats.t.ppf(1 - 0.05 / 6, lent + 2) * sd * math.sqrt(2 / 3)
    assert math.log(found.high / found.ratio) == pytest.approx(half_width)


def test_a_coarse_clock_shows_no_step_of_its_own() -> None:
    """Times of whole seconds, 7 against 8 s in every block: nothing is known of what lies between."""
    rows = table({1: [8.0, 8.0, 8.0], 8: [7.0, 7.0, 7.0]})
    (fine,) = compare(rows, against(level(1)), Better.LOWER, 0.05, None)
    (coarse,) = compare(rows, against(level(1)), Better.LOWER, 0.05, None, step=1.0)
    assert fine.verdict is Verdict.IMPROVEMENT
    assert coarse.verdict is Verdict.CANNOT_TELL
    assert coarse.p_adjusted > 0.05


def test_compare_against_a_baseline_counts_its_own_comparisons_only() -> None:
    """k − 1 comparisons share the error, of intervals and p alike."""
    rows = table({1: 100.0, 2: 97.0, 4: 90.0, 8: 80.0})
    found = compare(rows, against(level(1)), Better.LOWER, 0.05, 0.03)
    error = math.sqrt(2 * math.log1p(0.03**2))
    quantile = stats.t.ppf(1 - 0.05 / 6, 7)
    assert [c.candidate for c in found] == [level(2), level(4), level(8)]
    assert [c.high for c in found] == pytest.approx([r * math.exp(quantile * error) for r in (0.97, 0.9, 0.8)])
    raw = [2 * stats.t.sf(-math.log(r) / error, 7) for r in (0.97, 0.9, 0.8)]
    assert [c.p_adjusted for c in found] == pytest.approx([min(1.0, 3 * p) for p in raw])


def test_compare_against_best_counts_every_pair() -> None:
    """The best was picked from the data, so all k(k − 1)/2 pairs share the error."""
    rows = table({1: 100.0, 2: 97.0, 4: 90.0, 8: 80.0})
    found = compare(rows, against_best(), Better.LOWER, 0.05, 0.03)
    error = math.sqrt(2 * math.log1p(0.03**2))
    quantile = stats.t.ppf(1 - 0.05 / 12, 7)
    assert [(c.reference, c.candidate) for c in found] == [(level(a), level(8)) for a in (1, 2, 4)]
    assert [c.low for c in found] == pytest.approx([80 / a * math.exp(-quantile * error) for a in (100, 97, 90)])
    assert found[0].p_adjusted == pytest.approx(6 * 2 * stats.t.sf(-math.log(0.8) / error, 7))


def test_compare_against_best_looks_up_where_higher_is_better() -> None:
    """For a rate the best is the largest, and a ratio above 1 is an improvement."""
    found = compare(table({1: 10.0, 8: 40.0, 16: 20.0}), against_best(), Better.HIGHER, 0.05, 0.03)
    assert {c.candidate for c in found} == {level(8)}
    assert {c.verdict for c in found} == {Verdict.IMPROVEMENT}


@pytest.mark.parametrize(
    ("better", "faster", "slower"),
    [(Better.LOWER, Verdict.IMPROVEMENT, Verdict.WORSE), (Better.HIGHER, Verdict.WORSE, Verdict.IMPROVEMENT)],
)
def test_compare_calls_a_shown_difference_by_what_is_better(better: Better, faster: Verdict, slower: Verdict) -> None:
    """The same ratio is an improvement or worse, depending on the metric."""
    low, high = compare(table({1: 100.0, 2: 50.0, 4: 200.0}), against(level(1)), better, 0.05, 0.03)
    assert (low.verdict, high.verdict) == (faster, slower)


def test_compare_tells_no_difference_when_the_interval_lies_within_the_minimum_effect() -> None:
    """Many calm blocks show that two settings are equal for all practical purposes."""
    values = [100.0, 101.0, 99.5, 100.5, 100.2]
    rows = table({1: values, 8: [v * f for v, f in zip(values, (1.001, 0.999, 1.0, 1.002, 0.998), strict=True)]})
    (found,) = compare(rows, against(level(1)), Better.LOWER, 0.05, None)
    assert found.verdict is Verdict.NO_DIFFERENCE
    assert 1 / 1.05 <= found.low < 1 < found.high <= 1.05
    assert found.trials_needed == 0


def test_compare_shows_a_difference_below_the_minimum_effect_as_shown() -> None:
    """An interval that excludes 1 goes first, even one within the minimum effect."""
    (found,) = compare(table({1: [100.0, 100.1], 8: [98.0, 98.1]}), against(level(1)), Better.LOWER, 0.05, 0.001)
    assert found.low > 1 / 1.05
    assert found.verdict is Verdict.IMPROVEMENT


def test_compare_of_single_runs_without_a_noise_level_cannot_tell() -> None:
    """One run each and no noise level: nothing can be said, and two runs each are the least that would help."""
    for found in compare(table({1: 554.79, 2: 535.58, 8: 304.06}), against_best(), Better.LOWER, 0.05, None):
        assert (found.low, found.high, found.p_adjusted) == (0.0, math.inf, 1.0)
        assert (found.smallest_effect, found.trials_needed) == (math.inf, 2)
        assert found.verdict is Verdict.CANNOT_TELL


def test_compare_of_settings_in_separate_blocks_cannot_tell() -> None:
    """All of A, then all of B: the difference may be drift, whatever the noise; it says so and asks for more."""
    rows = [measured(v, level(a), block=a, trial_id=f"{a}{v}") for a in (1, 2) for v in (100.0 / a, 101.0 / a)]
    for noise_cv in (None, 0.03):
        (found,) = compare(rows, against(level(1)), Better.LOWER, 0.05, noise_cv)
        assert (found.low, found.high, found.p_adjusted) == (0.0, math.inf, 1.0)
        assert found.ratio == pytest.approx(0.5)
        assert found.verdict is Verdict.CANNOT_TELL
        assert found.trials_needed > 2


def test_compare_asks_for_more_trials_than_there_are() -> None:
    """Trials needed grow as the effect to be shown shrinks, and always exceed those at hand."""
    rows = table({1: [100.0, 106.0, 97.0], 8: [101.0, 100.0, 102.0]})
    needed = [compare(rows, against(level(1)), Better.LOWER, e, None)[0].trials_needed for e in (0.1, 0.05, 0.02)]
    assert needed == sorted(needed)
    assert needed[0] > 3
    assert needed[-1] > needed[0]


def test_compare_plans_for_the_observed_effect_where_it_is_larger() -> None:
    """A large effect that is not yet shown needs fewer trials than the minimum effect would."""
    small, large = compare(table({1: 100.0, 2: 101.0, 4: 89.0}), against(level(1)), Better.LOWER, 0.05, 0.03)
    assert large.verdict is small.verdict is Verdict.CANNOT_TELL
    assert 1 < large.trials_needed < small.trials_needed


def test_compare_needs_two_settings() -> None:
    """One setting alone is compared with nothing."""
    assert compare(table({1: [100.0, 101.0]}), against(level(1)), Better.LOWER, 0.05, None) == ()
    assert compare(table({1: [100.0, 101.0]}), against(level(8)), Better.LOWER, 0.05, None) == ()
    assert compare(table({1: [100.0, 101.0]}), against_best(), Better.LOWER, 0.05, 0.03) == ()


def test_compare_carries_over_what_was_compared() -> None:
    """Family, metric, unit, conditions, factor and trial ids are those of the measurements."""
    conditions = Setting.of(rtt_ms=300)
    rows = [
        measured(v, level(a), metric="throughput", unit="commands/s", conditions=conditions)
        for a, v in ((1, 6.9), (8, 40.3))
    ]
    (found,) = compare(rows, against(level(1)), Better.HIGHER, 0.05, 0.03)
    assert (found.family, found.metric, found.unit) == ("distribution_agent", "throughput", "commands/s")
    assert found.conditions == conditions
    assert found.factor == "SubscriptionStreams"
    assert found.reference_trials == ("SubscriptionStreams 1/1",)
    assert found.candidate_trials == ("SubscriptionStreams 8/1",)
    assert found.minimum_effect == 0.05


def test_compare_names_only_the_parameters_that_vary() -> None:
    """A parameter held constant is not part of the factor; several varied ones are joined."""
    held = [measured(v, Setting.of(CommitBatchSize=100, SubscriptionStreams=s)) for s, v in ((1, 5.0), (8, 3.0))]
    joint = [*held, measured(4.0, Setting.of(CommitBatchSize=200, SubscriptionStreams=8))]
    assert compare(held, against_best(), Better.LOWER, 0.05, 0.03)[0].factor == "SubscriptionStreams"
    assert compare(joint, against_best(), Better.LOWER, 0.05, 0.03)[0].factor == "CommitBatchSize × SubscriptionStreams"


def test_compare_takes_the_lowest_of_equally_good_levels_as_best() -> None:
    """A tie goes to the smaller value, the smaller step away from a default."""
    found = compare(table({8: 300.0, 4: 300.0, 1: 500.0}), against_best(), Better.LOWER, 0.05, 0.03)
    assert {c.candidate for c in found} == {level(4)}


def test_compare_of_hardly_any_data_stays_finite_where_it_can() -> None:
    """Wild noise with one degree of freedom gives an interval of everything, not an overflow."""
    (found, *_rest) = compare(
        table({1: [1.0, 1e6], 2: [1e6, 1.0]}), against_best(), Better.LOWER, 0.05, None, confidence=0.999
    )
    assert (found.low, found.high) == (0.0, math.inf)
    assert found.trials_needed > 2


def test_compare_refuses_a_baseline_nobody_measured() -> None:
    """The baseline must be among the settings."""
    with pytest.raises(ValueError, match="no measurement of SubscriptionStreams 4"):
        compare(table({1: 1.0, 8: 2.0}), against(level(4)), Better.LOWER, 0.05, 0.03)


def test_compare_refuses_effects_and_noise_that_are_not_positive() -> None:
    """A minimum effect or a noise level of zero would claim everything."""
    with pytest.raises(ValueError, match="minimum effect"):
        compare(table({1: 1.0, 8: 2.0}), against_best(), Better.LOWER, 0.0, 0.03)
    for noise_cv in (0.0, -0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match="noise level"):
            compare(table({1: 1.0, 8: 2.0}), against_best(), Better.LOWER, 0.05, noise_cv)
