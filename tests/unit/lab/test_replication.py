"""How the agents behave, one mechanism at a time."""

import statistics

import numpy as np
import pytest

from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.transactions import draw_sizes
from tests.calibration.trials import (
    WAN_COMMANDS_PER_TRANSACTION,
    distribution_run_time_s,
    drain_distribution,
    drain_log,
    log_reader_run_time_s,
    shipped,
    write_commands,
)
from tests.unit.lab.sites import changed, fill_distribution, quiet_lab, start_both
from tests.work import calls_made


def test_writing_takes_the_generators_time() -> None:
    """A million commands take a million over the generator's rate, and then wait in the log."""
    lab = quiet_lab()
    written = lab.write_transactions(0, 400_000, (2.5, 2.5), seed=1)
    assert written == pytest.approx(1_000_000, rel=0.005)
    assert lab.now_s == pytest.approx(written / 40_000.0)
    assert (lab.log_pending_transactions(0), lab.log_pending_commands(0)) == (400_000, written)
    assert lab.log_used_share(0) == pytest.approx(written * 1_500 / 40e9)


@pytest.mark.parametrize(
    ("size", "values"), [((1.0, 1.0), {1}), ((2.5, 2.5), {2, 3}), ((5.0, 10.0), set(range(5, 11)))]
)
def test_transaction_sizes_have_the_planned_range_and_mean(size: tuple[float, float], values: set[int]) -> None:
    """Sizes are whole commands between low and high with the mean in the middle."""
    sizes = draw_sizes(20_000, size, seed=3)
    assert set(sizes.tolist()) == values
    assert float(np.mean(sizes)) == pytest.approx(sum(size) / 2, rel=0.01)


@pytest.mark.parametrize("size", [(0.5, 2.0), (3.0, 2.0), (float("nan"), 2.0)])
def test_impossible_transaction_sizes_are_refused(size: tuple[float, float]) -> None:
    """A transaction holds at least one command, and low is not above high."""
    with pytest.raises(ValueError, match="commands per transaction"):
        quiet_lab().write_transactions(0, 1, size, seed=1)


def test_commands_become_visible_only_when_a_read_batch_commits() -> None:
    """While the first batch is read and written, nothing of it is in the distribution database."""
    lab = quiet_lab()
    lab.write_transactions(0, 10_000, (2.0, 2.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=5_000))
    lab.advance(2 * 10_000 * 166.9e-6)
    assert lab.distribution_pending_commands(0) == 0
    lab.advance(0.05)
    assert lab.distribution_pending_commands(0) == 10_000
    assert lab.log_pending_transactions(0) == 5_000


def test_a_read_batch_threshold_ends_batches_early() -> None:
    """ReadBatchThreshold ends a batch at so many commands; 0 does not."""
    lab = quiet_lab()
    lab.write_transactions(0, 2_000, (3.0, 3.0), seed=1)
    drain_log(lab, LogReaderSettings(read_batch_size=1_000, read_batch_threshold=100))
    assert {commands for _t, commands, _n, _l in lab.log_reader(0).deliveries} == {102, 6_000 % 102}


def test_a_read_batch_is_cut_short_where_the_log_ends_and_the_agent_then_polls() -> None:
    """What is there is delivered at once; what comes later waits for the next poll."""
    lab = quiet_lab()
    lab.write_transactions(0, 10, (1.0, 1.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings(polling_interval_s=30.0))
    lab.advance(1.0)
    assert lab.log_reader(0).delivered_transactions == 10
    assert lab.log_reader(0).idle_since_s is not None
    lab.write_transactions(0, 10, (1.0, 1.0), seed=1)
    lab.advance(20.0)
    assert lab.log_reader(0).delivered_transactions == 10
    lab.advance(10.0)
    state = lab.log_reader(0)
    assert state.delivered_transactions == 20
    assert state.idle_s == pytest.approx(30.0, abs=1.5)


def test_a_log_reader_stops_after_the_batch_it_is_writing() -> None:
    """A stop is only a signal: a large batch is committed first, the next one is not begun."""
    lab = quiet_lab()
    lab.write_transactions(0, 30_000, (1.0, 1.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=10_000))
    lab.advance(2.0)
    lab.stop_log_reader(0)
    lab.advance(0.1)
    assert lab.log_reader(0).running
    with pytest.raises(ValueError, match="running"):
        lab.start_log_reader(0, LogReaderSettings())
    lab.advance(5.0)
    state = lab.log_reader(0)
    assert not state.running
    assert state.delivered_transactions == 10_000
    assert lab.log_pending_transactions(0) == 20_000


def test_a_distribution_agent_stops_after_the_batch_it_is_applying() -> None:
    """The batch under way is committed, nothing after it."""
    lab = quiet_lab()
    fill_distribution(lab, 10_000, (2.0, 2.0))
    lab.start_distribution_agent(0, DistributionSettings(commit_batch_size=400))
    lab.advance(1.0)
    before = lab.distribution_agent(0).delivered_transactions
    lab.stop_distribution_agent(0)
    assert lab.distribution_agent(0).running
    lab.advance(10.0)
    state = lab.distribution_agent(0)
    assert not state.running
    assert state.delivered_transactions == before + 400
    lab.advance(10.0)
    assert lab.distribution_agent(0) == state


def test_stopping_an_agent_that_stands_does_nothing() -> None:
    """A second stop is harmless, and the agent starts again."""
    lab = quiet_lab()
    lab.stop_log_reader(0)
    lab.stop_distribution_agent(0)
    assert lab.log_reader(0).session_start_s is None
    start_both(lab)
    lab.write_transactions(0, 10, (1.0, 1.0), seed=1)
    lab.advance(20.0)
    assert lab.distribution_agent(0).delivered_commands == 10


def test_after_a_restart_agents_go_on_where_they_had_committed() -> None:
    """What was read ahead when an agent stopped is read again, in batches of the planned size."""
    lab = quiet_lab()
    lab.write_transactions(0, 40_000, (1.0, 1.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=1_000))
    lab.advance(1.0)
    lab.stop_log_reader(0)
    lab.advance(5.0)
    drain_log(lab, LogReaderSettings(read_batch_size=1_000))
    assert {row[2] for row in lab.log_reader(0).deliveries} == {1_000}
    drain_distribution(lab, DistributionSettings())
    commands = fill_distribution(lab, 1_000)
    lab.start_distribution_agent(0, DistributionSettings())
    lab.advance(0.5)
    lab.stop_distribution_agent(0)
    lab.advance(1.0)
    assert 0 < lab.distribution_pending_commands(0) < commands
    lab.start_distribution_agent(0, DistributionSettings())
    lab.advance(3.0)
    assert lab.distribution_pending_commands(0) == 0


def test_the_distribution_agent_reads_only_a_bounded_part_ahead() -> None:
    """Its reader stops when the buffer is full and waits for the writer."""
    lab = quiet_lab()
    fill_distribution(lab, 100_000, (1.0, 1.0))
    lab.start_distribution_agent(0, DistributionSettings())
    lab.advance(30.0)
    state = lab.distribution_agent(0)
    assert state.reader_fetch_s <= (state.delivered_commands + 15_000) * 20e-6
    assert state.reader_wait_s > 25.0


def test_more_streams_than_processors_share_them() -> None:
    """With fewer processors than streams at the Subscriber the same run takes longer."""
    few = changed(shipped("lan"), "topology", subscriber_cpus=4)
    eight = DistributionSettings(subscription_streams=8)
    slow, usual = (distribution_run_time_s(site, eight, commands=100_000) for site in (few, shipped("lan")))
    assert slow > 1.7 * usual


def test_each_session_counts_from_zero_and_the_total_goes_on() -> None:
    """Delivered commands belong to a session; the total outlives it."""
    lab = quiet_lab()
    first = fill_distribution(lab, 1_000)
    drain_distribution(lab, DistributionSettings())
    second = fill_distribution(lab, 500)
    drain_distribution(lab, DistributionSettings())
    state = lab.distribution_agent(0)
    assert (state.delivered_commands, state.total_delivered_commands) == (second, first + second)


def test_commit_batches_end_at_the_size_or_the_threshold_whichever_comes_first() -> None:
    """Whole transactions until CommitBatchSize of them or CommitBatchThreshold commands; the rest when all is read."""
    lab = quiet_lab()
    fill_distribution(lab, 1_050, (2.0, 2.0))
    drain_distribution(lab, DistributionSettings(commit_batch_size=100))
    assert [row[2] for row in lab.distribution_agent(0).deliveries] == [100] * 10 + [50]
    fill_distribution(lab, 1_050, (3.0, 3.0))
    drain_distribution(lab, DistributionSettings(commit_batch_size=500, commit_batch_threshold=1_000))
    assert [row[1] for row in lab.distribution_agent(0).deliveries] == [1_002] * 3 + [144]


def test_commit_batches_run_across_fetches() -> None:
    """A commit batch larger than one fetch is still one batch."""
    lab = quiet_lab()
    fill_distribution(lab, 60_000, (1.0, 1.0))
    drain_distribution(lab, DistributionSettings(commit_batch_size=25_000, commit_batch_threshold=1_000_000))
    assert [row[1] for row in lab.distribution_agent(0).deliveries] == [25_000, 25_000, 10_000]


def test_a_tracer_token_queues_behind_the_backlog() -> None:
    """A token reaches Distributor and Subscriber after everything written before it."""
    lab = quiet_lab()
    fill_distribution(lab, 40_000)
    lab.write_transactions(0, 40_000, (2.5, 2.5), seed=2)
    posted_s = lab.now_s
    token = lab.post_tracer(0)
    assert lab.tracer(token) == (posted_s, None, None)
    start_both(lab)
    lab.advance(40.0)
    published_s, distributed_s, subscribed_s = lab.tracer(token)
    assert distributed_s is not None
    assert (published_s, subscribed_s) == (posted_s, None)
    assert distributed_s - posted_s > 100_000 * 166.9e-6
    lab.advance(200.0)
    arrived_s = lab.tracer(token)[2]
    assert arrived_s is not None
    assert arrived_s - posted_s > 200_000 * 471.4e-6
    with pytest.raises(IndexError):
        lab.tracer(token + 1)


def test_a_token_on_idle_agents_is_there_within_two_polls() -> None:
    """Without a backlog only polling delays a token."""
    lab = quiet_lab()
    start_both(lab)
    lab.advance(60.0)
    token = lab.post_tracer(0)
    lab.advance(11.0)
    published_s, _distributed_s, subscribed_s = lab.tracer(token)
    assert subscribed_s is not None
    assert 0.0 < subscribed_s - published_s < 11.0


def test_a_failing_stream_costs_one_retry_on_a_single_stream() -> None:
    """The batch is applied again on one stream, later ones on all; the fall-back is counted and delivery complete."""
    lab, undisturbed = quiet_lab(), quiet_lab()
    for each in (lab, undisturbed):
        fill_distribution(each, 4_000)
        each.start_distribution_agent(0, DistributionSettings(subscription_streams=8))
        each.advance(1.0)
    lab.fail_stream(0)
    seen = set()
    for _tick in range(1_000):
        lab.advance(0.01)
        seen.add(lab.distribution_agent(0).streams_in_use)
    undisturbed.advance(10.0)
    assert seen == {1, 8}
    assert lab.distribution_agent(0).fallbacks == 1
    assert lab.distribution_pending_commands(0) == 0
    lost_s = (lab.distribution_agent(0).last_delivery_s or 0) - (undisturbed.distribution_agent(0).last_delivery_s or 0)
    single_s = 250 * 471.4e-6 * (1 + 0.3612 * 0.25 / 2) + 0.01221
    assert lost_s == pytest.approx(single_s, rel=0.05)


def test_failures_asked_for_while_idle_hit_the_next_batch_and_one_stream_never_falls_back() -> None:
    """A fault waits for work; an agent on one stream has nothing to fall back to."""
    for streams, expected in ((8, 1), (1, 0)):
        lab = quiet_lab()
        start_both(lab, streams=streams)
        lab.advance(30.0)
        lab.fail_stream(0)
        lab.write_transactions(0, 1_000, (2.5, 2.5), seed=1)
        lab.advance(30.0)
        assert lab.distribution_agent(0).fallbacks == expected
        assert lab.distribution_pending_commands(0) == 0


def test_collisions_of_streams_explain_the_published_curve_as_well_as_interference_does() -> None:
    """With a failure probability per pair of streams instead of interference, 16 streams are worse than 8, too."""
    collisions = changed(shipped("lan"), "distribution_agent", interference_share_per_stream_pair=0.0)
    site = changed(collisions, "distribution_agent", stream_pair_failure_probability=0.0079)
    times = {s: distribution_run_time_s(site, DistributionSettings(subscription_streams=s)) for s in (4, 8, 16)}
    assert times[8] < times[4]
    assert times[8] < times[16]


def test_writers_with_row_locks_work_side_by_side_and_larger_ones_one_after_the_other() -> None:
    """Below lock escalation nobody waits for locks; above it the second writer waits for the first."""
    waits, first_commits_s = [], []
    for escalation in (1e6, 1e4):
        lab = ReplicationLab(
            changed(shipped("lan"), "distribution_db", lock_escalation_commands=escalation), noise=False
        )
        for pair in (0, 1):
            lab.write_transactions(pair, 100_000, (1.0, 1.0), seed=1)
            lab.start_log_reader(pair, LogReaderSettings(read_batch_size=50_000))
        lab.advance(25.0)
        waits.append(lab.lock_wait_s)
        lab.advance(200.0)
        first_commits_s.append([lab.log_reader(pair).deliveries[0][0] for pair in (0, 1)])
        assert [lab.log_pending_commands(pair) for pair in (0, 1)] == [0, 0]
    assert waits[0] == 0.0
    assert waits[1] > 1.0
    side_by_side_s, one_by_one_s = (second_s - first_s for first_s, second_s in first_commits_s)
    assert one_by_one_s > side_by_side_s + 3.0


def test_writers_side_by_side_slow_each_other_a_little() -> None:
    """Latches make a write dearer by a small share for each other writer at work."""
    alone, together = quiet_lab(), quiet_lab()
    for lab, pairs in ((alone, (0,)), (together, (0, 1, 2))):
        for pair in pairs:
            lab.write_transactions(pair, 100_000, (1.0, 1.0), seed=1)
        for pair in pairs:
            lab.start_log_reader(pair, LogReaderSettings(read_batch_size=5_000))
        lab.advance(100.0)
    slower = together.log_reader(0).writer_write_s / alone.log_reader(0).writer_write_s
    assert 1.03 < slower < 1.15
    assert together.lock_wait_s == 0.0


def test_a_full_disk_holds_up_the_log_reader_until_there_is_space() -> None:
    """Nothing commits without space in the distribution database, and nothing is lost."""
    lab = quiet_lab()
    lab.set_free_disk_gb(0.0)
    lab.write_transactions(0, 5_000, (1.0, 1.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings())
    lab.advance(60.0)
    assert lab.distribution_pending_commands(0) == 0
    lab.set_free_disk_gb(10.0)
    lab.advance(60.0)
    assert lab.distribution_pending_commands(0) == 5_000
    assert lab.free_disk_gb == pytest.approx(10.0 - 5_000 * 1_300 / 1e9)


def test_larger_packets_save_a_little_on_a_slow_line() -> None:
    """PacketSize changes the share of headers: a gain of about 1 % where bandwidth is the limit."""
    times = [
        distribution_run_time_s(
            shipped("wan-128k"),
            DistributionSettings(subscription_streams=16, packet_size_bytes=packet),
            WAN_COMMANDS_PER_TRANSACTION,
            15_000,
        )
        for packet in (4096, 32767)
    ]
    assert 0.97 < times[1] / times[0] < 0.999


def test_on_a_local_network_streams_help_the_slow_site_too() -> None:
    """The same agents on 1 Gbit/s deliver faster with 8 streams than with one."""
    one, eight = (
        distribution_run_time_s(
            shipped("wan-lan-1g"), DistributionSettings(subscription_streams=s), WAN_COMMANDS_PER_TRANSACTION, 150_000
        )
        for s in (1, 8)
    )
    assert eight < 0.7 * one


def test_bytes_on_the_line_grow_with_delivered_commands() -> None:
    """The line carries the fitted bytes for each delivered command."""
    lab = quiet_lab()
    commands = fill_distribution(lab, 1_000)
    drain_distribution(lab, DistributionSettings())
    assert lab.sent_bytes(0) == pytest.approx(434.1 * commands)
    assert (lab.rtt_ms, lab.bandwidth_kbps) == (0.0, 1e6)


def test_reader_and_writer_times_show_which_thread_is_the_bottleneck() -> None:
    """The Log Reader Agent's reader waits for the writer; waits, work and idle time add up to the session."""
    lab = quiet_lab()
    lab.write_transactions(0, 100_000, (1.0, 1.0), seed=1)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=500))
    lab.advance(20.0)
    state = lab.log_reader(0)
    assert state.reader_wait_s > 5.0 > state.writer_wait_s
    assert state.reader_fetch_s + state.reader_wait_s + state.idle_s == pytest.approx(20.0)
    assert state.writer_write_s + state.writer_wait_s + state.idle_s == pytest.approx(20.0)


def test_latency_is_the_age_of_what_was_delivered_on_the_agents_own_leg() -> None:
    """With a large ReadBatchSize commands wait longer before the Distribution Agent sees them."""
    latencies = []
    for size in (500, 5_000):
        lab = quiet_lab()
        start_both(lab, read_batch_size=size)
        lab.write_transactions(0, 100_000, (2.5, 2.5), seed=1)
        lab.advance(20.0)
        ages = [row[3] for row in lab.log_reader(0).deliveries]
        assert all(age > 0.0 for age in ages)
        latencies.append(ages[0])
        assert lab.distribution_agent(0).latency_s > 0.0
    assert latencies[1] > latencies[0]


def test_runs_differ_by_the_scenarios_noise_and_not_at_all_without_it() -> None:
    """Each agent start draws a factor of 3 %; with noise off equal runs take equal time."""

    def times(noise: bool) -> list[float]:
        lab = ReplicationLab(shipped("lan"), seed=11, noise=noise)
        found = []
        for _run in range(40):
            lab.write_transactions(0, 10_000, (1.0, 1.0), seed=1)
            found.append(drain_log(lab, LogReaderSettings(read_batch_size=1_000)))
        return found

    noisy, quiet = times(True), times(False)
    assert statistics.stdev(noisy) / statistics.mean(noisy) == pytest.approx(0.03, abs=0.012)
    assert max(quiet) == pytest.approx(min(quiet))


def test_the_machine_drifts_up_and_back() -> None:
    """On the drifting site everything is 6 % slower after the drift time, and back to normal after twice that."""
    site = changed(shipped("no-effect"), "noise", run_cv=0.0)
    lab = ReplicationLab(site)
    times = []
    for start_s in (0.0, 7_200.0, 10_800.0, 14_400.0):
        lab.advance(start_s - lab.now_s)
        lab.write_transactions(0, 10_000, (1.0, 1.0), seed=1)
        times.append(drain_log(lab, LogReaderSettings()))
    assert times[1] / times[0] == pytest.approx(1.06, abs=0.002)
    assert times[2] / times[0] == pytest.approx(1.03, abs=0.002)
    assert times[3] / times[0] == pytest.approx(1.0, abs=0.002)


def test_on_the_site_without_effect_the_commit_batch_changes_nothing() -> None:
    """CommitBatchSize makes no difference at all there, so any claim about it is false."""
    times = [
        distribution_run_time_s(shipped("no-effect"), DistributionSettings(commit_batch_size=size), commands=200_000)
        for size in (100, 150, 200, 250, 500, 1000)
    ]
    assert max(times) / min(times) < 1.0001


def test_time_does_not_run_backwards() -> None:
    """A negative step is refused."""
    with pytest.raises(ValueError, match="backwards"):
        quiet_lab().advance(-1.0)


def test_the_result_of_a_trial_does_not_depend_on_how_often_it_is_watched() -> None:
    """A drained trial takes the same time in steps of 0.3 s and of 60 s, on a LAN and over a slow line."""
    for name, size, streams in (("lan", (2.5, 2.5), 8), ("wan-512k", WAN_COMMANDS_PER_TRANSACTION, 16)):
        times = []
        for tick_s in (0.3, 60.0):
            lab = quiet_lab(name)
            write_commands(lab, 10_000, size)
            drain_log(lab, LogReaderSettings(), tick_s)
            times.append(drain_distribution(lab, DistributionSettings(subscription_streams=streams), tick_s))
        assert times[0] == pytest.approx(times[1])


def test_a_trial_costs_little_work() -> None:
    """A million commands, and a slow line with 16 streams, are simulated in far fewer calls than there are commands."""
    slow = DistributionSettings(subscription_streams=16)
    assert calls_made(lambda: log_reader_run_time_s(shipped("lan"), LogReaderSettings())) < 150_000
    assert calls_made(lambda: distribution_run_time_s(shipped("lan"), DistributionSettings())) < 150_000
    wan = shipped("wan-512k")
    assert calls_made(lambda: distribution_run_time_s(wan, slow, WAN_COMMANDS_PER_TRANSACTION, 15_000)) < 50_000


def test_memory_does_not_grow_with_the_number_of_trials() -> None:
    """Delivered transactions are forgotten, and positions go on counting."""
    lab = quiet_lab()
    total = 0
    for _trial in range(5):
        total += fill_distribution(lab, 50_000, (1.0, 1.0))
        drain_distribution(lab, DistributionSettings(subscription_streams=8))
    assert lab.distribution_agent(0).total_delivered_commands == total == 250_000
    assert lab.kept_transactions(0) < 60_000


@pytest.mark.parametrize("before", [1, 8])
def test_what_a_session_leaves_behind_slows_the_next_one_only(before: int) -> None:
    """8 streams are three doublings of one: the session after them takes 30 % longer, the one after that does not."""
    lab = ReplicationLab(changed(shipped("lan"), "noise", left_behind_share=0.1), noise=False)
    times_s = []
    for streams in (before, 2, 1, 2):
        fill_distribution(lab, 4_000)
        times_s.append(drain_distribution(lab, DistributionSettings(subscription_streams=streams), tick_s=0.05))
    behind, alone = times_s[1], times_s[3]
    assert behind / alone == pytest.approx(1.3 if before == 8 else 1.0, rel=0.03)
