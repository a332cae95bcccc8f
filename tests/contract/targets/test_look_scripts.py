"""Scripts that read the state before and after a change, run on the lab as sqlcmd runs them: they change nothing."""

from functools import cache
from typing import Final

import pytest

from app.reporting.document.scripts import Scripts
from tests.contract.targets.checking import Bench, make_bench
from tests.contract.targets.test_apply_scripts import EVERY, findings, outcome, run, session, sqlcmd, state
from tests.report.scripts import WORDS, apply_scripts, decisions_of

SET_OTHERWISE: Final = "reads differently than it was set"


@cache
def looks() -> tuple[tuple[str, str], ...]:
    """Return the scripts that read ahead of each decision and after it."""
    scripts = Scripts(session(), WORDS, decisions_of(findings(), session()))
    return tuple((scripts.before(files), scripts.verify(files)) for files in scripts.needed())


def looked(bench: Bench, script: str, here: str = "") -> tuple[int, str, str]:
    """Return how a script ends that is run as it is, once nothing was changed by it."""
    untouched = state(bench)
    window = sqlcmd(bench, **({"here": here} if here else {}))
    window.run_script(script)
    assert (window.ran, state(bench)) == ([], untouched)
    return outcome(window)


@pytest.mark.parametrize("number", EVERY)
def test_the_state_is_read_before_and_held_against_the_decision_afterwards(number: int) -> None:
    """Before the change the second script ends with an error, after it with 0."""
    bench, (before, after) = make_bench(), looks()[number]
    assert looked(bench, before) == (0, "", "Done:")
    code, error, _last = looked(bench, after)
    assert (code, SET_OTHERWISE in error) == (1, True)
    assert outcome(run(bench, apply_scripts(findings(), session())[number])) == (0, "", "Done.")
    assert looked(bench, after) == (0, "", "Done:")


@pytest.mark.parametrize("number", EVERY)
def test_at_another_server_it_ends_with_an_error(number: int) -> None:
    """Its values are those of one Distributor."""
    for script in looks()[number]:
        code, error, last = looked(make_bench(), script, here="OTHER")
        assert (code, "this is not Distributor" in error, last) == (1, True, "")


def test_it_reads_what_a_run_reads_of_the_agent() -> None:
    """The hours of the last day and the backlog, by the statements of a run."""
    for script in looks()[0]:
        assert script.count("USE [distribution];") == 2
        assert "@hours int = 24;" in script
        assert "@at_most bigint = 1000000;" in script
