"""Starting, stopping, changing and breaking the pipeline's processes, and the counters of the views."""

from dataclasses import fields

import pytest

from app.systems.oracle_streams.lab.pipeline import SIDES, StreamsLab, Workload
from app.systems.oracle_streams.lab.states import ApplyState, CoordinatorState
from tests.calibration.streams_trials import quiet_streams, run_to_the_end, shipped_streams
from tests.unit.lab.streams.legal import assert_legal

LARGE = Workload("update", 50_000, 50_000)
SMALL = Workload("insert", 50_000, 500)


def coordinator_of(lab: StreamsLab) -> CoordinatorState:
    """Return the running coordinator."""
    coordinator = lab.apply().coordinator
    assert coordinator is not None
    return coordinator


def until_applying(lab: StreamsLab) -> None:
    """Let time pass until a server executes."""
    while all(server.state != "EXECUTE TRANSACTION" for server in lab.apply().servers):
        lab.advance(1.0)


def test_a_new_lab_runs_and_its_processes_have_started() -> None:
    """All three are enabled; capture and apply initialize first and are idle then."""
    lab = StreamsLab(shipped_streams("streams-2009"), noise=False)
    assert (lab.capture().state, coordinator_of(lab).state) == ("INITIALIZING", "INITIALIZING")
    lab.advance(4.0)
    assert lab.capture().state == "DICTIONARY INITIALIZATION"
    lab.advance(10.0)
    assert (lab.capture().state, coordinator_of(lab).state) == ("WAITING FOR REDO", "IDLE")
    assert {lab.capture().status, lab.propagation().status, lab.apply().status} == {"ENABLED"}
    with pytest.raises(ValueError, match="running"):
        lab.start_capture()


def test_stopping_an_idle_pipeline_takes_a_moment_and_then_shows_no_rows() -> None:
    """A stop is a signal: the processes shut down, then their rows are gone and the status is DISABLED."""
    lab = quiet_streams()
    lab.stop_apply()
    lab.stop_propagation()
    lab.stop_capture()
    assert (lab.capture().state, coordinator_of(lab).state) == ("SHUTTING DOWN", "SHUTTING DOWN CLEANLY")
    assert lab.apply().status == "ENABLED"
    lab.advance(5.0)
    assert (lab.capture().is_running, lab.propagation().is_running, lab.apply().is_running) == (False, False, False)
    assert {lab.capture().status, lab.propagation().status, lab.apply().status} == {"DISABLED"}
    assert lab.propagation().schedule_status == "SCHEDULE DISABLED"
    lab.stop_apply()
    assert lab.apply().status == "DISABLED"


def test_stopping_apply_rolls_open_work_back_and_the_next_start_repeats_it() -> None:
    """The longer a transaction has been applied, the longer its rollback; afterwards all of it is applied once."""
    lab = quiet_streams()
    number = lab.write(LARGE)
    until_applying(lab)
    lab.advance(30.0)
    applied = sum(server.message_sequence for server in lab.apply().servers)
    assert applied > 20_000
    lab.stop_apply()
    stopped_s = lab.now_s
    assert "ROLLBACK TRANSACTION" in {server.state for server in lab.apply().servers}
    while lab.apply().is_running:
        lab.advance(0.5)
        assert_legal(lab)
    assert lab.now_s - stopped_s == pytest.approx(applied * 300e-6 + 2.0, abs=1.0)
    assert lab.queue("destination").num_msgs == lab.queue("source").num_msgs == 50_000
    assert lab.workload(number).rows_applied == 0
    lab.start_apply()
    lab.advance(400.0)
    assert lab.workload(number).rows_applied == 50_000
    assert lab.queue("destination").num_msgs == lab.queue("source").num_msgs == 0
    assert coordinator_of(lab).total_applied == 1


def test_staged_messages_survive_a_restart_of_apply() -> None:
    """What is in the staging table stays there and is not read again from the queue."""
    lab = quiet_streams()
    lab.set_apply_parameter("TXN_LCR_SPILL_THRESHOLD", "10000")
    lab.write(LARGE)
    while not lab.apply().spilled_transactions:
        lab.advance(1.0)
    lab.advance(30.0)
    staged = lab.apply().spilled_transactions[0].message_count
    lab.stop_apply()
    lab.advance(20.0)
    assert lab.apply().spilled_transactions[0].message_count == pytest.approx(staged, abs=100)
    lab.start_apply()
    lab.advance(500.0)
    assert lab.workload(0).rows_applied == 50_000
    reader = lab.apply().reader
    assert reader is not None
    assert reader.total_messages_dequeued == pytest.approx(50_000 - staged, abs=100)
    assert lab.apply().spilled_transactions == ()


def test_a_stopped_capture_goes_on_where_it_was() -> None:
    """Nothing is lost or read twice; the restart mines again from the last checkpoint, which takes a little."""
    lab = quiet_streams()
    lab.write(SMALL)
    lab.advance(70.0)
    captured = lab.capture().total_messages_captured
    assert 0 < captured < 50_000
    lab.stop_capture()
    lab.advance(5.0)
    assert lab.capture().status == "DISABLED"
    lab.start_capture()
    lab.advance(120.0)
    assert lab.capture().total_messages_captured == pytest.approx(50_000 - captured, abs=100)
    assert lab.workload(0).rows_applied == 50_000


@pytest.mark.parametrize(("first", "then", "restarts"), [("1", "4", True), ("4", "8", False), ("8", "1", True)])
def test_parallelism_restarts_apply_only_to_and_from_one(first: str, then: str, restarts: bool) -> None:
    """Between values above 1 the servers just change; otherwise the process restarts itself and stays enabled."""
    lab = quiet_streams()
    lab.set_apply_parameter("PARALLELISM", first)
    lab.advance(30.0)
    started_s = lab.apply().startup_s
    lab.set_apply_parameter("PARALLELISM", then)
    lab.advance(30.0)
    assert (lab.apply().startup_s != started_s) == restarts
    assert len(lab.apply().servers) == int(then)
    assert lab.apply().status == "ENABLED"


def test_capture_parallelism_restarts_the_capture() -> None:
    """A new value restarts a running capture, the same value does not."""
    lab = quiet_streams()
    started_s = lab.capture().startup_s
    lab.set_capture_parameter("PARALLELISM", "1")
    assert lab.capture().startup_s == started_s
    lab.set_capture_parameter("PARALLELISM", "2")
    assert lab.capture().startup_s == lab.now_s
    lab.advance(10.0)
    assert lab.capture().state == "WAITING FOR REDO"


def test_parameters_know_their_default_and_whether_a_user_set_them() -> None:
    """None puts the default back; unknown names and impossible values are refused and change nothing."""
    lab = quiet_streams()
    assert lab.apply_parameters.is_set_by_user("TXN_LCR_SPILL_THRESHOLD")
    lab.set_apply_parameter("TXN_LCR_SPILL_THRESHOLD", None)
    assert lab.apply_parameters.value("TXN_LCR_SPILL_THRESHOLD") == "10000"
    assert not lab.apply_parameters.is_set_by_user("TXN_LCR_SPILL_THRESHOLD")
    with pytest.raises(KeyError):
        lab.set_apply_parameter("TXN_AGE_SPILL_THRESHOLD", "900")
    for name, value in (("PARALLELISM", "0"), ("DISABLE_ON_ERROR", "yes"), ("TXN_LCR_SPILL_THRESHOLD", "-1")):
        with pytest.raises(ValueError, match=name):
            lab.set_apply_parameter(name, value)
    assert lab.apply_parameters.value("PARALLELISM") == "8"


def test_an_error_with_disable_on_error_aborts_apply() -> None:
    """The transaction is in the error queue, the process ABORTED with ORA-26714; the rest waits in the queue."""
    lab = quiet_streams()
    lab.set_apply_parameter("DISABLE_ON_ERROR", "Y")
    lab.fail_next_transaction(1, "ORA-00001: unique constraint (APP.T_PK) violated")
    lab.write(SMALL)
    lab.advance(200.0)
    apply = lab.apply()
    assert (apply.status, apply.error_number, apply.is_running) == ("ABORTED", 26714, False)
    (error,) = apply.errors
    assert (error.error_number, error.message_count) == (1, 500)
    assert lab.workload(0).rows_failed == 500
    assert lab.queue("destination").num_msgs > 0
    lab.delete_apply_errors()
    lab.start_apply()
    lab.advance(200.0)
    state = lab.workload(0)
    assert (lab.apply().status, lab.apply().error_number, lab.apply().errors) == ("ENABLED", None, ())
    assert (state.rows_applied, state.rows_failed) == (49_500, 500)
    assert state.applied_s is not None


def test_an_error_without_disable_on_error_lets_apply_go_on() -> None:
    """The failed transaction is counted and left in the error queue."""
    lab = quiet_streams()
    lab.fail_next_transaction(1403, "ORA-01403: no data found")
    lab.write(SMALL)
    lab.advance(200.0)
    assert lab.apply().status == "ENABLED"
    assert coordinator_of(lab).total_errors == len(lab.apply().errors) == 1
    assert coordinator_of(lab).total_applied == 99


def test_an_injected_abort_stops_at_once() -> None:
    """The status tells the error; the open work is rolled back."""
    lab = quiet_streams()
    lab.write(LARGE)
    until_applying(lab)
    lab.abort_apply(4031, "ORA-04031: unable to allocate shared memory")
    assert lab.apply().status == "ABORTED"
    assert coordinator_of(lab).state == "ABORTING"
    lab.advance(30.0)
    assert (lab.apply().is_running, lab.apply().error_number) == (False, 4031)


def test_a_process_that_hangs_while_stopping_stays_until_it_is_released() -> None:
    """A stop may never end."""
    lab = quiet_streams()
    for process, stop in (("capture", lab.stop_capture), ("apply", lab.stop_apply)):
        lab.hang_on_stop(process)  # type: ignore[arg-type]  # the names of two processes
        stop()
    lab.advance(600.0)
    assert lab.apply().is_running
    assert lab.capture().state == "SHUTTING DOWN"
    lab.hang_on_stop("capture", False)
    lab.hang_on_stop("apply", False)
    assert not lab.apply().is_running
    assert lab.capture().status == "DISABLED"


def test_a_destination_that_is_down_fails_the_propagation_until_it_gives_up() -> None:
    """Attempts fail with ORA-12541; after sixteen the schedule is disabled, and capture pauses at its window."""
    lab = quiet_streams()
    lab.write(SMALL)
    lab.advance(75.0)
    lab.take_down("destination")
    assert not lab.database("destination").is_up
    assert not lab.apply().is_running
    lab.advance(60.0)
    assert lab.propagation().error_number == 12541
    assert lab.capture().state == "PAUSED FOR FLOW CONTROL"
    lab.advance(600.0)
    assert (lab.propagation().status, lab.propagation().failures) == ("DISABLED", 16)
    lab.bring_up("destination")
    lab.start_propagation()
    lab.advance(200.0)
    assert lab.workload(0).rows_applied == 50_000
    assert lab.propagation().error_number is None


def test_a_source_that_is_down_takes_its_queue_with_it_and_captures_again() -> None:
    """The buffered queue is lost with the instance; its messages are captured again, each applied once."""
    lab = quiet_streams()
    lab.write(SMALL)
    lab.advance(75.0)
    lab.take_down("source")
    assert not lab.capture().is_running
    with pytest.raises(ValueError, match="down"):
        lab.write(SMALL)
    lab.advance(30.0)
    lab.bring_up("source")
    assert lab.queue("source").cnum_msgs == 0
    assert lab.database("source").redo_bytes == 0.0
    lab.advance(200.0)
    assert lab.workload(0).rows_applied == 50_000
    assert lab.capture().status == "ENABLED"


def test_a_broken_link_leaves_apply_running() -> None:
    """What is at the destination is applied; the rest comes when the link is mended."""
    lab = quiet_streams()
    lab.write(SMALL)
    lab.advance(75.0)
    lab.set_link_up(False)
    lab.advance(30.0)
    applied = lab.workload(0).rows_applied
    assert 0 < applied < 50_000
    assert lab.apply().is_running
    lab.set_link_up(True)
    lab.advance(200.0)
    assert lab.workload(0).rows_applied == 50_000


def _totals(lab: StreamsLab) -> dict[str, tuple[float | None, list[float]]]:
    """Return all cumulative numbers, by part, with the moment they count from."""
    capture, propagation, apply = lab.capture(), lab.propagation(), lab.apply()
    parts: dict[str, tuple[float | None, list[object]]] = {
        "capture": (capture.startup_s, [capture]),
        "propagation": (propagation.startup_s, [propagation]),
        "apply": (apply.startup_s, [apply.reader, apply.coordinator, *apply.servers]),
    }
    totals: dict[str, tuple[float | None, list[float]]] = {}
    for name, (since_s, states) in parts.items():
        totals[name] = (since_s, [value for state in states if state is not None for value in _cumulative(state)])
    for side in SIDES:
        queue = lab.queue(side)
        totals[side] = (queue.startup_s, [queue.cnum_msgs, queue.cspill_msgs, lab.database(side).redo_bytes])
    return totals


def _cumulative(state: object) -> list[float]:
    named = [field.name for field in fields(state)]  # type: ignore[arg-type]  # every state is a dataclass
    return [
        getattr(state, name)
        for name in named
        if name.startswith(("total_", "elapsed_")) and name != "total_dequeued_msgs"
    ]


def test_counters_never_fall_between_two_starts_and_begin_at_zero() -> None:
    """Whatever happens, a cumulative number falls only when its start changes; it is then zero."""
    lab = quiet_streams()
    lab.set_apply_parameter("TXN_LCR_SPILL_THRESHOLD", "10000")
    lab.write(SMALL)
    lab.write(LARGE)
    before = _totals(lab)
    for second in range(400):
        lab.advance(1.0)
        if second == 100:
            lab.stop_apply()
        if second == 140:
            lab.start_apply()
            assert set(_totals(lab)["apply"][1]) == {0.0}
        if second == 200:
            lab.set_capture_parameter("PARALLELISM", "2")
            assert set(_totals(lab)["capture"][1]) == {0.0}
        now = _totals(lab)
        for name, (since_s, values) in now.items():
            if since_s == before[name][0] and len(values) == len(before[name][1]):
                assert all(new >= old - 1e-9 for new, old in zip(values, before[name][1], strict=True)), name
        before = now
    assert lab.apply().is_running


def test_the_parts_of_a_processes_time_add_up() -> None:
    """Capture, propagation, reader and each server are always in exactly one of their ways of spending time."""
    lab = quiet_streams()
    run_to_the_end(lab, SMALL)
    run_to_the_end(lab, LARGE)
    capture, propagation, apply = lab.capture(), lab.propagation(), lab.apply()
    since_s = lab.now_s
    work_s = capture.elapsed_capture_s + capture.elapsed_rule_s + capture.elapsed_lcr_s + capture.elapsed_enqueue_s
    assert work_s + capture.elapsed_pause_s + capture.elapsed_redo_wait_s == pytest.approx(since_s - 6.0)
    sent_s = propagation.elapsed_propagation_s + propagation.elapsed_flow_control_s + propagation.elapsed_idle_s
    assert sent_s == pytest.approx(since_s)
    reader = apply.reader
    assert reader is not None
    read_s = reader.elapsed_dequeue_s + reader.elapsed_schedule_s + reader.elapsed_spill_s + reader.elapsed_idle_s
    assert read_s == pytest.approx(since_s - 4.0)
    for server in apply.servers:
        waits_s = server.elapsed_wait_dependency_s + server.elapsed_wait_commit_s + server.elapsed_idle_s
        assert server.elapsed_apply_s + server.elapsed_dequeue_s + waits_s == pytest.approx(since_s)


def test_watermarks_follow_what_is_applied() -> None:
    """The high-watermark is the newest commit, the low one what has no gap below; both end equal and stay on disk."""
    lab = quiet_streams()
    lab.set_apply_parameter("COMMIT_SERIALIZATION", "NONE")
    lab.stop_apply()
    lab.advance(10.0)
    lab.start_apply()
    lab.write(SMALL)
    for _second in range(200):
        lab.advance(1.0)
        coordinator = coordinator_of(lab)
        assert coordinator.lwm_message_number <= coordinator.hwm_message_number or coordinator.hwm_s is None
    assert coordinator.lwm_message_create_s == coordinator.hwm_message_create_s == lab.workload(0).end_s
    lab.stop_apply()
    lab.advance(10.0)
    assert lab.apply().progress_create_s == lab.workload(0).end_s


def test_the_transaction_view_shows_the_open_transaction_on_both_sides() -> None:
    """While a large transaction flows, capture and apply both list it with its messages so far."""
    lab = quiet_streams()
    lab.write(LARGE)
    lab.advance(75.0)
    (captured,) = lab.capture_transactions()
    apply: ApplyState = lab.apply()
    (read,) = apply.transactions
    assert captured.xid == read.xid
    assert 0 < read.cumulative_messages <= captured.cumulative_messages < 50_000
    until_applying(lab)
    lab.advance(5.0)
    (read,) = lab.apply().transactions
    assert read.total_messages == 50_000
    assert 0 < read.cumulative_messages < 50_000


def test_a_destination_that_goes_down_during_a_restart_leaves_apply_enabled() -> None:
    """A restart by PARALLELISM is not a stop: when the database is back, the process starts."""
    lab = quiet_streams()
    lab.set_apply_parameter("PARALLELISM", "1")
    lab.take_down("destination")
    assert lab.apply().status == "ENABLED"
    lab.bring_up("destination")
    lab.advance(10.0)
    assert coordinator_of(lab).state == "IDLE"
    lab.set_apply_parameter("PARALLELISM", "4")
    lab.stop_apply()
    lab.advance(30.0)
    assert (lab.apply().status, lab.apply().is_running) == ("DISABLED", False)
