"""What the agent profile tests observed without printing numbers: continuous runs of 25 to 30 minutes."""

import itertools

import pytest

from app.systems.transactional_replication.lab.agent import AgentState
from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from tests.calibration.trials import distribution_run_time_s, shipped
from tests.unit.lab.sites import quiet_lab, start_both

SINGLETONS = (1.0, 1.0)
LARGE = (500.0, 1000.0)
RUN_S = 1_800.0


def _delivered_per_s(state: AgentState) -> float:
    """Return the rate from the first commit on, so that the filling of the pipeline does not count."""
    first, last = state.deliveries[0], state.deliveries[-1]
    return sum(commands for _time, commands, _transactions, _latency in state.deliveries) / (last[0] - first[0]) - (
        first[1] / (last[0] - first[0])
    )


def _singletons_read_per_s(read_batch_size: int) -> float:
    lab = quiet_lab()
    lab.write_transactions(0, 200_000, SINGLETONS, seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=read_batch_size))
    start_s = lab.now_s
    while lab.now_s - start_s < RUN_S:
        lab.advance(7.5)
        lab.write_transactions(0, 60_000, SINGLETONS, seed=round(lab.now_s))
    return lab.log_reader(0).delivered_commands / (lab.now_s - start_s)


def _large_read_per_s(read_batch_size: int) -> float:
    lab = quiet_lab()
    lab.write_transactions(0, 60_000, LARGE, seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=read_batch_size))
    lab.advance(6_000.0)
    return _delivered_per_s(lab.log_reader(0))


def test_with_singletons_a_larger_read_batch_reads_faster() -> None:
    """Log Reader Agent, one command per transaction, half an hour: each larger ReadBatchSize is faster."""
    rates = [_singletons_read_per_s(size) for size in (500, 1000, 2500, 5000, 10000)]
    assert all(slower < faster for slower, faster in itertools.pairwise(rates)), rates
    assert rates[-1] / rates[0] > 1.3, rates


def test_with_large_transactions_the_read_batch_does_not_matter() -> None:
    """Log Reader Agent, 500 to 1000 commands per transaction: throughput differs by less than 2 %."""
    rates = [_large_read_per_s(size) for size in (500, 1000, 2500, 5000)]
    assert max(rates) / min(rates) < 1.02, rates


def _delivery_per_s(commit_batch_size: int, streams: int, size: tuple[float, float]) -> float:
    settings = DistributionSettings(commit_batch_size=commit_batch_size, subscription_streams=streams)
    return 1e6 / distribution_run_time_s(shipped("lan"), settings, size)


def test_with_singletons_batches_of_200_on_8_streams_deliver_much_more() -> None:
    """Distribution Agent, one command per transaction: 200 and 8 beat 100 and 1 by more than half."""
    assert _delivery_per_s(200, 8, SINGLETONS) / _delivery_per_s(100, 1, SINGLETONS) > 1.5


def test_with_large_transactions_8_streams_are_a_drastic_gain() -> None:
    """Distribution Agent, 500 to 1000 commands per transaction: 8 streams deliver more than twice as much."""
    assert _delivery_per_s(100, 8, LARGE) / _delivery_per_s(100, 1, LARGE) > 2.0


@pytest.mark.parametrize("streams", [1, 8])
def test_with_large_transactions_the_commit_batch_does_not_matter(streams: int) -> None:
    """CommitBatchThreshold ends each batch first, so CommitBatchSize makes no difference (less than 2 %)."""
    rates = [_delivery_per_s(size, streams, LARGE) for size in (100, 200, 500, 1000)]
    assert max(rates) / min(rates) < 1.02, rates


def _longest_gap_s(lab: ReplicationLab, pair: int, seen_s: float, gap_s: float) -> tuple[float, float]:
    """Return the last delivery seen so far and the longest time without one, up to now."""
    for delivered_s, _commands, _transactions, _latency in lab.distribution_agent(pair).deliveries:
        if delivered_s > seen_s:
            seen_s, gap_s = delivered_s, max(gap_s, delivered_s - seen_s)
    return seen_s, max(gap_s, lab.now_s - seen_s)


def _three_pairs(read_batch_size: int) -> tuple[float, float, float]:
    """Run three busy pairs for half an hour; return shortest and longest gap over the agents, and lock waits."""
    lab = quiet_lab()
    for pair in range(3):
        start_both(lab, pair, read_batch_size)
    seen = [(0.0, 0.0)] * 3
    while lab.now_s < RUN_S:
        for pair in range(3):
            lab.write_transactions(pair, 160, LARGE, seed=round(lab.now_s * 10) + pair)
        lab.advance(1.0)
        seen = [_longest_gap_s(lab, pair, *seen[pair]) for pair in range(3)]
    gaps = [gap_s for _seen, gap_s in seen]
    return min(gaps), max(gaps), lab.lock_wait_s


def test_three_agents_with_a_large_read_batch_starve_the_distribution_agents() -> None:
    """Large ReadBatchSize: contention on the distribution database, no delivery for minutes; not at the default."""
    _default_least_s, default_longest_s, default_waits_s = _three_pairs(500)
    large_least_s, large_longest_s, large_waits_s = _three_pairs(5000)
    assert default_longest_s < 60.0
    assert default_waits_s < 60.0
    assert large_least_s > 60.0
    assert large_longest_s > 180.0
    assert large_waits_s > 600.0
