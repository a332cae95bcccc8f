"""Facts that were measured or read directly: latencies, gaps, batches, roll-backs, Subscriber, link."""

from collections.abc import Mapping, Sequence

import pytest

from app.domain import metrics
from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.measurement import Measurement, Metric, TrialStatus
from app.domain.plan import Plan
from app.domain.setting import Setting, Value
from app.systems.transactional_replication import metrics as agent_metrics
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.topology import SubscriberObjects
from tests.labs import FAMILIES
from tests.unit.analysis.observing import evidence_of, plan_of, setting, site_of, spec_of, trial_of

ROWS = Mapping[Setting, Mapping[Metric, Sequence[float]]]


def evidence(
    rows: ROWS,
    plan: Plan | None,
    *,
    family: str = "",
    site: AgentSite | None = None,
    conditions: Mapping[str, Value] | None = None,
) -> Evidence:
    """Return evidence with several measures of each setting, one value for each block."""
    name = plan.family if plan is not None else family
    held = Setting.from_mapping({"commands_per_transaction": 2.5} if conditions is None else dict(conditions))
    made = [
        Measurement(name, f"{chosen.label()}/{block}", block, metric.name, value, metric.unit, chosen, held)
        for chosen, columns in rows.items()
        for metric, values in columns.items()
        for block, value in enumerate(values, start=1)
    ]
    return evidence_of(made, plan=plan, site=site)


def facts_of(given: Evidence, factor: str) -> Mapping[str, FactValue]:
    """Return what the family says."""
    facts: Mapping[str, FactValue] = FAMILIES[given.family].facts(given, factor)
    return facts


def read(size: int) -> Setting:
    """Return a setting of ReadBatchSize."""
    return setting(ReadBatchSize=size)


READ_PLAN = plan_of("log_reader", ReadBatchSize=(500, 2_500, 5_000))
TIMES = {500: (100.0, 101.0, 99.0), 2_500: (60.0, 60.6, 59.4), 5_000: (80.0, 80.8, 79.2)}


def test_latencies_waits_and_gaps_are_medians_at_their_settings() -> None:
    """Baseline, best and largest level each keep their own; milliseconds become seconds."""
    rows: dict[Setting, dict[Metric, Sequence[float]]] = {
        read(size): {
            metrics.RUN_TIME: values,
            agent_metrics.LATENCY: (size, size, size * 100.0),
            agent_metrics.LONGEST_GAP: (size / 100,),
            agent_metrics.LOCK_WAIT: (size / 10_000,),
            agent_metrics.READER_WAIT: (size / 20_000,),
        }
        for size, values in TIMES.items()
    }
    facts = facts_of(evidence(rows, READ_PLAN), "ReadBatchSize")
    assert (facts["latency_baseline_s"], facts["latency_best_s"], facts["latency_largest_s"]) == (0.5, 2.5, 5.0)
    assert (facts["longest_gap_baseline_s"], facts["longest_gap_s"]) == (5.0, 50.0)
    assert (facts["lock_wait_s_per_agent_s"], facts["reader_wait_share"]) == (0.5, 0.025)
    assert "writer_wait_share" not in facts


def test_in_a_grid_the_largest_level_stands_beside_the_baseline_of_the_rest() -> None:
    """The gap at the largest ReadBatchSize is taken where PollingInterval is as it was, not at any of its values."""
    plan = plan_of("log_reader", ReadBatchSize=(500, 5_000), PollingInterval=(5, 1))
    gaps = {(500, 5): 10.0, (500, 1): 20.0, (5_000, 5): 30.0, (5_000, 1): 40.0}
    rows: dict[Setting, dict[Metric, Sequence[float]]] = {
        setting(ReadBatchSize=size, PollingInterval=seconds): {
            metrics.RUN_TIME: (100.0 - seconds, 101.0 - seconds),
            agent_metrics.LONGEST_GAP: (gap,),
        }
        for (size, seconds), gap in gaps.items()
    }
    assert facts_of(evidence(rows, plan), "ReadBatchSize")["longest_gap_s"] == 30.0
    assert facts_of(evidence(rows, plan), "PollingInterval")["longest_gap_s"] == 10.0


def _read_rows(rate: float | None) -> ROWS:
    columns = {size: {metrics.RUN_TIME: values} for size, values in TIMES.items()}
    rates = {} if rate is None else {metrics.THROUGHPUT: (rate,)}
    return {read(size): {**column, **rates} for size, column in columns.items()}


def test_a_batch_is_held_as_long_as_it_is_written() -> None:
    """2,500 transactions of 2.5 commands at 1,250 commands/s are invisible for 5 s."""
    facts = facts_of(evidence(_read_rows(1_250.0), READ_PLAN), "ReadBatchSize")
    assert (facts["batch_commands_baseline"], facts["batch_commands_best"]) == (1_250.0, 6_250.0)
    assert facts["batch_hold_s_best"] == pytest.approx(5.0)


def test_several_agents_share_the_rate() -> None:
    """The rate of three pairs together is three agents' work, so each batch is held three times as long."""
    given = evidence(_read_rows(1_250.0), READ_PLAN, conditions={"commands_per_transaction": 2.5, "agent_pairs": 3})
    assert facts_of(given, "ReadBatchSize")["batch_hold_s_best"] == pytest.approx(15.0)


def test_the_rate_of_a_fixed_workload_tells_nothing_about_a_batch() -> None:
    """Behind a workload it keeps up with an agent is as slow as the workload."""
    steady = plan_of("log_reader", scenario=Scenario.CONTINUOUS, rate_per_s=100.0, ReadBatchSize=(500, 2_500, 5_000))
    rows = {chosen: {metrics.THROUGHPUT: (100.0, 101.0)} for chosen in map(read, TIMES)}
    facts = facts_of(evidence(rows, steady), "ReadBatchSize")
    assert "batch_commands_best" in facts
    assert "batch_hold_s_best" not in facts
    saturated = plan_of("log_reader", scenario=Scenario.CONTINUOUS, ReadBatchSize=(500, 2_500, 5_000))
    assert "batch_hold_s_best" in facts_of(evidence(rows, saturated), "ReadBatchSize")


def test_elsewhere_only_a_run_that_says_it_was_continuous_is_doubted() -> None:
    """A measurement file may say what its workload was."""
    for scenario, known in (("drained", True), ("continuous", False)):
        held: dict[str, Value] = {"commands_per_transaction": 2.5, "scenario": scenario}
        given = evidence(_read_rows(1_250.0), None, family="log_reader", conditions=held)
        assert ("batch_hold_s_best" in facts_of(given, "ReadBatchSize")) is known


def test_a_batch_of_unknown_transactions_is_not_told() -> None:
    """Without the size of transactions there is no number of commands."""
    given = evidence(_read_rows(1_250.0), None, family="log_reader", conditions={})
    assert not {"batch_commands_best", "batch_hold_s_best"} & set(facts_of(given, "ReadBatchSize"))


def _commit(
    sizes: Mapping[int, Sequence[float]],
    *,
    per_transaction: float = 2.5,
    site: AgentSite | None = None,
    conditions: Mapping[str, Value] | None = None,
) -> Mapping[str, FactValue]:
    rows = {setting(CommitBatchSize=size): {metrics.RUN_TIME: values} for size, values in sizes.items()}
    held = {"commands_per_transaction": per_transaction, **(conditions or {})}
    plan = plan_of(CommitBatchSize=tuple(sizes))
    return facts_of(evidence(rows, plan, site=site, conditions=held), "CommitBatchSize")


SIZES = {100: (100.0, 101.0), 1_000: (80.0, 80.8)}


def test_a_roll_back_redoes_whole_transactions_up_to_the_threshold() -> None:
    """100 transactions of 2.5 commands; 1,000 of them would be 2,500, but the threshold ends the batch at 1,000."""
    facts = _commit(SIZES)
    assert (facts["rollback_commands_baseline"], facts["rollback_commands_best"]) == (250.0, 1_000.0)


def test_the_transaction_that_reaches_the_threshold_belongs_to_the_batch() -> None:
    """Two transactions of 750 commands, since they are not split."""
    facts = _commit(SIZES, per_transaction=750.0)
    assert (facts["rollback_commands_baseline"], facts["rollback_commands_best"]) == (1_500.0, 1_500.0)


@pytest.mark.parametrize(
    ("site", "conditions"),
    [(site_of(parameters={"CommitBatchThreshold": "200"}), {}), (None, {"CommitBatchThreshold": 200})],
    ids=["in effect on the server", "held fixed in the file"],
)
def test_the_threshold_is_the_one_the_trials_ran_with(site: AgentSite | None, conditions: Mapping[str, Value]) -> None:
    """It ends both batches at 200 commands."""
    facts = _commit(SIZES, site=site, conditions=conditions)
    assert facts["commit_batch_threshold"] == 200
    assert (facts["rollback_commands_baseline"], facts["rollback_commands_best"]) == (200.0, 200.0)


def test_a_varied_threshold_is_not_the_one_in_effect() -> None:
    """Each setting is judged with its own threshold, and no single one is told."""
    plan = plan_of(CommitBatchSize=(1_000, 2_000), CommitBatchThreshold=(1_000, 5_000))
    rows: dict[Setting, dict[Metric, Sequence[float]]] = {
        setting(CommitBatchSize=size, CommitBatchThreshold=limit): {metrics.RUN_TIME: (1e5 / limit, 1.01e5 / limit)}
        for size in (1_000, 2_000)
        for limit in (1_000, 5_000)
    }
    facts = facts_of(evidence(rows, plan, site=site_of(parameters={"CommitBatchThreshold": "1000"})), "CommitBatchSize")
    assert "commit_batch_threshold" not in facts
    assert (facts["rollback_commands_baseline"], facts["rollback_commands_best"]) == (1_000.0, 2_500.0)


def test_the_subscriber_is_told_as_it_was_read() -> None:
    """Objects of each kind and all together, and the processors of the server the agents deliver to."""
    objects = SubscriberObjects(3, 2, 1, 4)
    facts = _commit(SIZES, site=site_of(objects=objects))
    names = ("foreign_keys", "unique_nonclustered_indexes", "indexed_views", "triggers", "stream_blockers")
    assert [facts[name] for name in names] == [3, 2, 1, 4, 10]
    assert facts["subscriber_cpus"] == 8
    assert "stream_blockers" not in _commit(SIZES, site=site_of())
    assert "subscriber_cpus" not in _commit(SIZES)


def test_fall_backs_are_counted_in_trials_not_in_agents() -> None:
    """Two agents that fell back in one trial are one trial; those of older sessions that were not used for it count."""
    plan = plan_of(SubscriptionStreams=(1, 8))
    values = [(1, 0.0, TrialStatus.USED), (8, 2.0, TrialStatus.NOT_USED), (8, 1.0, TrialStatus.NOT_USED)]
    trials = tuple(
        trial_of(
            spec_of(setting(SubscriptionStreams=count), number),
            {metrics.RUN_TIME: 10.0, agent_metrics.FALLBACKS: fallen},
            status=status,
        )
        for number, (count, fallen, status) in enumerate(values, start=1)
    )
    given = evidence_of(trials[0].measurements, plan=plan, trials=trials)
    facts = facts_of(given, "SubscriptionStreams")
    assert (facts["stream_fallbacks"], facts["stream_trials"]) == (2, 2)
    assert "verdict" not in facts


def test_how_often_the_best_setting_fell_back_has_an_interval() -> None:
    """One of three trials at 8 streams: 1 to 91 % of such deliveries may fall back."""
    rows: dict[Setting, dict[Metric, Sequence[float]]] = {
        setting(SubscriptionStreams=1): {metrics.RUN_TIME: (100.0, 100.0, 100.0), agent_metrics.FALLBACKS: (0, 0, 0)},
        setting(SubscriptionStreams=8): {metrics.RUN_TIME: (50.0, 80.0, 50.0), agent_metrics.FALLBACKS: (0, 1, 0)},
    }
    facts = facts_of(evidence(rows, plan_of(SubscriptionStreams=(1, 8))), "SubscriptionStreams")
    assert (facts["stream_fallbacks"], facts["stream_trials"]) == (1, 3)
    assert (facts["best_fallbacks"], facts["best_stream_trials"]) == (1, 3)
    ends = (facts["best_fallback_low_percent"], facts["best_fallback_high_percent"])
    assert ends == pytest.approx((0.8404, 90.5701), abs=1e-3)  # Clopper-Pearson


def test_the_use_of_a_link_is_that_of_baseline_and_best() -> None:
    """A median over the trials of each, absent where it was not read."""
    plan = plan_of("wan_delivery", SubscriptionStreams=(1, 8))
    rows: dict[Setting, dict[Metric, Sequence[float]]] = {
        setting(SubscriptionStreams=1): {metrics.THROUGHPUT: (6.0, 6.1), agent_metrics.BANDWIDTH_USE: (5.0, 6.0)},
        setting(SubscriptionStreams=8): {metrics.THROUGHPUT: (40.0, 40.4)},
    }
    facts = facts_of(evidence(rows, plan), "SubscriptionStreams")
    assert facts["bandwidth_use_baseline_percent"] == 5.5
    assert "command_bytes" not in facts
    assert "bandwidth_use_best_percent" not in facts
