"""Plots as data, from evidence made by hand: what is drawn, what is said in words, and how much at most."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from app.analysis.claim import claim_of
from app.analysis.compare import against, against_best, compare
from app.analysis.figures import MOST_CATEGORIES, catch_up_plot, effect_plot, order_plot, plot_id, setting_plot
from app.analysis.thinning import MOST_POINTS
from app.domain import metrics
from app.domain.comparison import Forecast
from app.domain.family import Evidence
from app.domain.measurement import Better, Sample, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan
from app.domain.plot import Mark, PlotSpec
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.systems.transactional_replication.analysis.figures import rate_plot
from app.systems.transactional_replication.families.distribution_agent import FAMILY
from tests.unit.analysis.making import level, table
from tests.unit.analysis.observing import evidence_of, plan_of, setting, spec_of, trial_of, trials_of, used

PLAN = plan_of(SubscriptionStreams=(1, 8, 16))
VALUES = {level(1): (100.0, 102.0), level(8): (50.0, 51.0), level(16): (80.0, 81.6)}


def own(values: Mapping[Setting, Sequence[float]], *, plan: Plan = PLAN, confirm: bool = False) -> Evidence:
    """Return an own run, compared."""
    rows = [(s, Phase.EXPLORE, found) for s, found in values.items()]
    if confirm:
        rows += [(s, Phase.CONFIRM, values[s]) for s in (level(1), level(8))]
    trials = trials_of(metrics.RUN_TIME, rows)
    measured = used(trials)
    explored = [m for m in measured if m.phase is Phase.EXPLORE]
    confirmed = [m for m in measured if m.phase is Phase.CONFIRM]
    made = compare(explored, against(plan.baseline), Better.LOWER, 0.05, None)
    if confirmed:
        made += compare(confirmed, against(plan.baseline), Better.LOWER, 0.05, None)
    return evidence_of(measured, plan=plan, comparisons=made, trials=trials)


def drawn_settings(evidence: Evidence) -> PlotSpec:
    """Return the plot by setting."""
    plot = setting_plot(FAMILY, evidence, claim_of(FAMILY, evidence))
    assert plot is not None
    return plot


def test_every_trial_is_a_point_above_its_setting() -> None:
    """Points, the mean of each setting with its interval, the best on its own, and the baseline as a line."""
    plot = drawn_settings(own(VALUES))
    points, means, best = plot.series
    assert points.label == "each trial"
    assert sorted(zip(points.x, points.y, strict=True)) == [
        (0.0, 100.0), (0.0, 102.0), (1.0, 50.0), (1.0, 51.0), (2.0, 80.0), (2.0, 81.6),
    ]  # fmt: skip
    assert (means.x, best.x, best.emphasised) == ((0.0, 2.0), (1.0,), True)
    assert best.y[0] == pytest.approx(math.sqrt(50.0 * 51.0))
    assert best.low[0] < best.y[0] < best.high[0]
    assert plot.x_ticks == ((0.0, "1"), (1.0, "8"), (2.0, "16"))
    assert plot.reference_y == pytest.approx(math.sqrt(100.0 * 102.0))
    assert plot.reference_label == "baseline 1"
    assert plot.y_label == "Run time (s)"
    assert plot.alt == "Mean run time for each SubscriptionStreams: 1: 101 s, 8: 50.5 s, 16: 80.8 s. The best is 8."


def test_without_a_noise_level_the_interval_is_the_mean() -> None:
    """Single runs have no spread to show; with a noise level given from outside they have."""
    single = table({1: 100.0, 8: 50.0})
    plot = drawn_settings(evidence_of(single))
    assert plot.series[2].low == plot.series[2].y == plot.series[2].high
    given = drawn_settings(evidence_of(single, noise_cv=0.03))
    assert given.series[2].low[0] < given.series[2].y[0] < given.series[2].high[0]


def test_a_baseline_that_was_not_measured_is_not_drawn() -> None:
    """There is no line at a height nobody knows."""
    plot = drawn_settings(evidence_of(own({level(1): (1.0,), level(8): (2.0,)}).measurements, plan=PLAN))
    assert plot.reference_label == "baseline 1"
    without = {s: v for s, v in VALUES.items() if s != level(1)}
    measured = used(trials_of(metrics.RUN_TIME, [(s, Phase.EXPLORE, v) for s, v in without.items()]))
    plot = drawn_settings(evidence_of(measured, plan=PLAN))
    assert (plot.reference_y, plot.reference_label) == (None, "")


def test_a_grid_names_both_values() -> None:
    """Ticks and label join the parameters in name order."""
    values = {setting(CommitBatchSize=size, SubscriptionStreams=n): (size + n,) for size in (100, 200) for n in (1, 8)}
    plan = plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8))
    evidence = evidence_of(
        used(trials_of(metrics.RUN_TIME, [(s, Phase.EXPLORE, v) for s, v in values.items()])), plan=plan
    )
    plot = drawn_settings(evidence)
    assert plot.x_label == "CommitBatchSize × SubscriptionStreams"
    assert [text for _x, text in plot.x_ticks] == ["100 × 1", "100 × 8", "200 × 1", "200 × 8"]
    assert plot.plot_id == "distribution_agent/CommitBatchSize-SubscriptionStreams/by-setting"


def test_conditions_stand_in_id_and_title() -> None:
    """Two experiments of one family on different links have different plots."""
    held = Setting.of(network_kbps=512, rtt_ms=300)
    trials = trials_of(metrics.RUN_TIME, [(s, Phase.EXPLORE, v) for s, v in VALUES.items()], conditions=held)
    evidence = evidence_of(used(trials), plan=PLAN)
    assert plot_id(evidence, "effects") == (
        "distribution_agent/SubscriptionStreams/network_kbps=512-rtt_ms=300/effects"
    )
    assert drawn_settings(evidence).title == "Run time by SubscriptionStreams (512 kbps, 300 ms round trip)"


def test_comparisons_are_ratios_around_one() -> None:
    """Exploring and confirming ones are told apart; the words carry the numbers."""
    plot = effect_plot(FAMILY, own(VALUES, confirm=True))
    assert plot is not None
    exploring, confirming = plot.series
    assert (exploring.label, confirming.label) == ("exploring", "confirmation")
    assert (exploring.emphasised, confirming.emphasised) == (False, True)
    assert confirming.y[0] == pytest.approx(0.5)
    assert confirming.low[0] < 0.5 < confirming.high[0]
    assert (plot.reference_y, plot.reference_label) == (1.0, "no difference")
    assert [text for _x, text in plot.x_ticks] == ["8 : 1", "16 : 1", "8 : 1"]
    assert "8 against 1: 0.500" in plot.alt


def test_comparisons_without_an_interval_are_not_drawn() -> None:
    """Single runs without a noise level compare nothing."""
    single = table({1: 100.0, 8: 50.0})
    compared = compare(single, against_best(), Better.LOWER, 0.05, None)
    assert effect_plot(FAMILY, evidence_of(single, comparisons=compared)) is None


def test_the_order_of_the_trials_shows_the_baseline_as_a_line() -> None:
    """Drift would show there; trials that were not used are left out."""
    evidence = own(VALUES)
    lost = trial_of(spec_of(level(1), 99), {metrics.RUN_TIME: 1_000.0}, status=TrialStatus.NOT_USED)
    plot = order_plot(FAMILY, evidence_of(evidence.measurements, plan=PLAN, trials=(*evidence.trials, lost)))
    assert plot is not None
    assert [(s.label, s.mark, s.emphasised) for s in plot.series] == [
        ("1 (baseline)", Mark.LINE, True),
        ("8", Mark.POINTS, False),
        ("16", Mark.POINTS, False),
    ]
    assert plot.series[0].y == (100.0, 102.0)
    assert "6 trials" in plot.alt
    assert order_plot(FAMILY, evidence_of(evidence.measurements, plan=PLAN, trials=evidence.trials[:2])) is None


def _sampled(count: int, setting_: Setting, number: int, rate: float, agent: str = "A") -> TrialResult:
    samples = [Sample(f"{agent}: delivered", float(i), rate * i, "commands") for i in range(count)]
    other = [Sample("B: delivered", float(i), 1.0, "commands") for i in range(count)]
    return trial_of(
        spec_of(setting_, number), {metrics.RUN_TIME: 1.0 / rate}, samples=(*samples, *other, *_noise(count))
    )


def _noise(count: int) -> list[Sample]:
    return [Sample("lock waits on the Distributor", float(i), 9.0, "s") for i in range(count)]


def _over_time(*trials: TrialResult, agents: Sequence[str] = ()) -> PlotSpec | None:
    evidence = evidence_of(used(trials), plan=PLAN, trials=trials)
    return rate_plot(evidence, claim_of(FAMILY, evidence), agents)


def test_delivery_over_time_shows_baseline_best_and_largest() -> None:
    """One trial each, of the first agent under test."""
    plot = _over_time(_sampled(5, level(16), 1, 2.0), _sampled(5, level(8), 2, 3.0), _sampled(5, level(1), 3, 1.0))
    assert plot is not None
    labels = ["SubscriptionStreams 1 (baseline)", "SubscriptionStreams 8", "SubscriptionStreams 16"]
    assert [series.label for series in plot.series] == labels
    assert [series.y[-1] for series in plot.series] == [4.0, 12.0, 8.0]
    assert [series.emphasised for series in plot.series] == [False, True, False]
    assert plot.y_label == "Delivered by A (commands)"


def test_delivery_over_time_of_another_agent() -> None:
    """Where an agent is named and was sampled, it is shown instead; an unknown name changes nothing."""
    trials = _sampled(5, level(1), 1, 1.0), _sampled(5, level(8), 2, 3.0)
    named = _over_time(*trials, agents=("not there", "B"))
    assert named is not None
    assert {value for series in named.series for value in series.y} == {1.0}
    unknown = _over_time(*trials, agents=("not there",))
    assert unknown is not None
    assert unknown.y_label == "Delivered by A (commands)"


def test_delivery_over_time_needs_samples_and_a_claim() -> None:
    """Without either there is nothing to draw."""
    evidence = own(VALUES)
    assert rate_plot(evidence, claim_of(FAMILY, evidence)) is None
    assert rate_plot(evidence, None) is None
    assert setting_plot(FAMILY, evidence, None) is None


def test_catch_up_shows_what_has_a_band() -> None:
    """A forecast without an end or without a band is left out; without any there is no plot."""
    measured = own(VALUES).measurements
    inf = math.inf
    made = [("1", 10.0, 9.0, 11.0), ("8", 2.0, 0.0, inf), ("16", inf, 5.0, inf)]
    forecasts = [
        Forecast("distribution_agent", level(int(n)), EMPTY_SETTING, 240_000, 0.0, h, low, high, ("T",))
        for n, h, low, high in made
    ]
    plot = catch_up_plot(evidence_of(measured, plan=PLAN, forecasts=forecasts))
    assert plot is not None
    [series] = plot.series
    assert (series.y, series.low, series.high) == ((10.0,), (9.0,), (11.0,))
    assert plot.alt == "Hours with 95 % band: 1: 10.00 h (9.00–11.00 h)."
    assert catch_up_plot(evidence_of(measured, plan=PLAN, forecasts=forecasts[1:])) is None


def test_very_many_trials_are_thinned_and_the_plot_says_so() -> None:
    """Of 30,000 trials at most 1,000 are drawn, the lowest and highest of each setting among them."""
    values: dict[Value, list[float]] = {
        n: [100.0 / n * (1 + (i * 7_919 % 10_000) / 1e5) for i in range(10_000)] for n in (1, 8, 16)
    }
    plot = drawn_settings(evidence_of(table(values), noise_cv=0.03))
    points = plot.series[0]
    assert len(points.x) <= MOST_POINTS
    assert points.label == f"{len(points.x):,} of 30,000 trials"
    for x, n in enumerate((1, 8, 16)):
        drawn = [y for place, y in zip(points.x, points.y, strict=True) if place == x]
        assert (min(drawn), max(drawn)) == (min(values[n]), max(values[n]))
    assert "only some are drawn" in plot.alt


def test_very_many_settings_are_thinned_and_the_plots_say_so() -> None:
    """Of 300 settings some 60 have room: both ends, baseline and best among them; words stay readable."""
    values: dict[Value, list[float]] = {
        n: [1_000.0 - n if n != 77 else 1.0, 1_001.0 - n if n != 77 else 1.001] for n in range(1, 301)
    }
    measured = table(values)
    compared = compare(measured, against_best(), Better.LOWER, 0.05, None)
    evidence = evidence_of(measured, comparisons=compared)
    plot = drawn_settings(evidence)
    texts = [text for _x, text in plot.x_ticks]
    assert len(texts) <= MOST_CATEGORIES
    assert {"1", "77", "300"} <= set(texts)
    assert "Of 300 settings" in plot.alt
    effects = effect_plot(FAMILY, evidence)
    assert effects is not None
    assert sum(len(series.x) for series in effects.series) <= MOST_CATEGORIES
    assert "Of 299 comparisons" in effects.alt
    ratios = [c.ratio for c in compared]
    shown = [y for series in effects.series for y in series.y]
    assert (min(shown), max(shown)) == (min(ratios), max(ratios))


def test_a_long_trial_is_thinned() -> None:
    """Five thousand readings become at most a thousand, first and last among them."""
    plot = _over_time(_sampled(5_000, level(1), 1, 1.0), _sampled(5_000, level(8), 2, 3.0))
    assert plot is not None
    for series in plot.series:
        assert len(series.x) <= MOST_POINTS
        assert (series.x[0], series.x[-1]) == (0.0, 4_999.0)


def test_an_interval_that_is_not_told_leaves_the_axis_to_the_others() -> None:
    """The table says that none can be given; drawn, it would reach over six powers of ten."""
    evidence = own(VALUES, confirm=True)
    [first, *others] = evidence.comparisons
    wide = replace(first, ratio=1.8, low=1e-7, high=1e8)
    plot = effect_plot(FAMILY, replace(evidence, comparisons=(wide, *others)))
    assert plot is not None
    assert sum(len(series.y) for series in plot.series) == len(others)
    assert max(end for series in plot.series for end in series.high) < 2
