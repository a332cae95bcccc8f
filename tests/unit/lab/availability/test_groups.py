"""What servers and groups keep, and what happens when something changes under way."""

import pytest

from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import (
    AvailabilityMode,
    FailoverMode,
    Failure,
    LoadStatus,
    LogReuseWait,
    ReplicaRole,
    SynchronizationState,
)
from tests.unit.lab.availability.sites import PRIMARY, SECONDARY, insert_s, quiet_lab

SYNCHRONOUS = AvailabilityMode.SYNCHRONOUS_COMMIT
ASYNCHRONOUS = AvailabilityMode.ASYNCHRONOUS_COMMIT


def _state(lab: AvailabilityLab, database: str = "LoadSync") -> SynchronizationState:
    return lab.database_replica(database, SECONDARY).synchronization_state


def _make_manual(lab: AvailabilityLab) -> None:
    for server in (PRIMARY, SECONDARY):
        lab.set_failover_mode("AG_SYNC", server, FailoverMode.MANUAL)


def test_the_shipped_site_has_one_group_of_each_mode_and_a_standalone_database() -> None:
    """As in the published test: two groups side by side, and something to compare with."""
    lab = quiet_lab()
    assert [(group.name, group.primary, group.databases) for group in lab.groups()] == [
        ("AG_ASYNC", PRIMARY, ("LoadAsync",)),
        ("AG_SYNC", PRIMARY, ("LoadSync",)),
    ]
    assert lab.database("LoadAlone").group == ""
    assert [replica.role for replica in lab.group("AG_SYNC").replicas] == [ReplicaRole.PRIMARY, ReplicaRole.SECONDARY]
    assert _state(lab, "LoadSync") is SynchronizationState.SYNCHRONIZED
    assert _state(lab, "LoadAsync") is SynchronizationState.SYNCHRONIZING


def test_a_mode_change_there_and_back_synchronizes_again_only_after_a_while() -> None:
    """Synchronous → asynchronous counts at once; on the way back commits are fast until it is SYNCHRONIZED."""
    lab = quiet_lab("ag-2016")
    _make_manual(lab)
    synchronous_s = insert_s(lab, "LoadSync", 100, 10)
    for server in (SECONDARY, PRIMARY):
        lab.set_availability_mode("AG_SYNC", server, ASYNCHRONOUS)
    assert _state(lab) is SynchronizationState.SYNCHRONIZING
    asynchronous_s = insert_s(lab, "LoadSync", 100, 10)
    for server in (PRIMARY, SECONDARY):
        lab.set_availability_mode("AG_SYNC", server, SYNCHRONOUS)
    assert _state(lab) is SynchronizationState.SYNCHRONIZING
    assert insert_s(lab, "LoadSync", 100, 10) == pytest.approx(asynchronous_s)
    lab.advance(10.0)
    assert _state(lab) is SynchronizationState.SYNCHRONIZED
    assert insert_s(lab, "LoadSync", 100, 10) == pytest.approx(synchronous_s)
    assert synchronous_s > 1.4 * asynchronous_s


def test_automatic_failover_forbids_the_asynchronous_mode() -> None:
    """The order of the changes matters: failover mode first on the way out, last on the way back."""
    lab = quiet_lab()
    with pytest.raises(ValueError, match="fails over automatically"):
        lab.set_availability_mode("AG_SYNC", SECONDARY, ASYNCHRONOUS)
    with pytest.raises(ValueError, match="cannot fail over automatically"):
        lab.set_failover_mode("AG_ASYNC", SECONDARY, FailoverMode.AUTOMATIC)


def test_a_mode_change_is_felt_in_the_middle_of_a_loop() -> None:
    """A running synchronous loop speeds up when its group is made asynchronous."""
    lab = quiet_lab()
    _make_manual(lab)
    load_id = lab.start_inserts("LoadSync", 1_000_000, 1)
    lab.advance(100.0)
    before = lab.load(load_id).done
    lab.set_availability_mode("AG_SYNC", SECONDARY, ASYNCHRONOUS)
    lab.advance(100.0)
    assert lab.load(load_id).done - before > 1.2 * before


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    """A server, group or database that does not exist is named together with those that do."""
    lab = quiet_lab()
    with pytest.raises(LookupError, match="no server 'moon'; there are SQLNODE1, SQLNODE2"):
        lab.server("moon")
    with pytest.raises(LookupError, match="LoadAsync"):
        lab.run_inserts("moon", 1, 1)
    with pytest.raises(LookupError, match="no secondary"):
        lab.database_replica("LoadAlone", SECONDARY)


def test_a_planned_failover_ends_the_loop_and_swaps_the_roles() -> None:
    """The loop fails, the other server is primary after the role change, nothing is lost, and it goes on there."""
    lab = quiet_lab()
    load_id = lab.start_inserts("LoadSync", 1_000_000, 1)
    lab.advance(10.0)
    commits = lab.database("LoadSync").write_transactions
    lab.fail_over("AG_SYNC", SECONDARY)
    assert (lab.load(load_id).status, lab.load(load_id).failure) == (LoadStatus.FAILED, Failure.FAILED_OVER)
    assert lab.group("AG_SYNC").primary == ""
    with pytest.raises(ValueError, match="cannot be written now"):
        lab.run_inserts("LoadSync", 1, 1)
    lab.advance(10.0)
    assert lab.group("AG_SYNC").primary == lab.database("LoadSync").server == SECONDARY
    assert lab.group("AG_ASYNC").primary == PRIMARY
    assert lab.database("LoadSync").write_transactions == commits
    lab.advance(10.0)
    assert lab.database_replica("LoadSync", PRIMARY).is_failover_ready
    assert lab.run_inserts("LoadSync", 100, 1).status is LoadStatus.FINISHED


def test_a_failover_that_would_lose_commits_must_be_forced() -> None:
    """An asynchronous secondary takes over only by force; the log it lacks is gone, the others are suspended."""
    lab = quiet_lab()
    lab.set_trace_flag(PRIMARY, 1462, True)
    lab.advance(5.0)
    lab.start_inserts("LoadAsync", 1, 1_000_000)
    lab.advance(6.0)
    with pytest.raises(ValueError, match="only a forced failover works"):
        lab.fail_over("AG_ASYNC", SECONDARY)
    end, hardened = lab.database("LoadAsync").log_end_bytes, lab.database_replica("LoadAsync", SECONDARY).hardened_bytes
    lab.fail_over("AG_ASYNC", SECONDARY, force=True)
    lab.advance(60.0)
    assert lab.database("LoadAsync").log_end_bytes == pytest.approx(hardened)
    assert hardened < end
    assert lab.database_replica("LoadAsync", PRIMARY).is_suspended
    lab.set_suspended("LoadAsync", PRIMARY, False)
    lab.advance(1.0)
    assert lab.database_replica("LoadAsync", PRIMARY).synchronization_state is SynchronizationState.SYNCHRONIZING


def test_a_failover_can_be_scheduled() -> None:
    """It happens at its moment, also in the middle of a call that waits."""
    lab = quiet_lab()
    lab.schedule_fail_over(5.0, "AG_SYNC", SECONDARY)
    load = lab.run_inserts("LoadSync", 1_000_000, 1)
    assert load.status is LoadStatus.FAILED
    assert load.end_s == pytest.approx(5.0)
    assert lab.now_s == pytest.approx(5.0)


def test_commits_wait_for_a_lost_secondary_until_its_session_times_out() -> None:
    """Ten seconds nothing commits, then the loop goes on without it; back again it synchronizes after catching up."""
    lab = quiet_lab()
    load_id = lab.start_inserts("LoadSync", 1_000_000, 1)
    lab.advance(10.0)
    lab.replica_down(SECONDARY)
    done = lab.load(load_id).done
    lab.advance(9.0)
    assert lab.load(load_id).done == done
    assert not lab.database_replica("LoadSync", SECONDARY).is_failover_ready
    lab.advance(3.0)
    assert lab.load(load_id).done > done
    assert lab.database("LoadSync").transaction_delay_ms < 10_000.0  # a commit that no secondary took part in is none
    assert _state(lab) is SynchronizationState.NOT_SYNCHRONIZING
    lab.advance(20.0)
    assert (lab.database_replica("LoadSync", SECONDARY).view.send_queue_kb or 0.0) > 1_000.0
    lab.replica_up(SECONDARY)
    lab.advance(10.0)
    assert _state(lab) is SynchronizationState.SYNCHRONIZED
    assert lab.database_replica("LoadSync", SECONDARY).view.send_queue_kb == 0.0


def test_too_few_synchronized_secondaries_hold_every_commit() -> None:
    """With REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT = 1 and the secondary gone, no commit returns."""
    lab = quiet_lab()
    lab.set_required_synchronized_secondaries("AG_SYNC", 1)
    lab.replica_down(SECONDARY)
    load = lab.run_inserts("LoadSync", 10, 1, limit_s=3_600.0)
    assert (load.status, load.done) == (LoadStatus.RUNNING, 0)
    assert load.elapsed_s == pytest.approx(3_600.0)
    lab.replica_up(SECONDARY)
    lab.advance(10.0)
    assert lab.load(load.load_id).status is LoadStatus.FINISHED


def test_a_primary_that_goes_down_fails_over_where_that_is_automatic() -> None:
    """The synchronous group moves by itself after the session timeout; the asynchronous one waits for its server."""
    lab = quiet_lab()
    lab.replica_down(PRIMARY)
    lab.advance(60.0)
    assert (lab.group("AG_SYNC").primary, lab.group("AG_ASYNC").primary) == (SECONDARY, "")
    lab.replica_up(PRIMARY)
    lab.advance(30.0)
    assert lab.group("AG_ASYNC").primary == PRIMARY
    assert lab.database_replica("LoadSync", PRIMARY).is_failover_ready


def test_a_suspended_copy_stops_and_catches_up() -> None:
    """While data movement is suspended the log piles up, and is held at the primary."""
    lab = quiet_lab()
    lab.set_suspended("LoadSync", SECONDARY, True)
    insert_s(lab, "LoadSync", 10_000, 100)
    copy = lab.database_replica("LoadSync", SECONDARY)
    assert (copy.is_suspended, copy.synchronization_state) == (True, SynchronizationState.NOT_SYNCHRONIZING)
    assert lab.database("LoadSync").log_reuse_wait is LogReuseWait.AVAILABILITY_REPLICA
    assert lab.database("LoadSync").log_used_mb > 1_000.0
    lab.set_suspended("LoadSync", SECONDARY, False)
    lab.advance(120.0)
    assert _state(lab) is SynchronizationState.SYNCHRONIZED
    assert lab.database("LoadSync").log_used_mb < 1.0


def test_a_full_log_disk_ends_the_loop() -> None:
    """Without space on disk the log fills up and inserts fail; they work again once there is some."""
    lab = quiet_lab(noise__drift_cv=0.0)
    lab.set_suspended("LoadSync", SECONDARY, True)
    lab.fill_disk(PRIMARY)
    load = lab.run_inserts("LoadSync", 10_000, 10_000)
    assert (load.status, load.failure) == (LoadStatus.FAILED, Failure.LOG_FULL)
    assert lab.database("LoadSync").log_used_share == pytest.approx(1.0)
    lab.set_suspended("LoadSync", SECONDARY, False)
    lab.advance(600.0)
    assert lab.run_inserts("LoadSync", 10, 10_000).status is LoadStatus.FINISHED


def test_a_cancelled_loop_keeps_what_it_committed() -> None:
    """Cancelling ends a loop at once."""
    lab = quiet_lab()
    load_id = lab.start_inserts("LoadAlone", 1_000_000, 1)
    lab.advance(10.0)
    lab.cancel_load(load_id)
    load = lab.load(load_id)
    assert load.status is LoadStatus.CANCELLED
    assert load.elapsed_s == pytest.approx(10.0)
    assert 3_000 < load.done < 6_000


def test_time_does_not_run_backwards() -> None:
    """Negative time and empty loops are refused."""
    lab = quiet_lab()
    with pytest.raises(ValueError, match="backwards"):
        lab.advance(-1.0)
    with pytest.raises(ValueError, match="at least one"):
        lab.start_inserts("LoadSync", 0, 1)
