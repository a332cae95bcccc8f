"""What cannot be used is refused with one sentence, and nothing is changed by it."""

import re
from collections.abc import Callable

import pytest

from app.domain.errors import BadInput
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.group_checks import check_group
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.offer import group_ports
from tests.contract.targets.group_checking import (
    ALONE,
    ASYNC_DATABASE,
    OWNER,
    PRIMARY,
    SECONDARY,
    SYNC_GROUP,
    GroupBench,
    make_group_bench,
)


def bad(bench: GroupBench) -> dict[str, tuple[Callable[[], object], str]]:
    """Return what is refused, by what it is, with a part of the sentence."""
    groups, seeding, group = group_ports(bench.target).groups, group_ports(bench.target).seeding, bench.group()
    none = BackupOptions("")
    return {
        "no such group": (
            lambda: seeding.plan_membership("AG_X", ALONE, SECONDARY),
            "has no availability group AG_X",
        ),
        "standalone mode": (lambda: groups.plan_mode(group, SECONDARY, CommitMode.STANDALONE), "cannot be made"),
        "no such replica": (lambda: groups.plan_mode(group, "X", CommitMode.ASYNCHRONOUS), "its replicas are"),
        "unknown flag": (lambda: groups.plan_trace_flag(PRIMARY, 3604, on=True), "never set"),
        "tables nowhere": (lambda: groups.plan_test_tables("Nope", 10, OWNER), "no database Nope"),
        "no rows": (lambda: groups.plan_test_tables(ALONE, 0, OWNER), "use 1 to"),
        "long owner": (lambda: groups.plan_test_tables(ALONE, 10, "x" * 101), "use 1 to 100 characters"),
        "test name": (lambda: seeding.plan_test_database(SYNC_GROUP, "Sales", 10, 0.5), "begins with Replitune"),
        "test size": (lambda: seeding.plan_test_database(SYNC_GROUP, "Replitune", 0, 0.5), "a share of 0 to 1"),
        "huge": (lambda: seeding.plan_test_database(SYNC_GROUP, "Replitune", 900_000, 0.5), "MB free"),
        "member already": (
            lambda: seeding.plan_membership(SYNC_GROUP, ASYNC_DATABASE, SECONDARY),
            "belongs to group AG_ASYNC already",
        ),
        "not a secondary": (lambda: seeding.plan_membership(SYNC_GROUP, ALONE, PRIMARY), "is no secondary"),
        "seeding mode": (lambda: seeding.plan_seeding_mode(SYNC_GROUP, SECONDARY, "fast"), "is not one of"),
        "not automatic": (
            lambda: seeding.start(SeedingMethod.DIRECT, SYNC_GROUP, ALONE, SECONDARY, none),
            "needs its SEEDING_MODE to be AUTOMATIC",
        ),
        "no folder": (
            lambda: seeding.start(SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, none),
            "need a folder or share",
        ),
        "stripes": (
            lambda: seeding.start(
                SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, BackupOptions("D:\\b", stripes=65)
            ),
            "1 to 64 files",
        ),
        "transfer size": (
            lambda: seeding.start(
                SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, BackupOptions("D:\\b", max_transfer_kb=100)
            ),
            "MAXTRANSFERSIZE 100 KB",
        ),
        "token": (
            lambda: seeding.start(
                SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, ALONE, SECONDARY, BackupOptions("D:\\$(x)")
            ),
            "has a meaning in a job",
        ),
    }


@pytest.mark.parametrize("case", bad(make_group_bench()))
def test_bad_input_is_refused_with_a_sentence(case: str) -> None:
    """Each refusal says what is wrong; nothing was changed."""
    bench = make_group_bench()
    call, part = bad(bench)[case]
    with pytest.raises(BadInput) as caught:
        call()
    assert part in str(caught.value)
    assert bench.state() == make_group_bench().state()


@pytest.mark.parametrize(
    ("prepare", "part"),
    [
        (lambda b: setattr(b.server.state.kinds[SYNC_GROUP], "is_basic", True), "a Basic group"),
        (lambda b: setattr(b.server.state.kinds[SYNC_GROUP], "is_contained", True), "a contained group"),
        (lambda b: setattr(b.server.state.kinds[SYNC_GROUP], "is_distributed", True), "a distributed group"),
        (lambda b: b.server.state.lab.replica_down(SECONDARY), "is down or not connected"),
        (lambda b: fail_over(b), "connect to its primary replica, SQLNODE2"),
    ],
)
def test_group_that_experiments_leave_alone(prepare: Callable[[GroupBench], object], part: str) -> None:
    """Basic, contained and distributed groups, a replica that is down, and the secondary given as target."""
    bench = make_group_bench()
    prepare(bench)
    with pytest.raises(BadInput) as caught:
        group_ports(bench.target).groups.plan_mode(bench.group(), SECONDARY, CommitMode.ASYNCHRONOUS)
    assert part in str(caught.value)


def fail_over(bench: GroupBench) -> None:
    """Make the server a target was opened with a secondary."""
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY)
    bench.target.clock.sleep(60.0)


def test_listener_given_as_target_is_told() -> None:
    """It may lead to another server after a failover, or to a secondary that reads: one looks so, and changes nothing.

    Where a group has no cluster nothing moves its listener, whose address is the primary's own: that is no listener.
    """
    bench = make_group_bench()
    bench.server.state.kinds[SYNC_GROUP].listener = "ag-listener"
    assert bench.group().listeners == ("ag-listener",)
    bench.server.state.kinds[SYNC_GROUP].is_opened_by_listener = True
    topology = group_ports(bench.target).groups.discover()
    (said,) = topology.cautions()
    assert re.search(r"ag-listener is the listener.*read-only routing.*SQLNODE1", said)
    with pytest.raises(BadInput, match="ag-listener is the listener"):
        check_group(bench.group(), topology)
    bench.server.state.kinds[SYNC_GROUP].cluster = "none"
    topology = group_ports(bench.target).groups.discover()
    assert topology.cautions() == ()
    check_group(bench.group(), topology)


def test_required_synchronized_secondaries_are_kept() -> None:
    """A replica whose loss would stop every commit is never made asynchronous."""
    bench = make_group_bench()
    bench.server.state.lab.set_required_synchronized_secondaries(SYNC_GROUP, 1)
    with pytest.raises(BadInput, match="REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT"):
        group_ports(bench.target).groups.plan_mode(bench.group(), SECONDARY, CommitMode.ASYNCHRONOUS)
