"""Nothing is lost and nothing applied twice, whatever happens to the pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.systems.oracle_streams.lab.pipeline import SIDES, Side, StreamsLab, Workload
from tests.calibration.streams_trials import shipped_streams
from tests.unit.lab.streams.legal import assert_legal


@dataclass(frozen=True)
class Action:
    """One thing done to a pipeline, then a wait."""

    kind: str
    size: int
    wait_s: float


KINDS = (
    "write_small",
    "write_large",
    "write_paced",
    "stop_capture",
    "stop_propagation",
    "stop_apply",
    "force_capture",
    "force_propagation",
    "force_apply",
    "start_all",
    "parallelism",
    "capture_parallelism",
    "threshold",
    "age",
    "serialization",
    "fail",
    "abort",
    "source",
    "destination",
    "link",
    "latency",
    "pool",
)
ACTIONS = st.lists(
    st.builds(Action, st.sampled_from(KINDS), st.integers(1, 30), st.sampled_from([0.0, 0.3, 5.0, 40.0, 400.0])),
    min_size=1,
    max_size=14,
)


def start_all(lab: StreamsLab) -> None:
    """Start whatever stands."""
    for is_running, start in (
        (lab.capture().is_running, lab.start_capture),
        (lab.propagation().is_running, lab.start_propagation),
        (lab.apply().is_running, lab.start_apply),
    ):
        if not is_running:
            start()


def _write(lab: StreamsLab, kind: str, size: int) -> None:
    if lab.database("source").is_up:
        rows = size * 997
        lab.write(
            {
                "write_small": Workload("insert", rows, size),
                "write_large": Workload("update", rows, rows),
                "write_paced": Workload("update", size * 20, 7 * size, rows_per_s=float(size)),
            }[kind]
        )


def _turn(lab: StreamsLab, side: Side) -> None:
    """Take a database down, or bring it up."""
    if lab.database(side).is_up:
        lab.take_down(side)
    else:
        lab.bring_up(side)


def _do(lab: StreamsLab, action: Action) -> None:
    size = action.size
    if action.kind.startswith("write"):
        _write(lab, action.kind, size)
    else:
        doing = {
            "stop_capture": lambda: lab.stop_capture(),
            "stop_propagation": lambda: lab.stop_propagation(),
            "stop_apply": lambda: lab.stop_apply(),
            "force_capture": lambda: lab.stop_capture(force=True),
            "force_propagation": lambda: lab.stop_propagation(force=True),
            "force_apply": lambda: lab.stop_apply(force=True),
            "start_all": lambda: start_all(lab),
            "parallelism": lambda: lab.set_apply_parameter("PARALLELISM", str(1 + size % 9)),
            "capture_parallelism": lambda: lab.set_capture_parameter("PARALLELISM", str(1 + size % 4)),
            "threshold": lambda: lab.set_apply_parameter("TXN_LCR_SPILL_THRESHOLD", str(size**3)),
            "age": lambda: lab.set_apply_parameter("TXN_AGE_SPILL_THRESHOLD", str(size)),
            "serialization": lambda: lab.set_apply_parameter("COMMIT_SERIALIZATION", ("NONE", "FULL")[size % 2]),
            "fail": lambda: lab.fail_next_transaction(1, "ORA-00001: unique constraint violated"),
            "abort": lambda: lab.abort_apply(26714, "ORA-26714: User error encountered while applying"),
            "link": lambda: lab.set_link_up(size % 2 == 0),
            "source": lambda: _turn(lab, "source"),
            "destination": lambda: _turn(lab, "destination"),
            "latency": lambda: lab.set_propagation_latency(float(size - 1)),
            "pool": lambda: lab.set_pool_size("destination", 40.0 + size),
        }
        doing[action.kind]()


def _finish(lab: StreamsLab) -> None:
    """Mend everything and let all work be done."""
    for side in SIDES:
        lab.bring_up(side)
    lab.set_link_up(True)
    lab.advance(2_000.0)
    start_all(lab)
    lab.advance(2_000.0)
    start_all(lab)  # an error met on the way may have disabled the apply process
    lab.advance(6_000.0)


@settings(max_examples=200, deadline=None)
@given(actions=ACTIONS)
def test_every_row_is_applied_exactly_once_or_in_the_error_queue(actions: Sequence[Action]) -> None:
    """After any faults, stops and changes, and once all is mended, every written row is accounted for once."""
    lab = StreamsLab(shipped_streams("streams-small-pool"), seed=3)
    for action in actions:
        _do(lab, action)
        lab.advance(action.wait_s)
        assert_legal(lab)
        for side in SIDES:
            queue = lab.queue(side)
            assert 0 <= queue.unbrowsed_msgs <= queue.num_msgs
            assert 0 <= queue.spill_msgs <= queue.num_msgs
    _finish(lab)
    writes = sum(action.kind.startswith("write") for action in actions)
    failed = 0
    for number in range(writes):
        try:
            state = lab.workload(number)
        except IndexError:  # not written, the source was down
            break
        assert state.rows_applied + state.rows_failed == state.rows == state.rows_written
        failed += state.rows_failed
    assert failed == sum(error.message_count for error in lab.apply().errors)
    assert lab.unread_rows() == 0
    for side in SIDES:
        queue = lab.queue(side)
        assert (queue.num_msgs, queue.spill_msgs, queue.unbrowsed_msgs) == (0, 0, 0)
        assert queue.queue_mb == 0.0
        assert lab.database(side).pool_used_mb < 60.0
    assert lab.apply().spilled_transactions == ()


@settings(max_examples=40, deadline=None)
@given(actions=ACTIONS, steps=st.integers(2, 60))
def test_the_size_of_time_steps_changes_nothing(actions: Sequence[Action], steps: int) -> None:
    """Looking often or seldom gives the same run."""
    coarse = StreamsLab(shipped_streams("streams-small-pool"), seed=3)
    fine = StreamsLab(shipped_streams("streams-small-pool"), seed=3)
    for action in actions:
        _do(coarse, action)
        coarse.advance(action.wait_s)
        _do(fine, action)
        for _step in range(steps):
            fine.advance(action.wait_s / steps)
            assert_legal(fine)
    once, often = coarse.apply(), fine.apply()
    assert often.progress_message_number == pytest.approx(once.progress_message_number, abs=1)
    assert often.progress_apply_s == pytest.approx(once.progress_apply_s)
    assert fine.capture().elapsed_pause_s == pytest.approx(coarse.capture().elapsed_pause_s, abs=1e-3)
    assert fine.queue("source").cnum_msgs == coarse.queue("source").cnum_msgs
