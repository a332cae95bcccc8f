"""Facts for the rules, from evidence made by hand: who is best, what it gains, how firmly it stands."""

from collections.abc import Mapping, Sequence

import pytest

from app.analysis.claim import ClaimedEvidence, baseline_of, claim_of, decisive_comparison
from app.analysis.compare import against, against_best, compare
from app.analysis.comparing.policy import exploring_confidence
from app.analysis.confirmed import Confirming, compare_confirmed
from app.domain import metrics
from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.measurement import Better, Measurement, Metric
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import EMPTY_SETTING, Setting, Value
from tests.labs import FAMILIES
from tests.unit.analysis.observing import evidence_of, plan_of, setting, trials_of, used

EXPLORE, CONFIRM = Phase.EXPLORE, Phase.CONFIRM
STREAMS = "SubscriptionStreams"


def streams(value: int) -> Setting:
    """Return a setting of SubscriptionStreams."""
    return setting(SubscriptionStreams=value)


def own(
    explored: Mapping[Setting, Sequence[float]],
    confirmed: Mapping[Setting, Sequence[float]] | None = None,
    *,
    plan: Plan | None = None,
    metric: Metric = metrics.RUN_TIME,
    conditions: Setting = EMPTY_SETTING,
) -> Evidence:
    """Return the evidence of one own run, compared as the program does it."""
    plan = plan or plan_of(SubscriptionStreams=tuple(int(s[STREAMS]) for s in explored))
    rows = [(s, EXPLORE, values) for s, values in explored.items()]
    rows += [(s, CONFIRM, values) for s, values in (confirmed or {}).items()]
    trials = trials_of(metric, rows, family=plan.family, conditions=conditions)
    measured = used(trials)
    return evidence_of(
        measured,
        plan=plan,
        comparisons=_compared(measured, plan, metric.better) if plan.baseline in explored else (),
        trials=trials,
    )


def test_a_claim_is_made_once_for_all_that_begins_with_it() -> None:
    """Facts of each factor, plots and tables are given one claim, which is that of the evidence alone."""
    evidence = own({streams(1): (100.0, 101.0), streams(4): (60.0, 61.0)})
    kept, family = ClaimedEvidence.of(evidence), FAMILIES[evidence.family]
    claim, alone = claim_of(family, kept), claim_of(family, evidence)
    assert claim is not None
    assert alone is not None
    assert claim_of(family, kept) is claim
    assert (claim.baseline, claim.best, claim.chosen) == (alone.baseline, alone.best, alone.chosen)


def _compared(measured: Sequence[Measurement], plan: Plan, better: Better) -> tuple[Comparison, ...]:
    explored = [m for m in measured if m.phase is EXPLORE]
    confirmed = [m for m in measured if m.phase is CONFIRM]
    made = compare(explored, against(plan.baseline), better, 0.05, None)
    if not confirmed:
        return made
    return made + compare_confirmed(Confirming(tuple(confirmed), plan.baseline, tuple(explored), better, 0.05))


def imported(values: Mapping[Setting, Sequence[float]], noise_cv: float | None, family: str) -> Evidence:
    """Return measurements from elsewhere, compared as the program does it."""
    trials = trials_of(metrics.RUN_TIME, [(s, EXPLORE, found) for s, found in values.items()], family=family)
    measured = used(trials)
    compared = compare(measured, against_best(), Better.LOWER, 0.05, noise_cv)
    return evidence_of(measured, comparisons=compared, noise_cv=noise_cv)


def facts_of(evidence: Evidence, factor: str = STREAMS) -> Mapping[str, FactValue]:
    """Return what the family says."""
    return FAMILIES[evidence.family].facts(evidence, factor)


CLEAR = {streams(1): (100.0, 101.0, 99.0), streams(8): (50.0, 50.5, 49.5), streams(16): (80.0, 80.8, 79.2)}


def test_the_confirmed_winner_carries_the_gain() -> None:
    """The gain comes from the fresh trials alone; levels, counts and the loss at the end come from exploring."""
    facts = facts_of(own(CLEAR, {streams(1): (100.0, 102.0), streams(8): (60.0, 61.2)}))
    assert (facts["verdict"], facts["confirmed"], facts["best_differs"]) == ("improvement", True, True)
    assert (facts["baseline_value"], facts["best_value"]) == (1, 8)
    assert (facts["smallest_level"], facts["largest_level"]) == (1, 16)
    assert facts["gain_percent"] == pytest.approx(40.0)
    assert float(facts["gain_low_percent"]) < 40.0 < float(facts["gain_high_percent"])
    assert facts["largest_level_loss_percent"] == pytest.approx(60.0)
    assert float(facts["largest_level_loss_low_percent"]) > 0
    assert (facts["trials_per_setting"], facts["fewest_trials"], facts["trials_needed"]) == (2, 3, 0)
    assert (facts["factors_varied"], facts["measure"]) == (1, "run time")
    assert (facts["baseline_setting"], facts["best_setting"]) == ("SubscriptionStreams 1", "SubscriptionStreams 8")
    assert facts["shown_factor"] == STREAMS
    assert "factors_changed" not in facts
    assert "plateau_from_value" not in facts


def test_without_confirmation_the_exploring_trials_speak_and_say_so() -> None:
    """A gain that was not repeated is a lead."""
    facts = facts_of(own(CLEAR))
    assert (facts["verdict"], facts["confirmed"], facts["best_value"]) == ("improvement", False, 8)
    assert facts["gain_percent"] == pytest.approx(50.0)
    assert facts["trials_per_setting"] == 3


def test_a_setting_that_lost_when_repeated_is_worse() -> None:
    """What looked best while exploring and lost against the baseline afterwards has a negative gain."""
    facts = facts_of(own(CLEAR, {streams(1): (100.0, 101.0, 99.0), streams(8): (130.0, 131.3, 128.7)}))
    assert (facts["verdict"], facts["best_value"]) == ("worse", 8)
    assert facts["gain_percent"] == pytest.approx(-30.0)
    assert float(facts["gain_low_percent"]) < -30.0 < float(facts["gain_high_percent"]) < 0


def test_of_a_rate_more_is_better() -> None:
    """Commands/s: from 10 to 20 gains 100 %, and the largest level loses as a share of the best."""
    rates = {streams(1): (10.0, 10.1, 9.9), streams(8): (20.0, 20.2, 19.8), streams(16): (15.0, 15.15, 14.85)}
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8, 16))
    facts = facts_of(own(rates, plan=plan, metric=metrics.THROUGHPUT))
    assert (facts["verdict"], facts["best_value"], facts["measure"]) == ("improvement", 8, "throughput")
    assert facts["gain_percent"] == pytest.approx(100.0)
    assert facts["largest_level_loss_percent"] == pytest.approx(25.0)
    assert facts["default_loss_percent"] == pytest.approx(50.0)
    assert 0 < float(facts["largest_level_loss_low_percent"]) < 25.0


def test_the_baseline_may_be_the_best() -> None:
    """Nothing is to be gained, once every other setting is told apart from it."""
    values = {streams(8): (50.0, 50.5, 49.5), streams(1): (100.0, 101.0, 99.0), streams(16): (80.0, 80.8, 79.2)}
    facts = facts_of(own(values))
    assert (facts["verdict"], facts["best_differs"]) == ("no_difference", False)
    assert facts["trials_needed"] == 0
    assert not {"gain_percent", "gain_low_percent"} & set(facts)


def test_a_baseline_that_only_looks_best_is_not_settled() -> None:
    """Where another setting cannot be told from it, nothing can be told as a whole."""
    values = {streams(8): (50.0, 58.0, 44.0), streams(1): (100.0, 101.0, 99.0), streams(16): (53.0, 46.0, 55.0)}
    facts = facts_of(own(values))
    assert (facts["verdict"], facts["best_differs"]) == ("cannot_tell", False)
    assert int(facts["trials_needed"]) > 3


def test_a_baseline_without_a_usable_trial_leaves_everything_open() -> None:
    """No comparison, no gain made up, and no number of trials promised."""
    values = {streams(8): (50.0, 50.5), streams(16): (80.0, 80.8)}
    facts = facts_of(own(values, plan=plan_of(SubscriptionStreams=(1, 8, 16))))
    assert (facts["verdict"], facts["best_differs"], facts["baseline_value"]) == ("cannot_tell", True, 1)
    assert not {"gain_percent", "gain_low_percent", "trials_needed"} & set(facts)
    assert facts["trials_per_setting"] == 0


def test_one_usable_setting_makes_no_claim() -> None:
    """What was planned is known, and nothing is said about a best setting."""
    facts = facts_of(own({streams(1): (100.0, 101.0)}, plan=plan_of(SubscriptionStreams=(1, 8))))
    assert set(facts) == {"factor", "minimum_effect_percent"}
    evidence = own({streams(1): (100.0, 101.0)}, plan=plan_of(SubscriptionStreams=(1, 8)))
    assert FAMILIES["distribution_agent"].plots(evidence) == ()


def test_single_runs_without_a_noise_level_have_no_interval() -> None:
    """One run of each setting: the gain is told, no interval, and that two of each first show the noise."""
    facts = facts_of(imported({streams(1): (100.0,), streams(8): (50.0,), streams(16): (80.0,)}, None, "wan_delivery"))
    assert (facts["verdict"], facts["fewest_trials"]) == ("cannot_tell", 1)
    assert facts["gain_percent"] == pytest.approx(50.0)
    assert facts["trials_for_noise"] == 2
    absent = {
        "trials_needed",
        "gain_low_percent",
        "gain_high_percent",
        "smallest_effect_percent",
        "largest_level_loss_low_percent",
    }
    assert not absent & set(facts)


def test_measurements_from_elsewhere_are_judged_against_the_vendors_default() -> None:
    """The default is the baseline where it was measured, at the noise level given with the file."""
    values: dict[Setting, Sequence[float]] = {streams(16): (80.0,), streams(1): (100.0,), streams(8): (50.0,)}
    facts = facts_of(imported(values, 0.03, "distribution_agent"))
    assert (facts["verdict"], facts["confirmed"]) == ("improvement", False)
    assert (facts["baseline_value"], facts["best_value"]) == (1, 8)
    assert facts["default_loss_percent"] == pytest.approx(100.0)


def test_measurements_from_elsewhere_without_the_default_start_at_the_lowest() -> None:
    """The lowest value measured is the baseline, numbers by size."""
    values: dict[Setting, Sequence[float]] = {streams(16): (80.0,), streams(8): (50.0,), streams(4): (70.0,)}
    evidence = imported(values, 0.03, "distribution_agent")
    assert baseline_of(evidence, FAMILIES["distribution_agent"].parameters) == streams(4)
    facts = facts_of(evidence)
    assert facts["baseline_value"] == 4
    assert "default_loss_percent" not in facts


def test_a_flat_sweep_has_a_plateau() -> None:
    """From the level on above which nothing changes by the minimum effect."""
    values = {streams(1): (100.0, 101.0), streams(8): (70.0, 70.7), streams(16): (69.0, 69.7)}
    assert facts_of(own(values))["plateau_from_value"] == 8


def test_the_largest_level_as_the_best_loses_nothing() -> None:
    """Its loss is zero by definition."""
    facts = facts_of(own({streams(1): (100.0, 101.0), streams(8): (70.0, 70.7), streams(16): (50.0, 50.5)}))
    assert (facts["largest_level_loss_percent"], facts["largest_level_loss_low_percent"]) == (0.0, 0.0)


def test_a_race_is_judged_more_strictly() -> None:
    """A race may stop at any of its looks, so the error is shared out over all of them."""
    assert exploring_confidence(None) == 0.95
    assert exploring_confidence(plan_of()) == 0.95
    assert exploring_confidence(plan_of(stop=Stop.RACE, blocks=5)) == pytest.approx(0.99)


def test_the_loss_at_the_end_holds_although_a_race_looked_often() -> None:
    """The same trials tell less about the largest level when they come from a race."""
    fixed = facts_of(own(CLEAR))
    raced = facts_of(own(CLEAR, plan=plan_of(stop=Stop.RACE, blocks=4, SubscriptionStreams=(1, 8, 16))))
    assert raced["largest_level_loss_percent"] == fixed["largest_level_loss_percent"]
    assert float(raced["largest_level_loss_low_percent"]) < float(fixed["largest_level_loss_low_percent"])


def test_a_race_that_eliminated_the_baseline_still_compares_with_it() -> None:
    """The baseline runs in every block; a setting that went early has fewer trials, and that is said."""
    values = {streams(1): (100.0, 101.0, 99.0), streams(8): (50.0, 50.5, 49.5), streams(16): (80.0,)}
    facts = facts_of(own(values, plan=plan_of(stop=Stop.RACE, SubscriptionStreams=(1, 8, 16))))
    assert (facts["verdict"], facts["baseline_value"], facts["best_value"]) == ("improvement", 1, 8)
    assert (facts["trials_per_setting"], facts["fewest_trials"]) == (3, 1)


def test_nothing_is_said_about_the_end_of_a_sweep_when_another_setting_was_confirmed() -> None:
    """Where the best mean of all exploring trials is not what ran the confirmation, its loss is of something else."""
    facts = facts_of(own(CLEAR, {streams(1): (100.0, 101.0), streams(16): (80.0, 80.8)}))
    assert facts["best_value"] == 16
    assert not {"largest_level_loss_percent", "default_loss_percent", "plateau_from_value"} & set(facts)


GRID = {
    setting(CommitBatchSize=size, SubscriptionStreams=count): (value, value * 1.01, value * 0.99)
    for (size, count), value in {(100, 1): 100.0, (100, 8): 60.0, (200, 1): 95.0, (200, 8): 50.0}.items()
}
GRID_PLAN = plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8))


@pytest.mark.parametrize(("factor", "best"), [("CommitBatchSize", 200), (STREAMS, 8)])
def test_a_grid_names_whole_settings(factor: str, best: int) -> None:
    """Each factor has its own best value; the gain belongs to the settings as wholes, and sweeps are not judged."""
    facts = facts_of(own(GRID, plan=GRID_PLAN), factor)
    assert facts["best_value"] == best
    assert facts["factors_varied"] == 2
    assert facts["best_setting"] == "CommitBatchSize 200, SubscriptionStreams 8"
    assert facts["baseline_setting"] == "CommitBatchSize 100, SubscriptionStreams 1"
    assert facts["gain_percent"] == pytest.approx(50.0)
    assert not {"largest_level_loss_percent", "default_loss_percent", "plateau_from_value"} & set(facts)


def test_in_a_grid_the_best_may_differ_in_one_factor_only() -> None:
    """Then the other one is not to be changed."""
    values = {**GRID, setting(CommitBatchSize=200, SubscriptionStreams=8): (70.0, 70.7, 69.3)}
    assert facts_of(own(values, plan=GRID_PLAN), "CommitBatchSize")["best_differs"] is False
    assert facts_of(own(values, plan=GRID_PLAN), STREAMS)["best_differs"] is True


def _forecast(at: Setting, hours: float, low: float, high: float) -> Forecast:
    return Forecast("wan_delivery", at, EMPTY_SETTING, 240_000, 0.0, hours, low, high, ("T1",))


def test_forecasts_of_baseline_and_best_have_bands() -> None:
    """Both times with both ends; the others are not spoken about."""
    evidence = own(CLEAR)
    forecasts = (
        _forecast(streams(1), 10.0, 9.0, 11.0),
        _forecast(streams(8), 2.0, 1.8, 2.2),
        _forecast(streams(16), 4.0, 3.0, 5.0),
    )
    facts = facts_of(evidence_of(evidence.measurements, plan=evidence.plan, forecasts=forecasts))
    names = ("catch_up_baseline_h", "catch_up_baseline_low_h", "catch_up_baseline_high_h")
    assert [facts[name] for name in names] == [10.0, 9.0, 11.0]
    assert [facts[f"catch_up_best{end}_h"] for end in ("", "_low", "_high")] == [2.0, 1.8, 2.2]
    assert facts["backlog_commands"] == 240_000


def test_a_forecast_without_a_band_or_an_end_is_not_made_up() -> None:
    """No noise level, no band; a backlog that grows has no time at all."""
    evidence = own(CLEAR)
    forecasts = (
        _forecast(streams(1), 10.0, 0.0, float("inf")),
        _forecast(streams(8), float("inf"), 5.0, float("inf")),
    )
    facts = facts_of(evidence_of(evidence.measurements, plan=evidence.plan, forecasts=forecasts))
    assert facts["catch_up_baseline_h"] == 10.0
    assert not {"catch_up_baseline_low_h", "catch_up_baseline_high_h", "catch_up_best_h"} & set(facts)


def test_the_confirmation_decides_where_there_is_one() -> None:
    """Of two comparisons of the same settings the confirming one is meant; without any there is none."""
    evidence = own(CLEAR, {streams(1): (100.0, 101.0), streams(8): (100.0, 101.0)})
    decisive = decisive_comparison(evidence, streams(1), streams(8))
    assert decisive is not None
    assert (decisive.phase, decisive.verdict) == (CONFIRM, Verdict.NO_DIFFERENCE)
    explored = decisive_comparison(evidence, streams(1), streams(16))
    assert explored is not None
    assert explored.phase is EXPLORE
    assert decisive_comparison(evidence, streams(8), streams(1)) is None


def test_the_plan_decides_what_a_claim_is_about() -> None:
    """A steady workload is judged by throughput, also where nothing could be compared."""
    rates = {streams(8): (20.0, 20.2), streams(16): (15.0, 15.2)}
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8, 16))
    claim = claim_of(FAMILIES["wan_delivery"], own(rates, plan=plan, metric=metrics.THROUGHPUT))
    assert claim is not None
    assert (claim.metric, claim.best, claim.baseline) == (metrics.THROUGHPUT, streams(8), streams(1))


WORKLOAD: dict[str, Value] = {"agent_pairs": 3, "commands_per_transaction": 750.0, "scenario": "continuous"}


def test_conditions_become_facts_of_the_workload() -> None:
    """What the measurements hold for is known to the rules."""
    conditions = Setting.from_mapping({**WORKLOAD, "rtt_ms": 300, "network_kbps": 512})
    facts = facts_of(own(CLEAR, conditions=conditions))
    assert {name: facts[name] for name in conditions} == dict(conditions)
