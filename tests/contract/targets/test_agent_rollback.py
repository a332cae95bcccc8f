"""`rollback.sql` of changes on agents: it undoes what a run set, and stops where somebody else set another value."""

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.drivers.sqlserver.session import Place
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script
from tests.contract.sqlcmd import Options
from tests.contract.targets.checking import Bench, make_bench
from tests.contract.targets.script_client import ScriptClient
from tests.contract.targets.test_apply_scripts import state
from tests.contract.targets.test_changes import all_changes
from tests.store.sample import SESSION_ID, START

CHANGES = len(all_changes(make_bench()))


def window(bench: Bench, here: str = "", options: Options | None = None) -> ScriptClient:
    """Return a connection to the bench's Distributor, or under another name to a stranger's."""
    return ScriptClient(bench, here or bench.server.own_server, options=options or Options())


def applied(bench: Bench) -> tuple[list[Change], str]:
    """Make every kind of change and return them with the script that takes them back."""
    planned = list(all_changes(bench))
    for change in planned:
        bench.target.changes.apply(change)
        bench.target.clock.sleep(5)
    entries = [
        JournalEntry(number, SESSION_ID, "lab", change, EntryState.APPLIED, START)
        for number, change in enumerate(planned, start=1)
    ]
    return planned, rollback_script(entries, undo_tools())


def test_as_it_is_it_changes_nothing_and_edited_it_puts_everything_back() -> None:
    """Also a second time; no variable from outside undoes anything, and the exit code says that all is done."""
    bench = make_bench()
    before = state(bench)
    _planned, script = applied(bench)
    changed = state(bench)
    for options in (Options(), Options(variables={"Apply": "yes"}), Options(aborts=False)):
        one = window(bench, options=options)
        one.run_script(script)
        assert (one.ran, one.code, one.errors) == ([], 0, [])
        assert one.printed[-1].startswith("Checked only: nothing was changed.")
    assert state(bench) == changed != before
    for _time in range(2):
        one = window(bench)
        one.run_script(script, applies=True)
        assert (one.code, one.errors, state(bench)) == (0, [], before)
        assert one.printed[-1].startswith("Done: what is for this server is undone")


def test_at_a_stranger_nothing_is_run_and_the_code_says_so() -> None:
    """No name of a database that it may lack is in the way of that."""
    bench = make_bench()
    _planned, script = applied(bench)
    one = window(bench, here="STRANGER")
    one.run_script(script, applies=True)
    assert (one.ran, one.code, one.printed) == ([], 1, [])
    assert "none of those that the script names" in one.errors[-1]


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("which", ["step", "value", "profile"])
def test_what_somebody_else_set_since_stays_and_stops_it(which: str, goes_on: bool) -> None:
    """It compares with what was set and with what was before: a third value is left, also by a tool that goes on."""
    bench = make_bench()
    planned, script = applied(bench)
    held, agent = bench.server.state, bench.own_server()
    if which == "step":
        held.steps[agent.job_id] = held.steps[agent.job_id].replace("-SubscriptionStreams 8", "-SubscriptionStreams 3")
    elif which == "value":
        own = next(p for p in held.profiles.own() if p.profile_id == held.profile_ids[agent.job_id])
        name = str(next(c for c in planned if c.kind == "profile_parameter").detail("parameter_name"))
        own.values[name] = "77"
    else:
        verbose = held.profiles.find(3, "Verbose history agent profile.")
        assert verbose is not None
        held.profile_ids[agent.job_id] = verbose.profile_id
    spoiled = state(bench)
    one = window(bench, options=Options(aborts=False, heeds=False) if goes_on else Options())
    one.run_script(script, applies=True)
    assert any("is neither as it was set nor as it was before" in error for error in one.errors)
    assert one.printed == []
    assert one.code == (0 if goes_on else 1)
    if which == "value":
        assert own.values[name] == "77"
    else:
        what = "steps" if which == "step" else "used"
        assert state(bench)[what] == spoiled[what]


def test_what_somebody_sets_once_all_is_undone_stays_when_it_runs_again() -> None:
    """What was set is gone then, such as the run's own profile: what is compared with is never nothing."""
    bench = make_bench()
    _planned, script = applied(bench)
    window(bench).run_script(script, applies=True)
    held, agent = bench.server.state, bench.own_server()
    verbose = held.profiles.find(3, "Verbose history agent profile.")
    assert verbose is not None
    held.profile_ids[agent.job_id] = verbose.profile_id
    found = state(bench)
    again = window(bench)
    again.run_script(script, applies=True)
    assert "is neither as it was set nor as it was before" in again.errors[-1]
    assert again.code == 1
    assert state(bench) == found


@pytest.mark.parametrize("lost", ["ownerless", "without_credential", "without_subsystem"])
def test_an_agent_that_could_not_be_started_again_is_not_stopped(lost: str) -> None:
    """Its values are put back, it runs on, and the script ends with an error; once the job is mended all is undone."""
    bench = make_bench()
    before = state(bench)
    _planned, script = applied(bench)
    held, agents = bench.server.state, bench.server.state.site.agents
    # a start that counts what was set, so that something runs which the script has to restart
    for agent in agents:
        if not held.agent_state(agent).running:
            bench.server.run("start_job", Place(bench.server.own_server, "msdb"), {"job_id": agent.job_id})
    bench.target.clock.sleep(60)
    getattr(held, lost).update(agent.job_id for agent in agents)
    one = window(bench)
    one.run_script(script, applies=True)
    assert one.code == 1
    assert "the agent was not stopped" in one.errors[-1]
    assert all(held.agent_state(agent).running for agent in agents)
    getattr(held, lost).clear()
    again = window(bench)
    again.run_script(script, applies=True)
    assert (again.code, again.errors, state(bench)) == (0, [], before)


@pytest.mark.parametrize("kind", ["job_enabled", "job_step_token", "profile_assignment", "agent_stopped"])
def test_a_job_that_is_gone_is_never_passed_over_in_silence(kind: str) -> None:
    """Of a dropped subscription nothing is left in its job, which is told; its agent's profile cannot be given back."""
    bench = make_bench()
    planned, _script = applied(bench)
    [change] = [change for change in planned if change.kind == kind]
    script = rollback_script([JournalEntry(1, SESSION_ID, "lab", change, EntryState.APPLIED, START)], undo_tools())
    agent = bench.server.state.site.agent_of_job(bench.own_server().job_id)
    assert agent is not None
    bench.server.state.site.dropped.add(agent.pair)
    one = window(bench)
    one.run_script(script, applies=True)
    if kind in {"job_enabled", "job_step_token"}:
        assert (one.code, one.errors) == (0, [])
        assert f"{change.subject} is gone from this server: nothing of it is left to undo" in one.printed
    else:
        assert one.code == 1
        assert "or is gone" in one.error or "does not exist" in one.error
