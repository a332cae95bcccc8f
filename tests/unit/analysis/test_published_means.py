"""A mean of n runs with their standard deviation says what they would; a range, that its ends may both hold."""

import math
import random
from collections.abc import Sequence
from statistics import fmean, stdev

import pytest

from app.analysis.compare import against, against_best, compare
from app.analysis.distributions import t_quantile
from app.analysis.forecast import forecast
from app.analysis.noise import explaining_cv
from app.analysis.published_means import runs_behind
from app.analysis.swept import compare_swept, fit_swept
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting

LEVELS = {1: 550.0, 2: 500.0, 8: 305.0}


def raw(scatter: float, runs: int = 5, blocks: int = 1, unit: str = "s") -> list[Measurement]:
    """Return runs of each level, each level with a scatter of its own."""
    draw = random.Random(7)
    return [
        Measurement(
            "distribution_agent",
            f"{level}-{block}-{run}",
            block,
            "run_time",
            mean * draw.lognormvariate(0.02 * block, scatter * (1 + position)),
            unit,
            Setting.of(SubscriptionStreams=level),
        )
        for block in range(1, blocks + 1)
        for position, (level, mean) in enumerate(LEVELS.items())
        for run in range(runs)
    ]


def summed_up(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Return one mean with standard deviation and number of runs for each setting, block and set of conditions."""
    groups: dict[tuple[object, ...], list[Measurement]] = {}
    for m in measurements:
        groups.setdefault((m.block, m.setting, m.conditions), []).append(m)
    return [
        Measurement(
            first.family,
            f"mean {number}",
            first.block,
            first.metric,
            fmean(m.value for m in group),
            first.unit,
            first.setting,
            first.conditions,
            runs=len(group),
            sd=stdev(m.value for m in group),
        )
        for number, group in enumerate(groups.values())
        for first in group[:1]
    ]


def judged(measurements: Sequence[Measurement]) -> tuple[Comparison, ...]:
    """Return every setting against the first."""
    return compare(measurements, against(Setting.of(SubscriptionStreams=1)), Better.LOWER, 0.05, None)


def assert_alike(ours: Sequence[Comparison], theirs: Sequence[Comparison], share: float, shift: float = 0.0) -> None:
    """Fail unless ratios and intervals agree to a share of the interval's own width.

    Args:
        shift: how much further the ratio may be off, on the log scale: one of means is not one of geometric means.
    """
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours, theirs, strict=True):
        width = math.log(other.high / other.low)
        assert abs(math.log(one.ratio / other.ratio)) < share * width + shift
        assert abs(math.log(one.high / one.low) - width) < share * width
        assert one.verdict is other.verdict
        off = 0.05 + 2 * shift / abs(math.log(other.ratio))  # they go with the square of the effect
        assert abs(one.trials_needed - other.trials_needed) <= max(1, off * other.trials_needed)
        sizes = [(len(c.reference_trials), len(c.candidate_trials)) for c in (one, other)]
        assert sizes[0] == sizes[1]


@pytest.mark.parametrize(("scatter", "share"), [(0.01, 0.01), (0.03, 0.03), (0.10, 0.08)])
@pytest.mark.parametrize("runs", [2, 5, 30])
def test_means_with_their_scatter_give_the_interval_of_their_runs(scatter: float, share: float, runs: int) -> None:
    """One way, settings of unequal noise: to a few hundredths of the interval's width, the closer the less noise.

    A lognormal mean is exp(σ²/2) above its median, and the last setting scatters three times as much as the first.
    """
    measured = raw(scatter, runs)
    assert_alike(judged(summed_up(measured)), judged(measured), share, shift=(3**2 - 1) * scatter**2 / 2)


def test_means_of_blocks_give_the_interval_of_their_runs() -> None:
    """Where each block has a mean of its own the blocks judge, as they do over single runs."""
    measured = raw(0.03, runs=3, blocks=4)
    assert_alike(judged(summed_up(measured)), judged(measured), 0.03)


def test_a_mean_of_many_beside_single_runs_weighs_as_many() -> None:
    """A setting summed up and one given run by run are compared as two lists of runs are."""
    measured = raw(0.03)
    base = Setting.of(SubscriptionStreams=1)
    mixed = summed_up([m for m in measured if m.setting == base]) + [m for m in measured if m.setting != base]
    assert_alike(judged(mixed), judged(measured), 0.03)


def test_more_scatter_means_less_is_known() -> None:
    """The noise comes from the column, not from the means, which are the same."""
    quiet, loud = (
        [
            Measurement(m.family, m.trial_id, 1, m.metric, m.value, "s", m.setting, runs=5, sd=share * m.value)
            for m in raw(0.0, 1)
        ]
        for share in (0.02, 0.4)
    )
    assert [c.verdict for c in judged(quiet)] == [Verdict.IMPROVEMENT, Verdict.IMPROVEMENT]
    assert {c.verdict for c in judged(loud)} == {Verdict.CANNOT_TELL}


def means(*printed: tuple[int, float, float, int]) -> list[Measurement]:
    """Return published means: SubscriptionStreams, mean and standard deviation in s, number of runs."""
    return [
        Measurement(
            "distribution_agent", f"r{level}", 1, "run_time", mean, "s", Setting.of(SubscriptionStreams=level),
            runs=runs, sd=sd,
        )
        for level, mean, sd, runs in printed
    ]  # fmt: skip


@pytest.mark.parametrize(
    "printed",
    [
        [(1, 100.0, 60.0, 8), (4, 80.0, 4.0, 8)],
        [(1, 100.0, 110.0, 5), (4, 50.0, 60.0, 5)],
        [(1, 100.0, 2000.0, 5), (4, 50.0, 3.0, 5), (8, 45.0, 120.0, 5)],
        [(1, 100.0, 30.0, 2), (4, 50.0, 3.0, 40)],
    ],
)
def test_the_ratio_of_means_is_that_of_the_numbers_printed(printed: list[tuple[int, float, float, int]]) -> None:
    """However large the scatter, nobody's mean is replaced by another number, and the order stays that of the file."""
    base = printed[0][1]
    assert [c.ratio for c in judged(means(*printed))] == pytest.approx(
        [mean / base for _l, mean, _s, _n in printed[1:]]
    )
    assert [math.exp(runs_behind([m]).mean) for m in means(*printed)] == pytest.approx(
        [mean for _l, mean, *_ in printed]
    )


def test_the_interval_of_a_ratio_of_means_is_that_of_the_delta_method() -> None:
    """Worked by hand: relative standard errors 0.01 and 0.02 of 10 runs each."""
    share = math.sqrt(10)
    (c,) = judged(means((1, 100.0, share, 10), (4, 80.0, 1.6 * share, 10)))
    half_width = math.log(c.high / c.low) / 2
    error = math.hypot(0.01, 0.02)
    welch = error**4 / (0.01**4 / 9 + 0.02**4 / 9)  # degrees of freedom; other trials lend at most four more
    assert t_quantile(0.975, welch + 4) * error - 1e-9 <= half_width <= t_quantile(0.975, welch) * error + 1e-9


@pytest.mark.parametrize("wide", [1, 4])
def test_a_mean_that_its_scatter_does_not_tell_from_nothing_has_no_interval(wide: int) -> None:
    """Fieller's g is above 1 where a mean is not told from zero; a pair without such a mean keeps its interval."""
    printed = ((1, 100.0, 5.0, 5), (4, 50.0, 2.5, 5), (8, 45.0, 2.0, 5))
    given = means(*((level, mean, 1.3 * mean if level == wide else sd, n) for level, mean, sd, n in printed))
    found = {c.candidate["SubscriptionStreams"]: c for c in judged(given)}
    for level, c in found.items():
        has_interval = wide not in (1, level)
        assert ((c.low, c.high) != (0.0, math.inf)) is has_interval
        assert has_interval or c.verdict is Verdict.CANNOT_TELL


def test_a_scatter_of_any_size_ends_in_numbers() -> None:
    """A standard deviation of a million times the mean is the file's mistake, not an overflow."""
    (c,) = judged(means((1, 100.0, 1e8, 5), (4, 50.0, 3.0, 5)))
    assert c.verdict is Verdict.CANNOT_TELL
    assert (c.low, c.high) == (0.0, math.inf)


def test_shapes_of_a_sweep_are_judged_by_the_scatter_of_their_means() -> None:
    """Means at several places bring their own noise; a small scatter shows a difference, a large one does not."""
    pair = (Setting.of(availability_mode="async"), Setting.of(availability_mode="sync"))
    for share, verdict in ((0.02, Verdict.WORSE), (0.5, Verdict.CANNOT_TELL)):
        means = [
            Measurement("commit_mode", mode, 1, "shape_time", value, "ms", setting, place, runs=10, sd=share * value)
            for mode, setting, slower in (("a", pair[0], 1.0), ("s", pair[1], 1.3))
            for place, value in ((Setting.of(inserts=1), 100.0 * slower), (Setting.of(inserts=100), 200.0 * slower))
        ]
        found = compare_swept(fit_swept(means, ["inserts"], None), [pair], Better.LOWER, 0.05)
        assert [c.verdict for c in found] == [verdict, verdict]


def test_a_forecast_takes_means_as_their_runs() -> None:
    """The band of a catch-up is as wide as over the single runs."""
    measured = raw(0.03, unit="commands/s")
    ours, theirs = (
        forecast(given, Setting.of(SubscriptionStreams=8), 1_000_000) for given in (summed_up(measured), measured)
    )
    half_variance = (0.03 * 3) ** 2 / 2  # by which the mean of a lognormal is above its median
    assert ours.hours == pytest.approx(theirs.hours, rel=half_variance)
    assert (ours.low_hours, ours.high_hours) == pytest.approx((theirs.low_hours, theirs.high_hours), rel=5e-3)


def test_a_range_widens_the_interval_by_both_its_ends() -> None:
    """What lies within ± 10 % of the middle is known no better, however often it was measured."""
    exact = [m for m in raw(0.01, runs=20) if m.setting["SubscriptionStreams"] != 2]
    ranged = [
        Measurement(m.family, m.trial_id, 1, m.metric, m.value, "s", m.setting, half_range=0.1 * m.value) for m in exact
    ]
    rule = against_best()
    (sharp,), (blunt,) = (compare(given, rule, Better.LOWER, 0.05, None) for given in (exact, ranged))
    assert blunt.ratio == sharp.ratio
    assert blunt.low < sharp.ratio * 0.9**2
    assert blunt.high > sharp.ratio / 0.9**2
    assert sharp.high < sharp.ratio * 1.05


def test_the_noise_that_explains_two_single_runs_is_told_however_far_apart_they_are() -> None:
    """408-fold is not 1.03-fold, and 10⁶⁰-fold is still a number (worked values of the recipe for imports)."""
    assert explaining_cv(408) == pytest.approx(4.93, abs=0.005)
    assert explaining_cv(1.03) == pytest.approx(0.0088, abs=0.00005)
    assert math.isfinite(explaining_cv(1e60))
