"""How the pipeline behaves, one mechanism at a time."""

import math

import pytest

from app.systems.oracle_streams.lab.apply_reader import staged_messages
from app.systems.oracle_streams.lab.pipeline import StreamsLab, Workload
from app.systems.oracle_streams.lab.states import ReaderState, WorkloadState
from tests.calibration.streams_trials import quiet_streams, run_to_the_end, shipped_streams

LARGE = Workload("update", 60_000, 60_000)
SMALL = Workload("insert", 60_000, 500)


def finished(lab: StreamsLab, workload: Workload) -> WorkloadState:
    """Run a workload to its end and return its state."""
    return lab.workload(run_to_the_end(lab, workload))


def elapsed_s(lab: StreamsLab, workload: Workload) -> float:
    """Return how long a workload takes."""
    seconds = finished(lab, workload).elapsed_s
    assert seconds is not None
    return seconds


def reader_of(lab: StreamsLab) -> ReaderState:
    """Return the running apply reader."""
    reader = lab.apply().reader
    assert reader is not None
    return reader


def with_apply(**parameters: str) -> StreamsLab:
    """Return a quiet pipeline with some apply parameters set before it starts again."""
    lab = quiet_streams()
    for name, value in parameters.items():
        lab.set_apply_parameter(name, value)
    lab.stop_apply()
    lab.advance(30.0)
    lab.start_apply()
    lab.advance(30.0)
    return lab


@pytest.mark.parametrize(
    ("messages", "threshold", "staged"),
    [(10_200, 10_000, 10_100), (100_000, 10_000, 99_900), (300_000, 10_000, 299_900), (10_000, 10_000, 0)],
)
def test_the_spill_formula_gives_the_manuals_example(messages: int, threshold: int, staged: int) -> None:
    """10,200 messages over a threshold of 10,000 stage 10,100; none are staged up to the threshold."""
    assert staged_messages(messages, threshold, 100) == staged


@pytest.mark.parametrize("threshold", [50, 777, 10_000, 59_999])
def test_a_threshold_below_the_transaction_stages_nearly_all_of_it(threshold: int) -> None:
    """The reader stages what the formula says, and the staging table is empty after the commit."""
    lab = with_apply(TXN_LCR_SPILL_THRESHOLD=str(threshold))
    run_to_the_end(lab, LARGE)
    assert reader_of(lab).total_messages_spilled == staged_messages(60_000, threshold, 100)
    assert lab.apply().spilled_transactions == ()


def test_a_staged_transaction_is_listed_while_it_is_in_the_staging_table() -> None:
    """DBA_APPLY_SPILL_TXN shows one row with its messages, and the reader is SPILLING."""
    lab = with_apply(TXN_LCR_SPILL_THRESHOLD="10000")
    lab.write(LARGE)
    seen = set()
    while not lab.apply().spilled_transactions:
        lab.advance(1.0)
        seen.add(reader_of(lab).state)
    lab.advance(30.0)
    (row,) = lab.apply().spilled_transactions
    assert row.message_count == reader_of(lab).total_messages_spilled > 10_000
    assert "SPILLING" in seen


def test_small_transactions_are_never_staged() -> None:
    """Transactions of 500 messages stay below a threshold of 10,000, whatever their number."""
    lab = with_apply(TXN_LCR_SPILL_THRESHOLD="10000")
    run_to_the_end(lab, SMALL)
    assert reader_of(lab).total_messages_spilled == 0


def test_above_the_threshold_messages_age_out_of_the_queues_and_write_redo_at_both_ends() -> None:
    """A transaction kept in memory for longer than five minutes is spilled on both sides, first the oldest."""
    lab = with_apply(TXN_LCR_SPILL_THRESHOLD="INFINITE")
    redo_before = [lab.database("source").redo_bytes, lab.database("destination").redo_bytes]
    run_to_the_end(lab, Workload("update", 300_000, 300_000))
    spilled = [lab.queue("source").cspill_msgs, lab.queue("destination").cspill_msgs]
    assert 0 < spilled[1] < spilled[0] < 300_000
    redo = lab.scenario.redo
    row_bytes = (lab.scenario.workload.update_redo_bytes_per_row, redo.update_apply_bytes_per_lcr)
    for side, before, count, each in zip(("source", "destination"), redo_before, spilled, row_bytes, strict=True):
        written = lab.database(side).redo_bytes - before  # type: ignore[arg-type]  # the two sides
        assert written == pytest.approx(300_000 * each + count * redo.queue_spill_bytes_per_lcr)


def test_a_message_spills_exactly_when_it_has_been_in_the_queue_for_five_minutes() -> None:
    """With the apply process stopped, the queues spill 300 seconds after the messages came in."""
    lab = quiet_streams()
    lab.stop_apply()
    lab.advance(20.0)
    lab.write(Workload("insert", 1_000, 500))
    while lab.queue("destination").cnum_msgs < 1_000:
        lab.advance(0.1)
    arrived_s = lab.now_s
    first_s = lab.queue("destination").oldest_enqueue_s
    assert first_s is not None
    lab.advance(first_s + 299.999 - lab.now_s)
    assert lab.queue("destination").cspill_msgs == 0
    lab.advance(0.002)
    assert lab.queue("destination").cspill_msgs == 100
    lab.advance(arrived_s + 300.1 - lab.now_s)
    assert (lab.queue("destination").cspill_msgs, lab.queue("destination").spill_msgs) == (1_000, 1_000)


def test_an_old_open_transaction_is_staged_by_age() -> None:
    """With TXN_AGE_SPILL_THRESHOLD a slow transaction goes to the staging table although it is small."""
    lab = StreamsLab(shipped_streams("streams-small-pool"), noise=False)
    lab.set_apply_parameter("TXN_AGE_SPILL_THRESHOLD", "200")
    lab.set_propagation_latency(1.0)
    lab.advance(30.0)
    lab.write(Workload("update", 2_000, 2_000, rows_per_s=5.0))
    lab.advance(62.4 + 190.0)
    assert reader_of(lab).total_messages_spilled == 0
    lab.advance(30.0)
    assert reader_of(lab).total_messages_spilled > 500
    (row,) = lab.apply().spilled_transactions
    assert row.message_count == reader_of(lab).total_messages_spilled


def test_parallelism_speeds_up_small_transactions_until_the_reader_is_the_limit() -> None:
    """Two servers gain much, more than three nothing: the reader needs 0.46 ms a message, a server 1.14."""
    times = {
        servers: elapsed_s(with_apply(PARALLELISM=str(servers)), Workload("insert", 200_000, 500))
        for servers in (1, 2, 3, 8)
    }
    assert times[2] < 0.7 * times[1]
    assert times[3] < 0.95 * times[2]
    assert times[8] == pytest.approx(times[3], rel=0.01)


def test_a_single_transaction_is_applied_by_one_server_whatever_the_parallelism() -> None:
    """Eight servers are no faster than two, and seven of them apply nothing."""
    lab = with_apply(PARALLELISM="8")
    assert elapsed_s(lab, LARGE) == pytest.approx(elapsed_s(with_apply(PARALLELISM="2"), LARGE), rel=0.001)
    applied = [server.total_messages_applied for server in lab.apply().servers]
    assert sorted(applied) == [0] * 7 + [60_000]


def test_flow_control_appears_upstream_of_the_slow_stage() -> None:
    """One slow server: the reader waits for the buffer, the propagation and the capture are in flow control."""
    lab = with_apply(PARALLELISM="1", _TXN_BUFFER_SIZE="2")
    lab.write(Workload("insert", 200_000, 500))
    lab.advance(180.0)
    captures, propagations, readers = set[str | None](), set[bool](), set[str]()
    for _second in range(30):
        lab.advance(0.37)
        captures.add(lab.capture().state)
        propagations.add(lab.propagation().is_in_flow_control)
        readers.add(reader_of(lab).state)
    assert "PAUSED FOR FLOW CONTROL" in captures
    assert True in propagations
    assert "SCHEDULE MESSAGES" in readers
    (server,) = lab.apply().servers
    busy = server.elapsed_apply_s / (lab.now_s - (lab.apply().startup_s or 0.0))
    assert busy > 0.5
    assert lab.capture().elapsed_pause_s > lab.capture().elapsed_capture_s


def test_with_a_fast_apply_nothing_is_paused() -> None:
    """Once the first backlog is worked off, a moderate pace leaves no flow control and a latency of seconds."""
    lab = quiet_streams()
    lab.write(Workload("insert", 100_000, 500, rows_per_s=500.0))
    lab.advance(120.0)
    before_s = lab.propagation().elapsed_flow_control_s
    lab.advance(70.0)
    assert lab.capture().elapsed_pause_s == 0.0
    assert lab.propagation().elapsed_flow_control_s == before_s
    coordinator = lab.apply().coordinator
    assert coordinator is not None
    assert coordinator.hwm_s is not None
    assert coordinator.hwm_message_create_s is not None
    assert coordinator.hwm_s - coordinator.hwm_message_create_s < 6.0


def test_a_smaller_pool_brings_flow_control_earlier_and_more_spills() -> None:
    """With less memory the publisher is held back sooner, and more messages go to disk."""

    def first_pause_s(pool_mb: float) -> tuple[float, int]:
        lab = StreamsLab(shipped_streams("streams-small-pool"), noise=False)
        lab.set_pool_size("source", pool_mb)
        lab.set_propagation_latency(1.0)
        lab.advance(30.0)
        lab.write(Workload("insert", 100_000, 500))
        while not lab.capture().elapsed_pause_s:
            lab.advance(0.1)
        paused_s = lab.now_s
        lab.advance(300.0)
        return paused_s, lab.queue("source").cspill_msgs

    small, middle, large = first_pause_s(64.0), first_pause_s(128.0), first_pause_s(1024.0)
    assert small[0] < middle[0] < large[0]
    assert small[1] > middle[1] > large[1] == 0


def test_a_long_propagation_latency_delays_an_idle_pipeline() -> None:
    """Messages wait for the next look of the propagation; latency 0 sends at once."""

    def latency_s(schedule_s: float) -> float:
        lab = quiet_streams()
        lab.set_propagation_latency(schedule_s)
        lab.advance(100.0)
        return elapsed_s(lab, Workload("insert", 500, 500))

    assert latency_s(0.0) < latency_s(5.0) < latency_s(60.0)


@pytest.mark.parametrize(("name", "off"), [("_DYNAMIC_STMTS", "N"), ("_CMPKEY_ONLY", "N")])
def test_a_hidden_parameter_that_shortens_updates_leaves_inserts_alone(name: str, off: str) -> None:
    """Switched off, updates take longer to apply; inserts do not."""
    one_insert = Workload("insert", 20_000, 20_000)
    one_update = Workload("update", 20_000, 20_000)
    assert elapsed_s(with_apply(**{name: off}), one_update) > 1.005 * elapsed_s(quiet_streams(), one_update)
    assert elapsed_s(with_apply(**{name: off}), one_insert) == pytest.approx(elapsed_s(quiet_streams(), one_insert))


def test_a_small_hash_table_makes_transactions_wait_for_each_other() -> None:
    """Collisions of hashes count as dependencies; a large table has hardly any."""

    def waits(entries: str) -> int:
        lab = with_apply(_HASH_TABLE_SIZE=entries)
        run_to_the_end(lab, SMALL)
        coordinator = lab.apply().coordinator
        assert coordinator is not None
        return coordinator.total_wait_deps

    assert waits("50000") > 10
    assert waits("10000000") == 0


def test_commits_in_source_order_cost_tiny_transactions_time() -> None:
    """Under FULL serialization one commit follows the other; servers then stand in WAIT COMMIT."""
    tiny = Workload("insert", 20_000, 1)
    full, none = with_apply(COMMIT_SERIALIZATION="FULL"), with_apply(COMMIT_SERIALIZATION="NONE")
    assert elapsed_s(full, tiny) > 1.1 * elapsed_s(none, tiny)
    coordinators = full.apply().coordinator, none.apply().coordinator
    assert coordinators[0] is not None
    assert coordinators[1] is not None
    assert coordinators[0].total_wait_commits > coordinators[1].total_wait_commits == 0


def test_too_few_itl_slots_slow_parallel_servers_down() -> None:
    """Servers above INITRANS wait for each other."""
    lab = with_apply(PARALLELISM="2")
    lab.set_initrans(1)
    assert elapsed_s(lab, SMALL) > elapsed_s(with_apply(PARALLELISM="2"), SMALL)


def test_a_logminer_without_memory_pages_out_in_a_large_transaction() -> None:
    """A transaction that does not fit into _SGA_SIZE slows the capture; small ones do not care."""
    lab = quiet_streams()
    lab.set_capture_parameter("_SGA_SIZE", "1")
    run_to_the_end(lab, LARGE)
    assert lab.capture().pageout_s == 0.0
    lab.stop_capture()
    lab.advance(10.0)
    lab.start_capture()
    lab.advance(60.0)
    run_to_the_end(lab, SMALL)
    assert lab.capture().pageout_s == 0.0
    run_to_the_end(lab, LARGE)
    assert lab.capture().pageout_s == pytest.approx(60_000 * 40e-6)


def test_the_pool_holds_the_messages_and_is_free_again_afterwards() -> None:
    """Use rises with the messages in the queues, and falls back to what the processes hold."""
    lab = with_apply(TXN_LCR_SPILL_THRESHOLD="INFINITE")
    before_mb = lab.database("destination").pool_used_mb
    run_to_the_end(lab, LARGE)
    state = lab.database("destination")
    assert state.pool_used_mb == pytest.approx(before_mb)
    assert state.pool_peak_mb - before_mb == pytest.approx(60_000 * 6_400 / 2**20, rel=0.02)


def test_the_same_seed_gives_the_same_run_and_another_seed_another() -> None:
    """Noise comes from the seed alone."""

    def run(seed: int) -> float:
        lab = StreamsLab(shipped_streams("streams-2009"), seed=seed)
        lab.advance(30.0)
        return elapsed_s(lab, SMALL)

    assert run(5) == run(5)
    assert not math.isclose(run(5), run(6), rel_tol=1e-4)


def test_workloads_follow_each_other() -> None:
    """A second workload begins when the first is written, and both are applied."""
    lab = quiet_streams()
    first = lab.write(Workload("insert", 5_000, 100, rows_per_s=100.0))
    second = lab.write(Workload("update", 1_000, 300))
    assert lab.workload(second).start_s == lab.workload(first).end_s == pytest.approx(80.0)
    assert lab.workload(second).rows_written == 0
    lab.advance(400.0)
    assert [lab.workload(number).rows_applied for number in (first, second)] == [5_000, 1_000]


@pytest.mark.parametrize(
    "workload", [Workload("insert", 0, 1), Workload("insert", 1, 0), Workload("update", 1, 1, 0.0)]
)
def test_impossible_workloads_are_refused(workload: Workload) -> None:
    """Rows, rows per commit and pace are positive."""
    with pytest.raises(ValueError, match="positive"):
        quiet_streams().write(workload)


def test_time_does_not_run_backwards() -> None:
    """A negative step is refused."""
    with pytest.raises(ValueError, match="backwards"):
        quiet_streams().advance(-1.0)
