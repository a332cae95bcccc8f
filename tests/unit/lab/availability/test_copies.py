"""Backup, restore, join and seeding, one mechanism at a time."""

import pytest

from app.systems.availability_groups.lab.readings import (
    BackupOptions,
    Failure,
    LogReuseWait,
    OperationKind,
    OperationStatus,
    SeedingMode,
    SynchronizationState,
)
from app.systems.availability_groups.lab.stages import Stage, pipeline_mb_per_s
from tests.unit.lab.availability.sites import PRIMARY, SECONDARY, quiet_lab, start_seeding


def test_the_slowest_stage_decides() -> None:
    """With buffers enough a pipeline moves what its slowest stage moves; threads multiply that stage."""
    stages = (Stage("read", 2.0), Stage("compress", 5.0), Stage("write", 1.0))
    assert pipeline_mb_per_s(stages, 8, 1.0) == pytest.approx(200.0)
    assert pipeline_mb_per_s((stages[0], Stage("compress", 5.0, threads=2), stages[2]), 8, 1.0) == pytest.approx(400.0)
    assert pipeline_mb_per_s((stages[0], Stage("compress", 5.0, threads=4), stages[2]), 8, 1.0) == pytest.approx(500.0)


def test_one_buffer_makes_stages_take_turns() -> None:
    """With a single buffer nothing overlaps, and latency counts in full."""
    stages = (Stage("read", 2.0, latency_ms=1.0), Stage("compress", 5.0), Stage("write", 1.0, latency_ms=1.0))
    assert pipeline_mb_per_s(stages, 1, 1.0) == pytest.approx(100.0)
    assert pipeline_mb_per_s(stages, 1, 4.0) == pytest.approx(4.0 / 34.0 * 1e3)


def test_a_seeding_reports_its_progress() -> None:
    """Half-way through, half is moved, read, sent and written, and the estimate is right."""
    lab = quiet_lab("ag-seeding")
    seeding = start_seeding(lab)
    lab.advance(240.0)
    half = lab.operation(seeding)
    assert half.status is OperationStatus.RUNNING
    assert half.moved_share == pytest.approx(0.5, abs=0.02)
    assert half.read_mb == half.sent_mb == half.written_mb == half.moved_mb
    assert half.disk_wait_s > half.network_wait_s > 0.0
    state = lab.database_replica("Archive", SECONDARY)
    assert (state.is_joined, state.synchronization_state) == (False, SynchronizationState.INITIALIZING)
    assert lab.server(SECONDARY).disks[0].free_mb == pytest.approx(480_000.0 - half.written_mb)
    whole = lab.run_operation(seeding)
    assert half.estimated_end_s == pytest.approx(whole.end_s)
    assert whole.status is OperationStatus.COMPLETED
    lab.advance(10.0)
    assert lab.database_replica("Archive", SECONDARY).is_failover_ready


def test_compression_shows_in_bytes_sent_and_in_processors() -> None:
    """With trace flag 9567 less is sent than read, by the ratio of the stream, and more processors are busy."""
    busy = []
    for flag in (False, True):
        lab = quiet_lab("ag-seeding")
        seeding = start_seeding(lab, flag)
        lab.advance(100.0)
        operation = lab.operation(seeding)
        assert operation.is_compressed is flag
        busy.append(lab.server(PRIMARY).cpu_share)
    assert operation.read_mb / operation.sent_mb == pytest.approx(2.515)
    assert busy[1] > busy[0] + 0.15


def test_pages_that_do_not_compress_are_sent_as_they_are() -> None:
    """The same flag saves nothing on a database of noise."""
    lab = quiet_lab("ag-seeding", databases__compressible_share=0.0)
    seeding = start_seeding(lab, True)
    operation = lab.run_operation(seeding)
    assert operation.sent_mb == pytest.approx(operation.read_mb)


def test_more_processors_do_not_help_where_one_thread_limits() -> None:
    """Seven processors seed no faster than four; with two the processors limit."""
    four, seven, two = (quiet_lab("ag-seeding", servers__cpus=cpus).scenario for cpus in (4, 7, 2))
    rates = []
    for scenario in (four, seven, two):
        lab = quiet_lab("ag-seeding", servers__cpus=scenario.servers[0].cpus)
        seeding = start_seeding(lab, True)
        lab.advance(50.0)
        rates.append(lab.operation(seeding).rate_mb_per_s)
    assert rates[1] == rates[0]
    assert rates[2] < 0.6 * rates[0]


def test_a_thin_line_is_where_compression_pays() -> None:
    """At 1 Gb/s direct seeding is bound to the line, and trace flag 9567 makes it twice as fast."""
    rates = []
    for flag in (False, True):
        lab = quiet_lab("ag-seeding", line__bandwidth_mbps=1_000.0)
        seeding = start_seeding(lab, flag)
        lab.advance(50.0)
        rates.append(lab.operation(seeding).rate_mb_per_s)
    assert rates[0] == pytest.approx(125.0, rel=0.01)
    assert rates[1] > 2.0 * rates[0]


def test_files_are_zeroed_without_instant_file_initialization() -> None:
    """The restore begins later by the time it takes to write the data files once."""
    ends = []
    for instant in (1.0, 0.0):
        lab = quiet_lab("ag-seeding", copying__instant_file_initialization=instant)
        operation = lab.run_operation(start_seeding(lab))
        assert operation.end_s is not None
        ends.append(operation.end_s)
    assert ends[1] - ends[0] == pytest.approx(132_400.0 / 450.0, rel=0.01)


def test_stripes_help_a_backup_up_to_the_disk() -> None:
    """Two stripes compress in two threads; then the disk that is read limits, and four are no better."""
    rates = []
    for stripes in (1, 2, 4):
        lab = quiet_lab("ag-seeding")
        backup = lab.start_backup("Archive", BackupOptions(stripes=stripes))
        lab.advance(50.0)
        rates.append(lab.operation(backup).rate_mb_per_s)
    assert rates[0] == pytest.approx(1e3 / 3.171, rel=0.01)
    assert rates[1] == pytest.approx(450.0, rel=0.01)
    assert rates[2] == pytest.approx(rates[1])


def test_too_few_buffers_slow_a_backup_down() -> None:
    """One buffer of 64 KB makes a backup wait for every transfer."""
    rates = []
    for options in (BackupOptions(), BackupOptions(buffer_count=1), BackupOptions(buffer_count=1, max_transfer_kb=64)):
        lab = quiet_lab("ag-seeding")
        backup = lab.start_backup("Archive", options)
        lab.advance(10.0)
        rates.append(lab.operation(backup).rate_mb_per_s)
    assert rates[0] > 1.5 * rates[1] > 4.0 * rates[2]


def test_backup_log_backup_restores_and_join_bring_a_database_in() -> None:
    """The steps as a DBA does them, the database working on meanwhile; the log backup shortens what is left to send."""
    lab = quiet_lab("ag-seeding")
    backup = lab.start_backup("Archive")
    backed_up = lab.run_operation(backup)
    assert backed_up.written_mb == pytest.approx(backed_up.read_mb / 6.691)
    restore = lab.run_operation(lab.start_restore(backup, SECONDARY))
    assert (restore.kind, restore.status) == (OperationKind.RESTORE, OperationStatus.COMPLETED)
    log_backup = lab.start_log_backup("Archive", BackupOptions(copy_only=False))
    assert lab.run_operation(log_backup).database_mb > 1_000.0
    lab.run_operation(lab.start_restore(log_backup, SECONDARY))
    lab.add_database("AG_ARCHIVE", "Archive")
    assert lab.copies_at(SECONDARY) == ("Archive",)
    lab.run_operation(lab.start_join("Archive", SECONDARY))
    assert (lab.database_replica("Archive", SECONDARY).view.send_queue_kb or 0.0) < 400_000.0
    lab.advance(10.0)
    assert lab.database_replica("Archive", SECONDARY).is_failover_ready


def test_steps_out_of_order_are_refused() -> None:
    """A running backup cannot be restored, a database not restored cannot join, a copy is not restored over."""
    lab = quiet_lab("ag-seeding")
    backup = lab.start_backup("Archive")
    with pytest.raises(ValueError, match="no completed backup"):
        lab.start_restore(backup, SECONDARY)
    lab.run_operation(backup)
    lab.add_database("AG_ARCHIVE", "Archive")
    with pytest.raises(ValueError, match="cannot be joined"):
        lab.start_join("Archive", SECONDARY)
    lab.run_operation(lab.start_restore(backup, SECONDARY))
    with pytest.raises(ValueError, match="drop it first"):
        lab.start_restore(backup, SECONDARY)


def test_a_seeding_holds_the_log_back() -> None:
    """While it runs the log cannot be truncated, log backups or not; afterwards it can."""
    lab = quiet_lab("ag-seeding", databases__log_backup_every_s=60.0)
    seeding = start_seeding(lab)
    lab.advance(400.0)
    database = lab.database("Archive")
    assert database.log_reuse_wait is LogReuseWait.ACTIVE_BACKUP_OR_RESTORE
    assert database.log_used_mb > 1_000.0
    lab.run_operation(seeding)
    lab.advance(1_200.0)
    assert lab.database("Archive").log_used_mb < 300.0


def test_manual_seeding_mode_cancels_and_automatic_tries_again() -> None:
    """A cancelled seeding gives its space back; switched to automatic again, another one starts."""
    lab = quiet_lab("ag-seeding")
    first = start_seeding(lab)
    lab.advance(100.0)
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.MANUAL)
    assert lab.operation(first).status is OperationStatus.CANCELLED
    assert lab.server(SECONDARY).disks[0].free_mb == pytest.approx(480_000.0)
    lab.advance(100.0)
    assert len(lab.operations()) == 1
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.AUTOMATIC)
    assert lab.run_operation(lab.operations()[-1].operation_id).status is OperationStatus.COMPLETED


def test_no_seeding_starts_without_the_grant() -> None:
    """Without GRANT CREATE ANY DATABASE nothing happens; with it the seeding begins."""
    lab = quiet_lab("ag-seeding")
    lab.grant_create_any_database("AG_ARCHIVE", SECONDARY, False)
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.AUTOMATIC)
    lab.add_database("AG_ARCHIVE", "Archive")
    lab.advance(60.0)
    assert lab.operations() == ()
    lab.grant_create_any_database("AG_ARCHIVE", SECONDARY, True)
    assert lab.operations()[0].kind is OperationKind.SEEDING


def test_a_disk_too_small_or_filled_under_way_fails_the_seeding() -> None:
    """Too little space is found at the start; a disk that fills up later ends it in the middle."""
    lab = quiet_lab("ag-seeding")
    lab.fill_disk(SECONDARY, free_mb=100_000.0)
    small = lab.operation(start_seeding(lab))
    assert (small.status, small.failure) == (OperationStatus.FAILED, Failure.DISK_TOO_SMALL)
    lab.fill_disk(SECONDARY, free_mb=300_000.0)
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.AUTOMATIC)
    again = lab.operations()[-1]
    assert again.attempts == 2
    lab.advance(60.0)
    lab.fill_disk(SECONDARY, free_mb=1_000.0)
    failed = lab.run_operation(again.operation_id)
    assert (failed.status, failed.failure) == (OperationStatus.FAILED, Failure.DISK_FULL)
    assert failed.moved_share < 0.5


def test_a_seeding_ends_with_its_server_and_with_a_failover() -> None:
    """A secondary that goes down fails what is seeded to it."""
    lab = quiet_lab("ag-seeding")
    seeding = start_seeding(lab)
    lab.advance(30.0)
    lab.replica_down(SECONDARY)
    assert lab.operation(seeding).failure is Failure.SERVER_DOWN


def test_a_test_database_can_be_made_seeded_and_removed_without_a_trace() -> None:
    """Made, backed up, added, seeded, taken out, dropped on both sides: the disks are as before."""
    lab = quiet_lab("ag-seeding")
    free = [server.disks[0].free_mb for server in lab.servers()]
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.AUTOMATIC)
    lab.create_database("Probe", PRIMARY, 5_000.0, 0.5, 500.0)
    with pytest.raises(ValueError, match="no backup"):
        lab.add_database("AG_ARCHIVE", "Probe")
    backup = lab.start_backup("Probe")
    lab.run_operation(backup)
    lab.delete_backup(backup)
    lab.add_database("AG_ARCHIVE", "Probe")
    lab.run_operation(lab.operations()[-1].operation_id)
    with pytest.raises(ValueError, match="belongs to an availability group"):
        lab.drop_database("Probe", SECONDARY)
    lab.remove_database("AG_ARCHIVE", "Probe")
    lab.drop_database("Probe", SECONDARY)
    lab.drop_database("Probe", PRIMARY)
    assert [server.disks[0].free_mb for server in lab.servers()] == pytest.approx(free)
    assert lab.server(PRIMARY).disks[1].free_mb == pytest.approx(240_000.0)
    assert [database.name for database in lab.databases()] == ["Archive"]


def test_a_killed_backup_gives_its_space_back() -> None:
    """Cancelling an operation deletes what it wrote."""
    lab = quiet_lab("ag-seeding")
    backup = lab.start_backup("Archive")
    lab.advance(60.0)
    lab.cancel_operation(backup)
    assert lab.operation(backup).status is OperationStatus.CANCELLED
    assert lab.server(PRIMARY).disks[1].free_mb == pytest.approx(240_000.0)
