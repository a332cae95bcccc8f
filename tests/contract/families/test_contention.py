"""The published finding on three Log Reader Agents comes out of a real run, from plan to advice."""

import itertools
from dataclasses import replace
from functools import cache

from app.domain.comparison import Verdict
from app.domain.facts import FactValue
from app.domain.limits import Limits
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.systems.transactional_replication.load import Scenario, WorkloadSpec
from app.systems.transactional_replication.site import AgentSite
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab

# A quarter of an hour of bulk changes, faster than three Log Reader Agents together can read: in less time the
# deliveries do not stand long enough to be called starved. Working off what is left over takes longer than the trial.
PLAN = Plan(
    family="log_reader",
    factors=(Factor("ReadBatchSize", (500, 5_000)),),
    baseline=Setting.of(ReadBatchSize=500),
    load=WorkloadSpec(
        commands_per_transaction=(500, 1_000),
        scenario=Scenario.CONTINUOUS,
        duration_s=900.0,
        rate_per_s=12_000.0,
        agent_pairs=3,
    ).to_load(),
    design=Design(blocks=2, confirm_blocks=0, further_blocks=0),
    limits=Limits.of(trial_duration_s=12 * 3_600.0),
)


@cache
def contention() -> LabRun:
    """Return the run, made once."""
    return run_on_lab(FAMILIES["log_reader"], PLAN)


def test_three_agents_with_large_batches_starve_the_deliveries() -> None:
    """At ReadBatchSize 5000 the Distribution Agents stand for minutes and locks are waited for; not at 500."""
    run = contention()
    run.assert_restored("contention")
    said = run.advise()
    found = {finding.rule: finding for finding in said.findings}
    assert {"log-reader-starved-deliveries", "log-reader-lock-waits", "read-batch-large-transactions"} <= set(found)
    starved = found["log-reader-starved-deliveries"]
    assert starved.priority == 1
    assert starved.to_value is None
    assert starved.figure.endswith("/over-time")
    facts: dict[str, FactValue] = {name: value for name, value, _unit in starved.facts}
    assert float(facts["longest_gap_s"]) > 180.0
    assert float(facts["longest_gap_baseline_s"]) < 60.0
    assert float(facts["lock_wait_s_per_agent_s"]) > 0.2
    [compared] = said.comparisons
    assert (compared.metric, compared.verdict) == ("throughput", Verdict.WORSE)


def test_the_starved_agent_is_drawn() -> None:
    """The plot over time shows what a Distribution Agent delivered, at the baseline and at the largest setting."""
    run = contention()
    [plot] = [plot for plot in run.advise().plots if plot.plot_id.endswith("/over-time")]
    assert plot.y_label.startswith("Delivered by ")
    assert isinstance(run.site, AgentSite)
    assert any(agent.name in plot.y_label for agent in run.site.topology.agents if agent.subscriber)
    assert [series.label for series in plot.series] == ["ReadBatchSize 500 (baseline)", "ReadBatchSize 5,000"]
    pauses = [max(after - before for before, after in _pauses(series.x, series.y)) for series in plot.series]
    assert pauses[1] > 180.0 > pauses[0]


def _pauses(offsets_s: tuple[float, ...], delivered: tuple[float, ...]) -> list[tuple[float, float]]:
    """Return begin and end of each stretch in which nothing was delivered, after the first delivery."""
    steps = zip(offsets_s[1:], itertools.pairwise(delivered), strict=True)
    moves = [offset_s for offset_s, (before, now) in steps if now > before]
    return list(itertools.pairwise(moves))


def test_a_workload_that_is_too_fast_has_no_latency() -> None:
    """Behind a workload no setting keeps up with, the age of what is delivered grows with the trial: none is told."""
    metrics = {m.metric for trial in contention().trials for m in trial.measurements}
    assert "latency" not in metrics
    assert {"throughput", "longest_gap", "lock_wait"} <= metrics


def test_one_agent_alone_is_not_starved() -> None:
    """The same plan with a single pair of agents does not raise the alarm."""
    alone = replace(
        PLAN, load=PLAN.load.but(agent_pairs=1), design=Design(blocks=1, confirm_blocks=0, further_blocks=0)
    )
    said = run_on_lab(FAMILIES["log_reader"], alone).advise()
    assert not {finding.rule for finding in said.findings} & {"log-reader-starved-deliveries", "log-reader-lock-waits"}
