"""The small parts: adjusted p, t quantiles, noise levels, verdicts, the order of settings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.analysis.distributions import t_quantile
from app.analysis.noise import Noise, given_noise, is_understated, judging_noise, log_sd_of_cv, noise_from_squares
from app.analysis.settings_order import setting_key, varied_parameters
from app.analysis.student import exp_or_inf, simultaneous_p, simultaneous_quantile
from app.analysis.verdicts import judge
from app.domain.comparison import Verdict
from app.domain.measurement import Better
from app.domain.setting import Setting
from tests.unit.analysis.making import CALM, level


@CALM
@given(st.floats(0.0, 60.0), st.floats(0.5, 60.0), st.integers(1, 60), st.sampled_from([0.95, 0.9875, 0.99, 0.9983]))
def test_an_adjusted_p_says_what_the_interval_beside_it_says(
    t: float, degrees: float, comparisons: int, confidence: float
) -> None:
    """Below 0.05 exactly where the simultaneous interval excludes no difference, however often one looked."""
    raw = 2 * float(stats.t.sf(t, degrees))
    excludes = t > simultaneous_quantile(confidence, comparisons, degrees)
    p = simultaneous_p(raw, comparisons, confidence)
    assert raw <= p + 1e-15 <= 1.0 + 1e-14
    assert (p < 0.05) == excludes or p == pytest.approx(0.05)


@CALM
@given(st.floats(0.5, 0.9999), st.integers(1, 300))
def test_t_quantiles_are_scipys(probability: float, degrees: int) -> None:
    """Quantiles agree with the t distribution of scipy.stats."""
    assert t_quantile(probability, degrees) == pytest.approx(float(stats.t.ppf(probability, degrees)), abs=1e-9)


def test_simultaneous_quantile_shares_the_error() -> None:
    """Ten comparisons at 95 % are each judged at 99.5 %."""
    assert simultaneous_quantile(0.95, 10, 7) == pytest.approx(float(stats.t.ppf(0.9975, 7)))
    assert simultaneous_quantile(0.95, 1, 7) == pytest.approx(2.364624, abs=1e-6)


def test_exponent_beyond_a_float_is_infinite() -> None:
    """An interval from hardly any data ends at infinity instead of failing."""
    assert exp_or_inf(1e4) == math.inf
    assert exp_or_inf(-math.inf) == 0.0
    assert exp_or_inf(0.0) == 1.0


@CALM
@given(st.floats(0.001, 1.0))
def test_noise_level_survives_the_way_to_logs_and_back(cv: float) -> None:
    """A coefficient of variation given is the one shown; it counts as known with 7 degrees of freedom."""
    noise = given_noise(cv)
    assert noise.cv == pytest.approx(cv)
    assert noise.log_sd == pytest.approx(math.sqrt(math.log(1 + cv * cv)))
    assert noise.degrees_of_freedom == 7


@pytest.mark.parametrize("cv", [0.0, -0.03, math.nan, math.inf])
def test_noise_level_must_be_positive(cv: float) -> None:
    """Zero noise would claim everything."""
    with pytest.raises(ValueError, match="positive share"):
        log_sd_of_cv(cv)


def test_a_stated_noise_counts_unless_the_trials_scatter_more() -> None:
    """3 % stated and 12 % seen: what was seen counts, and the statement is doubted."""
    quiet, loud = Noise(0.02, 8), Noise(0.12, 8)
    assert judging_noise(quiet, 0.03).noise == given_noise(0.03)
    assert judging_noise(None, 0.03).is_given
    assert judging_noise(loud, 0.03).noise == loud
    assert not judging_noise(loud, 0.03).is_given
    assert judging_noise(loud, 0.03).least_log_sd == log_sd_of_cv(0.03)
    assert is_understated(loud, 0.03)
    assert not is_understated(quiet, 0.03)
    assert not is_understated(Noise(0.04, 8), 0.03)
    assert not is_understated(None, 0.03)
    assert not is_understated(loud, None)


def test_noise_without_degrees_of_freedom_is_unknown() -> None:
    """No degrees of freedom, no noise level; no scatter at all is nine digits' rounding."""
    assert noise_from_squares(0.0, 0) is None
    assert noise_from_squares(0.0, 3) == Noise(1e-9, 3)
    known = noise_from_squares(0.0012, 3)
    assert known is not None
    assert known.log_sd == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.80, 0.99, Verdict.IMPROVEMENT),
        (0.97, 0.99, Verdict.IMPROVEMENT),
        (1.01, 1.20, Verdict.WORSE),
        (0.96, 1.04, Verdict.NO_DIFFERENCE),
        (1 / 1.05, 1.05, Verdict.NO_DIFFERENCE),
        (1.0, 1.0, Verdict.NO_DIFFERENCE),
        (0.95, 1.04, Verdict.CANNOT_TELL),
        (0.96, 1.051, Verdict.CANNOT_TELL),
        (0.80, 1.0, Verdict.CANNOT_TELL),
        (0.0, math.inf, Verdict.CANNOT_TELL),
    ],
)
def test_verdict_follows_the_interval(low: float, high: float, verdict: Verdict) -> None:
    """Excluding 1 goes first, then lying within 1/1.05 to 1.05, both ends included; for a rate the sides swap."""
    assert judge(low, high, Better.LOWER, 0.05) is verdict
    swapped = {Verdict.IMPROVEMENT: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVEMENT}
    assert judge(low, high, Better.HIGHER, 0.05) is swapped.get(verdict, verdict)


def test_settings_sort_by_number_then_text() -> None:
    """16 after 8, texts after numbers, 2 and 2.5 by size."""
    settings = [level(16), level("auto"), level(2.5), level(8), level(2)]
    assert sorted(settings, key=setting_key) == [level(2), level(2.5), level(8), level(16), level("auto")]


def test_varied_parameters_leave_out_what_is_held() -> None:
    """Only parameters with more than one value count; one that is missing somewhere varies."""
    first, second = (
        Setting.of(CommitBatchSize=100, SubscriptionStreams=1),
        Setting.of(CommitBatchSize=100, SubscriptionStreams=8),
    )
    assert varied_parameters([first, second, second]) == ("SubscriptionStreams",)
    assert varied_parameters([first]) == ()
    assert varied_parameters([first, Setting.of(CommitBatchSize=100)]) == ("SubscriptionStreams",)
