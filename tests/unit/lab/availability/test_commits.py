"""What a commit costs, one mechanism at a time."""

import itertools

import numpy as np
import pytest

from app.systems.availability_groups.lab.commit_path import serve_in_order
from app.systems.availability_groups.lab.compression import compresses_log, redoes_in_parallel
from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import AvailabilityMode, LoadStatus
from tests.calibration.availability import shipped
from tests.unit.lab.availability.sites import PRIMARY, SECONDARY, insert_s, penalty, quiet_lab
from tests.work import calls_made

SYNCHRONOUS = AvailabilityMode.SYNCHRONOUS_COMMIT
ASYNCHRONOUS = AvailabilityMode.ASYNCHRONOUS_COMMIT


def test_a_stage_serves_in_order_of_arrival() -> None:
    """Departures follow job by job: wait for the one before, then be served."""
    ready, service = np.array([0.0, 1.0, 1.5, 9.0]), np.array([2.0, 1.0, 1.0, 1.0])
    assert serve_in_order(ready, service).tolist() == [2.0, 3.0, 4.0, 10.0]
    assert serve_in_order(ready, service, free_s=5.0).tolist() == [7.0, 8.0, 9.0, 10.0]


def test_compression_takes_the_penalty_off_large_inserts() -> None:
    """One insert of a million rows: raw shipping costs three quarters more, compressed shipping almost nothing."""
    raw = penalty(quiet_lab("ag-2016"), 1, 1_000_000)
    compressed = penalty(quiet_lab("ag-2014"), 1, 1_000_000)
    assert raw > 0.6
    assert compressed < 0.02


def test_trace_flag_9592_makes_2016_behave_like_2014() -> None:
    """With it a synchronous loop of large inserts takes the same on both versions, once connections follow it."""
    lab = quiet_lab("ag-2016")
    lab.set_trace_flag(PRIMARY, 9592, True)
    before = insert_s(lab, "LoadSync", 1, 10_000)
    lab.advance(5.0)
    after = insert_s(lab, "LoadSync", 1, 10_000)
    assert after == pytest.approx(insert_s(quiet_lab("ag-2014"), "LoadSync", 1, 10_000))
    assert before > 1.5 * after


def test_the_round_trip_dominates_singletons() -> None:
    """A single row waits one round trip more; four times the bandwidth changes nothing, half the round trip half."""
    penalty_s = [
        insert_s(lab, "LoadSync", 1000, 1) - insert_s(lab, "LoadAsync", 1000, 1)
        for lab in (
            quiet_lab(),
            quiet_lab(line__bandwidth_mbps=4000.0),
            quiet_lab(line__rtt_ms=quiet_lab().rtt_ms / 2),
        )
    ]
    assert penalty_s[0] == pytest.approx(quiet_lab().rtt_ms, rel=0.05)
    assert penalty_s[1] == pytest.approx(penalty_s[0], rel=0.03)
    assert penalty_s[2] == pytest.approx(penalty_s[0] / 2, rel=0.05)


def test_bandwidth_dominates_large_raw_inserts() -> None:
    """A large insert takes what its log takes on the line; ten times the bandwidth removes the penalty."""
    slow, fast = quiet_lab(), quiet_lab(line__bandwidth_mbps=10_000.0)
    log_s = 1e6 * slow.scenario.insert.log_bytes_per_row * 8e-9
    assert insert_s(slow, "LoadSync", 1, 1_000_000) == pytest.approx(log_s, rel=0.01)
    assert penalty(fast, 1, 1_000_000) < 0.02


def test_a_log_larger_than_the_first_burst_waits_for_another_round_trip() -> None:
    """Ten raw rows no longer fit the first burst of an idle connection; eight do."""
    lab = quiet_lab()
    waits = [lab.run_inserts("LoadSync", 100, rows).sync_commit_wait_s / 100 * 1e3 for rows in (8, 10)]
    assert waits[1] - waits[0] == pytest.approx(lab.rtt_ms, rel=0.1)


def test_a_small_window_throttles() -> None:
    """With a window of two messages every pair of blocks costs a round trip."""
    lab = quiet_lab(transport__window_messages=2)
    assert insert_s(lab, "LoadSync", 1, 100_000) > 1.5 * insert_s(quiet_lab(), "LoadSync", 1, 100_000)


@pytest.mark.parametrize(
    ("version", "is_synchronous", "flags", "expected"),
    [
        ("11.0.7001.0", True, frozenset(), True),
        ("12.0.5000.0", True, frozenset(), True),
        ("12.0.5000.0", True, frozenset({9591}), False),
        ("12.0.5000.0", False, frozenset({1462}), True),
        ("13.0.4001.0", True, frozenset(), False),
        ("13.0.4001.0", True, frozenset({9592}), True),
        ("16.0.1000.6", True, frozenset({9592, 9591}), False),
        ("13.0.4001.0", False, frozenset(), True),
        ("13.0.4001.0", False, frozenset({9592}), True),
        ("13.0.4001.0", False, frozenset({1462}), False),
    ],
)
def test_versions_and_trace_flags_decide_on_compression(
    version: str, is_synchronous: bool, flags: frozenset[int], expected: bool
) -> None:
    """2012 and 2014 compress for both modes, later versions only for asynchronous replicas; flags change that."""
    assert compresses_log(version, is_synchronous, flags) is expected


def test_redo_is_parallel_from_2016_unless_told_otherwise() -> None:
    """2014 redoes serially, 2016 in parallel, and serially again with trace flag 3459."""
    assert not redoes_in_parallel("12.0.5000.0", frozenset())
    assert redoes_in_parallel("13.0.4001.0", frozenset())
    assert not redoes_in_parallel("13.0.4001.0", frozenset({3459}))


def test_counters_tell_the_same_story_as_the_elapsed_time() -> None:
    """Commit delay, HADR_SYNC_COMMIT, commits and log agree with what the loop took more than without a secondary."""
    lab = quiet_lab()
    alone_s = insert_s(lab, "LoadAlone", 5_000, 10)
    load = lab.run_inserts("LoadSync", 5_000, 10)
    database, waits = lab.database("LoadSync"), {w.wait_type: w for w in lab.server(PRIMARY).waits}
    assert database.mirrored_write_transactions == database.write_transactions == 5_000
    assert waits["HADR_SYNC_COMMIT"].waiting_tasks == 5_000
    assert waits["WRITELOG"].waiting_tasks == 10_000
    assert waits["HADR_SYNC_COMMIT"].wait_time_ms == pytest.approx(database.transaction_delay_ms)
    assert load.sync_commit_wait_s == pytest.approx(database.transaction_delay_ms / 1e3)
    local_wait_ms = waits["WRITELOG"].wait_time_ms / 2
    assert database.transaction_delay_ms - local_wait_ms == pytest.approx((load.elapsed_s - alone_s) * 1e3)
    expected_bytes = 5_000 * (10 * lab.scenario.insert.log_bytes_per_row + lab.scenario.insert.log_bytes_per_commit)
    assert database.log_bytes_flushed == pytest.approx(expected_bytes)
    copy = lab.database_replica("LoadSync", SECONDARY)
    assert copy.bytes_sent_to_replica == pytest.approx(expected_bytes)
    assert copy.log_bytes_compressed == 0.0
    lab.advance(10.0)
    copy = lab.database_replica("LoadSync", SECONDARY)
    assert copy.log_bytes_redone == pytest.approx(expected_bytes)
    assert copy.last_commit_s == database.last_commit_s


def test_an_asynchronous_replica_falls_behind_only_when_its_log_goes_raw() -> None:
    """Compressed log keeps up with a large insert; with trace flag 1462 a send queue builds up, and drains later."""
    queues = []
    for flag in (False, True):
        lab = quiet_lab()
        lab.set_trace_flag(PRIMARY, 1462, flag)
        lab.advance(5.0)
        load_id = lab.start_inserts("LoadAsync", 1, 1_000_000)
        lab.advance(6.0)
        assert lab.load(load_id).status is LoadStatus.RUNNING
        copy = lab.database_replica("LoadAsync", SECONDARY)
        assert copy.is_compressing is not flag
        queues.append(copy.view.send_queue_kb or 0.0)
    assert queues[0] < 1_000.0
    assert queues[1] > 300_000.0
    assert lab.database_replica("LoadAsync", SECONDARY).flow_controls > 0
    lab.advance(30.0)
    assert lab.database_replica("LoadAsync", SECONDARY).view.send_queue_kb == 0.0


def test_serial_redo_lags_behind_large_inserts_and_parallel_redo_does_not() -> None:
    """2014 leaves a redo queue after a large insert, and its last commit is older; 2016 leaves none."""
    queues = {}
    for name in ("ag-2014", "ag-2016"):
        lab = quiet_lab(name)
        lab.run_inserts("LoadSync", 10, 100_000)
        copy = lab.database_replica("LoadSync", SECONDARY)
        queues[name] = copy.view.redo_queue_kb or 0.0
        assert copy.redo_workers == (1 if name == "ag-2014" else 4)
    assert queues["ag-2014"] > 100_000.0
    assert queues["ag-2016"] < 1_000.0


def test_the_primary_must_be_synchronous_too() -> None:
    """With an asynchronous primary replica a synchronous secondary holds no commit."""
    lab = quiet_lab()
    lab.set_availability_mode("AG_ASYNC", SECONDARY, SYNCHRONOUS)
    lab.advance(60.0)
    assert not lab.database_replica("LoadAsync", SECONDARY).is_failover_ready
    lab.set_availability_mode("AG_ASYNC", PRIMARY, SYNCHRONOUS)
    lab.advance(60.0)
    assert lab.database_replica("LoadAsync", SECONDARY).is_failover_ready


def test_a_million_singletons_are_simulated_at_once() -> None:
    """A million inserts with noise cost a call for each ten, live readings every minute included."""
    lab = AvailabilityLab(shipped("ag-2016"), seed=3)

    def run() -> None:
        load_id = lab.start_inserts("LoadSync", 1_000_000, 1)
        while lab.load(load_id).status is LoadStatus.RUNNING:
            lab.advance(60.0)
        assert lab.load(load_id).done == 1_000_000

    assert calls_made(run) < 100_000


def test_time_and_counters_never_run_backwards_and_steps_do_not_matter() -> None:
    """Read in small steps every counter rises; the end is the same as in one step."""
    fine, coarse = quiet_lab(), quiet_lab()
    for lab in (fine, coarse):
        lab.start_inserts("LoadSync", 3, 300_000)
        lab.start_inserts("LoadAsync", 20_000, 3)
    seen = []
    for _step in range(400):
        fine.advance(0.11)
        database, server = fine.database("LoadSync"), fine.server(PRIMARY)
        seen.append((fine.now_s, database.log_end_bytes, server.cpu_busy_core_s, server.network_bytes_sent))
    assert all(a <= b for before, after in itertools.pairwise(seen) for a, b in zip(before, after, strict=True))
    coarse.advance(fine.now_s)
    for name in ("LoadSync", "LoadAsync"):
        assert coarse.database(name).transaction_delay_ms == pytest.approx(fine.database(name).transaction_delay_ms)
        assert coarse.database(name).last_commit_s == pytest.approx(fine.database(name).last_commit_s)
    assert coarse.server(PRIMARY).cpu_busy_core_s == pytest.approx(fine.server(PRIMARY).cpu_busy_core_s)


def test_the_same_seed_gives_the_same_run_and_another_one_another() -> None:
    """Noise is seeded: two labs of one seed agree to the last digit."""

    def elapsed(seed: int) -> float:
        return AvailabilityLab(shipped("ag-2014"), seed).run_inserts("LoadSync", 1_000, 100).elapsed_s

    assert elapsed(5) == elapsed(5)
    assert elapsed(5) != elapsed(6)


def test_drift_is_shared_by_arms_that_follow_one_another() -> None:
    """Within a session two loops in a row differ by the loop noise only, a tenth of the session's."""
    ratios = []
    for seed in range(40):
        lab = AvailabilityLab(shipped("ag-2014"), seed)
        ratios.append(insert_s(lab, "LoadAsync", 1_000, 100) / insert_s(lab, "LoadAlone", 1_000, 100))
    assert np.std(ratios) == pytest.approx(0.01 * 2**0.5, rel=0.4)
