"""From sessions to advice: own runs, measurements from elsewhere, the published tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain import metrics
from app.domain.comparison import Comparison, Verdict
from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.finding import Finding
from app.domain.measurement import Metric, TrialResult, TrialStatus
from app.domain.plan import Design, Phase, Plan, Stop
from app.domain.session import NOISE_FACT, Advice, Environment, RunRecord, SessionRecord
from app.domain.setting import EMPTY_SETTING, Setting
from app.foundation.paths import resource_path
from app.services.explain.imported_session import read_session
from app.systems.transactional_replication import metrics as agent_metrics
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.site import Replication, kept_texts
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES
from tests.shipped_rules import ADVISOR
from tests.store.sample import TOPOLOGY
from tests.unit.analysis.observing import NOW, plan_of, setting, spec_of, trial_of, trials_of

EXPLORE, CONFIRM = Phase.EXPLORE, Phase.CONFIRM
AGENTS_2018 = resource_path("published", "replication-agents-2018.csv")
WAN_2007 = resource_path("published", "subscription-streams-wan-2007.csv")


def session_of(*runs: RunRecord, **parts: object) -> SessionRecord:
    """Return a session of these runs."""
    empty = SessionRecord("S1", "test", "", "", NOW, "0", (), runs)
    return replace(empty, **parts)  # type: ignore[arg-type]  # callers name what it takes


def run_of(plan: Plan, trials: Sequence[TrialResult], run_id: str = "E1") -> RunRecord:
    """Return a run that ended well."""
    return RunRecord(run_id, plan, "lab", RunStatus.SUCCEEDED, "complete", NOW, NOW, tuple(trials))


def measured(
    plan: Plan,
    explored: Mapping[int, Sequence[float]],
    confirmed: Mapping[int, Sequence[float]] | None = None,
    *,
    metric: Metric = metrics.RUN_TIME,
    conditions: Setting = EMPTY_SETTING,
) -> SessionRecord:
    """Return a session of one run over the levels of the plan's only factor."""
    name = plan.factors[0].name
    rows = [(Setting.from_mapping({name: n}), EXPLORE, values) for n, values in explored.items()]
    rows += [(Setting.from_mapping({name: n}), CONFIRM, values) for n, values in (confirmed or {}).items()]
    return session_of(run_of(plan, trials_of(metric, rows, family=plan.family, conditions=conditions)))


def with_a_day(session: SessionRecord) -> SessionRecord:
    """Return a session whose target kept a day of history: 1,000 commands in each hour."""
    deliverer = TOPOLOGY.agents_of(AgentKind.DISTRIBUTION)[0]
    hours = tuple(
        AgentHour(deliverer.kind, deliverer.agent_id, NOW - timedelta(hours=n), 250, 1_000, 60.0, 900.0, 1_500.0, 0)
        for n in range(2, 26)
    )
    kept = kept_texts(Replication(TOPOLOGY, (), hours=hours))
    return replace(session, environments=(Environment(session.runs[0].target, kept=kept),))


def rules_of(advice: Advice) -> set[str]:
    """Return the ids of the rules that spoke."""
    return {finding.rule for finding in advice.findings}


STREAMS = plan_of(SubscriptionStreams=(1, 8, 16))
SWEEP = {1: (100.0, 102.0, 98.0), 8: (50.0, 51.0, 49.0), 16: (80.0, 81.6, 78.4)}


def test_a_confirmed_gain_is_recommended_with_its_trials() -> None:
    """Exploring comparisons lead, the confirming one carries the claim, the finding names every trial."""
    session = measured(STREAMS, SWEEP, {1: (100.0, 101.0), 8: (50.0, 50.5)})
    advice = ADVISOR.advise(session)
    assert [(c.phase, c.verdict) for c in advice.comparisons] == [
        (EXPLORE, Verdict.IMPROVEMENT),
        (EXPLORE, Verdict.IMPROVEMENT),
        (CONFIRM, Verdict.IMPROVEMENT),
    ]
    raised = next(finding for finding in advice.findings if finding.rule == "streams-more")
    assert (raised.parameter, raised.from_value, raised.to_value) == ("SubscriptionStreams", 1, 8)
    assert "not confirmed" not in raised.title
    assert set(raised.evidence) == {trial.trial_id for trial in session.runs[0].trials}
    assert raised.figure in {plot.plot_id for plot in advice.plots}
    assert [finding.priority for finding in advice.findings] == sorted(f.priority for f in advice.findings)


def test_confirmation_means_stand_alone() -> None:
    """Exploring halved the run time; the fresh trials show a tenth less, and that is what is claimed."""
    advice = ADVISOR.advise(measured(STREAMS, SWEEP, {1: (100.0, 102.0, 98.0), 8: (90.0, 91.8, 88.2)}))
    [confirmed] = [c for c in advice.comparisons if c.phase is CONFIRM]
    assert confirmed.ratio == pytest.approx(0.9)
    assert len(confirmed.candidate_trials) == 3


def test_a_race_is_compared_more_strictly() -> None:
    """Its exploring intervals are wider than those of a plan with fixed blocks; the confirming ones are the same."""
    fixed = ADVISOR.advise(measured(STREAMS, SWEEP, {1: (100.0, 101.0), 8: (50.0, 50.5)}))
    race = replace(STREAMS, design=Design(stop=Stop.RACE, blocks=4))
    raced = ADVISOR.advise(measured(race, SWEEP, {1: (100.0, 101.0), 8: (50.0, 50.5)}))
    for one, other in zip(fixed.comparisons, raced.comparisons, strict=True):
        assert one.ratio == other.ratio
        if one.phase is EXPLORE:
            assert other.low < one.low < one.high < other.high
        else:
            assert (other.low, other.high) == (one.low, one.high)


def test_a_grid_is_told_as_a_joint_gain() -> None:
    """Both parameters are recommended, and each says that the gain is of the two together."""
    plan = plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8))
    values = {(100, 1): 100.0, (100, 8): 60.0, (200, 1): 95.0, (200, 8): 50.0}
    rows = [
        (setting(CommitBatchSize=size, SubscriptionStreams=n), EXPLORE, (value, value * 1.01, value * 0.99))
        for (size, n), value in values.items()
    ]
    advice = ADVISOR.advise(session_of(run_of(plan, trials_of(metrics.RUN_TIME, rows))))
    changes = {f.parameter: f for f in advice.findings if f.to_value is not None}
    assert {name: finding.to_value for name, finding in changes.items()} == {
        "CommitBatchSize": 200,
        "SubscriptionStreams": 8,
    }
    for finding in changes.values():
        assert "The gain is that of 2 parameters changed together." in finding.because
        assert "CommitBatchSize 200, SubscriptionStreams 8" in finding.because


def test_nothing_measured_says_nothing() -> None:
    """A run cancelled in its first trial has no evidence at all."""
    aborted = trial_of(spec_of(setting(SubscriptionStreams=1)), {}, status=TrialStatus.ABORTED)
    advice = ADVISOR.advise(session_of(run_of(STREAMS, [aborted])))
    assert (advice.comparisons, advice.findings, advice.not_evaluated, advice.plots) == ((), (), (), ())
    assert advice.warnings == ("E1: trials not used: 1 of 1; the report lists each with its reason",)


def _with_fall_backs(times: Mapping[int, Sequence[float]], fallen: float) -> Advice:
    """Return the advice on blocks of trials; those slower than `fallen` s with several streams fell back."""
    blocks = range(max(map(len, times.values())))
    rows = [(block, n, values[block]) for block in blocks for n, values in times.items()]
    trials = [
        trial_of(
            replace(spec_of(setting(SubscriptionStreams=n), number), block=block + 1),
            {metrics.RUN_TIME: value, agent_metrics.FALLBACKS: float(n > 1 and value >= fallen)},
        )
        for number, (block, n, value) in enumerate(rows, start=1)
    ]
    return ADVISOR.advise(session_of(run_of(plan_of(SubscriptionStreams=tuple(times)), trials)))


def test_fall_backs_count_with_their_time() -> None:
    """Where every trial with several streams fell back, the setting is as slow as that; nothing is left out."""
    advice = _with_fall_backs({1: (100.0, 101.0, 99.0), 8: (100.0, 99.5, 100.5)}, fallen=90.0)
    assert [len(c.candidate_trials) for c in advice.comparisons] == [3]
    fell_back = next(finding for finding in advice.findings if finding.rule == "streams-fell-back")
    assert "In 3 of 3 trials with several streams" in fell_back.because
    assert not any(finding.to_value for finding in advice.findings)


def test_a_setting_that_falls_back_now_and_then_may_still_be_the_best() -> None:
    """Both readings stand there, and the trial that fell back is not told as disturbed by something else."""
    times = {1: (100, 101, 99, 100, 100.5), 8: (50, 50.9, 75, 49.6, 50.1), 16: (60.4, 60.2, 59.8, 60.9, 59.7)}
    advice = _with_fall_backs(times, fallen=70.0)
    more = next(finding for finding in advice.findings if finding.rule == "streams-more")
    assert (more.from_value, more.to_value) == (1, 8)
    assert "1 of 5 trials" in more.because
    assert "without them it would be" in more.because
    assert [warning for warning in advice.warnings if "something else" in warning] == []


def test_a_missing_baseline_leaves_everything_open() -> None:
    """Other settings were measured, the baseline never could be: no comparison, no recommendation."""
    advice = ADVISOR.advise(measured(STREAMS, {8: (50.0, 51.0), 16: (80.0, 81.6)}))
    assert advice.comparisons == ()
    assert not any(finding.to_value for finding in advice.findings)


RATES = {1: (6.0, 6.1), 8: (40.0, 40.4), 16: (56.0, 56.6)}


@pytest.mark.parametrize(
    ("scenario", "rate_per_s", "is_forecast"),
    [(Scenario.DRAINED, None, True), (Scenario.CONTINUOUS, None, True), (Scenario.CONTINUOUS, 60.0, False)],
)
def test_catch_up_is_forecast_from_what_an_agent_can_do(
    scenario: Scenario, rate_per_s: float | None, is_forecast: bool
) -> None:
    """The rate of a fixed workload is the workload's, so it says nothing about a backlog."""
    plan = plan_of("wan_delivery", scenario=scenario, rate_per_s=rate_per_s, SubscriptionStreams=(1, 8, 16))
    advice = ADVISOR.advise(with_a_day(measured(plan, RATES, metric=metrics.THROUGHPUT)))
    assert bool(advice.forecasts) is is_forecast
    assert any(rule.startswith("catch-up") for rule in rules_of(advice)) is is_forecast
    if is_forecast:
        assert [f.setting["SubscriptionStreams"] for f in advice.forecasts] == [1, 8, 16]
        assert {f.backlog_commands for f in advice.forecasts} == {24_000}
        assert {f.inflow_per_s for f in advice.forecasts} == {1_000 / 3_600}


def test_no_catch_up_is_forecast_of_a_backlog_that_nobody_has() -> None:
    """Without the history of the site an own run promises nothing: a study's customer is another's."""
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8, 16))
    advice = ADVISOR.advise(measured(plan, RATES, metric=metrics.THROUGHPUT))
    assert not advice.forecasts
    assert not any(rule.startswith("catch-up") for rule in rules_of(advice))


def test_a_confirmed_setting_is_forecast_by_its_confirming_trials() -> None:
    """One number, one source: the forecast's rates are those of the gain beside it."""
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8, 16))
    confirmed = {1: (6.0, 6.2, 5.9), 16: (40.0, 42.0, 41.0)}
    advice = ADVISOR.advise(with_a_day(measured(plan, RATES, confirmed, metric=metrics.THROUGHPUT)))
    before, after = (f for f in advice.forecasts if f.setting["SubscriptionStreams"] in confirmed)
    [claimed] = [c for c in advice.comparisons if c.phase is CONFIRM and c.metric == metrics.THROUGHPUT.name]
    inflow = 1_000 / 3_600
    rates = [f.backlog_commands / (f.hours * 3_600) + inflow for f in (before, after)]
    assert rates[1] / rates[0] == pytest.approx(claimed.ratio)
    assert {trial for f in (before, after) for trial in f.trials} == {
        *claimed.reference_trials,
        *claimed.candidate_trials,
    }


def test_each_link_has_its_own_forecasts() -> None:
    """Two runs on different links are explained apart: forecasts, plots and findings name their conditions."""
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8, 16))
    runs = []
    for number, kbps in enumerate((512, 128), start=1):
        held = Setting.of(network_kbps=kbps, rtt_ms=300)
        session = with_a_day(measured(plan, RATES, metric=metrics.THROUGHPUT, conditions=held))
        runs.append(replace(session.runs[0], run_id=f"E{number}"))
    advice = ADVISOR.advise(with_a_day(session_of(*runs)))
    assert [f.conditions["network_kbps"] for f in advice.forecasts] == [512] * 3 + [128] * 3
    assert len({plot.plot_id for plot in advice.plots}) == len(advice.plots)
    raised = [finding for finding in advice.findings if finding.rule == "streams-more"]
    assert ["512\u00a0kbps" in finding.because for finding in raised] == [True, False]


def _published(path: Path, noise_cv: float | None) -> Advice:
    return ADVISOR.advise(read_session(path, FAMILIES, noise_cv))


def _shown(advice: Advice, factor: str) -> dict[int, Verdict]:
    return {int(c.reference[factor]): c.verdict for c in advice.comparisons if c.factor == factor}


def test_the_published_agent_tests_are_explained() -> None:
    """At 3 % noise: 5000 against 500 and 8 streams against 1, 2 and 16 are shown, no CommitBatchSize is."""
    advice = _published(AGENTS_2018, 0.03)
    assert _shown(advice, "ReadBatchSize")[500] is Verdict.IMPROVEMENT
    streams = _shown(advice, "SubscriptionStreams")
    assert [n for n, verdict in streams.items() if verdict is Verdict.IMPROVEMENT] == [1, 2, 16]
    assert set(_shown(advice, "CommitBatchSize").values()) == {Verdict.CANNOT_TELL}
    changes = {(f.parameter, f.from_value, f.to_value) for f in advice.findings if f.to_value is not None}
    assert changes == {("ReadBatchSize", 500, 5_000), ("SubscriptionStreams", 1, 8)}
    assert all("not confirmed yet" in f.title for f in advice.findings if f.to_value is not None)
    assert {"read-batch-larger", "streams-more", "streams-too-many", "delivery-cannot-tell"} <= rules_of(advice)


def test_published_single_runs_show_nothing_without_a_noise_level() -> None:
    """One run of each setting: no verdict but "cannot tell", and nothing is recommended."""
    for path in (AGENTS_2018, WAN_2007):
        advice = _published(path, None)
        assert advice.comparisons
        assert {c.verdict for c in advice.comparisons} == {Verdict.CANNOT_TELL}
        assert not any(finding.to_value is not None for finding in advice.findings)
        assert all(c.trials_needed >= 2 for c in advice.comparisons)


def test_the_published_slow_lines_are_explained_each_for_itself() -> None:
    """16 streams at 512 kbps, 8 at 128 kbps, where 16 cannot be told from 8; a backlog takes hours less."""
    advice = _published(WAN_2007, 0.03)
    changes = [(f.from_value, f.to_value) for f in advice.findings if f.rule == "streams-more"]
    assert sorted(changes) == [(1, 8), (1, 16)]
    assert {"catch-up-shorter", "streams-no-better-above"} <= rules_of(advice)
    hours = {(f.conditions["network_kbps"], f.setting["SubscriptionStreams"]): f.hours for f in advice.forecasts}
    assert hours[512, 16] == pytest.approx(240_000 / 56.11 / 3_600)
    assert hours[128, 1] == pytest.approx(240_000 / 5.9 / 3_600)


def test_the_published_texts_contradiction_is_pointed_out() -> None:
    """What the file's own notes say reaches the reader as a warning."""
    assert any("text" in warning.lower() for warning in _published(WAN_2007, None).warnings)


def test_own_runs_and_measurements_from_elsewhere_stand_side_by_side() -> None:
    """A session may hold both; each is explained by its own comparisons."""
    elsewhere = read_session(AGENTS_2018, FAMILIES, None)
    own = measured(STREAMS, SWEEP)
    facts = ((NOISE_FACT, "0.03", "share"),)
    session = replace(own, imported=elsewhere.imported, environments=(Environment(target="file", facts=facts),))
    advice = ADVISOR.advise(session)
    alone = ADVISOR.advise(own)
    assert advice.comparisons[: len(alone.comparisons)] == alone.comparisons
    assert {c.factor for c in advice.comparisons} == {"SubscriptionStreams", "ReadBatchSize", "CommitBatchSize"}


def test_more_settings_than_can_be_compared_are_refused() -> None:
    """A thousand values are explained; one more is told instead of using up the machine."""

    def elsewhere(count: int) -> SessionRecord:
        rows = [(setting(ReadBatchSize=n), EXPLORE, (100.0 + n,)) for n in range(1, count + 1)]
        trials = trials_of(metrics.RUN_TIME, rows, family="log_reader")
        return session_of(imported=tuple(m for trial in trials for m in trial.measurements))

    assert len(ADVISOR.advise(elsewhere(1_000)).comparisons) == 999
    with pytest.raises(BadInput, match=r"1,001 different values of ReadBatchSize .* at most 1,000 can be compared"):
        ADVISOR.advise(elsewhere(1_001))


def _improves(c: Comparison) -> bool:
    return c.verdict is Verdict.IMPROVEMENT


def _changes(findings: Sequence[Finding]) -> set[str]:
    return {f.parameter for f in findings if f.to_value is not None}


@pytest.mark.parametrize("family_id", list(AGENT_FAMILIES))
def test_no_change_is_recommended_where_no_comparison_shows_one(family_id: str) -> None:
    """Whatever the family: noise alone never ends in a changed setting."""
    family = FAMILIES[family_id]
    plan = replace(family.default_plan(), design=Design(blocks=3))
    levels = [int(level) for level in plan.factors[0].levels]
    flat = {n: (100.0 + i % 2, 101.0 - i % 2, 99.5) for i, n in enumerate(levels)}
    advice = ADVISOR.advise(measured(plan, flat, metric=family.main_metric(plan)))
    assert not any(map(_improves, advice.comparisons))
    assert _changes(advice.findings) == set()
    assert advice.findings
