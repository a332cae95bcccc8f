"""What is computed from an observation of a trial, by hand-made observations."""

from dataclasses import replace

import pytest

from app.analysis.measuring import as_measurement
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.systems.transactional_replication import metrics as agent_metrics
from app.systems.transactional_replication.analysis.trials import (
    agent_measurements,
    bandwidth_use_percent,
    common_failures,
    keeps_up,
    lock_wait_share,
    longest_gap_s,
    median_latency_ms,
    median_legs_s,
    run_time_s,
    throughput_per_s,
    wait_shares,
    workload_conditions,
)
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.topology import AgentStatistics, TracerLatency
from tests.contract.families.lab_runs import FAMILIES
from tests.unit.analysis.observing import READER, agent_seen, plan_of, setting, site_of, spec_of, trial_seen

STEADY = plan_of(scenario=Scenario.CONTINUOUS, rate_per_s=100.0)


def test_run_time_is_that_of_the_slowest_agent() -> None:
    """A drained backlog is delivered when the last agent is done."""
    assert run_time_s(trial_seen(agent_seen(elapsed_s=10.0), agent_seen(elapsed_s=12.5))) == 12.5
    assert run_time_s(trial_seen()) == 0.0


def test_throughput_adds_the_agents_up() -> None:
    """Each agent's own rate counts; one that took no time at all delivered nothing."""
    seen = trial_seen(agent_seen(commands=1_000, elapsed_s=10.0), agent_seen(commands=600, elapsed_s=3.0))
    assert throughput_per_s(seen) == pytest.approx(300.0)
    assert throughput_per_s(trial_seen(agent_seen(elapsed_s=0.0))) == 0.0
    assert throughput_per_s(trial_seen()) == 0.0


def test_latency_is_the_median_over_all_rows_of_all_agents() -> None:
    """One late batch does not decide; without a row there is no latency."""
    agents = (agent_seen(latencies_ms=(10.0, 20.0)), agent_seen(latencies_ms=(30.0, 40.0, 9_000.0)))
    assert median_latency_ms(agents) == 30.0
    assert median_latency_ms((agent_seen(),)) is None
    assert median_latency_ms(()) is None


def test_the_legs_of_tokens_are_medians_of_their_own() -> None:
    """Never added up; a leg that no token came to the end of is unknown."""
    tokens = (TracerLatency(1.0, 9.0), TracerLatency(3.0, None), TracerLatency(2.0, 5.0))
    assert median_legs_s(replace(trial_seen(), tokens=tokens)) == (2.0, 7.0)
    assert median_legs_s(replace(trial_seen(), tokens=(TracerLatency(1.0, None),))) == (1.0, None)
    assert median_legs_s(trial_seen()) == (None, None)


def test_the_longest_gap_lies_between_two_deliveries_of_one_agent() -> None:
    """Gaps are not added up over agents, and the time before the first delivery is no gap."""
    agents = (agent_seen(delivered_at=((200.0, 10), (205.0, 20), (235.0, 30))), agent_seen(delivered_at=((1.0, 5),)))
    assert longest_gap_s(agents) == 30.0


def test_a_gap_that_has_not_ended_counts_up_to_the_end() -> None:
    """A continuous trial that ends while nothing is delivered shows at least that long a gap."""
    agents = (agent_seen(delivered_at=((5.0, 10), (9.0, 20)), watched_s=100.0),)
    assert longest_gap_s(agents) == 91.0
    assert longest_gap_s((agent_seen(delivered_at=((5.0, 10),), watched_s=100.0),)) == 95.0
    assert longest_gap_s((agent_seen(delivered_at=((0.0, 10), (100.4, 20)), watched_s=100.0),)) == 100.4


def test_no_gap_is_told_where_none_can_be_judged() -> None:
    """An agent that never delivered was filling the pipeline, and one delivery alone has no gap."""
    assert longest_gap_s(()) is None
    assert longest_gap_s((agent_seen(watched_s=100.0),)) is None
    assert longest_gap_s((agent_seen(delivered_at=((5.0, 10),)),)) is None


def test_waits_are_shares_of_each_threads_time() -> None:
    """Reader: 30 of 100 s; writer: 20 of 80 s; rows of several agents add up."""
    row = AgentStatistics(70.0, 30.0, 60.0, 20.0, 100.0, 5.0)
    assert wait_shares((agent_seen(statistics=row),)) == (0.3, 0.25)
    idle = AgentStatistics(100.0, 0.0, 80.0, 0.0, 100.0, 0.0)
    assert wait_shares((agent_seen(statistics=row), agent_seen(statistics=idle))) == (0.15, 0.125)


def test_waits_of_a_few_seconds_are_not_told() -> None:
    """Agents write whole seconds, so a share of 1 s of 2 s is rounding."""
    assert wait_shares((agent_seen(statistics=AgentStatistics(1.0, 1.0, 1.0, 1.0, 2.0, 0.0)),)) is None
    assert wait_shares((agent_seen(statistics=AgentStatistics(19.0, 0.9, 60.0, 0.0, 60.0, 0.0)),)) is None
    assert wait_shares((agent_seen(),)) is None


def test_lock_waits_are_per_second_of_every_agent_that_ran() -> None:
    """The waits of the Distributor are shared by the agents under test and those that ran meanwhile."""
    seen = trial_seen(agent_seen(elapsed_s=60.0), others=(agent_seen(READER, elapsed_s=40.0),), lock_wait_s=25.0)
    assert lock_wait_share(seen) == 0.25
    assert lock_wait_share(trial_seen(agent_seen(elapsed_s=0.0), lock_wait_s=5.0)) is None


def test_bandwidth_use_counts_the_commands_alone() -> None:
    """100 commands/s of 640 bytes are 512 kbit/s; without size or bandwidth nothing is told."""
    seen = trial_seen(agent_seen(commands=1_000, elapsed_s=10.0), command_bytes=640.0)
    assert bandwidth_use_percent(seen, 512.0) == pytest.approx(100.0)
    assert bandwidth_use_percent(seen, 1_024.0) == pytest.approx(50.0)
    assert bandwidth_use_percent(seen, None) is None
    assert bandwidth_use_percent(seen, 0.0) is None
    assert bandwidth_use_percent(replace(seen, command_bytes=None), 512.0) is None


def test_a_good_trial_has_no_failure() -> None:
    """Everything planned was delivered, nothing was reported."""
    assert common_failures(plan_of(), trial_seen(agent_seen(commands=1_000), planned=1_000)) == ()


def test_each_failure_names_the_agent() -> None:
    """An error and less than planned give a sentence each, with the agent's name."""
    seen = trial_seen(agent_seen(READER, commands=900, failed="log full"), planned=1_000)
    sentences = common_failures(plan_of(), seen)
    assert sentences == (
        "PUB1-Sales-1 reported an error: log full",
        "PUB1-Sales-1 delivered 900 of 1,000 commands",
    )


def test_a_fall_back_is_no_reason_to_leave_a_trial_out() -> None:
    """The setting brought it about, so its time counts."""
    assert common_failures(plan_of(), trial_seen(agent_seen(fell_back=True))) == ()


@pytest.mark.parametrize(("streams", "fallbacks"), [(1, 0.0), (8, 1.0)])
def test_a_single_stream_cannot_fall_back(streams: int, fallbacks: float) -> None:
    """With one stream the message about single connection mode changes nothing."""
    family, spec = FAMILIES["distribution_agent"], spec_of(setting(SubscriptionStreams=streams))
    made = family.measure(plan_of(), spec, trial_seen(agent_seen(fell_back=True)), site_of())
    assert [m.value for m in made if m.metric == agent_metrics.FALLBACKS.name] == [fallbacks]


@pytest.mark.parametrize(("commands", "elapsed_s"), [(0, 10.0), (1_000, 0.0)])
def test_nothing_delivered_is_a_failure(commands: int, elapsed_s: float) -> None:
    """Without commands or without time there is no rate."""
    sentences = common_failures(plan_of(), trial_seen(agent_seen(commands=commands, elapsed_s=elapsed_s)))
    assert sentences == ("PUB1-Sales-SUB1-2 delivered nothing",)


@pytest.mark.parametrize(("offered", "is_good"), [(9_500, True), (9_499, False)])
def test_the_load_must_have_been_made(offered: int, is_good: bool) -> None:
    """A trial at 100 commands/s for 100 s counts from 9,500 written commands on, delivered or not."""
    sentences = common_failures(STEADY, trial_seen(agent_seen(commands=10), offered=offered))
    assert (sentences == ()) is is_good
    if not is_good:
        assert sentences[0].startswith("the Publisher wrote 9,499 of the planned 10,000 commands")


def test_every_pair_gets_the_load() -> None:
    """The planned commands count for each agent pair."""
    plan = plan_of(scenario=Scenario.CONTINUOUS, rate_per_s=100.0, pairs=3)
    assert common_failures(plan, trial_seen(agent_seen(), offered=28_500)) == ()
    assert common_failures(plan, trial_seen(agent_seen(), offered=28_499)) != ()


def test_an_agent_that_does_not_keep_up_is_a_result() -> None:
    """A setting that cannot follow the workload is what the experiment looks for; a saturated one has no rate."""
    slow = trial_seen(agent_seen(commands=10, elapsed_s=100.0), offered=10_000)
    assert common_failures(STEADY, slow) == ()
    saturated = plan_of(scenario=Scenario.CONTINUOUS)
    assert common_failures(saturated, slow) == ()


@pytest.mark.parametrize(("commands", "keeps"), [(950, True), (949, False)])
def test_keeping_up_is_a_question_of_the_rate(commands: int, keeps: bool) -> None:
    """95 commands/s behind 100 offered keep up, less does not; a backlog or saturation never does."""
    seen = trial_seen(agent_seen(commands=commands, elapsed_s=10.0))
    assert keeps_up(STEADY, seen) is keeps
    assert not keeps_up(plan_of(), seen)
    assert not keeps_up(plan_of(scenario=Scenario.CONTINUOUS), seen)


def _made(plan_scenario: Scenario, *, rate_per_s: float | None = None) -> dict[str, Measurement]:
    row = AgentStatistics(70.0, 30.0, 60.0, 20.0, 100.0, 5.0)
    measured = agent_seen(latencies_ms=(10.0,), delivered_at=((1.0, 1), (3.0, 2)), statistics=row)
    plan = plan_of(scenario=plan_scenario, rate_per_s=rate_per_s)
    spec = spec_of(plan.baseline, 7, Phase.CONFIRM)
    made = agent_measurements(plan, spec, trial_seen(measured), setting(rtt_ms=1), (measured,))
    return {m.metric: m for m in made}


def test_a_drained_trial_has_a_run_time_and_no_latency() -> None:
    """The age of a backlog put there on purpose says nothing."""
    found = _made(Scenario.DRAINED)
    assert set(found) == {"run_time", "throughput", "longest_gap", "lock_wait", "reader_wait", "writer_wait"}
    assert (found["run_time"].value, found["run_time"].unit) == (10.0, "s")
    assert (found["longest_gap"].value, found["longest_gap"].unit) == (2.0, "s")


def test_a_continuous_trial_has_a_latency_and_no_run_time() -> None:
    """It has none either where it was saturated: there a backlog is kept in front of the agent."""
    assert _made(Scenario.CONTINUOUS, rate_per_s=100.0)["latency"].value == 10.0
    assert "run_time" not in _made(Scenario.CONTINUOUS, rate_per_s=100.0)
    assert "latency" not in _made(Scenario.CONTINUOUS)


def test_a_measurement_carries_its_trial() -> None:
    """Trial, block, phase, setting and conditions are those of the spec."""
    plan = plan_of()
    spec = spec_of(setting(SubscriptionStreams=8), 7, Phase.CONFIRM)
    made = as_measurement(plan, spec, agent_metrics.FALLBACKS, 1.0, setting(rtt_ms=1))
    assert made == Measurement(
        "distribution_agent",
        "E1-T007",
        7,
        "stream_fallbacks",
        1.0,
        "count",
        setting(SubscriptionStreams=8),
        setting(rtt_ms=1),
        Phase.CONFIRM,
    )


def test_the_workload_is_part_of_the_conditions() -> None:
    """Only trials under the same load may be compared."""
    assert workload_conditions(plan_of(scenario=Scenario.CONTINUOUS, pairs=3)) == {
        "agent_pairs": 3,
        "commands_per_transaction": 2.5,
        "scenario": "continuous",
    }


def test_the_use_of_a_link_can_be_computed_again_from_what_stands_beside_it() -> None:
    """Rate × size × 8 / bandwidth: all four are in the table of the trial."""
    seen = trial_seen(agent_seen(commands=300, elapsed_s=10.0), command_bytes=434.1)
    site, spec = site_of(rtt_ms=300.0, network_kbps=128.0), spec_of(setting(SubscriptionStreams=8))
    made = FAMILIES["wan_delivery"].measure(plan_of("wan_delivery"), spec, seen, site)
    value = {m.metric: m.value for m in made}
    assert value["command_bytes"] == 434.1
    assert value["bandwidth_use"] == pytest.approx(value["throughput"] * value["command_bytes"] * 8 / 128_000 * 100)
    assert value["bandwidth_use"] == pytest.approx(81.4, abs=0.1)
