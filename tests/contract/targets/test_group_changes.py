"""Changes on groups and seeding: planned, applied, read back and undone, on the lab behind the same statements."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from app.domain.change import Change
from app.domain.errors import BadInput, StatementTimeout, VerificationFailed
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.model.reading import growth
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.lab.readings import AvailabilityMode
from app.systems.availability_groups.offer import group_ports
from tests.contract.targets.group_checking import (
    ALONE,
    ASYNC_DATABASE,
    ASYNC_GROUP,
    OPTIONS,
    OWNER,
    PRIMARY,
    SECONDARY,
    SYNC_DATABASE,
    SYNC_GROUP,
    TEST_DATABASE,
    GroupBench,
    SafeRun,
    make_group_bench,
    wait_until_ended,
)

Plan = Callable[[GroupBench], tuple[Change, ...]]


def plan_membership(bench: GroupBench) -> tuple[Change, ...]:
    """Plan a membership of a client's own standalone database."""
    return group_ports(bench.target).seeding.plan_membership(SYNC_GROUP, ALONE, SECONDARY)


PLANS: dict[str, Plan] = {
    "mode asynchronous": lambda b: group_ports(b.target).groups.plan_mode(
        b.group(), SECONDARY, CommitMode.ASYNCHRONOUS
    ),
    "mode synchronous": lambda b: group_ports(b.target).groups.plan_mode(
        b.group(ASYNC_GROUP), SECONDARY, CommitMode.SYNCHRONOUS
    ),
    "trace flag": lambda b: group_ports(b.target).groups.plan_trace_flag(SECONDARY, 1462, on=True),
    "group commit time": lambda b: tuple(group_ports(b.target).groups.plan_commit_time(SECONDARY, 1)),
    "test tables": lambda b: group_ports(b.target).groups.plan_test_tables(SYNC_DATABASE, 250_000, OWNER),
    "standalone tables": lambda b: group_ports(b.target).groups.plan_test_tables(ALONE, 1_000, OWNER),
    "test database": lambda b: group_ports(b.target).seeding.plan_test_database(SYNC_GROUP, TEST_DATABASE, 200, 0.25),
    "membership": plan_membership,
    "seeding mode": lambda b: group_ports(b.target).seeding.plan_seeding_mode(SYNC_GROUP, SECONDARY, "automatic"),
    "event session": lambda b: group_ports(b.target).seeding.plan_event_session(OWNER),
}


@pytest.mark.parametrize("name", PLANS)
def test_change_is_applied_and_undone_in_another_process(name: str) -> None:
    """Each kind reads as applied, then as undone; undo needs the change alone and may be sent twice."""
    bench = make_group_bench()
    planned = PLANS[name](bench)
    assert planned
    for change in planned:
        assert not bench.target.changes.is_applied(change)
        bench.target.changes.apply(change)
        assert bench.target.changes.is_applied(change)
        assert not bench.target.changes.is_undone(change)
    other = bench.another_process()
    for change in reversed(planned):
        other.changes.undo(change)
        other.changes.undo(change)
        assert other.changes.is_undone(change)
    assert bench.state() == make_group_bench().state()


@pytest.mark.parametrize("name", PLANS)
def test_each_statement_is_meant_for_one_instance(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its address leads to another server by then, it is not sent there."""
    bench, sent = make_group_bench(), list[tuple[str, Place]]()
    planned, send = PLANS[name](bench), bench.transport.send

    def noting(statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        sent.append((statement.name, place))
        return send(statement, place, parameters)

    monkeypatch.setattr(bench.transport, "send", noting)
    for change in planned:
        bench.target.changes.apply(change)
        assert bench.target.changes.is_applied(change)
    for change in reversed(planned):
        bench.target.changes.undo(change)
    assert len(sent) > 2 * len(planned)
    assert [(statement, place) for statement, place in sent if not place.is_instance] == []


@pytest.mark.parametrize("name", PLANS)
def test_change_that_was_never_sent_is_undone_without_harm(name: str) -> None:
    """A change noted and never sent is undone by doing nothing that shows."""
    bench = make_group_bench()
    for change in reversed(PLANS[name](bench)):
        bench.another_process().changes.undo(change)
    assert bench.state() == make_group_bench().state()


@pytest.mark.parametrize("name", PLANS)
def test_change_says_what_it_does_and_has_both_scripts(name: str) -> None:
    """A person reads subject, values and effect; a DBA gets scripts that name their server, quotes doubled."""
    for change in PLANS[name](make_group_bench()):
        assert change.subject
        assert change.original != change.new
        assert change.needs_consent
        for script in (change.apply_sql, change.undo_sql):
            assert "-- Run at: SQLNODE" in script
            assert "USE [master];" in script
            assert "N'S1 o'clock" not in script


def test_planning_what_is_so_gives_no_change() -> None:
    """A mode, a flag or a seeding mode already in effect needs no change."""
    bench = make_group_bench()
    assert group_ports(bench.target).groups.plan_mode(bench.group(), SECONDARY, CommitMode.SYNCHRONOUS) == ()
    assert (
        group_ports(bench.target).groups.plan_mode(bench.group(ASYNC_GROUP), SECONDARY, CommitMode.ASYNCHRONOUS) == ()
    )
    assert group_ports(bench.target).groups.plan_trace_flag(PRIMARY, 9592, on=False) == ()
    assert group_ports(bench.target).seeding.plan_seeding_mode(SYNC_GROUP, SECONDARY, "manual") == ()


def test_failover_mode_goes_first_and_comes_back_last() -> None:
    """On the way to asynchronous failover becomes manual first; undone newest first, it is automatic again last."""
    bench = make_group_bench()
    planned = PLANS["mode asynchronous"](bench)
    assert [change.kind for change in planned] == ["failover_mode", "availability_mode"]
    run = SafeRun(bench)
    run.apply(planned)
    bench.records.clear()
    assert run.restore() == []
    sent = [record.name for record in bench.records if record.name.startswith("set_")]
    assert sent == ["set_availability_mode", "set_failover_mode"]


def test_commits_wait_only_where_both_replicas_are_synchronous() -> None:
    """Making a secondary synchronous makes the primary replica synchronous with it, and undo takes both back."""
    bench = make_group_bench()
    planned = PLANS["mode synchronous"](bench)
    assert [change.detail("replica") for change in planned] == [PRIMARY, SECONDARY]
    SafeRun(bench).apply(planned)
    group_ports(bench.target).groups.wait_synchronized(ASYNC_GROUP, ASYNC_DATABASE, SECONDARY, 60.0)
    before = group_ports(bench.target).groups.sample(ASYNC_GROUP, ASYNC_DATABASE)
    for change in group_ports(bench.target).groups.plan_test_tables(ASYNC_DATABASE, 1_000, OWNER):
        bench.target.changes.apply(change)
    after = group_ports(bench.target).groups.sample(ASYNC_GROUP, ASYNC_DATABASE)
    grown = growth(before, after)
    assert grown.mirrored_transactions
    assert grown.commit_delay_ms


def test_restored_is_said_only_when_synchronized_again() -> None:
    """Undo waits for SYNCHRONIZED; where data movement is suspended it says so and stays open."""
    bench = make_group_bench()
    run = SafeRun(bench)
    run.apply(PLANS["mode asynchronous"](bench))
    bench.server.state.lab.set_suspended(SYNC_DATABASE, SECONDARY, True)
    mode = run.noted[-1]
    with pytest.raises(VerificationFailed, match="not synchronized after"):
        bench.target.changes.undo(mode)
    assert not bench.target.changes.is_undone(mode)
    bench.server.state.lab.set_suspended(SYNC_DATABASE, SECONDARY, False)
    bench.target.changes.undo(mode)
    assert bench.target.changes.is_undone(mode)


def test_synchronization_that_does_not_come_is_a_timeout() -> None:
    """Waiting for a suspended database ends at the limit with the server's name."""
    bench = make_group_bench()
    bench.server.state.lab.set_suspended(SYNC_DATABASE, SECONDARY, True)
    bench.target.clock.sleep(5.0)
    with pytest.raises(StatementTimeout, match=SECONDARY):
        group_ports(bench.target).groups.wait_synchronized(SYNC_GROUP, SYNC_DATABASE, SECONDARY, 20.0)


def test_trace_flag_that_was_set_is_set_again() -> None:
    """A flag is left as it was found: one that was set before is set again, also at a server that changed its role."""
    bench = make_group_bench()
    bench.server.state.lab.set_trace_flag(PRIMARY, 9592, True)
    (change,) = group_ports(bench.target).groups.plan_trace_flag(PRIMARY, 9592, on=False)
    bench.target.changes.apply(change)
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY)
    bench.target.clock.sleep(60.0)
    bench.another_process().changes.undo(change)
    assert (PRIMARY, 9592) in bench.topology.trace_flags


@pytest.mark.parametrize("flag", [1462, 9567, 9591, 9592])
def test_each_flag_of_compression_is_set_and_taken_back(flag: int) -> None:
    """All four of MicrosoftDocs/sql-docs tune-compression-for-availability-group.md, alone."""
    bench = make_group_bench()
    before, run = bench.topology.trace_flags, SafeRun(bench)
    run.apply(group_ports(bench.target).groups.plan_trace_flag(SECONDARY, flag, on=True))
    assert set(bench.topology.trace_flags) ^ set(before) == {(SECONDARY, flag)}
    assert run.restore() == []
    assert bench.topology.trace_flags == before


@pytest.mark.parametrize("flag", [1448, 3459, 9568, 9593])
def test_no_other_flag_is_set(flag: int) -> None:
    """What others mean for a server this program does not know."""
    with pytest.raises(BadInput, match=f"trace flag {flag} is never set by this program"):
        group_ports(make_group_bench().target).groups.plan_trace_flag(SECONDARY, flag, on=True)


def test_grant_is_denied_only_where_it_was_not_there() -> None:
    """CREATE ANY DATABASE stays where the group had it before."""
    for granted in (True, False):
        bench = make_group_bench()
        bench.server.state.lab.grant_create_any_database(SYNC_GROUP, SECONDARY, granted)
        run = SafeRun(bench)
        run.apply(PLANS["seeding mode"](bench))
        assert ("@granted" in run.noted[0].apply_sql) is not granted
        assert run.restore() == []
        replica = next(r for r in bench.server.state.lab.group(SYNC_GROUP).replicas if r.server == SECONDARY)
        assert replica.may_create_any_database is granted


def test_mode_is_put_back_at_the_new_primary() -> None:
    """After a failover the replica's mode is set where the group is led now."""
    bench = make_group_bench()
    run = SafeRun(bench)
    run.apply(PLANS["mode asynchronous"](bench))
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY, force=True)
    assert run.restore() == []
    replicas = {r.server: r.availability_mode for r in bench.server.state.lab.group(SYNC_GROUP).replicas}
    assert replicas[SECONDARY] is AvailabilityMode.SYNCHRONOUS_COMMIT


def test_client_database_is_not_dropped_after_a_failover() -> None:
    """Where the copy became the database itself, undo touches neither and says how to get back."""
    bench = make_group_bench()
    run = SafeRun(bench)
    run.apply(plan_membership(bench))
    group_ports(bench.target).seeding.start(SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, OPTIONS)
    assert wait_until_ended(bench, SYNC_GROUP, ALONE).state == "complete"
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY, force=True)
    bench.target.clock.sleep(60.0)
    ((_change, why),) = run.restore()
    assert f"fail it back to {PRIMARY}" in why
    assert bench.server.state.lab.database(ALONE).server == SECONDARY
    bench.server.state.lab.fail_over(SYNC_GROUP, PRIMARY, force=True)
    bench.target.clock.sleep(60.0)
    assert run.restore() == []
    assert bench.state()["databases"] == make_group_bench().state()["databases"]


def test_backups_do_not_touch_the_chain() -> None:
    """The log of a client's database is not truncated, and no differential base is set, by a seeding from backups."""
    bench = make_group_bench()
    run = SafeRun(bench)
    run.apply(plan_membership(bench))
    group_ports(bench.target).seeding.start(SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, OPTIONS)
    wait_until_ended(bench, SYNC_GROUP, ALONE)
    taken = [o for o in bench.server.state.lab.operations() if o.kind in ("BACKUP", "LOG_BACKUP")]
    assert len(taken) == 2
    assert all(operation.options.copy_only for operation in taken)
    assert [step.name for step in group_ports(bench.target).seeding.steps(SYNC_GROUP, ALONE, SECONDARY)] == [
        "backup",
        "log backup",
        "restore",
        "log restore",
        "join",
    ]


def test_a_journal_that_does_not_say_where_its_backups_begin_still_deletes_them_all() -> None:
    """As entries were written before they told."""
    bench = make_group_bench()
    before, run = bench.state(), SafeRun(bench)
    (change,) = plan_membership(bench)
    run.apply([replace(change, details=tuple(told for told in change.details if told[0] != "after_backup"))])
    group_ports(bench.target).seeding.start(SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, OPTIONS)
    wait_until_ended(bench, SYNC_GROUP, ALONE)
    assert bench.state()["backup files"] != before["backup files"]
    assert run.restore() == []
    assert bench.state() == before


def test_a_direct_seeding_that_failed_is_begun_again() -> None:
    """The server goes on showing the failed one, which is not taken for one under way."""
    bench = make_group_bench()
    run, seeding = SafeRun(bench), group_ports(bench.target).seeding
    run.apply(seeding.plan_test_database(SYNC_GROUP, TEST_DATABASE, 1_000, 1.0))
    run.apply(seeding.plan_membership(SYNC_GROUP, TEST_DATABASE, SECONDARY))
    run.apply(PLANS["seeding mode"](bench))
    direct = SeedingMethod.DIRECT, SYNC_GROUP, TEST_DATABASE, SECONDARY, BackupOptions("")
    seeding.start(*direct)
    bench.target.clock.sleep(2.0)
    bench.server.state.lab.replica_down(SECONDARY)
    bench.target.clock.sleep(5.0)
    bench.server.state.lab.replica_up(SECONDARY)
    bench.target.clock.sleep(60.0)
    assert wait_until_ended(bench, SYNC_GROUP, TEST_DATABASE).state == "failed"
    seeding.start(*direct)
    assert wait_until_ended(bench, SYNC_GROUP, TEST_DATABASE).state == "complete"


def test_seeding_sample_shows_compression_by_what_was_sent() -> None:
    """With the flag less goes over the network than is read; without it as much."""
    sent_shares = []
    for flag in (False, True):
        bench = make_group_bench()
        run = SafeRun(bench)
        run.apply(group_ports(bench.target).seeding.plan_test_database(SYNC_GROUP, TEST_DATABASE, 1_000, 1.0))
        run.apply(group_ports(bench.target).groups.plan_trace_flag(PRIMARY, 9567, on=flag))
        bench.target.clock.sleep(5.0)
        run.apply(group_ports(bench.target).seeding.plan_membership(SYNC_GROUP, TEST_DATABASE, SECONDARY))
        run.apply(PLANS["seeding mode"](bench))
        group_ports(bench.target).seeding.start(
            SeedingMethod.DIRECT, SYNC_GROUP, TEST_DATABASE, SECONDARY, BackupOptions("")
        )
        sample = wait_until_ended(bench, SYNC_GROUP, TEST_DATABASE)
        assert sample.written_mb == pytest.approx(1_000, rel=0.01)
        sent_shares.append(sample.sent_mb / sample.read_mb)
    assert sent_shares[0] == pytest.approx(1.0, abs=0.05)
    assert sent_shares[1] < 0.6
