"""`rollback.sql` of changes on groups: run whole at every server it puts everything back, at a stranger nothing."""

import pytest
from sqlglot import exp, parse

from app.domain.change import EntryState, JournalEntry
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import only_at_server
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script
from app.systems.availability_groups.server.guards import only_at_primary
from tests.contract.sqlcmd import Options
from tests.contract.statements.test_statements import check_batch
from tests.contract.targets.group_checking import (
    PRIMARY,
    SECONDARY,
    SYNC_GROUP,
    GroupBench,
    make_group_bench,
)
from tests.contract.targets.script_client import ScriptClient
from tests.contract.targets.test_group_changes import PLANS
from tests.store.sample import SESSION_ID, START


def window(bench: GroupBench, server: str, at: str = "") -> ScriptClient:
    """Return a connection to a server of the lab; under another name `at`, to a stranger's."""
    return ScriptClient(bench, at or server)


def applied(bench: GroupBench, name: str) -> str:
    """Make a plan's changes and return the script that takes them back."""
    planned = PLANS[name](bench)
    for change in planned:
        bench.target.changes.apply(change)
    entries = [
        JournalEntry(number, SESSION_ID, "lab", change, EntryState.APPLIED, START)
        for number, change in enumerate(planned, start=1)
    ]
    return rollback_script(entries, undo_tools())


@pytest.mark.parametrize("name", PLANS)
def test_run_whole_at_every_server_it_puts_everything_back(name: str) -> None:
    """The primary first, then the other replica: each part acts where it belongs and says so elsewhere."""
    bench = make_group_bench()
    script = applied(bench, name)
    assert bench.state() != make_group_bench().state()
    for _time in range(2):
        for server in (PRIMARY, SECONDARY):
            one = window(bench, server)
            one.run_script(script, applies=True)
            bench.target.clock.sleep(30)
            is_named = "none of those that the script names" not in "".join(one.errors)
            assert (one.code, one.printed[-1:] == []) == ((0, False) if is_named else (1, True)), one.errors
        assert bench.state() == make_group_bench().state()


@pytest.mark.parametrize("name", PLANS)
def test_at_a_strangers_server_nothing_is_run(name: str) -> None:
    """A server of another name that is primary of nothing runs no statement of it, and the exit code says so."""
    bench = make_group_bench()
    stranger = window(bench, PRIMARY, at=f"{PRIMARY}\\OTHER")
    stranger.run_script(applied(bench, name))
    assert (stranger.ran, stranger.code, stranger.printed) == ([], 1, [])
    assert "none of those that the script names" in stranger.errors[-1]
    assert stranger.skipped > 0


@pytest.mark.parametrize("name", PLANS)
def test_as_it_is_it_changes_nothing(name: str) -> None:
    """Whatever was given from outside; what would be undone is told."""
    bench = make_group_bench()
    script, changed = applied(bench, name), bench.state()
    for options in (Options(), Options(variables={"Apply": "yes"}), Options(environment={"Apply": "yes"})):
        windows = [window(bench, server) for server in (PRIMARY, SECONDARY)]
        for one in windows:
            one.options = options
            one.run_script(script)
            assert one.ran == []
        told = [one.printed[-1] for one in windows if one.code == 0]
        assert told
        assert all(said.startswith("Checked only") for said in told)
    assert bench.state() == changed


@pytest.mark.parametrize("options", [Options(has_commands=False), Options(substitutes=False)], ids=["window", "-x"])
def test_it_wants_sqlcmd_mode_as_the_other_scripts_do(options: Options) -> None:
    """Without it nothing is undone, and an error says so."""
    bench = make_group_bench()
    one = window(bench, PRIMARY)
    one.options = options
    one.run_script(applied(bench, "commit mode" if "commit mode" in PLANS else next(iter(PLANS))))
    assert one.ran == []
    assert any(error.startswith("SQLCMD mode is off") for error in one.errors)


def test_the_same_window_runs_it_once_sqlcmd_mode_is_on() -> None:
    """As the error says: what kept its batches from being executed does not stay with the connection."""
    bench = make_group_bench()
    one, script = window(bench, PRIMARY), applied(bench, next(iter(PLANS)))
    one.options = Options(has_commands=False)
    one.run_script(script, applies=True)
    one.options = Options()
    one.run_script(script, applies=True)
    assert one.code == 0
    assert one.ran


def test_no_batch_names_a_database_ahead_of_its_guard() -> None:
    """USE is carried out when a batch is compiled: at a server without that database the script would end there."""
    for name in PLANS:
        script = applied(make_group_bench(), name)
        assert not [line for line in script.splitlines() if line.startswith("USE ")]


def test_after_a_failover_the_new_primary_is_where_it_acts() -> None:
    """What belongs to the primary replica is skipped at the old one and done at the new one."""
    bench = make_group_bench()
    script = applied(bench, "test tables")
    bench.server.state.lab.fail_over(SYNC_GROUP, SECONDARY)
    bench.target.clock.sleep(60)
    old, new = window(bench, PRIMARY), window(bench, SECONDARY)
    old.run_script(script, applies=True)
    assert (old.ran, old.skipped) == ([], 1)
    new.run_script(script, applies=True)
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
