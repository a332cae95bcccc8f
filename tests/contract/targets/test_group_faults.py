"""Whatever goes wrong at whichever statement of an experiment on groups, everything is put back or listed."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from app.domain.errors import FailedOver, ReplituneError, TargetError
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.systems.availability_groups.offer import group_ports
from tests.contract.targets.group_checking import (
    PRIMARY,
    SECONDARY,
    SYNC_DATABASE,
    SYNC_GROUP,
    TEST_DATABASE,
    GroupBench,
    SafeRun,
    commit_mode_steps,
    make_group_bench,
    seeding_steps,
)

Steps = Callable[[GroupBench, SafeRun], Iterator[None]]
EXPERIMENTS: dict[str, Steps] = {"commit mode": commit_mode_steps, "seeding": seeding_steps}
KINDS = (
    FaultKind.LOST_BEFORE,
    FaultKind.LOST_AFTER,
    FaultKind.PERMISSION_DENIED,
    FaultKind.DEADLOCK,
    FaultKind.TIMEOUT,
    FaultKind.FAILOVER,
)


@cache
def as_found() -> dict[str, object]:
    """Return everything an experiment could have left changed, as it was before."""
    return make_group_bench().state()


@cache
def statements_of(steps: Steps) -> list[str]:
    """Return the statements an experiment sends, its restore included."""
    bench = make_group_bench()
    run = SafeRun(bench)
    list(steps(bench, run))
    assert run.restore() == []
    return sorted({record.name for record in bench.records})


CASES = [(name, statement) for name, steps in EXPERIMENTS.items() for statement in statements_of(steps)]


def run_with(experiment: str, fault: Fault) -> tuple[GroupBench, SafeRun, ReplituneError | None]:
    """Run an experiment with a fault until it ends."""
    bench = make_group_bench(faults=(fault,))
    run = SafeRun(bench)
    problem: ReplituneError | None = None
    try:
        list(EXPERIMENTS[experiment](bench, run))
    except ReplituneError as error:
        problem = error
    return bench, run, problem


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("experiment", "statement"), CASES)
def test_everything_is_put_back(experiment: str, statement: str, kind: FaultKind) -> None:
    """After a fault at any statement the second restore at the latest leaves nothing changed."""
    bench, run, _problem = run_with(experiment, Fault(statement, 1, kind))
    run.restore()
    left = run.restore()
    assert left == []
    bench.target.clock.sleep(60.0)  # a failover that came last completes
    assert bench.state() == as_found()


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.parametrize("call", [2, 3, 5, 8])
def test_later_calls_are_put_back_too(experiment: str, call: int) -> None:
    """The same holds where a changing statement is lost at a later call, such as one of the restore itself."""
    for name in statements_of(EXPERIMENTS[experiment]):
        if catalogue()[name].access is not Access.CHANGE:
            continue
        bench, run, _problem = run_with(experiment, Fault(name, call, FaultKind.LOST_AFTER))
        run.restore()
        assert run.restore() == []
        assert bench.state() == as_found()


@pytest.mark.parametrize("statement", ["run_insert_loop", "clear_test_destination", "set_availability_mode"])
def test_failover_ends_the_run(statement: str) -> None:
    """A failover at a statement that needs the primary is told as one, with both servers' names."""
    _bench, _run, problem = run_with("commit mode", Fault(statement, 1, FaultKind.FAILOVER))
    assert isinstance(problem, FailedOver)
    assert SYNC_GROUP in str(problem)
    assert PRIMARY in str(problem)


def test_sample_shows_who_is_primary_now() -> None:
    """After a failover the next sample at the old primary names the new one."""
    bench = make_group_bench(faults=(Fault("group_sample_primary", 2, FaultKind.FAILOVER),))
    assert group_ports(bench.target).groups.sample(SYNC_GROUP, SYNC_DATABASE).primary == PRIMARY
    group_ports(bench.target).groups.sample(SYNC_GROUP, SYNC_DATABASE)
    bench.target.clock.sleep(60.0)
    assert group_ports(bench.target).groups.sample(SYNC_GROUP, SYNC_DATABASE).primary == SECONDARY


def test_replica_that_is_down_is_listed_and_restored_later() -> None:
    """What cannot be put back because its server is down stays listed; with the server it goes back."""
    bench = make_group_bench()
    run = SafeRun(bench)
    list(seeding_steps(bench, run))
    bench.server.state.lab.replica_down(SECONDARY)
    left = run.restore()
    assert left
    assert all(why for _change, why in left)
    bench.server.state.lab.replica_up(SECONDARY)
    bench.target.clock.sleep(60.0)
    assert run.restore() == []
    assert bench.state() == as_found()


def test_a_secondary_going_down_does_not_end_sampling() -> None:
    """Its processors are left out, and it is not asked again at every tick."""
    bench = make_group_bench()
    group_ports(bench.target).groups.sample(SYNC_GROUP, SYNC_DATABASE)
    bench.server.state.lab.replica_down(SECONDARY)
    bench.target.clock.sleep(30.0)
    for _tick in range(3):
        sample = group_ports(bench.target).groups.sample(SYNC_GROUP, SYNC_DATABASE)
        bench.target.clock.sleep(1.0)
    assert [one.server for one in sample.servers] == [PRIMARY]
    asked = [record for record in bench.records if record.name == "group_sample_secondary"]
    assert len([record for record in asked if record.error]) == 1


def test_full_disk_is_an_error_with_the_servers_words() -> None:
    """A disk that filled up after planning ends the change with the server's own words, and undo leaves nothing."""
    bench = make_group_bench()
    run = SafeRun(bench)
    planned = group_ports(bench.target).seeding.plan_test_database(SYNC_GROUP, TEST_DATABASE, 100, 0.5)
    bench.server.state.lab.fill_disk(PRIMARY, free_mb=10.0)
    with pytest.raises(TargetError, match="Could not allocate space"):
        run.apply(planned)
    assert run.restore() == []
    assert bench.state() == as_found()
