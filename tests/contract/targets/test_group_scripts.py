"""`rollback.sql` of changes on groups: run whole at every server it puts everything back, at a stranger nothing."""

import pytest
from sqlglot import exp, parse

from app.domain.change import EntryState, JournalEntry
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import only_at_server
from app.store import rollback_script
from app.systems.availability_groups.server.guards import only_at_primary
from tests.contract.statements.test_statements import check_batch
from tests.contract.targets.group_checking import (
    PRIMARY,
    SECONDARY,
    SYNC_GROUP,
    GroupBench,
    make_group_bench,
)
from tests.contract.targets.script_runs import QueryWindow
from tests.contract.targets.test_group_changes import PLANS
from tests.store.sample import SESSION_ID, START


def window(bench: GroupBench, server: str, at: str = "") -> QueryWindow:
    """Return a connection to a server of the lab; under another name `at`, for a stranger's."""
    lab = bench.server.state.lab
    return QueryWindow(
        at or server, bench.server.run, lambda group: next(g.primary for g in lab.groups() if g.name == group)
    )


def applied(bench: GroupBench, name: str) -> str:
    """Make a plan's changes and return the script that takes them back."""
    planned = PLANS[name](bench)
    for change in planned:
        bench.target.changes.apply(change)
    entries = [
        JournalEntry(number, SESSION_ID, "lab", change, EntryState.APPLIED, START)
        for number, change in enumerate(planned, start=1)
    ]
    return rollback_script(entries)


@pytest.mark.parametrize("name", PLANS)
def test_run_whole_at_every_server_it_puts_everything_back(name: str) -> None:
    """The primary first, then the other replica: each part acts where it belongs and says so elsewhere."""
    bench = make_group_bench()
    script = applied(bench, name)
    assert bench.state() != make_group_bench().state()
    for server in (PRIMARY, SECONDARY):
        window(bench, server).run_script(script)
        bench.target.clock.sleep(30)
    assert bench.state() == make_group_bench().state()
    for server in (PRIMARY, SECONDARY):  # and once more
        window(bench, server).run_script(script)
    assert bench.state() == make_group_bench().state()


@pytest.mark.parametrize("name", PLANS)
def test_at_a_strangers_server_nothing_is_run(name: str) -> None:
    """A server of another name that is primary of nothing runs no statement of it."""
    bench = make_group_bench()
    stranger = window(bench, PRIMARY, at=f"{PRIMARY}\\OTHER")
    stranger.run_script(applied(bench, name))
    assert stranger.ran == []
    assert stranger.skipped > 0


def test_after_a_failover_the_new_primary_is_where_it_acts() -> None:
    """What belongs to the primary replica is skipped at the old one and done at the new one."""
    bench = make_group_bench()
    script = applied(bench, "test tables")
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY)
    bench.target.clock.sleep(60)
    old, new = window(bench, PRIMARY), window(bench, SECONDARY)
    old.run_script(script)
    assert (old.ran, old.skipped) == ([], 1)
    new.run_script(script)
    assert new.ran == ["drop_test_tables"]
    assert bench.state()["tables"] == {}


GUARDS = {
    "server": only_at_server("SQL'1\\IN ST"),
    "primary": only_at_primary("AG's [1]"),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=list(GUARDS))
def test_a_guard_is_t_sql_on_documented_views(guard: str) -> None:
    """It parses, names documented columns only, and its names have their quotes doubled."""
    check_batch(catalogue()["server_info"], guard.replace("PRINT", "SELECT").replace("RETURN", "SELECT 1"))
    (tree,) = parse(guard.partition("\nBEGIN")[0].replace("IF NOT", "SELECT 1 WHERE NOT"), read="tsql")
    assert tree is not None
    texts = {found.this for found in tree.find_all(exp.National, exp.Literal) if isinstance(found.this, str)}
    assert texts & {"SQL'1\\IN ST", "AG's [1]"}
