"""Scripts of decisions on replicas, run on the lab as sqlcmd runs them: what they change, and when nothing."""

import re
from dataclasses import replace
from functools import cache

import pytest

from app.domain.session import SessionRecord
from tests.contract.sqlcmd import Options
from tests.contract.targets.group_checking import PRIMARY, SECONDARY, GroupBench, make_group_bench
from tests.contract.targets.script_client import APPLYING_IT, ScriptClient
from tests.report.kept import groups_of, with_groups
from tests.report.scripts import apply_scripts, rollback_scripts
from tests.unit.runner.commit_runs import commit_plan, run_in_memory

_BENCH_NAMES = {"SQL-A": PRIMARY, "SQL-B": SECONDARY}


@cache
def measured() -> tuple[SessionRecord, tuple[tuple[str, str], ...]]:
    """Return a session, and both scripts for each replica under the names that the bench's have."""
    ran = run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    session, findings = ran.session(), ran.advise().findings
    pairs = zip(apply_scripts(findings, session), rollback_scripts(findings, session), strict=True)
    return session, tuple((_renamed(apply), _renamed(back)) for apply, back in pairs)


def _renamed(script: str) -> str:
    return re.sub("SQL-[AB]", lambda found: _BENCH_NAMES[found.group()], script)


def run(
    bench: GroupBench, script: str, here: str, *, applies: bool = True, options: Options | None = None
) -> ScriptClient:
    """Run a script over a connection of its own, with its one line edited where it is to apply."""
    assert script.count(APPLYING_IT[0]) == 1
    window = ScriptClient(bench, here, options=options or Options())
    window.run_script(script.replace(*APPLYING_IT) if applies else script)
    return window


@pytest.mark.parametrize(
    "options", [Options(), Options(variables={"Apply": "yes"}), Options(environment={"Apply": "yes"})]
)
def test_as_it_is_handed_over_it_changes_nothing(options: Options) -> None:
    """At the right server it says that it checked only, whatever was given from outside."""
    bench = make_group_bench()
    before = bench.state()
    for server, pair in zip((PRIMARY, SECONDARY), measured()[1], strict=True):
        for script in pair:
            window = run(bench, script, server, applies=False, options=options)
            assert (window.ran, window.code, window.error) == ([], 0, "")
            assert window.printed[-1].startswith("Checked only")
    assert bench.state() == before


def test_each_is_applied_at_its_own_server_and_taken_back_there() -> None:
    """At the other one it stops with an error; twice does no harm."""
    bench = make_group_bench()
    before = bench.state()
    for server, other, (apply, back) in zip((PRIMARY, SECONDARY), (SECONDARY, PRIMARY), measured()[1], strict=True):
        for script in (apply, back):
            wrong = run(bench, script, other)
            assert (wrong.ran, wrong.code, wrong.printed) == ([], 1, [])
            assert "this is not" in wrong.error
        for _time in range(2):
            window = run(bench, apply, server)
            assert (window.ran, window.code, window.printed[-1].split()[0]) == (["set_trace_flag"], 0, "Done.")
        assert bench.state() != before
        for _time in range(2):
            assert run(bench, back, server).code == 0
        assert bench.state() == before


def test_what_was_set_before_stays_and_the_script_says_so() -> None:
    """It comes to its end without a change."""
    ran = run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    session = ran.session()
    [environment] = session.environments
    flagged = with_groups(environment, replace(groups_of(environment), trace_flags=(("SQL-A", 9592),)))
    back = rollback_scripts(ran.advise().findings, replace(session, environments=(flagged,)))[0]
    window = run(make_group_bench(), _renamed(back), PRIMARY)
    assert (window.ran, window.code) == ([], 0)
    assert "Trace flag 9592 was set before: it stays." in window.printed


@pytest.mark.parametrize("server", ["?", "", "SQLNODE9"])
def test_a_server_that_is_not_named_is_an_error(server: str) -> None:
    """Measured elsewhere, it is for a server that a person names; none and another one are refused."""
    ran = run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    unknown = replace(ran.session(), environments=(), runs=())
    [script] = apply_scripts(ran.advise().findings, unknown)
    bench = make_group_bench()
    window = run(bench, script.replace('Server "?"', f'Server "{server}"'), PRIMARY)
    assert (window.ran, window.code) == ([], 1)
    named = run(bench, script.replace('Server "?"', f'Server "{PRIMARY}"'), PRIMARY)
    assert (named.ran, named.code) == (["set_trace_flag"], 0)
